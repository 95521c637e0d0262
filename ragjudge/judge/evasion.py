"""Which sentences of an answer say something, and which are greetings, offers of help or "I don't know". Pure.

A refusal speaks of what is known or mentioned. "No attachment is needed" and "the plan does not include breakfast"
speak of the matter: they are claims, as right or wrong as any other.
"""

import re
from functools import lru_cache

from ragjudge.judge.empty_talk import COURTESY, FOR_MORE, OCCASION, REFERRAL, REFUSAL
from ragjudge.judge.quantities import quantities
from ragjudge.judge.text import normal
from ragjudge.metrics.sentences import sentences

_JOINT = re.compile(
    r"(?:が|ものの|けれども?|けど|ので|ため)[、,]|(?<=ません)が|(?<=ません|でした)ので(?!す|し|は)|[;；]"
    r"|(?<!nothing )(?<!anything )(?<!nobody )(?<!no one )(?<!all )\bbut\b,?|\bhowever\b,?|,\s{1,3}so\b",
    re.IGNORECASE,
)
_LEADING_CLAUSE = re.compile(
    r"^(?:although|though|while|since|as|because|even though|if|when|unfortunately|regretfully)\b[^,]*,\s*"
)
_TRAILING_CLAUSE = re.compile(r"(?<=\w) (?:if|when|unless|until)\b.*$")
_ASIDE = re.compile(r"(?<=\S)\([^()]*\)")
_WORDS = re.compile(r"\w(?:.*\w)?")
_ASKS = ("?", "ですか", "でしょうか", "ますか")


def statements_of(answer: str) -> list[str]:
    """The sentences that claim something, without an apology that leads them; empty for a refusal."""
    refused = refuses(answer)
    claims = (_claim(one, refused=refused) for one in sentences(answer))
    return [one for one in claims if one]


def evades(answer: str) -> bool:
    """Does the answer say nothing but that it does not know? Information with a caution is not evasion."""
    return not statements_of(answer)


def refuses(answer: str) -> bool:
    """Does the answer say somewhere that it does not know? A mere referral ("please ask HR") does not say so."""
    return any(_refuses(part) for one in sentences(answer) for part, _, _ in _parts(one))


def _claim(sentence: str, *, refused: bool) -> str:
    """What a sentence claims: its last part decides; before a refusal only a part with a figure counts."""
    if normal(sentence).rstrip("。").endswith(_ASKS):
        return ""
    parts = _parts(sentence)
    said = [part for part in parts if not _is_empty_talk(part[0], refused=refused)]
    if not parts or parts[-1] not in said:
        said = [part for part in said if any(q.unit for q in quantities(part[0]))]
    return sentence[said[0][1] : said[-1][2]].strip(" 　、,") if said else ""


@lru_cache(maxsize=1024)
def _parts(sentence: str) -> tuple[tuple[str, int, int], ...]:
    """What "but", "so" and 「が、」 join: each part as folded text, with its place in the sentence."""
    joints = [match.span() for match in _JOINT.finditer(sentence)]
    starts = (0, *(end for _, end in joints))
    ends = (*(start for start, _ in joints), len(sentence))
    parts = ((normal(sentence[start:end]), start, end) for start, end in zip(starts, ends, strict=True))
    return tuple(part for part in parts if _WORDS.search(part[0]))


def _bare(part: str) -> str:
    """Without what stands in brackets and without the marks at both ends."""
    words = _WORDS.search(_ASIDE.sub("", part))
    return words.group() if words else ""


def _is_empty_talk(part: str, *, refused: bool) -> bool:
    return _refuses(part) or bool(COURTESY.search(_bare(part))) or _refers_away(part, refused=refused)


def _refuses(part: str) -> bool:
    main = _LEADING_CLAUSE.sub("", _bare(part))
    return bool(REFUSAL.search(_TRAILING_CLAUSE.sub("", main) or main))


def _refers_away(part: str, *, refused: bool) -> bool:
    """Sends the reader to someone else, without saying for what; after a refusal every referral is one."""
    if not REFERRAL.search(part):
        return False
    return refused or bool(FOR_MORE.search(part)) or not OCCASION.search(part)
