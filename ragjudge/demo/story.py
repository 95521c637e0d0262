"""`ragjudge demo`: the main job three times over, on the embedded app: baseline, unchanged, degraded.

Everything is real but the model: HTTP to a server on loopback, the same pipeline as `ragjudge check`, the offline
judge. What is said about the degraded app is read from the two DSL files and from the rules that its answers quote.
"""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragjudge import settings, sitting, suite, wiring
from ragjudge.compare.decision import CaseComparison, CaseStatus, Verdict
from ragjudge.demo import packaged
from ragjudge.demo.corpus import Passage, load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.server import DemoServer
from ragjudge.demo.words import sentences
from ragjudge.exit_codes import ExitCode
from ragjudge.language import Language, Text
from ragjudge.ports import Progress
from ragjudge.publish import REPORT, FolderPublisher
from ragjudge.renewal import update_baseline
from ragjudge.report import wording
from ragjudge.results.run import CaseResult
from ragjudge.session import Session
from ragjudge.sitting import Ending

BASELINE = "baseline.json"
_HEADS = ("---", "+++")
_BASELINE = Text("the app as it is becomes the baseline", "今のアプリを基準(ベースライン)にします")
_UNCHANGED = Text("the same app again", "同じアプリをもう一度実行します")
_DEGRADED = Text("the changed app", "変更したアプリを実行します")
_CHANGE = Text("    Somebody changes the app's DSL:", "    ここでアプリのDSLが変更されました:")
_SUSPECT = Text(" (suspect: not asked again)", "(疑い: 再実行なし)")
_VERDICTS: Mapping[Verdict, Text] = {
    Verdict.NO_BASELINE: Text("baseline stored", "ベースラインを保存しました"),
    Verdict.PASSED: Text("PASSED", "合格"),
    Verdict.FAILED: Text("FAILED", "不合格(デグレあり)"),
    Verdict.INCONCLUSIVE: Text("INCONCLUSIVE", "判定できません"),
    Verdict.SKIPPED: Text("SKIPPED", "実行していません"),
}


@dataclass(frozen=True, slots=True)
class Telling:
    """Where the story's files go, in which language it is told, and to whom."""

    out: Path
    language: Language
    say: Callable[[str], None]
    progress: Progress


def tell(telling: Telling) -> ExitCode:
    """Run the story. OK where it came out as it must: pass, pass, fail."""
    (telling.out / BASELINE).unlink(missing_ok=True)
    with DemoServer(load_app(packaged.APP), load_corpus(packaged.CORPUS)) as server:
        _say(telling, Text(f"The demo app answers at {server.base_url}", f"デモアプリ: {server.base_url}"))
        first = update_baseline(_session(telling, server, "1-baseline")).ending
        _say_ending(telling, 1, _BASELINE, first)
        second = sitting.check(_session(telling, server, "2-unchanged"))
        _say_ending(telling, 2, _UNCHANGED, second)
        _say(telling, _CHANGE)
        for line in changed_lines(packaged.APP, packaged.DEGRADED_APP):
            telling.say(f"      {line}")
        server.publish(load_app(packaged.DEGRADED_APP))
        third = sitting.check(_session(telling, server, "3-degraded"))
        _say_ending(telling, 3, _DEGRADED, third)
    _name_cases(telling, second, third)
    _say(telling, Text("Report:", "レポート:"), f" {telling.out / '3-degraded' / REPORT}")
    expected = (Verdict.NO_BASELINE, Verdict.PASSED, Verdict.FAILED)
    told = (first.decision.verdict, second.decision.verdict, third.decision.verdict)
    return ExitCode.OK if expected == told else ExitCode.FAILED


def changed_lines(before: Path, after: Path) -> list[str]:
    """The lines of a DSL file that another one has not (`-`), and the other way round (`+`)."""
    old, new = (path.read_text(encoding="utf-8").splitlines() for path in (before, after))
    compared = difflib.unified_diff(old, new, n=0, lineterm="")
    return [
        f"{line[0]} {line[1:].strip()}" for line in compared if line[0] in "+-" and line[:3] not in _HEADS
    ]


def _session(telling: Telling, server: DemoServer, name: str) -> Session:
    loaded = settings.load(
        packaged.CONFIG.read_text(encoding="utf-8"),
        path=str(packaged.CONFIG),
        environ={"DIFY_API_KEY": server.api_key},
        flags={
            "app.base_url": server.base_url,
            "baseline.store": f"file:{BASELINE}",
            "report.language": telling.language,
        },
    ).settings
    return Session(
        settings=loaded,
        suite=suite.load(loaded.suite, loaded.columns),
        out=telling.out / name,
        store=wiring.baseline_store(loaded, base_dir=telling.out),
        progress=telling.progress,
        publishers=(FolderPublisher(telling.out / name),),
        redact=wiring.redactor(loaded),
        warn=lambda text: _say(telling, text),
    )


def _say(telling: Telling, text: Text, more: str = "") -> None:
    telling.say(text.in_language(telling.language) + more)


def _say_ending(telling: Telling, number: int, what: Text, ending: Ending) -> None:
    verdict = _VERDICTS[ending.decision.verdict].in_language(telling.language)
    words = wording.of(telling.language)
    means = [
        f"{words.metric(m.name)} {m.mean_all:.2f}" for m in ending.decision.metrics if m.mean_all is not None
    ]
    telling.say(f"{number}/3 {what.in_language(telling.language)} → {verdict}")
    telling.say(f"      {', '.join(means)}")


def _name_cases(telling: Telling, before: Ending, after: Ending) -> None:
    """The cases that got worse, and which rule each answer quoted before and quotes now.

    Regressed ones were confirmed by asking again; suspects needed no confirming once the verdict was clear.
    """
    passages = load_corpus(packaged.CORPUS).passages
    for worse in after.decision.with_status(CaseStatus.REGRESSED, CaseStatus.SUSPECT):
        result = after.run.case(worse.case_id)
        assert result is not None
        office = result.case.fields.get("entity", "")
        doubt = "" if worse.status is CaseStatus.REGRESSED else _SUSPECT.in_language(telling.language)
        telling.say(f"      #{worse.case_id} [{office}] {result.case.question}  {_scores(worse)}{doubt}")
        sources = [_quoted(passages, ending.run.case(worse.case_id)) for ending in (before, after)]
        telling.say(f"         {sources[0]} → {sources[1]}")


def _scores(worse: CaseComparison) -> str:
    change = worse.metrics.get("correctness")
    if change is None or change.before is None or change.after is None:
        return ""
    return f"{change.before:.1f} → {change.after:.1f}"


def _quoted(passages: Sequence[Passage], result: CaseResult | None) -> str:
    """The key of the passage that an answer quotes; a dash where it quotes none."""
    answer = result.samples[0].answer if result is not None and result.samples else None
    if answer is None or not answer.text:
        return "–"
    opening = sentences(answer.text)[0]
    return next((passage.key for passage in passages if opening in passage.content), "–")
