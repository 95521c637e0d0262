"""`ragjudge validate`: what the suite holds, where each setting comes from, and what a run would cost. No calls."""

from collections import Counter
from collections.abc import Iterator, Sequence

from pydantic import BaseModel, SecretStr

from ragjudge.language import Text
from ragjudge.metric_specs import BUILT_IN
from ragjudge.metrics.budget import questions
from ragjudge.metrics.plan import Plan
from ragjudge.settings import Loaded, Settings
from ragjudge.suite.case import Case, Suite

_MOST_VALUES = 12
"""A column with more different values is no group; only their number is told."""


def suite_lines(suite: Suite, settings: Settings) -> Iterator[Text]:
    """How many cases, in which groups, and what cannot be scored for want of a reference."""
    cases = [case for case in suite.cases if case.skip is None]
    skipped = len(suite.cases) - len(cases)
    en, ja = (f" ({skipped} skipped)", f"(うちskip {skipped}件)") if skipped else ("", "")
    yield Text(f"Cases: {len(suite.cases)}{en}", f"テストケース: {len(suite.cases)}件{ja}")
    yield from (_indented(Text(f"{n}: {name}", f"{name}: {n}件")) for name, n in _files(suite.cases))
    yield from map(_indented, _groups(cases))
    missing = sum(1 for case in cases if case.reference is None)
    needing = [name for name in settings.metrics.use if name in BUILT_IN and BUILT_IN[name].needs_reference]
    if missing and needing:
        names = ", ".join(needing)
        yield _indented(
            Text(
                f"Without a reference: {missing} (not scored on {names})",
                f"正解なし: {missing}件({names} の対象外)",
            )
        )


def _files(cases: Sequence[Case]) -> list[tuple[str, int]]:
    names = Counter(
        f"{case.source.file}#{case.source.sheet}" if case.source.sheet else case.source.file
        for case in cases
        if case.source is not None
    )
    return list(names.items())


def _groups(cases: Sequence[Case]) -> Iterator[Text]:
    categories = Counter(case.category or "-" for case in cases)
    if set(categories) != {"-"}:
        counted = _counted(categories)
        yield Text(f"category: {counted.en}", f"カテゴリ: {counted.ja}")
    tags = Counter(tag for case in cases for tag in case.tags)
    if tags:
        counted = _counted(tags)
        yield Text(f"tags: {counted.en}", f"タグ: {counted.ja}")
    for title in dict.fromkeys(title for case in cases for title in case.fields):
        counted = _counted(Counter(case.fields.get(title) or "-" for case in cases))
        yield Text(f"{title}: {counted.en}", f"{title}: {counted.ja}")


def _counted(values: Counter[str]) -> Text:
    if len(values) > _MOST_VALUES:
        return Text(f"{len(values)} different values", f"{len(values)}種類の値")
    listed = ", ".join(f"{_short(value)} {count}" for value, count in values.most_common())
    return Text(listed, listed)


def setting_lines(loaded: Loaded) -> Iterator[Text]:
    """Every value and where it came from; keys only as set or not set."""
    for path, value in _leaves(loaded.settings):
        origin = loaded.origin(path).text
        shown = _shown(value)
        yield Text(f"{path} = {shown.en}  [{origin.en}]", f"{path} = {shown.ja}  [{origin.ja}]")


def _leaves(settings: Settings) -> Iterator[tuple[str, object]]:
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, BaseModel):
            yield from ((f"{name}.{inner}", getattr(value, inner)) for inner in type(value).model_fields)
        else:
            yield name, value


def _shown(value: object) -> Text:
    match value:
        case SecretStr():
            return Text("set", "設定済み") if value.get_secret_value() else Text("not set", "未設定")
        case _ if value in (None, "", (), {}):
            return Text("-", "-")
        case tuple():
            listed = ", ".join(_short(str(item), 60) for item in value)
            return Text(listed, listed)
        case bool():
            return Text(str(value).lower(), str(value).lower())
        case _:
            return Text(_short(str(value), 120), _short(str(value), 120))


def plan_lines(cost: Plan, suite: Suite, settings: Settings) -> Iterator[Text]:
    """Questions to the app, calls and estimated tokens of the judge, per metric and in all."""
    repeats = settings.repeats
    asked = repeats * questions(suite)
    yield Text(f"Plan (repeats: {repeats})", f"実行計画(繰り返し {repeats}回)")
    yield _indented(Text(f"questions to the app: {asked:,}", f"アプリへの質問: {asked:,}回"))
    for one in cost.per_metric:
        calls, tokens = one.calls * repeats, one.tokens * repeats
        yield _indented(
            Text(
                f"{one.metric}: {calls:,} judge calls, about {tokens:,} tokens",
                f"{one.metric}: 評価の呼び出し {calls:,}回、約{tokens:,}トークン",
            )
        )
    calls, tokens = cost.calls * repeats, cost.tokens * repeats
    share = f"{settings.gate.extra_budget:.0%}"
    yield _indented(
        Text(
            f"in all: {calls:,} judge calls, about {tokens:,} tokens (suspects asked again: at most {share} more)",
            f"合計: 評価の呼び出し {calls:,}回、約{tokens:,}トークン(疑わしいケースの再確認で最大{share}増えます)",
        )
    )
    again = settings.baseline.repeats
    if again > repeats:
        yield _indented(
            Text(
                f"a new baseline asks {again} times: about {cost.tokens * again:,} tokens",
                f"ベースラインの作成時は{again}回繰り返します: 約{cost.tokens * again:,}トークン",
            )
        )
    if settings.judge.provider == "offline":
        yield _indented(
            Text(
                "the offline judge calls nobody and uses no tokens",
                "オフライン評価では通信もトークンの消費もありません",
            )
        )


def _indented(text: Text) -> Text:
    return Text(f"  {text.en}", f"  {text.ja}")


def _short(text: str, most: int = 30) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
