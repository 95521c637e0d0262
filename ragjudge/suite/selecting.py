"""A part of a suite: by id, by tag, the i-th of n shards, or the first few."""

import hashlib
from collections.abc import Collection

from ragjudge.errors import UsageFault
from ragjudge.language import Text
from ragjudge.settings.suggestions import nearest
from ragjudge.suite.case import Case, Suite


def select(
    suite: Suite,
    *,
    ids: Collection[str] = (),
    tags: Collection[str] = (),
    shard: tuple[int, int] | None = None,
    limit: int | None = None,
) -> Suite:
    """The cases that match an id (if any is given) and a tag (if any is given); then the shard; then the limit.

    Shards `(1, n)` to `(n, n)` share no case and together hold all. Raises `UsageFault` for an unknown id or tag and
    where nothing to run is left: a run of nothing must not look like a success.
    """
    _check(suite, ids, tags, limit)
    cases = [
        c for c in suite.cases if (not ids or c.id in ids) and (not tags or not set(tags).isdisjoint(c.tags))
    ]
    if shard is not None:
        part, parts = shard
        mine = {case.id for case in sorted(cases, key=lambda case: _digest(case.id))[part - 1 :: parts]}
        cases = [case for case in cases if case.id in mine]
    if limit is not None:
        cases = cases[:limit]
    if all(case.skip is not None for case in cases):
        raise UsageFault(_nothing_left(cases))
    return suite.model_copy(update={"cases": tuple(cases)})


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
    for option, wanted, known in (
        ("--case", ids, [case.id for case in suite.cases]),
        ("--tag", tags, sorted({tag for case in suite.cases for tag in case.tags})),
    ):
        for name in wanted:
            if name not in known:
                raise UsageFault(
                    Text(
                        f"{option} {name}: no case has it.", f"{option} {name}: 該当するケースがありません。"
                    ),
                    hint=_guess(name, known),
                )


def _guess(name: str, known: Collection[str]) -> Text | None:
    guess = nearest(name, known)
    return (
        None if guess is None else Text(f"Did you mean {guess!r}?", f"「{guess}」の間違いではありませんか。")
    )


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
