from ragjudge.baseline.refusal_words import gate_says
from ragjudge.compare.decision import Reason, ReasonCode, Verdict

DECIDING = [
    ReasonCode.CASES_REGRESSED,
    ReasonCode.METRIC_REGRESSED,
    ReasonCode.BELOW_MINIMUM,
    ReasonCode.CASES_REMOVED,
    ReasonCode.CASES_NEWLY_SKIPPED,
    ReasonCode.METRIC_REMOVED,
    ReasonCode.NOT_COMPARABLE,
    ReasonCode.UNSCORED,
    ReasonCode.SUSPECTS_NOT_CONFIRMED,
    ReasonCode.NOTHING_EVALUATED,
    ReasonCode.NOTHING_COMPARED,
    ReasonCode.RUN_STOPPED,
    ReasonCode.WORKFLOW_CHANGED_DURING_RUN,
]


def test_a_refusal_is_in_one_language_at_a_time():
    """Each reason once, in words; no code of ours in either language."""
    said = gate_says(Verdict.FAILED, [Reason(code=ReasonCode.NOT_COMPARABLE)] * 2)

    assert "the gate says failed (scores are not comparable)" == said.en
    assert "判定が「不合格」です(比較できない採点条件)" == said.ja


def test_every_reason_that_decides_has_words():
    """Whatever makes a check red or undecidable."""
    for verdict in (Verdict.FAILED, Verdict.INCONCLUSIVE):
        said = gate_says(verdict, [Reason(code=code) for code in DECIDING])
        assert "_" not in said.en + said.ja
        assert said.ja.isascii() is False
        assert not any(letter.isascii() and letter.isalpha() for letter in said.ja)
