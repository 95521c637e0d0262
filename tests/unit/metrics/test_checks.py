"""Checks that need no judge."""

import time

import pytest

from ragjudge.metrics.checks import run_checks
from ragjudge.metrics.patterns import TookTooLong, fault, found
from ragjudge.results.answer import Context, ContextSource, Retrieved
from ragjudge.suite.case import Checks
from tests import builders


def outcomes(checks, answer):
    return [(result.kind, result.wanted, result.passed) for result in run_checks(checks, answer)]


def test_contains_and_not_contains_look_at_the_text_as_it_is():
    """Case-sensitive, no normalisation."""
    checks = Checks(contains=("20日", "VPN"), not_contains=("30日", "vpn"))
    assert outcomes(checks, builders.answer("vpnは20日です。")) == [
        ("contains", "20日", True),
        ("contains", "VPN", False),
        ("not_contains", "30日", True),
        ("not_contains", "vpn", False),
    ]


def test_regex_is_searched_anywhere():
    """A pattern need not match the whole answer."""
    checks = Checks(regex=(r"\d+日", r"^\d+日$"))
    assert outcomes(checks, builders.answer("有休は20日です。")) == [
        ("regex", r"\d+日", True),
        ("regex", r"^\d+日$", False),
    ]


def test_latency_is_measured_against_its_limit():
    """The limit itself still passes; the reason names the time taken."""
    checks = Checks(max_latency_s=2)
    assert outcomes(checks, builders.answer(latency_s=2.0)) == [("max_latency_s", "2", True)]
    (late,) = run_checks(checks, builders.answer(latency_s=3.25))
    assert late.why_not.ja == "回答に3.2秒かかりました。"


def test_cites_needs_the_document_among_the_contexts():
    """By the name of the document or the title of the passage, whole."""
    retrieved = Retrieved(
        source=ContextSource.RETRIEVAL_NODES,
        items=(Context(rank=1, content="x", document_name="就業規則.pdf", title="休暇"),),
    )
    answer = builders.answer().model_copy(update={"contexts": retrieved})
    checks = Checks(cites=("就業規則.pdf", "休暇", "就業規則"))
    assert [result.passed for result in run_checks(checks, answer)] == [True, True, False]


def test_without_contexts_nothing_is_cited():
    """Not available is not cited."""
    assert outcomes(Checks(cites=("a",)), builders.answer()) == [("cites", "a", False)]


def test_a_case_without_checks_has_no_results():
    """Nothing asked, nothing said."""
    assert run_checks(Checks(), builders.answer()) == ()


def test_a_pattern_that_explodes_is_given_up_in_time():
    """(a+)+$ on thirty letters would run for minutes; the check fails with a reason and the run goes on."""
    started = time.monotonic()
    with pytest.raises(TookTooLong):
        found(r"(a+)+$", "a" * 40 + "b", limit_s=0.5)
    assert time.monotonic() - started < 5


def test_a_slow_pattern_fails_its_check_and_says_why():
    """Neither a pass nor a hang."""

    def search(pattern, text):
        raise TookTooLong

    (result,) = run_checks(Checks(regex=("x",)), builders.answer(), search=search)
    assert not result.passed
    assert "時間がかかりすぎました" in result.why_not.ja


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"申請.*5日.*まで", "申請は翌月5日の正午までです。", True),
        (r"(必要|不要)(です)?", "承認は不要です", True),
        (r"(\w)\1", "abb", True),
        (r"a+b+c", "abd", False),
        ("\u2028x?y?", "a\u2028", True),
    ],
)
def test_patterns_with_several_repetitions_are_searched_apart_with_the_same_result(pattern, text, expected):
    """The bound costs a process, not a feature."""
    assert found(pattern, text) is expected


def test_a_pattern_that_does_not_compile_is_named_before_a_run():
    """For the suite's own check."""
    assert "unterminated" in fault("(a")
    assert fault(r"\d+") is None


@pytest.mark.parametrize(
    ("text", "passed", "why_not"),
    [
        ('{"days": 20}', True, None),
        ('{"days": "20"}', False, "回答がスキーマに合いません: /days: type"),
        ("20日です。", False, "回答がJSONではありません(1行3文字目)。"),
    ],
)
def test_json_schema_checks_the_whole_answer(text, passed, why_not):
    """For apps that answer in JSON: the place and the keyword that do not fit are named."""
    checks = Checks(json_schema={"type": "object", "properties": {"days": {"type": "integer"}}})
    (result,) = run_checks(checks, builders.answer(text))
    assert result.passed is passed
    assert why_not is None or result.why_not.ja.startswith(why_not)
