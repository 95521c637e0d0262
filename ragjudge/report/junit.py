"""JUnit XML, as test dashboards read it: a regression is a failure, what could not be told is an error.

Follows the common subset that CI servers agree on: testsuites > testsuite > testcase with failure, error or skipped.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ragjudge.compare.decision import CaseStatus, ReasonCode, Verdict
from ragjudge.report import escape, numbers, wording
from ragjudge.report.layout import case_cells, case_table, sentences
from ragjudge.report.view.model import CaseView, MetricMark, ReportView
from ragjudge.report.wording.base import Wording

LONGEST_NAME = 120
LONGEST_TEXT = 2000
FAILURES = frozenset({CaseStatus.REGRESSED, CaseStatus.REMOVED, CaseStatus.NEWLY_SKIPPED})
UNDECIDED = frozenset(
    {
        ReasonCode.UNSCORED,
        ReasonCode.SUSPECTS_NOT_CONFIRMED,
        ReasonCode.NOTHING_EVALUATED,
        ReasonCode.NOTHING_COMPARED,
        ReasonCode.RUN_STOPPED,
        ReasonCode.WORKFLOW_CHANGED_DURING_RUN,
    }
)
"""Reasons that make a check undecidable; beside a red one they are errors, not failures."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What is wrong with a test: the element's name, a stable word, one line, and the whole story."""

    kind: Literal["failure", "error", "skipped"]
    type: str
    message: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Test:
    name: str
    classname: str
    time: float
    outcome: _Outcome | None = None
    output: str = ""
    file: str = ""
    line: int | None = None
    of: tuple[str, str] = ("", "")
    """What it is about: `metric` or `case`, and its name."""


def render(view: ReportView) -> str:
    """The whole file. Valid XML whatever the texts hold."""
    words = wording.of(view.language)
    metrics, cases = tuple(_metrics(view, words)), tuple(_cases(view, words))
    shown = {test.of for test in (*metrics, *cases) if test.outcome and test.outcome.kind != "skipped"}
    tests = [*_reasons(view, words, shown), *metrics, *cases]
    counts = _counts(tests)
    suite = {"name": escape.cut(view.suite or "ragjudge", LONGEST_NAME), **counts}
    if view.judged is not None:
        suite["timestamp"] = view.judged.started_at.strftime("%Y-%m-%dT%H:%M:%S")
    body = "".join(_testcase(test) for test in tests)
    inside = _element("testsuite", suite, f"\n{body}")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + _element(
        "testsuites", {"name": "ragjudge", **counts}, f"\n{inside}"
    )


