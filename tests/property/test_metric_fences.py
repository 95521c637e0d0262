"""No text whatever gets out of its fence."""

from hypothesis import given
from hypothesis import strategies as st

from ragjudge.metrics.fences import Fencer, neutralised
from ragjudge.metrics.prompting import Prompts
from ragjudge.metrics.tasks import GRADE, Grade

hostile = st.text(
    alphabet=st.sampled_from("<>＜＞⋘⋙|/s[]INST \n\r\u2028\u200b\u202e\U000e0041aANSWER0123456789abcdef点"),
    max_size=80,
) | st.text(max_size=80)


@given(hostile)
def test_neutralising_twice_changes_nothing_more(text):
    """Nothing dangerous is put together by taking something away."""
    assert neutralised(neutralised(text)) == neutralised(text)


@given(hostile)
def test_no_fence_mark_is_left(text):
    """Neither an opening nor a closing run of angle brackets."""
    assert "<<<" not in neutralised(text)
    assert ">>>" not in neutralised(text)


@given(hostile, hostile, hostile)
def test_a_prompt_has_as_many_blocks_as_fields_whatever_they_hold(question, reference, answer):
    """Three fields, three opening lines and three closing lines."""
    fields = {"question": question, "reference": reference, "answer": answer, "allow": []}
    task = Prompts("en", Fencer(b"k")).task(GRADE, Grade, fields, sample="1")
    assert task.user.count("<<<") == 3
    assert task.user.count(">>>") == 3
