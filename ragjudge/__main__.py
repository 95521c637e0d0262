"""`python -m ragjudge` and the `ragjudge` command."""

import io
import sys

from ragjudge.process import collect_rarely, leave


def main() -> None:
    """Run the command line and leave with its exit code."""
    collect_rarely()
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
    leave(ExitCode.TERMINATED if stopping.terminated and code == ExitCode.INTERRUPTED else code)


if __name__ == "__main__":
    main()
