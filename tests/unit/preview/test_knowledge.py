"""Where an export names knowledge that it uses."""

import pytest

from ragjudge.preview.knowledge import named
from tests.preview_app import DATASET, GONE, agent_dsl, basic_dsl, dsl, loaded, with_agent_node


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (basic_dsl(), [DATASET]),
        (basic_dsl("completion"), [DATASET]),
        (agent_dsl(), [DATASET]),
        (agent_dsl(enabled=False), []),
        (with_agent_node(GONE), [GONE]),
        (dsl(dataset=DATASET), []),
    ],
)
def test_what_is_named_plainly_and_used(content, found):
    """Retrieval nodes may name theirs encrypted: those the server is asked for."""
    assert [dataset for _, dataset in named(loaded(content))] == found


def test_an_agent_that_is_switched_off_uses_nothing():
    """A plain chat app keeps the tools of an agent that it was once."""
    data = loaded(agent_dsl())
    data["model_config"]["agent_mode"]["enabled"] = False
    assert list(named(data)) == []


@pytest.mark.parametrize(
    "odd", [None, "x", 3, [], [None, 3], {"tools": {"dataset": "x"}}, {"dataset": {"id": ""}}]
)
def test_whatever_stands_there_is_read_without_a_crash(odd):
    """People edit exports by hand."""
    assert list(named({"model_config": {"agent_mode": odd, "dataset_configs": odd}})) == []
    assert list(named({"workflow": {"graph": {"nodes": [odd, {"data": odd}]}}})) == []


def test_a_value_that_looks_like_knowledge_elsewhere_is_none():
    """A conversation variable may hold any object."""
    variable = {"name": "x", "value": {"dataset": {"id": GONE}}}
    assert list(named({"workflow": {"conversation_variables": [variable]}})) == []
