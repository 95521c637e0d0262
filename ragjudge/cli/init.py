"""`ragjudge init`: asks for what it cannot find, and writes the first files of a project."""

import math
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ragjudge.cli import options
from ragjudge.errors import UsageFault
from ragjudge.exit_codes import ExitCode
from ragjudge.language import Language, Text, why_not

if TYPE_CHECKING:
    from ragjudge.assist.init import Answers, NewFile, Provider
    from ragjudge.assist.surroundings import Surroundings

_PROVIDERS = ["openai", "dify", "offline"]


@click.command(short_help="Write config, first suite and workflow / 設定とひな形を作成")
@options.language
@click.option("--base-url", metavar="URL", help="Service API of the Dify app / DifyアプリのAPIのURL")
@click.option("--judge", type=click.Choice(_PROVIDERS), help="Who grades / 評価者")
@click.option("--judge-model", metavar="NAME", help="The judge's model / 評価に使うモデル")
@click.option("--judge-base-url", metavar="URL", help="The judge's server / 評価者のサーバー")
@click.option("--suite", metavar="PATH", help="Test cases that exist already / 既存のテストケース")
@click.option(
    "--suite-format", type=click.Choice(["json", "xlsx"]), help="Of the starter suite / ひな形の形式"
)
@click.option("--dsl", multiple=True, metavar="PATH", help="DSL exports of the app / アプリのDSLファイル")
@click.option("--branch", metavar="NAME", help="The default branch / 既定のブランチ")
@click.option("--no-workflow", is_flag=True, help="No GitHub workflow / ワークフローを作らない")
@click.option(
    "--judge-dsl", metavar="FILE", help="Write a judge app's DSL for Dify / 評価用DifyアプリのDSLを書き出す"
)
@click.option("--ask/--no-input", "ask", default=None, help="Ask what is missing / 足りない項目を質問する")
@click.option("--force", is_flag=True, help="Overwrite what is there / 既存のファイルを上書き")
def command(**given: object) -> int:
    """Write ragjudge.yml, a starter suite and a GitHub workflow.

    ragjudge.yml、テストケースのひな形、GitHubのワークフローを作成します。
    --force を付けない限り、既存のファイルは上書きしません。
    """
    from ragjudge.assist import init

    asking = sys.stdin.isatty() if given["ask"] is None else bool(given["ask"])
    language = cast("Language", given["language"] or "ja")
    if given["judge_dsl"]:
        path = str(given["judge_dsl"])
        model = cast("str | None", given["judge_model"])
        _write([init.NewFile(path, init.judge_dsl(language, model))], language, force=bool(given["force"]))
        _say(_JUDGE_STEPS, language)
        return ExitCode.OK
    answers = _answers(given, language, asking=asking)
    _write(init.planned_files(answers), language, force=bool(given["force"]))
    for step in init.next_steps(answers):
        _say(Text(f"→ {step.en}", f"→ {step.ja}"), language)
    return ExitCode.OK


_JUDGE_STEPS = Text(
    "→ In Dify: import this DSL as a new app, choose a model, publish, create an API key (DIFY_JUDGE_API_KEY).",
    "→ Difyでこの DSL を新しいアプリとして取り込み、モデルを選んで公開し、APIキーを作成してください"
    "(DIFY_JUDGE_API_KEY)。",
)


def _answers(given: dict[str, object], language: Language, *, asking: bool) -> "Answers":
    from ragjudge.assist.init import Answers
    from ragjudge.assist.surroundings import look_around

    around = look_around(Path())
    _tell_found(around, language)
    questions = _Questions(given, language, asking=asking)
    base_url = questions.address("base_url", _BASE_URL, default=os.environ.get("DIFY_BASE_URL"))
    provider = cast("Provider", questions.choice("judge", _JUDGE, _PROVIDERS, default="openai"))
    model = questions.text("judge_model", _MODEL) if provider == "openai" else given["judge_model"]
    suite = cast("str | None", given["suite"] or around.suite)
    form = "json" if suite else questions.choice("suite_format", _FORMAT, ["json", "xlsx"], default="json")
    questions.done()
    return Answers(
        language=language,
        base_url=base_url,
        provider=provider,
        model=cast("str | None", model),
        judge_base_url=cast("str | None", given["judge_base_url"]),
        suite=suite,
        suite_format="xlsx" if form == "xlsx" else "json",
        dsl=cast("tuple[str, ...]", given["dsl"] or around.dsl),
        branch=cast("str", given["branch"] or around.branch),
        workflow=not given["no_workflow"],
        budget_tokens=_budget(around) if provider != "offline" and suite == around.suite else None,
    )


