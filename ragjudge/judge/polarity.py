"""Who says yes where another says no: negation, and words with an opposite. Pure."""

import re
from functools import lru_cache
from itertools import takewhile

from ragjudge.judge.text import is_content, normal, pieces, stem, stems

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
    r"|not only|cannot help|no problem|\b(?:no|without) (?:delay|doubt|exception|fail|question)\b"
)
_NEGATIVE = re.compile(
    r"ません(?!か)|ない(?!で?しょう)|なかっ|なく(?:て|とも|なり|[、,\s]|$)|なし(?!の場合)|無し"
    r"|(?:せ|でき|わ|ら|か|ま|さ|た)ず(?:に|[、,\s]|$)|不要|不可|不能|不足|未(?=[\u3400-\u9fff])|非(?=[\u3400-\u9fff])|禁止|厳禁|無効|対象外"
    r"|不(?:許可|合格|採用|参加|適|十分)|お断り|ご遠慮|(?:お|差し)控え|(?<=[いきげけしせちてみりれ])かね(?:ます|る)"
    r"|\b(?:not|no|never|none|neither|nor|cannot|unnecessary|unable|forbidden|prohibited|nobody)\b|n't\b"
    r"|\bun(?:available|paid|limited|supported|confirmed|related|likely)\b"
)
_LEFT_OUT_JA = re.compile(r"([\u30a1-\u30faー\u3400-\u9fff々]{1,12})(?:以外(?!に?も)|を除[きくい])")
_LEFT_OUT_EN = re.compile(
    r"\b(?:without|except(?: for| in)?|other than|excluding|unless(?: it is| in)?) (?:(?:an?|the|any) )?"
    r"((?:[a-z'-]+ ){0,2}[a-z'-]+)|\b([a-z]+)-free\b"
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
        (r"午前(?!\s*\d)|\bmorning\b", r"午後(?!\s*\d)|\b(?:afternoon|evening)\b"),
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

    A mere name ("木製の活字") affirms nothing, so nothing denies it. What one leaves out ("without approval",
    「社員以外」) and the other names counts as a negation between them.
    """
    if _is_name(statement):
        return False
    between = _leaves_out(statement, passage) + _leaves_out(passage, statement)
    return (negations(statement) + negations(passage) + between) % 2 == 1


def _leaves_out(text: str, other: str) -> bool:
    """Does a text leave out something that the other one names and does not leave out?"""
    named = stems(other) | frozenset(pieces(other))
    return any(
        not words.isdisjoint(named) and not any(words & others for others in _left_out(other))
        for words in _left_out(text)
    )


@lru_cache(maxsize=4096)
def _left_out(text: str) -> tuple[frozenset[str], ...]:
    """The words of each thing that a text leaves out."""
    plain = _NOT_NEGATIVE.sub(" ", normal(text))
    japanese = [frozenset(match.groups()) for match in _LEFT_OUT_JA.finditer(plain)]
    english = (_noun(match[1] or match[2]) for match in _LEFT_OUT_EN.finditer(plain))
    return (*japanese, *(words for words in english if words))


def _noun(words: str) -> frozenset[str]:
    """The content words up to the first word of grammar: "approval" of "approval you may buy"."""
    return frozenset(stem(word) for word in takewhile(is_content, words.replace("-", " ").split()))


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
