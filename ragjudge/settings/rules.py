"""Rules between settings that types cannot state: names of metrics, ranges of tolerances, ends of waivers."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from posixpath import normpath

from ragjudge.errors import Place, Problem
from ragjudge.language import Text
from ragjudge.metric_specs import BUILT_IN, CHECKS
from ragjudge.settings.branch_name import wrong_with
from ragjudge.settings.models import CustomMetric, Settings
from ragjudge.settings.suggestions import cure_of_key

Where = Callable[..., Place | None]
"""The place of a path in the settings."""


def known_metrics(settings: Settings) -> dict[str, tuple[float, float]]:
    """Every metric that a config may name, with its range."""
    ranges = {spec.name: (spec.low, spec.high) for spec in (*BUILT_IN.values(), CHECKS)}
    return ranges | {m.name: (float(m.scale[0]), float(m.scale[1])) for m in settings.metrics.custom}


def problems(settings: Settings, where: Where, *, config: str) -> list[Problem]:
    """`config` is the path of the settings' own file."""
    return [
        *_metric_names(settings, where),
        *_custom_metrics(settings, where),
        *_gate_numbers(settings, where),
        *_bisect(settings, where),
        *_data_branch(settings, where),
        *_taken_file(settings, where, config),
    ]


def notes(settings: Settings, today: date) -> list[Text]:
    """Waivers whose end has passed no longer count; what a blocking app hides: their owner should know."""
    return [*_ended_waivers(settings, today), *_blocking(settings)]


def _blocking(settings: Settings) -> list[Text]:
    if settings.app.response_mode != "blocking":
        return []
    return [
        Text(
            "app.response_mode is blocking: the nodes of a flow are not shown, so passages come from citations or"
            " outputs only, and a chatflow's version is not known. Agents stream all the same.",
            "app.response_mode が blocking のため、フローのノードは見えません。検索された文書は引用または出力からのみ"
            "取得し、チャットフローのバージョンは取得できません(エージェントは常にストリーミングです)。",
        )
    ]


def _ended_waivers(settings: Settings, today: date) -> list[Text]:
    return [
        Text(
            f"accept: the entry for case {entry.case} ended on {entry.until} and no longer counts.",
            f"accept: ケース {entry.case} の許容は {entry.until} で期限が切れており、適用されません。",
        )
        for entry in settings.accept
        if entry.until < today
    ]


def _bisect(settings: Settings, where: Where) -> Iterator[Problem]:
    if settings.dsl.bisect and not settings.dsl.preview:
        yield Problem(
            Text("dsl.bisect needs dsl.preview.", "dsl.bisect には dsl.preview が必要です。"),
            where("dsl", "bisect"),
            Text(
                "Set dsl.preview: true, or leave dsl.bisect out: each change is tried as a preview app of its own.",
                "dsl.preview: true にするか、dsl.bisect を削除してください。変更を1つずつ、"
                "プレビューアプリとして試すためです。",
            ),
        )


def _data_branch(settings: Settings, where: Where) -> Iterator[Problem]:
    kind, _, name = settings.baseline.store.partition(":")
    why = wrong_with(name) if kind == "branch" else None
    if why is not None:
        yield Problem(
            Text(
                f"baseline.store: {name!r} is no name for a branch: {why.en}.",
                f"baseline.store: 「{name}」はブランチ名にできません({why.ja})。",
            ),
            where("baseline", "store"),
            Text("Write branch:ragjudge-baseline, for instance.", "例: branch:ragjudge-baseline"),
        )


def _metric_names(settings: Settings, where: Where) -> Iterator[Problem]:
    known = known_metrics(settings)
    named: list[tuple[str, tuple[str | int, ...]]] = [
        *((name, ("metrics", "use", i)) for i, name in enumerate(settings.metrics.use)),
        *((name, ("gate", "tolerance", name)) for name in settings.gate.tolerance),
        *((name, ("gate", "case_tolerance", name)) for name in settings.gate.case_tolerance),
        *((name, ("gate", "minimum", name)) for name in settings.gate.minimum),
        *((a.metric, ("accept", i, "metric")) for i, a in enumerate(settings.accept) if a.metric),
    ]
    for name, path in named:
        if name not in known:
            yield no_such_metric(name, known, where(*path))
    if not settings.metrics.use and not settings.metrics.custom:
        yield Problem(
            Text(
                "metrics.use is empty: nothing would be scored.",
                "metrics.use が空です。評価する指標がありません。",
            ),
            where("metrics", "use"),
        )


