"""The first screen: the verdict, why, and what to do about it."""

from collections.abc import Iterator, Sequence

from ragjudge.compare.decision import Reason, ReasonCode, Verdict
from ragjudge.report import escape
from ragjudge.report.blocks import Alert, Block, Bullets, Line, NewLine, Paragraph, Section, Strong
from ragjudge.report.layout import sentences
from ragjudge.report.view.model import ReportView
from ragjudge.report.wording.base import Says, Wording

LONGEST_SUITE = 80
LONGEST_NOTICE = 600
MOST_REASONS = 8
ACCEPTABLE = frozenset(
    {
        ReasonCode.CASES_REGRESSED,
        ReasonCode.CASES_REMOVED,
        ReasonCode.CASES_NEWLY_SKIPPED,
        ReasonCode.METRIC_REMOVED,
    }
)
"""Reasons that an `accept:` entry can lift."""
_BANNERS = {Verdict.NO_BASELINE: "note", Verdict.SKIPPED: "warning", Verdict.INCONCLUSIVE: "warning"}


def title(view: ReportView, words: Wording) -> str:
    verdict = words.verdicts[view.verdict]
    suite = escape.cut(_last_folders(view.suite) or "ragjudge", LONGEST_SUITE)
    return words.phrases.title.format(icon=verdict.icon, verdict=verdict.name, suite=suite)


def _last_folders(suite: str) -> str:
    """A suite as people know it: of an absolute path the last two folders say enough."""
    parts = suite.replace("\\", "/").split("/")
    absolute = suite.startswith("/") or suite[1:3] in {":\\", ":/"}
    return "/".join(["…", *parts[-3:]]) if absolute and len(parts) > 4 else suite


def why(view: ReportView, words: Wording) -> Section:
    """One sentence per reason and what to do about it, most important first."""
    reasons = view.reasons[:MOST_REASONS]
    says = [sentences.of_reason(reason, view, words) for reason in reasons]
    blocks: list[Block] = list(_banner(view, words))
    if len(says) == 1:
        blocks.append(Paragraph((Strong(sentences.ended(says[0].what, words)),)))
        blocks += [
            Paragraph((Strong(words.phrases.next_step), f": {todo}")) for todo in [says[0].todo] if todo
        ]
    elif says:
        blocks.append(Bullets(tuple(_reason(said, words) for said in _advising_once(says))))
    if any(reason.code in ACCEPTABLE for reason in reasons):
        blocks.append(Paragraph((words.phrases.accept,)))
    return Section(None, tuple(blocks), essential=True)


def _advising_once(says: Sequence[Says]) -> Iterator[Says]:
    """Neighbours with the same advice give it once, after the last of them."""
    for said, following in zip(says, [*says[1:], None], strict=True):
        yield Says(said.what) if following is not None and following.todo == said.todo else said


def _reason(said: Says, words: Wording) -> Line:
    what = Strong(sentences.ended(said.what, words))
    return (what, NewLine(), said.todo) if said.todo else (what,)


def notices(view: ReportView, words: Wording) -> Section | None:
    """What the pull request changes in the rules it is judged by: before anything it could colour."""
    if not view.notices:
        return None
    lines: list[Line] = [(Strong(words.headings.notices),)]
    lines += [(escape.cut(notice, LONGEST_NOTICE),) for notice in view.notices]
    return Section(None, (Alert("important", tuple(lines)),))


def scope(view: ReportView) -> Section | None:
    """What was judged: without it a reader could take the verdict for more than it is."""
    if not view.scope:
        return None
    return Section(
        None,
        tuple(Paragraph(("ℹ️ ", escape.cut(said, LONGEST_NOTICE))) for said in view.scope),
        essential=True,
    )


def problems(view: ReportView, words: Wording) -> Section | None:
    return _listed(words.headings.problems, view.problems)


def pairs(view: ReportView, words: Wording) -> Section | None:
    return _listed(words.headings.pairs, view.pairs)


def suggestions(view: ReportView, words: Wording) -> Section | None:
    return _listed(words.headings.suggestions, view.suggestions)


def warnings(view: ReportView, words: Wording) -> Section | None:
    says = [_warning(reason, view, words) for reason in view.warnings]
    lines = [f"{sentences.ended(said.what, words)} {said.todo}".strip() for said in says]
    return _listed(words.headings.warnings, tuple(lines))


def _warning(reason: Reason, view: ReportView, words: Wording) -> Says:
    says = sentences.of_reason(reason, view, words)
    decided = view.verdict is Verdict.FAILED and reason.code is ReasonCode.SUSPECTS_NOT_CONFIRMED
    # Confirming stops once the verdict can't change: then there is nothing to run again for.
    return Says(says.what) if decided else says


def _listed(heading: str, lines: tuple[str, ...]) -> Section | None:
    if not lines:
        return None
    return Section(heading, (Bullets(tuple((escape.cut(line, LONGEST_NOTICE),) for line in lines)),))


def _banner(view: ReportView, words: Wording) -> tuple[Block, ...]:
    kind = _BANNERS.get(view.verdict)
    if kind is None:
        return ()
    text = words.verdicts[view.verdict].banner
    return (Alert("note" if kind == "note" else "warning", ((text,),)),)
