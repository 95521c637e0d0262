"""The pages on test cases and the code name the same titles."""

import re
from pathlib import Path

import pytest

from ragjudge.settings import load
from ragjudge.suite import json_reader
from ragjudge.suite.case import Case, Checks
from ragjudge.suite.columns import FIELDS, Columns

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["suite.md", "suite.ja.md"])
def test_every_title_stands_in_both_pages(page):
    """A title that the code knows can be looked up, and none is promised that it does not know."""
    rows = re.findall(r"^\| `([a-z_.]+)` \| (.*?) \| .+ \|$", (DOCS / page).read_text("utf-8"), re.MULTILINE)

    assert {field: tuple(titles.split(", ")) if titles else () for field, titles in rows} == dict(FIELDS)


@pytest.mark.parametrize("page", ["suite.md", "suite.ja.md"])
def test_the_pages_examples_work(page):
    """What people copy is read as it stands."""
    text = (DOCS / page).read_text("utf-8")
    (config,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    (suite,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)

    assert load(config).settings.app.inputs == {"Entity": "${entity}", "Category": "${category}"}
    assert not Columns(load(config).settings.columns).problems()
    assert json_reader.read(suite.encode(), page).cases


def test_every_field_of_a_case_can_be_written():
    """But for what the reader, `app.judge_turns` and stored results without texts add themselves."""
    own = {"fields", "source", "conversation", "digests"}

    assert set(Case.model_fields) - own == {field for field in FIELDS if "." not in field}
    assert {field.removeprefix("checks.") for field in FIELDS if field.startswith("checks.")} <= set(
        Checks.model_fields
    )
