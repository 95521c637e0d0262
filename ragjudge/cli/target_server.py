"""Ask the server that an export will go to, where there is a way in: what `dsl lint` cannot know from the file."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from ragjudge.cli import console_address
from ragjudge.errors import RagjudgeError
from ragjudge.language import Text

if TYPE_CHECKING:
    from ragjudge.preview.target import Target
    from ragjudge.settings import Loaded


def asked(loaded: "Loaded", say: Callable[[Text], None]) -> "Target | None":
    """What the server knows and has; None, with one line to say why, where it could not be asked."""
    from ragjudge.dify.console.credentials import from_environ
    from ragjudge.preview.target import target_of
    from ragjudge.wiring import SystemClock

    try:
        credentials = from_environ(os.environ)
        if credentials is None:
            say(_NO_WAY_IN)
            return None
        console_address.refuse_proposed(loaded)
        target = target_of(loaded.settings, credentials, clock=SystemClock())
    except RagjudgeError as trouble:
        say(_not_asked(trouble))
        return None
    for unknown in target.unknown():
        say(unknown)
    return target


_NO_WAY_IN = Text(
    "The server was not asked (DSL version, plugins): no console credentials are given.",
    "管理画面の認証情報がないため、サーバーとの照合(DSLバージョン、プラグイン)は行っていません。",
)


def _not_asked(trouble: RagjudgeError) -> Text:
    cure = trouble.hint or Text("", "")
    return Text(
        f"The server was not asked (DSL version, plugins): {trouble.what.en} {cure.en}".rstrip(),
        f"サーバーとの照合(DSLバージョン、プラグイン)は行えませんでした: {trouble.what.ja}{cure.ja}",
    )
