"""Names of another revision are chosen as `glob` would choose files."""

import pytest

from ragjudge.assist.dsl_files import matches, named_by

NAMES = (
    "bot.yml",
    "dify/bot.yml",
    "dify/bot.yaml",
    "dify/.hidden.yml",
    "dify/.git/x.yml",
    "dify/a/b/c.yml",
    "dify/a[1].yml",
    "other/bot.yml",
)


@pytest.mark.parametrize(
    "pattern",
    ["*.yml", "dify/*.yml", "dify/**/*.yml", "**/*.yml", "**", "dify/**", "**/b/**/c.yml", "./dify/bot.y?ml",
     "dify/.*.yml", "dify/[ab]*.yml", "dify/a[[]1].yml", "*/bot.yml", "dify", "**/**/**/bot.yml", "", "gone/*"],
)  # fmt: skip
def test_a_pattern_means_the_same_for_names_as_for_files(tmp_path, pattern):
    """Held against the standard library on real files."""
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", "utf-8")

    assert named_by([pattern], NAMES) == tuple(sorted(set(matches(pattern, tmp_path))))


def test_a_hostile_pattern_takes_no_time():
    """Many `**` and stars over a deep name end at once."""
    assert named_by(["**/" * 200 + "*x"], ["a/" * 200 + "b"]) == ()
