"""Where the numbers of a baseline come from on a merge: the pull request's own stored results, or a new run."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ragjudge import publish, wiring
from ragjudge.baseline import update
from ragjudge.baseline.order import BY_HAND, Turn
from ragjudge.compare.gate import decide
from ragjudge.compare.policy import for_renewal, policy_from
from ragjudge.errors import CannotTell, GitHubRefused, GitHubUnreachable, Refused, StoredFileFault
from ragjudge.github import merged
from ragjudge.github.ancestry import came_before
from ragjudge.github.api import GitHubApi
from ragjudge.github.base_branch import BaseBranch
from ragjudge.github.context import EventContext
from ragjudge.github.merged import MergedPull
from ragjudge.language import Text
from ragjudge.metrics import checks_hold, registry
from ragjudge.publish import write_file
from ragjudge.results import codec
from ragjudge.results.fingerprint import Fingerprint
from ragjudge.results.run import RunResult
from ragjudge.session import Session
from ragjudge.settings import Settings
from ragjudge.suite.case import Suite

EVENTS = frozenset({"push", "pull_request"})
"""What a merge starts. An update by hand or on a schedule always asks anew."""
_DIGEST = "sha256:"


@dataclass(frozen=True, slots=True)
class Origin:
    """`run` is to be stored as it is; None: ask anew. `judged_on` are the app's versions that a new run must meet."""

    why: Text
    run: RunResult | None = None
    judged_on: tuple[str, ...] = ()


def turn_of(api: GitHubApi, context: EventContext) -> Turn:
    """Merges can be told late: a job that waited, or an old one that is run again. What a person starts is in time."""
    if context.event not in EVENTS:
        return BY_HAND
    pull = context.pull_request
    commit = (pull.merged_as if pull else "") or context.sha
    return Turn(commit, partial(came_before, api, context.repository))


@dataclass(frozen=True, slots=True)
class Merge:
    """One update of a baseline: the workspace holds the merged tree. `files` of it shape the app or its asking."""

    api: GitHubApi
    context: EventContext
    session: Session
    files: tuple[str, ...]

    def origin(self) -> Origin:
        """Trouble with GitHub is no obstacle: then a new run is made, and the trouble is its reason."""
        if self.context.event not in EVENTS or self.session.left_out:
            return _anew(_NO_MERGE)
        try:
            pull = merged.merged_pull(self.api, self.context)
            return _anew(_NO_MERGE) if pull is None else self._of(pull)
        except (GitHubRefused, GitHubUnreachable) as trouble:
            return _anew(_no_access(trouble))

    def _of(self, pull: MergedPull) -> Origin:
        if pull.is_fork:
            return _anew(_of_fork(pull))
        uploads = merged.uploaded_results(self.api, self.context.repository, pull)
        found = next((run for run in _readable(uploads) if self._same_suite(run)), None)
        if found is None:
            return _anew(_nothing_stored(pull))
        edited = self._edited_since(pull)
        if edited:
            return _anew(_edited(pull, edited))
        problem = self._unfit(found)
        if problem is not None:
            # A preview is an app of its own with versions of its own: nothing else could ever meet them.
            versions = () if self.session.settings.dsl.preview else found.workflow_ids
            return Origin(_unfit(pull, problem), judged_on=versions)
        return Origin(_taken(pull, found), self._kept(found), found.workflow_ids)

    def _same_suite(self, run: RunResult) -> bool:
        cases = {result.case.id for result in run.cases}
        return run.suite.digest == self.session.suite.digest and cases == {
            case.id for case in self.session.suite.cases
        }

    def _edited_since(self, pull: MergedPull) -> Sequence[str]:
        """Files that are not what the pull request's check had: another merge came in between."""
        then = BaseBranch(self.api, self.context.repository, pull.head)
        return [name for name in self.files if then.read(name) != _bytes(Path(name))]

    def _unfit(self, run: RunResult) -> Text | None:
        """Why a new run is needed after all, judged like any other run that is to become the baseline."""
        settings = self.session.settings
        if differing := differences(run.fingerprint, settings, self.session.suite):
            named = ", ".join(differing)
            return Text(f"they were judged otherwise ({named})", f"採点の条件が異なります({named})")
        if settings.report.content == "full" and settings.baseline.store_answers and _digested(run):
            return Text("their answers were left out", "回答が含まれていません")
        old = self.session.store.load()
        if old is not None and old.run.app.base_url != run.app.base_url:
            return Text("they are of another server", "別のサーバーの結果です")
        today = self.session.now().date()
        policy = for_renewal(policy_from(settings))
        decision = decide(old.run, run, policy, today=today) if old else None
        try:
            update.refuse_unless_sound(run, decision, accept=False)
        except (Refused, CannotTell) as refusal:
            return refusal.what
        return None

    def _kept(self, run: RunResult) -> RunResult:
        """The results as this run's own output, with whatever is secret here taken out."""
        text = self.session.redact(codec.dumps(run).decode())
        write_file(self.session.papers / publish.RESULTS, text)
        return codec.loads(text.encode(), place=publish.RESULTS)


