"""Regular expressions of a suite, searched within a bound of time.

Python's `re` can run for years on a few dozen characters and can't be interrupted from outside. A pattern with more
than one repetition, or a long text, is therefore searched in a process of its own that is ended after the limit.
"""

import re
import subprocess
import sys
import warnings

LIMIT_S = 5.0
_SHORT = 5_000
_BACK_REFERENCE = re.compile(r"\\[1-9]|\(\?P=")
_CHILD = (
    "import re, sys, json; pattern, text = json.load(sys.stdin); "
    "sys.stdout.write('1' if re.search(pattern, text) else '0')"
)


class TookTooLong(Exception):
    """The search was given up."""


def fault(pattern: str) -> str | None:
    """What is wrong with a pattern, in Python's words; None where it compiles."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError, Warning) as wrong:
        return str(wrong)
    return None


def found(pattern: str, text: str, *, limit_s: float = LIMIT_S) -> bool:
    """Does the pattern occur in the text? Raises TookTooLong after `limit_s` seconds."""
    if len(text) <= _SHORT and _is_quick(pattern):
        return re.search(pattern, text) is not None
    return _found_apart(pattern, text, limit_s)


def _is_quick(pattern: str) -> bool:
    """At most one repetition and no back reference: at worst the square of the text's length."""
    return sum(pattern.count(mark) for mark in "*+?{") <= 1 and not _BACK_REFERENCE.search(pattern)


def _found_apart(pattern: str, text: str, limit_s: float) -> bool:
    import json

    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and program; the pattern is data on stdin
            [sys.executable, "-I", "-S", "-c", _CHILD],
            input=json.dumps([pattern, text]),
            capture_output=True,
            encoding="ascii",
            timeout=limit_s,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise TookTooLong from None
    return done.stdout == "1"
