"""Bytes of a text file as text: which encoding it is, decided on the whole file and never guessed from its start."""

import codecs
import re
from dataclasses import dataclass

from ragjudge.language import Text
from ragjudge.suite.raw import Unreadable

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF8, "utf-8", "UTF-8 (BOM)"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
"""Byte order marks; UTF-32's begins like UTF-16's and is looked for first."""
_HALF_WIDTH_KANA = re.compile("[\uff61-\uff9f]")
_UNASSIGNED = re.compile("[\x80\uf8f0-\uf8f3]")
"""What Python's cp932 makes of the bytes 80, A0, FD, FE and FF, which no CP932 text holds."""
_CONFLICT = re.compile(r"^(?:<{7}(?![^\s,;])|>{7}(?![^\s,;])|={7}(?=[ \t\r,;]*$))", re.MULTILINE)
"""Git's marks of a conflict, at the start of a line; a spreadsheet may have filled up the row behind them."""
_SAVE_AS = Text("Save the file as UTF-8.", "ファイルをUTF-8で保存し直してください。")


@dataclass(frozen=True, slots=True)
class Decoded:
    """`note` names the encoding where it is not plain UTF-8; `mark` is the byte order mark before the text."""

    text: str
    note: Text | None = None
    encoding: str = "utf-8"
    mark: bytes = b""

    def encode(self, text: str) -> bytes:
        """Other text as the file's own bytes. Raises `UnicodeEncodeError` where the encoding lacks a character."""
        return self.mark + text.encode(self.encoding)


def decode(data: bytes, file: str) -> Decoded:
    """UTF-8, UTF-16 or UTF-32 by their marks, else strict UTF-8, else CP932. Raises `Unreadable`."""
    for mark, encoding, name in _MARKS:
        if data.startswith(mark):
            text = _clean(_strict(data[len(mark) :], encoding, name))
            return Decoded(text, _note(file, name), encoding, mark)
    if b"\0" in data:
        raise Unreadable(
            Text(
                "The file holds NUL bytes: it is not text, or UTF-16 without a byte order mark.",
                "NULバイトが含まれています。テキストではないか、BOMのないUTF-16です。",
            ),
            cure=_SAVE_AS,
        )
    if data.isascii() and b"\x1b$" in data:
        raise _looks_like("ISO-2022-JP")
    try:
        return Decoded(_clean(data.decode("utf-8")))
    except UnicodeDecodeError as error:
        at = error.start
    if _is_euc_jp(data):
        raise _looks_like("EUC-JP")
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError:
        text = "\x80"
    if _UNASSIGNED.search(text):
        raise Unreadable(
            Text(
                "The encoding is neither UTF-8 nor CP932 (Shift_JIS).",
                "文字コードがUTF-8でもCP932(Shift_JIS)でもありません。",
            ),
            line=data.count(b"\n", 0, at) + 1,
            cure=_SAVE_AS,
        )
    return Decoded(_clean(text), _note(file, "CP932 (Shift_JIS)"), "cp932")


def _strict(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unreadable(
            Text(f"The file is damaged {name} text.", f"{name}として壊れています。"),
            line=error.object[: error.start].decode(encoding, "ignore").count("\n") + 1,
            cure=_SAVE_AS,
        ) from None


def _clean(text: str) -> str:
    at = text.find("\0")
    if at >= 0:
        raise Unreadable(
            Text("The file holds NUL characters.", "NUL文字が含まれています。"),
            line=text.count("\n", 0, at) + 1,
        )
    _refuse_conflict(text)
    return text


def _refuse_conflict(text: str) -> None:
    """Both sides of a merge would be judged. All three marks count, in their order: a heading may be underlined."""
    begun, missing = 0, "<=>"
    for mark in _CONFLICT.finditer(text) if "<<<<<<<" in text else ():
        if mark[0][0] == "<":
            begun, missing = mark.start(), "=>"
        elif mark[0][0] == missing[0]:
            missing = missing[1:]
        if not missing:
            raise Unreadable(
                Text("A merge conflict was left in the file.", "マージの競合が残っています。"),
                line=text.count("\n", 0, begun) + 1,
                cure=Text(
                    "Keep one side and delete the marks (`<<<<<<<`, `=======`, `>>>>>>>`).",
                    "どちらかを残し、競合の印(`<<<<<<<`、`=======`、`>>>>>>>`)の行を削除してください。",
                ),
            )


def _is_euc_jp(data: bytes) -> bool:
    """Japanese in EUC-JP is valid CP932 too, but reads as a string of half-width katakana."""
    try:
        text, other = data.decode("cp932"), data.decode("euc_jp")
    except UnicodeDecodeError:
        return False
    return len(_HALF_WIDTH_KANA.findall(text)) > len(_HALF_WIDTH_KANA.findall(other)) + len(text) // 10


def _looks_like(name: str) -> Unreadable:
    return Unreadable(
        Text(f"The encoding looks like {name}.", f"文字コードが{name}のようです。"), cure=_SAVE_AS
    )


def _note(file: str, name: str) -> Text:
    return Text(f"{file}: read as {name}.", f"{file}: 文字コード {name} として読み込みました。")
