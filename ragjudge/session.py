"""What one sitting with ragjudge knows before it starts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ragjudge.judged import Previewing
from ragjudge.language import Text
from ragjudge.ports import BaselineStore, Progress, Publisher
from ragjudge.redaction import Redactor
from ragjudge.report.extras import Extras
from ragjudge.results.run import RunResult
from ragjudge.settings import Settings
from ragjudge.suite.case import Suite


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Session:
    """Everything a command needs to know before it starts. `suite` holds the selected cases only."""

    settings: Settings
    suite: Suite
    out: Path
    store: BaselineStore
    progress: Progress
    publishers: tuple[Publisher, ...] = ()
    redact: Redactor = field(default_factory=lambda: Redactor(()))
    resume: bool = False
    notices: tuple[Text, ...] = ()
    commit: str | None = None
    dsl_digest: str | None = None
    """Of the app's exports beside the suite, for the record in a baseline."""
    left_out: frozenset[str] = frozenset()
    """Ids of the suite's cases that were not selected: their absence is no removal."""
    extras: Extras = Extras()
    """What the report shows beyond the run: changes of the app, and where the uncut report is."""
    now: Callable[[], datetime] = _utc_now
    warn: Callable[[Text], None] = lambda _: None
    asked: RunResult | None = None
    """Results to go on from, in place of asking the suite."""
    shard: bool = False
    """A part of a run: floors are the whole suite's."""
    preview: Previewing | None = None
    """Whose preview app `dsl.preview` asks for, and how to sign in."""
    dsl_before: Mapping[str, bytes] = field(default_factory=dict)
    """The DSL files as the base has them, by today's names: what `dsl.bisect` applies single changes to."""
    private: Path | None = None
    """Where journal and uncut results go when everybody may read `out`; None: they go there."""

    @property
    def papers(self) -> Path:
        """The folder of whatever holds the words of app and judge."""
        return self.private or self.out
