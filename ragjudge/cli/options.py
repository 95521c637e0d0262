"""The options that several commands share, and what a user chose with them.

A command stacks the groups it needs (`@options.basic`, `@options.cases` …), takes `**params: object` and calls
`options.chosen(params)`. Only click is imported here, so that `--version` and `--help` stay quick.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

import click

from ragjudge.errors import UsageFault
from ragjudge.language import Language, Text

DEFAULT_CONFIG = "ragjudge.yml"
DEFAULT_OUT = ".ragjudge"

Command = TypeVar("Command", bound=Callable[..., object])


class Shard(NamedTuple):
    """Part `part` (from 1) of `parts` parts of a suite."""

    part: int
    parts: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the user gave on the command line. `flags` maps a setting's dotted path to the value given for it."""

    config: Path | None = None
    """None: `ragjudge.yml` where there is one."""
    language: Language | None = None
    verbose: bool = False
    quiet: bool = False
    cases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    shard: Shard | None = None
    limit: int | None = None
    out: Path = Path(DEFAULT_OUT)
    resume: bool | None = None
    """True: continue from the journal; False: start anew; None: the user did not say."""
    flags: Mapping[str, object] = field(default_factory=dict)


_SETTING_OF = {
    "suite": "suite",
    "judge": "judge.provider",
    "judge_model": "judge.model",
    "base_url": "app.base_url",
    "language": "report.language",
    "concurrency": "app.concurrency",
    "repeats": "repeats",
    "baseline": "baseline.store",
}


def chosen(params: Mapping[str, object]) -> Chosen:
    """Sort a command's parameters into selections and settings; parameters of other options are ignored."""
    flags = {
        path: params[name] for name, path in _SETTING_OF.items() if params.get(name) not in (None, (), "")
    }
    return Chosen(
        config=_path(params.get("config")),
        language=cast("Language | None", params.get("language")),
        verbose=bool(params.get("verbose")),
        quiet=bool(params.get("quiet")),
        cases=cast("tuple[str, ...]", params.get("case") or ()),
        tags=cast("tuple[str, ...]", params.get("tag") or ()),
        shard=parse_shard(cast("str | None", params.get("shard"))),
        limit=cast("int | None", params.get("limit")),
        out=_path(params.get("out")) or Path(DEFAULT_OUT),
        resume=cast("bool | None", params.get("resume")),
        flags=flags,
    )


def parse_shard(text: str | None) -> Shard | None:
    """`2/5` → the second of five parts."""
    if text is None:
        return None
    part, _, parts = text.partition("/")
    if part.isascii() and part.isdigit() and parts.isascii() and parts.isdigit():
        shard = Shard(int(part[:9]), int(parts[:9]))
        if 1 <= shard.part <= shard.parts:
            return shard
    raise UsageFault(
        Text(
            f"--shard must look like 2/5 (the second of five parts), not {text!r}.",
            f"--shard は 2/5(5分割の2番目)のように指定してください。指定された値: {text!r}",
        )
    )


def _path(value: object) -> Path | None:
    return Path(value) if isinstance(value, str) and value else None


def _stack(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def apply(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return apply


language = click.option(
    "--language", type=click.Choice(["ja", "en"]), help="Language of report and messages / 表示言語"
)
config = click.option(
    "--config", metavar="FILE", help=f"Settings file / 設定ファイル (default: {DEFAULT_CONFIG})"
)
verbose = click.option("-v", "--verbose", is_flag=True, help="Say more / 詳しく表示")
quiet = click.option("--quiet", is_flag=True, help="Only the result / 結果だけを表示")
out = click.option(
    "--out", metavar="FOLDER", help=f"Where results go / 結果の出力先 (default: {DEFAULT_OUT})"
)
baseline = click.option(
    "--baseline", metavar="STORE", help="file:PATH or branch:NAME / ベースラインの保存場所"
)
resuming = click.option(
    "--resume/--fresh",
    "resume",
    default=None,
    help="Continue from the journal, or start anew / 途中から再開、または最初から",
)
basic = _stack(config, language, verbose, quiet)
"""--config, --language, -v, --quiet."""
suite = click.option(
    "--suite",
    multiple=True,
    metavar="PATH",
    help="Test cases: file, glob, folder or book.xlsx#sheet / テストケースのファイル",
)
cases = _stack(
    suite,
    click.option("--case", multiple=True, metavar="ID", help="Only this case (repeatable) / このケースだけ"),
    click.option("--tag", multiple=True, metavar="TAG", help="Only cases with this tag / このタグだけ"),
    click.option("--shard", metavar="I/N", help="The I-th of N parts / N分割のI番目"),
    click.option("--limit", type=int, metavar="N", help="At most N cases, from the top / 先頭からN件まで"),
)
"""--suite, --case, --tag, --shard, --limit."""
judging = _stack(
    click.option("--judge", type=click.Choice(["openai", "dify", "offline"]), help="Who grades / 評価者"),
    click.option("--judge-model", metavar="NAME", help="The judge's model / 評価に使うモデル"),
    click.option("--base-url", metavar="URL", help="Service API of the Dify app / DifyアプリのAPIのURL"),
    click.option("--concurrency", type=int, metavar="N", help="Questions in flight / 同時に送る質問の数"),
    click.option("--repeats", type=int, metavar="N", help="Whole-suite repeats / 全体の繰り返し回数"),
)
"""--judge, --judge-model, --base-url, --concurrency, --repeats."""
