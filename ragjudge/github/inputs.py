"""The action's inputs as GitHub hands them over: INPUT_<NAME> with hyphens kept, an empty one meaning unset.

`required: true` and allowed values are not enforced by the runner, so everything is checked here, all at once.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TypeVar

from ragjudge.errors import ConfigFault, Place, Problem
from ragjudge.github.activity import Mode
from ragjudge.github.comment import CommentMode
from ragjudge.language import Language, Text

NAMES = (
    "config",
    "suite",
    "mode",
    "dify-base-url",
    "dify-api-key",
    "dify-dataset-key",
    "dify-console-email",
    "dify-console-password",
    "judge-provider",
    "judge-base-url",
    "judge-api-key",
    "judge-model",
    "embedding-base-url",
    "embedding-api-key",
    "embedding-model",
    "baseline",
    "dsl",
    "cases",
    "repeats",
    "concurrency",
    "language",
    "fail-on",
    "comment",
    "github-token",
    "ca-file",
    "out",
)
"""In the order of action.yml."""
SECRETS = (
    "dify-api-key",
    "dify-dataset-key",
    "dify-console-password",
    "judge-api-key",
    "embedding-api-key",
    "github-token",
)
DEFAULT_CONFIG = "ragjudge.yml"
DEFAULT_OUT = ".ragjudge"

_PREFIX = "INPUT_"
_Choice = TypeVar("_Choice", bound=StrEnum)


class FailOn(StrEnum):
    """The action's `fail-on` input."""

    REGRESSION = "regression"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the workflow asked for. `values` has every input that was given, by its name in action.yml."""

    values: Mapping[str, str]
    mode: Mode
    fail_on: FailOn
    comment: CommentMode
    cases: tuple[str, ...]
    config: str
    out: str

    def __repr__(self) -> str:
        """Names only: values hold keys."""
        return f"Inputs({', '.join(sorted(self.values))})"

    @property
    def suite_key(self) -> str:
        """What tells this suite from others in the repository: known before anything is read."""
        return " ".join([self.config, *self.get("suite").split()])

    def get(self, name: str) -> str:
        return self.values.get(name, "")


def given(environ: Mapping[str, str]) -> dict[str, str]:
    """Every input that is set, by name, blanks around it dropped."""
    found = {
        key.removeprefix(_PREFIX).lower().replace("_", "-"): value.strip()
        for key, value in environ.items()
        if key.startswith(_PREFIX) and value.strip()
    }
    return {name: found[name] for name in found if found[name]}


def secret_values(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Every secret in inputs and environment: to be masked before a line is printed."""
    inputs = given(environ)
    named = [inputs[name] for name in SECRETS if name in inputs]
    keys = [
        v for k, v in environ.items() if k.endswith(("_API_KEY", "_DATASET_KEY", "_PASSWORD", "_TOKEN")) and v
    ]
    return tuple(dict.fromkeys([*named, *keys]))


def wanted_language(environ: Mapping[str, str]) -> Language:
    """The language of messages before the config is read (the product's first language by default)."""
    return "en" if given(environ).get("language") == "en" else "ja"


def parse(environ: Mapping[str, str]) -> Inputs:
    """The inputs, checked. Raises ConfigFault with every problem."""
    values = given(environ)
    problems = [_unknown(name) for name in values if name not in NAMES]
    mode = _choice(values, "mode", Mode.AUTO, problems)
    fail_on = _choice(values, "fail-on", FailOn.REGRESSION, problems)
    comment = _choice(values, "comment", CommentMode.UPDATE, problems)
    problems += [
        _outside(name, values[name]) for name in ("out", "config") if not _inside(values.get(name, ""))
    ]
    if problems:
        raise ConfigFault(problems)
    cases = values.get("cases", "").replace(",", "\n").splitlines()
    return Inputs(
        values=values,
        mode=mode,
        fail_on=fail_on,
        comment=comment,
        cases=tuple(case.strip() for case in cases if case.strip()),
        config=values.get("config", DEFAULT_CONFIG),
        out=values.get("out", DEFAULT_OUT),
    )


def _choice(values: Mapping[str, str], name: str, default: _Choice, problems: list[Problem]) -> _Choice:
    value = values.get(name)
    if value is None:
        return default
    kind = type(default)
    try:
        return kind(value)
    except ValueError:
        allowed = ", ".join(member.value for member in kind)
        problems.append(
            Problem(
                Text(f"`{value}` is not possible here.", f"`{value}` は指定できません。"),
                Place(name),
                Text(f"Use one of: {allowed}.", f"次のいずれかを指定してください: {allowed}"),
            )
        )
        return default


def _inside(path: str) -> bool:
    """Whether a path stays in the workspace (whatever follows symbolic links is the file system's to say)."""
    parts = PurePosixPath(path)
    return not parts.is_absolute() and ".." not in parts.parts


def _outside(name: str, path: str) -> Problem:
    return Problem(
        Text(f"`{path}` leads out of the workspace.", f"`{path}` はワークスペースの外を指しています。"),
        Place(name),
        Text("Use a path inside the repository.", "リポジトリ内のパスを指定してください。"),
    )


def _unknown(name: str) -> Problem:
    close = difflib.get_close_matches(name, NAMES, n=1)
    cure = Text(f"Did you mean `{close[0]}`?", f"`{close[0]}` のことですか。") if close else None
    return Problem(
        Text("The action has no such input.", "アクションにこの入力はありません。"), Place(name), cure
    )
