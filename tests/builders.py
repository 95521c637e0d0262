"""Small builders, so that a test shows its case in a few lines."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from ragjudge.results.answer import (
    Answer,
    Context,
    Contexts,
    ContextSource,
    MissingContexts,
    NotAvailable,
    Retrieved,
)
from ragjudge.results.fingerprint import EmbedderIdentity, Fingerprint, JudgeIdentity
from ragjudge.results.outcome import Outcome, Scored
from ragjudge.results.run import AppIdentity, CaseResult, RunResult, Sample, SuiteIdentity
from ragjudge.suite.case import Case, Suite

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def case(
    case_id: str = "1", question: str = "有休は何日ですか。", reference: str | None = "20日です。", **more
) -> Case:
    return Case(id=case_id, question=question, reference=reference, **more)


def suite(*cases: Case, name: str = "suite.json") -> Suite:
    return Suite(name=name, cases=cases)


def contexts(*texts: str, source: ContextSource = ContextSource.RETRIEVAL_NODES) -> Contexts:
    if not texts:
        return NotAvailable(cause=MissingContexts.NO_RETRIEVAL)
    return Retrieved(
        source=source, items=tuple(Context(rank=n, content=t) for n, t in enumerate(texts, start=1))
    )


def answer(text: str = "20日です。", *passages: str, **more) -> Answer:
    return Answer(text=text, contexts=contexts(*passages), latency_s=more.pop("latency_s", 0.5), **more)


def scores(**values: float | Outcome) -> dict[str, Outcome]:
    """`scores(correctness=4)` → `{"correctness": Scored(4)}`; an outcome is taken as it is."""
    return {
        name: Scored(value=value) if isinstance(value, int | float) else value
        for name, value in values.items()
    }


def sample(attempt: str = "1", text: str = "20日です。", **values: float | Outcome) -> Sample:
    return Sample(attempt=attempt, answer=answer(text), scores=scores(**values))


def fingerprint(model: str = "judge-1", metrics: Mapping[str, str] | None = None) -> Fingerprint:
    return Fingerprint(
        judge=JudgeIdentity(provider="openai", model=model),
        embedder=EmbedderIdentity(provider="offline", model="ngrams"),
        metrics=dict(metrics or {"correctness": "1"}),
        language="ja",
    )


def run(results: Sequence[CaseResult], *, metrics: Sequence[str] = ("correctness",), **more) -> RunResult:
    defaults = {
        "tool_version": "0.0.0",
        "run_id": "run",
        "started_at": NOON,
        "finished_at": NOON,
        "suite": SuiteIdentity(name="suite.json", digest="0"),
        "app": AppIdentity(name="社内規程ボット", mode="advanced-chat", base_url="http://dify.example/v1"),
        "fingerprint": fingerprint(metrics=dict.fromkeys(metrics, "1")),
        "metrics": tuple(metrics),
        "repeats": max((len(r.samples) for r in results), default=1),
        "cases": tuple(results),
    }
    return RunResult(**{**defaults, **more})


def scored_run(values: Mapping[str, Sequence[float]], metric: str = "correctness", **more) -> RunResult:
    """`scored_run({"a": [4, 5]})` → a run whose case `a` has two samples with these values."""
    return run(
        [
            CaseResult(
                case=case(case_id, question=f"質問 {case_id}"),
                samples=tuple(sample(str(n), **{metric: v}) for n, v in enumerate(of_case, start=1)),
            )
            for case_id, of_case in values.items()
        ],
        metrics=(metric,),
        **more,
    )
