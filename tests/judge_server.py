"""A scripted OpenAI-compatible server on loopback: chat completions and embeddings, real sockets, no real model.

    with JudgeServer() as server:            # answers by meaning, at once
        judge = OpenAIJudge(JudgeSettings(base_url=server.url, ...))

`answer` decides each reply (a value for the schema, a text, a `Say` or a `Fault`); by default replies follow the
meaning of the fenced material (`by_meaning`). `delay` is the time that a model takes, `log` what was asked and when.
Run as a program it serves until it is stopped: `python -m tests.judge_server --port 0 --delay 0.2`.
"""

import argparse
import asyncio
import json
import re
import ssl
import sys
import threading
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qsl

FENCE = re.compile(r"<<<([A-Z_]+?)(?:_\d+)? ([0-9a-f]{8,})\n(.*?)\n\2 \1(?:_\d+)?>>>", re.DOTALL)


_TIMERS_ARE_LATE_S = 0.0015


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it."""

    number: int
    """From 1, over all requests of this server."""
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    query: dict[str, str] = field(default_factory=dict)

    @property
    def prompt(self) -> str:
        return "\n".join(str(message["content"]) for message in self.body.get("messages", []))

    @property
    def user(self) -> str:
        """The first user message: the task itself."""
        return next((str(m["content"]) for m in self.body.get("messages", []) if m["role"] == "user"), "")

    @property
    def task(self) -> str:
        """The task's name, as the schema's name tells it; empty where no schema was sent."""
        form = self.body.get("response_format") or {}
        return str(form.get("json_schema", {}).get("name", ""))

    @property
    def properties(self) -> tuple[str, ...]:
        """Names of the properties of the wanted reply, from the schema in the request or in the prompt."""
        form = (self.body.get("response_format") or {}).get("json_schema", {}).get("schema")
        if form is None:
            found = re.search(r"JSON Schema:\n(\{.*\})", self.prompt)
            form = json.loads(found[1]) if found else {}
        return tuple(form.get("properties", {}))

    @property
    def material(self) -> dict[str, list[str]]:
        """What stands in fences, by the fence's name in small letters; numbered contexts are under `context`."""
        found: dict[str, list[str]] = {}
        for name, _, text in FENCE.findall(self.user):
            found.setdefault(name.lower(), []).append(text)
        return found

    def entries(self, name: str) -> list[str]:
        """The entries of a fenced list, `[1] …` each on a line of its own."""
        return re.findall(r"^\[\d+\] (.*)$", "\n".join(self.material.get(name, [])), re.MULTILINE)

    @property
    def asks_again(self) -> bool:
        return sum(m["role"] == "user" for m in self.body.get("messages", [])) > 1


@dataclass(frozen=True)
class Say:
    """A completion in the model's own words."""

    text: str | None
    finish: str = "stop"
    refusal: str | None = None


@dataclass(frozen=True)
class Fault:
    """An answer that is none: an HTTP error, a connection that is cut, or silence until the client gives up."""

    status: int = 500
    error: dict[str, Any] | str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    hang: bool = False


@dataclass(frozen=True)
class Raw:
    """A JSON body of status 200 that is no completion."""

    body: Any


@dataclass
class Exchange:
    asked: Asked
    started: float
    ended: float = 0.0
    status: int = 0


Answerer = Callable[[Asked], Any]


