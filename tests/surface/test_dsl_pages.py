"""What docs/dsl.md says of the rules is what the check does."""

import re
from pathlib import Path

import pytest

from ragjudge.dsl.findings import DEFAULT_SEVERITY
from ragjudge.dsl.load import MAX_BYTES
from ragjudge.settings.yaml_tree import MAX_DEPTH

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["dsl.md", "dsl.ja.md"])
def test_every_rule_stands_on_the_page_with_its_default(page):
    """The table names each rule once, with the severity that it has without any config."""
    found = re.findall(r"^\| `(\w+)` \| (\w+) \|", (DOCS / page).read_text("utf-8"), re.MULTILINE)

    assert len(found) == len(DEFAULT_SEVERITY)
    assert dict(found) == {rule.value: level.value for rule, level in DEFAULT_SEVERITY.items()}


@pytest.mark.parametrize("page", ["dsl.md", "dsl.ja.md"])
def test_the_limits_on_the_page_are_the_limits(page):
    """Size and nesting, as the loader has them."""
    text = (DOCS / page).read_text("utf-8")
    assert f"{MAX_BYTES // 1_000_000} MB" in text
    assert re.search(rf"\b{MAX_DEPTH} ?(levels|段)", text)
