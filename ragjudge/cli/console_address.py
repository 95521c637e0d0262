"""Where a command may sign in to a console."""

import os
from typing import TYPE_CHECKING

from ragjudge.errors import UsageFault
from ragjudge.language import Text

if TYPE_CHECKING:
    from ragjudge.settings import Loaded


def refuse_proposed(loaded: "Loaded") -> None:
    """In a pull request's job the config is the pull request's: it must not say where the password goes."""
    from ragjudge.settings.origin import Layer

    setting = "dsl.console_url" if loaded.settings.dsl.console_url else "app.base_url"
    proposed = os.environ.get("GITHUB_EVENT_NAME", "").startswith("pull_request")
    if not proposed or loaded.origin(setting).layer is not Layer.CONFIG:
        return
    raise UsageFault(
        Text(
            f"On a pull request the console's address is not taken from {setting} of its own config.",
            f"プルリクエストでは、管理画面のURLをその設定ファイルの {setting} から読み取りません。",
        ),
        hint=Text(
            "Set DIFY_CONSOLE_URL (or DIFY_BASE_URL) in the workflow, from a variable of the repository.",
            "ワークフローで DIFY_CONSOLE_URL(または DIFY_BASE_URL)を、リポジトリの変数から設定してください。",
        ),
    )
