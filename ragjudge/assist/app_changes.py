"""What a proposal changes in the app: its DSL files held against those it is to replace."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from glob import has_magic
from pathlib import Path

from ragjudge.assist import dsl_check, dsl_files
from ragjudge.dsl.change import Change
from ragjudge.dsl.changes import changes
from ragjudge.dsl.load import Dsl, load
from ragjudge.dsl.masking import masked
from ragjudge.errors import DslFault, Place
from ragjudge.language import Text
from ragjudge.session import Session
from ragjudge.settings import Settings

_MOST_GONE = 50


@dataclass(frozen=True, slots=True)
class Proposal:
    """The changes in every DSL file; `files` of them were compared with the base branch."""

    changes: tuple[Change, ...] = ()
    files: int = 0
    before: Mapping[str, bytes] = field(default_factory=dict)
    """What each file was, by its name now; none for a new one."""


@dataclass(frozen=True, slots=True)
class Before:
    """The revision that a proposal is compared with.

    `read` gives a file as it was, None where there was none; `names` all its files, asked for only where `dsl.files`
    holds a pattern.
    """

    read: Callable[[str], bytes | None]
    names: Callable[[], Iterable[str]]


def proposed(settings: Settings, before: Before) -> Proposal:
    """What changed in every file, and which are gone. Raises DslFault, and what `before` raises."""
    exports = dsl_check.load_exports(settings, Path())
    gone = _gone(settings, before, {dsl.file for dsl in exports})
    found: list[Change] = []
    contents: dict[str, bytes | None] = {}
    for dsl in exports:
        old = before.read(dsl.file)
        moved = _moved_from(dsl, gone) if old is None else None
        if moved is not None:
            old = gone.pop(moved)
            found.append(_moved(moved, dsl))
        contents[dsl.file] = old
        found += since(old, dsl)
    found += (_removed(file, content) for file, content in gone.items())
    before_now = {name: content for name, content in contents.items() if content is not None}
    return Proposal(tuple(found), len(exports), before_now)


def _gone(settings: Settings, before: Before, here: Collection[str]) -> dict[str, bytes]:
    """Files that `dsl.files` named before and that are no longer there. A plain path that is gone is a fault."""
    patterns = [pattern for pattern in settings.dsl.files if has_magic(pattern)]
    if not patterns:
        return {}
    names = [name for name in dsl_files.named_by(patterns, before.names()) if name not in here]
    contents = ((name, before.read(name)) for name in names[:_MOST_GONE])
    return {name: content for name, content in contents if content is not None}


def _moved_from(dsl: Dsl, gone: Mapping[str, bytes]) -> str | None:
    """The file under whose name this app was before."""
    return next(
        (file for file, content in gone.items() if _app_of(file, content) == (dsl.name, dsl.mode)), None
    )


def _app_of(file: str, content: bytes) -> tuple[str, str] | None:
    try:
        app = load(content, file)
    except DslFault:
        return None
    return app.name, app.mode


def _moved(file: str, now: Dsl) -> Change:
    return Change(
        Text(f"The file was {file} before", f"ファイル名が {file} から変更されました"), Place(now.file)
    )


def _removed(file: str, content: bytes) -> Change:
    name = masked((_app_of(file, content) or (file, ""))[0])
    what = Text(
        f"The app “{name}” was removed ({file} is gone)",
        f"アプリ「{name}」が削除されました({file} がありません)",
    )
    return Change(what, Place(file))


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
    return replace(session, extras=extras, dsl_before=proposal.before)
