"""Run as the workspace's owner instead of root, which is what GitHub starts container actions as.

Files that root leaves in the workspace of a self-hosted runner can't be removed by its next job:
https://github.com/actions/runner/issues/434
"""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

ROOT = 0


def step_down(workspace: Path, needed: Iterable[Path]) -> bool:
    """Become the owner of the workspace for good. `needed` are files that must stay writable.

    False, with nothing changed, where we are not root, root owns the workspace, or a file would be out of reach.
    """
    if not hasattr(os, "setuid") or os.getuid() != ROOT:
        return False
    owner = workspace.stat()
    if owner.st_uid == ROOT or not all(_writable_by(owner.st_uid, path) for path in needed):
        return False
    os.setgroups([])
    os.setgid(owner.st_gid)
    os.setuid(owner.st_uid)
    return True


def _writable_by(uid: int, path: Path) -> bool:
    try:
        found = path.stat()
    except OSError:
        return False
    return found.st_uid == uid or bool(found.st_mode & stat.S_IWOTH)
