"""From a task's Markdown file and its material to what a judge reads (pure, but for reading our own files).

A prompt file holds the instructions first (the system message: the same for every case, so that providers' prefix
caches hit) and, below a line `<!-- material -->`, the user message with places for the material, the most variable
last. Places: `{{name}}` is a field, fenced unless it is a number; `{{?name}} … {{/name}}` is kept only where the
field holds something.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from pydantic import JsonValue

from ragjudge.language import Language, Text
from ragjudge.metrics.costs import estimated_tokens
from ragjudge.metrics.fences import RENDERING, Fencer
from ragjudge.ports import JudgeTask, R

_SPLIT = "<!-- material -->"
_RULES = "material_rules"
_OPTIONAL = re.compile(r"^\{\{\?(\w+)\}\}\n(.*?)^\{\{/\1\}\}\n", re.MULTILINE | re.DOTALL)
_PLACE = re.compile(r"\{\{(\w+)\}\}")
_ENTRY = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, slots=True)
class _Template:
    system: str
    user: str
    digest: str


@cache
def _template(name: str, language: Language) -> _Template:
    folder = files("ragjudge.metrics").joinpath("prompts", language)
    text = folder.joinpath(f"{name}.md").read_text(encoding="utf-8")
    rules = folder.joinpath(f"{_RULES}.md").read_text(encoding="utf-8")
    system, _, user = text.partition(_SPLIT)
    digest = hashlib.sha256(f"{RENDERING}\0{text}\0{rules}".encode()).hexdigest()[:12]
    return _Template(f"{system.strip()}\n\n{rules.strip()}\n", user.strip() + "\n", digest)


def prompt_digest(name: str, language: Language) -> str:
    """Identity of everything but the material that a judge reads for a task: 12 hex digits."""
    return _template(name, language).digest


@dataclass(frozen=True, slots=True)
class Prompts:
    """Turns material into tasks, in one language. Give a `fencer` of your own only to repeat a prompt to the letter."""

    language: Language
    fencer: Fencer = field(default_factory=lambda: Fencer(secrets.token_bytes(32)))

    def task(
        self,
        name: str,
        reply: type[R],
        fields: Mapping[str, JsonValue],
        *,
        sample: str,
        check: Callable[[R], Text | None] | None = None,
        leads: bool = False,
    ) -> JudgeTask[R]:
        """One task for a judge; `name` and `fields` as in metrics.tasks, the rest as in JudgeTask."""
        template = _template(name, self.language)
        return JudgeTask(
            name=name,
            system=template.system,
            user=self._filled(template.user, fields),
            fields=fields,
            reply=reply,
            prompt_digest=template.digest,
            sample=sample,
            language=self.language,
            check=check,
            leads=leads,
        )

    def tokens(self, name: str) -> int:
        """Estimated tokens of a task's prompt without its material."""
        template = _template(name, self.language)
        return estimated_tokens(template.system) + estimated_tokens(template.user)

    def digest(self, *names: str) -> str:
        """One digest over the prompts of several tasks, for a metric's version."""
        joined = "\0".join(prompt_digest(name, self.language) for name in names)
        return hashlib.sha256(joined.encode()).hexdigest()[:8]

    def _filled(self, template: str, fields: Mapping[str, JsonValue]) -> str:
        kept = _OPTIONAL.sub(lambda part: part[2] if fields.get(part[1]) else "", template)
        return _PLACE.sub(lambda place: self._shown(place[1], fields[place[1]]), kept)

    def _shown(self, name: str, value: JsonValue) -> str:
        label = name.upper()
        if isinstance(value, (int, float)):
            return str(value)
        if isinstance(value, str):
            return self.fencer.fence(label, value)
        if not isinstance(value, list):
            raise TypeError(f"a prompt has no form for {name}: {type(value).__name__}")
        if name == "contexts":
            return "\n".join(
                self.fencer.fence(f"CONTEXT_{i}", str(item)) for i, item in enumerate(value, start=1)
            )
        return self.fencer.fence(label, "\n".join(f"[{i}] {_entry(item)}" for i, item in enumerate(value, 1)))


def _entry(item: JsonValue) -> str:
    """One line per entry, so that none can pass for its neighbour."""
    text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
    return _ENTRY.sub(" ", re.sub(r"[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", "\n", text)).strip()
