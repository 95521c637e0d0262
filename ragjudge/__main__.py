"""`python -m ragjudge` and the `ragjudge` command."""

import gc
import io
import sys

COLLECT_RARELY = (50_000, 20, 20)
"""Importing the clients makes hundreds of thousands of objects that all stay: looking through them again and again
costs a third of the start."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    gc.set_threshold(*COLLECT_RARELY)
    from ragjudge.cli.main import run
    from ragjudge.exit_codes import ExitCode
    from ragjudge.stopping import Stopping

    for stream in (sys.stdout, sys.stderr):
        # A Japanese Windows redirects in cp932, which has no ✅: a mark less is better than a crash.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    stopping = Stopping()
    stopping.listen()
    code = run(sys.argv[1:])
    sys.exit(ExitCode.TERMINATED if stopping.terminated and code == ExitCode.INTERRUPTED else code)


if __name__ == "__main__":
    main()
