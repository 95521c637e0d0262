"""The container's first line: the action's main, and its exit code."""

from ragjudge.action import main
from ragjudge.process import collect_rarely, leave

if __name__ == "__main__":
    collect_rarely()
    leave(main())
