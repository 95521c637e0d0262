from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ragjudge.cli import options
from ragjudge.cli.options import Chosen, Shard
from ragjudge.errors import UsageFault


@pytest.fixture
def chosen():
    """Parse arguments with every shared option."""
    found = []

    @click.command()
    @options.basic
    @options.cases
    @options.judging
    @options.out
    @options.baseline
    @options.resuming
    def command(**params: object) -> None:
        found.append(options.chosen(params))

    def parse(*arguments: str) -> Chosen:
        result = CliRunner().invoke(command, arguments, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return found.pop()

    return parse


def test_nothing_given_chooses_nothing(chosen):
    """Every setting stays with config and defaults."""
    assert chosen() == Chosen()


def test_flags_become_settings_and_selections(chosen):
    """Settings by dotted path, the rest as selections."""
    found = chosen(
        "--config", "x.yml", "--suite", "a", "--suite", "b", "--case", "1", "--tag", "t", "--shard", "2/3", "--limit", "4",
        "--judge", "offline", "--judge-model", "m", "--base-url", "https://d.example/v1", "--concurrency", "5",
        "--repeats", "2", "--out", "o", "--baseline", "file:b", "--language", "en", "-v", "--quiet", "--resume",
    )  # fmt: skip

    assert found == Chosen(
        config=Path("x.yml"),
        language="en",
        verbose=True,
        quiet=True,
        cases=("1",),
        tags=("t",),
        shard=Shard(2, 3),
        limit=4,
        out=Path("o"),
        resume=True,
        flags={
            "suite": ("a", "b"),
            "judge.provider": "offline",
            "judge.model": "m",
            "app.base_url": "https://d.example/v1",
            "report.language": "en",
            "app.concurrency": 5,
            "repeats": 2,
            "baseline.store": "file:b",
        },
    )


def test_resume_fresh_and_neither_differ(chosen):
    """The user may leave it to the run."""
    assert [chosen(*a).resume for a in (["--resume"], ["--fresh"], [])] == [True, False, None]


@pytest.mark.parametrize("text", ["3/2", "0/2", "2", "a/b", "1/", "/2", "-1/2", "1/2/3", "１/２", ""])
def test_a_shard_that_makes_no_sense_is_refused(text):
    """With how it should look."""
    with pytest.raises(UsageFault) as caught:
        options.parse_shard(text)

    assert "2/5" in caught.value.in_language("ja")
