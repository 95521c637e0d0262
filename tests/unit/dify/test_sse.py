"""Bytes to events, row by row."""

import pytest

from ragjudge.dify.sse import SseDecoder, SseEvent, StreamUnreadable


def decoded(*chunks: bytes, **bounds: int) -> list[SseEvent]:
    decoder = SseDecoder(**bounds)
    return [event for chunk in chunks for event in decoder.feed(chunk)]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([b"data: a\n\n"], [SseEvent("message", "a")]),
        ([b"data:a\r\n\r\n"], [SseEvent("message", "a")]),
        ([b"data: a\r\r"], [SseEvent("message", "a")]),
        ([b"data: a\r", b"\n\r", b"\n"], [SseEvent("message", "a")]),
        ([b"data: a\ndata: b\n\n"], [SseEvent("message", "a\nb")]),
        ([b"event: ping\n\n"], [SseEvent("ping", "")]),
        ([b": a comment\n\n"], []),
        ([b"\xef\xbb\xbfdata: a\n\n"], [SseEvent("message", "a")]),
        ([b"id: 7\nretry: 10\ndata: a\n\n"], [SseEvent("message", "a")]),
        ([b"data\n\n"], [SseEvent("message", "")]),
        ([b"data: cut off"], []),
        ([b"", b"data: a\n", b"", b"\n"], [SseEvent("message", "a")]),
    ],
)
def test_follows_the_rules_of_event_streams(chunks, expected):
    """Each line ending, comments, a byte order mark, several data lines, and a ping without data."""
    assert expected == decoded(*chunks)


def test_ends_lines_at_cr_lf_and_crlf_only():
    """U+2028, U+2029, U+0085, form feed and the other separators stand inside JSON strings."""
    text = "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg"

    assert [SseEvent("message", text)] == decoded(f"data: {text}\n\n".encode())


def test_keeps_a_character_that_is_cut_between_chunks():
    """東京 split inside its three-byte characters stays 東京."""
    data = "data: 東京\n\n".encode()

    assert [SseEvent("message", "東京")] == decoded(*(data[i : i + 1] for i in range(len(data))))


def test_refuses_bytes_that_are_not_utf8():
    """A replaced character would change the answer that is judged."""
    with pytest.raises(StreamUnreadable, match="UTF-8"):
        decoded(b"data: \xff\xfe\n\n")


@pytest.mark.parametrize("piece", [b"data: " + b"x" * 60 + b"\n", b"y" * 60])
def test_refuses_an_event_beyond_its_bound(piece):
    """Many lines of one event, or one endless line: memory stays bounded."""
    with pytest.raises(StreamUnreadable, match="100 bytes"):
        decoded(piece, piece, max_event_bytes=100)


def test_counts_each_event_for_itself():
    """A long stream of small events is no large event."""
    assert 1000 == len(decoded(b"data: 0123456789\n\n" * 1000, max_event_bytes=100))


@pytest.mark.parametrize(
    ("fed", "expected"),
    [
        (b"da", True),
        (b'data: {"a"', True),
        (b'event: message\ndata: {"a": 1}\n', True),
        (b'data: {"a": 1}\n\n', False),
        (b": keepalive", False),
        (b": keepalive\n\n", False),
        (b"event: ping\n", False),
        (b"", False),
    ],
)
def test_tells_data_under_way_from_pings_and_comments(fed, expected):
    """The first means that the server still has something to say."""
    decoder = SseDecoder()

    list(decoder.feed(fed))

    assert expected == decoder.in_event
