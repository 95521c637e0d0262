"""A question that an answer would answer, made of the answer's own words. Pure."""

import re

from ragjudge.judge.evasion import statements_of
from ragjudge.judge.quantities import quantities
from ragjudge.judge.text import terms
from ragjudge.language import Language, Text
from ragjudge.metrics.sentences import sentences

_POLITE_END = re.compile(
    r"(?:となって(?:い|おり)ます|されて(?:い|おり)ます|(?:で|と)ございます|になります|となります|必要があります|ことができます"
    r"|(?:して|て|で)ください|でした|ました|です|ます|だ|である|る)?[。.!！]*$"
)
_JAPANESE = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")
_LONGEST = 120
_ASKS_FOR = {
    "yen": Text("How much is it: {core}?", "{core}はいくらですか?"),
    "dollar": Text("How much is it: {core}?", "{core}はいくらですか?"),
    "person": Text("How many people: {core}?", "{core}は何人ですか?"),
    "percent": Text("What percentage: {core}?", "{core}は何パーセントですか?"),
    "hour": Text("At what time: {core}?", "{core}は何時ですか?"),
    "business day": Text("Within how many days: {core}?", "{core}は何日ですか?"),
    "day": Text("By when: {core}?", "{core}はいつまでですか?"),
    "month": Text("When: {core}?", "{core}はいつですか?"),
    "time": Text("How often: {core}?", "{core}は何回ですか?"),
}
"""By the unit of the last number in the sentence: what the question asks for."""
_PLAIN = Text("What about this: {core}?", "{core}について教えてください。")


def question_of(answer: str, variant: int, language: Language) -> str:
    """`variant` (from 1) takes the sentences that say most, one after the other.

    The question is in the answer's own language, as a model's would be.
    """
    said = statements_of(answer) or sentences(answer) or [answer.strip() or "?"]
    ranked = sorted(said, key=lambda one: -sum(term.weight for term in terms(one)))
    chosen = ranked[(variant - 1) % len(ranked)]
    core = _POLITE_END.sub("", chosen.strip())[:_LONGEST] or chosen
    unit = next((q.unit for q in reversed(quantities(chosen)) if q.unit in _ASKS_FOR), "")
    japanese = bool(_JAPANESE.search(chosen)) or (language == "ja" and not chosen.isascii())
    return _ASKS_FOR.get(unit, _PLAIN).in_language("ja" if japanese else "en").format(core=core)
