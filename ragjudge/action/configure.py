"""Settings of one action run: the workspace's config, held to the base branch where the workspace is a proposal."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from ragjudge.errors import ConfigFault, Place, Problem
from ragjudge.github.base_branch import BaseBranch
from ragjudge.github.context import EventContext
from ragjudge.github.inputs import Inputs
from ragjudge.language import Text, why_not
from ragjudge.settings import Settings
from ragjudge.settings.loading import Loaded, load
from ragjudge.settings.origin import Layer
from ragjudge.settings.protection import Changed, protect

DEFAULT_STORE = "branch:ragjudge-baseline"
"""In Actions a file in the workspace would be gone with the job."""


@dataclass(frozen=True, slots=True)
class Configured:
    """What this run may use; what the pull request changes in the protected part; remarks for people."""

    settings: Settings
    changed: tuple[Changed, ...]
    notes: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Layers:
    """Everything but the config file: the same on both sides of a pull request."""

    inputs: Inputs
    environ: Mapping[str, str]
    today: date

    def load(self, config_text: str | None) -> Loaded:
        return load(
            config_text,
            path=self.inputs.config,
            environ=self.environ,
            inputs=self.inputs.values,
            today=self.today,
        )


def configure(
    workspace: Path, layers: Layers, context: EventContext, *, base: BaseBranch | None
) -> Configured:
    """Raises ConfigFault with every problem. `base` is None where the workspace itself is the base."""
    loaded = layers.load(_text(workspace, layers.inputs.config))
    changed: tuple[Changed, ...] = ()
    if base is not None:
        held = protect(loaded, layers.load(_decoded(base.read(layers.inputs.config), layers.inputs.config)))
        loaded, changed = held.loaded, held.changed
    settings = _with_defaults_of_actions(loaded, context)
    return Configured(settings, changed, loaded.notes)


def _with_defaults_of_actions(loaded: Loaded, context: EventContext) -> Settings:
    settings = loaded.settings
    if loaded.origin("baseline.store").layer is Layer.DEFAULT:
        baseline = settings.baseline.model_copy(update={"store": DEFAULT_STORE})
        settings = settings.model_copy(update={"baseline": baseline})
    if loaded.origin("report.content").layer is Layer.DEFAULT and context.private is not True:
        # Everybody can read a public repository's comments, logs and artifacts.
        report = settings.report.model_copy(update={"content": "scores"})
        settings = settings.model_copy(update={"report": report})
    return settings


def _text(workspace: Path, name: str) -> str | None:
    path = workspace / name
    if not path.is_file():
        return None
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise _unreadable(name, why_not(error)) from error
    except UnicodeDecodeError as error:
        raise _unreadable(name, _NOT_UTF_8) from error


def _decoded(data: bytes | None, name: str) -> str | None:
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _unreadable(f"{name} (base)", _NOT_UTF_8) from error


_NOT_UTF_8 = Text(
    "it is not UTF-8 text; save it as UTF-8", "UTF-8のテキストではありません。UTF-8で保存し直してください"
)


def _unreadable(name: str, why: Text) -> ConfigFault:
    what = Text(f"can't be read: {why.en}.", f"読み取れません({why.ja})。")
    return ConfigFault([Problem(what, Place(name))])
