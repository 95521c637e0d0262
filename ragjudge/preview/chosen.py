"""Which file a run previews, from its settings and environment."""

import glob
from collections.abc import Mapping
from pathlib import Path

from ragjudge.errors import UsageFault
from ragjudge.language import Text
from ragjudge.preview import secrets
from ragjudge.preview.lease import Preview
from ragjudge.preview.naming import Owner
from ragjudge.settings import Settings


def preview_of(settings: Settings, owner: Owner, *, base_dir: Path, environ: Mapping[str, str]) -> Preview:
    """The one file of `dsl.files`, with the secrets that the environment gives. Raises UsageFault for none or many."""
    found = sorted(
        {
            name
            for pattern in settings.dsl.files
            if "\0" not in pattern
            for name in glob.glob(pattern, root_dir=base_dir, recursive=True)  # noqa: PTH207 - takes absolute ones
            if (base_dir / name).is_file()
        }
    )
    if len(found) != 1:
        raise _not_one(settings.dsl.files, found)
    try:
        content = (base_dir / found[0]).read_bytes()
    except OSError as error:
        raise _not_one(settings.dsl.files, found) from error
    return Preview(content, Path(found[0]).as_posix(), owner, secrets.from_environ(environ))


def _not_one(patterns: tuple[str, ...], found: list[str]) -> UsageFault:
    named = ", ".join(patterns) or "–"
    return UsageFault(
        Text(
            f"A preview needs exactly one readable DSL file; dsl.files ({named}) gives {len(found)}.",
            f"プレビューできるDSLファイルは1つです。dsl.files({named})に当てはまるファイルは{len(found)}件です。",
        ),
        hint=Text(
            "Name one file; with several apps, use one config and one job for each.",
            "ファイルを1つ指定してください。アプリが複数ある場合は、設定とジョブをアプリごとに分けてください。",
        ),
    )
