"""What the process tells its caller. Documented in the README; tests pin each."""

from enum import IntEnum


class ExitCode(IntEnum):
    """One number per kind of ending, so that a workflow can act on it."""

    OK = 0
    FAILED = 1
    """Regression beyond tolerance, or below a minimum."""
    MUST_CHANGE = 2
    """The user must change something: usage, config, suite, key, model, budget."""
    CANNOT_TELL = 3
    """Inconclusive: try later. Unreachable, outage, quota, too much unscored."""
    BUG = 70
    """Our fault (EX_SOFTWARE of sysexits.h)."""
    INTERRUPTED = 130
    TERMINATED = 143
