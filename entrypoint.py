"""The container's first line: the action's main, and its exit code."""

import sys

from ragjudge.action import main

if __name__ == "__main__":
    sys.exit(main())
