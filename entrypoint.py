"""The container's first line: the action's main, and its exit code."""

import gc
import sys

from ragjudge.__main__ import COLLECT_RARELY
from ragjudge.action import main

if __name__ == "__main__":
    gc.set_threshold(*COLLECT_RARELY)
    sys.exit(main())
