"""`ragjudge baseline update|show`: the stored baseline."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragjudge.cli import options
from ragjudge.errors import UsageFault
from ragjudge.language import Text

NONE_YET = Text("There is no baseline yet.", "ベースラインはまだありません。")

if TYPE_CHECKING:
    from ragjudge.baseline.update import CaseChange, Difference
    from ragjudge.language import Language


@click.group("baseline")
def command() -> None:
    """Update or show the stored baseline.

    保存されたベースラインの更新と表示。
    """


@command.command("update")
@click.argument("results", required=False, type=click.Path(path_type=Path))
@click.option("--accept", is_flag=True, help="Also from an unsound run / 問題のある結果でも更新する")
@options.basic
@options.cases
@options.judging
@options.baseline
@options.out
@options.resuming
def update(results: Path | None, accept: bool, **params: object) -> int:
    """Take stored RESULTS, or a new run, as the baseline. Prints what changes.

    保存した結果(省略時は新しい実行)をベースラインにします。変更内容を表示します。
    """
    from ragjudge import session
    from ragjudge.cli import sitting, stored

    chosen = options.chosen(params)
    here = sitting.asking_session(chosen) if results is None else sitting.reading_session(chosen)
    updated = session.update_baseline(here, stored.results(results) if results else None, accept=accept)
    for line in told(updated.difference, here.settings.report.language):
        click.echo(line)
    return 0


@command.command("show")
@options.basic
@options.baseline
def show(**params: object) -> int:
    """Print when the baseline was stored, by which judge, and its means."""
    from ragjudge.baseline.update import mean_over_cases
    from ragjudge.cli import sitting

    here = sitting.reading_session(options.chosen(params))
    stored = here.store.load()
    ja = here.settings.report.language == "ja"
    click.echo(here.store.describe())
    if stored is None:
        click.echo(NONE_YET.in_language(here.settings.report.language))
        return 0
    judge = stored.run.fingerprint.judge
    click.echo(f"{'保存日時' if ja else 'stored'}: {stored.stored_at:%Y-%m-%d %H:%M} UTC")
    click.echo(f"{'評価者' if ja else 'judge'}: {judge.provider} {judge.model}")
    click.echo(f"{'ケース' if ja else 'cases'}: {len(stored.run.cases)} × {stored.run.repeats}")
    for metric in stored.run.metrics:
        mean = mean_over_cases(stored.run, metric)
        click.echo(f"  {metric}: {'–' if mean is None else f'{mean:.3f}'}")
    return 0


@command.command("history")
@options.basic
@options.baseline
def history(**params: object) -> int:
    """Print the means of every stored baseline, oldest first.

    これまでのベースラインの平均を、古い順に表示します。
    """
    from ragjudge.baseline.update import entry_of
    from ragjudge.cli import sitting

    here = sitting.reading_session(options.chosen(params))
    stored = here.store.load()
    if stored is None:
        click.echo(NONE_YET.in_language(here.settings.report.language))
        return 0
    for entry in (*stored.history, entry_of(stored.run, at=stored.stored_at)):
        means = "  ".join(f"{name} {_shown(mean)}" for name, mean in entry.means.items())
        pinned = " *" if stored.pinned is not None and stored.pinned.at == entry.at else ""
        click.echo(f"{entry.at:%Y-%m-%d %H:%M} {(entry.commit or '-')[:10]:10}  {means}{pinned}")
    return 0


@command.command("pin")
@click.option("--remove", is_flag=True, help="Take the anchor away / 固定を解除する")
@options.basic
@options.baseline
def pin(remove: bool, **params: object) -> int:
    """Keep today's means as an anchor: each check says when small allowed drops since then add up.

    今の平均を基準点として固定します。許容範囲内の小さな低下が積み重なると、検査のたびに警告します。
    """
    from ragjudge.baseline.update import entry_of
    from ragjudge.cli import sitting
    from ragjudge.compare import drift

    here = sitting.reading_session(options.chosen(params))
    language = here.settings.report.language
    stored = here.store.load()
    if stored is None:
        raise UsageFault(NONE_YET)
    here.store.save(drift.pin(stored, None if remove else entry_of(stored.run, at=stored.stored_at)))
    done = (
        Text("The anchor was removed.", "固定を解除しました。")
        if remove
        else Text("Pinned.", "固定しました。")
    )
    click.echo(done.in_language(language))
    return 0


def told(difference: "Difference", language: "Language") -> list[str]:
    """What an update changed, a line each."""
    ja = language == "ja"
    lines = ["ベースラインを更新しました。" if ja else "The baseline was updated."]
    lines += [f"  {c.metric}: {_shown(c.before)} → {_shown(c.after)}" for c in difference.means]
    for title, ids in (
        ("追加" if ja else "new", difference.new),
        ("削除" if ja else "gone", difference.gone),
        ("変更" if ja else "edited", difference.changed),
    ):
        if ids:
            lines.append(f"  {title}: {', '.join(ids)}")
    for title, changes in (
        ("上昇" if ja else "up", difference.up),
        ("低下" if ja else "down", difference.down),
    ):
        lines += [f"  {title}: {_change(change)}" for change in changes]
    return lines


def _change(change: "CaseChange") -> str:
    return f"{change.case_id} {change.metric} {_shown(change.before)} → {_shown(change.after)}"


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
