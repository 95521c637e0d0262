"""The judge against people's scores: what a person reads, from stored results alone (no calls)."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ragjudge.assist import labels
from ragjudge.assist.agreement import Agreement, Pair, Trust, agree
from ragjudge.assist.labels import Label
from ragjudge.compare.policy import custom_spec
from ragjudge.language import Text
from ragjudge.metric_specs import BUILT_IN
from ragjudge.results.outcome import Scored
from ragjudge.results.run import CaseResult, RunResult
from ragjudge.settings import CustomMetric

_REASON = 100

_TRUST = {
    Trust.MAY_GATE: Text(
        "The judge agrees with people well enough to gate on this metric.",
        "評価用モデルは人の採点とよく一致しています。この指標で合否を判定できます。",
    ),
    Trust.WITH_CARE: Text(
        "The judge agrees with people only moderately: let this metric warn, not fail.",
        "人の採点との一致は中程度です。この指標は警告にとどめ、合否の判定には使わないことをおすすめします。",
    ),
    Trust.MUST_NOT_GATE: Text(
        "The judge does not agree with people: do not gate on this metric.",
        "人の採点と一致していません。この指標で合否を判定しないでください。",
    ),
    Trust.TOO_FEW: Text(
        "Too few labels, or too little variety in them, to say: label 20 cases or more, good and bad ones.",
        "ラベルが少ないか、点数の種類が足りないため判断できません。良い例と悪い例を含む20件以上を採点してください。",
    ),
}


def calibrate(run: RunResult, path: Path, customs: Sequence[CustomMetric] = ()) -> tuple[Agreement, ...]:
    """Agreement per metric that has labels and scores, in the run's order. Raises LabelsFault."""
    known = {**BUILT_IN, **{custom.name: custom_spec(custom) for custom in customs}}
    specs = {name: known[name] for name in run.metrics if name in known}
    found = labels.read(path, run, specs)
    return tuple(
        agree(spec, pairs)
        for name, spec in specs.items()
        if (pairs := pairs_of(run, [label for label in found if label.metric == name]))
    )


def pairs_of(run: RunResult, found: Sequence[Label]) -> list[Pair]:
    """Labels beside the judge's mean over a case's samples; cases that the judge could not score are left out."""
    cases: Mapping[str, CaseResult] = {case.case.id: case for case in run.cases}
    return [
        Pair(label.case_id, label.value, mean, _reason(cases[label.case_id], label.metric))
        for label in found
        if (mean := cases[label.case_id].mean(label.metric)) is not None
    ]


def lines(agreements: Sequence[Agreement], run: RunResult) -> Iterator[Text]:
    """The whole answer, a paragraph per metric."""
    judge = run.fingerprint.judge
    yield Text(
        f"Judge: {judge.provider} {judge.model}, run {run.run_id}",
        f"評価者: {judge.provider} {judge.model}（実行 {run.run_id}）",
    )
    if not agreements:
        yield Text(
            "No label meets a score of the run.", "ラベルと実行結果の点数が対応するケースがありません。"
        )
    for agreement in agreements:
        yield Text("", "")
        yield from _of_metric(agreement)


def _of_metric(agreement: Agreement) -> Iterator[Text]:
    count, name = len(agreement.pairs), agreement.metric
    yield Text(f"{name}: {count} labels", f"{name}: ラベル{count}件")
    yield Text(f"  {_TRUST[agreement.trust].en}", f"  {_TRUST[agreement.trust].ja}")
    if agreement.kappa is not None:
        between = "–".join(f"{end:.2f}" for end in agreement.interval or ()) or "?"
        yield Text(
            f"  weighted kappa {agreement.kappa:.2f} (95 %: {between})",
            f"  重み付きカッパ係数 {agreement.kappa:.2f}（95%区間 {between}）",
        )
    exact, near = f"{agreement.exact:.0%}", f"{agreement.near:.0%}"
    yield Text(
        f"  same level {exact}, at most one level apart {near}, judge minus people {agreement.bias:+.2f}",
        f"  完全一致 {exact}、1段階以内 {near}、偏り（評価者−人） {agreement.bias:+.2f}",
    )
    yield from _confusion(agreement)
    yield from _worst(agreement)


def _confusion(agreement: Agreement) -> Iterator[Text]:
    yield Text("  people ↓ / judge →", "  人 ↓ / 評価者 →")
    heads = "".join(f"{level:>6g}" for level in agreement.levels)
    yield Text(f"  {'':>6}{heads}", f"  {'':>6}{heads}")
    for human in agreement.levels:
        row = "".join(f"{agreement.confusion.get((human, judge), 0):>6}" for judge in agreement.levels)
        yield Text(f"  {human:>6g}{row}", f"  {human:>6g}{row}")


def _worst(agreement: Agreement) -> Iterator[Text]:
    worst = agreement.worst()
    if worst:
        yield Text("  largest disagreements:", "  食い違いの大きいケース:")
    for pair in worst:
        said = f"{pair.human:g} / {pair.judge:.3g}"
        yield Text(
            f"    {pair.case_id}: people / judge {said} {pair.reason}",
            f"    {pair.case_id}: 人 / 評価者 {said} {pair.reason}",
        )


def _reason(case: CaseResult, metric: str) -> str:
    for sample in case.samples:
        outcome = sample.scores.get(metric)
        if isinstance(outcome, Scored) and outcome.reason:
            reason = " ".join(outcome.reason.split())
            return reason if len(reason) <= _REASON else reason[: _REASON - 1] + "…"
    return ""
