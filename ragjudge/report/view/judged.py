"""What was judged and what it cost."""

from collections import Counter
from collections.abc import Iterator

from ragjudge.report.view.model import CostView, JudgedView
from ragjudge.results.answer import Answer, Retrieved
from ragjudge.results.outcome import Scored
from ragjudge.results.run import RunResult, Sample
from ragjudge.results.usage import Usage

REPAIRED = ("repaired", "coerced")
"""Beginnings of the notes that tell of a judge's reply that had to be mended."""


def identity(run: RunResult) -> JudgedView:
    answers = list(_answers(run))
    found = Counter(a.contexts.source for a in answers if isinstance(a.contexts, Retrieved))
    missing = Counter(a.contexts.cause for a in answers if not isinstance(a.contexts, Retrieved))
    versions = (run.app.server_version, *(a.server_version for a in answers))
    return JudgedView(
        app_name=run.app.name,
        app_mode=run.app.mode,
        server_version=next((v for v in versions if v), None),
        workflow_ids=run.workflow_ids,
        context_sources=dict(found.most_common()),
        missing_contexts=dict(missing.most_common()),
        judge=run.fingerprint.judge,
        embedder=run.fingerprint.embedder,
        language=run.fingerprint.language,
        mode=run.fingerprint.mode,
        repeats=run.repeats,
        commit=run.commit,
        tool_version=run.tool_version,
        run_id=run.run_id,
        started_at=run.started_at,
    )


def cost(run: RunResult, *, with_nodes: bool = True) -> CostView:
    """`with_nodes`: titles of the app's nodes may be shown."""
    asks = [s.answer.asks if s.answer else s.failure.asks if s.failure else 1 for s in _samples(run)]
    notes = [o.notes for s in _samples(run) for o in s.scores.values() if isinstance(o, Scored)]
    return CostView(
        app=run.app_usage,
        judge=run.judge_usage,
        took_s=(run.finished_at - run.started_at).total_seconds(),
        asked_again=sum(ask - 1 for ask in asks if ask > 1),
        repaired=sum(any(note.startswith(REPAIRED) for note in found) for found in notes),
        nodes=_nodes(run) if with_nodes else {},
        metrics=_metrics(run),
    )


def _nodes(run: RunResult) -> dict[str, Usage]:
    found: dict[str, Usage] = {}
    for sample in _samples(run):
        for used in sample.answer.node_usage if sample.answer else ():
            name = f"{used.node} ({used.model})" if used.model else used.node
            found[name] = found.get(name, Usage()) + used.usage
    return found


def _metrics(run: RunResult) -> dict[str, Usage]:
    found = {name: Usage() for name in run.metrics}
    for sample in _samples(run):
        for name, outcome in sample.scores.items():
            if name in found:
                found[name] = found[name] + outcome.usage
    return {name: usage for name, usage in found.items() if usage.calls}


def _samples(run: RunResult) -> Iterator[Sample]:
    for case in run.cases:
        yield from case.samples
        yield from case.confirmations


def _answers(run: RunResult) -> Iterator[Answer]:
    for case in run.cases:
        for sample in case.samples:
            if sample.answer is not None:
                yield sample.answer
