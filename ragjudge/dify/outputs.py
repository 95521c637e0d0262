"""Which output of a workflow is the answer and which holds the passages: by config, else by a sensible guess."""

import json
from collections.abc import Mapping
from dataclasses import replace

from ragjudge.dify.passages import Evidence, looks_like_passages, of_output, shows_nothing
from ragjudge.dify.redaction import said
from ragjudge.dify.wire import clean, list_of, mapping_of, text_of

ABSENT = object()
"""What stands at a path that the outputs do not have; an output may itself be null."""
_ANSWER_NAMES = ("answer", "text", "output", "result", "response", "回答", "answers")


def at_path(outputs: Mapping[str, object], path: str) -> object:
    """The value at `outputs.a.b.0` (the leading `outputs` may be left out); ABSENT where there is none."""
    steps = path.split(".")
    value: object = outputs
    for step in steps[1:] if steps[0] == "outputs" and "outputs" not in outputs else steps:
        if isinstance(value, list):
            items = list_of(value)
            value = items[int(step)] if step.isdecimal() and int(step) < len(items) else ABSENT
        else:
            value = mapping_of(value).get(step, ABSENT)
    return value


def answer_in(outputs: Mapping[str, object], path: str | None) -> str | None:
    """The answer's text; None where the config names nothing that exists, or no guess is safe.

    The guess: the only text among the outputs; else one with a usual name; else the only output of all.
    """
    if path is not None:
        value = at_path(outputs, path)
        if value is ABSENT:
            return None
        return "" if value is None else as_text(value)
    texts = {name: text_of(value) for name, value in outputs.items() if isinstance(value, str)}
    if len(texts) == 1:
        return next(iter(texts.values()))
    for name in _ANSWER_NAMES:
        if name in texts:
            return texts[name]
    others = [value for value in outputs.values() if not looks_like_passages(value)]
    return as_text(others[0]) if not texts and len(others) == 1 else None


def with_outputs(evidence: Evidence, outputs: Mapping[str, object], path: str | None) -> Evidence:
    """The evidence with the passages among a finished workflow's outputs: by config, else by guess.

    An empty output of the configured name tells that the retrieval found nothing.
    """
    if path is None:
        guessed = next((value for value in outputs.values() if looks_like_passages(value)), None)
        return replace(evidence, outputs=of_output(guessed))
    value = at_path(outputs, path)
    if items := of_output(value):
        return replace(evidence, outputs=items)
    if shows_nothing(value):
        return replace(evidence, retrieval_ran=True)
    trouble = "no_such_output" if value is ABSENT else "output_without_passages"
    named = said(f"{path}; outputs: {', '.join(outputs) or '-'}")
    return replace(evidence, unusable_output=f"{trouble}:{named}")


def as_text(value: object) -> str:
    return clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def read_outputs(value: object) -> Mapping[str, object]:
    """A run detail's outputs: an object, or (1.9) a JSON string of one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return mapping_of(value)
