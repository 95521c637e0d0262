"""What a user wrote as `suite:` → the files it names, in a stable order."""

import glob
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ragjudge.errors import Problem
from ragjudge.language import Text

SUFFIXES = (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".csv", ".tsv", ".xlsx", ".xlsm")
MAX_FILES = 2_000


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """`shown` is the path as messages give it: relative to where the user works, with `/`."""

    path: Path
    shown: str
    sheet: str | None = None


def find(patterns: Sequence[str], base_dir: Path, problems: list[Problem]) -> list[SuiteFile]:
    """Files of all patterns, each once. What names nothing is added to `problems`."""
    found: dict[tuple[Path, str | None], SuiteFile] = {}
    for pattern in patterns:
        files = _of_pattern(pattern, base_dir)
        if not files:
            problems.append(_names_nothing(pattern, base_dir))
        for file in files:
            found.setdefault((file.path, file.sheet), file)
    if len(found) > MAX_FILES:
        what = Text(f"More than {MAX_FILES} files match.", f"一致するファイルが{MAX_FILES}件を超えています。")
        problems.append(Problem(what))
    return list(found.values())[:MAX_FILES]


def naming_files(patterns: Sequence[str], base_dir: Path) -> tuple[str, ...]:
    """Those of the patterns that name a file by now."""
    return tuple(pattern for pattern in patterns if _of_pattern(pattern, base_dir))


def _of_pattern(pattern: str, base_dir: Path) -> list[SuiteFile]:
    paths = _paths(pattern, base_dir)
    if paths:
        return [_file(path, base_dir) for path in paths]
    # A sheet's name may hold the mark, too.
    file, mark, sheet = pattern.rpartition("#")
    while mark:
        if sheet and (paths := _paths(file, base_dir)):
            return [_file(path, base_dir, sheet) for path in paths]
        file, mark, more = file.rpartition("#")
        sheet = f"{more}#{sheet}"
    return []


def _paths(pattern: str, base_dir: Path) -> list[Path]:
    """What a pattern names, however accents and voiced kana of its names are stored (macOS splits them in two)."""
    spellings = dict.fromkeys([pattern, *(unicodedata.normalize(form, pattern) for form in ("NFC", "NFD"))])
    return next((found for spelling in spellings if (found := _matches(spelling, base_dir))), [])


def _matches(pattern: str, base_dir: Path) -> list[Path]:
    if not pattern or "\0" in pattern:
        return []
    path = base_dir / pattern
    try:
        if path.is_file():
            return [path]
        if path.is_dir():
            return sorted(p for p in path.rglob("*") if _is_suite(p))
    except OSError:  # a name longer than the system allows
        return []
    if not glob.has_magic(pattern):
        return []
    # Path.glob refuses absolute patterns.
    matches = (base_dir / p for p in glob.iglob(pattern, root_dir=base_dir, recursive=True))  # noqa: PTH207
    return sorted(p for p in matches if p.is_file() and _is_suite(p))


def _is_suite(path: Path) -> bool:
    """A file of a known kind; not Excel's lock file nor a hidden one."""
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(("~$", ".")) and path.is_file()


def _file(path: Path, base_dir: Path, sheet: str | None = None) -> SuiteFile:
    try:
        shown = path.resolve().relative_to(base_dir.resolve())
    except ValueError:
        shown = path
    # A name that is not UTF-8 must not break results and reports.
    return SuiteFile(path, shown.as_posix().encode("utf-8", "replace").decode(), sheet)


def _names_nothing(pattern: str, base_dir: Path) -> Problem:
    return Problem(
        Text(f"suite: no file matches {pattern!r}.", f"suite: 「{pattern}」に一致するファイルがありません。"),
        cure=Text(
            f"Paths are relative to {base_dir.resolve().as_posix()}; kinds: {', '.join(SUFFIXES)}.",
            f"パスは {base_dir.resolve().as_posix()} からの相対パスです。使える形式: {', '.join(SUFFIXES)}",
        ),
    )
