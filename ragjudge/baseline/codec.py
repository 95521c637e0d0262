"""The baseline as bytes and back: versioned, deterministic, one case per line."""

import hashlib
import json
import re
from typing import Any

from pydantic import ValidationError

from ragjudge.errors import DamagedFile, StoredFileFault
from ragjudge.language import Text
from ragjudge.results.answer import Answer, Context, Contexts, Retrieved
from ragjudge.results.baseline import Baseline
from ragjudge.results.codec import head_of, run_from
from ragjudge.results.memory import collecting_later
from ragjudge.results.outcome import Outcome, Scored
from ragjudge.results.run import CaseResult, RunResult, Sample
from ragjudge.results.stored import Format, pack, refuse_damaged, unpack

_NO_NAMES = {"title": None, "document_name": None, "dataset_name": None}

BASELINE = Format(
    kind="ragjudge-baseline",
    version=1,
    migrations={},
    cure=Text(
        "Bring back its last good version (git log), or replace it by a new one: `ragjudge baseline update --accept`.",
        "gitの履歴から正常な版に戻すか、`ragjudge baseline update --accept` で作り直してください。",
    ),
)

_MARK = re.compile(rb'"kind"\s*:\s*"ragjudge-baseline"')
_BEGINNING = b'{\n"kind": "ragjudge-baseline",'
_BLANK = b" \t\r\n\0\xef\xbb\xbf"


def dumps(baseline: Baseline) -> bytes:
    """The same bytes for the same baseline. Without its answers where the baseline says so."""
    run = baseline.run if baseline.answers_stored else without_answers(baseline.run)
    head = {
        **baseline.model_dump(mode="json", exclude={"run"}),
        "run": head_of(run),
    }
    with collecting_later():
        return pack(BASELINE, head, run.cases)


def loads(data: bytes, *, place: str) -> Baseline:
    """`place` is how the user knows the file.

    Raises `StoredFileFault` for a newer file and for one that never was a baseline, `DamagedFile` where it was one.
    """
    try:
        return _loaded(data, place)
    except DamagedFile:
        if _was_a_baseline(data):
            raise
    raise StoredFileFault(
        Text(f"{place} is no baseline.", f"{place} はベースラインのファイルではありません。"),
        hint=Text(
            "It is left as it is. Name another file in baseline.store; a new one is made by the first update.",
            "このファイルには書き込みません。baseline.store に別のファイルを指定してください"
            "(最初の更新のときに作られます)。",
        ),
    )


def _was_a_baseline(data: bytes) -> bool:
    """Whole, it says what it is; else its own mark is still in it, or so little that nothing of anybody is lost."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return _MARK.search(data) is not None or _BEGINNING.startswith(data.strip(_BLANK))
    return isinstance(document, dict) and document.get("kind") == BASELINE.kind


def _loaded(data: bytes, place: str) -> Baseline:
    with collecting_later():
        fields = unpack(BASELINE, data, place=place)
        head = fields.pop("run", None)
        cases = fields.pop("cases", None)
        if not isinstance(head, dict) or not isinstance(cases, list):
            refuse_damaged(BASELINE, place, "the run is missing")
        run = run_from(BASELINE, {**head, "cases": cases}, place)
        return _baseline(fields, run, place)


def found(data: bytes | None, *, place: str, replace_damaged: bool = False) -> Baseline | None:
    """What a store found. None where there is nothing, or nothing readable and that is to be replaced."""
    if data is None:
        return None
    try:
        return loads(data, place=place)
    except DamagedFile:
        if replace_damaged:
            return None
        raise


def without_answers(run: RunResult) -> RunResult:
    """Scores stay; answers, passages and what the judge quoted of them become digests or go."""
    cases = tuple(
        CaseResult(case=c.case, samples=tuple(_digested(s) for s in c.samples), confirmations=())
        for c in run.cases
    )
    return run.model_copy(update={"cases": cases, "pairs": ()})


def without_texts(run: RunResult) -> RunResult:
    """As `without_answers`, also for confirmations; cases, documents and failures keep nothing that anybody wrote."""
    cases = tuple(
        CaseResult(
            case=c.case.without_texts(),
            samples=tuple(_bare(s) for s in c.samples),
            confirmations=tuple(_bare(s) for s in c.confirmations),
        )
        for c in run.cases
    )
    return run.model_copy(update={"cases": cases, "pairs": ()})


def _bare(sample: Sample) -> Sample:
    digested = _digested(sample)
    failure = sample.failure and sample.failure.model_copy(update={"detail": ""})
    answer = digested.answer
    if answer is not None and isinstance(answer.contexts, Retrieved):
        unnamed = tuple(c.model_copy(update=_NO_NAMES) for c in answer.contexts.items)
        contexts = answer.contexts.model_copy(update={"items": unnamed})
        answer = answer.model_copy(update={"contexts": contexts})
    return digested.model_copy(update={"answer": answer, "failure": failure})


def _baseline(fields: dict[str, Any], run: RunResult, place: str) -> Baseline:
    try:
        return Baseline.model_validate({**fields, "run": run})
    except ValidationError as error:
        first = error.errors()[0]
        refuse_damaged(BASELINE, place, f"{'.'.join(str(p) for p in first['loc'])}: {first['msg']}")


def _digested(sample: Sample) -> Sample:
    answer = sample.answer
    scores = {metric: _unquoted(outcome) for metric, outcome in sample.scores.items()}
    return sample.model_copy(update={"answer": answer and _digested_answer(answer), "scores": scores})


def _digested_answer(answer: Answer) -> Answer:
    contexts = _digested_contexts(answer.contexts)
    return answer.model_copy(update={"text": _digest(answer.text), "raw": None, "contexts": contexts})


def _digested_contexts(contexts: Contexts) -> Contexts:
    if not isinstance(contexts, Retrieved):
        return contexts
    return contexts.model_copy(update={"items": tuple(_digested_context(c) for c in contexts.items)})


def _digested_context(context: Context) -> Context:
    return context.model_copy(update={"content": _digest(context.content)})


def _unquoted(outcome: Outcome) -> Outcome:
    if isinstance(outcome, Scored):
        return outcome.model_copy(update={"reason": "", "comments": {}})
    return outcome.model_copy(update={"detail": ""})


def _digest(text: str) -> str:
    if text.startswith("sha256:"):
        return text
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
