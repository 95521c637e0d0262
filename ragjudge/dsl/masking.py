"""What looks like a key, by its name or by its own shape: never shown, whatever an export holds."""

import re

MASK = "•••"
_KEY_NAME = re.compile(
    r"(?i)(api[-_ ]?key|(?<!max_)token(?!s\b|izer)|password|passwd|secret|authorization|credential"
    r"|private[-_]?key)"
)
_KEY_SHAPE = (
    r"(?:sk-(?=[a-z_-]*[0-9])[a-z0-9_-]{16,}|app-[a-z0-9]{20,}|dataset-[a-z0-9]{20,}|gh[pousr]_[a-z0-9]{20,}|github_pat_\w{20,}"
    r"|xox[abprs]-[a-z0-9-]{10,}|akia[0-9a-z]{16}|aiza[0-9a-z_-]{30,}|eyj[a-z0-9_-]+\.[a-z0-9_-]+\.[a-z0-9_-]+)"
)
_KEY = re.compile(rf"(?i)(?<![a-z0-9_-]){_KEY_SHAPE}")
_GIVEN = re.compile(
    r"(?i)((?:api[-_]?key|token|password|passwd|secret|authorization|credential)[\w-]{0,40}[\"']?\s{0,4}[:=]\s{0,4}[\"']?)"
    r"((?:bearer|basic)\s{1,4})?(?!\{\{|bearer|basic)[^\s\"',;&]+"
)
"""Bounded repeats, so that no text makes it slow."""


def names_a_key(name: str) -> bool:
    """Whether a setting of this name holds something secret."""
    return bool(_KEY_NAME.search(name))


def holds_a_key(text: str) -> bool:
    """Whether something in the text has the shape of a known kind of key."""
    return bool(_KEY.search(text))


def masked(text: str) -> str:
    """The text without keys of known kinds, and without what stands behind a name such as `Authorization:`."""
    return _KEY.sub(MASK, _GIVEN.sub(lambda m: f"{m[1]}{m[2] or ''}{MASK}", text))
