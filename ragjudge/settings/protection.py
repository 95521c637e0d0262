"""On a pull request, what decides the outcome or receives keys is read from the base branch.

Otherwise a pull request could lower its own bar, or send the team's keys to a server of its choice. What it changes
there is listed in the report and takes effect after the merge; so is what it changes in how answers are scored, which
takes effect at once, on the baseline's stored answers too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragjudge.language import Text
from ragjudge.settings.loading import Loaded
from ragjudge.settings.models import Accept, Settings
from ragjudge.settings.origin import Layer, Origin
from ragjudge.settings.sources import SECRET_PATHS

PROTECTED = (
    "gate",
    "accept",
    "app.base_url",
    "dsl.bisect",
    "dsl.console_url",
    "dsl.preview",
    "judge.allow",
    "judge.base_url",
    "embedding.base_url",
    "ca_file",
    "baseline.store",
)
"""Paths taken from the base branch. `judge.allow` excuses differences as `accept` does; `ca_file` says which servers
are trusted; `baseline.store`, what a run is compared with; `dsl.preview`, whether the pull request's own DSL is judged
at all; `dsl.bisect`, what that may cost."""
WHO_JUDGES = ("judge.provider", "judge.model", "judge.api_version")
"""Another provider is another server and another key, so that a judge of another kind is held back as a whole."""
SCORING = (
    "judge.model",
    "judge.language",
    "embedding.model",
    "metrics.use",
    "metrics.mode",
    "metrics.relevancy_questions",
)
"""Paths that stay the pull request's own, but are told: other scores are to be expected."""
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Changed:
    """One setting that the pull request changes. Values are shown as text, `None` for unset."""

    path: str
    old: str | None
    new: str | None
    held_back: bool = True

    @property
    def text(self) -> Text:
        when = _AFTER_THE_MERGE if self.held_back else _AT_ONCE
        return Text(
            f"{self.path}: {self.old or 'not set'} → {self.new or 'not set'} ({when.en})",
            f"{self.path}: {self.old or '未設定'} → {self.new or '未設定'}({when.ja})",
        )


_AFTER_THE_MERGE = Text("after the merge", "マージ後に有効")
_AT_ONCE = Text("in this check already", "このチェックから有効")


@dataclass(frozen=True, slots=True)
class Protected:
    """What this run may use, and what the pull request changes in it."""

    loaded: Loaded
    changed: tuple[Changed, ...] = ()

    @property
    def settings(self) -> Settings:
        return self.loaded.settings


def protect(pr: Loaded, base: Loaded) -> Protected:
    """Take what decides and what receives keys from the base branch.

    `base` is the base branch's config loaded with the same environment, inputs and flags (text None where the base
    branch has no config), so that what the workflow itself gives is equal on both sides and stays.
    """
    settings = pr.joined
    changed: list[Changed] = []
    origins = dict(pr.origins)
    for path in (*PROTECTED, *_held_back_of_judge(pr, base)):
        old, new = _get(base.joined, path), _get(settings, path)
        if old == new:
            continue
        changed += _differences(path, old, new)
        settings = _set(settings, path, old)
        _take_origins(origins, base, path)
    for path in SECRET_PATHS:
        # The environment's key of a judge is chosen by the provider: the base branch's, as the address is.
        settings = _set(settings, path, _get(base.joined, path))
    settings, criteria = _own_criteria(settings, base.joined)
    told = (*changed, *criteria, *_scored_otherwise(settings, base))
    return Protected(replace(pr, joined=settings, origins=origins), told)


def _held_back_of_judge(pr: Loaded, base: Loaded) -> tuple[str, ...]:
    """Where nobody judges on the base branch, a pull request may name the first judge; but not a Dify app.

    That one would be found at the address of the app that is judged, where a judge's key may have no business.
    """
    old, new = base.settings.judge.provider, pr.settings.judge.provider
    return () if old == new or (old is None and new != "dify") else WHO_JUDGES


def _get(settings: Settings, path: str) -> Any:
    value: Any = settings
    for step in path.split("."):
        value = getattr(value, step)
    return value


def _set(settings: Settings, path: str, value: Any) -> Settings:
    section, _, name = path.partition(".")
    if not name:
        return settings.model_copy(update={section: value})
    part = getattr(settings, section).model_copy(update={name: value})
    return settings.model_copy(update={section: part})


def _take_origins(origins: dict[str, Origin], base: Loaded, path: str) -> None:
    """The base branch's lines are marked as such: a line number of another version must not mislead."""
    for name in [name for name in origins if name == path or name.startswith(path + ".")]:
        del origins[name]
    for name, origin in base.origins.items():
        if name == path or name.startswith(path + "."):
            is_file = origin.layer is Layer.CONFIG
            origins[name] = replace(origin, name=f"{origin.name} (base)") if is_file else origin


def _differences(path: str, old: Any, new: Any) -> list[Changed]:
    if path == "accept":
        return _entry_differences(path, [*map(_entry, old)], [*map(_entry, new)])
    if path == "judge.allow":
        return _entry_differences(path, [*map(_cut, old)], [*map(_cut, new)])
    if path == "gate":
        return [
            Changed(f"gate.{name}", _shown(before), _shown(after))
            for name in type(old).model_fields
            if (before := getattr(old, name)) != (after := getattr(new, name))
        ]
    return [Changed(path, _shown(old), _shown(new))]


def _entry_differences(path: str, old: Sequence[str], new: Sequence[str]) -> list[Changed]:
    gone = [Changed(path, entry, None) for entry in old if entry not in new]
    return gone + [Changed(path, None, entry) for entry in new if entry not in old]


def _entry(entry: Accept) -> str:
    return _cut(f"{entry.case} / {entry.metric or '*'} / {entry.until} / {entry.reason}")


def _own_criteria(settings: Settings, base: Settings) -> tuple[Settings, list[Changed]]:
    """A custom metric that exists already stays as it is: rubric, scale and floor say together what is good enough."""
    before = {metric.name: metric for metric in base.metrics.custom}
    changed = [
        Changed(f"metrics.custom.{metric.name}.{name}", _shown(was), _shown(now))
        for metric in settings.metrics.custom
        for name in type(metric).model_fields
        if (was := getattr(before.get(metric.name, metric), name)) != (now := getattr(metric, name))
    ]
    kept = tuple(before.get(metric.name, metric) for metric in settings.metrics.custom)
    metrics = settings.metrics.model_copy(update={"custom": kept})
    return settings.model_copy(update={"metrics": metrics}), changed


def _scored_otherwise(settings: Settings, base: Loaded) -> list[Changed]:
    """Where the base branch has a judge at all: a team's first pull request changes nothing, it begins."""
    if base.settings.judge.provider is None:
        return []
    return [
        Changed(path, _shown(was), _shown(now), held_back=False)
        for path in SCORING
        if (was := _get(base.joined, path)) != (now := _get(settings, path))
    ]


def _shown(value: Any) -> str | None:
    if value in (None, "", {}, ()):
        return None
    if isinstance(value, dict):
        return _cut(", ".join(f"{key}: {item:g}" for key, item in value.items()))
    if isinstance(value, tuple):
        return _cut(", ".join(map(str, value)))
    return _cut(f"{value:g}" if isinstance(value, float) else str(value))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
