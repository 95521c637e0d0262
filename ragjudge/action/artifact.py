"""The folder that workflows upload, where everybody may download it."""

import shutil
from pathlib import Path

from ragjudge import publish
from ragjudge.baseline.codec import without_answers
from ragjudge.publish import PREVIOUS, write_file
from ragjudge.redaction import Redactor
from ragjudge.results import codec
from ragjudge.results.run import RunResult


def keep_numbers_of_what_is_left(out: Path, redact: Redactor) -> None:
    """As `keep_numbers_only`, after an error: a run may have been stored before it was refused."""
    left = out / publish.RESULTS
    if left.is_file():
        keep_numbers_only(out, codec.loads(left.read_bytes(), place=str(left)), redact)


def keep_numbers_only(out: Path, run: RunResult, redact: Redactor) -> None:
    """What `report.content: scores` asks for: no answer, passage or judge's words in any file."""
    fresh = run.model_copy(
        update={"cases": tuple(c.model_copy(update={"samples": c.confirmations}) for c in run.cases)}
    )
    confirmed = [case.samples for case in without_answers(fresh).cases]
    bare = without_answers(run)
    cases = tuple(
        case.model_copy(update={"confirmations": samples})
        for case, samples in zip(bare.cases, confirmed, strict=True)
    )
    data = codec.dumps(bare.model_copy(update={"cases": cases})).decode()
    write_file(out / publish.RESULTS, redact(data))
    for journal in out.glob("journal*.jsonl"):
        journal.unlink()
    shutil.rmtree(out / PREVIOUS, ignore_errors=True)
