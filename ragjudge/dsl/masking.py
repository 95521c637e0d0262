"""What looks like a key, by its name or by its own shape: never shown, whatever an export holds."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

MASK = "•••"

_PERHAPS = re.compile(r"(?i)key|tok|pass|secret|auth|cred|pwd|jwt|bearer|cookie|code|sig|sess|sid")
"""Quick: what has none of these names no key."""
_COUNTED = re.compile(
    r"(?:^|(?<=_))(?:max|min|num|total|stop|eos|bos|pad|next|page|special|prompt|completion)_?token(?![a-z])"
    r"|tokens|tokeni[sz]"
)
"""Tokens of a text or of a list's pages."""
_ABOUT = re.compile(
    r"(?:^|_)(?:type|kind|limit|count|budget|size|length|usage|url|uri|endpoint|name|header|hint|expiry|expires|expiration"
    r"|ttl|lifetime|price|cost|field|format|policy|required|enabled|mode|label|scheme|issuer|audience|scope|strategy)s?$"
)
"""Of a name that says something about a key: `token_type`, `PASSWORD_RESET_URL`."""
_KEY_NAME = re.compile(
    r"api_?keys?(?![a-z])|pass_?word|passwd|pass_?phrase|secret|authorization|credential|token"
    r"|(?:^|_)(?:pwd|jwt|bearer)(?:_|$)"
    r"|(?:^|_)(?:access|account|admin|app|application|auth|client|encryption|functions?|host|license|master|private|server"
    r"|service|shared|signing|storage|subscription|webhook)_?keys?(?![a-z])"
)
_WEAK_NAME = re.compile(
    r"(?:x_)?(?:key|code|sig|signature|auth|sess|session|session_?id|sid|jsessionid|phpsessid)"
)
"""Names that may hold a key as well as anything else: only a value that looks drawn by lot tells."""
_COOKIE = re.compile(r"(?:set_)?cookie")
_SESSION = re.compile(r"(?i)(?:^|[;\s])[\w.-]{0,60}(?:sess|sid|auth|token|jwt|ticket)[\w.-]{0,60}=([^;\s]+)")

_KEY_SHAPE = (
    r"(?:sk-(?=[a-z_-]*[0-9])[a-z0-9_-]{16,}|[sr]k_(?:live|test)_[a-z0-9]{16,}|app-[a-z0-9]{20,}|dataset-[a-z0-9]{20,}"
    r"|gh[pousr]_[a-z0-9]{20,}|github_pat_\w{20,}|glpat-[a-z0-9_-]{20,}|hf_[a-z0-9]{30,}|gsk_[a-z0-9]{30,}"
    r"|tvly-(?=[a-z-]*[0-9])[a-z0-9-]{20,}|(?-i:SG)\.[a-z0-9_-]{16,}\.[a-z0-9_-]{16,}"
    r"|xox[abprs]-[a-z0-9-]{10,}|akia[0-9a-z]{16}|aiza[0-9a-z_-]{30,}|eyj[a-z0-9_-]+\.[a-z0-9_-]+\.[a-z0-9_-]+)"
)
_WEBHOOK = (
    r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/[a-z0-9/_-]{10,}"
    r"|(?<=discord\.com/api/webhooks/)[0-9]{5,}/[a-z0-9_-]{20,}"
    r"|(?<=webhook\.office\.com/)webhookb2/[a-z0-9@/_-]{20,}"
)
_KEY = re.compile(rf"(?i)(?<![a-z0-9_-]){_KEY_SHAPE}|{_WEBHOOK}")
_USER_INFO = re.compile(r"(?<=//)(?P<user>[^\s/:@\"'<>]{0,100}:)(?P<password>[!#-&(-.0-;=?-~]{1,200})(?=@)")
"""`//user:password@`, the password in ASCII without what would end an address."""

_NAMED = re.compile(
    r"(?m)(?P<line>^[ \t]{0,80})?(?<![\w.-])(?P<name>(?:(?i:api) )?[\w.-]{1,100}+)[\\\"'`\])]{0,5}[ \t]{0,4}"
    r"(?P<sign>:(?!//)=?|=(?![=>]))[ \t]{0,4}"
)
_SCHEME = r"(?:(?i:bearer|basic|token|api-?key|digest|negotiate)(?:[ \t]+|$))?"
_QUOTED = re.compile(
    rf"(?P<quote>\\{{0,3}}[\"'`]){_SCHEME}(?P<value>(?:(?!(?P=quote))(?:\\.|[^\n])){{0,2000}})"
)
_NO_JSON = r"(?![{\[](?:[\s\"']|$))"
_WHOLE_LINE = re.compile(rf"{_NO_JSON}{_SCHEME}(?P<value>[^\n]+)")
_TO_QUOTE = re.compile(rf"{_NO_JSON}{_SCHEME}(?P<value>[^\n\"'`]{{1,1000}}[^\s\"'`]{{0,3000}})")
_ONE_WORD = re.compile(rf"{_NO_JSON}{_SCHEME}(?P<value>(?:\{{\{{[^{{}}\n]{{0,200}}\}}\}}|[^\s\"',;&])+)")
"""Bounded repeats, so that no text makes it slow."""

