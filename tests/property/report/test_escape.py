"""Whatever comes in: the reader sees its characters, and nothing acts."""

import xml.etree.ElementTree as ET
from html.parser import HTMLParser

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragjudge.report import escape
from tests.unit.report import reading

PIECES = st.sampled_from(
    [
        "|", "\\", "`", "```", "~~~", "*", "_", "[", "]", "(", ")", "<", ">", "&", "&#124;", "&lt;", "\n", "\r\n", "\u2028",
        "#1", "@team", "GH-1", "o/r#2", "http://e.example", "www.e.example", "a@e.example", "deadbeef", "-", "1.", "=", "+",
        "<b>", "</td>", "<!--", "-->", "![x](y)", "[x]: y", "$", "$$", ":tada:", "::error::", "##[x]", " ", "\t", "日本", "〜", "。",
        "\u200b", "\u202e", "\x00", "\x1b[0m", "é", "e\u0301", "\u3000",
    ]
)  # fmt: skip
TEXTS = st.lists(st.one_of(PIECES, st.characters(), st.text(max_size=5)), max_size=25).map("".join)
MANY = settings(max_examples=150, deadline=None)


def plain(text: str) -> str:
    return text.replace(escape.BREAK, "")


@MANY
@given(TEXTS)
@example("\\|")
@example("a\\")
@example("1) x")
@example("`|`")
@example("\u00a0| x |\u00a0")
def test_cell_comes_back_equal(text):
    """Escaped into a table's cell and parsed, the text is the same, in one cell, with and without raw HTML."""
    markdown = f"| a | b |\n|---|---|\n| {escape.markdown(text)} | end |\n"
    for html in (True, False):
        tokens = reading.parser(html=html).parse(markdown)
        cells = [token for token in tokens if token.type == "inline"]
        assert [plain(reading.text_of(cell)) for cell in cells] == ["a", "b", escape.one_line(text), "end"]
        assert [token.type for token in tokens if token.type == "html_block"] == []
        kinds = {child.type for cell in cells for child in cell.children or ()}
        assert kinds <= {"text", "text_special"}


@MANY
@given(TEXTS)
def test_paragraph_comes_back_equal(text):
    """Alone in a paragraph and in a list item the text is nothing but text."""
    for before in ("", "- "):
        tokens = reading.parser().parse(f"{before}{escape.markdown(text)}\n")
        inline = [token for token in tokens if token.type == "inline"]
        assert "".join(plain(reading.text_of(token)) for token in inline) == escape.one_line(text)
        allowed = {"paragraph_open", "paragraph_close", "inline"}
        allowed |= (
            {"bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"}
            if before
            else set()
        )
        assert {token.type for token in tokens} <= allowed


@MANY
@given(TEXTS)
def test_summary_of_a_fold_comes_back_equal(text):
    """In the one HTML element that holds outside text, it is text as well."""
    seen: list[str] = []
    tags: list[str] = []

    class Reader(HTMLParser):
        def handle_data(self, data):
            seen.append(data)

        def handle_starttag(self, tag, attrs):
            tags.append(tag)

    Reader().feed(f"<summary>{escape.html_on_github(text)}</summary>")
    assert plain("".join(seen)) == escape.one_line(text)
    assert tags == ["summary"]


@MANY
@given(TEXTS)
def test_xml_is_valid_and_comes_back_equal(text):
    """Any text makes valid XML 1.0, and reads back as it was made visible."""
    element = ET.fromstring(f"<a>{escape.xml(text)}</a>")
    assert (element.text or "") == escape.visible(text)


@MANY
@given(TEXTS)
def test_log_line_holds_no_command(text):
    """One line, and neither spelling of a runner's command in it."""
    line = escape.log_line(text)
    assert line.splitlines() in ([line], [])
    assert "::" not in line
    assert "##[" not in line


@MANY
@given(TEXTS, st.integers(min_value=1, max_value=40))
@example("\x1f0", 1)
@example("\u3000" * 900 + "x", 5)
def test_cut_keeps_its_limit(text, most):
    """Never longer than asked for, and a beginning of the text."""
    short = escape.cut(text, most)
    assert len(short) <= most
    assert escape.one_line(text).startswith(short.removesuffix(escape.ELLIPSIS))


@MANY
@given(TEXTS)
def test_visible_is_stable(text):
    """What was made visible once stays as it is."""
    assert escape.visible(escape.visible(text)) == escape.visible(text)


@MANY
@given(TEXTS)
def test_sheet_cell_starts_no_formula(text):
    """Never begins like a formula."""
    assert not escape.sheet_cell(text).lstrip(" ").startswith(("=", "+", "-", "@"))
