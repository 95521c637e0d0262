"""What the action can be asked to do, each as one flat story: check, update the baseline, validate, or not judge."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from ragjudge import publish, sitting, wiring
from ragjudge.action import app_changes, not_judged, preview_app
from ragjudge.action.artifact import numbers_only
from ragjudge.action.configure import Configured
from ragjudge.action.left_to_tell import leave
from ragjudge.action.merged_results import Merge, turn_of
from ragjudge.action.remarks import remarks
from ragjudge.action.telling import Telling
from ragjudge.assist import dsl_check
from ragjudge.assist.app_changes import shown
from ragjudge.compare.decision import Decision, Reason, ReasonCode, Verdict
from ragjudge.errors import ConfigFault, RagjudgeError, Refused, UsageFault
from ragjudge.exit_codes import ExitCode
from ragjudge.github.activity import Mode
from ragjudge.github.api import GitHubApi
from ragjudge.github.base_branch import BaseBranch
from ragjudge.github.commands import Runner
from ragjudge.github.context import EventContext
from ragjudge.github.inputs import Inputs
from ragjudge.language import Text
from ragjudge.ports import BaselineStore
from ragjudge.renewal import came_late, update_baseline
from ragjudge.report.extras import Extras
from ragjudge.report.view import build
from ragjudge.session import Session
from ragjudge.settings import Settings, require
from ragjudge.starting import JOURNAL
from ragjudge.suite.case import Suite
from ragjudge.suite.fitting import load_fitting
from ragjudge.suite.selecting import select
from ragjudge.suite.turns import judged_turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Everything about one run of the action. Paths are relative to the workspace, where the process stands."""

    configured: Configured
    inputs: Inputs
    context: EventContext
    api: GitHubApi
    base: BaseBranch | None
    """Where the workspace holds a proposal: the commit that it is to be merged into."""
    mode: Mode
    runner: Runner
    telling: Telling
    environ: Mapping[str, str] = field(repr=False)

    @property
    def settings(self) -> Settings:
        return self.configured.settings

    @property
    def on_base_ref(self) -> bool:
        """A proposal is compared with its own base, an update stores its own branch; else it is the default branch."""
        return self.context.is_proposal or self.mode is Mode.UPDATE_BASELINE

    @property
    def out(self) -> Path:
        return Path(self.inputs.out)


def do(request: Request) -> int:
    """Does it and tells it; the exit code. Raises RagjudgeError where nothing could be done."""
    require(request.settings, "suite")
    suite = _suite(request)
    _check_exports(request, suite)
    if request.mode is Mode.VALIDATE:
        return _validated(request, suite)
    if request.context.without_secrets and _keys_missing(request):
        return _not_judged(request, suite)
    held_back = [change.path for change in request.configured.changed]
    require(request.settings, "app", "judge", held_back=held_back)
    selected = select(suite, ids=request.inputs.cases)
    kept = {case.id for case in selected.cases}
    session = replace(
        _session(request, selected),
        left_out=frozenset(c.id for c in suite.cases if c.id not in kept),
        preview=preview_app.previewing_of(
            request.settings, request.context, request.inputs, request.environ, mask=request.runner.mask
        ),
    )
    with _readable_by(request) as private:
        session = replace(session, private=private)
        return _update(request, session) if request.mode is Mode.UPDATE_BASELINE else _check(request, session)


def _readable_by(request: Request) -> AbstractContextManager[Path | None]:
    """For as long as a run lasts: where its words go, if those who may read `out` must not see them."""
    if request.settings.report.content == "full":
        return nullcontext()
    request.telling.keeps_journal = False
    return numbers_only(request.out, request.runner)


def _check_exports(request: Request, suite: Suite) -> None:
    """Every finding becomes an annotation on its own line. Raises DslFault where something is broken."""
    found = dsl_check.findings(dsl_check.load_exports(request.settings, Path()), suite, request.settings)
    request.runner.annotate(app_changes.warnings(found, request.settings.report.language))
    dsl_check.refuse_errors(found)


def _check_server(request: Request, session: Session) -> None:
    """Before a preview app is made: is what the exports need there? Raises DslFault where that is an error."""
    if session.preview is None:
        return
    exports = dsl_check.load_exports(request.settings, Path())
    found = dsl_check.against_server(exports, request.settings, session.preview.credentials)
    request.runner.annotate(app_changes.warnings(found, request.settings.report.language))
    dsl_check.refuse_errors(found)


def _check(request: Request, session: Session) -> int:
    proposal = app_changes.proposed(request.settings, request.base)
    if app_changes.nothing_to_judge(proposal, session, request.base, request.inputs.config):
        return not_judged.tell_unchanged(session)
    _check_server(request, session)
    ending = sitting.check(shown(session, proposal))
    if ending.error is not None:
        request.telling.ended_by(ending.error)
    request.runner.annotate(remarks(ending.decision, ending.run, request.settings.report.language))
    return ending.exit_code


