"""The action's front door: GitHub's event and the INPUT_* variables become one job, its report and an exit code.

`story` tells it; `configure` joins the settings, `jobs` does what was asked, `telling` tells GitHub.
"""

import traceback

from ragjudge.exit_codes import ExitCode


def main() -> int:
    """One run of the action, in the environment that GitHub gives a container: the exit code.

    Python's own exit code for a crash is 1, which would read as "the app got worse".
    """
    try:
        from ragjudge.action.story import main as story

        return story()
    except Exception:  # noqa: BLE001 - the edge: a broken installation is our bug, never the app's regression
        traceback.print_exc()
        return ExitCode.BUG
