"""The action's front door: GitHub's event and the INPUT_* variables become one job, its report and an exit code.

`story` tells it; `configure` joins the settings, `jobs` does what was asked, `telling` tells GitHub.
"""


def main() -> int:
    """One run of the action, in the environment that GitHub gives a container: the exit code."""
    from ragjudge.action.story import main as story

    return story()
