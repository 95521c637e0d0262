"""The difference between two exports in changes that can be applied alone."""

import copy
from dataclasses import replace

import pytest
import yaml

from ragjudge.dsl import told
from ragjudge.dsl.changes import changes
from ragjudge.dsl.load import load
from ragjudge.dsl.parts import split
from tests.dsl_exports import data_of, dsl_of, edited, reexported, written


def names(difference):
    return [part.name.en for part in difference.parts]


def alone(difference, number=0):
    """What the diff tells of the base with one change, as read back from a file."""
    data = difference.with_parts([difference.parts[number]])
    return [change.text.en for change in changes(difference.base, load(written(data), "one.yml"))]


def test_each_changed_node_is_a_change_of_its_own():
    """Applied alone, the diff against the base tells that node's change and nothing else."""

    def edit(data):
        retrieval, llm = (_of_type(data, kind) for kind in ("knowledge-retrieval", "llm"))
        retrieval["multiple_retrieval_config"]["top_k"] = 1
        llm["title"] = "別名"

    found = split(*edited("chatflow", edit))

    assert len(found.parts) == 2
    told_alone = sorted(line for number in range(2) for line in alone(found, number))
    assert [line.partition(": ")[2] for line in told_alone] == [
        line.partition(": ")[2]
        for line in sorted(change.text.en for change in changes(*edited("chatflow", edit)))
    ]
    assert all(len(alone(found, number)) == 1 for number in range(2))


def _of_type(data, kind):
    return next(n["data"] for n in data["workflow"]["graph"]["nodes"] if n["data"].get("type") == kind)


def test_nothing_changed_has_no_parts():
    """Another layout, other ids and another order are no change, and no change applied is the base."""
    base = data_of("chatflow")
    found = split(dsl_of(base), dsl_of(reexported(base, 3)))

    assert found.parts == ()
    assert found.with_parts([]) == found.base.root


def test_an_inserted_node_is_one_change_with_its_wires():
    """The old wire goes and both new ones come in the same change."""
    base = data_of("workflow")
    new = copy.deepcopy(base)
    graph = new["workflow"]["graph"]
    cut = graph["edges"][0]
    graph["nodes"].append(
        {
            "id": "777",
            "type": "custom",
            "data": {"type": "template-transform", "title": "整形", "template": "x", "variables": []},
            "position": {"x": 0, "y": 0},
        }
    )
    graph["edges"].append({**cut, "id": "b", "source": "777", "sourceHandle": "source"})
    graph["edges"][0] = {**cut, "id": "a", "target": "777"}

    found = split(dsl_of(base), dsl_of(new))

    assert names(found) == ["new node “整形”"]
    assert found.broken_with(found.parts) is None
    [whole] = found.parts
    torn = [replace(whole, pieces=tuple(p for p in whole.pieces if p is not gone)) for gone in whole.pieces]
    assert any(found.broken_with([part]) is not None for part in torn)
    assert alone(found) == [change.text.en for change in changes(dsl_of(base), dsl_of(new))]


def test_a_node_and_who_reads_it_are_one_change():
    """A prompt that reads a new variable of the form cannot be tried without the form."""

    def edit(data):
        start, llm = (_of_type(data, kind) for kind in ("start", "llm"))
        field = {"variable": "tone", "type": "text-input", "label": "tone", "required": False}
        start["variables"] = [*start["variables"], field]
        start_id = next(
            n["id"] for n in data["workflow"]["graph"]["nodes"] if n["data"].get("type") == "start"
        )
        llm["prompt_template"][0]["text"] += f"\n{{{{#{start_id}.tone#}}}}"

    found = split(*edited("chatflow", edit))

    assert len(found.parts) == 1
    assert {piece.name.en.split()[0] for piece in found.parts[0].pieces} == {"node"}
    assert len(found.parts[0].pieces) == 2


def test_a_new_variable_and_its_reader_are_one_change():
    """An environment variable alone does nothing; its reader alone would dangle."""

    def edit(data):
        data["workflow"]["environment_variables"].append(
            {"id": "v", "name": "TONE", "value": "kind", "value_type": "string", "selector": ["env", "TONE"]}
        )
        _of_type(data, "llm")["prompt_template"][0]["text"] += "\n{{#env.TONE#}}"
        data["workflow"]["features"]["opening_statement"] = "やあ"

    found = split(*edited("chatflow", edit))

    assert len(found.parts) == 2
    assert [part.has_node for part in found.parts] == [True, False]
    assert names(found)[1] == "setting “Opening statement”"


