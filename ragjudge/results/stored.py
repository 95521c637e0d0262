"""How records are kept in files: JSON with one case per line, the same bytes for the same record, and a version.

A file that cannot be read whole is refused with the cure; it is never taken for an empty one.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, NoReturn

from ragjudge.errors import DamagedFile, StoredFileFault
from ragjudge.language import Text
from ragjudge.results.run import CaseResult, Sample
from ragjudge.results.usage import Usage

Migration = Callable[[dict[str, Any]], dict[str, Any]]
"""Takes a whole document of one version to the next version."""

_OMITTED_WHEN: dict[str, Any] = {
    "usage": Usage().model_dump(mode="json"),
    "notes": [],
    "comments": {},
    "detail": "",
    "models": [],
    "node_usage": [],
    "failure": None,
    "answer": None,
}
"""Fields of a sample that are left out at their default: most are, and files stay a third of the size."""


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file. `migrations` maps each older version to the step that leaves it."""

    kind: str
    version: int
    migrations: Mapping[int, Migration]
    cure: Text
    """What to do when the file is damaged or from another time."""


def pack(form: Format, head: Mapping[str, Any], cases: Sequence[CaseResult]) -> bytes:
    """Each field of the head on its own line, then each case on its own: small diffs in Git."""
    lines = [f'"kind": {_line(form.kind)},', f'"schema_version": {form.version},']
    lines += [f"{_line(name)}: {_line(head[name])}," for name in sorted(head)]
    packed = ",\n".join(_line(_case(case)) for case in cases)
    text = "\n".join(["{", *lines, '"cases": [', packed, "]", "}", ""])
    return text.encode("utf-8", "replace")


def unpack(form: Format, data: bytes, *, place: str) -> dict[str, Any]:
    """The document at today's version, still plain JSON. `place` is how the user knows the file."""
    document = _parsed(form, data, place)
    if document.get("kind") != form.kind:
        refuse_damaged(form, place, _another_kind(form, document.get("kind")))
    version = document.get("schema_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        refuse_damaged(form, place, Text("schema_version is missing", "schema_version がありません"))
    if version > form.version:
        _refuse_newer(place, version, form.version)
    while version < form.version:
        step = form.migrations.get(version)
        if step is None:
            refuse_damaged(
                form,
                place,
                Text(f"schema_version {version} is not known", f"schema_version {version} は不明です"),
            )
        document = step(document)
        version += 1
    return {key: value for key, value in document.items() if key not in ("kind", "schema_version")}


def refuse_damaged(form: Format, place: str, why: str | Text) -> NoReturn:
    en, ja = (why.en, why.ja) if isinstance(why, Text) else (why, why)
    raise DamagedFile(
        Text(
            f"{place} cannot be read: {en}. It is damaged, or it is not a {form.kind} file.",
            f"{place} を読めません({ja})。ファイルが壊れているか、{form.kind} の形式ではありません。",
        ),
        hint=form.cure,
    )


def _refuse_newer(place: str, found: int, known: int) -> NoReturn:
    raise StoredFileFault(
        Text(
            f"{place} was written by a newer ragjudge (format {found}; this version knows up to {known}).",
            f"{place} は新しい版のragjudgeで書かれています(形式 {found}。この版が読めるのは {known} までです)。",
        ),
        hint=Text(
            "Update ragjudge here to that version first.",
            "先に、ここで使うragjudgeをその版に更新してください。",
        ),
    )


def _parsed(form: Format, data: bytes, place: str) -> dict[str, Any]:
    try:
        document = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        refuse_damaged(form, place, _not_json(error))
    if not isinstance(document, dict):
        refuse_damaged(form, place, Text("not a JSON object", "JSONのオブジェクトではありません"))
    return document


def _no_constant(name: str) -> NoReturn:
    message = f"{name} is not a JSON value"
    raise ValueError(message)


def _not_json(error: Exception) -> Text:
    said = " ".join(str(error).split())[:120]
    where = f"{error.lineno}行{error.colno}文字目" if isinstance(error, json.JSONDecodeError) else ""
    return Text(said, f"{where}: JSONとして読めません" if where else "JSONとして読めません")


def _another_kind(form: Format, kind: object) -> Text:
    return Text(f"kind is {kind!r}, not {form.kind!r}", f"kind が {form.kind!r} ではなく {kind!r} です")


def _case(result: CaseResult) -> dict[str, Any]:
    packed: dict[str, Any] = {
        "case": result.case.model_dump(mode="json", exclude_defaults=True),
        "samples": [_sample(s) for s in result.samples],
    }
    if result.confirmations:
        packed["confirmations"] = [_sample(s) for s in result.confirmations]
    return packed


def _sample(sample: Sample) -> Any:
    return _lean(sample.model_dump(mode="json"))


def _lean(value: Any) -> Any:
    """Without defaults that say nothing, and without NaN, which JSON does not have."""
    if isinstance(value, dict):
        return {
            key: _lean(item)
            for key, item in value.items()
            if not (key in _OMITTED_WHEN and item == _OMITTED_WHEN[key])
        }
    if isinstance(value, list):
        return [_lean(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)
