"""`ragjudge suite import`: what an app and its users already know becomes test cases.

A person's annotation and a liked answer are references; a disliked answer is none, but its question is worth asking.
Nothing personal is taken along unless asked for: no user names, no remarks, no free text of a form.
"""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ragjudge.dify.form import Form
from ragjudge.dify.records import Message, Records
from ragjudge.dify.thinking import without_thinking
from ragjudge.errors import Problem, SuiteFault
from ragjudge.language import Text
from ragjudge.suite.case import Case, Suite, Turn
from ragjudge.suite.columns import Columns
from ragjudge.suite.csv_reader import csv_trouble, rows_of
from ragjudge.suite.decoding import decode
from ragjudge.suite.raw import Unreadable

_RESULTS = frozenset(
    {
        "completion result",
        "completion_result",
        "result",
        "output",
        "生成結果",
        "完成結果",
        "結果",
        "结果",
        "生成结果",
    }
)
"""Titles of the answer's column in the result of a batch run, in the console's languages."""


@dataclass(frozen=True, slots=True)
class Merge:
    """What an import would change. `known` are left as they are: their ids or their questions exist already."""

    new: tuple[Case, ...]
    known: tuple[str, ...]

    def describe(self) -> Text:
        return Text(
            f"{len(self.new)} new cases, {len(self.known)} known already (left as they are).",
            f"新しいケース {len(self.new)}件、既存のケース {len(self.known)}件(変更しません)",
        )


@dataclass(frozen=True, slots=True)
class Privacy:
    """What may be taken along of a real conversation.

    `closed` names the variables whose values come from a list, a tick or a number: they say nothing about a person.
    """

    include_user: bool = False
    closed: frozenset[str] = frozenset()

    @classmethod
    def by_form(cls, form: Form, *, include_user: bool) -> "Privacy":
        kinds = ("select", "checkbox", "number")
        return cls(include_user, frozenset(v.name for v in form.variables if v.kind in kinds))

    def inputs(self, inputs: Mapping[str, object]) -> dict[str, JsonValue]:
        return {
            name: value
            for name, value in inputs.items()
            if isinstance(value, str | int | float | bool) and (self.include_user or name in self.closed)
        }

    def fields(self, user: str, remark: str) -> dict[str, str]:
        told = {"user": user, "feedback": remark} if self.include_user else {}
        return {name: text for name, text in told.items() if text}


@dataclass(frozen=True, slots=True)
class _Told:
    """Who had a conversation, and what was remarked about its messages, by message."""

    user: str
    remarks: Mapping[str, str]


async def from_annotations(records: Records) -> tuple[Case, ...]:
    """Every annotation: its question, and the person's answer as the reference."""
    return tuple(
        [
            Case(
                id=_id("annotation", found.id),
                question=found.question,
                reference=found.answer,
                tags=("annotation",),
            )
            async for found in records.annotations()
            if found.question.strip() and found.answer.strip()
        ]
    )


async def from_users(records: Records, users: Iterable[str], privacy: Privacy) -> tuple[Case, ...]:
    """Rated messages of the named users' conversations."""
    cases: list[Case] = []
    for user in dict.fromkeys(users):
        names = [name async for name in records.conversations(user)]
        for conversation in names:
            cases += _rated(await records.messages(conversation, user), _Told(user, {}), privacy)
    return tuple(cases)


async def from_feedback(records: Records, privacy: Privacy) -> tuple[Case, ...]:
    """Every message that anybody rated, found by the app's own list of feedback."""
    remarks: dict[str, str] = {}
    places: dict[tuple[str, str], None] = {}
    async for found in records.feedbacks():
        if found.end_user and found.conversation:
            remarks[found.message] = found.content
            places[found.conversation, found.end_user] = None
    cases: list[Case] = []
    names: dict[str, str] = {}
    for conversation, end_user in places:
        if end_user not in names:
            names[end_user] = await records.user_name(end_user)
        if user := names[end_user]:
            cases += _rated(await records.messages(conversation, user), _Told(user, remarks), privacy)
    return tuple(cases)


