"""A part of a suite: by id, by tag, the i-th of n shards, or the first few."""

import hashlib
from collections.abc import Collection

from ragjudge.errors import UsageFault
from ragjudge.language import Text
from ragjudge.settings.suggestions import nearest_few
from ragjudge.suite.case import Case, Suite
from ragjudge.suite.natural import by_id
from ragjudge.suite.values import plain_id

_MOST_NEAR = 3
_MOST_LISTED = 10
_LONGEST = 40


def select(
    suite: Suite,
    *,
    ids: Collection[str] = (),
    tags: Collection[str] = (),
    shard: tuple[int, int] | None = None,
    limit: int | None = None,
) -> Suite:
    """The cases that match an id (if any is given) and a tag (if any is given); then the shard; then the limit.

    Raises `UsageFault` for an unknown id or tag and where nothing to run is left: a run of nothing must not look like
    a success.
    """
    found = dealt(suite, ids=ids, tags=tags, shard=shard, limit=limit)
    if all(case.skip is not None for case in found.cases):
        raise UsageFault(_nothing_left(found.cases))
    return found


def dealt(
    suite: Suite,
    *,
    ids: Collection[str] = (),
    tags: Collection[str] = (),
    shard: tuple[int, int] | None = None,
    limit: int | None = None,
) -> Suite:
    """As `select`; a shard may be empty, as where there are more of them than cases.

    Shards `(1, n)` to `(n, n)` share no case and together hold all.
    """
    known = {case.id for case in suite.cases}
    ids = [plain if (plain := plain_id(one)) in known else one for one in ids]
    _check(suite, ids, tags, limit)
    cases = [
        c for c in suite.cases if (not ids or c.id in ids) and (not tags or not set(tags).isdisjoint(c.tags))
    ]
    if all(case.skip is not None for case in cases):
        raise UsageFault(_nothing_left(cases))
    if shard is not None:
        part, parts = shard
        mine = set(sorted({_talk(case) for case in cases}, key=_digest)[part - 1 :: parts])
        cases = [case for case in cases if _talk(case) in mine]
    if limit is not None:
        cases = cases[:limit]
    return suite.model_copy(update={"cases": tuple(cases), "part_of": suite.whole})


def _talk(case: Case) -> str:
    """Turns of one conversation go into one shard: elsewhere its questions would be asked a second time."""
    return case.conversation or case.id


def _digest(case_id: str) -> bytes:
    """Shards follow this order: the same cases are dealt out alike, however the files are sorted, and evenly."""
    return hashlib.sha256(case_id.encode("utf-8", "surrogatepass")).digest()


def _check(suite: Suite, ids: Collection[str], tags: Collection[str], limit: int | None) -> None:
    if limit is not None and limit < 1:
        raise UsageFault(
            Text(
                f"--limit must be 1 or more, not {limit}.",
                f"--limit には1以上を指定してください(現在の値: {limit})。",
            )
        )
    ids_known = by_id(case.id for case in suite.cases)
    tags_known = tuple(sorted({tag for case in suite.cases for tag in case.tags}))
    for option, wanted, known in (("--case", ids, ids_known), ("--tag", tags, tags_known)):
        unknown = [name for name in dict.fromkeys(wanted) if name not in known]
        if unknown:
            shown = ", ".join(map(_shown, unknown[:_MOST_NEAR]))
            raise UsageFault(
                Text(f"{option} {shown}: no case has it.", f"{option} {shown}: 該当するケースがありません。"),
                hint=_near(unknown, known),
            )


def _near(unknown: Collection[str], known: Collection[str]) -> Text:
    """What was meant, most likely; where nothing is like it, what there is."""
    guesses = dict.fromkeys(guess for name in unknown for guess in nearest_few(name, known, most=_MOST_NEAR))
    near = [_shown(guess) for guess in guesses][:_MOST_NEAR]
    if near:
        either = "one of " if len(near) > 1 else ""
        return Text(
            f"Did you mean {either}{', '.join(repr(name) for name in near)}?",
            f"{''.join(f'「{name}」' for name in near)}{'のいずれか' if either else ''}の間違いではありませんか。",
        )
    listed = [_shown(name) for name in known][:_MOST_LISTED]
    more = len(known) - len(listed)
    en, ja = (f" … and {more} more", f" ほか{more}件") if more else ("", "")
    return Text(
        f"There are: {', '.join(listed) or 'none'}{en}.", f"指定できる値: {'、'.join(listed) or 'なし'}{ja}"
    )


def _shown(name: str) -> str:
    """Short, and nothing that moves a terminal's cursor."""
    return "".join(letter if letter.isprintable() else "?" for letter in name[:_LONGEST])


def _nothing_left(cases: Collection[Case]) -> Text:
    if cases:
        return Text(
            "Every selected case is marked skip: nothing would be evaluated.",
            "選ばれたケースはすべて skip になっているため、評価するものがありません。",
        )
    return Text(
        "No case is left after --case, --tag, --shard and --limit: nothing would be evaluated.",
        "--case、--tag、--shard、--limit で絞り込んだ結果、評価するケースが残りません。",
    )
