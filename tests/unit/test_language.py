"""Whatever a person reads is in one language."""

import errno
import os
import re

import pytest

from ragjudge.cli.main import run
from ragjudge.errors import UsageFault
from ragjudge.github import context
from ragjudge.language import why_not

ENGLISH = re.compile(r"[a-z]{3,} [a-z]{2,}")
"""Two English words in a row; paths and names of settings have none."""


@pytest.mark.parametrize(
    "code", [errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOTDIR, errno.ENOSPC, errno.EROFS]
)
def test_what_the_operating_system_says_is_said_in_japanese_too(code):
    """The usual reasons; a rare one stays as the system words it."""
    error = OSError(code, os.strerror(code))

    assert why_not(error).en == os.strerror(code)
    assert not any(letter.isascii() and letter.isalpha() for letter in why_not(error).ja)


def test_a_rare_reason_is_kept():
    """Better in English than unsaid."""
    assert "Bad fd" == why_not(OSError(77, "Bad fd")).ja
    assert "TimeoutError" == why_not(TimeoutError()).ja


def config(text):
    return lambda folder: (folder / "ragjudge.yml").write_text(
        f"suite: s.csv\njudge: offline\napp: http://127.0.0.1:9/v1\n{text}", "utf-8"
    )


def suite(text):
    def write(folder):
        config("")(folder)
        (folder / "s.csv").write_text(text, "utf-8")

    return write


STORED = '{"kind": "ragjudge/results", "schema_version": "x"}'


@pytest.mark.parametrize(
    ("arguments", "prepare"),
    [
        (["validate", "--config", "nowhere.yml"], lambda _: None),
        (["validate", "--config", "."], lambda _: None),
        (["validate", "--suite", "nowhere.json"], config("")),
        (["validate"], suite('id,question\n1,"offen\n')),
        (["validate"], suite('id,question\n1,"zu"x\n')),
        (["compare", "nowhere.json"], config("")),
        (["compare", "."], config("")),
        (["compare", "r.json"], lambda f: (config("")(f), (f / "r.json").write_text("{"))),
        (["compare", "r.json"], lambda f: (config("")(f), (f / "r.json").write_text("[]"))),
        (["compare", "r.json"], lambda f: (config("")(f), (f / "r.json").write_text('{"kind": "x"}'))),
        (["baseline", "show", "--baseline", "file:."], config("")),
        (["suite", "ids", "nowhere.csv"], config("")),
        (["suite", "import", "--batch-run", "nowhere.csv", "--write", "o.json"], config("")),
        (["dsl", "lint", "nowhere.yml"], config("")),
        (["dsl", "diff", "nowhere.yml", "other.yml"], config("")),
        (["calibrate", "nowhere.csv"], config("")),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_no_english_reason_stands_in_a_japanese_sentence(tmp_path, monkeypatch, capsys, arguments, prepare):
    """Files that are missing, folders, damaged tables and results."""
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path)

    assert run([*arguments, "--language", "ja"]) == 2
    said = capsys.readouterr()
    assert said.err
    assert ENGLISH.findall(re.sub(r"`[^`]*`", "", said.err + said.out)) == []


@pytest.mark.parametrize("text", ["", "[]", "{}", None])
def test_a_damaged_event_file_is_told_in_japanese(tmp_path, text):
    """GitHub's own file, which a self-hosted runner may lack."""
    path = tmp_path / "event.json"
    if text is not None:
        path.write_text(text)
    environ = {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_REPOSITORY": "o/a",
        "GITHUB_EVENT_PATH": str(path),
    }

    with pytest.raises(UsageFault) as caught:
        context.load(environ)

    assert ENGLISH.findall(caught.value.in_language("ja")) == []
