from datetime import date
from decimal import Decimal

from ragjudge.compare.gate import decide
from ragjudge.compare.policy import GatePolicy
from ragjudge.report import markdown
from ragjudge.report.view import build
from ragjudge.results.answer import NodeUsage
from ragjudge.results.outcome import Scored
from ragjudge.results.run import CaseResult, Sample
from ragjudge.results.usage import Usage
from ragjudge.settings import ReportSettings
from tests import builders


def told(content="full") -> str:
    """The report of two cases whose app shows one LLM node, and whose judge says what it used."""
    answer = builders.answer(
        node_usage=(NodeUsage(node="回答|生成", model="openai/m", usage=Usage(calls=1, prompt_tokens=100)),)
    )
    score = Scored(value=4.0, usage=Usage(calls=3, prompt_tokens=1000, completion_tokens=50))
    cases = [
        CaseResult(
            case=builders.case(name),
            samples=(Sample(attempt="1", answer=answer, scores={"correctness": score}),),
        )
        for name in ("1", "2")
    ]
    run = builders.run(cases)
    decision = decide(None, run, GatePolicy(), today=date(2026, 1, 1))
    return markdown.file(build(run, None, decision, report=ReportSettings(content=content)))


def test_the_cost_table_has_a_row_per_llm_node_and_per_metric():
    """Summed over the cases, from what the providers reported."""
    report = told()

    assert "└ 回答\\|生成 (openai/m) | 2 | 200 |" in report
    assert "└ 正答度 | 6 | 2,000 | 100 |" in report


def test_with_scores_only_no_title_of_the_apps_nodes_is_shown():
    """Titles are the team's own words."""
    report = told("scores")

    assert "生成 (openai/m)" not in report
    assert "└ 正答度 | 6 |" in report


def test_totals_say_that_they_are_lower_bounds_where_an_answers_use_is_not_known():
    """An answer that was fetched after an interruption comes without its tokens and price."""
    paid = Usage(calls=1, prompt_tokens=40, price=Decimal("0.5"), currency="USD")
    cases = [CaseResult(case=builders.case(), samples=(builders.sample(correctness=4),))]
    run = builders.run(cases, app_usage=paid + Usage(unreported=2))
    view = build(run, None, decide(None, run, GatePolicy(), today=date(2026, 1, 1)), report=ReportSettings())

    report, comment = markdown.file(view), markdown.comment(view)

    assert "中断後に取得した 2 件の回答の分は不明なため、含まれていません。" in report
    assert "トークン 40 以上 · 0.50 USD 以上" in comment