class JudgeServer:
    """Serves in a thread of its own between `with` and its end."""

    def __init__(
        self,
        answer: Answerer | None = None,
        *,
        delay: float = 0.0,
        dimensions: int = 64,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.answer = answer or by_meaning
        self.delay = delay
        self.dimensions = dimensions
        self.tls = tls
        self.log: list[Exchange] = []
        self.port = 0
        self.most_in_flight = 0
        self._in_flight = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._ready = threading.Event()
        self._stop: asyncio.Event | None = None

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}/v1"

    @property
    def calls(self) -> int:
        return len(self.log)

    def asked(self, path: str = "/chat/completions") -> list[Asked]:
        return [exchange.asked for exchange in self.log if exchange.asked.path.endswith(path)]

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        if self._stop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()

    def _serve(self) -> None:
        self._loop.run_until_complete(self.serve(0))

    async def serve(self, port: int, *, announce: bool = False) -> None:
        self._stop = asyncio.Event()
        connections: set[asyncio.Task[None]] = set()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connections.add(task := asyncio.current_task())
            try:
                while await self._exchange(reader, writer):
                    pass
            except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                pass
            finally:
                connections.discard(task)
                writer.close()

        server = await asyncio.start_server(connected, "127.0.0.1", port, backlog=1024, ssl=self.tls)
        self.port = server.sockets[0].getsockname()[1]
        if announce:
            sys.stdout.write(f"{self.url}\n")
            sys.stdout.flush()
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in list(connections):
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        started = time.monotonic()
        first, *lines = head.rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        path, _, query = first.split(" ")[1].partition("?")
        body = json.loads(raw or b"{}")
        exchange = Exchange(Asked(len(self.log) + 1, path, headers, body, dict(parse_qsl(query))), started)
        self.log.append(exchange)
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            delay = self.delay
            answer = self._answer_to(exchange.asked)
            await _until(exchange.started + delay)
            return await self._reply(answer, exchange, writer)
        finally:
            self._in_flight -= 1
            exchange.ended = time.monotonic()

    async def _reply(self, answer: Any, exchange: Exchange, writer: asyncio.StreamWriter) -> bool:
        if isinstance(answer, Fault) and answer.hang:
            await self._stop.wait()
            return False
        if isinstance(answer, Fault) and answer.cut:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{")
            await writer.drain()
            return False
        status, headers, content = 200, {}, answer
        if isinstance(answer, Fault):
            status, headers = answer.status, answer.headers
            content = (
                answer.error
                if isinstance(answer.error, str)
                else {"error": answer.error or {"message": "scripted"}}
            )
        exchange.status = status
        kind = "text/html" if isinstance(content, str) else "application/json"
        data = (
            content.encode() if isinstance(content, str) else json.dumps(content, ensure_ascii=False).encode()
        )
        extra = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = f"HTTP/1.1 {status} Scripted\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\n{extra}\r\n"
        writer.write(head.encode() + data)
        await writer.drain()
        return True

    def _answer_to(self, asked: Asked) -> Any:
        if asked.path.endswith("/embeddings"):
            answer = self.answer(asked)
            return answer if isinstance(answer, Fault | dict) else self._vectors(asked)
        if not asked.path.endswith("/chat/completions"):
            return Fault(404, {"message": f"no such path: {asked.path}"})
        answer = self.answer(asked)
        if isinstance(answer, Fault):
            return answer
        if isinstance(answer, Raw):
            return answer.body
        if isinstance(answer, dict | list):
            answer = Say(json.dumps(answer, ensure_ascii=False))
        if isinstance(answer, str) or answer is None:
            answer = Say(answer)
        return completion(asked, answer)

    def _vectors(self, asked: Asked) -> dict[str, Any]:
        texts = asked.body["input"]
        data = [
            {"object": "embedding", "index": number, "embedding": _vector(text, self.dimensions)}
            for number, text in enumerate([texts] if isinstance(texts, str) else texts)
        ]
        tokens = sum(len(text) for text in texts)
        return {
            "object": "list",
            "data": data,
            "model": asked.body["model"],
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }


async def _until(moment: float) -> None:
    """To the tenth of a millisecond: a loop's timers are late by one, which is more than a client's own share."""
    if (left := moment - time.monotonic()) > _TIMERS_ARE_LATE_S:
        await asyncio.sleep(left - _TIMERS_ARE_LATE_S)
    while time.monotonic() < moment:
        await asyncio.sleep(0)


def completion(asked: Asked, say: Say) -> dict[str, Any]:
    """A chat completion as the real server writes it; four characters count as one token."""
    prompt, said = len(asked.prompt) // 4, len(say.text or "") // 4
    return {
        "id": f"chatcmpl-{asked.number}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": asked.body.get("model", ""),
        "choices": [
            {
                "index": 0,
                "finish_reason": say.finish,
                "message": {"role": "assistant", "content": say.text, "refusal": say.refusal},
            }
        ],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": said,
            "total_tokens": prompt + said,
            "prompt_tokens_details": {"cached_tokens": 0},
        },
    }


