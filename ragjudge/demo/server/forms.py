"""Checks what a client sends: the request's own fields, and the app's form variables, in Dify's order and words."""

import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from ragjudge.demo.definition import AppDefinition, Variable
from ragjudge.demo.loose import JsonObject
from ragjudge.demo.server.options import Dialect
from ragjudge.demo.server.refusals import BadField, Refusal, bad_field, internal_error, invalid, missing_field

_MODELS = {
    "chat": "ChatRequestPayload",
    "completion": "CompletionRequestPayload",
    "workflow": "WorkflowRunPayload",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request whose fields have the right shape. `query` may still be unusable (see `checked_query`)."""

    inputs: JsonObject
    query: object
    streaming: bool
    conversation_id: str
    user: str
    workflow_id: str
    names_itself: bool
    """Whether the conversation gets a title of its own (`auto_generate_name`)."""


def read_request(body: JsonObject, dialect: Dialect, *, family: str) -> Asked:
    """The fields of a question. `family` is the endpoint's kind: chat, completion or workflow. Raises Refusal."""
    model = _MODELS[family]
    user = body.get("user")
    if not user:
        raise invalid("Arg user must be provided.")
    inputs = body.get("inputs")
    if not isinstance(inputs, dict):
        raise missing_field(
            dialect, body, model=model, field="inputs", about=f"Input parameters for {family}"
        )
    if family == "chat" and "query" not in body:
        raise missing_field(dialect, body, model=model, field="query", about="The chat query")
    return Asked(
        inputs=inputs,
        query=body.get("query", ""),
        streaming=_streaming(body, dialect, model),
        conversation_id=_conversation(body, dialect, model) if family == "chat" else "",
        user=str(user),
        workflow_id=str(body.get("workflow_id") or ""),
        names_itself=bool(body.get("auto_generate_name", True)),
    )


def _streaming(body: Mapping[str, object], dialect: Dialect, model: str) -> bool:
    wanted = body.get("response_mode", "blocking")
    if wanted is None and not dialect.field_errors:
        return False
    if wanted not in ("blocking", "streaming"):
        older = f"Response mode The value '{wanted}' is not a valid choice for 'response_mode'."
        newer = "Input should be 'blocking' or 'streaming'"
        raise bad_field(dialect, BadField(model, "response_mode", older, newer, "literal_error", wanted))
    return wanted == "streaming"


def _conversation(body: Mapping[str, object], dialect: Dialect, model: str) -> str:
    given = body.get("conversation_id") or ""
    if not given or is_uuid(given):
        return str(given)
    older = f"Existing conversation ID {given} is not a valid uuid."
    newer = "Value error, conversation_id must be a valid UUID"
    raise bad_field(dialect, BadField(model, "conversation_id", older, newer, "value_error", given))


def is_uuid(value: object) -> bool:
    try:
        uuid.UUID(str(value))
    except ValueError:
        return False
    return True


def checked_query(query: object) -> str:
    """The question without NUL characters; raises Refusal where there is none."""
    if not isinstance(query, str):
        raise invalid("Query must be a string")
    if not query:
        raise invalid("query is required")
    return query.replace("\x00", "")


def checked_inputs(app: AppDefinition, given: Mapping[str, object], dialect: Dialect) -> JsonObject:
    """The form's variables with their values; unknown keys are dropped. Raises Refusal for the first that is wrong."""
    return {v.name: _checked(v, given.get(v.name), dialect) for v in app.variables}


def _checked(variable: Variable, value: object, dialect: Dialect) -> object:
    name = variable.name
    if value is None:
        if variable.required:
            raise invalid(f"{name} is required in input form")
        return None
    match variable.kind:
        case "number":
            return _number(name, value)
        case "checkbox":
            if dialect.checks_checkboxes and not isinstance(value, bool):
                raise invalid(f"{name} in input form must be a valid boolean value")
            return bool(value)
        case "text-input" | "paragraph" | "select":
            return _string(variable, value)
        case _:
            return value


def _number(name: str, value: object) -> object:
    if isinstance(value, int | float):
        return value
    if not isinstance(value, str):
        raise internal_error()
    if not value.strip():
        return None
    try:
        found = float(value) if "." in value else int(value)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise invalid(f"{name} in input form must be a valid number")
    return found


def _string(variable: Variable, value: object) -> str:
    name = variable.name
    if not isinstance(value, str):
        raise _not_text(variable)
    if variable.kind == "select" and value not in variable.options and value:
        raise invalid(f"{name} in input form must be one of the following: {list(variable.options)}")
    if variable.kind != "select" and variable.max_length and len(value) > variable.max_length:
        raise invalid(f"{name} in input form must be less than {variable.max_length} characters")
    return value.replace("\x00", "")


def _not_text(variable: Variable) -> Refusal:
    return invalid(f"(type '{variable.kind}') {variable.name} in input form must be a string")
