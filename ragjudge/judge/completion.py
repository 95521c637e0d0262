"""Read a chat completion's JSON, from whatever server. Pure."""

from dataclasses import dataclass

from ragjudge.judge.refusals import Refusal
from ragjudge.results.usage import Usage


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer of a model. `text` is None where there is no content; `finish` is the server's finish reason."""

    text: str | None
    finish: str
    refusal: str
    model: str
    usage: Usage


class NotACompletion(ValueError):
    """The server answered with something else."""


def completion_of(data: object) -> Completion:
    """Raises NotACompletion."""
    choices = data.get("choices") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(choices, list) or not choices:
        raise NotACompletion(str(data)[:200])
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise NotACompletion(str(data)[:200])
    return Completion(
        text=_text(message.get("content")),
        finish=_word(choice.get("finish_reason")),
        refusal=_word(message.get("refusal")),
        model=_word(data.get("model")),
        usage=usage_of(data),
    )


def refusal_in(data: object) -> Refusal | None:
    """The error that some gateways put into an answer of status 200; None where there is none."""
    error = data.get("error") if isinstance(data, dict) and not data.get("choices") else None
    if not isinstance(error, dict):
        return None
    code = error.get("code")
    known = isinstance(code, int) and 400 <= code < 600
    return Refusal(
        status=code if isinstance(code, int) and known else 500,
        code="" if known else str(code or ""),
        type=_word(error.get("type")),
        param=_word(error.get("param")),
        message=_word(error.get("message")),
    )


def usage_of(data: dict[object, object]) -> Usage:
    """Tokens as the server counted them; one call in any case."""
    usage = data.get("usage")
    if not isinstance(usage, dict):
        return Usage(calls=1)
    details = usage.get("prompt_tokens_details")
    return Usage(
        calls=1,
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        cached_tokens=_count(details.get("cached_tokens")) if isinstance(details, dict) else 0,
    )


def _text(content: object) -> str | None:
    """A content's text: a string, or the text parts of a list (reasoning parts are not the answer)."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    texts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
    return "".join(text for text in texts if isinstance(text, str))


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0
