"""Is what the server serves the DSL that was pushed? A server says "completed" though it dropped things. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from ragjudge.dsl.load import Dsl, items, part
from ragjudge.errors import Place, Problem
from ragjudge.language import Text
from ragjudge.preview import knowledge
from ragjudge.preview.document import HIDDEN, Document

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNCOMPARED = frozenset({"app", "dependencies", "kind", "version"})
"""Identity, the server's own plugin versions and DSL version: no behaviour, or checked apart."""
_UNEXPORTED = frozenset({"credential_id"})
"""Left out of every export since 1.8: belongs to a workspace."""
_MOST = 20

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """`lost`: what makes the app another one. `other`: paths that differ otherwise, e.g. `workflow.features.x`."""

    lost: tuple[Problem, ...] = ()
    other: tuple[str, ...] = ()

    @property
    def equal(self) -> bool:
        return not self.lost and not self.other


def compare(pushed: Document, exported: str) -> Compared:
    """`exported` is the server's export of the app. Values are never shown: they may be secrets."""
    served = yaml.load(exported, Loader=_LOADER)  # noqa: S506 - a safe loader
    if not isinstance(served, dict):
        return Compared(other=("(export)",))
    differing = [path for path in _differing(pushed.data, served, ()) if path[0] not in _UNCOMPARED]
    kept = {dataset for _, dataset in knowledge.named(served)}
    gone = [place for place, dataset in knowledge.named(pushed.data) if dataset not in kept]
    lost: dict[Path, Problem] = {}
    other = []
    for path in differing:
        if "dataset_ids" in path or any(path[: len(place)] == place[: len(path)] for place in gone):
            lost.setdefault(path[: _node_depth(path)], _lost_dataset(pushed, path))
        elif path[:2] == ("workflow", "environment_variables") and len(path) > 2:
            lost.setdefault(path[:3], _lost_variable(pushed, path))
        else:
            other.append(".".join(map(str, path)))
    return Compared(tuple(lost.values()), tuple(other[:_MOST]))


def same_work(export: str, other: str) -> bool:
    """Whether two exports of one app hold the same edits: what Dify's editor stores of mere looking at it is none."""
    return export == other or _unwatched(export) == _unwatched(other)


def _unwatched(exported: str) -> Any:
    """The export without that part; only where the editor keeps it, as a tool's parameter may have such a name."""
    found = yaml.load(exported, Loader=_LOADER)  # noqa: S506 - a safe loader
    graph = part(found, "workflow", "graph") if isinstance(found, dict) else {}
    graph.pop("viewport", None)
    for drawn in (*items(graph, "nodes"), *items(graph, "edges")):
        for holder in (drawn, drawn.get("data")) if isinstance(drawn, dict) else ():
            if isinstance(holder, dict):
                holder.pop("selected", None)
    return found


def _differing(pushed: Any, served: Any, path: Path) -> Iterator[Path]:
    """Where something pushed is not served. What the server added (defaults of a newer release) is no difference."""
    if isinstance(pushed, dict) and isinstance(served, dict):
        for name, value in pushed.items():
            if name not in _UNEXPORTED:
                yield from _differing(value, served.get(name), (*path, str(name)))
    elif isinstance(pushed, list) and isinstance(served, list):
        if path and path[-1] == "dataset_ids":
            yield from _differing_datasets(pushed, served, path)
        elif len(pushed) != len(served):
            yield path
        else:
            for number, (ours, theirs) in enumerate(zip(pushed, served, strict=True)):
                yield from _differing(ours, theirs, (*path, number))
    elif not _same(pushed, served):
        yield path


def _differing_datasets(pushed: list[Any], served: list[Any], path: Path) -> Iterator[Path]:
    """Ids are exported encrypted for the workspace where the server is set so: a plain one may come back as another.

    What does not belong to the workspace is left out altogether, so the count tells.
    """
    if len([entry for entry in served if entry]) < len(pushed):
        yield path


def _same(pushed: Any, served: Any) -> bool:
    empty: tuple[Any, ...] = (None, "", [], {})
    return pushed in (served, HIDDEN) or (pushed in empty and served in empty)


def _node_depth(path: Path) -> int:
    """A node's path is workflow, graph, nodes, its number."""
    return 4 if path[:3] == ("workflow", "graph", "nodes") else len(path)


def _lost_dataset(pushed: Document, path: Path) -> Problem:
    title = _title(pushed.data, path)
    return Problem(
        Text(
            f"The knowledge base of {title!r} is not in this workspace: the server dropped it without a word.",
            f"「{title}」のナレッジがこのワークスペースになく、サーバーが黙って取り除きました。",
        ),
        pushed.dsl.place(*path),
        knowledge.FOREIGN,
    )


def _lost_variable(pushed: Document, path: Path) -> Problem:
    variables = pushed.data["workflow"]["environment_variables"]
    number = path[2]
    name = variables[number].get("name") if isinstance(number, int) else "?"
    return Problem(
        Text(
            f"The environment variable {name} did not arrive as it was sent.",
            f"環境変数「{name}」が、送った値のまま取り込まれませんでした。",
        ),
        pushed.dsl.place(*path),
        Text(
            "Look at the variable in Dify after importing the file by hand.",
            "ファイルを手動で取り込み、Difyでその変数を確認してください。",
        ),
    )


def missing_plugins(pushed: Document, names: tuple[str, ...]) -> tuple[Problem, ...]:
    return tuple(
        Problem(
            Text(
                f"The plugin {name} is not installed on the server.",
                f"プラグイン「{name}」がサーバーにインストールされていません。",
            ),
            _dependency(pushed.dsl, name),
            Text(
                "Install it in Dify under “Plugins”, then run again.",
                "Difyの「プラグイン」からインストールして、もう一度実行してください。",
            ),
        )
        for name in names
    )


def _dependency(dsl: Dsl, name: str) -> Place:
    """The line of the entry that names a plugin."""
    for number, entry in enumerate(items(dsl.root, "dependencies")):
        value = part(entry, "value") if isinstance(entry, dict) else {}
        if any(str(found).startswith(name) for found in value.values()):
            return dsl.place("dependencies", number)
    return dsl.place("dependencies")


def _title(data: Mapping[str, Any], path: Path) -> str:
    here: Any = data
    for step in path[:4]:
        here = here[step]
    node = here.get("data") if isinstance(here, dict) else None
    return (
        str(node.get("title") or here.get("id")) if isinstance(node, dict) else str(data["app"].get("name"))
    )
