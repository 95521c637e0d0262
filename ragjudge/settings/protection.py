"""On a pull request, what decides the outcome or receives keys is read from the base branch.

Otherwise a pull request could lower its own bar, or send the team's keys to a server of its choice. What it changes
there is listed in the report and takes effect after the merge.
"""

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
    "judge.base_url",
    "embedding.base_url",
    "ca_file",
    "baseline.store",
)
"""Paths taken from the base branch. `ca_file` says which servers are trusted; `baseline.store`, what a run is
compared with; `dsl.preview`, whether the pull request's own DSL is judged at all; `dsl.bisect`, what that may cost."""
WHO_JUDGES = ("judge.provider", "judge.model", "judge.api_version")
"""Another provider is another server and another key, so that a judge of another kind is held back as a whole."""
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Changed:
    """One protected setting that the pull request changes. Values are shown as text, `None` for unset."""

    path: str
    old: str | None
    new: str | None

    @property
    def text(self) -> Text:
        return Text(
            f"{self.path}: {self.old or 'not set'} → {self.new or 'not set'} (after the merge)",
            f"{self.path}: {self.old or '未設定'} → {self.new or '未設定'}(マージ後に有効)",
        )


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
    settings, floors = _custom_floors(settings, base.joined)
    return Protected(replace(pr, joined=settings, origins=origins), (*changed, *floors))


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
        return _accept_differences(old, new)
    if path == "gate":
        return [
            Changed(f"gate.{name}", _shown(before), _shown(after))
            for name in type(old).model_fields
            if (before := getattr(old, name)) != (after := getattr(new, name))
        ]
    return [Changed(path, _shown(old), _shown(new))]


def _accept_differences(old: tuple[Accept, ...], new: tuple[Accept, ...]) -> list[Changed]:
    gone = [Changed("accept", _entry(entry), None) for entry in old if entry not in new]
    return gone + [Changed("accept", None, _entry(entry)) for entry in new if entry not in old]


def _entry(entry: Accept) -> str:
    return _cut(f"{entry.case} / {entry.metric or '*'} / {entry.until} / {entry.reason}")


def _custom_floors(settings: Settings, base: Settings) -> tuple[Settings, list[Changed]]:
    """Tolerance and minimum of a custom metric that exists already are part of the gate as well."""
    before = {metric.name: metric for metric in base.metrics.custom}
    changed: list[Changed] = []
    kept = []
    for metric in settings.metrics.custom:
        old = before.get(metric.name, metric)
        changed += [
            Changed(f"metrics.custom.{metric.name}.{name}", _shown(was), _shown(now))
            for name in ("tolerance", "minimum")
            if (was := getattr(old, name)) != (now := getattr(metric, name))
        ]
        kept.append(metric.model_copy(update={"tolerance": old.tolerance, "minimum": old.minimum}))
    if not changed:
        return settings, []
    metrics = settings.metrics.model_copy(update={"custom": tuple(kept)})
    return settings.model_copy(update={"metrics": metrics}), changed


def _shown(value: Any) -> str | None:
    if value in (None, "", {}):
        return None
    if isinstance(value, dict):
        return _cut(", ".join(f"{key}: {item:g}" for key, item in value.items()))
    return _cut(f"{value:g}" if isinstance(value, float) else str(value))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
