"""The second half of the fork-safe pair: tell a pull request what its own run, without keys, found."""

from ragjudge.action.telling import Telling
from ragjudge.compare.decision import Decision, Reason, ReasonCode, Verdict
from ragjudge.errors import Problem
from ragjudge.exit_codes import ExitCode
from ragjudge.github import fork_run
from ragjudge.github.api import GitHubApi
from ragjudge.github.context import EventContext
from ragjudge.language import Text
from ragjudge.ports import Rendered
from ragjudge.report import markdown
from ragjudge.report.extras import Extras
from ragjudge.report.view import build
from ragjudge.settings import ReportSettings


def tell_for_fork(api: GitHubApi, context: EventContext, telling: Telling) -> int:
    """The second half of the fork-safe pair: what the first run found goes to its pull request."""
    run = fork_run.origin(context)
    number = fork_run.pull_request(api, context.repository, run) if run else None
    found = fork_run.found(api, context.repository, run) if run and number else None
    if run is None or number is None or found is None:
        telling.nothing_to_do(_NOTHING_FOR_FORK)
        return ExitCode.OK
    view = build(
        None,
        None,
        Decision(verdict=Verdict.SKIPPED, reasons=(Reason(code=ReasonCode.NO_SECRETS),)),
        report=ReportSettings(language=telling.language, content="scores"),
        extras=Extras(suite=found.suite, problems=tuple(Problem(Text(p, p)) for p in found.problems)),
    )
    telling.attach_to(number, run.head_sha)
    telling.instead(
        Rendered(
            markdown=markdown.file(view),
            comment=lambda: markdown.comment(view),
            summary=lambda: markdown.summary(view),
            verdict=Verdict.SKIPPED,
            exit_code=ExitCode.OK,
            outputs={"verdict": Verdict.SKIPPED, "cases-total": str(found.cases)},
        )
    )
    return ExitCode.OK


_NOTHING_FOR_FORK = Text(
    "There is nothing to tell: the finished run belongs to no open pull request's latest commit, or it left no file "
    "of a check without keys (it had keys, or ended before ragjudge began).",
    "伝えることはありません。終了した実行が、開いているプルリクエストの最新コミットのものではないか、"
    "キーなしの検査の記録を残していません(キーのある実行だったか、ragjudgeが始まる前に終了しました)。",
)
