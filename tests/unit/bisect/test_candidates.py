"""The apps to try: what Dify would read, and what cannot stand alone."""

import copy

import pytest
import yaml

from ragjudge.bisect.candidates import MOST_CHANGES, candidates
from ragjudge.dsl.load import load
from ragjudge.errors import DslFault
from tests.dsl_exports import data_of, written

FILE = "dify/bot.yml"


def of(edit, kind="chatflow", base=None):
    base = base or data_of(kind)
    new = copy.deepcopy(base)
    edit(new)
    return candidates(written(base), written(new), FILE)


def nodes(data, kind):
    return [n["data"] for n in data["workflow"]["graph"]["nodes"] if n["data"].get("type") == kind]


def test_each_candidate_is_an_export_with_one_change():
    """Read back, each has its own; no two have one digest; the base is the base."""

    def edit(data):
        data["workflow"]["features"]["opening_statement"] = "x"
        nodes(data, "llm")[0]["title"] = "別名"

    found = of(edit)

    assert [one.name.ja for one in found.each] == ["ノード「別名」", "設定「会話の開始文」"]
    assert [one.changes[0].en.partition(": ")[0] for one in found.each] == [
        "Node “別名”",
        "Opening statement changed",
    ]
    assert len({found.base.digest, *(one.digest for one in found.each)}) == 3
    for one in found.each:
        assert load(one.content, FILE).mode == "advanced-chat"
        assert one.why_not is None
    assert yaml.safe_load(found.base.content) == yaml.safe_load(written(data_of("chatflow")))


def test_values_that_json_has_not_do_not_stop_it():
    """Dates, keys of another type and not-a-number in a file that a person wrote."""
    base = written(data_of("chatflow")).decode()
    odd = base.replace("workflow:\n", "workflow:\n  odd: {2024-01-01: 2024-01-02, 1: .nan, yes: on}\n", 1)
    assert odd != base

    found = candidates(base.encode(), odd.replace("年次", "年間").encode(), FILE)

    assert all(load(one.content, FILE) for one in (*found.each, found.base))


def test_a_fault_that_the_proposal_has_anyway_is_no_reason_not_to_try():
    """It dangles with every change of its node: the check itself asked it so."""

    def edit(data):
        llm = nodes(data, "llm")[0]
        llm["prompt_template"][0]["text"] += "{{#nowhere.text#}}"
        llm["title"] = "x"

    assert [one.why_not for one in of(edit).each] == [None]


@pytest.mark.parametrize("broken", [b"", b"a: b", b"<<<<<<< HEAD\n", b"\xff\xfe"])
def test_a_base_that_is_no_export_is_a_fault(broken):
    """The caller says that nothing could be tried."""
    with pytest.raises(DslFault):
        candidates(broken, written(data_of("chat")), FILE)


def test_all_beyond_a_dozen_changes_are_one_that_is_not_tried():
    """They are counted, so that nobody takes the rest for the whole."""

    def edit(data):
        for number in range(MOST_CHANGES + 5):
            variable = {"name": f"V{number}", "value": "x", "value_type": "string", "id": str(number)}
            data["workflow"]["environment_variables"].append(variable)

    found = of(edit)

    assert len(found.each) == MOST_CHANGES + 1
    assert (found.each[-1].name.en, found.each[-1].content) == ("5 more changes", b"")
    assert found.each[-1].why_not.ja == "変更が多いためです。"


def test_hostile_titles_come_through_as_text():
    """A node's title is data: nothing of it is read as markup or as a placeholder here."""
    title = "{count} <b>@all</b>\n::set-output::"

    def edit(data):
        nodes(data, "llm")[0]["title"] = title

    [one] = of(edit).each

    assert title in one.name.en
