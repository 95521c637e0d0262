"""An OpenAI-compatible server on loopback that knows every verdict and tells it to both programs by meaning.

It reads what a prompt is about (Ragas' input JSON, ragjudge's fenced blocks), looks the texts up in the cases and
answers in the form that the program expects. Standard library only.
"""

import hashlib
import json
import random
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

BLOCK = re.compile(
    r"^<<<([A-Z]+)(?:_(\d+))? ([0-9a-f]{12})\n(.*?)\n\3 \1(?:_\2)?>>>$", re.DOTALL | re.MULTILINE
)
VARIANT = re.compile(r"Variant (\d+) of|件中の(\d+)件目")
ENTRY = re.compile(r"^\[\d+\] (.*)$", re.MULTILINE)
DIMENSIONS = 24


class Truth:
    """Everything the judge knows, by text."""

    def __init__(self, cases: list[dict[str, Any]]) -> None:
        self.by_answer = {case["answer"]: case for case in cases}
        self.by_reference = {case["reference"]: case for case in cases}
        self.verdict: dict[str, bool] = {}
        self.flawed = {case["id"] for case in cases if case["kind"] == "verdicts"}
        self.blind = {case["question"] for case in cases if case["kind"] == "vectors"}
        self._asked: dict[str, int] = {}
        self._lock = threading.Lock()
        for case in cases:
            for name in ("statements", "contexts", "sentences"):
                self.verdict.update((_flat(one["text"]), one["verdict"]) for one in case[name])

    def __getitem__(self, text: str) -> bool:
        return self.verdict[_flat(text)]

    def leaves_out(self, text: str) -> bool:
        """Is the last verdict about this text to be left out?"""
        return any(case_id in text for case_id in self.flawed)

    def nth_question(self, answer: str, nth: int | None = None) -> dict[str, Any]:
        """Ragas asks the same thing again and again: each time the next question."""
        if nth is None:
            with self._lock:
                nth = self._asked[answer] = self._asked.get(answer, 0) + 1
        found = self.by_answer[answer]["questions"]
        return found[(nth - 1) % len(found)]

    def vector(self, text: str) -> list[float]:
        if text in self.blind:
            return [0.0] * DIMENSIONS
        chance = random.Random(hashlib.sha256(text.encode()).digest())
        return [chance.gauss(0.3, 1.0) for _ in range(DIMENSIONS)]


def _flat(text: str) -> str:
    return " ".join(text.split())


def _some(verdicts: list[dict[str, Any]], leave_out: bool) -> list[dict[str, Any]]:
    return verdicts[:-1] if leave_out else verdicts


def reply_to_ragas(prompt: str, truth: Truth) -> dict[str, Any]:
    given = json.loads(prompt.rpartition("\ninput: ")[2].rpartition("\nOutput:")[0])
    if set(given) == {"response"}:
        one = truth.nth_question(given["response"])
        return {"question": one["text"], "noncommittal": int(one["verdict"])}
    if set(given) == {"question", "answer"}:
        return {"statements": [one["text"] for one in truth.by_answer[given["answer"]]["statements"]]}
    if set(given) == {"context", "statements"}:
        verdicts = [
            {"statement": text, "reason": "r", "verdict": int(truth[text])} for text in given["statements"]
        ]
        return {"statements": _some(verdicts, truth.leaves_out(given["context"]))}
    if "classifications" in prompt:
        sentences = truth.by_reference[given["answer"]]["sentences"]
        verdicts = [
            {"statement": one["text"], "reason": "r", "attributed": int(one["verdict"])} for one in sentences
        ]
        return {"classifications": _some(verdicts, truth.leaves_out(given["answer"]))}
    return {"reason": "r", "verdict": int(truth[given["context"]])}


def reply_to_ragjudge(prompt: str, truth: Truth) -> dict[str, Any]:
    blocks: dict[str, list[str]] = {}
    for name, _, _, body in BLOCK.findall(prompt):
        blocks.setdefault(name, []).append(body)
    match sorted(blocks):
        case ["ANSWER"] if (found := VARIANT.search(prompt)) is not None:
            one = truth.nth_question(blocks["ANSWER"][0], int(found[1] or found[2]))
            return {"question": one["text"], "non_committal": one["verdict"]}
        case ["ANSWER"]:
            asked = truth.by_answer[blocks["ANSWER"][0]]["questions"]
            return {"questions": [{"question": q["text"], "non_committal": q["verdict"]} for q in asked]}
        case ["ANSWER", "QUESTION"]:
            found = truth.by_answer[blocks["ANSWER"][0]]["statements"]
            return {"statements": [one["text"] for one in found]}
        case ["CONTEXT", "STATEMENTS"]:
            return {"verdicts": _judged(ENTRY.findall(blocks["STATEMENTS"][0]), "supported", truth)}
        case ["CONTEXT", "QUESTION", "SENTENCES"]:
            return {"verdicts": _judged(ENTRY.findall(blocks["SENTENCES"][0]), "attributed", truth)}
        case ["CONTEXT", "QUESTION", "REFERENCE"]:
            return {"reason": "r", "useful": truth[blocks["CONTEXT"][0]]}
        case ["ANSWER", "CONTEXT", "QUESTION"]:
            texts = [one["text"] for one in truth.by_answer[blocks["ANSWER"][0]]["statements"]]
            claims = [
                {"index": n, "statement": text, "reason": "r", "supported": truth[text]}
                for n, text in enumerate(texts, start=1)
            ]
            return {"claims": claims[1:] if truth.leaves_out(texts[0] if texts else "") else claims}
        case ["CONTEXT", "QUESTION", "REFERENCE", "SENTENCES"]:
            return {
                "usefulness": _judged(blocks["CONTEXT"], "useful", truth),
                "attribution": _judged(ENTRY.findall(blocks["SENTENCES"][0]), "attributed", truth),
            }
        case other:
            raise LookupError(f"no task has the blocks {other}")


def _judged(texts: list[str], key: str, truth: Truth) -> list[dict[str, Any]]:
    verdicts = [{"index": n, "reason": "r", key: truth[text]} for n, text in enumerate(texts, start=1)]
    return _some(verdicts, any(truth.leaves_out(text) for text in texts))


def answer(path: str, body: dict[str, Any], truth: Truth) -> dict[str, Any]:
    if path.endswith("/embeddings"):
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        data = [
            {"object": "embedding", "index": n, "embedding": truth.vector(text)}
            for n, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return {"object": "list", "model": body["model"], "data": data, "usage": usage}
    users = [message["content"] for message in body["messages"] if message["role"] == "user"]
    if body["model"] == "ragas":
        said = reply_to_ragas(users[-1], truth)
    elif "<<<" not in users[0]:
        said = {"ready": True}
    else:
        said = reply_to_ragjudge(users[0], truth)
    message = {"role": "assistant", "content": json.dumps(said, ensure_ascii=False)}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that hangs up when it is done is no error."""


def serve(cases: list[dict[str, Any]]) -> ThreadingHTTPServer:
    """A running server; its address is `server_address`."""
    truth = Truth(cases)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            received = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                status, said = 200, answer(self.path, json.loads(received), truth)
            except (LookupError, ValueError) as error:
                status, said = 400, {"error": {"message": f"scripted server: {error!r}", "type": "script"}}
            payload = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *_: object) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
