"""What a command cannot do without, asked for in one go: a suite, an app, a judge and their keys."""

from collections.abc import Collection, Iterator
from typing import Literal

from ragjudge.errors import ConfigFault, Problem
from ragjudge.language import Text
from ragjudge.settings.models import Settings

Need = Literal["suite", "app", "judge"]


def require(settings: Settings, *needs: Need, held_back: Collection[str] = ()) -> None:
    """Raise `ConfigFault` with everything that is missing for these needs.

    `held_back` names the settings that a pull request changes but may not use yet (`Changed.path`): an address that
    only the pull request knows is missing for another reason, and has another cure.
    """
    found = [problem for need in needs for problem in _MISSING[need](settings)]
    if "app.base_url" in held_back and not settings.app.base_url:
        found = [_AFTER_THE_MERGE if problem.what == _NO_ADDRESS else problem for problem in found]
    if "judge.provider" in held_back and settings.judge.provider is None:
        found = [_JUDGE_AFTER_THE_MERGE if problem.what == _NO_JUDGE else problem for problem in found]
    if found:
        raise ConfigFault(found)


_NO_ADDRESS = Text("The Dify app's address is not set.", "DifyアプリのURLが設定されていません。")
_AFTER_THE_MERGE = Problem(
    Text(
        "The Dify app's address stands only in this pull request's ragjudge.yml; "
        "keys are sent only to addresses from the base branch or the workflow.",
        "DifyアプリのURLが、このプルリクエストの ragjudge.yml にしかありません。"
        "キーは、ベースブランチの設定かワークフローに書かれたURLにだけ送られます。",
    ),
    cure=Text(
        "Give the action `dify-base-url: …` in the workflow, or merge ragjudge.yml first.",
        "ワークフローで「dify-base-url: …」を渡すか、先に ragjudge.yml をマージしてください。",
    ),
)

_NO_JUDGE = Text("No judge is chosen.", "評価者(judge)が選ばれていません。")
_JUDGE_AFTER_THE_MERGE = Problem(
    Text(
        "That a Dify app judges stands only in this pull request's ragjudge.yml; "
        "which key goes where is decided by the base branch or the workflow.",
        "Difyアプリに評価させる設定が、このプルリクエストの ragjudge.yml にしかありません。"
        "どのキーをどこへ送るかは、ベースブランチの設定かワークフローで決まります。",
    ),
    cure=Text(
        "Give the action `judge-provider: dify` in the workflow, or merge ragjudge.yml first.",
        "ワークフローで「judge-provider: dify」を渡すか、先に ragjudge.yml をマージしてください。",
    ),
)


def _suite(settings: Settings) -> Iterator[Problem]:
    if not settings.suite:
        yield Problem(
            Text("No suite is named.", "テストケースのファイルが指定されていません。"),
            cure=Text(
                "Write `suite: tests/rag/*.json` in ragjudge.yml, or give --suite.",
                "ragjudge.yml に「suite: tests/rag/*.json」のように書くか、--suite で指定してください。",
            ),
        )


def _app(settings: Settings) -> Iterator[Problem]:
    if not settings.app.base_url:
        yield Problem(
            _NO_ADDRESS,
            cure=Text(
                "Set app.base_url in ragjudge.yml, the input dify-base-url, or DIFY_BASE_URL.",
                "ragjudge.yml の app.base_url、入力 dify-base-url、環境変数 DIFY_BASE_URL の"
                "いずれかで設定してください。",
            ),
        )
    if not settings.dsl.preview and not settings.app.api_key.get_secret_value():
        yield Problem(
            Text("The Dify app's API key is missing or empty.", "DifyアプリのAPIキーがないか、空です。"),
            cure=Text(
                "Set DIFY_API_KEY (in Actions: the input dify-api-key with an existing secret).",
                "環境変数 DIFY_API_KEY を設定してください"
                "(GitHub Actionsでは入力 dify-api-key に登録済みのシークレットを渡します)。",
            ),
        )


def _judge(settings: Settings) -> Iterator[Problem]:
    judge = settings.judge
    if judge.provider is None:
        yield Problem(
            _NO_JUDGE,
            cure=Text(
                "Set judge.provider (openai, dify or offline) in ragjudge.yml, or give --judge.",
                "ragjudge.yml の judge.provider(openai、dify、offline)か --judge で指定してください。",
            ),
        )
    if judge.provider == "openai" and not judge.model:
        yield Problem(
            Text("The judge's model is not set.", "評価に使うモデルが設定されていません。"),
            cure=Text(
                "Set judge.model in ragjudge.yml or the input judge-model; there is no default, models are retired.",
                "ragjudge.yml の judge.model か、入力 judge-model で設定してください"
                "(モデルは廃止されることがあるため、既定値はありません)。",
            ),
        )
    if judge.provider == "dify" and not judge.base_url:
        yield Problem(
            Text("The judge app's address is not set.", "評価アプリのURLが設定されていません。"),
            cure=Text("Set judge.base_url.", "judge.base_url を設定してください。"),
        )
    if judge.provider in ("openai", "dify") and not judge.api_key.get_secret_value():
        name = "OPENAI_API_KEY" if judge.provider == "openai" else "DIFY_JUDGE_API_KEY"
        yield Problem(
            Text("The judge's API key is missing or empty.", "評価者のAPIキーがないか、空です。"),
            cure=Text(
                f"Set {name} (in Actions: the input judge-api-key with an existing secret).",
                f"環境変数 {name} を設定してください"
                "(GitHub Actionsでは入力 judge-api-key に登録済みのシークレットを渡します)。",
            ),
        )


_MISSING = {"suite": _suite, "app": _app, "judge": _judge}
