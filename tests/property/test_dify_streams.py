"""Whatever the cuts: the same bytes give the same events and the same ending."""

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ragjudge.dify.ending import Ending, Kind
from ragjudge.dify.events import read
from ragjudge.dify.fold import Fold, Reading, Stage
from ragjudge.dify.sse import SseDecoder, SseEvent, StreamUnreadable
from ragjudge.dify.thinking import without_thinking
from tests import dify_events as ev
from tests.dify_server import PING

STREAM = b"".join((PING, *ev.rag_flow("東京支店の\u2028有給休暇は10日です。🙂")))
LINE_ENDS = ("\n", "\r", "\r\n")


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in pairwise(edges)]


def decoded(chunks: list[bytes]) -> list[SseEvent]:
    decoder = SseDecoder()
    return [event for chunk in chunks for event in decoder.feed(chunk)]


def ended(chunks: list[bytes]) -> Ending:
    fold = Fold(Reading("advanced-chat"))
    for event in decoded(chunks):
        fold.feed(read(event))
    return fold.ending()


@given(st.lists(st.integers(min_value=0)))
def test_any_split_gives_the_same_ending(cuts):
    """Inside characters, line ends and fields."""
    assert ended([STREAM]) == ended(pieces(STREAM, cuts))


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["message", "x"]),
            st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\n")),
        )
    ),
    st.sampled_from(LINE_ENDS),
    st.lists(st.integers(min_value=0)),
)
def test_any_text_comes_out_as_it_went_in(events, end, cuts):
    """Every character but the line ends, with each kind of line end, under any split."""
    data = "".join(f"event: {name}{end}data: {text}{end}{end}" for name, text in events).encode()

    assert [SseEvent(name, text) for name, text in events] == decoded(pieces(data, cuts))


@given(st.binary(max_size=300), st.lists(st.integers(min_value=0), max_size=5))
def test_any_bytes_give_events_or_one_typed_error(data, cuts):
    """And the same under any split."""

    def outcome(chunks: list[bytes]) -> object:
        found: list[SseEvent] = []
        decoder = SseDecoder(max_event_bytes=10_000)
        try:
            for chunk in chunks:
                found.extend(decoder.feed(chunk))
        except StreamUnreadable:
            return (found, "unreadable")
        return found

    assert outcome([data]) == outcome(pieces(data, cuts))


@given(st.integers(min_value=0, max_value=len(STREAM)))
def test_every_prefix_has_an_ending(length):
    """A cut stream is a cut one, never an answer that is only half there."""
    end = ended([STREAM[:length]])

    if end.kind is Kind.ANSWERED:
        assert end.text == ended([STREAM]).text
    else:
        assert Kind.CUT is end.kind


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(
    [
        "message",
        "agent_message",
        "message_end",
        "node_finished",
        "workflow_finished",
        "agent_thought",
        "error",
        "x",
        "",
    ]
)
KEYS = st.sampled_from(
    ["answer", "data", "metadata", "id", "observation", "status", "files", "outputs", "message"]
)


@given(
    st.lists(st.tuples(NAMES, st.dictionaries(KEYS, JSON, max_size=4)), max_size=6),
    st.sampled_from(["chat", "workflow", "advanced-chat"]),
)
def test_no_event_however_odd_breaks_the_fold(events, mode):
    """What a server sends is hostile; what we keep can always be written down."""
    fold = Fold(Reading(mode))
    for name, body in events:
        stage = fold.feed(read(SseEvent("message", json.dumps({"event": name, **body}))))
        assert isinstance(stage, Stage)
    repr(fold.ending()).encode()


@given(st.text())
def test_stripping_reasoning_is_stable(text):
    """Text without any tag stays as it is; stripping twice changes nothing more."""
    once = without_thinking(text)

    assert once == without_thinking(once)
