from datetime import date

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
