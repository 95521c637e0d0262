"""Files as another revision of the user's Git repository has them."""

import subprocess

from ragjudge.errors import Place, Problem, UsageFault
from ragjudge.language import Text

_TIMEOUT_S = 30


def show(revision: str, file: str) -> bytes:
    """A file of a revision; the path counts from the repository's root, or with `./` from here. Raises UsageFault."""
    name = f"{revision}:{file}"
    if revision.startswith("-"):
        raise unreadable(name, "")
    found = _git("show", name)
    if found is None or found.returncode != 0:
        raise unreadable(name, found.stderr.decode("utf-8", "replace").strip() if found else "git")
    return found.stdout


def branching_point(revision: str) -> str:
    """Where HEAD left `revision`; the revision itself where they share no history. Raises UsageFault."""
    if revision.startswith("-"):
        raise unreadable(revision, "")
    known = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if known is None or known.returncode != 0:
        raise unreadable(revision, Text("no such revision", "そのリビジョンはありません"))
    found = _git("merge-base", known.stdout.decode().strip(), "HEAD")
    return (found if found is not None and found.returncode == 0 else known).stdout.decode().strip()


def before(revision: str, file: str) -> bytes | None:
    """A file named from here as `revision` (a commit's id) has it; None where it has none."""
    found = _git("show", f"{revision}:./{file}")
    return found.stdout if found is not None and found.returncode == 0 else None


def names(revision: str) -> tuple[str, ...]:
    """Every file of `revision` (a commit's id) below this folder, as named from here."""
    found = _git("ls-tree", "-r", "-z", "--name-only", revision)
    listed = found.stdout if found is not None and found.returncode == 0 else b""
    return tuple(name.decode("utf-8", "replace") for name in listed.split(b"\0") if name)


def unreadable(name: str, why: str | Text) -> UsageFault:
    en, ja = (why.en, why.ja) if isinstance(why, Text) else (why, why)
    problem = Problem(Text(f"cannot be read: {en}", f"読み込めません: {ja}"), Place(name))
    return UsageFault(Text(problem.in_language("en"), problem.in_language("ja")))


def _git(*arguments: str) -> "subprocess.CompletedProcess[bytes] | None":
    try:
        return subprocess.run(  # noqa: S603 - no shell, and callers let no revision begin with a dash
            ["git", *arguments],  # noqa: S607 - the user's own git
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
