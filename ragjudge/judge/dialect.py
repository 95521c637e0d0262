"""How one model wants to be asked: which parameters it takes. Learned from its refusals, remembered per model."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel, JsonValue

from ragjudge.judge.reply_schema import instruction, json_schema

ResponseFormat = Literal["json_schema", "json_object", "plain"]
Limit = Literal["max_tokens", "max_completion_tokens", "none"]

FIRST_LIMIT = 4096
HIGHER_LIMIT = 16384
LEAST_ROOM = 512
"""In tokens: below this no verdict can be counted on."""
NOT_AT_TEMPERATURE_0 = "judge_not_at_temperature_0"

_NEXT_FORMAT: dict[ResponseFormat, ResponseFormat] = {"json_schema": "json_object", "json_object": "plain"}
_NEXT_LIMIT: dict[Limit, Limit] = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "none"}

_ABOUT_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)
_ABOUT_LIMIT = re.compile(r"max(_completion|_output)?_?tokens|completion tokens", re.IGNORECASE)
_TOO_MUCH = re.compile(r"too large|at most|exceeds?|maximum|less than|must be (<|below)", re.IGNORECASE)
_ABOUT_FORMAT = re.compile(
    r"response_?format|json_?_?(schema|object|mode)|structured output|\bschema\b", re.IGNORECASE
)
_ABOUT_SYSTEM = re.compile(
    r"system (role|message|prompt|instruction)|role.{0,30}system|developer instruction", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The parameters that a model takes. The first one asks for the most; each refusal takes one thing away."""

    response_format: ResponseFormat = "json_schema"
    temperature: bool = True
    limit: Limit = "max_tokens"
    most_tokens: int = FIRST_LIMIT
    system_role: bool = True

    @property
    def parameters(self) -> dict[str, str]:
        """What is really sent, for the judge's identity."""
        return {
            "temperature": "0" if self.temperature else "default",
            "response_format": self.response_format,
            "system_role": "yes" if self.system_role else "no",
        }

    @property
    def notes(self) -> tuple[str, ...]:
        return () if self.temperature else (NOT_AT_TEMPERATURE_0,)

    def with_higher_limit(self) -> "Dialect | None":
        """For a reply that was cut; None where no higher limit can be asked for."""
        if self.limit == "none" or self.most_tokens >= HIGHER_LIMIT:
            return None
        return replace(self, most_tokens=HIGHER_LIMIT)

    def with_less_room(self) -> "Dialect | None":
        """Where the material leaves no room for so long a reply; None where less would hold none."""
        if self.limit == "none" or self.most_tokens // 2 < LEAST_ROOM:
            return None
        return replace(self, most_tokens=self.most_tokens // 2)

    def without_what_was_refused(self, *, param: str, message: str) -> "Dialect | None":
        """The next dialect to try after a refusal that names a parameter; None where it names none of ours.

        Of several the first: what is refused is named before what would be allowed.
        """
        for text in (param, message):
            named = [
                (found.start(), change)
                for about, change in self._changes(message)
                if (found := about.search(text)) is not None
            ]
            if named:
                return replace(self, **min(named, key=lambda one: one[0])[1])
        return None

    def _changes(self, message: str) -> Iterator[tuple[re.Pattern[str], dict[str, Any]]]:
        """What can still be taken away, by the words that name it."""
        if self.limit != "none":
            too_much = self.limit in message and _TOO_MUCH.search(message) and "instead" not in message
            yield _ABOUT_LIMIT, {"limit": "none" if too_much else _NEXT_LIMIT[self.limit]}
        if self.temperature:
            yield _ABOUT_TEMPERATURE, {"temperature": False}
        if self.response_format != "plain":
            yield _ABOUT_FORMAT, {"response_format": _NEXT_FORMAT[self.response_format]}
        if self.system_role:
            yield _ABOUT_SYSTEM, {"system_role": False}

    def plainer(self) -> "Dialect | None":
        """The next dialect after a refusal that does not say what is wrong; None at the plainest."""
        if self.response_format != "plain":
            return replace(self, response_format=_NEXT_FORMAT[self.response_format])
        if self.temperature:
            return replace(self, temperature=False)
        if self.limit != "none":
            return replace(self, limit="none")
        return replace(self, system_role=False) if self.system_role else None


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be asked, independent of any dialect. `turns` follow the first user message: reply, request…"""

    name: str
    system: str
    user: str
    reply: type[BaseModel]
    turns: tuple[str, ...] = ()


def body(request: Request, dialect: Dialect, model: str) -> dict[str, JsonValue]:
    """The JSON body of one chat completion."""
    made: dict[str, JsonValue] = {"model": model, "messages": _messages(request, dialect)}
    if dialect.temperature:
        made["temperature"] = 0
    if dialect.limit != "none":
        made[dialect.limit] = dialect.most_tokens
    if dialect.response_format == "json_schema":
        schema: dict[str, JsonValue] = {
            "name": request.name,
            "strict": True,
            "schema": json_schema(request.reply),
        }
        made["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif dialect.response_format == "json_object":
        made["response_format"] = {"type": "json_object"}
    return made


def _messages(request: Request, dialect: Dialect) -> list[JsonValue]:
    system = request.system
    if dialect.response_format != "json_schema":
        system = f"{system}\n\n{instruction(request.reply)}".strip()
    user = request.user if dialect.system_role or not system else f"{system}\n\n{request.user}"
    messages: list[JsonValue] = (
        [{"role": "system", "content": system}] if dialect.system_role and system else []
    )
    messages.append({"role": "user", "content": user})
    for number, turn in enumerate(request.turns):
        messages.append({"role": "user" if number % 2 else "assistant", "content": turn})
    return messages
