"""The one door for outside text, character by character."""

import pytest

from ragjudge.report import escape

Z = escape.BREAK


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x00b", "a␀b"),
        ("\x1b[31mred", "␛[31mred"),
        ("x\x7f", "x␡"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("\ufeffid", "⟨U+FEFF⟩id"),
        ("half\udc80", "half⟨U+DC80⟩"),
        ("a\r\nb\u2028c\u0085d", "a\nb\nc\nd"),
        ("tab\there", "tab here"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("日本語、全角：ＡＢＣ　が゚", "日本語、全角：ＡＢＣ　が゚"),
        ("Z" + "\u0301" * 40, "Z" + "\u0301" * escape.MOST_MARKS),
    ],
)
def test_visible(text, expected):
    """What would hide, reorder or ring is shown as a sign; ordinary writing stays as it is."""
    assert escape.visible(text) == expected


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("短い", 100, "短い"),
        ("a\n\n b", 100, "a⏎b"),
        ("あ" * 101, 100, "あ" * 99 + "…"),
        ("abcde\u0301f", 6, "abcd…"),
        ("    ", 100, ""),
        (" " * 9000 + "遠い", 10, "遠い"),
        ("a" + " " * 9000 + "b", 10, "a…"),
        ("あ" * 90_000, 5, "ああああ…"),
    ],
)
def test_cut(text, most, expected):
    """One line within the limit; no letter loses its accent."""
    assert escape.cut(text, most) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@team と", f"@{Z}team と"),
        ("担当@team", f"担当@{Z}team"),
        ("@org/team", f"@{Z}org/team"),
        ("user@example.com", "user@example.com"),
        ("<user.name+tag@mail.example.co.jp>", "<user.name+tag@mail.example.co.jp>"),
        (
            "octocat@16c999e8c71134401a78d4d46435517b2271d6ac",
            f"octocat@{Z}16c999{Z}e8c711{Z}34401a{Z}78d4d4{Z}643551{Z}7b2271{Z}d6ac",
        ),
        ("closes #12", f"closes #{Z}12"),
        ("fixes owner/repo#1", f"fixes owner/repo#{Z}1"),
        ("GH-123, gh-5", f"GH-{Z}123, gh-{Z}5"),
        ("https://github.com/o/r/issues/1", f"https:{Z}//github.com/o/r/issues/1"),
        ("www.example.com", f"www{Z}.example.com"),
        ("mailto:a@example.com", f"mailto:{Z}a@example.com"),
        ("www.x@example.com", f"www{Z}.x@{Z}example.com"),
        ("deadbeef", f"deadbe{Z}ef"),
        ("第3条", "第3条"),
        ("03-1234-5678", "03-1234-5678"),
        (":tada:", f":{Z}tada:"),
        ("10:30から", "10:30から"),
        ("#見出し", "#見出し"),
    ],
)
def test_unlinked(text, expected):
    """Nobody is notified and nothing is linked; addresses, times and telephone numbers stay as they are."""
    assert escape.unlinked(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a|b", "a\\|b"),
        ("`rm`", "\\`rm\\`"),
        ("1. 項目", "1\\. 項目"),
        ("4.64", "4.64"),
        ("- 項目", "\\- 項目"),
        ("-5", "-5"),
        ("# 見出し", "\\# 見出し"),
        ("context_recall", "context_recall"),
        ("_斜体_", "\\_斜体\\_"),
        ("**太字**", "\\*\\*太字\\*\\*"),
        ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
        ("&amp;", "&amp;amp;"),
        ("![x](http://e)", f"!\\[x\\](http:{Z}//e)"),
        ("$x$", "&#36;x&#36;"),
        ("9~17時", "9\\~17時"),
        ("a\\|b", "a\\\\\\|b"),
    ],
)
def test_markdown(text, expected):
    """As little as makes it inert, so that the source stays readable."""
    assert escape.markdown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("::error::x", f":{Z}:error:{Z}:x"),
        ("  ##[add-matcher]y", f"#{Z}#[add-matcher]y"),
        (":::set", f":{Z}:{Z}:set"),
        ("a\n::add-mask::b", f"a⏎:{Z}:add-mask:{Z}:b"),
        ("plain: text", "plain: text"),
    ],
)
def test_log_line(text, expected):
    """The runner finds no command in any spelling."""
    assert escape.log_line(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("=1+1", "'=1+1"),
        ("+81", "'+81"),
        ("-5", "'-5"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1", "'  =1"),
        ("＝1", "'＝1"),
        ("\n=1", "'\n=1"),
        ("普通", "普通"),
    ],
)
def test_sheet_cell(text, expected):
    """No cell is taken for a formula."""
    assert escape.sheet_cell(text) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://github.com/o/r/actions/runs/1", "https://github.com/o/r/actions/runs/1"),
        ("https://e.example/a(b)", "https://e.example/a%28b%29"),
        ("javascript:alert(1)", None),
        ("https://user:pass@e.example/", None),
        ("https://e.example/a b", None),
        ("https://e.example/)[x](http://evil", "https://e.example/%29%5Bx%5D%28http://evil"),
        ("", None),
    ],
)
def test_link_target(url, expected):
    """Plain web addresses only, and nothing in them ends the link."""
    assert escape.link_target(url) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abc-12", "`abc-12`"),
        ("経費-01", "`経費-01`"),
        ("a`b", "a\\`b"),
        ("@team", f"@{Z}team"),
        ("a|b", "a\\|b"),
        ("", ""),
    ],
)
def test_code(text, expected):
    """Ids are code, to be copied; anything else is prose."""
    assert escape.code(text) == expected
