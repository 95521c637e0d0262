"""What a metric will ask, before it asks: the words in which metrics tell `plan` (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ragjudge.suite.case import Case

STATEMENT_TOKENS = 40
"""About one statement or verdict with its reason."""


@dataclass(frozen=True, slots=True)
class Assumed:
    """What is not known before a run: contexts per case, tokens of one context, of an answer and per question."""

    contexts: int = 5
    context_tokens: int = 400
    answer_tokens: int = 200

    @property
    def all_contexts(self) -> int:
        return self.contexts * self.context_tokens

    @property
    def statements(self) -> int:
        """Statements that an answer of this length makes."""
        return max(1, self.answer_tokens // STATEMENT_TOKENS)


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """One kind of call on one case, made `times` times. `prompt` and `reply` are estimated tokens of one call.

    Calls of several metrics with the same `shared` word are one call.
    """

    prompt: int
    reply: int
    times: int = 1
    shared: str | None = None


@runtime_checkable
class Plannable(Protocol):
    """A metric that can say what it will ask about a case; nothing where it does not apply."""

    def planned(self, case: Case, assumed: Assumed) -> Sequence[PlannedCall]: ...


def estimated_tokens(text: str) -> int:
    """A rule of thumb that needs no tokenizer: four ASCII characters to a token, one of any other script."""
    plain = sum(char.isascii() for char in text)
    return plain // 4 + (len(text) - plain)


def asked_tokens(case: Case) -> int:
    """Tokens of the question as the judge reads it."""
    return sum(estimated_tokens(text) for text in [case.question, *(turn.question for turn in case.turns)])
