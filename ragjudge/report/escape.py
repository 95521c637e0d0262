"""The one door for outside text: questions, answers, judge's words, file names, server messages.

Whatever the text is, a reader sees its characters and nothing acts: no Markdown, no HTML, no mention, no
cross-reference, no link, no command to the runner. Every sink has its function here; none escapes by itself.

`visible` first makes each unprintable character visible, so the only zero-width space in a finished text is the
one (`BREAK`) that is put in here to part what GitHub would otherwise link or notify.
"""

import html as _html
import re
import unicodedata

BREAK = "\u200b"
"""Zero-width space: GitHub links by looking at rendered text, so neither a backslash nor an entity stops it."""

LONGEST_HEX = 6
NEWLINE_SIGN = "⏎"
ELLIPSIS = "…"
MOST_MARKS = 6
"""Combining marks in a row that a script really uses; more than this only climbs over the neighbouring lines."""

_LINE_ENDS = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_BLANKS = re.compile(r" {2,}")
_ORDINARY = re.compile(
    r"[\n -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u27ff\u3000-\u3029\u3030-\u3098\u309b-\u3163\u3165-\ud7ff"
    r"\uff01-\uff9f\U0001f300-\U0001f3fa\U0001f400-\U0001f6ff]*"
)
"""Characters that are shown as they are, in whole blocks: a quick way past the look at each."""

_LOCAL_PART = r"(?!www\.)[A-Za-z0-9_](?:[A-Za-z0-9_.+-]*[A-Za-z0-9_])?"
_DOMAIN = r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}(?![A-Za-z0-9@/])"
_LINKED = re.compile(
    rf"(?P<email>(?<![A-Za-z0-9_.+/-]){_LOCAL_PART}@{_DOMAIN})"
    r"|(?P<mention>@)"
    r"|(?P<number>\#(?=[0-9]))"
    r"|(?P<gh>\b(?:GH|GHSA|CVE)-(?=[0-9A-Za-z]))"
    r"|(?P<scheme>:(?=//))"
    r"|(?P<www>www(?=\.))"
    r"|(?P<address>(?:mailto|xmpp):)"
    r"|(?P<sha>(?<![0-9A-Za-z_])[0-9a-f]{7,40}(?![0-9A-Za-z_]))"
    r"|(?P<emoji>:(?=[A-Za-z0-9_+-]+:))",
    re.IGNORECASE | re.ASCII,
)
_MAY_LINK = re.compile(r"[@#:]|[0-9A-Za-z]{2}[0-9A-Za-z.-]")
"""A quick look that most Japanese text passes: without any of these nothing can be linked."""
_COMMAND = re.compile(r"(?<=:)(?=:)|(?<=#)(?=#\[)")
_SPECIAL = re.compile(r"[\\`*\[\]|~_&<>$]")
_MARKDOWN = re.compile(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])")
_LINE_START = re.compile(r"(?P<sign>[-+#])(?=[ #-]|$)|=|(?P<number>[0-9]{1,9})(?=[.)](?: |$))")
_PLAIN_CODE = re.compile(r"[\w.\-/]+(?: [\w.\-/]+)*")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"})
"""GitHub's dollar math has no backslash escape outside a formula; an entity is never a delimiter."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


def visible(text: str) -> str:
    """The text with the line feed as its only line end and every control, bidi or invisible character made visible."""
    text = _LINE_ENDS.sub("\n", text).replace("\t", " ")
    if _ORDINARY.fullmatch(text):
        return text
    shown: list[str] = []
    marks = 0
    for at, char in enumerate(text):
        marks = marks + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        if marks <= MOST_MARKS:
            joins = char == "\u200d" and _joins_emoji(text, at)
            shown.append(char if joins or not _hides(char) else _sign(char))
    return "".join(shown)


def _joins_emoji(text: str, at: int) -> bool:
    neighbours = text[at - 1 : at], text[at + 1 : at + 2]
    return all(char and unicodedata.category(char) in {"So", "Sk", "Mn"} for char in neighbours)


def _hides(char: str) -> bool:
    category = unicodedata.category(char)
    code = ord(char)
    unassigned = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF or 0xE0000 <= code <= 0xE0FFF
    blank = char in "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    return (category in {"Cc", "Cf", "Cs", "Co"} and char != "\n") or unassigned or blank


def _sign(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


def one_line(text: str) -> str:
    """Visible text on one line, line ends shown by a sign, blanks not doubled."""
    shown = _BLANKS.sub(" ", visible(text)).strip()
    if "\n" not in shown:
        return shown
    lines = (line.strip() for line in shown.split("\n"))
    return NEWLINE_SIGN.join(line for line in lines if line)


def cut(text: str, most: int) -> str:
    """One line of at most `most` characters, an ellipsis included; never parts a character from its marks."""
    whole = text.strip(" \t\r\n")
    enough = whole[: 16 * most + 64]
    line = one_line(enough)
    if len(line) <= most:
        return line if enough == whole else line[: most - len(ELLIPSIS)] + ELLIPSIS
    end = most - len(ELLIPSIS)
    while end > 0 and (
        unicodedata.category(line[end]) in {"Mn", "Me", "Mc"} or "\u200d" in line[end - 1 : end + 1]
    ):
        end -= 1
    return line[:end].rstrip() + ELLIPSIS


def unlinked(text: str) -> str:
    """Text in which GitHub finds nobody to notify and nothing to link; an e-mail address stays whole."""

    def part(found: re.Match[str]) -> str:
        word = found.group()
        match found.lastgroup:
            case "email":
                return word
            case "sha":
                # GitHub links as few as seven digits, so that one break would leave a commit behind it.
                return BREAK.join(word[n : n + LONGEST_HEX] for n in range(0, len(word), LONGEST_HEX))
            case _:
                return word + BREAK

    return _LINKED.sub(part, text) if _MAY_LINK.search(text) else text


def markdown(text: str) -> str:
    """One line of Markdown that reads as the text: good in a table's cell, a list item and a paragraph."""
    line = unlinked(one_line(text))
    if _SPECIAL.search(line):
        line = _MARKDOWN.sub(lambda found: "\\" + found.group(), line).translate(_ENTITIES)
    start = _LINE_START.match(line)
    if start:
        number = start["number"] or ""
        line = f"{number}\\{line[len(number) :]}"
    return line


