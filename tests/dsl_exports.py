"""Our own exports for tests, edited as plain data, and re-exported the way another Dify would write them."""

import copy
import os
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ragjudge.dsl.load import Dsl, load

FOLDER = Path(__file__).parent / "fixtures" / "dsl"
KINDS = ("chatflow", "workflow", "chat", "agent", "completion")
DEMO = Path(__file__).parents[1] / "examples" / "demo"

_IN_TEXT = re.compile(r"\{\{#([^.#{}]+)\.")
_ID_KEYS = {"id", "source", "target", "parentId", "iteration_id", "loop_id", "start_node_id"}

Data = dict[str, Any]
Edit = Callable[[Data], None]


def data_of(kind: str) -> Data:
    """The export as data that a test may change."""
    return copy.deepcopy(_read(kind))


@cache
def _read(kind: str) -> Data:
    return yaml.load((FOLDER / f"{kind}.yml").read_text("utf-8"), Loader=_Loader)


def dsl_of(data: Data, file: str = "app.yml") -> Dsl:
    """As read from a file that Dify wrote."""
    return load(written(data), file)


def written(data: Data, *, sort_keys: bool = True) -> bytes:
    return yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=sort_keys).encode()


def edited(kind: str, edit: Edit) -> tuple[Dsl, Dsl]:
    """An export before and after one edit."""
    old = data_of(kind)
    new = copy.deepcopy(old)
    edit(new)
    return dsl_of(old), dsl_of(new)


def node(data: Data, node_id: str) -> Data:
    """The settings of a node."""
    return next(n["data"] for n in data["workflow"]["graph"]["nodes"] if n["id"] == node_id)


def recordings() -> list[Path]:
    """Exports that real servers wrote, where the recordings are at hand."""
    folder = os.environ.get("RAGJUDGE_RECORDINGS", "")
    return sorted((Path(folder) / "dsl").glob("*.yml")) if folder else []


def reexported(data: Data, seed: int) -> Data:
    """The same app with new ids, another layout, another order of keys, nodes and edges."""
    chance = random.Random(seed)
    new = copy.deepcopy(data)
    graph = new.get("workflow", {}).get("graph", {})
    if graph:
        ids = {n["id"]: str(chance.randrange(10**12, 10**13)) for n in graph["nodes"]}
        new["workflow"] = _renamed(new["workflow"], ids)
        graph = new["workflow"]["graph"]
        for raw in graph["nodes"]:
            raw["position"] = raw["positionAbsolute"] = {"x": chance.random(), "y": chance.random()}
            raw["width"], raw["selected"] = chance.randrange(500), chance.random() < 0.5
            raw["data"]["selected"] = True
        for raw in graph["edges"]:
            raw["id"], raw["zIndex"] = str(chance.random()), chance.randrange(9)
        chance.shuffle(graph["nodes"])
        chance.shuffle(graph["edges"])
        graph["viewport"] = {"x": chance.random(), "y": 0, "zoom": chance.random()}
        for name in ("environment_variables", "conversation_variables"):
            for variable in new["workflow"].get(name) or []:
                variable["id"] = str(chance.random())
    return _reordered(_fresh_ids(new, chance), chance)


def _renamed(value: Any, ids: dict[str, str], key: str = "") -> Any:
    if isinstance(value, str):
        if key in _ID_KEYS:
            return ids.get(value, value)
        return _IN_TEXT.sub(lambda m: "{{#" + ids.get(m[1], m[1]) + ".", value)
    if isinstance(value, list):
        if len(value) > 1 and value[0] in ids if all(isinstance(v, str) for v in value) and value else False:
            return [ids[value[0]], *value[1:]]
        return [_renamed(item, ids) for item in value]
    if isinstance(value, dict):
        return {k: _renamed(v, ids, k) for k, v in value.items()}
    return value


def _fresh_ids(value: Any, chance: random.Random) -> Any:
    """Ids of prompts and conditions."""
    if isinstance(value, dict):
        inner = {k: _fresh_ids(v, chance) for k, v in value.items()}
        if "role" in inner or "comparison_operator" in inner:
            inner["id"] = str(chance.random())
        return inner
    return [_fresh_ids(item, chance) for item in value] if isinstance(value, list) else value


def _reordered(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        chance.shuffle(keys)
        return {key: _reordered(value[key], chance) for key in keys}
    return [_reordered(item, chance) for item in value] if isinstance(value, list) else value


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Only what YAML 1.2 types, as Dify's own reader does for these files."""


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):
    """Quotes what a reader of YAML 1.2 would take for a number, and writes no aliases."""

    def ignore_aliases(self, data: object) -> bool:
        return True
