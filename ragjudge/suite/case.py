"""One test case: a question for the app, and what a good answer holds."""

import hashlib
import json
import unicodedata

from pydantic import BaseModel, ConfigDict, JsonValue

from ragjudge.language import Text

WITHHELD = "…"
"""Stands for the reason of a skip where texts are left out."""


class Checks(BaseModel):
    """Checks that need no judge. All are case-sensitive on the text as a reader sees it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    contains: tuple[str, ...] = ()
    not_contains: tuple[str, ...] = ()
    regex: tuple[str, ...] = ()
    max_latency_s: float | None = None
    cites: tuple[str, ...] = ()
    """Names of documents that must be among the retrieved contexts."""
    json_schema: dict[str, JsonValue] | None = None
    """The whole answer is JSON that fits this schema (the keywords of suite.json_shape)."""


class Turn(BaseModel):
    """One further question in the same conversation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    reference: str | None = None
    files: tuple[str, ...] = ()
    checks: Checks = Checks()


class Source(BaseModel):
    """Where a case stands in the user's files (line and cell from 1), for annotations and error messages."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    line: int | None = None
    sheet: str | None = None
    cell: str | None = None


class Digests(BaseModel):
    """What a case without its texts still tells: whether another one is the same."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    asked: str
    plainly: str | None
    """Of the question without its typography; None where nothing else is in it."""
    expected: str
    checks: str


class Case(BaseModel):
    """A question, its ideal answer (`reference`), the app's inputs, and the team's own fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    question: str
    reference: str | None = None
    inputs: dict[str, JsonValue] = {}
    category: str | None = None
    tags: tuple[str, ...] = ()
    fields: dict[str, str] = {}
    """Columns that mean nothing to ragjudge: kept, shown, groupable, usable in `app.inputs` templates."""
    turns: tuple[Turn, ...] = ()
    """Further turns after `question`; empty for the usual single-turn case."""
    reference_contexts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    checks: Checks = Checks()
    metrics: tuple[str, ...] | None = None
    """A subset of the configured metrics for this case; None: all of them."""
    skip: str | None = None
    """Why this case is not run; None: it is run."""
    source: Source | None = None
    conversation: str | None = None
    """With `app.judge_turns: every`: the id of the case whose conversation this case is a part (or the whole) of."""
    digests: Digests | None = None
    """In stored results whose texts were left out (`without_texts`); never in a suite."""

    @property
    def is_earlier_turn(self) -> bool:
        """Its questions are asked by another case, too, as a part of the same conversation."""
        return self.conversation not in (None, self.id)

    @property
    def question_digest(self) -> str:
        """Identity of what is asked."""
        if self.digests is not None:
            return self.digests.asked
        return _digest(self.asked)

    @property
    def asked(self) -> dict[str, object]:
        """Question, inputs, files and further turns (not the references)."""
        return {
            "question": self.question,
            "inputs": self.inputs,
            "files": list(self.files),
            "turns": [[turn.question, list(turn.files)] for turn in self.turns],
        }

    def asks_as(self, other: "Case") -> bool:
        """The same is asked: everything is equal but for typography (width, punctuation, spaces)."""
        # Ten thousand cases are paired in each check, and nearly all of them are equal to the letter.
        if self.digests is None and other.digests is None and repr(self.asked) == repr(other.asked):
            return True
        if self.question_digest == other.question_digest:
            return True
        return self.plain_digest is not None and self.plain_digest == other.plain_digest

    @property
    def plain_digest(self) -> str | None:
        """`question_digest` but for typography; None where a question is nothing else."""
        if self.digests is not None:
            return self.digests.plainly
        plainly = _plainly(self)
        return plainly.question_digest if plainly.question else None

    @property
    def reference_digest(self) -> str:
        """Identity of what is expected."""
        if self.digests is not None:
            return self.digests.expected
        return _digest(self.expectations)

    @property
    def expectations(self) -> list[object]:
        """References of all turns, and reference contexts."""
        return [self.reference, [turn.reference for turn in self.turns], list(self.reference_contexts)]

    def expects_as(self, other: "Case") -> bool:
        """The same is expected, to the letter."""
        if self.digests is None and other.digests is None:
            return self.expectations == other.expectations
        return self.reference_digest == other.reference_digest

    @property
    def expected(self) -> str | None:
        """The ideal answer to its last question; None where there is none or it holds no letter or digit."""
        found = self.turns[-1].reference if self.turns else self.reference
        return found if found is not None and any(char.isalnum() for char in found) else None

    def with_references_of(self, other: "Case") -> "Case":
        """The same questions (`asks_as`), judged by another's references."""
        turns = tuple(
            mine.model_copy(update={"reference": theirs.reference})
            for mine, theirs in zip(self.turns, other.turns, strict=True)
        )
        update = {
            "reference": other.reference,
            "reference_contexts": other.reference_contexts,
            "turns": turns,
        }
        return self.model_copy(update=update)

    @property
    def checks_digest(self) -> str:
        """Identity of what is checked."""
        if self.digests is not None:
            return self.digests.checks
        return _digest([checks.model_dump(mode="json") for checks in self.all_checks])

    @property
    def all_checks(self) -> list[Checks]:
        """Its own, and those of each further turn."""
        return [self.checks, *(turn.checks for turn in self.turns)]

    def checks_as(self, other: "Case") -> bool:
        """The same is checked, also in each further turn."""
        if self.digests is None and other.digests is None:
            mine, theirs = self.all_checks, other.all_checks
            return [c.model_dump_json() for c in mine] == [c.model_dump_json() for c in theirs]
        return self.checks_digest == other.checks_digest

    def without_texts(self) -> "Case":
        """Only what it is called and sorted under is left; it pairs and compares with other cases as before."""
        digests = self.digests or Digests(
            asked=self.question_digest,
            plainly=self.plain_digest,
            expected=self.reference_digest,
            checks=self.checks_digest,
        )
        return Case(
            id=self.id,
            question=f"sha256:{digests.asked}",
            category=self.category,
            tags=self.tags,
            metrics=self.metrics,
            skip=None if self.skip is None else WITHHELD,
            source=self.source,
            conversation=self.conversation,
            digests=digests,
        )


