"""Writes an answer from retrieved passages by quoting their best sentences, under the rules of a prompt.

It stands in for the language model: like one it sees nothing but the prompt, the passages and the question, and
like one it changes its ways when the prompt changes. Rules that it understands, anywhere in the prompt:

- `2文以内` / `at most 2 sentences`: how much to say (default: 1);
- `所属: 支店` together with `所属に当てはまる`: only passages for that audience, or for everybody, count;
- `規程にないときは「…」と答える` / `otherwise answer "…"`: what to say when nothing fits. Without such a rule it
  quotes the nearest passage, however far.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ragjudge.demo.corpus import Passage
from ragjudge.demo.words import is_japanese, sentences, terms

_HOW_MANY = re.compile(r"(\d+)\s*文以内|at most (\d+) sentences?")
_AUDIENCE = re.compile(r"所属\s*[：:]\s*([^\s。、]+)")
_AUDIENCE_RULE = "所属に当てはまる"
_REFUSALS = (re.compile(r"「([^」]+)」と(?:答|回答|お答)"), re.compile(r'answer "([^"]+)"'))
_NEAR_ENOUGH = 0.12
"""Share of the question's weight that the best sentence and its heading must hold, or nothing fits."""
_KNOWS_NOTHING = ("わかりません。", "I do not know.")


@dataclass(frozen=True, slots=True)
class Rules:
    """What a prompt asks for. `refusals`: the wording in (Japanese, English); None: the prompt has no such rule."""

    sentences: int = 1
    audience: str | None = None
    refusals: tuple[str, str] | None = None


def read_rules(prompt: str) -> Rules:
    """The rules of a prompt whose variables are filled in already."""
    how_many = _HOW_MANY.search(prompt)
    audience = _AUDIENCE.search(prompt) if _AUDIENCE_RULE in prompt else None
    said = [pattern.search(prompt) for pattern in _REFUSALS]
    refusals = tuple(
        found.group(1) if found else default for found, default in zip(said, _KNOWS_NOTHING, strict=True)
    )
    return Rules(
        sentences=max(1, int(how_many.group(1) or how_many.group(2))) if how_many else 1,
        audience=audience.group(1) if audience else None,
        refusals=(refusals[0], refusals[1]) if any(said) else None,
    )


def answer(
    question: str, passages: Sequence[Passage], *, rules: Rules, weight: Callable[[str], float]
) -> str:
    """The sentence that shares most with the question, and those that follow it, from the passages that count.

    `weight` tells how rare a term is. `passages` are best first: of two equal sentences the earlier one wins.
    """
    asked = set(terms(question))
    total = sum(weight(term) for term in asked)
    best: tuple[float, list[str]] | None = None
    for rank, passage in enumerate(_that_count(passages, rules.audience)):
        quotable = sentences(passage.prose)
        heading = set(terms(passage.title))
        for place, sentence in enumerate(quotable):
            share = _share(asked, heading, sentence, weight) / (total or 1.0)
            share /= 1 + 0.1 * rank
            if best is None or share > best[0]:
                best = (share, quotable[place : place + rules.sentences])
    if best is not None and (best[0] >= _NEAR_ENOUGH or rules.refusals is None):
        return ("" if is_japanese(best[1][0]) else " ").join(best[1])
    refusals = rules.refusals or _KNOWS_NOTHING
    return refusals[0] if is_japanese(question) else refusals[1]


def _that_count(passages: Sequence[Passage], audience: str | None) -> list[Passage]:
    if audience is None:
        return list(passages)
    return [p for p in passages if p.audience is None or audience in p.audience]


def _share(asked: set[str], heading: set[str], sentence: str, weight: Callable[[str], float]) -> float:
    """Weight of the question's terms in a sentence (long ones damped), half of it for those in the heading."""
    said = set(terms(sentence))
    own = sum(weight(term) for term in asked & said) / math.sqrt(max(1.0, len(said) / 60))
    return own + 0.5 * sum(weight(term) for term in (asked & heading) - said)


def estimate_tokens(value: str) -> int:
    """About what a tokenizer would count: a token per Japanese character, one per four others; at least 1."""
    wide = sum(1 for char in value if ord(char) > 0x2E7F)
    return max(1, wide + math.ceil((len(value) - wide) / 4))
