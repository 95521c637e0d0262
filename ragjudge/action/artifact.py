"""The folder that workflows upload, where everybody may download it."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ragjudge import publish
from ragjudge.baseline.codec import without_texts
from ragjudge.github.commands import Runner
from ragjudge.publish import PREVIOUS, write_file
from ragjudge.results import codec

_WITH_TEXTS = (publish.RESULTS, *publish.REPORTS, "journal*.jsonl", "cache/verdicts.sqlite*", "baseline/*")


@contextmanager
def numbers_only(out: Path, runner: Runner) -> Iterator[Path]:
    """What `report.content: scores` asks for: no answer, passage or judge's words in any file, at any moment.

    Hands out a folder of this process alone for what holds them while the run lasts. However it ends, `out` has the
    numbers of the results that there are by then; a process that is killed leaves none.
    """
    publish.prepare_folder(out)
    _clear(out)
    with tempfile.TemporaryDirectory(prefix="ragjudge-") as private:
        try:
            yield Path(private)
        finally:
            shutil.rmtree(out / PREVIOUS, ignore_errors=True)
            left = Path(private) / publish.RESULTS
            if left.is_file():
                run = codec.loads(left.read_bytes(), place=str(left))
                write_file(out / publish.RESULTS, runner.redact(codec.dumps(without_texts(run)).decode()))


def _clear(out: Path) -> None:
    """Take away what an earlier run, perhaps under another setting, left in a kept workspace or a restored cache."""
    for pattern in _WITH_TEXTS:
        for file in out.glob(pattern):
            file.unlink()
    shutil.rmtree(out / PREVIOUS, ignore_errors=True)
