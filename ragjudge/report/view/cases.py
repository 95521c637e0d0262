"""One case as a report shows it: the sample worth looking at, its scores, and what was there before."""

from collections.abc import Iterable
from dataclasses import replace

from ragjudge.compare.decision import CaseComparison, CaseStatus
from ragjudge.metric_specs import CORRECTNESS, NEEDS_IMPROVEMENT, VIEWPOINTS
from ragjudge.report.view.model import CaseView, ScoreView
from ragjudge.results.answer import Answer, NotAvailable, Retrieved
from ragjudge.results.outcome import NotApplicable, Scored, Unscored
from ragjudge.results.run import CaseResult, Sample
from ragjudge.suite.case import WITHHELD, Case


def shown(
    result: CaseResult,
    *,
    metrics: Iterable[str],
    compared: CaseComparison | None,
    before: CaseResult | None,
) -> CaseView:
    """A case of this run. `before` is the same case in the baseline, None where its answer is not kept."""
    worst = _worst(result.samples)
    grade = worst.scores.get(CORRECTNESS.name) if worst else None
    comments = grade.comments if isinstance(grade, Scored) else {}
    mean = result.mean(CORRECTNESS.name)
    view = CaseView(
        id=result.case.id,
        status=compared.status if compared else None,
        scores={name: _score(result, name, compared) for name in metrics},
        comments={name: comments[name] for name in VIEWPOINTS if comments.get(name)},
        summary=comments.get("summary", "") or (grade.reason if isinstance(grade, Scored) else ""),
        accepted_reason=compared.accepted_reason if compared else None,
        needs_improvement=mean is not None and mean <= NEEDS_IMPROVEMENT,
        answer_before=_answer_text(before),
    )
    return _with_answer(_with_case(view, result.case), worst)


def gone(case_id: str, status: CaseStatus, case: Case | None) -> CaseView:
    """A case that this run does not have; `case` as the baseline knew it."""
    view = CaseView(id=case_id, status=status)
    return _with_case(view, case) if case else view


def without_texts(case: CaseView, *, fields: frozenset[str]) -> CaseView:
    """The case without anything that the app, the judge or the tester wrote; of the team's fields those named."""
    return replace(
        case,
        question=None,
        reference=None,
        answer=None,
        answer_before=None,
        comments={},
        summary="",
        contexts=(),
        failure_detail="",
        skipped=None if case.skipped is None else WITHHELD,
        fields={name: value for name, value in case.fields.items() if name in fields},
        scores={name: replace(score, reason="", detail="") for name, score in case.scores.items()},
    )


def _with_case(view: CaseView, case: Case) -> CaseView:
    return replace(
        view,
        question=case.question,
        reference=case.reference,
        category=case.category,
        fields=case.fields,
        tags=case.tags,
        skipped=case.skip,
        source=case.source,
    )


def _with_answer(view: CaseView, sample: Sample | None) -> CaseView:
    if sample is None:
        return view
    if sample.failure is not None:
        view = replace(view, failure=sample.failure.cause, failure_detail=sample.failure.detail)
    answer = sample.answer
    if answer is None:
        return view
    missing = answer.contexts.cause if isinstance(answer.contexts, NotAvailable) else None
    return replace(
        view,
        answer=answer.text,
        latency_s=answer.latency_s,
        contexts=_titles(answer),
        missing_contexts=missing,
    )


def _worst(samples: tuple[Sample, ...]) -> Sample | None:
    """The sample a person should look at: the lowest correctness, else the first with an answer."""

    def rank(sample: Sample) -> tuple[int, float]:
        grade = sample.scores.get(CORRECTNESS.name)
        if isinstance(grade, Scored):
            return (0, grade.value)
        return (1, 0.0) if sample.answer is not None else (2, 0.0)

    return min(samples, key=rank, default=None)


def _score(result: CaseResult, metric: str, compared: CaseComparison | None) -> ScoreView:
    entry = compared.metrics.get(metric) if compared else None
    view = ScoreView()
    if entry is not None:
        view = ScoreView(status=entry.status, before=entry.before, change=entry.change, fresh=entry.fresh)
    outcomes = [sample.scores[metric] for sample in result.samples if metric in sample.scores]
    scored = sorted((o for o in outcomes if isinstance(o, Scored)), key=lambda o: o.value)
    unscored = next((o for o in outcomes if isinstance(o, Unscored)), None)
    silent = next((o for o in outcomes if isinstance(o, NotApplicable)), None)
    if unscored is not None:
        view = replace(view, unscored=unscored.cause, detail=unscored.detail)
    if scored:
        return replace(view, after=result.mean(metric), reason=scored[0].reason)
    if silent is not None and unscored is None:
        return replace(view, inapplicable=silent.reason, detail=silent.detail)
    return view


def _answer_text(before: CaseResult | None) -> str | None:
    samples = before.samples if before else ()
    return next((s.answer.text for s in samples if s.answer is not None), None)


def _titles(answer: Answer) -> tuple[str, ...]:
    if not isinstance(answer.contexts, Retrieved):
        return ()
    names = (c.document_name or c.title or c.dataset_name for c in answer.contexts.items)
    return tuple(dict.fromkeys(name for name in names if name))
