"""Settings of one action run: the workspace's config, held to the base branch where the workspace is a proposal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Literal

from ragjudge.errors import ConfigFault, Place, Problem
from ragjudge.github.base_branch import BaseBranch
from ragjudge.github.context import EventContext
from ragjudge.github.inputs import Inputs
from ragjudge.language import Text, why_not
from ragjudge.settings import Settings
from ragjudge.settings.loading import Loaded, load, salvage
from ragjudge.settings.origin import Layer
from ragjudge.settings.protection import Changed, protect

DEFAULT_STORE = "branch:ragjudge-baseline"
"""In Actions a file in the workspace would be gone with the job."""
_MOST_PROBLEMS = 5


@dataclass(frozen=True, slots=True)
class Configured:
    """What this run may use; what the pull request changes in the protected part; remarks for people."""

    settings: Settings
    changed: tuple[Changed, ...]
    notes: tuple[Text, ...]
    broken: tuple[Text, ...] = ()
    """What is wrong in the base branch's config, which the pull request may be there to mend."""

    @property
    def notices(self) -> tuple[Text, ...]:
        """What the report says first."""
        return (*self.broken, *(change.text for change in self.changed))


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

    def salvage(self, config: bytes | None) -> tuple[Loaded, Sequence[Problem]]:
        """The base branch's config, whatever its state, and what is wrong with it."""
        try:
            text = None if config is None else config.decode("utf-8")
        except UnicodeDecodeError:
            return self.load(None), _unreadable(self.inputs.config, _NOT_UTF_8).problems
        if text is None:
            return self.load(None), ()
        return salvage(text, path=self.inputs.config, environ=self.environ, inputs=self.inputs.values)


def configure(
    workspace: Path, layers: Layers, context: EventContext, *, base: BaseBranch | None
) -> Configured:
    """Raises ConfigFault with every problem. `base` is None where the workspace itself is the base."""
    loaded = layers.load(_text(workspace, layers.inputs.config))
    if base is None:
        return Configured(_with_defaults_of_actions(loaded, context), (), loaded.notes)
    before, problems = layers.salvage(base.read(layers.inputs.config))
    held = protect(loaded, before)
    settings = _with_defaults_of_actions(held.loaded, context)
    before_content = _with_defaults_of_actions(before, context).report.content
    settings, opened = _as_closed_as(before_content, settings)
    broken = _broken(problems, layers.inputs.config)
    return Configured(settings, (*held.changed, *opened), (*loaded.notes, *broken), broken)


def _as_closed_as(
    content: Literal["full", "scores"], settings: Settings
) -> tuple[Settings, tuple[Changed, ...]]:
    """A pull request may show less than the base branch does, never more: what the app answered is not its to tell."""
    if content == "full" or settings.report.content == "scores":
        return settings, ()
    report = settings.report.model_copy(update={"content": content})
    return settings.model_copy(update={"report": report}), (Changed("report.content", content, "full"),)


def _broken(problems: Sequence[Problem], name: str) -> tuple[Text, ...]:
    """In words alone: an annotation would stand on a line of the pull request's own file."""
    if not problems:
        return ()
    return (
        Text(
            f"{name} of the base branch is broken: this check uses the default gate, no accepted changes, and what"
            " else can be read of it.",
            f"ベースブランチの {name} に誤りがあります。この判定では、既定の合格基準を使い、accept は適用せず、"
            "ほかは読み取れた部分だけを使います。",
        ),
        *(_on_the_base_branch(problem) for problem in problems[:_MOST_PROBLEMS]),
    )


def _on_the_base_branch(problem: Problem) -> Text:
    line = problem.place.line if problem.place else None
    bare = replace(problem, place=None)
    where = Text(f", line {line}", f"、{line}行目") if line else Text("", "")
    return Text(
        f"Base branch{where.en}: {bare.in_language('en')}",
        f"ベースブランチ{where.ja}: {bare.in_language('ja')}",
    )


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


_NOT_UTF_8 = Text(
    "it is not UTF-8 text; save it as UTF-8", "UTF-8のテキストではありません。UTF-8で保存し直してください"
)


def _unreadable(name: str, why: Text) -> ConfigFault:
    what = Text(f"can't be read: {why.en}.", f"読み取れません({why.ja})。")
    return ConfigFault([Problem(what, Place(name))])
