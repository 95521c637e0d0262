"""What README and docs say about `mode: auto` is what the code does, event by event."""

import re
from pathlib import Path

import pytest

from ragjudge.errors import UsageFault
from ragjudge.github.activity import Mode, choose
from tests.unit.github.test_activity import seen
from tests.unit.github.test_context import pull_request

ROOT = Path(__file__).resolve().parents[2]
CHECK, UPDATE, NOTHING, FORK, REFUSED = "check", "update-baseline", "nothing", "tells for a fork", "refused"
CLOSED = {**pull_request(), "action": "closed"}
MERGED = {**pull_request(merged=True), "action": "closed"}

ROWS = [
    ([("pull_request", pull_request(), None)], {CHECK}, "checks"),
    ([("merge_group", {}, None)], {CHECK}, "checks without a comment"),
    ([("push", {}, "refs/heads/main")], {UPDATE}, "stores the new baseline"),
    ([("pull_request", MERGED, None), ("pull_request", CLOSED, None)], {UPDATE, NOTHING}, "the same; closed"),
    ([("schedule", {}, None), ("workflow_dispatch", {}, None)], {CHECK}, "checks; the report"),
    ([("pull_request", pull_request(head_repo="stranger/app"), None)], {CHECK}, "NOT JUDGED"),
    ([("workflow_run", {}, None)], {FORK}, "writes the comment for a fork's run"),
    ([("pull_request_target", pull_request(), None)], {REFUSED}, "refused"),
    ([("issues", {}, None), ("push", {}, "refs/heads/x"), ("release", {}, None)], {REFUSED}, "exit code 2"),
]
"""Per row of the table: the events it is about, what the code does on them, words that say so."""


def done(event, payload, ref):
    try:
        activity = choose(Mode.AUTO, seen(event, payload, ref or "refs/heads/main"))
    except UsageFault:
        return REFUSED
    if activity.nothing is not None:
        return NOTHING
    return FORK if activity.tells_for_fork else activity.mode.value


def rows(page):
    text = (ROOT / page).read_text("utf-8")
    table = re.search(r"\n\|(?:---\|)+\n((?:\|.*\n)+)", text)
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table[1].splitlines()]


@pytest.mark.parametrize("number", range(len(ROWS)))
def test_each_row_of_the_events_table_is_what_happens(number):
    """The page's words, the code's activity."""
    events, outcomes, words = ROWS[number]
    told = rows("docs/github.md")[number]

    assert {done(*event) for event in events} == outcomes
    assert words in told[1]
    for event, _, _ in events if number < len(ROWS) - 1 else []:
        assert f"`{event}`" in told[0]


def test_both_languages_have_the_same_rows():
    """The same events in the same order, and no row that nobody looks at."""
    codes = [
        [re.findall(r"`[a-z_]+`", row[0]) for row in rows(page)]
        for page in ("docs/github.md", "docs/github.ja.md")
    ]

    assert codes[0] == codes[1]
    assert len(codes[0]) == len(ROWS)


@pytest.mark.parametrize("page", ["README.md", "README.ja.md"])
def test_the_readme_names_every_event_with_a_default_once(page):
    """Its short form: which events check, which one updates."""
    text = (ROOT / page).read_text("utf-8")
    told = re.search(r"\n`mode: auto` [^\n]+\n(?:[^\n]+\n)*", text)[0]
    check_first = told.index("pull_request"), told.index("merge_group")
    update = told.index("push")
    check_last = told.index("schedule"), told.index("workflow_dispatch")

    assert max(check_first) < update < min(check_last)
    assert [done(event, {}, None) for event in ("merge_group", "push", "schedule", "workflow_dispatch")] == [
        CHECK,
        UPDATE,
        CHECK,
        CHECK,
    ]
    assert done("pull_request", pull_request(), None) == CHECK
