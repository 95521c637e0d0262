"""What the server that an export will go to knows and has. Reads through the console and changes nothing there."""

from collections.abc import Iterator
from dataclasses import dataclass

from ragjudge.dify.console.console import Console
from ragjudge.dify.console.credentials import Credentials
from ragjudge.language import Text
from ragjudge.ports import Clock
from ragjudge.preview.leased import at_console
from ragjudge.settings import Settings


@dataclass(frozen=True, slots=True)
class Target:
    """`dsl`: the newest DSL version that the server knows; `plugins`: what is installed. None is "not known"."""

    workspace: str = ""
    dsl: str | None = None
    plugins: frozenset[str] | None = None

    def unknown(self) -> Iterator[Text]:
        """What could not be learnt, and so is not checked."""
        if self.dsl is None:
            yield Text(
                "The server's DSL version is not known (it has no app to show it): not checked.",
                "サーバーのDSLバージョンがわからないため(確認に使えるアプリがありません)、確認していません。",
            )
        if self.plugins is None:
            yield Text(
                "The server's list of plugins could not be read: plugins are not checked.",
                "サーバーのプラグイン一覧を読み取れないため、プラグインは確認していません。",
            )


async def look(console: Console) -> Target:
    """Raises ConsoleMisconfigured or ConsoleUnreachable."""
    workspace = await console.workspace()
    return Target(workspace, await console.dsl_version(), await console.plugins())


def target_of(settings: Settings, credentials: Credentials, *, clock: Clock) -> Target:
    """Sign in, look, sign out. Raises ConsoleMisconfigured or ConsoleUnreachable."""
    return at_console(settings, credentials, look, clock=clock)
