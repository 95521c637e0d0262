"""What flags, action inputs and the environment say, as values of settings with their origins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragjudge.settings.origin import Layer, Origin

SECRET_PATHS = frozenset({"app.api_key", "app.dataset_key", "judge.api_key", "embedding.api_key"})
ADDRESS_PATHS = ("app.base_url", "judge.base_url", "embedding.base_url")

INPUTS: Mapping[str, str] = {
    "suite": "suite",
    "dify-base-url": "app.base_url",
    "dify-api-key": "app.api_key",
    "dify-dataset-key": "app.dataset_key",
    "judge-provider": "judge.provider",
    "judge-base-url": "judge.base_url",
    "judge-api-key": "judge.api_key",
    "judge-model": "judge.model",
    "embedding-base-url": "embedding.base_url",
    "embedding-api-key": "embedding.api_key",
    "embedding-model": "embedding.model",
    "baseline": "baseline.store",
    "dsl": "dsl.files",
    "repeats": "repeats",
    "concurrency": "app.concurrency",
    "language": "report.language",
    "ca-file": "ca_file",
}
"""Inputs of the action that set a value. The others (mode, cases, comment …) say what to do and are not settings."""

ENVIRONMENT: Mapping[str, str] = {
    "DIFY_BASE_URL": "app.base_url",
    "DIFY_API_KEY": "app.api_key",
    "DIFY_DATASET_KEY": "app.dataset_key",
    "DIFY_CONSOLE_URL": "dsl.console_url",
    "JUDGE_BASE_URL": "judge.base_url",
    "JUDGE_API_KEY": "judge.api_key",
    "EMBEDDING_BASE_URL": "embedding.base_url",
    "EMBEDDING_API_KEY": "embedding.api_key",
}
OPENAI_ENVIRONMENT: Mapping[str, str] = {
    "OPENAI_BASE_URL": "judge.base_url",
    "OPENAI_API_KEY": "judge.api_key",
}
"""Only for an OpenAI-compatible judge: these must never reach a Dify judge."""
DIFY_JUDGE_ENVIRONMENT: Mapping[str, str] = {
    "DIFY_JUDGE_BASE_URL": "judge.base_url",
    "DIFY_JUDGE_API_KEY": "judge.api_key",
}

_LISTS = frozenset({"suite", "dsl.files"})
"""An input holds one path per line (a path may hold commas and blanks)."""


@dataclass(frozen=True, slots=True)
class Given:
    """One value that someone gave, not yet of its final type."""

    value: Any
    origin: Origin


def from_flags(flags: Mapping[str, object]) -> dict[str, Given]:
    """`flags` maps a dotted path to a value; the origin shows the option's usual spelling."""
    return {
        path: Given(value, Origin(Layer.FLAG, _flag_name(path)))
        for path, value in flags.items()
        if value not in (None, "", ())
    }


def from_inputs(inputs: Mapping[str, object]) -> dict[str, Given]:
    """The action's inputs by name; an empty one is an unset one, and blanks around a value are dropped."""
    found = {}
    for name, path in INPUTS.items():
        text = str(inputs.get(name) or "").strip()
        if text:
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            found[path] = Given(lines if path in _LISTS else text, Origin(Layer.INPUT, name))
    return found


def from_environment(environ: Mapping[str, str], provider: str | None) -> dict[str, Given]:
    """Keys and addresses; which ones belong to the judge depends on its provider."""
    names = dict(ENVIRONMENT)
    if provider == "dify":
        names |= DIFY_JUDGE_ENVIRONMENT
    elif provider != "offline":
        names = dict(OPENAI_ENVIRONMENT) | names
    found: dict[str, Given] = {}
    for name, path in names.items():
        text = environ.get(name, "").strip()
        if text:
            found[path] = Given(text, Origin(Layer.ENVIRONMENT, name))
    return found


_FLAG_NAMES = {
    "judge.provider": "--judge",
    "judge.model": "--judge-model",
    "app.base_url": "--base-url",
    "report.language": "--language",
    "app.concurrency": "--concurrency",
    "baseline.store": "--baseline",
}


def _flag_name(path: str) -> str:
    return _FLAG_NAMES.get(path, "--" + path.rpartition(".")[2].replace("_", "-"))
