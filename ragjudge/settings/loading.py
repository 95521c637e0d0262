"""All layers joined into one Settings: flag > action input > environment > config > default."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from pydantic import BaseModel, ValidationError

from ragjudge.errors import ConfigFault, Place, Problem
from ragjudge.language import Text
from ragjudge.settings import addresses, config_file, rules, sources, typing_problems, unset
from ragjudge.settings.config_file import ConfigFile
from ragjudge.settings.models import GateSettings, Settings
from ragjudge.settings.origin import DEFAULT, Layer, Origin
from ragjudge.settings.sources import Given

CONFIG_NAME = "ragjudge.yml"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a run uses, and where each value came from.

    `joined` holds the values as given. `origins` has an entry for every one that is not a default, by dotted path
    (`app.base_url`).
    """

    joined: Settings
    origins: Mapping[str, Origin] = field(default_factory=dict)
    notes: tuple[Text, ...] = ()

    @property
    def settings(self) -> Settings:
        """`joined`, with what follows from other values filled in (see `_derived`)."""
        return _derived(self.joined)

    def origin(self, path: str) -> Origin:
        return self.origins.get(path, DEFAULT)


def load(
    config_text: str | None,
    *,
    path: str = CONFIG_NAME,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
    inputs: Mapping[str, object] | None = None,
    today: date | None = None,
) -> Loaded:
    """Join the layers and check everything. Paths in the config are relative to the config's own folder.

    `config_text` is None where there is no file. `flags` maps dotted paths to values, `inputs` the action's input
    names. Raises `ConfigFault` with every problem of every layer.
    """
    file = ConfigFile(path) if config_text is None else config_file.read(config_text, path)
    loaded, found = _joined_layers(file, environ or {}, flags or {}, inputs or {}, today=today)
    if found or loaded is None:
        raise ConfigFault(found)
    return loaded


def salvage(
    config_text: str, *, path: str, environ: Mapping[str, str], inputs: Mapping[str, object]
) -> tuple[Loaded, tuple[Problem, ...]]:
    """As `load`, for a config that nobody here can mend: what is wrong in it is left out, and told.

    With anything wrong, gate and accepted changes are the default ones: half of a rule is another rule.
    """
    loaded, found = _joined_layers(config_file.read(config_text, path), environ, {}, inputs)
    if loaded is None:
        return load(None, path=path, environ=environ, inputs=inputs), tuple(found)
    if not found:
        return loaded, ()
    dsl = loaded.joined.dsl
    safe = {
        "gate": GateSettings(),
        "accept": (),
        "dsl": dsl.model_copy(update={"bisect": dsl.bisect and dsl.preview}),
    }
    return replace(loaded, joined=loaded.joined.model_copy(update=safe)), tuple(found)


def _joined_layers(
    file: ConfigFile,
    environ: Mapping[str, str],
    flags: Mapping[str, object],
    inputs: Mapping[str, object],
    *,
    today: date | None = None,
) -> tuple[Loaded | None, list[Problem]]:
    """Everything that is right in every layer, and every problem, in the order of the file's lines."""
    layers = _Layers(file, sources.from_flags(flags), sources.from_inputs(inputs))
    layers.overlay(sources.from_environment(environ, layers.provider()))
    layers.overlay(layers.inputs)
    layers.overlay(layers.flags)
    settings, found = _validated(layers)
    found = [*file.problems, *found, *unset.problems(file.unset, settings or Settings(), layers.where)]
    loaded = None
    if settings is not None:
        found += rules.problems(settings, layers.where, config=file.path)
        settings, mended, wrong = _with_addresses(settings, layers)
        found += wrong
        notes = [*mended, *(rules.notes(settings, today) if today else ())]
        loaded = Loaded(settings, layers.origins(), tuple(notes))
    return loaded, sorted(found, key=lambda p: (p.place.line or 0) if p.place else 0)


def suite_of(
    config_text: str | None, path: str, flags: Mapping[str, object]
) -> tuple[list[str], dict[str, str]]:
    """`suite` and `columns` of a config that is broken elsewhere, so that both can be mended in one go."""
    file = ConfigFile(path) if config_text is None else config_file.read(config_text, path)
    values = _relative_to(file)
    written, columns = flags.get("suite") or values.get("suite"), values.get("columns")
    patterns = [one for one in written if isinstance(one, str)] if isinstance(written, list | tuple) else []
    pairs = columns.items() if isinstance(columns, dict) else ()
    return patterns, {title: field for title, field in pairs if isinstance(field, str)}