_BASE_URL = Text(
    "Address of the Dify app's API (its API Access page)", "DifyアプリのAPIのURL(「APIアクセス」画面)"
)
_JUDGE = Text("Who grades", "評価者")
_MODEL = Text("Model of the judge", "評価に使うモデル名")
_FORMAT = Text("Format of the starter suite", "テストケースのひな形の形式")


class _Questions:
    """Flags first, then questions at a terminal; what is missing otherwise is told in one go."""

    def __init__(self, given: dict[str, object], language: Language, *, asking: bool) -> None:
        self._given = given
        self._language = language
        self._asking = asking
        self._missing: list[str] = []

    def text(self, name: str, question: Text, *, default: str | None = None) -> str:
        value = self._given[name] or (default if not self._asking else None)
        if value:
            return str(value)
        if not self._asking:
            self._missing.append("--" + name.replace("_", "-"))
            return ""
        return str(click.prompt(question.in_language(self._language), default=default))

    def address(self, name: str, question: Text, *, default: str | None) -> str:
        """Asked again until it is one."""
        from ragjudge.settings import addresses

        while True:
            text = self.text(name, question, default=default)
            if not text:
                return ""
            address = addresses.dify(text)
            if address.wrong is None:
                return address.url
            if self._given[name] or not self._asking:
                raise UsageFault(address.wrong)
            click.echo(address.wrong.in_language(self._language), err=True)

    def choice(self, name: str, question: Text, choices: list[str], *, default: str) -> str:
        if self._given[name] or not self._asking:
            return str(self._given[name] or default)
        found = click.prompt(
            question.in_language(self._language), type=click.Choice(choices), default=default
        )
        return str(found)

    def done(self) -> None:
        if self._missing:
            names = " ".join(self._missing)
            raise UsageFault(
                Text(f"Missing: {names}", f"指定が足りません: {names}"),
                hint=Text(
                    "Give these flags, or run it at a terminal.",
                    "オプションで指定するか、端末で実行してください。",
                ),
            )


def _tell_found(around: "Surroundings", language: Language) -> None:
    if around.suite is not None and around.cases is not None:
        count = len(around.cases.cases)
        found = Text(
            f"Found test cases: {around.suite} ({count})",
            f"テストケースが見つかりました: {around.suite}({count}件)",
        )
        _say(found, language)
    if around.dsl:
        names = ", ".join(around.dsl)
        _say(Text(f"Found DSL exports: {names}", f"DSLファイルが見つかりました: {names}"), language)


def _budget(around: "Surroundings") -> int | None:
    """Room for a baseline's repeats and for confirming, half as much again, in round numbers."""
    from ragjudge.metrics.budget import planned
    from ragjudge.settings import Settings

    if around.cases is None:
        return None
    settings = Settings()
    passes = settings.baseline.repeats + settings.gate.extra_budget
    tokens = planned(around.cases, settings).tokens * passes * 1.5
    return max(10_000, math.ceil(tokens / 10_000) * 10_000)


def _write(new: "list[NewFile] | tuple[NewFile, ...]", language: Language, *, force: bool) -> None:
    for file in new:
        path = Path(file.path)
        if path.exists() and not force:
            _say(Text(f"kept    {file.path} (exists)", f"変更なし {file.path}(既にあります)"), language)
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
        except OSError as error:
            raise UsageFault(
                Text(f"{file.path}: {error.strerror}", f"{file.path}: {why_not(error).ja}")
            ) from None
        _say(Text(f"wrote   {file.path}", f"作成    {file.path}"), language)


def _say(text: Text, language: Language) -> None:
    click.echo(text.in_language(language))
