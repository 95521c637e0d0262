"""What the run cost, what was judged and by whom, and what a reader must know to trust the numbers."""

from collections.abc import Iterator, Sequence

from ragjudge.report import escape, numbers
from ragjudge.report.blocks import (
    Block,
    Bullets,
    Code,
    Column,
    Faint,
    Fold,
    Inline,
    Line,
    Paragraph,
    Section,
    Strong,
    Table,
)
from ragjudge.report.layout import sentences
from ragjudge.report.view.model import CostView, JudgedView, ReportView
from ragjudge.report.wording.base import Wording
from ragjudge.results.usage import Usage

LONGEST_VALUE = 120


def honesty(view: ReportView, words: Wording) -> Section | None:
    """What the numbers are not: never behind a fold."""
    notes = [sentences.of_skipped(view.skipped, words)] if view.skipped else []
    if view.judged is not None and view.judged.offline_judge:
        notes.append(words.phrases.offline_judge)
    elif view.judged is not None and view.judged.offline_vectors and "answer_relevancy" in view.metric_names:
        notes.append(words.phrases.offline_vectors)
    if view.scores_only:
        notes.append(words.phrases.scores_only)
    if not notes:
        return None
    return Section(None, tuple(Paragraph((f"ℹ️ {note}",)) for note in notes), essential=True)


def judged(view: ReportView, words: Wording, *, opened: bool) -> Section | None:
    if view.judged is None or view.cost is None:
        return None
    items = tuple(_identity(view, view.judged, words))
    blocks: tuple[Block, ...] = (Bullets(items), *_cost(view.cost, words))
    heading = words.headings.judged
    if opened:
        return Section(heading, blocks, essential=True)
    return Section(None, (Fold(f"{heading}: {_in_short(view.cost, words)}", blocks),), essential=True)


def in_short(view: ReportView, words: Wording) -> Section | None:
    return None if view.cost is None else Section(None, (Paragraph((Faint(_in_short(view.cost, words)),)),))


def _in_short(cost: CostView, words: Wording) -> str:
    parts = [numbers.seconds(cost.took_s, words.language)]
    told = words.phrases.at_least if cost.app.unreported else "{figure}"
    tokens = told.format(figure=numbers.count(cost.all.total_tokens))
    parts.append(f"{words.labels.tokens} {tokens}")
    if cost.all.prices:
        parts.append(told.format(figure=_price(cost.all)))
    return " · ".join(parts)


def _identity(view: ReportView, judged: JudgedView, words: Wording) -> Iterator[Line]:
    labels = words.labels
    mode = words.app_modes.get(judged.app_mode, judged.app_mode)
    yield _item(labels.app_name, f"{judged.app_name}{sentences.bracketed(mode, words)}")
    if judged.server_version:
        yield _item(labels.server, judged.server_version)
    if judged.workflow_ids:
        yield _ids(labels.workflow, judged.workflow_ids, words)
    yield _item(labels.contexts_from, _contexts(judged, words))
    yield _item(labels.judge, _judge(judged, words))
    yield _item(labels.embedder, f"{judged.embedder.provider} / {judged.embedder.model}")
    if view.baseline is not None:
        when = f"{view.baseline.stored_at:%Y-%m-%d %H:%M} UTC"
        line = _item(labels.baseline, words.phrases.baseline_of.format(when=when))
        yield (*line, " ", Code(view.baseline.commit[:12])) if view.baseline.commit else line
    if judged.repeats > 1:
        yield _item(labels.repeats, numbers.count(judged.repeats))
    if judged.commit:
        yield _ids(labels.commit, (judged.commit[:12],), words)
    yield (*_item("ragjudge", judged.tool_version), " ", Code(judged.run_id))


def _item(label: str, value: str) -> Line:
    return (Strong(label), f": {escape.cut(value, LONGEST_VALUE)}")


def _ids(label: str, ids: Sequence[str], words: Wording) -> Line:
    line: list[Inline] = [Strong(label), ": "]
    for n, one in enumerate(ids):
        line += [words.phrases.list_comma] if n else []
        line.append(Code(one))
    return tuple(line)


def _contexts(judged: JudgedView, words: Wording) -> str:
    found = [
        f"{words.context_sources[source]}{sentences.bracketed(sentences.cases(count, words), words)}"
        for source, count in judged.context_sources.items()
    ]
    found += [
        words.phrases.contexts_missing.format(
            count=count, cases=sentences.cases(count, words), cause=words.missing_contexts[cause]
        )
        for cause, count in judged.missing_contexts.items()
    ]
    return words.phrases.list_comma.join(found) or numbers.NONE


def _judge(judged: JudgedView, words: Wording) -> str:
    sent = ", ".join(f"{name} {value}" for name, value in judged.judge.parameters.items())
    mode = "" if judged.mode == "standard" else f" {words.phrases.mode.format(mode=judged.mode)}"
    return f"{judged.judge.provider} / {judged.judge.model}{sentences.bracketed(sent, words)}{mode}"


def _cost(cost: CostView, words: Wording) -> tuple[Block, ...]:
    labels = words.labels
    columns = (
        Column(labels.whose),
        Column(labels.calls, "right"),
        Column(labels.tokens_in, "right"),
        Column(labels.tokens_out, "right"),
        Column(labels.price, "right"),
    )
    rows = (
        _usage(labels.app, cost.app),
        *(_usage(f"└ {escape.cut(node, LONGEST_VALUE)}", usage) for node, usage in cost.nodes.items()),
        _usage(labels.judge_and_embedder, cost.judge),
        *(_usage(f"└ {words.metric(name)}", usage) for name, usage in cost.metrics.items()),
        *([_usage(f"└ {labels.other_calls}", cost.beside_metrics)] if cost.beside_metrics.calls else []),
    )
    notes: list[Line] = [(Strong(labels.took), f": {numbers.seconds(cost.took_s, words.language)}")]
    if cost.repaired:
        repaired = words.phrases.repaired_replies.format(count=numbers.count(cost.repaired))
        notes.append((Strong(labels.repaired), f": {repaired}"))
    if cost.asked_again:
        notes.append((words.phrases.asked_again.format(count=numbers.count(cost.asked_again)),))
    if cost.app.unreported:
        notes.append((words.phrases.unreported_usage.format(count=numbers.count(cost.app.unreported)),))
    if cost.app.prices and not cost.judge.prices and cost.judge.calls:
        notes.append((words.phrases.incomplete_price,))
    return (Table(columns, rows), Bullets(tuple(notes)))


def _usage(whose: str, usage: Usage) -> tuple[Line, ...]:
    figures = (usage.calls, usage.prompt_tokens, usage.completion_tokens)
    return ((whose,), *((numbers.count(figure),) for figure in figures), (_price(usage),))


def _price(usage: Usage) -> str:
    """Each currency by itself: `0.50 USD + 12.00 RMB`."""
    return " + ".join(numbers.money(*paid) for paid in usage.prices.items()) or numbers.NONE