def differences(found: Fingerprint, settings: Settings, suite: Suite) -> tuple[str, ...]:
    """What of a stored fingerprint is not as today's settings have it, as far as that is known without a call."""
    language = wiring.judge_language(settings, suite)
    metrics = registry.build(
        settings.metrics, language, allow=settings.judge.allow, checks=checks_hold.wanted(suite)
    )
    same = {
        "judge": found.judge.provider == settings.judge.provider
        and settings.judge.model in (None, "", found.judge.model),
        "embedder": settings.embedding.model in (None, "", found.embedder.model),
        "metric_version": found.metrics == {m.spec.name: m.version for m in metrics},
        "language": found.language == language,
        "mode": found.mode == settings.metrics.mode,
    }
    return tuple(name for name, holds in same.items() if not holds)


def _readable(uploads: Iterable[bytes]) -> Iterator[RunResult]:
    for data in uploads:
        try:
            yield codec.loads(data)
        except StoredFileFault:
            continue


def _digested(run: RunResult) -> bool:
    return any(
        sample.answer is not None and sample.answer.text.startswith(_DIGEST)
        for case in run.cases
        for sample in case.samples
    )


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _anew(why: Text) -> Origin:
    return Origin(why)


_NO_MERGE = Text(
    "The baseline comes from a new run: no merged pull request belongs to this commit.",
    "このコミットに対応するマージ済みのプルリクエストがないため、新しく実行してベースラインを作ります。",
)


def _taken(pull: MergedPull, run: RunResult) -> Text:
    return Text(
        f"The baseline comes from the stored results of #{pull.number} ({pull.head[:12]}, {run.repeats} × each"
        " question): suite, config and app files are the same. Nothing is asked.",
        f"#{pull.number} の保存済みの結果({pull.head[:12]}、各質問{run.repeats}回)をベースラインにします。"
        "テストケース・設定・アプリのファイルが同じため、質問は送りません。",
    )


def _new_run(pull: MergedPull, en: str, ja: str) -> Text:
    return Text(
        f"The baseline comes from a new run, not from #{pull.number}: {en}.",
        f"#{pull.number} の結果は使わず、新しく実行してベースラインを作ります。理由: {ja}。",
    )


def _of_fork(pull: MergedPull) -> Text:
    return _new_run(pull, "results of a fork are not trusted", "フォークの結果は信頼できないため")


def _nothing_stored(pull: MergedPull) -> Text:
    return _new_run(
        pull,
        "no green run on its last commit uploaded results of this suite (artifact `ragjudge`)",
        "最後のコミットの成功した実行に、このテストケースの結果(アーティファクト `ragjudge`)がありません",
    )


def _edited(pull: MergedPull, files: Sequence[str]) -> Text:
    named = ", ".join(files)
    return _new_run(
        pull, f"the merged tree has another {named}", f"マージ後の {named} がプルリクエストの時点と異なります"
    )


def _unfit(pull: MergedPull, problem: Text) -> Text:
    return _new_run(pull, problem.en.rstrip("."), problem.ja.rstrip("。"))


def _no_access(trouble: GitHubRefused | GitHubUnreachable) -> Text:
    return Text(
        "The baseline comes from a new run: the merged pull request's results could not be had"
        f" (the job needs `actions: read` and `pull-requests: read`). {trouble.what.en}",
        "マージされたプルリクエストの結果を取得できないため、新しく実行してベースラインを作ります"
        f"(ジョブに `actions: read` と `pull-requests: read` が必要です)。{trouble.what.ja}",
    )
