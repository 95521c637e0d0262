"""results.json: the record of a run as bytes and back."""

from typing import Any

from pydantic import ValidationError

from ragjudge.language import Text
from ragjudge.results.memory import collecting_later
from ragjudge.results.run import SCHEMA_VERSION, RunResult
from ragjudge.results.soundness import fault_in
from ragjudge.results.stored import Format, pack, refuse_damaged, unpack

RESULTS = Format(
    kind="ragjudge-results",
    version=SCHEMA_VERSION,
    migrations={},
    cure=Text("Run `ragjudge run` again to make it anew.", "`ragjudge run` で作り直してください。"),
)


def dumps(run: RunResult) -> bytes:
    """The same bytes for the same run, with one case per line."""
    with collecting_later():
        return pack(RESULTS, head_of(run), run.cases)


def loads(data: bytes, *, place: str = "results.json") -> RunResult:
    """Raises `StoredFileFault` for a damaged or newer file; `place` is how the user knows it."""
    with collecting_later():
        return run_from(RESULTS, unpack(RESULTS, data, place=place), place)


def head_of(run: RunResult) -> dict[str, Any]:
    """Everything but the cases, as plain JSON."""
    return run.model_dump(mode="json", exclude={"cases", "schema_version"})


def run_from(form: Format, fields: dict[str, Any], place: str) -> RunResult:
    """A run out of plain JSON at today's version."""
    try:
        run = RunResult.model_validate({**fields, "schema_version": SCHEMA_VERSION})
    except ValidationError as error:
        first = error.errors()[0]
        refuse_damaged(form, place, f"{'.'.join(str(p) for p in first['loc'])}: {first['msg']}")
    fault = fault_in(run)
    if fault is not None:
        refuse_damaged(form, place, fault)
    return run
