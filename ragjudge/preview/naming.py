"""What preview apps are called, so that people see whose they are and a later run finds those left behind. Pure."""

import hashlib
import re
from dataclasses import dataclass

from ragjudge.dify.console.values import App

SEARCHED = "ragjudge"
"""Part of every preview app's name: what the console is asked to list."""
_TAG = re.compile(r" ?\[ragjudge ([0-9a-f]{12})-([0-9a-f]{8})\]$")
_DESCRIBED = "Temporary app of ragjudge"
_LONGEST_NAME = 100
_LONGEST_DESCRIPTION = 300


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose preview it is. Two runs with the same repository, number and part are never meant to run at once."""

    repository: str
    """`owner/name`, or any word for a run outside GitHub."""
    number: int | None = None
    """The pull request's."""
    part: str = ""
    """Tells apart the previews of one pull request, such as one per suite or DSL file."""
    commit: str = ""

    @property
    def label(self) -> str:
        return self.repository if self.number is None else f"PR {self.number}"

    @property
    def slot(self) -> str:
        """The same for every run of the same owner: what they leave behind is theirs to remove."""
        text = "\0".join((self.repository, str(self.number), self.part))
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Named:
    """A preview app's name and description."""

    name: str
    description: str


def named(owner: Owner, app_name: str, nonce: str) -> Named:
    """`nonce`: eight hexadecimal digits, fresh for each run."""
    tag = f" [ragjudge {owner.slot}-{nonce}]"
    plain = f"{owner.label}: {_TAG.sub('', _one_line(app_name))}"[: _LONGEST_NAME - len(tag)]
    number = "" if owner.number is None else f" PR {owner.number}"
    whose = f"{_one_line(owner.repository)}{number} {_one_line(owner.commit)[:12]}".strip()
    described = f"{_DESCRIBED} ({whose}). It is deleted after the run."
    return Named(plain + tag, described[:_LONGEST_DESCRIPTION])


def slot_of(app: App) -> str | None:
    """Whose preview an app is; None for an app that is nobody's: it must carry both our tag and our description."""
    found = _TAG.search(app.name)
    return found[1] if found and app.description.startswith(_DESCRIBED) else None


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
