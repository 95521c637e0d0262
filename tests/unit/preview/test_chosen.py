"""Which file is previewed, and with which secrets."""

import pytest

from ragjudge.errors import UsageFault
from ragjudge.preview.chosen import preview_of
from ragjudge.settings import DslSettings, Settings
from tests.preview_app import PR


def chosen(folder, *patterns, **environ):
    return preview_of(Settings(dsl=DslSettings(files=patterns)), PR, base_dir=folder, environ=environ)


def test_the_one_file_is_read_and_named_as_the_user_names_it(tmp_path):
    """The path in messages is relative; secrets come by their prefix, empty ones not at all."""
    (tmp_path / "dify").mkdir()
    (tmp_path / "dify" / "bot.yml").write_bytes(b"kind: app")
    found = chosen(tmp_path, "dify/*.yml", DIFY_ENV_CRM_TOKEN="s3cr3t", DIFY_ENV_EMPTY="", PATH="/bin")
    assert (found.file, found.content, found.owner) == ("dify/bot.yml", b"kind: app", PR)
    assert {name: value.get_secret_value() for name, value in found.secrets.items()} == {
        "CRM_TOKEN": "s3cr3t"
    }
    assert "s3cr3t" not in repr(found)


@pytest.mark.parametrize(
    ("patterns", "count"),
    [((), 0), (("no.yml",), 0), (("",), 0), (("/", "a\0b"), 0), (("*.yml", "a.yml"), 2)],
)
def test_none_or_many_is_said_with_the_count(tmp_path, patterns, count):
    """One app is judged per run."""
    (tmp_path / "a.yml").touch()
    (tmp_path / "b.yml").touch()
    with pytest.raises(UsageFault, match=f"gives {count}"):
        chosen(tmp_path, *patterns)
