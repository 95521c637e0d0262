"""Takes secrets out of any text before it is written or shown, in every form in which a server may echo them.

A key may be echoed plain, inside a longer base64 text (a Basic header, a data URL), or escaped for a URL, JSON, HTML
or several of them at once, each in its variants. Base64 has three alignments, as in GitHub's own runner:
https://github.com/actions/runner/blob/main/src/Sdk/DTLogging/Logging/ValueEncoders.cs
"""

import base64
import html
import json
import re
from collections.abc import Callable, Iterable
from html.entities import codepoint2name
from itertools import groupby
from urllib.parse import quote, quote_plus

SHORTEST = 6
"""A shorter value would blank out half of every text; GitHub masks its own secrets whatever their length."""
REDACTED = "***"
_URI = ";,/?:@&=+$-_.!~*'()#"
"""What JavaScript's encodeURI leaves as it is; encodeURIComponent leaves the second part of it."""
_URI_COMPONENT = "-_.!~*'()"
_LETTERS = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}
_NESTED = r"\\{1,16}"
"""The backslashes of an escape inside of escapes; bounded, so that no text takes long."""
_Escape = Callable[[str], str]


def forms(secret: str) -> tuple[str, ...]:
    """The secret and its usual encodings, longest first, each at least SHORTEST characters long.

    For whoever can only be told fixed texts, as a runner can; a `Redactor` finds mixtures of them too.
    """
    found = {*_words(secret), *_wholly_escaped(secret)}
    for escape in _ESCAPES:
        once = escape(secret)
        found |= {once, _lower_hex(once), _json(once), *(again(once) for again in _ESCAPES[:2])}
    return _usable(found)


class Redactor:
    """Replaces every form of every secret by `***`."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = tuple(secrets)
        words = _usable({word for secret in self._secrets for word in _words(secret)})
        whole = {form for secret in self._secrets for form in _wholly_escaped(secret)}
        self._forms = _usable({*words, *whole})
        self._words = tuple((word, _longest_plain_part(word)) for word in words)

    def also(self, secrets: Iterable[str]) -> "Redactor":
        """One that takes these out too."""
        return Redactor((*self._secrets, *secrets))

    def finds(self, text: str) -> bool:
        """Whether the text holds any of the secrets."""
        return self(text) != text

    def __call__(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, REDACTED)
        for word, part in self._words:
            # What escapes some characters only leaves letters and digits: most texts need no closer look.
            if part in text:
                text = re.sub(_any_escape(word), REDACTED, text)
        return text


def _usable(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({f for f in found if len(f) >= SHORTEST}, key=lambda f: (-len(f), f)))


def _words(secret: str) -> set[str]:
    return {secret, secret.strip(), *secret.splitlines(), *_inside_base64(secret)}


def _json(text: str) -> str:
    return json.dumps(text)[1:-1]


_ESCAPES: tuple[_Escape, ...] = (
    lambda text: quote(text, safe=""),
    html.escape,
    lambda text: quote(text, safe=_URI_COMPONENT),
    lambda text: quote(text, safe="/"),
    lambda text: quote(text, safe=_URI),
    quote_plus,
    _json,
    lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    lambda text: _json(text).replace("/", "\\/"),
    lambda text: html.escape(text).replace("&#x27;", "&#39;").replace("&quot;", "&#34;"),
)


def _lower_hex(text: str) -> str:
    return re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), text)


def _wholly_escaped(secret: str) -> set[str]:
    """Each character escaped, whether it needs it or not."""
    codes = _utf16(secret)
    return {
        "".join(f"\\u{code:04x}" for code in codes),
        "".join(f"\\u{code:04X}" for code in codes),
        "".join(f"%{byte:02x}" for byte in secret.encode()),
        "".join(f"%{byte:02X}" for byte in secret.encode()),
        "".join(f"&#{ord(character)};" for character in secret),
        "".join(f"&#x{ord(character):x};" for character in secret),
        "".join(f"&#x{ord(character):X};" for character in secret),
    }


def _utf16(text: str) -> list[int]:
    data = text.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[i : i + 2]) for i in range(0, len(data), 2)]


def _longest_plain_part(word: str) -> str:
    return max(re.findall(r"[A-Za-z0-9]+", word), key=len, default="")


def _any_escape(word: str) -> str:
    """A pattern that matches the word with each character in any escape, up to four deep."""
    return "".join(_character(character, len(list(same))) for character, same in groupby(word))


def _character(character: str, times: int) -> str:
    if character == "\\":
        # One pattern for all of them: two that both match several backslashes could try for long.
        one = f"{_percent(character)}|{_unicode(character)}|{_entity(character)}"
        return rf"(?:\\{{{times},{16 * times}}}|(?:{one}){{{times}}})"
    kinds = [re.escape(character), _percent(character), _unicode(character), _entity(character)]
    if character in _LETTERS:
        kinds.append(_NESTED + _LETTERS[character])
    elif not character.isalnum():
        kinds.append(_NESTED + re.escape(character))
    if character == " ":
        kinds.append(r"\+")
    return f"(?:{'|'.join(kinds)}){{{times}}}"


def _percent(character: str) -> str:
    return "".join(f"%(?:25){{0,4}}(?i:{byte:02x})" for byte in character.encode("utf-8", "surrogatepass"))


def _unicode(character: str) -> str:
    return "".join(rf"{_NESTED}u(?i:{code:04x})" for code in _utf16(character))


def _entity(character: str) -> str:
    code = ord(character)
    named = "|apos" if character == "'" else f"|{codepoint2name[code]}" if code in codepoint2name else ""
    return f"&(?:amp;){{0,4}}(?:#0{{0,8}}{code}|#[xX]0{{0,8}}(?i:{code:x}){named});"


def _inside_base64(secret: str) -> set[str]:
    """The part of a base64 text that depends on the secret alone, for each alignment and both alphabets."""
    data = secret.encode()
    found = set()
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        found.add(encode(data).decode())
        for shift in range(3):
            encoded = encode(b"\0" * shift + data).decode()
            # Leading characters mix with what stands before, the last ones with what follows.
            start = (0, 2, 3)[shift]
            whole = (shift + len(data)) // 3 * 4
            found.add(encoded[start:whole])
    return found
