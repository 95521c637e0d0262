"""`ragjudge demo`: the whole story with nothing but this machine, or its app kept up to be tried."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ragjudge.cli import options

if TYPE_CHECKING:
    from ragjudge.demo.server.options import Release

DEFAULT_OUT = ".ragjudge/demo"


@click.command("demo")
@click.option("--serve", is_flag=True, help="Keep the app up instead / アプリを起動したままにする")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="With --serve; 0: a free one / ポート")
@click.option("--dsl", type=click.Path(path_type=Path), help="With --serve: another app / アプリのDSL")
@click.option(
    "--corpus", type=click.Path(path_type=Path), help="With --serve: other passages / 文書のフォルダー"
)
@click.option("--release", type=click.Choice(["1.9.2", "1.14.2"]), default="1.14.2", help="Dify release / 版")
@click.option("--delay", type=click.FloatRange(0, 600), default=0.0, help="Seconds per answer / 1回答の秒数")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=DEFAULT_OUT,
    help=f"Results / 出力先 (default: {DEFAULT_OUT})",
)
@options.language
@options.quiet
def command(
    *, serve: bool, port: int, dsl: Path | None, corpus: Path | None, out: Path, release: str, delay: float,
    language: str | None, quiet: bool,
) -> int:  # fmt: skip
    """Baseline, the same app again, a degraded app: offline, in seconds.

    ベースライン作成・変更なし・デグレの3回を、このパソコンだけで実行します。
    """
    from ragjudge.cli.progress import progress
    from ragjudge.language import Language

    spoken = cast("Language", language or "ja")
    if not serve:
        from ragjudge.demo.story import Telling, tell

        return tell(Telling(out, spoken, click.echo, progress(spoken, quiet=quiet)))
    from ragjudge.demo import packaged, serving
    from ragjudge.demo.server import ServerOptions

    served = serving.Serving(
        dsl=dsl or packaged.APP,
        corpus=corpus or packaged.CORPUS,
        options=ServerOptions(release=cast("Release", release), port=port, answer_delay_s=delay),
        language=spoken,
    )
    serving.serve(served, say=click.echo, wait=_until_interrupted)
    return 0


def _until_interrupted() -> None:
    """Ctrl+C is how this ends; it is no failure."""
    import threading

    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        click.echo()
