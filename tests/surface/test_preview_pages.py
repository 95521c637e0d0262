"""What the pages on previews show can be copied as it stands, in both languages."""

import re
from datetime import date
from pathlib import Path

import pytest
import yaml

from ragjudge.cli.dsl_push import command
from ragjudge.settings import load

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("preview.md", "preview.ja.md")


def blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_the_config_is_one_that_is_read(page):
    """No unknown key, preview switched on."""
    loaded = load(
        blocks(page, "yaml")[0], environ={"DIFY_BASE_URL": "https://d.example/v1"}, today=date(2026, 1, 1)
    )
    assert loaded.settings.dsl.preview is True


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_options_exist(page):
    """Every option that a page writes after `dsl push` is one of the command's."""
    text = "\n".join([*blocks(page, "bash"), *blocks(page, "yaml")])
    written = {
        option
        for line in text.splitlines()
        if "dsl push" in line
        for option in re.findall(r"--[a-z-]+", line)
    }
    known = {name for parameter in command.params for name in parameter.opts}
    assert written
    assert written <= known


def test_both_pages_show_the_same_workflows():
    """Comments are translated, steps are not."""
    first, second = (list(map(yaml.safe_load, blocks(page, "yaml"))) for page in PAGES)
    assert first == second
    for workflow in first[1:]:
        for job in workflow["jobs"].values():
            assert job["concurrency"]["cancel-in-progress"] is False
