"""The first screen: the verdict, why, and what to do about it."""

from ragjudge.compare.decision import Verdict
from ragjudge.report import escape
from ragjudge.report.blocks import Alert, Block, Bullets, Line, Paragraph, Section, Strong
from ragjudge.report.layout import sentences
from ragjudge.report.view.model import ReportView
from ragjudge.report.wording.base import Wording

LONGEST_SUITE = 80
LONGEST_NOTICE = 600
MOST_REASONS = 8
_BANNERS = {Verdict.NO_BASELINE: "note", Verdict.SKIPPED: "warning", Verdict.INCONCLUSIVE: "warning"}


def title(view: ReportView, words: Wording) -> str:
    verdict = words.verdicts[view.verdict]
    suite = escape.cut(view.suite or "ragjudge", LONGEST_SUITE)
    return words.phrases.title.format(icon=verdict.icon, verdict=verdict.name, suite=suite)


def why(view: ReportView, words: Wording) -> Section:
    """One sentence per reason, most important first, then what to do."""
    says = [sentences.of_reason(reason, view, words) for reason in view.reasons[:MOST_REASONS]]
    blocks: list[Block] = list(_banner(view, words))
    if len(says) == 1:
        blocks.append(Paragraph((Strong(_ended(says[0].what, words)),)))
    elif says:
        blocks.append(Bullets(tuple((Strong(said.what),) for said in says)))
    todo = list(dict.fromkeys(said.todo for said in says if said.todo))
    if len(todo) == 1:
        blocks.append(Paragraph((Strong(words.phrases.next_step), f": {todo[0]}")))
    elif todo:
        blocks.append(Paragraph((Strong(words.phrases.next_step), ":")))
        blocks.append(Bullets(tuple((step,) for step in todo)))
    return Section(None, tuple(blocks), essential=True)


def notices(view: ReportView, words: Wording) -> Section | None:
    """What the pull request changes in the rules it is judged by: before anything it could colour."""
    if not view.notices:
        return None
    lines: list[Line] = [(Strong(words.headings.notices),)]
    lines += [(escape.cut(notice, LONGEST_NOTICE),) for notice in view.notices]
    return Section(None, (Alert("important", tuple(lines)),))


def app_changes(view: ReportView, words: Wording) -> Section | None:
    return _listed(words.headings.app_changes, view.app_changes)


def problems(view: ReportView, words: Wording) -> Section | None:
    return _listed(words.headings.problems, view.problems)


def suggestions(view: ReportView, words: Wording) -> Section | None:
    return _listed(words.headings.suggestions, view.suggestions)


def warnings(view: ReportView, words: Wording) -> Section | None:
    says = [sentences.of_reason(reason, view, words) for reason in view.warnings]
    lines = [f"{_ended(said.what, words)} {said.todo}".strip() for said in says]
    return _listed(words.headings.warnings, tuple(lines))


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


def _ended(sentence: str, words: Wording) -> str:
    """A full stop where a sentence has none."""
    return (
        sentence
        if sentence.endswith(("。", ".", "）", "!"))
        else sentence + ("。" if words.language == "ja" else ".")
    )
