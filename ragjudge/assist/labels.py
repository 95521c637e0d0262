"""People's scores of an earlier run, read from whatever a team keeps its questions in."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ragjudge.errors import LabelsFault, Place, Problem
from ragjudge.language import Text, why_not
from ragjudge.metric_specs import MetricSpec
from ragjudge.report import wording
from ragjudge.results.run import RunResult
from ragjudge.suite import loading, locating
from ragjudge.suite.columns import FIELDS, Columns, normal_title
from ragjudge.suite.locating import SuiteFile
from ragjudge.suite.raw import Bare, RawCase, RawField, RawValue, Unreadable
from ragjudge.suite.values import BadValue, identity

_IDS = {normal_title(title) for title in ("id", *FIELDS["id"])}
_METRIC = {normal_title(title) for title in ("metric", "指標", "評価指標")}
_SCORE = {
    normal_title(title)
    for title in ("score", "human", "human_score", "label", "点数", "評点", "人の点数", "採点")
}
_MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Label:
    """A person's score of one case on one metric, on the metric's own scale."""

    case_id: str
    metric: str
    value: float


def read(path: Path, run: RunResult, specs: Mapping[str, MetricSpec]) -> tuple[Label, ...]:
    """All labels of a file. Two shapes: a column per metric, or the columns `metric` and `score`.

    Rows are matched by id, so the file must have an id column. Empty cells are no labels. Raises LabelsFault with
    every problem at once.
    """
    rows = _rows(path)
    reader = _Reader(run, specs)
    labels = [label for row in rows for label in reader.of_row(row)]
    if not labels and not reader.problems:
        names = ", ".join(specs)
        what = Text(f"No score was found (metrics: {names}).", f"点数が見つかりません(指標: {names})。")
        cure = Text(
            "Name a column after a metric, or write the columns metric and score.",
            "列の見出しを指標名にするか、「指標」と「点数」の列を用意してください。",
        )
        reader.problems.append(Problem(what, Place(path.name), cure))
    if reader.problems:
        raise LabelsFault(reader.problems[:_MOST_PROBLEMS])
    return tuple(labels)


def _rows(path: Path) -> Sequence[RawCase]:
    # The suite's readers find a table by its question column; in a table of labels the id takes that place.
    columns = Columns(dict.fromkeys(("id", *FIELDS["id"]), "question"))
    found = locating.find([str(path)], Path(), [])
    file = replace(found[0], shown=path.name) if len(found) == 1 else SuiteFile(path, path.name)
    try:
        reading = loading.read_bytes(file.path.read_bytes(), file, columns)
    except OSError as error:
        what = Text(
            f"The file cannot be read ({error.strerror}).", f"ファイルを読めません({why_not(error).ja})。"
        )
        raise LabelsFault([Problem(what, Place(path.name))]) from None
    except Unreadable as fault:
        raise LabelsFault([fault.problem(path.name)]) from None
    if reading.problems:
        raise LabelsFault(list(reading.problems))
    return reading.cases


class _Reader:
    """Turns rows into labels and keeps what is wrong with them."""

    def __init__(self, run: RunResult, specs: Mapping[str, MetricSpec]) -> None:
        self.problems: list[Problem] = []
        self._specs = specs
        self._cases = {case.case.id for case in run.cases}
        self._seen: dict[tuple[str, str], Place] = {}
        self._names = {
            normal_title(title): name
            for name in specs
            for title in (name, *(wording.of(language).metrics.get(name, name) for language in ("ja", "en")))
        }

    def of_row(self, row: RawCase) -> Iterator[Label]:
        case_id = self._case_id(row)
        if case_id is None:
            return
        for metric, field in self._scores(row):
            value = self._value(metric, field)
            before = self._seen.setdefault((case_id, metric), field.place)
            if value is None:
                continue
            if before is not field.place:
                what = f"{case_id}, {metric}"
                self._fault(
                    Text(f"{what}: scored twice ({before}).", f"{what}: 点数が重複しています({before})。"),
                    field,
                )
                continue
            yield Label(case_id, metric, value)

    def _case_id(self, row: RawCase) -> str | None:
        field = next((f for f in row.fields if normal_title(f.title) in _IDS), None)
        try:
            case_id = identity(field.value) if field else None
        except BadValue as bad:
            self.problems.append(Problem(bad.what, row.place, bad.cure))
            return None
        if case_id is None:
            self.problems.append(Problem(Text("The row has no id.", "idがありません。"), row.place))
            return None
        if case_id not in self._cases:
            what = Text(f"The run has no case {case_id}.", f"実行結果にケース {case_id} がありません。")
            self.problems.append(Problem(what, row.place))
            return None
        return case_id

    def _scores(self, row: RawCase) -> Iterator[tuple[str, RawField]]:
        by_title = {normal_title(field.title): field for field in row.fields if field.value not in (None, "")}
        for title, field in by_title.items():
            if title in self._names:
                yield self._names[title], field
        metric = next((by_title[title] for title in by_title if title in _METRIC), None)
        score = next((by_title[title] for title in by_title if title in _SCORE), None)
        if metric is None or score is None:
            return
        name = self._names.get(normal_title(str(metric.value)))
        if name is None:
            what = Text(f"Unknown metric: {metric.value}", f"指標 {metric.value} は存在しません。")
            self._fault(what, metric)
            return
        yield name, score

    def _value(self, metric: str, field: RawField) -> float | None:
        spec = self._specs[metric]
        value = _number(field.value)
        if value is None or not spec.low <= value <= spec.high:
            shown = field.value.text if isinstance(field.value, Bare) else field.value
            what = Text(
                f"{metric}: {shown} is no score from {spec.low:g} to {spec.high:g}.",
                f"{metric}: 「{shown}」は{spec.low:g}〜{spec.high:g}の点数ではありません。",
            )
            self._fault(what, field)
            return None
        return value

    def _fault(self, what: Text, field: RawField) -> None:
        self.problems.append(Problem(what, field.place))


def _number(value: RawValue) -> float | None:
    if isinstance(value, Bare):
        value = value.text
    if not isinstance(value, str):
        return None
    try:
        number = float(value.strip())  # takes full-width digits as well
    except ValueError:
        return None
    return number if math.isfinite(number) else None
