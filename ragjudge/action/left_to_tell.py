"""What a run without keys leaves for the second half of the fork-safe pair, which may comment: `fork_comment`."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from ragjudge.errors import MustChange, RagjudgeError, UsageFault
from ragjudge.github import fork_run
from ragjudge.github.context import EventContext
from ragjudge.github.inputs import Inputs
from ragjudge.publish import write_file

KEYS = ("dify-api-key", "dify-console-password", "judge-api-key")


def leave(
    out: Path, redact: Callable[[str], str], *, suite: str = "", cases: int = 0, problems: Iterable[str] = ()
) -> None:
    """Raises UsageFault where the folder cannot be written to."""
    write_file(out / fork_run.FILE, redact(fork_run.Found(suite, cases, tuple(problems)).dumps()))


def leave_fault(
    error: RagjudgeError,
    problems: Iterable[str],
    context: EventContext,
    inputs: Inputs,
    redact: Callable[[str], str],
) -> None:
    """A fault of suite, settings or DSL that ended a run without keys. What is told already is not made worse."""
    without_keys = context.without_secrets and not any(inputs.get(name) for name in KEYS)
    if without_keys and isinstance(error, MustChange):
        with suppress(UsageFault):
            leave(Path(inputs.out), redact, problems=problems)
