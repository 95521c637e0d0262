"""Runs of a fictitious company's rules bot, told in both languages, for goldens, pictures and tests."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import fsum
from statistics import pstdev

from ragjudge.compare.decision import (
    CaseComparison,
    CaseStatus,
    Decision,
    MetricComparison,
    MetricOnCase,
    Reason,
    ReasonCode,
    Verdict,
)
from ragjudge.dsl.change import Change
from ragjudge.dsl.word_diff import word_diff
from ragjudge.errors import Place
from ragjudge.language import Language, Text
from ragjudge.metric_specs import BUILT_IN
from ragjudge.report import view
from ragjudge.results.answer import Answer, Context, ContextSource, MissingContexts, NotAvailable, Retrieved
from ragjudge.results.baseline import Baseline, HistoryEntry
from ragjudge.results.fingerprint import EmbedderIdentity, Fingerprint, JudgeIdentity
from ragjudge.results.outcome import Cause, Inapplicable, NotApplicable, Outcome, Scored, Unscored
from ragjudge.results.run import AppFailure, AppIdentity, CaseResult, RunResult, Sample, SuiteIdentity
from ragjudge.results.usage import Usage
from ragjudge.settings import ReportSettings
from ragjudge.suite.case import Case, Source
from tests.unit.report.story_texts import GONE, TEXTS, Told

METRICS = ("correctness", "faithfulness", "answer_relevancy", "context_recall", "context_precision")
STARTED = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Story:
    """Everything that goes into one report."""

    run: RunResult | None
    before: RunResult | None
    decision: Decision
    language: Language
    notices: tuple[Text, ...] = ()
    extras: view.Extras = field(default_factory=view.Extras)

    def view(self, **report) -> view.ReportView:
        settings = ReportSettings(language=self.language, **report)
        return view.build(
            self.run,
            self.before,
            self.decision,
            report=settings,
            notices=self.notices,
            extras=self.extras,
        )


def told(language: Language) -> Sequence[Told]:
    return TEXTS[language]


def case_of(story: Told, line: int) -> Case:
    return Case(
        id=story.id,
        question=story.question,
        reference=story.reference,
        category=story.category,
        fields={"entity": story.entity},
        source=Source(file="tests/rag/rules.json", line=line),
    )


def answer_of(text: str, documents: Iterable[str], **more) -> Answer:
    items = tuple(
        Context(rank=n, content=f"{name} …", document_name=name) for n, name in enumerate(documents, start=1)
    )
    contexts = (
        Retrieved(source=ContextSource.RETRIEVAL_NODES, items=items)
        if items
        else NotAvailable(cause=MissingContexts.NOTHING_RETRIEVED)
    )
    given = {"latency_s": 2.4, "workflow_id": "6f1c2a9e-0b7d-4a53-9c1e-2d8f5b7a4e10", **more}
    return Answer(text=text, contexts=contexts, **given)


def scores_of(values: Sequence[float], comments: dict[str, str], reason: str) -> dict[str, Outcome]:
    scores: dict[str, Outcome] = {
        name: Scored(value=value) for name, value in zip(METRICS, values, strict=True)
    }
    scores["correctness"] = Scored(value=values[0], comments=comments)
    scores["faithfulness"] = Scored(value=values[1], reason=reason)
    return scores


def result_of(story: Told, line: int, *, now: bool) -> CaseResult:
    text = story.now if now else story.before
    values = story.scores_now if now else story.scores_before
    documents = story.documents_now if now else story.documents
    sample = Sample(
        attempt="1",
        answer=answer_of(text, documents),
        scores=scores_of(values, story.comments, story.reason),
    )
    confirmations = tuple(
        Sample(
            attempt=f"confirm-{n}",
            answer=answer_of(text, documents),
            scores={"correctness": Scored(value=value)},
        )
        for n, value in enumerate(story.fresh if now else (), start=1)
    )
    return CaseResult(case=case_of(story, line), samples=(sample,), confirmations=confirmations)


def run_of(cases: Sequence[CaseResult], language: Language, **more) -> RunResult:
    given = {
        "tool_version": "0.1.0",
        "run_id": "20261130-090000-7c1f",
        "started_at": STARTED,
        "finished_at": STARTED + timedelta(seconds=72.4),
        "suite": SuiteIdentity(name="tests/rag/rules.json", digest="9b1c"),
        "app": AppIdentity(
            name="社内規程ボット" if language == "ja" else "Company rules bot",
            mode="advanced-chat",
            base_url="https://dify.example.co.jp/v1",
            server_version="1.9.2",
        ),
        "fingerprint": Fingerprint(
            judge=JudgeIdentity(provider="openai", model="judge-large", parameters={"temperature": "0"}),
            embedder=EmbedderIdentity(provider="openai", model="embed-small"),
            metrics=dict.fromkeys(METRICS, "1"),
            language=language,
        ),
        "metrics": METRICS,
        "repeats": 1,
        "cases": tuple(cases),
        "app_usage": Usage(
            calls=14, prompt_tokens=21_480, completion_tokens=3_120, price=Decimal("0.0184"), currency="USD"
        ),
        "judge_usage": Usage(calls=131, prompt_tokens=98_310, completion_tokens=15_902),
        "commit": "4be1d9c0f2a7",
    }
    return RunResult(**{**given, **more})


def before_of(language: Language) -> RunResult:
    cases = [result_of(t, 2 + 8 * n, now=False) for n, t in enumerate(told(language))]
    return run_of(cases, language, commit="a90b77e1c3d4")


def after_of(language: Language) -> RunResult:
    return run_of([result_of(t, 2 + 8 * n, now=True) for n, t in enumerate(told(language))], language)


def compared(
    before: RunResult, after: RunResult, status_of: Callable[[str], CaseStatus | None]
) -> tuple[CaseComparison, ...]:
    """Each pair with its changes; statuses as given, else by the sign of the correctness change."""
    found = []
    for result in after.cases:
        then = before.case(result.case.id)
        metrics = {}
        for name in after.metrics:
            old, new = (then.mean(name) if then else None), result.mean(name)
            fresh = tuple(s.scores[name].value for s in result.confirmations if name in s.scores)
            metrics[name] = MetricOnCase(status=_plain(old, new), before=old, after=new, fresh=fresh)
        status = status_of(result.case.id) or metrics["correctness"].status
        if status not in {m.status for m in metrics.values()} and "correctness" in metrics:
            metrics["correctness"] = metrics["correctness"].model_copy(update={"status": status})
        found.append(CaseComparison(case_id=result.case.id, status=status, metrics=metrics))
    return tuple(found)


def _plain(old: float | None, new: float | None) -> CaseStatus:
    if old is None or new is None:
        return CaseStatus.UNSCORED if old is not None else CaseStatus.NEW
    if new == old:
        return CaseStatus.SAME
    return CaseStatus.WORSE if new < old else CaseStatus.BETTER


def means(before: RunResult | None, after: RunResult, **flags) -> tuple[MetricComparison, ...]:
    found = []
    for name in after.metrics:
        pairs = []
        for result in after.cases:
            then = before.case(result.case.id) if before else None
            old, new = (then.mean(name) if then else None), result.mean(name)
            if old is not None and new is not None:
                pairs.append((old, new))
        values = [m for c in after.cases if (m := c.mean(name)) is not None]
        unscored = sum(bool(c.unscored(name)) for c in after.cases)
        old_mean = fsum(p[0] for p in pairs) / len(pairs) if pairs else None
        new_mean = fsum(p[1] for p in pairs) / len(pairs) if pairs else None
        found.append(
            MetricComparison(
                name=name,
                before=old_mean,
                after=new_mean,
                mean_all=fsum(values) / len(values) if values else None,
                low=None if not pairs else new_mean - old_mean - _spread(pairs),
                high=None if not pairs else new_mean - old_mean + _spread(pairs),
                tolerance=BUILT_IN[name].tolerance,
                minimum=3.5 if name == "correctness" else None,
                pairs=len(pairs),
                scored=len(values),
                total=len(values) + unscored,
                not_applicable=sum(bool(c.not_applicable(name)) for c in after.cases),
                regressed=name in flags.get("regressed", ()),
                below_minimum=name in flags.get("below_minimum", ()),
            )
        )
    return tuple(found)


def _spread(pairs: Sequence[tuple[float, float]]) -> float:
    return 1.96 * pstdev(new - old for old, new in pairs) / len(pairs) ** 0.5


def history() -> tuple[HistoryEntry, ...]:
    points = ((4.1, 0.83, 0.84, 0.81, 0.78), (4.25, 0.86, 0.85, 0.84, 0.8), (4.4, 0.9, 0.87, 0.86, 0.83))
    return tuple(
        HistoryEntry(at=STARTED - timedelta(days=30 - 9 * n), means=dict(zip(METRICS, values, strict=True)))
        for n, values in enumerate(points)
    )


def extras(before: RunResult, **more) -> view.Extras:
    baseline = Baseline(run=before, stored_at=STARTED - timedelta(days=3), history=history())
    return view.Extras(
        baseline=baseline, rest_url="https://github.example/acme/rules-bot/actions/runs/42", **more
    )


LESS_RECALLED = {"1": 0.67, "2": 0.5, "4": 0.5, "5": 0.67, "6": 0.5, "8": 0.5, "11": 0.67, "12": 0.5}
"""Fewer passages are retrieved, so parts of the references are no longer covered."""


def with_recall(result: CaseResult, recall: float | None) -> CaseResult:
    if recall is None:
        return result
    first = result.samples[0]
    return replace_samples(
        result, first.model_copy(update={"scores": {**first.scores, "context_recall": Scored(value=recall)}})
    )


def failed(language: Language) -> Story:
    """Two cases and one mean got worse; one suspect was noise; one case is new, one is gone."""
    before, after = before_of(language), after_of(language)
    recalled = tuple(with_recall(c, LESS_RECALLED.get(c.case.id)) for c in after.cases)
    after = after.model_copy(update={"cases": recalled})
    new = after.cases[-1].case.id
    gone = result_of(GONE[language], 98, now=False)
    before = before.model_copy(update={"cases": (*before.cases[:-1], gone)})
    marks = {
        "3": CaseStatus.REGRESSED,
        "7": CaseStatus.REGRESSED,
        "9": CaseStatus.NOISE,
        new: CaseStatus.NEW,
    }
    cases = compared(before, after, marks.get)
    decision = Decision(
        verdict=Verdict.FAILED,
        reasons=(
            Reason(code=ReasonCode.CASES_REGRESSED, cases=("3", "7"), number=2),
            Reason(code=ReasonCode.CASES_REMOVED, cases=(gone.case.id,), number=1),
            Reason(code=ReasonCode.METRIC_REGRESSED, metric="context_recall", number=-0.46),
        ),
        warnings=(Reason(code=ReasonCode.METRIC_DROPPED, metric="faithfulness", number=-0.1),),
        cases=(*cases, CaseComparison(case_id=gone.case.id, status=CaseStatus.REMOVED)),
        metrics=means(before, after, regressed=("context_recall",)),
    )
    return Story(
        after,
        before,
        decision,
        language,
        extras=extras(before, app_changes=app_changes(language), unproven=True),
    )


def app_changes(language: Language) -> tuple[Change, ...]:
    """What a pull request changed in two nodes: a setting, and some words of a prompt."""
    place = Place("dify/rules-bot.yml", line=120)
    old, new = PROMPTS[language]
    return (
        Change(
            Text(
                "Node “Retrieval”: top k (number of passages): 5 → 1",
                "ノード「知識検索」: 取得件数(top_k): 5 → 1",
            ),
            place,
            node="知識検索" if language == "ja" else "Retrieval",
        ),
        Change(
            Text("Node “Answer”: prompt (system) changed", "ノード「回答生成」: プロンプト(system)を変更"),
            place,
            word_diff(old, new),
            "回答生成" if language == "ja" else "Answer",
        ),
    )


PROMPTS: dict[Language, tuple[str, str]] = {
    "ja": (
        "社内規程だけを根拠に、丁寧に答えてください。分からないときは担当部署を案内してください。",
        "社内規程だけを根拠に、一文で簡潔に答えてください。分からないときは担当部署を案内してください。",
    ),
    "en": (
        "Answer politely and in full, from the company's rules alone. Otherwise name the department in charge.",
        "Answer in one short sentence, from the company's rules alone. Otherwise name the department in charge.",
    ),
}


def passed(language: Language) -> Story:
    before = before_of(language)
    after = before.model_copy(update={"commit": "77aa01bc9d21", "run_id": "20261130-100000-02ab"})
    decision = Decision(
        verdict=Verdict.PASSED,
        reasons=(Reason(code=ReasonCode.ALL_WITHIN_TOLERANCE),),
        cases=compared(before, after, lambda _: None),
        metrics=means(before, after),
    )
    return Story(after, before, decision, language, extras=extras(before))


def no_baseline(language: Language) -> Story:
    """A team's first pull request, judged offline."""
    after = before_of(language)
    offline = after.fingerprint.model_copy(
        update={
            "judge": JudgeIdentity(provider="offline", model="overlap-1"),
            "embedder": EmbedderIdentity(provider="offline", model="ngrams-1"),
        }
    )
    after = after.model_copy(update={"fingerprint": offline, "judge_usage": Usage(calls=131)})
    decision = Decision(
        verdict=Verdict.NO_BASELINE,
        reasons=(Reason(code=ReasonCode.NO_BASELINE),),
        cases=tuple(CaseComparison(case_id=c.case.id, status=CaseStatus.NEW) for c in after.cases),
        metrics=means(None, after),
    )
    return Story(after, None, decision, language)