def by_meaning(asked: Asked) -> Any:
    """What a careful model would reply, judged by shared wording and by numbers that must agree.

    None for embeddings: the server makes its own vectors.
    """
    if asked.path.endswith("/embeddings"):
        return None
    material = asked.material
    contexts = "\n".join(material.get("context", []))
    answer = "".join(material.get("answer", []))
    reference = "".join(material.get("reference", []))
    properties = asked.properties
    if "ready" in properties:
        return {"ready": True}
    if properties == ("question", "non_committal"):
        return {"question": _question_of(answer), "non_committal": evades(answer)}
    if properties == ("questions",):
        wanted = int(re.findall(r"\d+", asked.user)[-1])
        return {"questions": [{"question": _question_of(answer), "non_committal": evades(answer)}] * wanted}
    if properties == ("statements",):
        return {"statements": [] if evades(answer) else sentences(answer)}
    if properties == ("claims",):
        found = [] if evades(answer) else sentences(answer)
        return {
            "claims": [
                {"index": n, "statement": one, "reason": "scripted", "supported": says(contexts, one)}
                for n, one in enumerate(found, 1)
            ]
        }
    if properties == ("verdicts",):
        kind = "statements" if "statements" in material else "sentences"
        verdict = "supported" if kind == "statements" else "attributed"
        return {"verdicts": _verdicts(asked.entries(kind), contexts, verdict)}
    if properties == ("reason", "useful"):
        return {"reason": "scripted", "useful": helps(contexts, reference)}
    if properties == ("usefulness", "attribution"):
        usefulness = [
            {"index": n, "reason": "scripted", "useful": helps(one, reference)}
            for n, one in enumerate(material.get("context", []), 1)
        ]
        return {
            "usefulness": usefulness,
            "attribution": _verdicts(asked.entries("sentences"), contexts, "attributed"),
        }
    if "score" in properties:
        return _grade(properties, answer, reference)
    if "better" in properties:
        return {"reason": "scripted", "better": "tie"}
    return Fault(400, {"message": f"the scripted judge knows no such task: {properties}"})


def by_schema(asked: Asked) -> Any:
    """The cheapest reply that fits the schema, for measuring time and nothing else."""
    if asked.path.endswith("/embeddings"):
        return None
    form = (asked.body.get("response_format") or {}).get("json_schema", {}).get("schema")
    return _filled(form) if form else by_meaning(asked)


def _filled(form: dict[str, Any]) -> Any:
    if "enum" in form:
        return form["enum"][0]
    if form.get("type") == "object":
        return {name: _filled(inner) for name, inner in form["properties"].items()}
    if form.get("type") == "array":
        return [_filled(form["items"])]
    return {"boolean": True, "integer": 1, "number": 1.0}.get(form.get("type", ""), "scripted")


def _verdicts(texts: list[str], contexts: str, verdict: str) -> list[dict[str, Any]]:
    return [
        {"index": n, "reason": "scripted", verdict: says(contexts, one)} for n, one in enumerate(texts, 1)
    ]


def _grade(properties: tuple[str, ...], answer: str, reference: str) -> dict[str, Any]:
    wanted = sentences(reference) or [reference]
    share = sum(says(answer, one) for one in wanted) / len(wanted)
    score = 1 if evades(answer) else 1 + round(4 * max(share, 0.25 * helps(answer, reference)))
    return {name: "scripted" if name != "score" else score for name in properties}


def sentences(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[。！？!?])|(?<=\.)\s+|\n", text) if part.strip()]


def evades(text: str) -> bool:
    return not text.strip() or bool(
        re.search(
            r"わかりません|分かりません|見つかりません|お答えできません|don't know|could not find|cannot help",
            text,
        )
    )


def says(text: str, statement: str) -> bool:
    """Is nearly all of a statement's wording in the text, and each of its numbers?"""
    return _shared(text, statement) >= 0.8 and _numbers(statement) <= _numbers(text)


def helps(context: str, reference: str) -> bool:
    return any(_shared(context, one) >= 0.5 for one in sentences(reference))


def _shared(text: str, part: str) -> float:
    wanted = _bigrams(part)
    return len(wanted & _bigrams(text)) / len(wanted) if wanted else 0.0


def _bigrams(text: str) -> set[str]:
    plain = "".join(char for char in unicodedata.normalize("NFKC", text).lower() if char.isalnum())
    return {plain[n : n + 2] for n in range(len(plain) - 1)}


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:\.\d+)?", unicodedata.normalize("NFKC", text)))


def _question_of(answer: str) -> str:
    first = (sentences(answer) or ["?"])[0].rstrip("。.!！")
    return f"{first}?"


def _vector(text: str, dimensions: int) -> list[float]:
    values = [0.0] * dimensions
    for gram in sorted(_bigrams(text)) or ["?"]:
        values[sum(map(ord, gram)) % dimensions] += 1.0
    return values


def main() -> None:
    options = argparse.ArgumentParser(description="serve a scripted judge on loopback")
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--delay", type=float, default=0.0)
    options.add_argument("--quick", action="store_true", help="cheapest replies, no meaning")
    chosen = options.parse_args()
    answer = by_schema if chosen.quick else by_meaning
    asyncio.run(JudgeServer(answer, delay=chosen.delay).serve(chosen.port, announce=True))


if __name__ == "__main__":
    main()