def _taken_file(settings: Settings, where: Where, config: str) -> Iterator[Problem]:
    suites = (pattern for written in settings.suite for pattern in (written, written.partition("#")[0]))
    yield from taken_by_baseline((config, *suites), settings, where("baseline", "store"))


def taken_by_baseline(files: Iterable[str], settings: Settings, place: Place | None) -> Iterator[Problem]:
    """A fault where the baseline is kept in one of these files: an update would write over it."""
    kind, _, path = settings.baseline.store.partition(":")
    if kind == "file" and path and _plain(path) in map(_plain, files):
        yield Problem(
            Text(
                f"baseline.store: {path} is the suite or the config itself.",
                f"baseline.store: {path} は、テストケースまたは設定ファイルそのものです。",
            ),
            place,
            Text(
                "Give the baseline a file of its own: file:ragjudge-baseline.json, for instance.",
                "ベースライン専用のファイルを指定してください(例: file:ragjudge-baseline.json)。",
            ),
        )


def _plain(path: str) -> str:
    return normpath(path.replace("\\", "/"))


def no_such_metric(name: str, known: Iterable[str], place: Place | None) -> Problem:
    return Problem(
        Text(f"There is no metric named {name!r}.", f"「{name}」という指標はありません。"),
        place,
        cure_of_key(name, known),
    )


def _custom_metrics(settings: Settings, where: Where) -> Iterator[Problem]:
    seen = {*BUILT_IN, CHECKS.name}
    for i, metric in enumerate(settings.metrics.custom):
        at = ("metrics", "custom", i)
        if metric.name in seen:
            yield Problem(
                Text(
                    f"A metric {metric.name!r} exists already.",
                    f"「{metric.name}」という指標は既にあります。",
                ),
                where(*at, "name"),
                Text("Choose another name.", "別の名前にしてください。"),
            )
        seen.add(metric.name)
        if metric.scale[0] >= metric.scale[1]:
            yield Problem(
                Text(
                    "scale must rise, for example [1, 5].",
                    "scale は [1, 5] のように小さい順に書いてください。",
                ),
                where(*at, "scale"),
            )
        if not metric.rubric.strip():
            yield Problem(Text("rubric is empty.", "rubric が空です。"), where(*at, "rubric"))
        yield from _custom_numbers(metric, at, where)


def _custom_numbers(metric: CustomMetric, at: tuple[str | int, ...], where: Where) -> Iterator[Problem]:
    low, high = metric.scale
    told: list[tuple[object, tuple[str | int, ...]]] = [(metric.minimum, ("minimum",))]
    told += [(example.get("score"), ("examples", i, "score")) for i, example in enumerate(metric.examples)]
    for value, path in told:
        if value is not None and not (isinstance(value, int | float) and low <= value <= high):
            name = path[-1]
            yield Problem(
                Text(
                    f"{name} must lie on the scale from {low} to {high}, not {value!r}.",
                    f"{name} には、scale の範囲({low}から{high}まで)の値を指定してください(現在の値: {value!r})。",
                ),
                where(*at, *path),
            )
    if metric.tolerance is not None and metric.tolerance < 0:
        yield Problem(
            Text("tolerance must be 0 or more.", "tolerance には0以上の値を指定してください。"),
            where(*at, "tolerance"),
        )


def _gate_numbers(settings: Settings, where: Where) -> Iterator[Problem]:
    ranges = known_metrics(settings)
    for section in ("tolerance", "case_tolerance"):
        for name, value in getattr(settings.gate, section).items():
            if value < 0:
                yield Problem(
                    Text(
                        f"gate.{section}.{name} must be 0 or more.",
                        f"gate.{section}.{name} には0以上の値を指定してください。",
                    ),
                    where("gate", section, name),
                )
    for name, value in settings.gate.minimum.items():
        low, high = ranges.get(name, (value, value))
        if not low <= value <= high:
            yield Problem(
                Text(
                    f"gate.minimum.{name} must lie between {low:g} and {high:g}, not {value:g}.",
                    f"gate.minimum.{name} には{low:g}から{high:g}までの値を指定してください(現在の値: {value:g})。",
                ),
                where("gate", "minimum", name),
            )