def code(text: str) -> str:
    """A code span, where nothing links and copying gives the very text: for ids and commits.

    Text with any other character than letters, digits, `.`, `-`, `/` and `_` is no id and is written as prose.
    """
    return f"`{text}`" if _PLAIN_CODE.fullmatch(text) and visible(text) == text else markdown(text)


def html_on_github(text: str) -> str:
    """One line for an HTML element inside GitHub's Markdown, e.g. `<summary>`."""
    return _html.escape(unlinked(one_line(text))).replace("$", "&#36;")


def html(text: str) -> str:
    """Element text or a quoted attribute of our own HTML file; line ends stay (`white-space: pre-wrap`)."""
    return _html.escape(visible(text))


def xml(text: str) -> str:
    """Text or a quoted attribute of XML 1.0, whatever characters came in."""
    return _html.escape(_NOT_XML.sub("\ufffd", visible(text)))


def log_line(text: str) -> str:
    """One line for stdout or stderr of a workflow: the runner finds no `::command::` nor `##[command]` in it."""
    return _COMMAND.sub(BREAK, one_line(text))


def sheet_cell(text: str) -> str:
    """A cell of CSV or a workbook: a spreadsheet takes it for text, never for a formula."""
    shown = visible(text)
    return f"'{shown}" if shown.lstrip(" ").startswith(_FORMULA_STARTS) else shown


def link_target(url: str) -> str | None:
    """An address fit for a Markdown or HTML link; None unless it is a plain http(s) address."""
    if not re.fullmatch(r"https?://[A-Za-z0-9.\-:\[\]]+(?:[/?#][!-~]*)?", url) or "@" in url.split("/")[2]:
        return None
    return re.sub(r"[()<>\"'\\`|*_\[\]]", lambda found: f"%{ord(found.group()):02X}", url)
