"""A raw case as a Case, or everything that is wrong with it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pydantic import JsonValue

from ragjudge.errors import Place, Problem
from ragjudge.language import Text
from ragjudge.suite import parts, values
from ragjudge.suite.case import Case, Checks, Source
from ragjudge.suite.columns import Columns, in_yaml, normal_title
from ragjudge.suite.raw import RawCase, RawField, RawValue
from ragjudge.suite.values import BadValue

T = TypeVar("T")
_LONGEST_ID = 40


@dataclass(slots=True)
class _Sorted:
    """A raw case's values by what they mean."""

    known: dict[str, RawField] = field(default_factory=dict)
    inputs: dict[str, RawField] = field(default_factory=dict)
    team: dict[str, RawField] = field(default_factory=dict)
    twice: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A case as far as it can be read: where it is not sound, what else is wrong with it can still be looked for."""

    case: Case
    sound: bool


def build(raw: RawCase, columns: Columns, problems: list[Problem]) -> Case | None:
    """The case, or None after its faults were added to `problems`."""
    drafted = draft(raw, columns, problems)
    return drafted.case if drafted.sound else None


def draft(raw: RawCase, columns: Columns, problems: list[Problem]) -> Draft:
    """The case; its faults are added to `problems`, by its id where it has one."""
    before = len(problems)
    given = _sort(raw, columns, problems)
    own = len(problems)
    reading = _Reading(given, raw.place, problems)
    question = reading.get("question", values.text)
    if question is None and not reading.failed("question"):
        problems.append(_without_question(given, raw.place, columns))
    content: dict[str, Any] = {
        "question": question or "",
        "reference": reading.get("reference", values.text),
        "inputs": reading.inputs(),
        "category": reading.get("category", values.text),
        "tags": reading.get("tags", lambda v: values.texts(v, split=True)) or (),
        "fields": reading.team(),
        "turns": reading.get("turns", lambda v: parts.turns(v, columns)) or (),
        "reference_contexts": reading.get("reference_contexts", lambda v: values.texts(v, split=False)) or (),
        "files": reading.get("files", lambda v: values.texts(v, split=True)) or (),
        "checks": reading.checks(),
        "metrics": reading.get("metrics", lambda v: values.texts(v, split=True)) or None,
        "skip": reading.get("skip", values.skip),
    }
    case_id = reading.get("id", values.identity)
    sound = len(problems) == before and not given.twice
    if case_id:
        problems[own:] = [_named(problem, case_id) for problem in problems[own:]]
    case = Case(id=case_id or "", source=_source(raw.place), **content)
    return Draft(case if case_id else case.model_copy(update={"id": case.question_digest}), sound)


def _named(problem: Problem, case_id: str) -> Problem:
    what, shown = problem.what, case_id[:_LONGEST_ID]
    return replace(problem, what=Text(f"Case {shown}: {what.en}", f"ケース {shown}: {what.ja}"))


def _without_question(given: _Sorted, place: Place, columns: Columns) -> Problem:
    what = Text("The question is missing or empty.", "質問がないか、空です。")
    if "question" in given.known:
        return Problem(what, given.known["question"].place)
    meant = columns.meant_as_question(list(given.team))
    if meant is None:
        return Problem(what, place)
    entry = f"columns: {{{in_yaml(meant)}: question}}"
    return Problem(
        what,
        given.team[meant].place,
        Text(
            f"Is {meant!r} meant? Name it `question`, or write `{entry}` in ragjudge.yml.",
            f"「{meant}」が質問であれば、名前を question に直すか、ragjudge.yml に「{entry}」と書いてください。",
        ),
    )


def _source(place: Place) -> Source:
    return Source(file=place.file, line=place.line, sheet=place.sheet, cell=place.cell)


def _sort(raw: RawCase, columns: Columns, problems: list[Problem]) -> _Sorted:
    """Every value into its field; two for one field are an error, for nobody can tell which one counts."""
    given = _Sorted()
    for item in raw.fields:
        name = columns.field(item.title)
        if name is None:
            holder, key = given.team, item.title
        elif name.startswith("inputs."):
            holder, key = given.inputs, name.removeprefix("inputs.")
        else:
            holder, key = given.known, name
        if key in holder:
            twice = _twice(key, holder[key], item)
            # Once per file is enough: the columns of all its cases are alike.
            if not any(
                p.what == twice.what and p.place and p.place.file == item.place.file for p in problems
            ):
                problems.append(twice)
            given.twice = True
        else:
            holder[key] = item
    return given


def _twice(name: str, first: RawField, second: RawField) -> Problem:
    entry = f"columns: {{{in_yaml(second.title)}: field}}"
    cure = Text(
        f"Remove or rename one, or keep one as your own column in ragjudge.yml: `{entry}`.",
        f"どちらかを削除するか名前を変えてください。残したい場合は ragjudge.yml に「{entry}」と書くと、"
        "独自の列として扱います。",
    )
    if normal_title(first.title) == normal_title(second.title):
        # An entry in `columns:` would mean both.
        cure = Text(
            "Rename one of the two columns, or remove it.",
            "どちらかの列の見出しを変えるか、列を削除してください。",
        )
    return Problem(
        Text(
            f"Two columns give {name!r}: {first.title!r} and {second.title!r}.",
            f"「{name}」にあたる列が2つあります: 「{first.title}」と「{second.title}」。",
        ),
        second.place,
        cure,
    )


def _several(name: str, value: RawValue) -> RawValue:
    """A column of keywords holds several, separated by commas or line breaks; a pattern or a number stays one."""
    if name not in _KEYWORD_COLUMNS or not isinstance(value, str):
        return value
    try:
        return list(values.texts(value, split=True))
    except BadValue:
        return [value]  # refused by parts.checks, which knows the part's name


_KEYWORD_COLUMNS = frozenset({"checks.contains", "checks.not_contains", "checks.cites"})


class _Reading:
    """Takes values out one by one and collects what is wrong with each."""

    def __init__(self, given: _Sorted, place: Place, problems: list[Problem]) -> None:
        self._given = given
        self._place = place
        self._problems = problems
        self._failed: set[str] = set()

    def get(self, name: str, convert: Callable[[RawValue], T]) -> T | None:
        item = self._given.known.get(name)
        return None if item is None else self._converted(item, convert, name)

    def failed(self, name: str) -> bool:
        return name in self._failed

    def inputs(self) -> dict[str, JsonValue]:
        whole = self.get("inputs", lambda v: values.json_value(values.mapping(v)))
        found: dict[str, JsonValue] = dict(whole) if isinstance(whole, dict) else {}
        for name, item in self._given.inputs.items():
            value = self._converted(item, values.json_value, f"inputs.{name}")
            if value is not None:
                found[name] = value
        return found

    def team(self) -> dict[str, str]:
        found = {}
        for title, item in self._given.team.items():
            value = self._converted(item, values.plain_text, title)
            if value is not None:
                found[self._title(title, item)] = value
        return found

    def _title(self, title: str, item: RawField) -> str:
        return self._converted(item, lambda _: values.clean(title), title) or "?"

    def checks(self) -> Checks:
        """`checks` and single columns such as `contains` joined."""
        whole = self.get("checks", values.mapping) or {}
        items = [item for name, item in self._given.known.items() if name.startswith("checks")]
        if not items:
            return Checks()

        def joined(_: RawValue) -> Checks:
            single = {
                name.removeprefix("checks."): _several(name, item.value)
                for name, item in self._given.known.items()
                if name.startswith("checks.")
            }
            return parts.checks(whole | single)

        return self._converted(items[0], joined, "checks") or Checks()

    def _converted(self, item: RawField, convert: Callable[[RawValue], T], name: str) -> T | None:
        try:
            return convert(item.value)
        except BadValue as bad:
            self._failed.add(name)
            self._problems += [self._told(item, name, one) for one in bad.each]
            return None

    def _told(self, item: RawField, name: str, bad: BadValue) -> Problem:
        """With the column that the wrong part stands in, where it has one of its own."""
        meant = name + bad.part
        item = self._given.known.get(meant, item)
        said = meant if item.title in (meant, name, meant.rpartition(".")[2]) else f"{item.title}: {meant}"
        return Problem(Text(f"{said} {bad.what.en}.", f"{said} {bad.what.ja}。"), item.place, bad.cure)
