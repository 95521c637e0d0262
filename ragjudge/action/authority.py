"""Which private certificate authority a run trusts: the base branch's, where the workspace holds a proposal.

Its path alone would not do: a pull request could put a certificate of its own in the file, and whoever sits between
could then read the keys.
"""

import os.path
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path, PurePath

from ragjudge.errors import ConfigFault, Place, Problem
from ragjudge.github.base_branch import BaseBranch
from ragjudge.github.context import EventContext
from ragjudge.language import Text
from ragjudge.publish import write_file
from ragjudge.settings import Settings


def of_the_base_branch(
    settings: Settings, context: EventContext, base: BaseBranch | None, *, until: ExitStack
) -> Settings:
    """`ca_file` as the base branch has it, in a folder that is gone with `until`. Raises ConfigFault.

    A file outside of the workspace, or one that an earlier step put there, is no part of the pull request.
    """
    path = None if base is None or settings.ca_file is None else _in_the_repository(settings.ca_file)
    if base is None or path is None:
        return settings
    reviewed = base.read(path)
    if reviewed is None:
        if replace(base, commit=context.sha).read(path) is not None:
            raise ConfigFault([_only_here(path)])
        return settings
    copy = Path(until.enter_context(tempfile.TemporaryDirectory(prefix="ragjudge-"))) / path
    write_file(copy, reviewed)
    return settings.model_copy(update={"ca_file": str(copy)})


def _in_the_repository(path: str) -> str | None:
    inside = os.path.relpath(path)
    return None if inside.startswith(os.pardir) else PurePath(inside).as_posix()


def _only_here(path: str) -> Problem:
    return Problem(
        Text(
            "The CA file stands only in this pull request; what a run trusts comes from the base branch.",
            "CAファイルが、このプルリクエストにしかありません。信頼する証明書は、ベースブランチのものだけを使います。",
        ),
        Place(path),
        Text(
            "Merge the CA file first, or let an earlier step of the workflow write it.",
            "先にCAファイルをマージするか、ワークフローの前のステップで書き出してください。",
        ),
    )
