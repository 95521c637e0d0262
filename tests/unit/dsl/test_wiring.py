"""Where an exit leads now: told whatever came or went at the same time, with the exit's name."""

import copy

import pytest

from ragjudge.dsl import told
from ragjudge.dsl.changes import changes
from ragjudge.dsl.parts import split
from ragjudge.language import Text
from tests.dsl_exports import data_of, dsl_of, reexported

IF = {"type": "if-else", "title": "IF", "cases": [{"case_id": "true", "conditions": []}, {"case_id": "c-2"}]}
ASK = {"type": "http-request", "title": "Ask", "error_strategy": "fail-branch"}
SORT = {"type": "question-classifier", "title": "Sort", "classes": [{"id": "1", "name": "経費"}, {"id": "2"}]}
ENDS = {name: {"type": "answer", "title": name.upper(), "answer": name} for name in "abc"}
NEW = {name: {"type": "template-transform", "title": name.upper(), "template": name} for name in "nmx"}


def app(branching, *wires, spare=""):
    """A chatflow of one branching node, three ends, and the `spare` nodes; `a-true-b` is a wire."""
    data = data_of("chatflow")
    nodes = {"s": {"type": "start", "title": "Start"}, "if": branching, **ENDS, **{n: NEW[n] for n in spare}}
    graph = data["workflow"]["graph"]
    graph["nodes"] = [{"id": i, "type": "custom", "data": copy.deepcopy(d)} for i, d in nodes.items()]
    graph["edges"] = [
        dict(zip(("source", "sourceHandle", "target"), wire.split(":"), strict=True))
        for wire in ("s:source:if", *wires)
    ]
    return data


STRAIGHT = ("if:true:a", "if:false:b")
CASES = {
    "reversed, through an added node each": (
        app(IF, *STRAIGHT),
        app(IF, "if:true:n", "n:source:b", "if:false:m", "m:source:a", spare="nm"),
        [
            "Node “N” (template-transform) added",
            "Node “M” (template-transform) added",
            "Wire of “IF” (branch 1) leads to “B” through “N” instead of “A”",
            "Wire of “IF” (else) leads to “A” through “M” instead of “B”",
        ],
    ),
    "an exit loses its way to a node that another exit reaches": (
        app(IF, *STRAIGHT),
        app(IF, "if:false:n", "n:source:a", spare="n"),
        [
            "Node “N” (template-transform) added",
            "Wire removed: “IF” (branch 1) → “A”",
            "Wire of “IF” (else) leads to “A” through “N” instead of “B”",
        ],
    ),
    "a removed node's way is taken over by another exit": (
        app(IF, "if:true:x", "x:source:b", "if:false:c", spare="x"),
        app(IF, "if:false:b"),
        [
            "Node “X” (template-transform) removed",
            "Wire of “IF” (branch 1) leads to nothing instead of “B” through “X”",
            "Wire of “IF” (else) leads to “B” instead of “C”",
        ],
    ),
    "an added node that nothing follows": (
        app(IF, *STRAIGHT),
        app(IF, "if:true:n", "if:false:b", spare="n"),
        [
            "Node “N” (template-transform) added",
            "Wire of “IF” (branch 1) leads to “N” instead of “A”",
        ],
    ),
    "added nodes in a row": (
        app(IF, *STRAIGHT),
        app(IF, "if:true:n", "n:source:m", "m:source:a", "if:false:b", spare="nm"),
        ["Node “N” (template-transform) added", "Node “M” (template-transform) added"],
    ),
    "a node replaced in its place": (
        app(IF, "if:true:x", "x:source:a", "if:false:b", spare="x"),
        app({**IF}, "if:true:a", "if:false:b"),
        ["Node “X” (template-transform) removed"],
    ),
    "both exits swapped": (
        app(IF, *STRAIGHT),
        app(IF, "if:true:b", "if:false:a"),
        [
            "Wire of “IF” (branch 1) leads to “B” instead of “A”",
            "Wire of “IF” (else) leads to “A” instead of “B”",
        ],
    ),
    "a further branch": (
        app(IF, *STRAIGHT),
        app(IF, *STRAIGHT, "if:c-2:c"),
        ["Wire added: “IF” (branch 2) → “C”"],
    ),
    "success becomes failure": (
        app(ASK, "if:success-branch:a"),
        app(ASK, "if:fail-branch:a"),
        ["Wire removed: “Ask” (on success) → “A”", "Wire added: “Ask” (on error) → “A”"],
    ),
    "the plain exit beside that for errors": (
        app(ASK, "if:source:a", "if:fail-branch:b"),
        app(ASK, "if:source:c", "if:fail-branch:b"),
        ["Wire of “Ask” (on success) leads to “C” instead of “A”"],
    ),
    "a class, by its name or its number": (
        app(SORT, "if:1:a", "if:2:b"),
        app(SORT, "if:1:b", "if:2:c"),
        [
            "Wire of “Sort” (class “経費”) leads to “B” instead of “A”",
            "Wire of “Sort” (class 2) leads to “C” instead of “B”",
        ],
    ),
    "an exit that ragjudge does not know": (
        app({"type": "human-input", "title": "Wait"}, "if:approve:a"),
        app({"type": "human-input", "title": "Wait"}, "if:approve:b"),
        ["Wire of “Wait” (exit approve) leads to “B” instead of “A”"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_exit_that_leads_elsewhere_is_told(name):
    """Also after a re-export with new ids; and whatever the diff tells, the candidates together do."""
    old, new, expected = CASES[name]

    assert [line.en for line in told.lines(changes(dsl_of(old), dsl_of(new)))] == expected
    again = changes(dsl_of(old), dsl_of(reexported(new, 7)))
    assert sorted(change.text.en for change in again) == sorted(expected)
    found = split(dsl_of(old), dsl_of(new))
    assert changes(dsl_of(new), dsl_of(found.with_parts(found.parts))) == ()


def test_the_exit_is_named_in_japanese_and_among_the_candidates_too():
    """As the reader of a report in Japanese meets it."""
    old, new = dsl_of(app(IF, *STRAIGHT)), dsl_of(app(IF, "if:true:a", "if:false:n", "n:source:c", spare="n"))
    (_, moved) = changes(old, new)
    assert moved.text.ja == "「IF」(ELSE)の接続先を「B」から「N」経由の「C」に変更"

    (part,) = split(old, dsl_of(app(IF, "if:true:a", "if:false:c"))).parts
    expected = Text(
        "wire “IF” (else) → “C”, wire “IF” (else) → “B”", "接続「IF」(ELSE)→「C」、接続「IF」(ELSE)→「B」"
    )
    assert part.name == expected


def test_a_removed_class_takes_its_way_along():
    """The class and the node behind it are told; that nothing leads there any more follows from both."""
    more = {**SORT, "classes": [{"id": "1", "name": "経費"}, {"id": "2", "name": "休暇"}]}
    fewer = {**more, "classes": more["classes"][:1]}
    old = app(more, "if:1:a", "if:2:x", "x:source:b", spare="x")

    found = changes(dsl_of(old), dsl_of(app(fewer, "if:1:a")))

    assert [change.text.en for change in found] == [
        "Node “X” (template-transform) removed",
        "Node “Sort”: class 2 removed",
    ]
