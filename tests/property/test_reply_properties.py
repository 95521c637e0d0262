"""Whatever a model writes: no exception, and never a value that the reply does not state."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from ragjudge.judge.reply import Understood, read
from ragjudge.metrics.tasks import Grade, Support, Usefulness

TEXTS = st.text(max_size=60)
PIECES = st.sampled_from(
    ["{", "}", "[", "]", '"', ",", ":", "```", "```json", "<think>", "</think>", "true", "false", "null", "NaN", "useful",
     "reason", '"useful"', '"reason"', "score", "yes", "いいえ", "\\", "\n", "'", "4", "0.8", "[SEP]", '{"reason": "r", "useful": true}']
)  # fmt: skip
GARBAGE = st.lists(st.one_of(PIECES, TEXTS), max_size=25).map("".join)
PLAIN = st.text(st.characters(exclude_characters='{}"[]`<>', exclude_categories=["Cs"]), max_size=40)


@settings(max_examples=300, deadline=None)
@given(GARBAGE)
def test_no_text_raises(text):
    """Garbage is a fault in words."""
    for schema in (Usefulness, Grade, Support):
        got = read(text, schema)

        assert isinstance(got, Understood) or got.fault


@settings(max_examples=200, deadline=None)
@given(reason=TEXTS, verdict=st.booleans(), before=PLAIN, after=PLAIN, fence=st.booleans())
def test_a_valid_object_survives_any_wrapping(reason, verdict, before, after, fence):
    """Prose and fences around one object change nothing of it."""
    reply = json.dumps({"reason": reason, "useful": verdict}, ensure_ascii=False)
    text = f"{before}\n```json\n{reply}\n```\n{after}" if fence else f"{before}{reply}{after}"

    got = read(text, Usefulness)

    assert isinstance(got, Understood)
    assert Usefulness(reason=reason, useful=verdict) == got.value


@settings(max_examples=200, deadline=None)
@given(st.data(), st.lists(st.booleans(), min_size=1, max_size=5))
def test_a_cut_reply_is_never_read_as_a_whole(data, verdicts):
    """Every proper beginning of a reply is a fault."""
    reply = json.dumps(
        {"verdicts": [{"index": n, "reason": "r", "supported": v} for n, v in enumerate(verdicts, 1)]}
    )
    end = data.draw(st.integers(0, len(reply) - 1))

    assert not isinstance(read(reply[:end], Support), Understood)


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.integers(), st.floats(), TEXTS, st.none(), st.booleans(), st.lists(st.integers(), max_size=2)
    )
)
def test_a_score_is_the_one_that_is_written(written):
    """Only whole numbers of the scale become scores."""
    comments = dict.fromkeys(list(Grade.model_fields)[:-1], "ok")

    got = read(json.dumps({**comments, "score": written}), Grade)

    if isinstance(got, Understood):
        assert not isinstance(written, bool)
        assert float(written) == got.value.score
        assert 1 <= got.value.score <= 5
