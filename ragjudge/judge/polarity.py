"""Who says yes where another says no: negation, and words with an opposite. Pure."""

import re
from functools import lru_cache

from ragjudge.judge.text import normal

_SAID_OTHERWISE = (
    (re.compile(r"\bno(?:t)? (?:more|longer|higher) than\b|\bnot exceed(?:ing)?\b"), "at most"),
    (re.compile(r"\bno(?:t)? (?:less|fewer|lower) than\b"), "at least"),
    (re.compile(r"\bno(?:t)? later than\b"), "until"),
    (re.compile(r"\bneed not\b|\bneedn't\b"), "need not"),
    (re.compile(r"\bnobody but\b|\bno one but\b|\bnothing but\b"), "only"),
)
_NOT_NEGATIVE = re.compile(
    r"(なければ|なくては|ないと)(なら(ない|ず|ぬ|なかった)|なりません|いけ(ない|ません))"
    r"|ないわけにはいか(ない|ません)|かもしれ(ない|ません)|に(違い|ちがい)(ない|ありません)|(に|しか)過ぎ(ない|ません)"
    r"|(で|の)は?(ない|ありません)(だろう|でしょう)?か|ないかと|だけでは?なく|のみなら?ず|限らず|かかわらず|関わらず|問わず|変わらず|少なからず|必ず|まず|はず|少なく|少ない|危な|ざるを得(ない|ません)"
    r"|not only|cannot help|no doubt|no problem"
)
_NEGATIVE = re.compile(
    r"ません(?!か)|ない(?!で?しょう)|なかっ|なく(?:て|とも|なり|[、,\s]|$)|なし(?!の場合)|無し"
    r"|(?:せ|でき|わ|ら|か|ま|さ|た)ず(?:に|[、,\s]|$)|不要|不可|不能|不足|未(?=[\u3400-\u9fff])|非(?=[\u3400-\u9fff])|禁止|無効|対象外"
    r"|\b(?:not|no|never|none|neither|nor|cannot|unnecessary|unable|forbidden|prohibited)\b|n't\b"
    r"|\bun(?:available|paid|limited|supported|confirmed|related|likely)\b"
)
_LONGEST_NAME = 40
_PREDICATE = re.compile(
    r"[。.!?]|(?:です|ます|した|する|れる|ある|いる|だ|できる|必要|可能|不要)$|\b(?:is|are|was|were|must|may|can|should|will|do|does|yes)\b"
)
_NUMBER = r"(?=\s*(?:\W\s*)?\d)"
_OPPOSITES = tuple(
    (re.compile(one), re.compile(other))
    for one, other in (
        (r"以上|を超え|超の", r"以下|未満|以内"),
        (
            rf"more than|at least|(?:over|above){_NUMBER}",
            rf"less than|at most|up to|(?:under|below){_NUMBER}",
        ),
        (r"以前|より前|\bbefore\b", r"以降|より後|\bafter\b"),
        (r"午前|\ba\.m\.|\bmorning\b", r"午後|\bp\.m\.|\b(?:afternoon|evening)\b"),
        (r"有料|\bcharged\b", r"無料|free of charge|\bfor free\b"),
        (r"増加|増え|引き上げ|\bincreas|\braise", r"減少|減り|引き下げ|\bdecreas|\blower"),
        (r"開始|始ま|\bstart|\bbegin", r"終了|終わ|\bend(?:s|ed)?\b|\bfinish"),
        (r"許可|認め|\b(?:allowed|permitted)\b", r"禁止|\b(?:forbidden|prohibited)\b"),
        (r"含[むみめま]|\binclud", r"除[くきい外]|\bexclud"),
        (r"男性|男の|\bm[ae]n\b", r"女性|女の|\bwom[ae]n\b"),
        (r"左|\bleft\b", r"右|\bright\b"),
        (r"上限|最大|最高", r"下限|最小|最低"),
        (r"国内|\bdomestic\b", r"海外|国外|\b(?:overseas|abroad)\b"),
        (r"\bweekdays?\b|平日", r"\bweekends?\b|週末|土日|休日"),
    )
)


@lru_cache(maxsize=4096)
def negations(text: str) -> int:
    """How many negations a text holds; forms that look negative but are not ("なければならない") don't count."""
    return len(_NEGATIVE.findall(_NOT_NEGATIVE.sub(" ", plainly(text))))


def turned(statement: str, passage: str) -> bool:
    """Does one of the two deny what the other says? To be asked of two texts about the same thing.

    A mere name ("木製の活字") affirms nothing, so nothing denies it.
    """
    if _is_name(statement):
        return False
    return negations(statement) % 2 != negations(passage) % 2


def _is_name(text: str) -> bool:
    """A short piece without a verb's ending and without a negation of its own."""
    plain = normal(text)
    return len(plain) <= _LONGEST_NAME and not _PREDICATE.search(plain) and not _NEGATIVE.search(plain)


def opposite(statement: str, passage: str) -> tuple[str, str] | None:
    """A word of the statement whose opposite stands in the passage instead."""
    said, given = plainly(statement), plainly(passage)
    for sides in _OPPOSITES:
        for ours, theirs in (sides, sides[::-1]):
            mine, other = ours.search(said), theirs.search(given)
            if mine and other and not ours.search(given) and not theirs.search(said):
                return mine.group(), other.group()
    return None


@lru_cache(maxsize=4096)
def plainly(text: str) -> str:
    """The text with bounds said one way: "no more than" is "at most"."""
    plain = normal(text)
    for pattern, words in _SAID_OTHERWISE:
        plain = pattern.sub(words, plain)
    return plain