def skipped(language: Language) -> Story:
    """A fork's pull request, which also edits the gate."""
    decision = Decision(verdict=Verdict.SKIPPED, reasons=(Reason(code=ReasonCode.NO_SECRETS),))
    notices = (
        Text(
            "gate.max_regressed_cases: 0 → 5 (takes effect after the merge)",
            "gate.max_regressed_cases: 0 → 5（マージ後に有効になります）",
        ),
    )
    return Story(None, None, decision, language, notices, view.Extras(suite="tests/rag/rules.json"))


def inconclusive(language: Language) -> Story:
    """The judge and the app failed on some cases."""
    before, after = before_of(language), after_of(language)
    cases = list(after.cases)
    first = cases[1].samples[0]
    cases[1] = replace_samples(
        cases[1],
        first.model_copy(
            update={
                "scores": {
                    **first.scores,
                    "faithfulness": Unscored(cause=Cause.JUDGE_RATE_LIMITED, detail="429 Too Many Requests"),
                    "context_recall": NotApplicable(reason=Inapplicable.NO_REFERENCE),
                }
            }
        ),
    )
    failure = AppFailure(cause=Cause.APP_TIMEOUT, detail="no answer within 120 s", asks=2)
    nothing = {name: Unscored(cause=Cause.APP_TIMEOUT) for name in METRICS}
    cases[4] = replace_samples(cases[4], Sample(attempt="1", failure=failure, scores=nothing))
    after = after.model_copy(update={"cases": tuple(cases)})
    decision = Decision(
        verdict=Verdict.INCONCLUSIVE,
        reasons=(Reason(code=ReasonCode.UNSCORED, cases=("2", "5"), number=2),),
        cases=compared(
            before, after, {"2": CaseStatus.UNSCORED, "5": CaseStatus.UNSCORED, "3": CaseStatus.SUSPECT}.get
        ),
        metrics=means(before, after),
    )
    return Story(after, before, decision, language, extras=extras(before))


