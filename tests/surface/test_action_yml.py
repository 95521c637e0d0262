"""action.yml, its types, the code and the READMEs say the same."""

import re
from pathlib import Path

import pytest
import yaml

from ragjudge.github import inputs
from ragjudge.settings import sources

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
TYPES = yaml.safe_load((ROOT / "action-types.yml").read_text("utf-8"))
OUTPUTS = [
    "verdict",
    "exit-reason",
    "regressed-cases",
    "cases-total",
    "cases-unscored",
    "means",
    "report-path",
    "results-path",
    "comment-url",
    "baseline-updated",
]


def test_inputs_of_action_yml_are_those_of_the_code_in_order():
    """An input that the code does not read, or the other way round, can't slip in."""
    assert list(inputs.NAMES) == list(ACTION["inputs"])


def test_inputs_that_are_settings_exist():
    """What settings read by name is an input of the action."""
    assert set(sources.INPUTS) <= set(inputs.NAMES)


def test_outputs_are_those_of_the_design():
    """Workflows depend on them."""
    assert OUTPUTS == list(ACTION["outputs"])


def test_each_has_one_line_of_description_and_inputs_a_default():
    """`required: true` is not enforced by the runner, so that nothing pretends to be."""
    for name, described in ACTION["inputs"].items():
        assert described["description"].strip(), name
        assert "\n" not in described["description"].strip(), name
        assert "default" in described, name
        assert "required" not in described, name
    assert all(described["description"].strip() for described in ACTION["outputs"].values())


@pytest.mark.parametrize("part", ["inputs", "outputs"])
def test_types_are_given_for_all(part):
    """action-types.yml has the same names in the same order."""
    assert list(ACTION[part]) == list(TYPES[part])


def test_allowed_values_are_those_of_the_code():
    """Enums in both places."""
    assert [m.value for m in inputs.Mode] == TYPES["inputs"]["mode"]["allowed-values"]
    assert [m.value for m in inputs.FailOn] == TYPES["inputs"]["fail-on"]["allowed-values"]
    assert [m.value for m in inputs.CommentMode] == TYPES["inputs"]["comment"]["allowed-values"]


def test_secrets_have_no_default_but_githubs_own_token():
    """A key never stands in a file."""
    for name in inputs.SECRETS:
        expected = "${{ github.token }}" if name == "github-token" else ""
        assert expected == ACTION["inputs"][name]["default"]


def rows(page):
    return re.findall(r"(?m)^\| `([a-z-]+)` \|", (ROOT / page).read_text("utf-8"))


@pytest.mark.parametrize("page", ["docs/github.md", "docs/github.ja.md"])
def test_the_pages_tables_name_every_input_and_output_in_order(page):
    """So that a new one is noticed in review."""
    found = rows(page)

    assert list(inputs.NAMES) == [name for name in found if name in ACTION["inputs"]]
    assert set(OUTPUTS) <= set(found)


@pytest.mark.parametrize("page", sorted(path.name for path in ROOT.glob("README*.md")))
def test_the_readmes_mention_no_input_that_does_not_exist(page):
    """In workflow snippets: what stands under `with:` is an input."""
    text = (ROOT / page).read_text("utf-8")
    used = re.findall(r"(?m)^\s{6,}([a-z]+(?:-[a-z]+)+): ", text) + re.findall(
        r"[{,] ?([a-z]+-[a-z-]+): \"", text
    )

    assert used
    assert set(used) <= {*inputs.NAMES, "runs-on", "pull-requests", "timeout-minutes", "persist-credentials"}
