"""The judge without a model takes any text: it never fails, and what it calls a claim says something."""

from hypothesis import given
from hypothesis import strategies as st

from ragjudge.judge.evasion import evades, statements_of
from ragjudge.judge.lexical import support
from ragjudge.judge.offline_grade import grade
from ragjudge.metrics.sentences import sentences

PIECES = (
    "わかりません", "資料に記載がありません", "担当部署にご確認ください", "添付資料は必要ありません", "5日以内です", "が、", "ので", "。", "、", "?",
    "I don't know", "please ask HR", "the plan does not include breakfast", "9 pm", "$5", "3割", "without approval", "社員以外は", " but ",
    "; ", ", so ", "(", ")", "\n", " ", "although ", " if ", "however",
)  # fmt: skip
TALK = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=8).map("".join))


@given(TALK)
def test_every_claim_is_part_of_a_sentence_and_says_something(answer):
    """No claim is empty or invented; an answer without one evades."""
    claims = statements_of(answer)

    assert all(any(char.isalnum() for char in claim) for claim in claims)
    assert all(any(claim in sentence for sentence in sentences(answer)) for claim in claims)
    assert evades(answer) is (claims == [])


@given(TALK, TALK)
def test_any_two_texts_can_be_held_against_each_other(statement, source):
    """Shares stay shares, and a grade is one of five."""
    found = support(statement, [source])

    assert 0.0 <= found.coverage <= 1.0
    assert grade("質問", statement, source, "en").score in range(1, 6)
