"""Is a context useful for the ideal answer, and where does a sentence of it come from? By wording. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from ragjudge.judge import lexical
from ragjudge.judge.lexical import Support
from ragjudge.metrics.sentences import sentences

_ENOUGH = 0.66
_NEWS_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Judged:
    """`holds` is the verdict, `found` the support it rests on."""

    holds: bool
    found: Support


def useful(question: str, reference: str, context: str) -> Judged:
    """A context is useful if it says the news of one of the reference's sentences and speaks of the question."""
    best: tuple[float, Support] = (-1.0, Support(0.0, ""))
    for sentence in sentences(reference) or [reference]:
        score, found = _usefulness(sentence, question, context)
        if score > best[0]:
            best = score, found
    return Judged(best[0] >= _ENOUGH, best[1])


def _usefulness(sentence: str, question: str, context: str) -> tuple[float, Support]:
    found = lexical.support(sentence, [context])
    news = _news(sentence, question, context, found)
    topic = lexical.coverage(question, context)
    score = _NEWS_SHARE * news + (1 - _NEWS_SHARE) * topic
    return score, Support(score, found.passage, found.missing_numbers)


def _news(sentence: str, question: str, context: str, found: Support) -> float:
    """How much of what the sentence adds to the question the context says; numbers must be there."""
    if found.missing_numbers:
        return 0.0
    share = lexical.share(lexical.news(sentence, question), context)
    return found.coverage if share is None else share


def attributed(sentence: str, question: str, contexts: Sequence[str]) -> Judged:
    """A sentence of the reference comes from the contexts if one supports it, or is useful for it to the same end."""
    found = lexical.support(sentence, contexts)
    if found.supported or not contexts:
        return Judged(found.supported, found)
    score, best = max(
        (_usefulness(sentence, question, context) for context in contexts), key=lambda one: one[0]
    )
    denied = found.contradicted and found.coverage >= lexical.SUPPORTED
    return Judged(score >= _ENOUGH and not denied, found if denied else best)
