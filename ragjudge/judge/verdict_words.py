"""Yes or no in a judge's own words, in both languages: closed tables, and nothing that takes itself back."""

import re

YES = frozenset({"yes", "true", "y", "1", "はい", "真", "正", "そうです", "支持される", "該当する"})
NO = frozenset({"no", "false", "n", "0", "いいえ", "偽", "誤", "違います", "支持されない", "該当しない"})
"""What counts as a verdict. Whole words only: "irrelevant" is not "relevant"."""

_HEAD_END = re.compile(r"(?<![0-9])[,.、。!:;—\n]|[,.、。!:;—\n](?![0-9])")
"""Where the verdict ends and its explanation begins: never inside a number."""

_DENIAL = re.compile(
    r"\b(?:no|not|none|nor|neither|never|nothing|nowhere|cannot|without|lacks?|lacking|fails?|hardly|barely|scarcely"
    r"|false|wrong|incorrect|irrelevant|unrelated|unsupported|unhelpful|unclear|unlikely|useless|misses|missing|doubtful|contradict(?:s|ed)?)\b|n['’]t\b"
    r"|ない|なく|なし|ません|いいえ|かね|[^必まは]ず|[不無非未否誤違偽難疑]|矛盾",
    re.ASCII,
)
_RESERVE = re.compile(
    r"\b(?:but|however|though|although|except|unless|yet|only|part(?:ly|ially)?)\b"
    r"|ただし|但し|しかし|だが|ですが|けど|けれど|とはいえ|一部|部分的",
    re.ASCII,
)
_WIDTHS = {0x3000: " ", **{wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}}


def verdict(data: object) -> bool | None:
    """True or false by the closed tables; None for everything else, a self-contradiction included.

    An explanation may follow the word, not a number. One of a yes denies nothing; one of a no denies once, since
    none or two may well say yes; neither makes a reserve.
    """
    if isinstance(data, int | float):
        return {0: False, 1: True}.get(int(data)) if data in (0, 1) else None
    if not isinstance(data, str):
        return None
    head, *rest = _HEAD_END.split(narrow(data).strip().casefold(), maxsplit=1)
    said, explanation = _in_tables(head), "".join(rest)
    if said is None or not any(char.isalnum() for char in explanation):
        return said
    denials = len(_DENIAL.findall(explanation))
    opposed = any(_in_tables(word) is (not said) for word in re.findall(r"\w+", explanation))
    if head.strip().isdigit() or opposed or _RESERVE.search(explanation) or denials != (0 if said else 1):
        return None
    return said


def narrow(text: str) -> str:
    """Full-width letters and digits in their usual width; no other look-alike ("²", "①") becomes a digit."""
    return text.translate(_WIDTHS)


def _in_tables(word: str) -> bool | None:
    word = word.strip().strip("\"'「」*_`")
    if word in YES:
        return True
    return False if word in NO else None
