"""Every hostile string, in every place that outside text can take, through every sink: nothing acts."""

import pytest

from ragjudge.compare.decision import CaseStatus, Reason, ReasonCode
from ragjudge.dsl.change import Change
from ragjudge.dsl.word_diff import Piece
from ragjudge.errors import Place, Problem
from ragjudge.language import Text
from ragjudge.report import console, escape, html, junit, markdown, sheets, view
from ragjudge.results.attribution import Alone, Attribution
from ragjudge.results.baseline import Baseline
from ragjudge.results.fingerprint import EmbedderIdentity, JudgeIdentity
from ragjudge.results.outcome import Cause, Scored, Unscored
from ragjudge.results.run import AppFailure, CaseResult, Sample
from ragjudge.settings import ReportSettings
from ragjudge.suite.case import Case, Source
from tests.builders import NOON
from tests.hostile import ATTACKS, STRINGS
from tests.unit.report import effects, reading
from tests.unit.report.stories import METRICS, answer_of, compared, means, passed

REST = "https://github.example/acme/app/actions/runs/42"
LINKS = frozenset({REST})
BATCH = 80
BATCHES = [ATTACKS[start : start + BATCH] for start in range(0, len(ATTACKS), BATCH)]


def test_there_are_enough():
    """The suite is at least as large as promised."""
    assert len(ATTACKS) >= 300
    assert len(STRINGS) >= 1200


def infected(texts, name) -> view.ReportView:
    """A report with one case per text, the text in each of its fields; `name` in each field of the run itself."""
    results = [_result(n, text) for n, text in enumerate(texts)]
    story = passed("ja")
    fingerprint = story.run.fingerprint.model_copy(
        update={
            "judge": JudgeIdentity(provider=name, model=name, parameters={name or "p": name}),
            "embedder": EmbedderIdentity(provider=name, model=name),
        }
    )
    run = story.run.model_copy(
        update={
            "cases": tuple(results),
            "app": story.run.app.model_copy(update={"name": name, "server_version": name}),
            "suite": story.run.suite.model_copy(update={"name": name}),
            "fingerprint": fingerprint,
            "commit": name,
            "run_id": name,
            "stopped": name,
        }
    )
    before = run.model_copy(update={"cases": tuple(_good(result) for result in results)})
    statuses = (
        CaseStatus.REGRESSED,
        CaseStatus.NOISE,
        CaseStatus.ACCEPTED,
        CaseStatus.SUSPECT,
        CaseStatus.NEW,
    )
    marks = {result.case.id: statuses[n % len(statuses)] for n, result in enumerate(results)}
    cases = tuple(
        entry.model_copy(update={"accepted_reason": name}) for entry in compared(before, run, marks.get)
    )
    reasons = tuple(
        Reason(code=code, cases=(name,), metric="correctness", detail=name) for code in ReasonCode
    )
    decision = story.decision.model_copy(
        update={
            "reasons": reasons[:6],
            "warnings": reasons,
            "cases": cases,
            "metrics": means(before, run, regressed=("correctness",)),
        }
    )
    extras = view.Extras(
        baseline=Baseline(run=before, stored_at=NOON),
        app_changes=(
            Change(Text(name, name), Place(name, 3), (Piece("same", name), Piece("gone", name)), name),
            Change(Text(name, name), Place("b.yml"), (Piece("new", name), Piece("same", name))),
        ),
        unproven=True,
        attribution=Attribution(
            cases=(name, "7"),
            alone=(
                Alone(Text(name, name), (Text(name, name),) * 3, (name, "7"), (name,)),
                Alone(Text(name, name), why_not=Text(name, name)),
            ),
        ),
        problems=(Problem(Text(name, name), Place(name, 3), Text(name, name)),),
        suggestions=(name,),
        rest_url=REST,
    )
    settings = ReportSettings(language="ja")
    return view.build(run, before, decision, report=settings, notices=(Text(name, name),), extras=extras)


