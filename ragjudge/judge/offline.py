"""The judge without a model: compares wording, numbers and negation. Deterministic, free, and honest about it.

It sees no meaning: another wording may look unsupported to it, and a fluent falsehood in the text's own words may
pass. bench/offline measures how far it can be trusted.
"""

from collections.abc import Callable, Mapping, Sequence

from pydantic import JsonValue

from ragjudge.errors import JudgeCouldNotScore
from ragjudge.judge import lexical, offline_words
from ragjudge.judge.evasion import evades, statements_of
from ragjudge.judge.offline_context import attributed, useful
from ragjudge.judge.offline_grade import grade
from ragjudge.judge.offline_questions import question_of
from ragjudge.language import Language, Text
from ragjudge.metrics import tasks
from ragjudge.ports import JudgeReply, JudgeTask, R
from ragjudge.results.fingerprint import JudgeIdentity
from ragjudge.results.outcome import Cause

Fields = Mapping[str, JsonValue]
VERSION = "lexical-2"
"""Bumped when the same material would be judged otherwise."""


class OfflineJudge:
    """Answers every task of metrics.tasks that wording can answer.

    `spoken` is the language of what it says for people, where that is not the task's; questions are made in the task's.
    """

    def __init__(self, spoken: Language | None = None) -> None:
        self._spoken = spoken

    @property
    def identity(self) -> JudgeIdentity:
        return JudgeIdentity(provider="offline", model=VERSION)

    async def probe(self) -> None:
        return None

    async def ask(self, task: JudgeTask[R]) -> JudgeReply[R]:
        answer = _ANSWERS.get(task.name)
        if answer is None:
            raise JudgeCouldNotScore(
                Text(
                    f"The offline judge can't do this task: {task.name}. It needs a model.",
                    f"オフラインの評価では、この種類の評価({task.name})はできません。評価用モデルが必要です。",
                ),
                cause=Cause.JUDGE_ERROR,
            )
        language = task.language if task.name in _IN_THE_SUITES_WORDS else self._spoken or task.language
        return JudgeReply(task.reply.model_validate(answer(task.fields, language)))

    async def close(self) -> None:
        return None


def _text(fields: Fields, name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _texts(fields: Fields, name: str) -> list[str]:
    value = fields.get(name)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _number(fields: Fields, name: str) -> int:
    value = fields.get(name)
    return value if isinstance(value, int) else 1


def _question(fields: Fields, language: Language) -> dict[str, object]:
    answer = _text(fields, "answer")
    return {
        "question": question_of(answer, _number(fields, "variant"), language),
        "non_committal": evades(answer),
    }


def _questions(fields: Fields, language: Language) -> dict[str, object]:
    variants = range(1, _number(fields, "of") + 1)
    return {"questions": [_question({**fields, "variant": variant}, language) for variant in variants]}


def _statements(fields: Fields, _language: Language) -> dict[str, object]:
    return {"statements": statements_of(_text(fields, "answer"))}


def _support(fields: Fields, language: Language) -> dict[str, object]:
    return {
        "verdicts": _supported(_texts(fields, "statements"), _texts(fields, "contexts"), language),
    }


def _supported(
    statements: Sequence[str], contexts: Sequence[str], language: Language
) -> list[dict[str, object]]:
    found = [lexical.support(statement, contexts) for statement in statements]
    return [
        {"index": n, "reason": offline_words.of_support(one, language), "supported": one.supported}
        for n, one in enumerate(found, 1)
    ]


def _claims(fields: Fields, language: Language) -> dict[str, object]:
    statements = statements_of(_text(fields, "answer"))
    verdicts = _supported(statements, _texts(fields, "contexts"), language)
    return {"claims": [{"statement": one, **v} for one, v in zip(statements, verdicts, strict=True)]}


def _attribution(fields: Fields, language: Language) -> dict[str, object]:
    contexts, question = _texts(fields, "contexts"), _text(fields, "question")
    found = [attributed(sentence, question, contexts) for sentence in _texts(fields, "sentences")]
    return {
        "verdicts": [
            {"index": n, "reason": offline_words.of_support(one.found, language), "attributed": one.holds}
            for n, one in enumerate(found, 1)
        ]
    }


def _usefulness(fields: Fields, language: Language) -> dict[str, object]:
    found = useful(_text(fields, "question"), _text(fields, "reference"), _text(fields, "context"))
    return {"reason": offline_words.of_support(found.found, language), "useful": found.holds}


def _context_review(fields: Fields, language: Language) -> dict[str, object]:
    usefulness = [
        {"index": n, **_usefulness({**fields, "context": context}, language)}
        for n, context in enumerate(_texts(fields, "contexts"), 1)
    ]
    return {"usefulness": usefulness, "attribution": _attribution(fields, language)["verdicts"]}


def _grade(fields: Fields, language: Language) -> dict[str, object]:
    made = grade(_text(fields, "question"), _text(fields, "reference"), _text(fields, "answer"), language)
    return made.model_dump()


def _preference(fields: Fields, language: Language) -> dict[str, object]:
    """Whichever says more of the reference; without one, wording can't tell."""
    reference, question = _text(fields, "reference"), _text(fields, "question")
    first, second = (
        grade(question, reference, _text(fields, name), language).score for name in ("first", "second")
    )
    if not reference or first == second:
        return {
            "reason": Text("No difference in wording.", "語句の一致に差がありません。").in_language(language),
            "better": "tie",
        }
    reason = Text(
        f"Graded {first} and {second} by wording.", f"語句の一致による採点は{first}点と{second}点です。"
    )
    return {"reason": reason.in_language(language), "better": "first" if first > second else "second"}


def _no_proposals(_fields: Fields, _language: Language) -> dict[str, object]:
    """Wording proposes nothing."""
    return {"proposals": []}


_IN_THE_SUITES_WORDS = frozenset({tasks.QUESTION, tasks.QUESTIONS})
"""Replies that are compared with the suite's text."""

_ANSWERS: Mapping[str, Callable[[Fields, Language], dict[str, object]]] = {
    tasks.QUESTION: _question,
    tasks.QUESTIONS: _questions,
    tasks.STATEMENTS: _statements,
    tasks.SUPPORT: _support,
    tasks.CLAIMS: _claims,
    tasks.ATTRIBUTION: _attribution,
    tasks.USEFULNESS: _usefulness,
    tasks.CONTEXT_REVIEW: _context_review,
    tasks.GRADE: _grade,
    tasks.PAIRWISE: _preference,
    tasks.SUGGEST: _no_proposals,
}
