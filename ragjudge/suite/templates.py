"""`app.inputs` templates: the app's variables filled from each case's own columns.

`${entity}` takes the column `entity`; `${id}`, `${category}`, `${tags}` and `${question}` work as well; `$${` writes
`${` itself. What a case says in its own `inputs` wins.
"""

import json
import re
from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from ragjudge.errors import Problem, SuiteFault
from ragjudge.language import Text
from ragjudge.settings.suggestions import did_you_mean
from ragjudge.suite.case import Case
from ragjudge.suite.columns import Columns, normal_title
from ragjudge.suite.loading import place_of

_NAME = re.compile(r"\$\$\{|\$\{([^{}]*)\}")
_SHOWN = 3
_OWN = ("id", "category", "tags", "question")


class _Unknown(Exception):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def render_inputs(templates: Mapping[str, JsonValue], case: Case) -> dict[str, JsonValue]:
    """The inputs that are sent for a case. Raises `SuiteFault` for a name that the case does not have."""
    found = _problems(templates, case)
    if found:
        raise SuiteFault([problem for _, problem in found])
    names = _names(case)
    rendered = {key: _rendered(value, names) for key, value in templates.items() if key not in case.inputs}
    return rendered | case.inputs


def names_used(templates: Mapping[str, JsonValue]) -> frozenset[str]:
    """Every `${name}` in the templates."""
    written = json.dumps(templates, ensure_ascii=False)
    return frozenset(name[1] for name in _NAME.finditer(written) if name[1] is not None)


def template_problems(templates: Mapping[str, JsonValue], cases: Iterable[Case]) -> list[Problem]:
    """Every name in the templates that a case cannot fill, before anything is asked.

    The same fault in many cases is shown for the first ones and counted for the rest.
    """
    found: dict[Text, list[Problem]] = {}
    for case in cases:
        for kind, problem in _problems(templates, case):
            found.setdefault(kind, []).append(problem)
    listed = []
    for kind, problems in found.items():
        listed += problems[:_SHOWN]
        more = len(problems) - _SHOWN
        if more > 0:
            listed.append(
                Problem(Text(f"{kind.en}: {more} more cases.", f"{kind.ja}: ほかに{more}件のケース。"))
            )
    return listed


def _problems(templates: Mapping[str, JsonValue], case: Case) -> list[tuple[Text, Problem]]:
    """Each problem with its kind, which is the same for all cases."""
    if not templates:
        return []
    names = _names(case)
    found = []
    for key, value in templates.items():
        if key in case.inputs:
            continue
        try:
            _rendered(value, names)
        except _Unknown as unknown:
            kind = Text(f"app.inputs.{key}: ${{{unknown.name}}}", f"app.inputs.{key}: ${{{unknown.name}}}")
            found.append((kind, _unknown(key, unknown.name, case)))
    return found


def _unknown(key: str, name: str, case: Case) -> Problem:
    known = [*case.fields, *_OWN]
    return Problem(
        Text(
            f"app.inputs.{key} uses ${{{name}}}, but case {case.id} has no column {name!r}.",
            f"app.inputs.{key} で使われている ${{{name}}} に対応する列が、ケース {case.id} にありません。",
        ),
        place_of(case.source),
        did_you_mean(name, known),
    )


def _names(case: Case) -> dict[str, str]:
    """Values by normalized name: the team's columns, then what every case has."""
    own = {
        "id": case.id,
        "category": case.category or "",
        "tags": ", ".join(case.tags),
        "question": case.question,
    }
    return own | {normal_title(title): value for title, value in case.fields.items()}


_TITLES = Columns()


def _value(name: str, names: Mapping[str, str]) -> str:
    normal = normal_title(name)
    if normal in names:
        return names[normal]
    field = _TITLES.field(name)
    if field in _OWN and field is not None:
        return names[field]
    raise _Unknown(name)


def _rendered(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    match value:
        case str():
            return _NAME.sub(lambda m: "${" if m[1] is None else _value(m[1], names), value)
        case list():
            return [_rendered(item, names) for item in value]
        case dict():
            return {key: _rendered(item, names) for key, item in value.items()}
        case _:
            return value
