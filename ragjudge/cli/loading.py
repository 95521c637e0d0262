"""What every command does first: read ragjudge.yml with flags and environment, then the suite."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragjudge.cli.options import DEFAULT_CONFIG, Chosen
from ragjudge.errors import ConfigFault, Place, Problem
from ragjudge.language import Language, Text, why_not

if TYPE_CHECKING:
    from ragjudge.settings import Loaded, Settings
    from ragjudge.suite import Suite


def config_path(chosen: Chosen) -> str:
    """The config's path as messages give it."""
    return (chosen.config or Path(DEFAULT_CONFIG)).as_posix()


def config_text(chosen: Chosen) -> str | None:
    """The config's text; None where there is none and none was asked for."""
    path = chosen.config or Path(DEFAULT_CONFIG)
    if chosen.config is None and not path.exists():
        return None
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        what = Text("The file is not UTF-8 text.", "UTF-8のテキストではありません。")
        cure = Text("Save it as UTF-8.", "UTF-8で保存し直してください。")
    except OSError as error:
        what = Text(
            f"The file cannot be read ({error.strerror}).", f"ファイルを読めません({why_not(error).ja})。"
        )
        cure = Text(
            "Check --config, or write one with `ragjudge init`.",
            "--config を確認するか、`ragjudge init` で作成してください。",
        )
    raise ConfigFault([Problem(what, Place(path.as_posix()), cure)])


def load_settings(chosen: Chosen, environ: Mapping[str, str]) -> "Loaded":
    """All layers joined. From here on messages are in the configured language."""
    from datetime import UTC, datetime

    from ragjudge import settings

    text = config_text(chosen)
    speak(chosen.language or settings.language_of(text))
    return settings.load(
        text,
        path=config_path(chosen),
        environ=environ,
        flags=chosen.flags,
        today=datetime.now(UTC).date(),
    )


def load_suite(configured: "Settings", *, as_written: bool = False) -> "Suite":
    """The whole suite, checked against the settings. Raises `SuiteFault` with everything that is wrong.

    `as_written`: without the cases that `app.judge_turns` makes of turns.
    """
    from ragjudge import suite

    loaded = suite.load_fitting(configured, Path())
    return loaded if as_written else suite.judged_turns(loaded, configured.app.judge_turns)


def select_cases(whole: "Suite", chosen: Chosen, *, part: bool = False) -> "Suite":
    """The part of the suite that --case, --tag, --shard and --limit ask for. `part`: a shard, which may be empty."""
    from ragjudge import suite

    choose = suite.dealt if part else suite.select
    return choose(whole, ids=chosen.cases, tags=chosen.tags, shard=chosen.shard, limit=chosen.limit)


def speak(language: Language | None) -> None:
    """Tell the front door in which language to report an error: it reads `language` from the root context's `obj`."""
    context = click.get_current_context(silent=True)
    if context is not None and language is not None:
        holder = context.find_root().obj
        if isinstance(holder, dict):
            holder["language"] = language
