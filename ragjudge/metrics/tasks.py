"""What a judge can be asked: the name of each task, its material and the schema of its reply.

A reason always stands before the verdict it leads to, so that a model thinks before it decides.
Verdicts are matched by index (from 1), never by order or by repeating the text; `metrics.verdicts` says what is
wrong with a set of them, and stands in each task's `check`.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore")


QUESTION = "question"
"""fields: answer, variant (1..n), of (n)."""


class GeneratedQuestion(_Reply):
    """A question that the answer would answer, and whether the answer evades."""

    question: str = Field(min_length=1)
    non_committal: bool


STATEMENTS = "statements"
"""fields: question, answer."""


class Statements(_Reply):
    """The answer taken apart into claims that stand alone; empty for a refusal."""

    statements: list[str]


SUPPORT = "support"
"""fields: contexts (list), statements (list)."""


class SupportVerdict(_Reply):
    index: int = Field(ge=1)
    reason: str
    supported: bool


class Support(_Reply):
    """One verdict per statement: can it be inferred from the contexts?"""

    verdicts: list[SupportVerdict]


ATTRIBUTION = "attribution"
"""fields: question, contexts (list), sentences (list, of the reference)."""


class AttributionVerdict(_Reply):
    index: int = Field(ge=1)
    reason: str
    attributed: bool


class Attribution(_Reply):
    """One verdict per sentence of the reference: can it be attributed to the contexts?"""

    verdicts: list[AttributionVerdict]


USEFULNESS = "usefulness"
"""fields: question, reference, context (one)."""


class Usefulness(_Reply):
    """Was this context useful to arrive at the reference?"""

    reason: str
    useful: bool


GRADE = "grade"
"""fields: question, reference, answer, allow (list)."""


class Grade(_Reply):
    """Comments per viewpoint, then the 1–5 score (5: equal or better; 1: off the point or gravely wrong)."""

    accuracy: str
    coverage: str
    clarity: str
    appropriateness: str
    summary: str
    score: int = Field(ge=1, le=5)


# Economic mode: the same verdicts in fewer calls.

QUESTIONS = "questions"
"""fields: answer, of (n)."""


class GeneratedQuestions(_Reply):
    """n questions as in QUESTION, in one reply."""

    questions: list[GeneratedQuestion]


CLAIMS = "claims"
"""fields: question, contexts (list), answer."""


class ClaimVerdict(_Reply):
    index: int = Field(ge=1)
    statement: str = Field(min_length=1)
    reason: str
    supported: bool


class Claims(_Reply):
    """STATEMENTS and SUPPORT in one reply: indices count 1..m for the m claims found; empty for a refusal."""

    claims: list[ClaimVerdict]


CONTEXT_REVIEW = "context_review"
"""fields: question, contexts (list), reference, sentences (list, of the reference)."""


class UsefulnessVerdict(_Reply):
    index: int = Field(ge=1)
    reason: str
    useful: bool


class ContextReview(_Reply):
    """USEFULNESS for every context and ATTRIBUTION for every sentence, in one reply."""

    usefulness: list[UsefulnessVerdict]
    attribution: list[AttributionVerdict]


# A team's own criteria, comparison and advice.

RUBRIC = "rubric"
"""fields: metric, rubric, low, high, examples (list), question, answer, reference (or null), contexts (list)."""


class RubricGrade(_Reply):
    """A score on the team's own scale; the range is in the task's `check`, since it differs per rubric."""

    reason: str
    score: int


PAIRWISE = "pairwise"
"""fields: question, reference (or null), first, second (two answers)."""


class Preference(_Reply):
    """Which of two answers is better; "tie" where neither is."""

    reason: str
    better: Literal["first", "second", "tie"]


SUGGEST = "suggest"
"""fields: cases (list of {id, question, reference, answer, problem}), change (the DSL change in words, or "")."""


class Proposal(_Reply):
    """One concrete change to the app. `cases` are ids of the cases it should mend."""

    problem: str
    proposal: str
    cases: list[str] = []


class Proposals(_Reply):
    """At most three, most useful first; the model's own, and shown as such."""

    proposals: list[Proposal] = Field(max_length=3)