def replace_samples(result: CaseResult, *samples: Sample) -> CaseResult:
    return result.model_copy(update={"samples": samples})


STORIES: dict[str, Callable[[Language], Story]] = {
    "failed": failed,
    "passed": passed,
    "no-baseline": no_baseline,
    "skipped": skipped,
    "inconclusive": inconclusive,
}


def large(language: Language, cases: int = 300) -> Story:
    """A failed run of many cases with long texts, all regressed."""
    small = failed(language)
    first = small.run.cases[2]
    results, then, ids = [], [], [f"Q-{n:04d}" for n in range(1, cases + 1)]
    for case_id in ids:
        long = first.case.model_copy(
            update={
                "id": case_id,
                "question": first.case.question * 5,
                "reference": (first.case.reference or "") * 20,
            }
        )
        results.append(first.model_copy(update={"case": long}))
        then.append(small.before.cases[2].model_copy(update={"case": long}))
    run = small.run.model_copy(update={"cases": tuple(results)})
    before = small.before.model_copy(update={"cases": tuple(then)})
    decision = small.decision.model_copy(
        update={
            "reasons": (Reason(code=ReasonCode.CASES_REGRESSED, cases=tuple(ids), number=len(ids)),),
            "cases": compared(before, run, lambda _: CaseStatus.REGRESSED),
            "metrics": means(before, run),
            "warnings": (),
        }
    )
    return replace(small, run=run, before=before, decision=decision)
