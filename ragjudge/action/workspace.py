"""Run as the workspace's owner instead of root, which is what GitHub starts container actions as.

Files that root leaves in the workspace of a self-hosted runner can't be removed by its next job:
https://github.com/actions/runner/issues/434
"""

import os
from pathlib import Path

ROOT = 0


def step_down(workspace: Path) -> bool:
    """Become the owner of the workspace for good. False where we are not root, or root owns it too."""
    if not hasattr(os, "setuid") or os.getuid() != ROOT:
        return False
    owner = workspace.stat()
    if owner.st_uid == ROOT:
        return False
    os.setgroups([])
    os.setgid(owner.st_gid)
    os.setuid(owner.st_uid)
    return True
