"""What a judge can be asked: the name of each task, its material and the schema of its reply.

A reason always stands before the verdict it leads to, so that a model thinks before it decides.
Verdicts are matched by index (from 1), never by order or by repeating the text.
"""

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
