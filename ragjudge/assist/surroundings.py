"""What is already there when a project begins: test cases, DSL exports, the default branch."""

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ragjudge.errors import SuiteFault
from ragjudge.suite import Suite, load

_SKIPPED = frozenset({"node_modules", "venv", "dist", "build", "__pycache__", "site-packages"})
_MAX_FILES = 5_000
_MAX_BYTES = 5_000_000
_SUITE_FOLDERS = ("tests/rag", "rag", "tests", "test", "suite", ".")
_SUITE_KINDS = ("xlsx", "csv", "json", "jsonl", "yaml", "yml")
_APP = re.compile(rb"^kind: app\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`suite` is a pattern whose files load as a suite; `dsl` are patterns of DSL exports."""

    suite: str | None
    cases: Suite | None
    dsl: tuple[str, ...]
    branch: str


def look_around(folder: Path) -> Surroundings:
    """Reads, and asks git for the branch; writes nothing."""
    pattern, suite = next(_suites(folder), (None, None))
    return Surroundings(pattern, suite, _dsl(folder), _branch(folder))


def _suites(folder: Path) -> Iterator[tuple[str, Suite]]:
    """The first folder and kind whose files load as one suite."""
    for name in _SUITE_FOLDERS:
        for kind in _SUITE_KINDS:
            pattern = f"*.{kind}" if name == "." else f"{name}/*.{kind}"
            if not any((folder / name).glob(f"*.{kind}")):
                continue
            try:
                yield pattern, load([pattern], base_dir=folder)
            except SuiteFault:
                continue


def _dsl(folder: Path) -> tuple[str, ...]:
    found = [path for path in _yaml_files(folder) if _is_dsl(folder / path)]
    by_folder: dict[PurePosixPath, list[PurePosixPath]] = {}
    for path in found:
        by_folder.setdefault(path.parent, []).append(path)
    return tuple(
        str(paths[0]) if len(paths) == 1 else str(parent / f"*{paths[0].suffix}")
        for parent, paths in sorted(by_folder.items())
    )


def _yaml_files(folder: Path) -> Iterator[PurePosixPath]:
    seen = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
        for name in sorted(names):
            seen += 1
            if seen > _MAX_FILES:
                return
            if name.endswith((".yml", ".yaml")):
                yield PurePosixPath(Path(parent, name).relative_to(folder).as_posix())


def _is_dsl(path: Path) -> bool:
    try:
        return path.stat().st_size <= _MAX_BYTES and bool(_APP.search(path.read_bytes()))
    except OSError:
        return False


def _branch(folder: Path) -> str:
    """The remote's default branch, else the current one, else `main`."""
    for arguments in (
        ("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"),
        ("symbolic-ref", "--quiet", "--short", "HEAD"),
    ):
        name = _git(folder, *arguments).removeprefix("origin/")
        if name:
            return name
    return "main"


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - no shell, fixed arguments
            ["git", *arguments],  # noqa: S607 - the user's own git
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