def _update(request: Request, session: Session) -> int:
    exports = dsl_check.load_exports(request.settings, Path())
    session = replace(session, dsl_digest=dsl_check.digest(exports))
    files = (request.inputs.config, *(export.file for export in exports))
    origin = Merge(request.api, request.context, session, files).origin()
    turn = turn_of(request.api, request.context)
    late = came_late(session, origin.run, turn)
    if late is not None:
        request.telling.nothing_to_do(late)
        request.runner.set_outputs({"baseline-updated": "false"})
        return ExitCode.OK
    request.telling.remark(origin.why)
    # A preview app has a version of its own in each run; its DSL was compared with the merged file.
    judged_on = () if request.settings.dsl.preview else origin.judged_on
    if origin.run is None:
        _check_server(request, session)
    try:
        updated = update_baseline(session, origin.run, judged_on=judged_on, turn=turn)
    except RagjudgeError as error:
        if isinstance(error, Refused):
            (request.out / JOURNAL).unlink(missing_ok=True)
        raise
    kept = request.settings.baseline.store.startswith("branch:")
    request.runner.set_outputs({"baseline-updated": "true" if kept and not updated.late else "false"})
    stored = _stored_in(session.store.describe()) if kept else _left_for(request)
    request.telling.remark(updated.late or stored)
    return ExitCode.OK


def _stored_in(place: str) -> Text:
    return Text(f"The baseline was stored ({place}).", f"ベースラインを保存しました({place})。")


def _left_for(request: Request) -> Text:
    """With `file:` the repository keeps the baseline, and an action changes nothing in it."""
    place = request.settings.baseline.store.removeprefix("file:")
    left = _on_github(request).left_at(place)
    return Text(
        f"A new baseline is in {left}. It takes effect once it is committed as {place}.",
        f"新しいベースラインを {left} に書き出しました。{place} としてコミットすると有効になります。",
    )


def _validated(request: Request, suite: Suite) -> int:
    cases = sum(case.skip is None for case in suite.cases)
    what = Text(
        f"Suite and settings are in order: {cases} cases. Nothing was asked.",
        f"テストケース({cases}件)と設定に問題はありません。質問は送っていません。",
    )
    request.telling.remark(what)
    sentence = what.in_language(request.settings.report.language)
    request.runner.add_summary(f"### ragjudge\n\n{sentence}\n")
    request.runner.set_outputs(
        {
            "verdict": Verdict.SKIPPED,
            "exit-reason": sentence,
            "cases-total": str(cases),
            "baseline-updated": "false",
        }
    )
    return ExitCode.OK


def _not_judged(request: Request, suite: Suite) -> int:
    """A fork's or Dependabot's pull request: what can be told without a key."""
    decision = Decision(verdict=Verdict.SKIPPED, reasons=(Reason(code=ReasonCode.NO_SECRETS),))
    view = build(
        None,
        None,
        decision,
        report=request.settings.report,
        notices=_notices(request.configured),
        extras=Extras(
            suite=suite.name, app_changes=app_changes.proposed(request.settings, request.base).changes
        ),
    )
    session = _session(request, suite)
    outputs = {
        "verdict": decision.verdict.value,
        "exit-reason": NOT_JUDGED.in_language(request.settings.report.language),
        "cases-total": str(sum(case.skip is None for case in suite.cases)),
        "report-path": str(session.out / publish.REPORT),
        "baseline-updated": "false",
    }
    sitting.publish(session, publish.rendered(view, session.redact, outputs, ExitCode.OK))
    cases = sum(case.skip is None for case in suite.cases)
    leave(session.out, session.redact, suite=suite.name, cases=cases)
    return ExitCode.OK


NOT_JUDGED = Text(
    "NOT JUDGED: GitHub hands out no secrets for this pull request.",
    "NOT JUDGED(未判定): このプルリクエストにはシークレットが渡されません。",
)


def _suite(request: Request) -> Suite:
    suite = judged_turns(load_fitting(request.settings, Path()), request.settings.app.judge_turns)
    for note in suite.notes:
        request.telling.remark(note)
    return suite


def _session(request: Request, suite: Suite) -> Session:
    return Session(
        settings=request.settings,
        suite=suite,
        out=request.out,
        store=_store(request),
        progress=request.telling.progress,
        publishers=request.telling.publishers(request.out),
        redact=request.runner.redact,
        notices=_notices(request.configured),
        commit=request.context.head_sha or None,
        extras=Extras(rest_url=request.context.run_url),
        warn=request.telling.remark,
    )


def _store(request: Request) -> BaselineStore:
    context = request.context
    if request.settings.baseline.store in {
        f"branch:{name}" for name in (context.default_branch, context.base_ref)
    }:
        raise _code_branch(request.settings.baseline.store)
    return wiring.github_baseline_store(
        request.settings, _on_github(request), base_dir=Path(), base=request.base
    )


def _on_github(request: Request) -> wiring.OnGitHub:
    context = request.context
    branch = context.base_ref if request.on_base_ref else context.default_branch or context.base_ref
    return wiring.OnGitHub(request.api, context.repository, request.inputs.suite_key, branch, request.out)


def _code_branch(store: str) -> UsageFault:
    return UsageFault(
        Text(
            f"`{store}` is a branch of code, not a place for data.",
            f"`{store}` はコードのブランチです。データは置けません。",
        ),
        hint=Text("Use a branch of its own.", "専用のブランチを指定してください。"),
    )


def _notices(configured: Configured) -> tuple[Text, ...]:
    return configured.notices


def _keys_missing(request: Request) -> bool:
    try:
        require(request.settings, "app", "judge")
    except ConfigFault:
        return True
    return not preview_app.is_possible(request.settings, request.context, request.inputs, request.environ)
