"""The sentence splitter on any text."""

from hypothesis import given
from hypothesis import strategies as st

from ragjudge.metrics.sentences import sentences

rough = st.text(alphabet='あア漢aB1 　.。．！？!?「」『』（）()"\n・-*:、,', max_size=60) | st.text(
    max_size=60
)


@given(rough)
def test_every_sentence_holds_a_word_and_is_trimmed(text):
    """No empty or blank sentence reaches a judge."""
    for sentence in sentences(text):
        assert any(char.isalnum() for char in sentence)
        assert sentence == sentence.strip()


@given(rough)
def test_text_with_a_word_has_at_least_one_sentence(text):
    """A reference with content never loses all of it."""
    assert bool(sentences(text)) == any(char.isalnum() for char in text)


@given(rough)
def test_words_are_kept_in_order_and_never_doubled(text):
    """Only list marks at the start of a line may go."""
    kept = [char for sentence in sentences(text) for char in sentence if char.isalpha()]
    assert kept == [char for char in text if char.isalpha()]


@given(
    st.lists(
        st.sampled_from(["休みは20日です", "申請は不要です", "金額は3.5万円です"]), min_size=1, max_size=6
    )
)
def test_plain_sentences_come_apart_as_they_were_joined(parts):
    """n sentences joined by their full stops are n sentences."""
    assert sentences("。".join(parts) + "。") == [f"{part}。" for part in parts]
