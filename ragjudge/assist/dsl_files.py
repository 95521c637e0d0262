"""The DSL exports that `dsl.files` names, all read, all faults at once."""

import fnmatch
import glob
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ragjudge.dsl.load import Dsl, load
from ragjudge.errors import DslFault, Place, Problem
from ragjudge.language import Text, why_not

_CURE = Text(
    "Check the path, which counts from the repository's root, or leave dsl out.",
    "リポジトリのルートからのパスを確認するか、dsl の指定を外してください。",
)


def load_all(patterns: Sequence[str], base_dir: Path) -> tuple[Dsl, ...]:
    """Every export once, in the order of the patterns. Raises `DslFault`."""
    problems: list[Problem] = []
    found: dict[str, Dsl] = {}
    for pattern in patterns:
        names = sorted(matches(pattern, base_dir))
        if not names:
            what = Text(
                f"dsl: no file matches {pattern!r}.", f"dsl: 「{pattern}」に一致するファイルがありません。"
            )
            problems.append(Problem(what, cure=_CURE))
        for name in names:
            if name in found:
                continue
            try:
                found[name] = load((base_dir / name).read_bytes(), name)
            except DslFault as fault:
                problems += fault.problems
            except OSError as error:
                what = Text(
                    f"The file cannot be read ({error.strerror}).",
                    f"ファイルを読めません({why_not(error).ja})。",
                )
                problems.append(Problem(what, Place(name)))
    if problems:
        raise DslFault(problems)
    return tuple(found.values())


def named_by(patterns: Sequence[str], names: Iterable[str]) -> tuple[str, ...]:
    """Those of `names` (paths with `/`, of another revision) that `dsl.files` would name if they were files here."""
    wanted = [pattern.removeprefix("./").split("/") for pattern in patterns]
    return tuple(sorted({name for name in names if any(_fits(name.split("/"), one) for one in wanted)}))


def _fits(name: Sequence[str], pattern: Sequence[str]) -> bool:
    """As `glob` reads a pattern: `**` is any number of folders, and only a dot meets a hidden name."""
    reached = {0}  # how much of the name the pattern's parts so far may have taken
    for part in pattern:
        if part == "**":
            visible = {end for start in reached for end in _onward(name, start)}
            reached |= visible
        else:
            reached = {at + 1 for at in reached if at < len(name) and _meets(name[at], part)}
    return len(name) in reached


def _onward(name: Sequence[str], start: int) -> Iterator[int]:
    for at in range(start, len(name)):
        if name[at].startswith("."):
            return
        yield at + 1


def _meets(name: str, part: str) -> bool:
    return fnmatch.fnmatchcase(name, part) and (not name.startswith(".") or part.startswith("."))


def matches(pattern: str, base_dir: Path) -> Iterator[str]:
    """Names of the files that a pattern of `dsl.files` names, as seen from `base_dir`."""
    if not pattern or "\0" in pattern:
        return
    for name in glob.iglob(pattern, root_dir=base_dir, recursive=True):  # noqa: PTH207 - Path.glob takes no absolute one
        if (base_dir / name).is_file():
            yield Path(name).as_posix()
