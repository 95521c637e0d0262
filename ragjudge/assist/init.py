"""`ragjudge init`: the files of a new project, from a few answers. Pure: what to write, not the writing."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from ragjudge.assist import starter_suite
from ragjudge.language import Language, Text

CONFIG = "ragjudge.yml"
WORKFLOW = ".github/workflows/ragjudge.yml"
SUITE_FOLDER = "tests/rag"

Provider = Literal["openai", "dify", "offline"]


@dataclass(frozen=True, slots=True)
class Answers:
    """What was asked, found or given by flags. `suite` is None where a starter suite is to be written."""

    language: Language
    base_url: str
    provider: Provider
    model: str | None = None
    judge_base_url: str | None = None
    suite: str | None = None
    suite_format: Literal["json", "xlsx"] = "json"
    dsl: tuple[str, ...] = ()
    branch: str = "main"
    workflow: bool = True
    budget_tokens: int | None = None
    """Judge tokens that one run may use; None where nothing is known of the suite yet."""


@dataclass(frozen=True, slots=True)
class NewFile:
    """One file to write, relative to where the user stands."""

    path: str
    content: bytes


def planned_files(answers: Answers) -> tuple[NewFile, ...]:
    """Config, starter suite (where there is none) and workflow."""
    new = [NewFile(CONFIG, _config(answers).encode())]
    if answers.suite is None:
        name = f"{SUITE_FOLDER}/suite.{answers.suite_format}"
        new.append(NewFile(name, starter_suite.content(answers.suite_format, answers.language)))
    if answers.workflow:
        new.append(NewFile(WORKFLOW, _workflow(answers).encode()))
    return tuple(new)


def judge_dsl(language: Language, model: str | None) -> bytes:
    """A Dify app that only passes a prompt to a model: what `judge.provider: dify` asks."""
    name = Text("ragjudge judge", "ragjudge 評価用")
    about = Text(
        "Grades answers for ragjudge. Choose a model, publish, create an API key.",
        "ragjudge が回答を評価するためのアプリです。モデルを選び、公開し、APIキーを作成してください。",
    )
    return _filled(
        "judge-app.yml",
        NAME=_quoted(name.in_language(language)),
        DESCRIPTION=_quoted(about.in_language(language)),
        MODEL=_quoted(model or "YOUR-JUDGE-MODEL"),
    ).encode()


def next_steps(answers: Answers) -> tuple[Text, ...]:
    """What only a person can do now."""
    secrets = {
        "openai": "DIFY_API_KEY, OPENAI_API_KEY",
        "dify": "DIFY_API_KEY, DIFY_JUDGE_API_KEY",
        "offline": "DIFY_API_KEY",
    }[answers.provider]
    steps = [
        Text(
            f"Set {secrets} in your environment, and as secrets of the repository.",
            f"{secrets} を環境変数に設定し、リポジトリのシークレットにも登録してください。",
        ),
        Text("Look at it all: ragjudge validate --plan", "内容を確認する: ragjudge validate --plan"),
        Text("Run it: ragjudge check", "実行する: ragjudge check"),
    ]
    if answers.suite is None:
        path = f"{SUITE_FOLDER}/suite.{answers.suite_format}"
        replace = Text(
            f"Replace the questions in {path} by your own.",
            f"{path} の質問を自分たちのものに書き換えてください。",
        )
        steps.insert(0, replace)
    return tuple(steps)


def _config(answers: Answers) -> str:
    suite = answers.suite or f"{SUITE_FOLDER}/*.{answers.suite_format}"
    text = _filled(
        f"config.{answers.language}.yml",
        SUITE=_quoted(suite),
        BASE_URL=_quoted(answers.base_url),
        JUDGE="\n".join(_judge(answers)),
        DSL=_dsl(answers.dsl),
        BUDGET=_budget(answers),
    )
    # A part that says nothing leaves a blank line; two in a row look like a mistake.
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.rstrip("\n") + "\n"


def _judge(answers: Answers) -> list[str]:
    key = {"openai": "OPENAI_API_KEY", "dify": "DIFY_JUDGE_API_KEY", "offline": ""}[answers.provider]
    note = {
        "openai": Text(f" # key: {key} in the environment", f" # キーは環境変数 {key}"),
        "dify": Text(
            f" # a Dify app of your own; key: {key}", f" # 評価用のDifyアプリ。キーは環境変数 {key}"
        ),
        "offline": Text(
            " # no model at all: wording only, a first look", " # モデルを使わない簡易評価(表現の比較だけ)"
        ),
    }[answers.provider]
    lines = [f"  provider: {answers.provider}{note.in_language(answers.language)}"]
    if answers.model and answers.provider != "offline":
        lines.append(f"  model: {_quoted(answers.model)}")
    if answers.judge_base_url and answers.provider != "offline":
        lines.append(f"  base_url: {_quoted(answers.judge_base_url)}")
    return lines


def _dsl(patterns: Sequence[str]) -> str:
    return f"dsl: [{', '.join(_quoted(pattern) for pattern in patterns)}]\n" if patterns else ""


def _budget(answers: Answers) -> str:
    if answers.budget_tokens is None:
        return ""
    note = Text(
        "a run stops at this; it leaves room for the three repeats of a baseline",
        "実行はこの値で止まります。ベースライン作成時の3回の繰り返しに足りる値です",
    )
    return f"budget:\n  judge_tokens: {answers.budget_tokens} # {note.in_language(answers.language)}"


def _workflow(answers: Answers) -> str:
    """Addresses stand here as well: on the pull request that adds the config, only the workflow's own count."""
    secret = {"openai": "OPENAI_API_KEY", "dify": "DIFY_JUDGE_API_KEY", "offline": None}[answers.provider]
    lines = []
    if secret:
        lines.append(f"          judge-api-key: ${{{{ secrets.{secret} }}}}\n")
        if answers.judge_base_url:
            lines.insert(0, f"          judge-base-url: {_quoted(answers.judge_base_url)}\n")
    text = _filled("workflow.yml", BRANCH=_quoted(answers.branch), BASE_URL=_quoted(answers.base_url))
    return text.replace("@@JUDGE_KEY@@\n", "".join(lines))


def _filled(name: str, **values: str) -> str:
    text = (files("ragjudge.assist") / "starter" / name).read_text("utf-8")
    for key, value in values.items():
        text = text.replace(f"@@{key}@@", value)
    return text


def _quoted(text: str) -> str:
    """A scalar that means this text in YAML, plain where that is safe."""
    plain = text and all(c.isalnum() or c in "-_./" for c in text) and text[0].isalpha()
    return text if plain else json.dumps(text, ensure_ascii=False)
