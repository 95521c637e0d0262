"""What a proposal changes in the app: its DSL files held against those it is to replace."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ragjudge.assist import dsl_check
from ragjudge.dsl.change import Change
from ragjudge.dsl.changes import changes
from ragjudge.dsl.load import Dsl, load
from ragjudge.errors import DslFault, Place
from ragjudge.language import Text
from ragjudge.session import Session
from ragjudge.settings import Settings


@dataclass(frozen=True, slots=True)
class Proposal:
    """The changes in every DSL file; `files` of them were compared with the base branch."""

    changes: tuple[Change, ...] = ()
    files: int = 0


def proposed(settings: Settings, read_base: Callable[[str], bytes | None]) -> Proposal:
    """`read_base` gives a file as it was before, None where there was none. Raises DslFault."""
    exports = dsl_check.load_exports(settings, Path())
    found = tuple(change for dsl in exports for change in since(read_base(dsl.file), dsl))
    return Proposal(found, len(exports))


def since(before: bytes | None, now: Dsl) -> tuple[Change, ...]:
    """The changes of one file; one line where there was none before, or none that can be read."""
    if before is None:
        return (Change(Text("The file is new", "ファイルが追加されました"), Place(now.file)),)
    try:
        return changes(load(before, now.file), now)
    except DslFault:
        why = Text(
            "The file on the base branch is no DSL export: the changes can't be told",
            "ベースブランチのファイルをDSLとして読めないため、変更点は表示できません",
        )
        return (Change(why, Place(now.file)),)


def shown(session: Session, proposal: Proposal) -> Session:
    """The session with the changes in its report, and whether what is judged can be shown to hold them."""
    unproven = bool(proposal.changes) and not session.settings.dsl.preview
    extras = replace(session.extras, app_changes=proposal.changes, unproven=unproven)
    return replace(session, extras=extras)