_REFERENCE = re.compile(r"\{\{[^{}]{0,200}\}\}")
_LEADING_SCHEME = re.compile(rf"^\s*{_SCHEME}")
_GOES_ON = re.compile(r"\s*[:/]?\w")
_NO_SECRET = re.compile(
    r"(?i:|true|false|null|none|undefined|your[-_ ][a-z_ -]*|<[^>]*>|x{3,}|\*{3,}|\.{3}|…)"
    r"|\$\{\w+\}|\$[A-Z_]+|%[A-Z_]+%"
)
_RUN = re.compile(r"[A-Za-z0-9]{16,}")
_KANA_OR_KANJI = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def names_a_key(name: str) -> bool:
    """Whether a setting of this name holds something secret."""
    return bool(_PERHAPS.search(name)) and _is_key_name(_plain(name))


def holds_a_key(text: str, names: Iterable[str] = ()) -> bool:
    """Whether something in a text of any kind is a key: by its shape, or drawn by lot and given under a key's name.

    `names` are those of the setting that the text stands in.
    """
    if _drawn(text) and any(names_a_key(name) for name in names):
        return True
    return _has_shape(text) or any(names_a_key(g.name) and _drawn(g.value) for g in _given(text))


def gives_a_key(name: str, value: str) -> bool:
    """Whether a setting has a key for its value in clear. A reference to a secret variable is none."""
    return (_in_clear(name, value) and not _KANA_OR_KANJI.search(value)) or tells_a_key(value)


def tells_a_key(text: str) -> bool:
    """Whether an address or a body gives a key under its name, or holds one. Prose about a password does not."""
    return _has_shape(text) or any(
        (g.firm or _drawn(g.value)) and not _KANA_OR_KANJI.search(g.value) for g in _given(text)
    )


def masked(text: str) -> str:
    """The text without keys of known kinds, and without what stands behind a name such as `Authorization:`."""
    pieces, at = [], 0
    for given in _given(text):
        pieces += [text[at : given.start], MASK]
        at = given.end
    shown = "".join([*pieces, text[at:]])
    return _KEY.sub(MASK, _USER_INFO.sub(lambda m: m[0] if _refers(m) else f"{m['user']}{MASK}", shown))


class _Given(NamedTuple):
    """A value in clear under a name that says that it is a key."""

    name: str
    value: str
    start: int
    end: int
    firm: bool
    """Given as data (in quotes, with `=`, or one word on a line) rather than by a colon in a sentence."""


def _given(text: str) -> Iterator[_Given]:
    """In order, none inside another."""
    end = 0
    for named in _NAMED.finditer(text):
        if named.end() < end or not _PERHAPS.search(named["name"]):
            continue
        found = _value(text, named)
        if found is None or not _in_clear(named["name"], found["value"]):
            continue
        start, end = found.span("value")
        alone = found.re is _WHOLE_LINE and " " not in found["value"].strip()
        firm = found.re is _QUOTED or named["sign"] == "=" or alone
        yield _Given(named["name"], found["value"], start, end, firm)


def _value(text: str, named: re.Match[str]) -> re.Match[str] | None:
    """What is given: to the closing quote, or the whole rest of a line of its own, else one word."""
    quoted = _QUOTED.match(text, named.end())
    if quoted is not None:
        return quoted
    if named["line"] is not None and named["sign"] == ":":
        return _WHOLE_LINE.match(text, named.end())
    begins = named.start("name")
    quoted_whole = text[begins - 1 : begins] in ("'", '"') and _COOKIE.fullmatch(_plain(named["name"]))
    whole = quoted_whole or "authorization" in named["name"].lower()
    return (_TO_QUOTE if whole else _ONE_WORD).match(text, named.end())


def _in_clear(name: str, value: str) -> bool:
    plain = _plain(name)
    if _is_key_name(plain):
        return _is_secret(value)
    if _COOKIE.fullmatch(plain):
        return any(_is_secret(session[1]) for session in _SESSION.finditer(value))
    return bool(_WEAK_NAME.fullmatch(plain)) and _drawn(value, least=20)


def _is_secret(value: str) -> bool:
    """A scheme's word or a user's name before a reference is no secret; what is glued to it is one."""
    before, *after = _REFERENCE.split(value.replace(MASK, ""))
    if not after:
        return not _NO_SECRET.fullmatch(_LEADING_SCHEME.sub("", before, count=1).strip())
    glued = before[-1:].isalnum() and not _LEADING_SCHEME.fullmatch(before)
    return glued or bool(_GOES_ON.match(after[-1])) or _drawn(value)


def _drawn(value: str, *, least: int = 16) -> bool:
    """Whether a run of letters and digits looks drawn by lot. References do not count."""
    return any(
        len(run) >= least and sum(c.isdigit() for c in run) >= 3 and sum(c.isalpha() for c in run) >= 3
        for run in _RUN.findall(_REFERENCE.sub(" ", value))
    )


def _has_shape(text: str) -> bool:
    return bool(_KEY.search(text)) or any(not _refers(found) for found in _USER_INFO.finditer(text))


def _refers(user_info: re.Match[str]) -> bool:
    return not _is_secret(user_info["password"])


@lru_cache(maxsize=4096)
def _is_key_name(plain: str) -> bool:
    return not _ABOUT.search(plain) and bool(_KEY_NAME.search(_COUNTED.sub("", plain)))


def _plain(name: str) -> str:
    """In lower case, words parted by `_`."""
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()).strip("_")