def _counts(tests: list[_Test]) -> dict[str, str]:
    kinds = [test.outcome.kind for test in tests if test.outcome]
    return {
        "tests": str(len(tests)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")),
        "time": f"{sum(test.time for test in tests):.3f}",
    }


def _reasons(view: ReportView, words: Wording, shown: Collection[tuple[str, str]]) -> Iterator[_Test]:
    """One test per reason that no metric and no case shows: the file is never green where the check is not."""
    if view.verdict not in {Verdict.FAILED, Verdict.INCONCLUSIVE}:
        return
    for reason in view.reasons:
        about = {("case", case_id) for case_id in reason.cases} or {("metric", reason.metric or "")}
        if about.isdisjoint(shown):
            red = view.verdict is Verdict.FAILED and reason.code not in UNDECIDED
            says = sentences.of_reason(reason, view, words)
            outcome = _Outcome("failure" if red else "error", reason.code.value, says.what, says.todo)
            name = f"{reason.code}: {reason.metric}" if reason.metric else reason.code.value
            yield _Test(escape.cut(name, LONGEST_NAME), f"{view.suite}.verdict", 0.0, outcome)


def _metrics(view: ReportView, words: Wording) -> Iterator[_Test]:
    """One test per metric: its mean may fall without any single case being to blame."""
    for metric in view.metrics:
        outcome = None
        if metric.mark in {MetricMark.REGRESSED, MetricMark.BELOW_MINIMUM}:
            says = [
                sentences.of_reason(reason, view, words).what
                for reason in view.reasons
                if reason.metric == metric.name
            ]
            change = numbers.change_of_mean(metric.name, metric.change)
            message = says[0] if says else f"{words.metric(metric.name)} {change}"
            outcome = _Outcome("failure", metric.mark.value, message)
        yield _Test(
            name=f"{words.headings.metrics}: {words.metric(metric.name)}",
            classname=f"{view.suite}.metrics",
            time=0.0,
            outcome=outcome,
            of=("metric", metric.name),
        )


def _cases(view: ReportView, words: Wording) -> Iterator[_Test]:
    for case in view.cases:
        name = case.id if case.question is None else f"{case.id}: {case.question}"
        source = case.source
        yield _Test(
            name=escape.cut(name, LONGEST_NAME),
            classname=f"{view.suite}.{case.category}" if case.category else view.suite,
            time=case.latency_s or 0.0,
            outcome=_outcome(case, words),
            output=_scores(case, words),
            file=source.file if source else "",
            line=source.line if source else None,
            of=("case", case.id),
        )


def _outcome(case: CaseView, words: Wording) -> _Outcome | None:
    if case.status in FAILURES:
        title = _title(case, words)
        return _Outcome("failure", str(case.status), title, _story(case, words))
    causes = case_table.causes_of(case)
    if causes:
        cause = next(iter(causes))
        says = words.causes[cause]
        return _Outcome("error", cause.value, says.what, "\n".join([says.todo, *causes.values()]))
    if case.status is CaseStatus.SUSPECT:
        return _Outcome("error", "suspect", _title(case, words), _story(case, words))
    if case.skipped is not None:
        return _Outcome("skipped", "skipped", case.skipped)
    return None


def _title(case: CaseView, words: Wording) -> str:
    if case.status is None:
        return ""
    status = words.statuses[case.status].name
    metric = case_cells.worst_metric(case)
    if metric is None:
        return status
    return f"{status}: {words.metric(metric)} {case_cells.before_to_now(metric, case.scores[metric], words)}"


def _story(case: CaseView, words: Wording) -> str:
    labels = words.labels
    texts = {
        labels.question: case.question,
        labels.reference: case.reference,
        labels.answer: case.answer,
        labels.answer_before: case.answer_before,
        labels.summary: case.summary,
        **{words.viewpoints.get(name, name): comment for name, comment in case.comments.items()},
        labels.contexts: words.phrases.list_comma.join(case.contexts),
    }
    return "\n".join(
        f"{label}: {escape.visible(text)[:LONGEST_TEXT]}" for label, text in texts.items() if text
    )


def _scores(case: CaseView, words: Wording) -> str:
    return "\n".join(
        f"{words.metric(name)}: {case_cells.before_to_now(name, score, words)}"
        for name, score in case.scores.items()
        if score.after is not None
    )


def _testcase(test: _Test) -> str:
    attributes = {"name": test.name, "classname": test.classname, "time": f"{test.time:.3f}"}
    if test.file:
        attributes["file"] = test.file
    if test.line is not None:
        attributes["line"] = str(test.line)
    inside = ""
    if test.outcome is not None:
        said = {"type": test.outcome.type, "message": test.outcome.message}
        inside += _element(test.outcome.kind, said, escape.xml(test.outcome.text))
    if test.output:
        inside += _element("system-out", {}, escape.xml(test.output))
    return _element("testcase", attributes, inside)


def _element(name: str, attributes: Mapping[str, str], inside: str) -> str:
    """`inside` is finished XML; attributes are plain text, kept on one line as parsers would do anyway."""
    given = "".join(f' {key}="{escape.xml(escape.one_line(value))}"' for key, value in attributes.items())
    return f"<{name}{given}>{inside}</{name}>\n" if inside else f"<{name}{given}/>\n"
