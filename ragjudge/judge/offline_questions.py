"""A question that an answer would answer, made of the answer's own words. Pure."""

import re

from ragjudge.judge.evasion import statements_of
from ragjudge.judge.text import terms
from ragjudge.language import Language, Text
from ragjudge.metrics.sentences import sentences

_POLITE_END = re.compile(
    r"(?:となって(?:い|おり)ます|されて(?:い|おり)ます|(?:で|と)ございます|になります|となります|必要があります|ことができます|(?:して|て|で)ください|でした|ました|です|ます|だ|である|る)?[。.!！]*$"
)
_LONGEST = 120


def question_of(answer: str, variant: int, language: Language) -> str:
    """`variant` (from 1) takes the sentences that say most, one after the other."""
    said = statements_of(answer) or sentences(answer) or [answer.strip() or "?"]
    ranked = sorted(said, key=lambda one: -sum(term.weight for term in terms(one)))
    chosen = ranked[(variant - 1) % len(ranked)]
    core = _POLITE_END.sub("", chosen.strip())[:_LONGEST] or chosen
    asked = Text(f"What about this: {core}?", f"{core}について教えてください。")
    return asked.in_language(language)