class Suite(BaseModel):
    """All cases of a run, in the order of the files."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    """What the user wrote as `suite:`; one comment and one baseline per name."""
    cases: tuple[Case, ...]
    notes: tuple[Text, ...] = ()
    """What a reader saw and a person should know (the encoding found, hidden rows left out)."""
    part_of: tuple[Case, ...] = ()
    """Where only some cases were selected: all that there are."""

    def __repr__(self) -> str:
        """Short, as `RunResult`'s."""
        return f"Suite(name={self.name!r}, cases={len(self.cases)})"

    @property
    def whole(self) -> tuple[Case, ...]:
        """All cases, also those that were not selected: judge and metrics are chosen by these, for every part alike."""
        return self.part_of or self.cases

    @property
    def digest(self) -> str:
        """Identity of all that can change what is asked or how it is judged; not of where a case stands."""
        return _digest([case.model_dump(mode="json", exclude={"source", "digests"}) for case in self.cases])


_TYPOGRAPHY = frozenset("、。,.!?…・:;「」『』()[]【】〈〉《》“”‘’\"'`~〜-‐‑–—―−")
"""What may come and go without changing a question. Signs with a meaning of their own (%, /, #, +) are none of it."""
_OF_FIGURES = frozenset("-−.")


def plain(text: str) -> str:
    """A question without its typography: `円は？` and `円は ?` are one. What belongs to a figure stays: 1.5, -3."""
    normal = unicodedata.normalize("NFKC", text)
    around = zip(("", *normal), normal, (*normal[1:], ""), strict=False)
    return "".join(
        char
        for before, char, after in around
        if not (char.isspace() or char in _TYPOGRAPHY)
        or (after.isdecimal() and (before.isdecimal() or char in _OF_FIGURES))
    )


def _plainly(case: Case) -> Case:
    turns = tuple(turn.model_copy(update={"question": plain(turn.question)}) for turn in case.turns)
    return case.model_copy(update={"question": plain(case.question), "turns": turns})


def _digest(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
