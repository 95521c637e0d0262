"""The action's inputs, as the runner hands them over."""

import pytest

from ragjudge.errors import ConfigFault
from ragjudge.github import inputs
from ragjudge.github.activity import Mode
from ragjudge.github.comment import CommentMode


def test_names_keep_their_hyphens_and_empty_means_unset():
    """`INPUT_DIFY-BASE-URL` is how GitHub spells it."""
    parsed = inputs.parse(
        {"INPUT_DIFY-BASE-URL": " https://d.example/v1 ", "INPUT_SUITE": "", "INPUT_MODE": " "}
    )

    assert parsed.values == {"dify-base-url": "https://d.example/v1"}
    assert (parsed.mode, parsed.comment, parsed.config, parsed.out) == (
        Mode.AUTO,
        CommentMode.UPDATE,
        "ragjudge.yml",
        ".ragjudge",
    )


def test_cases_come_by_line_or_by_comma():
    """As people write lists."""
    assert inputs.parse({"INPUT_CASES": "1, 2\n有休-3\n"}).cases == ("1", "2", "有休-3")


def test_every_wrong_input_is_named_at_once():
    """With what is allowed, and a guess for a misspelt name."""
    with pytest.raises(ConfigFault) as caught:
        inputs.parse(
            {
                "INPUT_MODE": "chek",
                "INPUT_FAIL-ON": "errors",
                "INPUT_COMMENT": "yes",
                "INPUT_OUT": "../out",
                "INPUT_CONFIG": "/etc/ragjudge.yml",
                "INPUT_DIFY-APIKEY": "x",
            }
        )

    text = caught.value.in_language("en")
    assert len(caught.value.problems) == 6
    for part in ("mode", "auto, check", "fail-on", "comment", "out of the workspace", "`dify-api-key`?"):
        assert part in text


def test_secrets_of_inputs_and_environment_are_found_for_masking():
    """Also those that a workflow passes by `env:`."""
    assert inputs.secret_values(
        {
            "INPUT_DIFY-API-KEY": "app-1",
            "OPENAI_API_KEY": "sk-2",
            "INPUT_SUITE": "a.json",
            "JUDGE_API_KEY": "",
        }
    ) == ("app-1", "sk-2")


def test_no_repr_shows_a_value():
    """A traceback must not leak a key."""
    assert "app-1" not in repr(inputs.parse({"INPUT_DIFY-API-KEY": "app-1"}))
