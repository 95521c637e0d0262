"""Knowledge bases that an export names and the workspace lacks: the server takes it and answers without passages."""

from collections.abc import Iterator, Mapping
from typing import Any

from ragjudge.dify.console.console import Console
from ragjudge.dify.console.values import Version
from ragjudge.dsl.load import items, part
from ragjudge.errors import Problem
from ragjudge.language import Text
from ragjudge.preview.document import Document

Path = tuple[str | int, ...]

_MOST = 50
FOREIGN = Text(
    "Export the app from the workspace in which it is judged, or choose its knowledge there and export again.",
    "評価に使うワークスペースからエクスポートするか、そこでナレッジを選び直してエクスポートしてください。",
)


def named(data: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Where an export says `dataset: {id}`, and the id: the knowledge of basic apps, and of agents as their tool.

    What is switched off (the base, or the agent that has it) is not used. Retrieval nodes have `dataset_ids` instead,
    which may be encrypted: only the server knows which they are.
    """
    config = part(data, "model_config")
    for name in ("dataset_configs", "agent_mode"):
        yield from _entries(config.get(name), ("model_config", name))
    for path, node in _nodes(data):
        if node.get("type") == "agent":
            yield from _entries(node, path)


def _entries(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, Mapping) and value.get("enabled") is not False:
        if path[-1] == "dataset" and value.get("id"):
            yield path, str(value["id"])
        for name, inner in value.items():
            yield from _entries(inner, (*path, str(name)))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _entries(inner, (*path, number))


def _nodes(data: Mapping[str, Any]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    for number, node in enumerate(items(data, "workflow", "graph", "nodes")):
        found = node.get("data") if isinstance(node, dict) else None
        if isinstance(found, dict):
            yield ("workflow", "graph", "nodes", number, "data"), found


async def missing(console: Console, pushed: Document, version: Version | None = None) -> list[Problem]:
    """What the workspace lacks of it. `version`: of a graph, its draft or published version on the server."""
    wanted: dict[str, Path] = {}
    for path, dataset in named(pushed.data):
        wanted.setdefault(dataset, path)
    for dataset in version.datasets if version else ():
        wanted.setdefault(dataset, _retrieving(pushed.data, dataset))
    asked = list(wanted.items())[:_MOST]
    return [_missing(pushed, path) for dataset, path in asked if not await console.has_dataset(dataset)]


def _retrieving(data: Mapping[str, Any], dataset: str) -> Path:
    """The retrieval node that names it plainly; the file itself where ids are encrypted."""
    for path, node in _nodes(data):
        if dataset in items(node, "dataset_ids"):
            return (*path, "dataset_ids")
    return ()


def _missing(pushed: Document, path: Path) -> Problem:
    return Problem(
        Text(
            "The app names a knowledge base that this workspace does not have.",
            "このワークスペースに存在しないナレッジが指定されています。",
        ),
        pushed.dsl.place(*path),
        FOREIGN,
    )