def _rated(messages: Sequence[Message], told: _Told, privacy: Privacy) -> list[Case]:
    """One case per rated message; what was said before it becomes the turns that lead to it."""
    return [
        _case_of(messages[: at + 1], told, privacy)
        for at, message in enumerate(messages)
        if message.rating in ("like", "dislike") and message.query.strip()
    ]


def _case_of(messages: Sequence[Message], told: _Told, privacy: Privacy) -> Case:
    first, last = messages[0], messages[-1]
    liked = last.rating == "like"
    reference = (without_thinking(last.answer).strip() or None) if liked else None
    return Case(
        id=_id("message", last.id),
        question=first.query,
        reference=reference if first is last else None,
        inputs=privacy.inputs(first.inputs),
        tags=("liked" if liked else "disliked",),
        fields=privacy.fields(told.user, told.remarks.get(last.id, "")),
        turns=tuple(
            Turn(question=m.query, reference=reference if m is last else None)
            for m in messages[1:]
            if m.query.strip()
        ),
    )


def from_batch_run(
    data: bytes, file: str, columns: Columns, *, variables: Mapping[str, str] | None = None
) -> tuple[Case, ...]:
    """The result of a batch run in Dify's web app: one column is the answer, the others are the inputs.

    The answer's column is known by its title, else it is the last one. `variables` maps a column's title (the
    variable's label) to the variable's name. Raises SuiteFault.
    """
    titles, rows = _table(data, file)
    answer = next((title for title in titles if title.casefold() in _RESULTS), titles[-1])
    question = next((t for t in titles if t != answer and columns.field(t) == "question"), titles[0])
    names = variables or {}
    cases = []
    for row in rows:
        cells = dict(zip(titles, (cell.strip() for cell in row), strict=False))
        if not cells.get(question):
            continue
        inputs: dict[str, JsonValue] = {names.get(t, t): v for t, v in cells.items() if t != answer and v}
        case = Case(
            id="",
            question=cells[question],
            reference=cells.get(answer) or None,
            inputs=inputs,
            tags=("batch-run",),
        )
        cases.append(case.model_copy(update={"id": _id("batch", case.question_digest)}))
    return tuple(cases)


def _table(data: bytes, file: str) -> tuple[list[str], list[list[str]]]:
    try:
        text = decode(data, file).text
        rows = [row for row in rows_of(text) if any(cell.strip() for cell in row)]
    except Unreadable as error:
        raise _unreadable(file, error.what) from error
    except csv.Error as error:
        raise _unreadable(file, csv_trouble(error)) from error
    titles = [title.strip() for title in rows[0]] if rows else []
    if len(titles) < 2:
        raise _unreadable(file, Text("it needs at least two columns", "2列以上が必要です"))
    return titles, rows[1:]


def merge(existing: Suite | None, found: Iterable[Case]) -> Merge:
    """Only what is new: no id and no question (with its inputs) that the suite has, and none twice."""
    ids = {case.id for case in existing.cases} if existing else set()
    asked = {case.question_digest for case in existing.cases} if existing else set()
    new: list[Case] = []
    known: list[str] = []
    for case in found:
        if case.id in ids or case.question_digest in asked:
            known.append(case.id)
            continue
        ids.add(case.id)
        asked.add(case.question_digest)
        new.append(case)
    return Merge(tuple(new), tuple(known))


def as_json(cases: Iterable[Case]) -> str:
    """A suite file: a JSON array of the cases, without what is empty."""
    entries = [
        {**entry.pop("fields", {}), **entry}
        for case in cases
        if (entry := case.model_dump(mode="json", exclude_defaults=True, exclude={"source"}))
    ]
    ordered = [{"id": e.pop("id"), "question": e.pop("question"), **e} for e in entries]
    return json.dumps(ordered, ensure_ascii=False, indent=2) + "\n"


def _id(kind: str, name: str) -> str:
    return f"{kind}-{name}"


def _unreadable(file: str, why: Text) -> SuiteFault:
    return SuiteFault(
        [
            Problem(
                Text(
                    f"{file} is no result of a batch run: {why.en}.",
                    f"{file} はバッチ実行の結果として読めません: {why.ja}。",
                )
            )
        ]
    )
