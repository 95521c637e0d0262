"""The ways in which a finished report reaches GitHub: outputs, job summary, comment, and a check run if wanted."""

from collections.abc import Callable
from dataclasses import dataclass

from ragjudge.github.check_run import CheckRun, Concluded, conclusion
from ragjudge.github.commands import Runner
from ragjudge.github.comment import CommentMode, StickyComment
from ragjudge.language import Language
from ragjudge.ports import Rendered


def _nothing_under_way() -> None:
    pass


@dataclass(slots=True)
class SummaryPublisher:
    """The whole report on the run's own page."""

    runner: Runner
    name: str = "job summary"

    def publish(self, report: Rendered) -> None:
        self.runner.add_summary(report.summary())


@dataclass(slots=True)
class CommentPublisher:
    """The sticky comment. Its address becomes the output `comment-url`."""

    runner: Runner
    comment: StickyComment
    mode: CommentMode
    language: Callable[[], Language]
    settle: Callable[[], None] = _nothing_under_way
    """Waits for whatever else writes into this comment."""
    name: str = "comment"

    def publish(self, report: Rendered) -> None:
        self.settle()
        posted = self.comment.post(self.runner.redact(report.comment()), self.mode)
        self.runner.set_outputs({"comment-url": posted.url})
        if posted.note is not None:
            self.runner.say(posted.note.in_language(self.language()))


@dataclass(slots=True)
class OutputsPublisher:
    """The action's outputs, for the workflow's later steps."""

    runner: Runner
    name: str = "outputs"

    def publish(self, report: Rendered) -> None:
        self.runner.set_outputs(report.outputs)


@dataclass(slots=True)
class CheckRunPublisher:
    """Keeps the report until `close`, as a check run wants every annotation and those follow the report."""

    runner: Runner
    check_run: CheckRun
    language: Callable[[], Language]
    never_red: bool
    name: str = "check run"
    kept: Rendered | None = None

    def publish(self, report: Rendered) -> None:
        self.kept = report

    def close(self) -> None:
        """Nothing to tell where no report was made (`mode: validate`)."""
        report = self.kept
        if report is None:
            return
        ended = Concluded(
            conclusion=conclusion(report.verdict, report.exit_code, never_red=self.never_red),
            title=self.runner.redact(report.outputs.get("exit-reason") or report.verdict),
            summary=self.runner.redact(report.comment()),
            annotations=self.runner.annotations,
        )
        note = self.check_run.post(ended)
        if note is not None:
            self.runner.say(note.in_language(self.language()))
