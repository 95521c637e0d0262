"""Tells the outcome through every channel that GitHub offers, and keeps the exit code that follows from it."""

from pathlib import Path

from ragjudge.action import trouble
from ragjudge.action.left_to_tell import leave_fault
from ragjudge.action.progress import CommentProgress, LogProgress
from ragjudge.errors import RagjudgeError
from ragjudge.exit_codes import ExitCode
from ragjudge.github.api import GitHubApi
from ragjudge.github.check_run import CheckRun
from ragjudge.github.commands import Annotation, Runner
from ragjudge.github.comment import CommentMode, StickyComment
from ragjudge.github.context import EventContext
from ragjudge.github.inputs import FailOn, Inputs
from ragjudge.github.marker import Marker
from ragjudge.github.publishers import CheckRunPublisher, CommentPublisher, OutputsPublisher, SummaryPublisher
from ragjudge.language import Language, Text
from ragjudge.ports import Publisher, Rendered
from ragjudge.publish import ConsolePublisher, FolderPublisher


class Telling:
    """Knows only the log until `attach`: an event that can't be read still gets its sentence."""

    def __init__(self, runner: Runner, language: Language) -> None:
        self.language = language
        self.exit_code: int = ExitCode.BUG
        self.keeps_journal = True
        """Whether a cancelled run leaves its journal where people find it."""
        self._runner = runner
        self._reach: tuple[GitHubApi, EventContext, Inputs] | None = None
        self._comment: CommentPublisher | None = None
        self._check_run: CheckRunPublisher | None = None
        self.progress = LogProgress(self.remark)

    def attach(self, api: GitHubApi, context: EventContext, inputs: Inputs) -> None:
        """From here on the pull request's comment is told too, where there is one."""
        self._reach = (api, context, inputs)
        if context.pull_request is not None and context.is_proposal:
            self.attach_to(context.pull_request.number, context.head_sha)

    def attach_to(self, number: int, head_sha: str) -> None:
        """As `attach`, for a pull request that the event does not name."""
        assert self._reach is not None
        api, context, inputs = self._reach
        marker = _marker(context, inputs, head_sha)
        comment = StickyComment(api, context.repository, number, marker, context.graphql_url)
        self._comment = CommentPublisher(self._runner, comment, inputs.comment, lambda: self.language)
        if inputs.comment is CommentMode.UPDATE:
            under_way = CommentProgress(comment, lambda: self.language, run_url=context.run_url)
            self._comment.settle = under_way.settle
            self.progress = LogProgress(self.remark, under_way)

    def attach_check_run(self) -> None:
        """From here on an entry among the commit's checks is told too, once all is over (`close`)."""
        assert self._reach is not None
        api, context, inputs = self._reach
        check_run = CheckRun(
            api=api,
            repository=context.repository,
            name=f"ragjudge ({inputs.suite_key})",
            head=context.head_sha,
            details_url=context.run_url,
        )
        never_red = inputs.fail_on is FailOn.NEVER
        self._check_run = CheckRunPublisher(self._runner, check_run, lambda: self.language, never_red)

    def close(self) -> None:
        """Tells what had to wait for everything else."""
        if self._check_run is not None:
            self._check_run.close()

    def publishers(self, out: Path) -> tuple[Publisher, ...]:
        """For a session's report: files, log, summary, outputs, comment, in this order."""
        return (FolderPublisher(out), ConsolePublisher(self._runner.say), *self._remote())

    def remark(self, text: Text) -> None:
        self._runner.say(f"ragjudge: {text.in_language(self.language)}")

    def nothing_to_do(self, why: Text) -> None:
        sentence = why.in_language(self.language)
        self._runner.annotate([Annotation("notice", sentence, title="ragjudge")])
        self._runner.set_outputs({"verdict": "skipped", "exit-reason": sentence})
        self.exit_code = ExitCode.OK

    def trouble(self, error: RagjudgeError) -> None:
        """An error in place of a report, or (a refused baseline) after one."""
        self.ended_by(error)
        self.instead(trouble.of_error(error, self.language))
        if self._reach is not None:
            _, context, inputs = self._reach
            lines = trouble.lines(error, self.language)
            leave_fault(error, lines, context, inputs, self._runner.redact)

    def ended_by(self, error: RagjudgeError) -> None:
        """What ended a run early, beside the report of what there is."""
        self._runner.say(error.in_language(self.language))
        self._runner.annotate(trouble.annotations(error, self.language))

    def cancelled(self) -> None:
        what = trouble.CANCELLED if self.keeps_journal else trouble.CANCELLED_UNKEPT
        self.instead(trouble.told(what, ExitCode.INTERRUPTED, self.language))

    def bug(self) -> None:
        self.instead(trouble.told(trouble.BUG, ExitCode.BUG, self.language))

    def instead(self, report: Rendered) -> None:
        """Tells a report that no session made."""
        self.exit_code = report.exit_code
        for publisher in self._remote():
            try:
                publisher.publish(report)
            except (RagjudgeError, OSError) as error:
                self._runner.say(f"{publisher.name}: {error}")

    def _remote(self) -> tuple[Publisher, ...]:
        asked_for = (self._comment, self._check_run)
        always = (SummaryPublisher(self._runner), OutputsPublisher(self._runner))
        return (*always, *(publisher for publisher in asked_for if publisher is not None))


def _marker(context: EventContext, inputs: Inputs, head_sha: str) -> Marker:
    """One comment per suite."""
    return Marker(
        suite=inputs.suite_key,
        head=head_sha,
        run=context.run_id,
        attempt=context.run_attempt,
        number=context.run_number,
    )
