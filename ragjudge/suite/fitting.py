"""Does a suite fit the settings? Found before the first question is sent."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ragjudge.errors import Problem
from ragjudge.language import Text
from ragjudge.settings import Settings, known_metrics
from ragjudge.settings.rules import taken_by_baseline
from ragjudge.settings.suggestions import did_you_mean
from ragjudge.suite.case import Case, Suite
from ragjudge.suite.columns import Columns
from ragjudge.suite.loading import gathered, place_of
from ragjudge.suite.templates import names_used, template_problems


def load_fitting(settings: Settings, base_dir: Path) -> Suite:
    """The suite of the settings, read and checked against them.

    Raises `SuiteFault` with everything that is wrong: with its files, and with how it fits.
    """
    columns = Columns(settings.columns, filling=names_used(settings.app.inputs))
    found = gathered(settings.suite, columns, base_dir)
    return found.sound(misfits(found.cases, settings, base_dir))


def misfits(cases: Sequence[Case], settings: Settings, base_dir: Path) -> list[Problem]:
    """Templates that a case cannot fill, metrics that do not exist, files that are not there or are the baseline's.

    Skipped cases don't count.
    """
    run = [case for case in cases if case.skip is None]
    return [
        *template_problems(settings.app.inputs, run),
        *_metrics(run, settings),
        *_files(run, base_dir),
        *taken_by_baseline({case.source.file for case in cases if case.source}, settings, None),
    ]


def _metrics(cases: Sequence[Case], settings: Settings) -> Iterator[Problem]:
    known = known_metrics(settings)
    for case in cases:
        for name in case.metrics or ():
            if name not in known:
                yield Problem(
                    Text(
                        f"Case {case.id}: there is no metric named {name[:80]!r}.",
                        f"ケース {case.id}: 「{name[:80]}」という指標はありません。",
                    ),
                    place_of(case.source),
                    did_you_mean(name, known),
                )


def _files(cases: Sequence[Case], base_dir: Path) -> Iterator[Problem]:
    for case in cases:
        for name in (*case.files, *(file for turn in case.turns for file in turn.files)):
            if name[:8].lower().startswith(("http://", "https://")) or _exists(base_dir / name):
                continue
            yield Problem(
                Text(
                    f"Case {case.id}: file {name!r} not found.",
                    f"ケース {case.id}: ファイル「{name}」がありません。",
                ),
                place_of(case.source),
            )


def _exists(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long, or not a path at all
        return False