def test_ids_that_are_all_new_are_the_bases_in_a_change_alone():
    """A node taken over from a re-export still reads from the base's nodes."""
    base = data_of("chatflow")
    edited_one = copy.deepcopy(base)
    _of_type(edited_one, "llm")["model"]["completion_params"]["temperature"] = 0.9
    _of_type(edited_one, "knowledge-retrieval")["multiple_retrieval_config"]["top_k"] = 9
    new = reexported(edited_one, 11)

    found = split(dsl_of(base), dsl_of(new))

    assert len(found.parts) == 2
    assert all(found.broken_with([part]) is None for part in found.parts)
    assert all(len(alone(found, number)) == 1 for number in range(2))


def test_parts_of_a_basic_app_are_its_settings():
    """Prompt and form are one change, the model another, datasets a third."""

    def edit(data):
        config = data["model_config"]
        config["pre_prompt"] = "短く答える。"
        config["user_input_form"] = [{"text-input": {"variable": "who", "label": "who", "required": False}}]
        config["model"]["name"] = "other"
        config["dataset_configs"] = {**config.get("dataset_configs", {}), "top_k": 1}

    found = split(*edited("chat", edit))

    assert len(found.parts) == 3
    assert {name.partition(" ")[0] for name in names(found)} == {"setting"}


def test_another_kind_of_app_is_one_change():
    """Nothing of it can stand alone; applied it is the proposal."""
    base, proposed = dsl_of(data_of("chat")), dsl_of(data_of("chatflow"))
    found = split(base, proposed)

    assert names(found) == ["kind of app"]
    done = load(written(found.with_parts(found.parts)), "all.yml")
    assert not told.semantic(changes(proposed, done))


def test_a_branch_that_leads_elsewhere_is_a_change_without_nodes():
    """Rewiring one exit: one change, with the wire in its name."""
    base = data_of("chatflow")
    new = copy.deepcopy(base)
    edges = new["workflow"]["graph"]["edges"]
    branching = next(e for e in edges if e.get("sourceHandle") not in ("source", None))
    other = next(e for e in edges if e["source"] == branching["source"] and e is not branching)
    branching["target"], other["target"] = other["target"], branching["target"]

    found = split(dsl_of(base), dsl_of(new))

    assert 1 <= len(found.parts) <= 2
    assert all(name.startswith("wire “") for name in names(found))


def test_plugins_of_both_sides_stay_as_long_as_something_of_the_base_does():
    """A node of the base still needs its plugin."""
    base = data_of("chatflow")
    new = copy.deepcopy(base)
    new["dependencies"] = new["dependencies"][:1]
    _of_type(new, "llm")["title"] = "a"
    _of_type(new, "knowledge-retrieval")["title"] = "b"
    found = split(dsl_of(base), dsl_of(new))

    assert len(found.with_parts(found.parts[:1])["dependencies"]) == len(base["dependencies"])
    assert len(found.with_parts(found.parts)["dependencies"]) == 1


@pytest.mark.parametrize(
    "broken",
    [
        {"nodes": 3},
        {"nodes": [{"id": "1", "type": ["custom"]}, {"id": [], "type": {}}]},
        {"nodes": [None, 4, {"data": 5}], "edges": ["x", None]},
        {},
    ],
)
def test_broken_graphs_do_not_break_the_splitting(broken):
    """A file that a person damaged ends in parts or in none, never in a crash."""
    base = data_of("chatflow")
    new = copy.deepcopy(base)
    new["workflow"]["graph"] = broken
    for one, other in ((base, new), (new, base), (new, new)):
        found = split(dsl_of(one), dsl_of(other))
        for part in found.parts:
            yaml.safe_dump(found.with_parts([part]))
            found.broken_with([part])


def test_the_base_is_never_changed_by_applying():
    """Each change is applied to a copy."""
    base = dsl_of(data_of("chatflow"))
    new = data_of("chatflow")
    _of_type(new, "llm")["title"] = "a"
    before = copy.deepcopy(base.root)
    found = split(base, dsl_of(new))
    found.with_parts(found.parts)["workflow"]["graph"]["nodes"].clear()

    assert base.root == before
    assert replace(found).with_parts([]) == before
