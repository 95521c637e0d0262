"""Bytes of a `text/event-stream` → events. Pure: any split of the bytes gives the same events.

The rules are those of https://html.spec.whatwg.org/multipage/server-sent-events.html, with two differences that
Dify needs: an event without data (`event: ping`) is reported too, and bytes that are not UTF-8 are an error,
because a replaced character would change the answer that is judged. Lines end with CR, LF or CRLF only: U+2028
and U+0085 stand inside JSON strings.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class StreamUnreadable(Exception):
    """The bytes are no event stream that could be judged: not UTF-8, or an event beyond all bounds."""


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One event. `name` is "message" where the stream names none; `data` is "" where there is none."""

    name: str
    data: str


class SseDecoder:
    """Feed it bytes as they come; memory is bounded by `max_event_bytes`."""

    def __init__(self, *, max_event_bytes: int = 16 << 20) -> None:
        self._max = max_event_bytes
        self._line = bytearray()
        self._after_cr = False
        self._first_line = True
        self._name = ""
        self._data: list[str] = []
        self._size = 0

    @property
    def in_event(self) -> bool:
        """Data of an event that is not complete was fed: more than pings without data, and comments."""
        return bool(self._data) or (bool(self._line) and b"data".startswith(self._line[:4]))

    def feed(self, chunk: bytes) -> Iterator[SseEvent]:
        """The events that these bytes complete."""
        if self._after_cr and chunk:
            self._after_cr = False
            chunk = chunk.removeprefix(b"\n")
        if not chunk:
            return
        *lines, rest = _LINE_END.split(chunk)
        self._after_cr = chunk.endswith(b"\r")
        for line in lines:
            self._grow(line)
            whole = bytes(self._line)
            self._line.clear()
            event = self._end_line(whole)
            if event is not None:
                yield event
        self._grow(rest)

    def _grow(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._max:
            raise StreamUnreadable(f"an event is larger than {self._max} bytes")
        self._line += piece

    def _end_line(self, line: bytes) -> SseEvent | None:
        if self._first_line:
            self._first_line = False
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if not line:
            return self._dispatch()
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(_decoded(value))
        elif field == b"event":
            self._name = _decoded(value)
        return None

    def _dispatch(self) -> SseEvent | None:
        name, data = self._name, self._data
        self._name, self._data, self._size = "", [], 0
        return SseEvent(name or "message", "\n".join(data)) if name or data else None


def _decoded(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError as error:
        raise StreamUnreadable(f"bytes that are not UTF-8 at {error.start}") from error
