from datetime import date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragjudge.suite.number_format import UnknownFormat, shown


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (1, "General", "1"), (0.1 + 0.2, "General", "0.3"), (-2.5, "General", "-2.5"), (3, 'General"件"', "3件"),
        (7, "@", "7"), (5, "000", "005"), (1234, "000", "1234"), (2.5, "0", "3"), (-2.5, "0", "-3"),
        (1.005, "0.00", "1.01"), (3, "0.00", "3.00"), (3, "0.##", "3."), (3.14, "0.0#", "3.14"), (0.5, "#.0", ".5"),
        (0.1, "0%", "10%"), (0.125, "0.0%", "12.5%"), (0.125, "0%", "13%"), (-0.1, "0%", "-10%"), (1, "0%", "100%"),
        (3000, "#,##0", "3,000"), (999, "#,##0", "999"), (0, "#,##0", "0"), (1234567.8, "#,##0.0", "1,234,567.8"),
        (3000, '#,##0"円"', "3,000円"), (3000, "#,##0円", "3,000円"), (3000, '"¥"#,##0', "¥3,000"),
        (3000, "¥#,##0;[Red]¥-#,##0", "¥3,000"), (-3000, '"¥"#,##0;[Red]"¥"\\-#,##0', "¥-3,000"),
        (3000, "[$¥-411]#,##0", "¥3,000"), (1234.5, "[$USD] #,##0.00", "USD 1,234.50"), (12, '"約"0\\名', "約12名"),
        (0, '0;-0;"なし"', "なし"), (3, '0"件";;', "3件"), (-3000, "#,##0;▲#,##0", "▲3,000"), (5, "0;@", "5"),
        (3000, '_ * #,##0_ ;_ * \\-#,##0_ ;_ * "-"_ ;_ @_ ', "3,000"), (3000, "#,##0_);(#,##0)", "3,000"),
        (12_345_678, '#,##0,"千円"', "12,346千円"), (1_500_000, '0.0,,"百万円"', "1.5百万円"),
        (1500012, "000\\-0000", "150-0012"), (9012345678, "000-0000-0000", "090-1234-5678"), (1, '"○";"×"', "○"),
    ],
)  # fmt: skip
def test_numbers_as_excel_shows_them(value, number_format, text):
    """Percent, thousands, units, signs, decimals (half away from zero), accounting, postal codes."""
    assert shown(value, number_format) == text


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (date(2024, 4, 1), 'm"月"d"日"', "4月1日"), (date(2024, 4, 1), 'yyyy"年"m"月"d"日";@', "2024年4月1日"),
        (date(2024, 4, 1), "yyyy/m/d", "2024/4/1"), (date(2024, 4, 1), "yyyy-mm-dd", "2024-04-01"),
        (date(2024, 4, 1), "yy.mm.dd", "24.04.01"), (date(2024, 4, 1), "m/d(aaa)", "4/1(月)"),
        (date(2024, 4, 1), "yyyy年m月d日 aaaa", "2024年4月1日 月曜日"), (date(2024, 4, 1), 'yyyy"年度"', "2024年度"),
        (date(2024, 4, 1), '[$-411]ggge"年"m"月"d"日"', "令和6年4月1日"), (date(2019, 4, 30), "ge.m.d", "H31.4.30"),
        (datetime(2024, 4, 1, 9, 5, 7), "yyyy/m/d h:mm", "2024/4/1 9:05"),  # noqa: DTZ001 - Excel knows no zones
        (datetime(2024, 4, 1, 17, 30), 'm"月"d"日" h"時"mm"分"', "4月1日 17時30分"),  # noqa: DTZ001
        (time(17, 30), "h:mm", "17:30"), (time(9, 5, 7), "hh:mm:ss", "09:05:07"), (time(0, 5, 7), "m:ss", "5:07"),
        (time(17, 30), "h:mm AM/PM", "5:30 PM"), (time(0, 30), 'h"時"m"分"', "0時30分"),
    ],
)  # fmt: skip
def test_dates_and_times_as_excel_shows_them(value, number_format, text):
    """Japanese dates, eras and weekdays; `m` beside hours or seconds means minutes."""
    assert shown(value, number_format) == text


@pytest.mark.parametrize(
    ("value", "number_format"),
    [
        (0.5, "# ?/?"), (5, "0.00E+00"), (5, "[>=1000]0;0.0"), (5, ";;;"), (5, "[DBNum1]0"), (5, "0.0.0"), (5, ","),
        (-5, "#,##0_);(#,##0)"), (5, '"$"#,##0_);("$"#,##0)'), (1e16, "0"), (float("inf"), "0"), (5, "0" * 300),
        (5, "0." + "0" * 40), (1, "0" + "%" * 99), (5, 'yyyy"年"'), (1e-20, "General"), (5, "#,#-0"), (5, ""),
        (date(2024, 4, 1), "mm-dd-yy"), (date(2024, 4, 1), "d-mmm-yy"), (date(2024, 4, 1), "[$-F800]dddd"),
        (date(2024, 4, 1), "e"), (date(1900, 1, 1), "ggge"), (time(1), "yyyy"), (time(1), "[h]:mm"),
        (time(17), "[$-411]AM/PM h:mm"), (time(1), "mm:ss.0"),
    ],
)  # fmt: skip
def test_what_excel_shows_is_never_guessed(value, number_format):
    """Formats that are not rendered, and those that each computer shows in its own way."""
    with pytest.raises(UnknownFormat):
        shown(value, number_format)


_FORMATS = st.text('0#?.,%;"\\[]_*@ymdhsage/-: 円$AMPGenrl', max_size=30)
_VALUES = st.one_of(
    st.integers(),
    st.floats(),
    st.dates(),
    st.times(),
    st.datetimes(min_value=datetime(1900, 1, 1)),  # noqa: DTZ001
)


@given(_VALUES, _FORMATS)
def test_no_format_breaks_the_reader(value, number_format):
    """A format is the writer's own text."""
    try:
        text = shown(value, number_format)
    except UnknownFormat:
        return

    assert text == text.strip() != ""


@given(st.integers(-(10**14), 10**14))
def test_separators_take_nothing_from_a_number(value):
    """The digits are the value's."""
    assert int(shown(value, '#,##0"円"').removesuffix("円").replace(",", "")) == value
