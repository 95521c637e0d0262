"""What the server says no with: Dify's statuses, codes and wordings."""

from collections.abc import Mapping
from dataclasses import dataclass

from ragjudge.demo.loose import JsonObject
from ragjudge.demo.server.options import Dialect

WRONG_ROUTE = "Please check if your app mode matches the right API route."
NOT_FOUND_PAGE = (
    "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>The requested URL was "
    "not found on the server. If you entered the URL manually please check your spelling and try again.</p>\n"
)
_DID_YOU_MEAN = {
    "/v1/chat-messages": "/v1/chat-messages or /api/chat-messages or /v1/chat-messages/<string:task_id>/stop",
    "/v1/messages": "/v1/messages or /v1/chat-messages or /api/messages",
}


class Refusal(Exception):
    """An answer other than 2xx. `body` is sent as JSON."""

    def __init__(self, status: int, body: JsonObject) -> None:
        super().__init__(f"{status} {body}")
        self.status = status
        self.body = body


def refused(status: int, code: str, message: str) -> Refusal:
    """Dify's usual envelope."""
    return Refusal(status, {"code": code, "message": message, "status": status})


def invalid(message: str) -> Refusal:
    return refused(400, "invalid_param", message)


def unauthorized(message: str) -> Refusal:
    return refused(401, "unauthorized", message)


def app_unavailable() -> Refusal:
    return refused(400, "app_unavailable", "App unavailable, please check your app configurations.")


def internal_error() -> Refusal:
    return refused(
        500,
        "internal_server_error",
        "The server encountered an internal error and was unable to complete your request. Either the server is "
        "overloaded or there is an error in the application.",
    )


def not_found(what: str, path: str) -> Refusal:
    """A 404 of a known path: flask adds what else might have been meant."""
    near = _DID_YOU_MEAN.get(path, path)
    hint = f". You have requested this URI [{path}] but did you mean {near} ?"
    return refused(404, "not_found", what.rstrip(".") + hint)


@dataclass(frozen=True, slots=True)
class BadField:
    """A request field of the wrong shape, in the words of each release. `shown` is what pydantic quotes."""

    model: str
    field: str
    older: str
    newer: str
    kind: str
    shown: object


def bad_field(dialect: Dialect, fault: BadField) -> Refusal:
    if dialect.field_errors:
        return Refusal(
            400, {"errors": {fault.field: fault.older}, "message": "Input payload validation failed"}
        )
    return invalid(
        f"1 validation error for {fault.model}\n{fault.field}\n  {fault.newer} [type={fault.kind}, "
        f"input_value={_quoted(fault.shown)}, input_type={type(fault.shown).__name__}]\n    For further "
        f"information visit https://errors.pydantic.dev/2.12/v/{fault.kind}"
    )


def missing_field(
    dialect: Dialect, body: Mapping[str, object], *, model: str, field: str, about: str
) -> Refusal:
    older = f"{about} Missing required parameter in the JSON body"
    return bad_field(dialect, BadField(model, field, older, "Field required", "missing", dict(body)))


def _quoted(value: object) -> str:
    """A value as pydantic quotes it: long ones lose their middle."""
    shown = repr(value)
    return shown if len(shown) <= 50 else f"{shown[:25]}...{shown[-24:]}"
