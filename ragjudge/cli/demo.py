"""`ragjudge demo`: the whole story with nothing but this machine, or its app kept up to be tried."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ragjudge.cli import options

if TYPE_CHECKING:
    from ragjudge.demo.server.options import Release
    from ragjudge.language import Language

DEFAULT_OUT = ".ragjudge/demo"


@click.command("demo")
@click.option("--serve", is_flag=True, help="Keep the app up instead / アプリを起動したままにする")
@click.option("--port", type=click.IntRange(0, 65535), help="With --serve (default: a free one) / ポート")
@click.option("--dsl", type=click.Path(path_type=Path), help="With --serve: another app / アプリのDSL")
@click.option(
    "--corpus", type=click.Path(path_type=Path), help="With --serve: other passages / 文書のフォルダー"
)
@click.option(
    "--release", type=click.Choice(["1.9.2", "1.14.2"]), help="With --serve: Dify release / Difyの版"
)
@click.option("--delay", type=click.FloatRange(0, 600), help="With --serve: seconds per answer / 1回答の秒数")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=DEFAULT_OUT,
    help=f"Results / 出力先 (default: {DEFAULT_OUT})",
)
@options.language
@options.quiet
def command(**params: object) -> int:
    """Baseline, the same app again, a degraded app: offline, in seconds.

    ベースライン作成・変更なし・デグレの3回を、このパソコンだけで実行します。
    """
    from ragjudge.cli.loading import speak

    language = cast("Language", params["language"] or "ja")
    speak(language)
    return _serve(params, language) if params["serve"] else _tell(params, language)


def _tell(params: Mapping[str, object], language: "Language") -> int:
    from ragjudge.cli.progress import progress
    from ragjudge.cli.usage import WrongUsage
    from ragjudge.demo.story import Telling, tell
    from ragjudge.language import Text

    for name in ("dsl", "corpus", "port", "release", "delay"):
        if params[name] is not None:
            raise WrongUsage(Text(f"--{name} is for --serve.", f"--{name} は --serve と一緒に使います。"))
    out = cast("Path", params["out"])
    return tell(Telling(out, language, click.echo, progress(language, quiet=bool(params["quiet"]))))


def _serve(params: Mapping[str, object], language: "Language") -> int:
    from ragjudge.demo import packaged, serving
    from ragjudge.demo.server import ServerOptions

    options = ServerOptions(
        release=cast("Release", params["release"] or "1.14.2"),
        port=cast("int", params["port"] or 0),
        answer_delay_s=cast("float", params["delay"] or 0.0),
    )
    serving.serve(
        serving.Serving(
            dsl=cast("Path", params["dsl"] or packaged.APP),
            corpus=cast("Path", params["corpus"] or packaged.CORPUS),
            options=options,
            language=language,
        ),
        say=click.echo,
        wait=_until_interrupted,
    )
    return 0


def _until_interrupted() -> None:
    """Ctrl+C is how this ends; it is no failure."""
    import threading

    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        click.echo()
