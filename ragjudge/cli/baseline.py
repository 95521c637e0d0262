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
    from ragjudge.report.wording.base import Wording
    from ragjudge.results.baseline import Baseline


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
    from dataclasses import replace

    from ragjudge.assist import dsl_check
    from ragjudge.cli import sessions, stored
    from ragjudge.compare.policy import FEW_REPEATS
    from ragjudge.publish import FolderPublisher
    from ragjudge.renewal import update_baseline

    chosen = options.chosen(params)
    here = sessions.asking_session(chosen) if results is None else sessions.reading_session(chosen)
    # What changes is told below; a report that says "nothing to compare with yet" would only mislead here.
    exports = dsl_check.load_exports(here.settings, Path())
    here = replace(here, publishers=(FolderPublisher(here.out),), dsl_digest=dsl_check.digest(exports))
    updated = update_baseline(here, stored.results(results) if results else None, accept=accept)
    for line in told(updated.difference, here.settings.report.language):
        click.echo(line)
    if updated.ending.run.repeats < FEW_REPEATS:
        here.warn(_few(updated.ending.run.repeats))
    return 0


@command.command("show")
@options.basic
@options.baseline
def show(**params: object) -> int:
    """Print when the baseline was stored, by which judge, and its means."""
    from ragjudge.baseline.update import mean_over_cases
    from ragjudge.cli import sessions
    from ragjudge.report import wording

    here = sessions.reading_session(options.chosen(params))
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
    words = wording.of(here.settings.report.language)
    for metric in stored.run.metrics:
        mean = mean_over_cases(stored.run, metric)
        click.echo(f"  {words.metric(metric)}: {'–' if mean is None else f'{mean:.3f}'}")
    return 0


@command.command("history")
@options.basic
@options.baseline
def history(**params: object) -> int:
    """Print the means of every stored baseline, oldest first.

    これまでのベースラインの平均を、古い順に表示します。
    """
    from ragjudge.baseline.update import entry_of
    from ragjudge.cli import sessions
    from ragjudge.report import wording

    here = sessions.reading_session(options.chosen(params))
    words = wording.of(here.settings.report.language)
    stored = here.store.load()
    if stored is None:
        click.echo(NONE_YET.in_language(here.settings.report.language))
        return 0
    for entry in (*stored.history, entry_of(stored.run, at=stored.stored_at)):
        means = "  ".join(f"{words.metric(name)} {_shown(mean)}" for name, mean in entry.means.items())
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
    from ragjudge.cli import sessions
    from ragjudge.compare import drift

    here = sessions.reading_session(options.chosen(params))
    language = here.settings.report.language

    def pinned(stored: "Baseline | None") -> "Baseline":
        if stored is None:
            raise UsageFault(NONE_YET)
        return drift.pin(stored, None if remove else entry_of(stored.run, at=stored.stored_at))

    here.store.change(pinned, note="Anchor removed" if remove else "Anchor")
    done = (
        Text("The anchor was removed.", "固定を解除しました。")
        if remove
        else Text("Pinned.", "固定しました。")
    )
    click.echo(done.in_language(language))
    return 0


MOST_TOLD = 20


def told(difference: "Difference", language: "Language") -> list[str]:
    """What an update changed, a line each; of long lists the beginning and how many more."""
    from ragjudge.report import wording

    ja = language == "ja"
    words = wording.of(language)
    lines = ["ベースラインを更新しました。" if ja else "The baseline was updated."]
    lines += [f"  {words.metric(c.metric)}: {_shown(c.before)} → {_shown(c.after)}" for c in difference.means]
    for title, ids in (
        ("追加" if ja else "new", difference.new),
        ("削除" if ja else "gone", difference.gone),
        ("変更" if ja else "edited", difference.changed),
    ):
        if ids:
            lines.append(f"  {title}: {', '.join(ids[:MOST_TOLD])}{_more(len(ids), language)}")
    for title, changes in (
        ("上昇" if ja else "up", difference.up),
        ("低下" if ja else "down", difference.down),
    ):
        lines += [f"  {title}: {_change(change, words)}" for change in changes[:MOST_TOLD]]
        if len(changes) > MOST_TOLD:
            lines.append(f"  {title}:{_more(len(changes), language)}")
    return lines


def _few(repeats: int) -> Text:
    return Text(
        f"This baseline has {repeats} repeat(s) per case; under three, small drops can't be told from chance.",
        f"このベースラインは1ケースあたり{repeats}回分です。3回未満では、小さな低下を偶然と区別できません。",
    )


def _more(count: int, language: "Language") -> str:
    rest = count - MOST_TOLD
    if rest <= 0:
        return ""
    return f" ほか{rest:,}件" if language == "ja" else f" and {rest:,} more"


def _change(change: "CaseChange", words: "Wording") -> str:
    return f"{change.case_id} {words.metric(change.metric)} {_shown(change.before)} → {_shown(change.after)}"


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
