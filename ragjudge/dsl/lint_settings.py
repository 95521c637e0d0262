"""Settings with which retrieval or model cannot work: text where a number belongs, or a number out of its range.

Exports hold null for "off" and now and then a number in quotes; Dify takes both, so neither is a finding.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from ragjudge.dsl.findings import Finding, Rule
from ragjudge.dsl.graph import graph_of
from ragjudge.dsl.load import Dsl, Path, part
from ragjudge.language import Text

WITH_MODEL = ("llm", "question-classifier", "parameter-extractor")


@dataclass(frozen=True, slots=True)
class _Number:
    """What a number must be. `least` and `most` are inclusive; outside of them Dify may still run (a warning)."""

    name: str
    whole: bool = False
    least: float = -math.inf
    most: float = math.inf
    refused_below: float = -math.inf


_RETRIEVAL = (
    _Number("top_k", whole=True, refused_below=1),
    _Number("score_threshold", least=0, most=1),
)
_VECTOR = (_Number("vector_weight", least=0, most=1),)
_KEYWORD = (_Number("keyword_weight", least=0, most=1),)
_MODEL = (
    _Number("temperature", refused_below=0),
    _Number("top_p", least=0, most=1),
    _Number("presence_penalty"),
    _Number("frequency_penalty"),
    _Number("max_tokens", whole=True),
)


def settings(dsl: Dsl) -> Iterator[Finding]:
    """Of retrieval nodes and models of a graph, or of a basic app's config."""
    if not dsl.is_graph:
        yield from _basic(dsl)
        return
    found = graph_of(dsl)
    for node in found.of_type("knowledge-retrieval"):
        path: Path = (*node.path, "data")
        yield from _list(dsl, node.data, path, "dataset_ids")
        yield from _retrieval(dsl, node.data, path, "multiple_retrieval_config")
    for node in found.of_type(*WITH_MODEL):
        yield from _model(dsl, node.data, (*node.path, "data"))


def _basic(dsl: Dsl) -> Iterator[Finding]:
    config = part(dsl.root, "model_config")
    path: Path = ("model_config",)
    yield from _model(dsl, config, path)
    retrieval = part(config, "dataset_configs")
    if retrieval.get("score_threshold_enabled") is not True:
        # Then it is not looked at by Dify either.
        config = (
            {**config, "dataset_configs": {**retrieval, "score_threshold": None}} if retrieval else config
        )
    yield from _retrieval(dsl, config, path, "dataset_configs")
    path = (*path, "dataset_configs")
    yield from _mapping(dsl, retrieval, path, "datasets")
    yield from _list(dsl, part(retrieval, "datasets"), (*path, "datasets"), "datasets")


def _retrieval(dsl: Dsl, data: Mapping[str, JsonValue], path: Path, name: str) -> Iterator[Finding]:
    yield from _mapping(dsl, data, path, name)
    config, path = part(data, name), (*path, name)
    yield from _numbers(dsl, config, path, _RETRIEVAL)
    for inner, wanted in (("vector_setting", _VECTOR), ("keyword_setting", _KEYWORD)):
        yield from _numbers(dsl, part(config, "weights", inner), (*path, "weights", inner), wanted)


def _model(dsl: Dsl, data: Mapping[str, JsonValue], path: Path) -> Iterator[Finding]:
    model, path = part(data, "model"), (*path, "model")
    yield from _mapping(dsl, model, path, "completion_params")
    yield from _numbers(dsl, part(model, "completion_params"), (*path, "completion_params"), _MODEL)


def _mapping(dsl: Dsl, data: Mapping[str, JsonValue], path: Path, name: str) -> Iterator[Finding]:
    if not isinstance(data.get(name), dict | None):
        yield _bad(dsl, (*path, name), Text("is no mapping of settings", "設定の形式ではありません"))


def _list(dsl: Dsl, data: Mapping[str, JsonValue], path: Path, name: str) -> Iterator[Finding]:
    if not isinstance(data.get(name), list | None):
        yield _bad(dsl, (*path, name), Text("is no list", "リストではありません"))


def _numbers(
    dsl: Dsl, data: Mapping[str, JsonValue], path: Path, wanted: tuple[_Number, ...]
) -> Iterator[Finding]:
    for one in wanted:
        value = data.get(one.name)
        if value is None or value == "":
            continue
        number = _number(value)
        here = (*path, one.name)
        if number is None:
            yield _bad(dsl, here, Text("is no number", "数値ではありません"))
        elif one.whole and not number.is_integer():
            yield _bad(dsl, here, Text("is no whole number", "整数ではありません"))
        elif number < one.refused_below:
            least = f"{one.refused_below:g}"
            yield _bad(
                dsl, here, Text(f"is {number:g}, below {least}", f"{number:g} です({least} 以上が必要)")
            )
        elif not one.least <= number <= one.most:
            yield _outside(dsl, here, number, one)


def _number(value: JsonValue) -> float | None:
    """A finite number, also one in quotes; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _bad(dsl: Dsl, path: Path, what: Text) -> Finding:
    """The value itself is not repeated: text in a wrong place may be anything."""
    name = path[-1]
    return Finding(
        Rule.BAD_SETTING,
        Text(
            f"{name} {what.en}: Dify can't work with it.", f"{name} が{what.ja}。このままでは動作しません。"
        ),
        dsl.place(*path),
        Text("Set it in Dify, then export again.", "Difyで設定し直し、エクスポートしてください。"),
    )


def _outside(dsl: Dsl, path: Path, number: float, wanted: _Number) -> Finding:
    limits = f"{wanted.least:g}–{wanted.most:g}"
    return Finding(
        Rule.OUT_OF_RANGE,
        Text(
            f"{wanted.name} is {number:g}, outside of {limits}.",
            f"{wanted.name} が {number:g} です(範囲は {limits})。",
        ),
        dsl.place(*path),
        Text("Set it in Dify, then export again.", "Difyで設定し直し、エクスポートしてください。"),
    )
