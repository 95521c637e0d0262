"""The action's front door: GitHub's event and the INPUT_* variables become one job, its report and an exit code.

`main` tells the story; `configure` joins the settings, `workspace` is the user whose files we touch.
"""

from ragjudge.action.main import main

__all__ = ["main"]
