"""A DSL export on its way to a server: given another name, given its secrets, written as Dify writes it.

`ragjudge.dsl.load` has judged the text by then (size, nesting, aliases, tags, conflicts), so the usual loader may read
it: types must be those that Dify's own PyYAML sees, which is not the YAML 1.2 that people's files are read by.
"""

import copy
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import yaml
from pydantic import SecretStr

from ragjudge.dsl.load import Dsl, load
from ragjudge.errors import DslFault, Place, Problem
from ragjudge.language import Text

HIDDEN = "[__HIDDEN__]"
"""The value that makes Dify keep a secret of the app that is imported over."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_MODEL_CONFIG = "model_config"


class _Dumper(_DUMPER):  # type: ignore[misc]
    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - the base class's signature
        return True


@dataclass(frozen=True, slots=True)
class Document:
    """`data` as Dify's loader sees it, `dsl` for the places of faults in the user's file."""

    data: dict[str, Any]
    dsl: Dsl

    @property
    def is_graph(self) -> bool:
        return self.dsl.is_graph

    @property
    def model_config(self) -> dict[str, Any]:
        """Of a basic chat, agent or completion app."""
        found = self.data.get(_MODEL_CONFIG)
        return found if isinstance(found, dict) else {}

    @property
    def digest(self) -> str:
        """Of what the app does: name, icon and description do not count."""
        plain = {name: value for name, value in self.data.items() if name != "app"}
        return hashlib.sha256(_written(plain).encode()).hexdigest()

    @property
    def text(self) -> str:
        return _written(self.data)


def read(content: bytes, file: str) -> Document:
    """Raises DslFault with place and cure."""
    dsl = load(content, file)
    try:
        data = yaml.load(content.decode("utf-8-sig"), Loader=_LOADER)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError) as error:
        what = Text(
            f"Dify's YAML reader would refuse the file ({error}).",
            f"DifyのYAML処理では読み込めません({error})。",
        )
        raise DslFault([Problem(what, Place(file))]) from None
    part = "workflow" if dsl.is_graph else _MODEL_CONFIG
    if not isinstance(data.get(part), dict):
        what = Text(f"The export has no {part!r} part.", f"「{part}」の部分がありません。")
        raise DslFault([Problem(what, dsl.place())])
    return Document(data, dsl)


def renamed(document: Document, identity: Mapping[str, object]) -> Document:
    """The same app under another name, description or icon."""
    data = copy.deepcopy(document.data)
    data["app"] = {**data["app"], **identity}
    return replace(document, data=data)


def secrets_of(document: Document) -> Iterator[tuple[int, dict[str, Any]]]:
    """The secret environment variables, with their places in the list."""
    workflow = document.data.get("workflow")
    variables = workflow.get("environment_variables") if isinstance(workflow, dict) else None
    for number, variable in enumerate(variables if isinstance(variables, list) else ()):
        if isinstance(variable, dict) and variable.get("value_type") == "secret":
            yield number, variable


def with_secrets(
    document: Document, values: Mapping[str, SecretStr], *, kept: frozenset[str] = frozenset()
) -> Document:
    """Put in the values (by variable name) that an export leaves empty.

    `kept`: ids of secrets that the app to be overwritten has already; without a value they stay as they are.
    Raises DslFault for every secret that would be empty: the server would say "completed" all the same.
    """
    filled = replace(document, data=copy.deepcopy(document.data))
    problems = []
    for number, variable in secrets_of(filled):
        name = str(variable.get("name") or "")
        given = values.get(name)
        if given is not None and given.get_secret_value():
            variable["value"] = given.get_secret_value()
        elif variable.get("value") in (None, "", HIDDEN):
            if str(variable.get("id")) in kept:
                variable["value"] = HIDDEN
            else:
                problems.append(_without_value(document.dsl, number, name))
    if problems:
        raise DslFault(problems)
    return filled


def _written(data: dict[str, Any]) -> str:
    """As Dify's own export writes it: sorted keys, no escapes for other scripts."""
    return yaml.dump(data, Dumper=_Dumper, allow_unicode=True)


def _without_value(dsl: Dsl, number: int, name: str) -> Problem:
    return Problem(
        Text(
            f"The secret {name} has no value: exports leave secrets out.",
            f"シークレット変数「{name}」の値がありません(エクスポートには含まれません)。",
        ),
        dsl.place("workflow", "environment_variables", number),
        Text(
            f"Give it to the run as DIFY_ENV_{name}, from a secret of the repository.",
            f"リポジトリのシークレットから、環境変数 DIFY_ENV_{name} として渡してください。",
        ),
    )


def filled_secrets(document: Document) -> frozenset[str]:
    """Ids of the secrets that have a value, in an export made with secrets."""
    return frozenset(str(variable.get("id")) for _, variable in secrets_of(document) if variable.get("value"))