class _Layers:
    """The joined raw values, and who gave each."""

    def __init__(self, file: ConfigFile, flags: dict[str, Given], inputs: dict[str, Given]) -> None:
        self.file = file
        self.flags = flags
        self.inputs = inputs
        self.values = _relative_to(file)
        self.given: dict[str, Given] = {}

    def provider(self) -> str | None:
        """Who judges, known before the rest: the environment's keys depend on it."""
        for layer in (self.flags, self.inputs):
            if "judge.provider" in layer:
                return str(layer["judge.provider"].value)
        judge = self.values.get("judge")
        return judge.get("provider") if isinstance(judge, dict) else None

    def overlay(self, layer: Mapping[str, Given]) -> None:
        for name, given in layer.items():
            *sections, last = name.split(".")
            target = self.values
            for section in sections:
                target = target.setdefault(section, {})
            target[last] = given.value
            self.given[name] = given

    def where(self, *path: str | int) -> Place | None:
        """The place of a path: the flag, input or variable that gave it, else its line in the file."""
        name = ".".join(str(step) for step in path if not isinstance(step, int))
        if name in self.given:
            return self.given[name].origin.place
        return Place(self.file.path, line=self.file.line(path))

    def origins(self) -> dict[str, Origin]:
        found = {
            ".".join(str(step) for step in path): Origin(Layer.CONFIG, self.file.path, line)
            for path, line in self.file.lines.items()
            if not any(isinstance(step, int) for step in path)
        }
        return found | {name: given.origin for name, given in self.given.items()}


def _validated(layers: _Layers) -> tuple[Settings | None, list[Problem]]:
    """The settings, even where some values are wrong (those left out), so that rules can check the rest."""
    try:
        return Settings.model_validate(layers.values), []
    except ValidationError as error:
        details = error.errors(include_url=False)
    found = [typing_problems.problem(d, Settings, layers.where(*d["loc"])) for d in details]
    rest = layers.values
    for detail in details:
        rest = _without(rest, detail["loc"])
    try:
        return Settings.model_validate(rest), found
    except ValidationError:
        return None, found


def _without(values: Any, path: tuple[str | int, ...]) -> Any:
    """A copy that lacks what stands at a path (a whole list entry, where the fault is inside one)."""
    if not path or not isinstance(values, dict) or path[0] not in values:
        return values
    head, rest = path[0], path[1:]
    if len(rest) == 0 or not isinstance(values[head], dict):
        return {key: value for key, value in values.items() if key != head}
    return values | {head: _without(values[head], rest)}


def _relative_to(file: ConfigFile) -> dict[str, Any]:
    folder = PurePosixPath(file.path.replace("\\", "/")).parent
    values = {key: dict(value) if isinstance(value, dict) else value for key, value in file.values.items()}
    if str(folder) in ("", "."):
        return values
    if isinstance(values.get("suite"), list):
        values["suite"] = _joined(folder, values["suite"])
    dsl, baseline = values.get("dsl"), values.get("baseline")
    if isinstance(dsl, dict) and isinstance(dsl.get("files"), list):
        dsl["files"] = _joined(folder, dsl["files"])
    if isinstance(baseline, dict) and str(baseline.get("store", "")).startswith("file:"):
        baseline["store"] = "file:" + str(folder / str(baseline["store"])[5:])
    if isinstance(values.get("ca_file"), str):
        values["ca_file"] = str(folder / str(values["ca_file"]))
    return values


def _joined(folder: PurePosixPath, paths: Iterable[Any]) -> list[Any]:
    return [str(folder / path) if isinstance(path, str) else path for path in paths]


def _with_addresses(settings: Settings, layers: _Layers) -> tuple[Settings, list[Text], list[Problem]]:
    notes, wrong = [], []
    updates: dict[str, Any] = {}
    for section, reader in (
        ("app", addresses.dify),
        ("judge", addresses.dify if settings.judge.provider == "dify" else addresses.model_server),
        ("embedding", addresses.model_server),
    ):
        part: BaseModel = getattr(settings, section)
        url = getattr(part, "base_url", None)
        if not url:
            continue
        address = reader(url)
        if address.wrong is not None:
            what = Text(f"{section}.base_url: {address.wrong.en}", f"{section}.base_url: {address.wrong.ja}")
            wrong.append(Problem(what, layers.where(section, "base_url")))
            address = replace(address, url=type(part).model_fields["base_url"].default)
        if address.note is not None:
            notes.append(address.note)
        updates[section] = part.model_copy(update={"base_url": address.url})
    return settings.model_copy(update=updates), notes, wrong


def _derived(settings: Settings) -> Settings:
    """Values that follow from others: who judges, and where a part that names no server of its own is found."""
    judge, embedding = settings.judge, settings.embedding
    if judge.provider is None and judge.model is not None:
        judge = judge.model_copy(update={"provider": "openai"})
    if judge.provider == "dify" and not judge.base_url:
        judge = judge.model_copy(update={"base_url": settings.app.base_url or None})
    if embedding.model and not embedding.base_url and judge.provider == "openai":
        # The judge's key goes to the judge's server only: with a server of its own, embedding needs its own key.
        key = embedding.api_key if embedding.api_key.get_secret_value() else judge.api_key
        embedding = embedding.model_copy(update={"base_url": judge.base_url, "api_key": key})
    return settings.model_copy(update={"judge": judge, "embedding": embedding})
