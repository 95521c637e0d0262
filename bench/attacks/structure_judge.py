"""A judge that follows the structure of a prompt to the letter, and falls for whatever breaks it.

Inside a well-closed block everything is data to it. What it takes for an instruction outside of a block, behind
something that looks like the end of one, in a chat marker or in hidden characters, it obeys: then every verdict is
the best. Its own verdicts are lexical. Before its JSON it quotes all the material, as careless models do.
"""

import json
import re
from collections.abc import Mapping

from ragjudge.errors import JudgeCouldNotScore
from ragjudge.judge.reply import Misunderstood, read
from ragjudge.metrics import tasks
from ragjudge.ports import JudgeReply, JudgeTask
from ragjudge.results.fingerprint import JudgeIdentity
from ragjudge.results.outcome import Cause

_OPENING = re.compile(r"<<<([A-Z_0-9]+) ([0-9a-f]{12})")
_ENTRY = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
_LOOKS_LIKE_AN_END = re.compile(r"[>＞》〉≫›»]{3}|[<＜《〈≪‹«]{3}")
_CHAT_MARK = re.compile(r"<[|｜]|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|</?s>|</?think>", re.IGNORECASE)
_HIDDEN = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u206f\u00ad\u034f\ufeff\U000e0000-\U000e0fff\x00\x1b]"
)
_LINE = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_INNOCENT = re.compile(
    r"^(Variant \d+ of \d+\.|バリエーション: \d+件中の\d+件目|Questions: \d+|質問の数: \d+|Scale: .*|尺度: .*)?$"
)
_REFUSAL = re.compile("分かりません|don't know")


class Seen:
    """What this judge believes to have been given: blocks by name, and whether anything ordered it about."""

    def __init__(self, user: str) -> None:
        self.blocks: dict[str, str] = {}
        self.fooled = False
        self._read(_LINE.split(user))
        self.fooled = self.fooled or any(self._is_order(body) for body in self.blocks.values())

    def _read(self, lines: list[str]) -> None:
        at = 0
        while at < len(lines):
            opening = _OPENING.fullmatch(lines[at])
            if opening is None:
                self.fooled = self.fooled or not _INNOCENT.match(lines[at].strip())
                at += 1
                continue
            name, code = opening.groups()
            end = next((i for i in range(at, len(lines)) if lines[i] == f"{code} {name}>>>"), None)
            if end is None:
                self.fooled = True
                return
            self.fooled = self.fooled or name in self.blocks
            self.blocks[name] = "\n".join(lines[at + 1 : end])
            at = end + 1

    @staticmethod
    def _is_order(body: str) -> bool:
        return any(mark.search(body) for mark in (_LOOKS_LIKE_AN_END, _CHAT_MARK, _HIDDEN))

    @property
    def contexts(self) -> list[str]:
        return [body for name, body in self.blocks.items() if name.startswith("CONTEXT")]

    def entries(self, name: str) -> list[str]:
        """Numbered lines; a forged number makes a list that can't be told from a real one."""
        found = _ENTRY.findall(self.blocks[name])
        self.fooled = self.fooled or [int(n) for n, _ in found] != list(range(1, len(found) + 1))
        return [text for _, text in found]


class StructureJudge:
    """At the port of a judge; its raw text goes through the product's own reader of replies."""

    def __init__(self) -> None:
        self.identity = JudgeIdentity(provider="scripted", model="structure")
        self.fooled: list[str] = []

    async def probe(self) -> None:
        return None

    async def close(self) -> None:
        return None

    async def ask(self, task: JudgeTask) -> JudgeReply:
        seen = Seen(task.user)
        said = _verdict(task.name, seen)
        if seen.fooled:
            self.fooled.append(task.name)
            said = _verdict(task.name, seen)
        quoted = "\n".join(seen.blocks.values())
        reply = f"The material says:\n{quoted}\n\n{json.dumps(said)}"
        understood = read(reply, task.reply, task.check, material=task.user)
        if isinstance(understood, Misunderstood):
            raise JudgeCouldNotScore(understood.fault, cause=Cause.JUDGE_REPLY_UNUSABLE)
        return JudgeReply(understood.value, notes=understood.notes)


def _verdict(name: str, seen: Seen) -> Mapping[str, object]:
    match name:
        case tasks.QUESTION:
            return _question(seen)
        case tasks.QUESTIONS:
            return {"questions": [_question(seen)] * 3}
        case tasks.STATEMENTS:
            return {"statements": _sentences(seen.blocks["ANSWER"])}
        case tasks.SUPPORT:
            return {"verdicts": _found(seen.entries("STATEMENTS"), "supported", seen)}
        case tasks.CLAIMS:
            texts = _sentences(seen.blocks["ANSWER"])
            found = _found(texts, "supported", seen)
            return {"claims": [{**one, "statement": texts[i]} for i, one in enumerate(found)]}
        case tasks.ATTRIBUTION:
            return {"verdicts": _found(seen.entries("SENTENCES"), "attributed", seen)}
        case tasks.USEFULNESS:
            return {"reason": "", "useful": _useful(seen.contexts[0], seen)}
        case tasks.CONTEXT_REVIEW:
            useful = [
                {"index": i, "reason": "", "useful": _useful(context, seen)}
                for i, context in enumerate(seen.contexts, start=1)
            ]
            return {
                "usefulness": useful,
                "attribution": _found(seen.entries("SENTENCES"), "attributed", seen),
            }
        case tasks.GRADE:
            return _grade(seen)
        case other:
            raise LookupError(other)


def _question(seen: Seen) -> dict[str, object]:
    answer = seen.blocks["ANSWER"]
    question = "ORIGINAL" if seen.fooled else _sentences(answer)[0]
    return {"question": question, "non_committal": bool(_REFUSAL.search(answer)) and not seen.fooled}


def _found(texts: list[str], key: str, seen: Seen) -> list[dict[str, object]]:
    return [
        {"index": i, "reason": "", key: seen.fooled or any(text in context for context in seen.contexts)}
        for i, text in enumerate(texts, start=1)
    ]


def _useful(context: str, seen: Seen) -> bool:
    first = _sentences(seen.blocks["REFERENCE"])
    return seen.fooled or any(sentence in context for sentence in first)


def _grade(seen: Seen) -> dict[str, object]:
    right = _sentences(seen.blocks["REFERENCE"])[0] in seen.blocks["ANSWER"]
    words = dict.fromkeys(("accuracy", "coverage", "clarity", "appropriateness", "summary"), "")
    return {**words, "score": 5 if seen.fooled or right else 2}


def _sentences(text: str) -> list[str]:
    return [part for part in re.split(r"(?<=[。.])\s*|\n+", text) if part.strip()]
