"""Which parameter goes after which refusal."""

from dataclasses import replace

import pytest

from ragjudge.judge.dialect import Dialect, Request, body
from ragjudge.judge.reply_schema import json_schema
from ragjudge.metrics.tasks import Claims, Grade, Preference, Proposals

FULL = Dialect()


@pytest.mark.parametrize(
    ("param", "message", "other"),
    [
        ("temperature", "Unsupported value", replace(FULL, temperature=False)),
        ("", "`temperature` is not supported with this model", replace(FULL, temperature=False)),
        ("max_tokens", "Use 'max_completion_tokens' instead.", replace(FULL, limit="max_completion_tokens")),
        (
            "max_tokens",
            "max_tokens is too large: 4096. This model supports at most 2048",
            replace(FULL, limit="none"),
        ),
        ("response_format", "Invalid parameter", replace(FULL, response_format="json_object")),
        ("", "'json_schema' is not supported", replace(FULL, response_format="json_object")),
        ("", "Invalid schema for response_format", replace(FULL, response_format="json_object")),
        ("", "System role not supported", replace(FULL, system_role=False)),
        ("", "Unknown field system role. Use temperature, max_tokens", replace(FULL, system_role=False)),
        (
            "",
            "temperature: extra fields not permitted (response_format is)",
            replace(FULL, temperature=False),
        ),
        ("", "something else entirely", None),
    ],
)
def test_a_refusal_that_names_a_parameter_changes_that_one(param, message, other):
    """Everything else stays as good as it was."""
    assert other == FULL.without_what_was_refused(param=param, message=message)


def test_wordless_refusals_lead_to_the_plainest_dialect_and_end():
    """Each step takes something away; the last one has nothing to give."""
    dialect, steps = FULL, 0
    while (plainer := dialect.plainer()) is not None:
        dialect, steps = plainer, steps + 1

    assert Dialect("plain", temperature=False, limit="none", system_role=False) == dialect
    assert 5 == steps


def test_a_repair_follows_the_conversation():
    """The bad reply is the assistant's, the request the user's."""
    request = Request("x", "system", "user", Grade, ("bad", "again"))

    roles = [message["role"] for message in body(request, FULL, "m")["messages"]]

    assert ["system", "user", "assistant", "user"] == roles


@pytest.mark.parametrize("reply", [Grade, Claims, Preference, Proposals])
def test_schemas_keep_to_what_strict_mode_allows(reply):
    """No references, no ranges; every property required and none more; in the order of the fields."""

    def walk(schema):
        assert set(schema) <= {
            "type",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "enum",
            "anyOf",
        }
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            assert list(schema["properties"]) == schema["required"]
        for inner in [
            *schema.get("properties", {}).values(),
            *([schema["items"]] if "items" in schema else []),
        ]:
            walk(inner)

    walk(json_schema(reply))
    assert list(reply.model_fields) == list(json_schema(reply)["properties"])