def _result(number, text) -> CaseResult:
    case = Case(
        id=f"{number}{text}",
        question=text,
        reference=text,
        category=text,
        tags=(text,),
        fields={"entity": text, text: text},
        source=Source(file=text, line=number + 1),
    )
    scores = {name: Scored(value=0.5, reason=text) for name in METRICS}
    comments = dict.fromkeys(("accuracy", "coverage", "clarity", "appropriateness", "summary"), text)
    scores["correctness"] = Scored(value=2, reason=text, comments=comments)
    if number % 3 == 1:
        scores["faithfulness"] = Unscored(cause=Cause.JUDGE_ERROR, detail=text)
    answer = answer_of(text, (text, "文書"), workflow_id=text, server_version=text)
    samples = [Sample(attempt="1", answer=answer, scores=scores)]
    if number % 7 == 6:
        failure = AppFailure(cause=Cause.APP_ERROR, detail=text)
        samples = [Sample(attempt="1", failure=failure, scores={})]
    return CaseResult(case=case, samples=tuple(samples))


def _good(result) -> CaseResult:
    scores = {name: Scored(value=5 if name == "correctness" else 1) for name in METRICS}
    text = f"前の{result.case.question}"
    return CaseResult(
        case=result.case, samples=(Sample(attempt="1", answer=answer_of(text, ("文書",)), scores=scores),)
    )


@pytest.fixture(scope="module", params=range(len(BATCHES)))
def report(request):
    """A batch of strings, the first of them also in the run's own fields."""
    texts = BATCHES[request.param]
    return infected(texts, texts[0]), infected([f"text{n}" for n in range(len(texts))], "name")


@pytest.mark.parametrize("sink", [markdown.comment, markdown.file])
def test_nothing_acts_on_github(report, sink):
    """Comment and file: no HTML, link, mention, reference, commit, emoji, math; and whole tables."""
    text = sink(report[0])
    assert effects.on_github(text, links=LINKS) == []
    reading.is_whole(text)


def test_nothing_acts_at_the_runner_or_terminal(report):
    """The console's text holds no command of the runner and no control character."""
    assert effects.at_runner(console.render(report[0])) == []


def test_page_keeps_its_skeleton(report):
    """The HTML has exactly the tags and attributes that harmless text gives, and no hidden character."""
    page = html.render(report[0])
    tags, other = effects.skeleton(page)
    assert {tag for tag, _ in tags} <= {tag for tag, _ in effects.skeleton(html.render(report[1]))[0]}
    attributes = {(tag, key) for tag, pairs in tags for key, _ in pairs}
    assert attributes <= {
        ("html", "lang"), ("meta", "charset"), ("meta", "http-equiv"), ("meta", "content"), ("meta", "name"),
        ("body", "class"), ("section", "id"), ("aside", "class"), ("div", "class"), ("td", "class"), ("th", "class"),
        ("th", "scope"), ("a", "href"), ("a", "rel"),
    }  # fmt: skip
    assert {
        value for tag, pairs in tags for key, value in pairs if key == "href" and not value.startswith("#")
    } <= LINKS
    assert other == []
    assert effects.hidden(page) == []


def test_xml_is_valid_and_keeps_its_skeleton(report):
    """JUnit XML parses, with the elements and attributes that harmless text gives."""
    assert effects.xml_skeleton(junit.render(report[0])) == effects.xml_skeleton(junit.render(report[1]))


def test_no_cell_is_calculated(report):
    """CSV and workbook: every text is text."""
    assert effects.in_csv(sheets.as_csv(report[0])) == []
    assert effects.in_workbook(sheets.as_xlsx(report[0])) == []


@pytest.mark.parametrize("start", range(0, len(STRINGS), 100))
def test_single_lines_are_inert(start):
    """Each string alone through the doors of cells, folds and log lines."""
    for text in STRINGS[start : start + 100]:
        fold = f"<details><summary>{escape.html_on_github(text)}</summary>\n\nx\n\n</details>\n"
        for markdown_text in (f"{escape.markdown(text)}\n", f"- {escape.markdown(text)}\n", fold):
            assert effects.on_github(markdown_text, links=frozenset()) == [], text
        assert effects.at_runner(escape.log_line(text)) == [], text


def test_detectors_see_what_is_not_escaped():
    """Raw, most of the attacks do act: the tests above would notice a missing escape."""
    on_github = [text for text in ATTACKS if effects.on_github(f"{text}\n", links=frozenset())]
    at_runner = [text for text in ATTACKS if effects.at_runner(text)]
    in_csv = [text for text in ATTACKS if effects.in_csv(f'"{text.replace(chr(34), chr(34) * 2)}"\r\n')]
    assert len(on_github) >= 150
    assert len(at_runner) >= 50
    assert len(in_csv) >= 12
