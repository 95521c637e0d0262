"""A config that nobody here can mend: what can be read of it counts, and what decides is the default."""

import pytest

from ragjudge.settings import GateSettings
from ragjudge.settings.loading import salvage

GOOD = """app: https://base.example/v1
judge: {model: m, base_url: https://judge.example}
gate: {minimum: {correctness: 1}, tolerance: {correctness: 4}}
accept: [{case: 1, reason: old, until: 2026-12-31}]
"""


def salvaged(text, **inputs):
    loaded, problems = salvage(text, path="ragjudge.yml", environ={}, inputs=inputs)
    return loaded.settings, problems


def test_a_config_in_order_is_loaded_as_it_is():
    """No problem, nothing left out."""
    settings, problems = salvaged(GOOD)

    assert problems == ()
    assert settings.gate.minimum == {"correctness": 1}
    assert len(settings.accept) == 1


@pytest.mark.parametrize(
    "broken",
    [
        "gates: {x: 1}",
        "repeats: many",
        "metrics: {use: [nonsense]}",
        "baseline: {repeats: 0}",
        "embedding: {base_url: not-an-address}",
    ],
)
def test_with_anything_wrong_the_gate_is_the_default_and_addresses_stay(broken):
    """Half of a rule is another rule; an address that reads well is one that was reviewed."""
    settings, problems = salvaged(GOOD + broken)

    assert settings.gate == GateSettings()
    assert settings.accept == ()
    assert settings.app.base_url == "https://base.example/v1"
    assert settings.judge.base_url == "https://judge.example"
    assert settings.embedding.base_url is None
    assert [problem.place.line for problem in problems if problem.place] == [5]


@pytest.mark.parametrize("text", ["app: [", "- 1", "a: 1\na: 2", "\x00", "x" * 2_000_000])
def test_of_what_can_not_be_parsed_the_workflows_part_is_left(text):
    """Addresses of the action's inputs, and defaults."""
    settings, problems = salvaged(text, **{"dify-base-url": "https://workflow.example/v1"})

    assert settings.app.base_url == "https://workflow.example/v1"
    assert settings.gate == GateSettings()
    assert len(problems) > 0


def test_a_wrong_address_is_none():
    """Nothing is sent to half an address."""
    settings, _ = salvaged("app: {base_url: ftp://x}\njudge: {model: m, base_url: 'https://u:p@h/'}")

    assert (settings.app.base_url, settings.judge.base_url) == ("", None)
