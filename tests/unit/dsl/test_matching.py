"""Which node is which: the ids say so as long as the export kept them, else titles and contents."""

import copy

import pytest

from ragjudge.bisect.candidates import candidates
from ragjudge.dsl import told
from ragjudge.dsl.changes import changes
from tests.dsl_exports import data_of, dsl_of, node, written

LLM, SECOND, ANSWER = "1700000000007", "1700000000077", "1700000000009"


def with_two_models(first, second):
    """The chatflow with another model between the first one and the answer."""
    data = data_of("chatflow")
    graph = data["workflow"]["graph"]
    raw = copy.deepcopy(next(n for n in graph["nodes"] if n["id"] == LLM))
    raw["id"] = SECOND
    raw["data"]["prompt_template"][0]["text"] = "あなたは要約係です。短くまとめてください。"
    raw["data"]["model"]["name"] = "gpt-4o"
    graph["nodes"].append(raw)
    wire = next(e for e in graph["edges"] if e["source"] == LLM)
    graph["edges"].append({**wire, "id": "e88", "source": SECOND})
    wire["target"] = SECOND
    node(data, LLM)["title"], node(data, SECOND)["title"] = first, second
    return data


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        (("分類", "LLM"), ["Node “分類”: title: LLM → 分類", "Node “LLM”: title: LLM 2 → LLM"]),
        (("LLM 2", "LLM"), ["Node “LLM 2”: title: LLM → LLM 2", "Node “LLM”: title: LLM 2 → LLM"]),
        (("LLM 2", "LLM 3"), ["Node “LLM 2”: title: LLM → LLM 2", "Node “LLM 3”: title: LLM 2 → LLM 3"]),
    ],
)
def test_titles_that_change_hands_are_renames_and_nothing_else(titles, expected):
    """A title that another node had before makes no other node of it: in the diff and among the candidates."""
    old, new = with_two_models("LLM", "LLM 2"), with_two_models(*titles)

    assert [line.en for line in told.lines(changes(dsl_of(old), dsl_of(new)))] == expected
    each = candidates(written(old), written(new), "app.yml").each
    assert [[change.en for change in one.changes] for one in each] == [[line] for line in expected]


def test_a_node_made_anew_under_its_old_title_is_the_same_node():
    """One id that is new among many that are not: the title still tells which node it is."""
    old = data_of("chatflow")
    new = copy.deepcopy(old)
    graph = new["workflow"]["graph"]
    next(n for n in graph["nodes"] if n["id"] == ANSWER)["id"] = "1800000000009"
    for wire in graph["edges"]:
        wire["target"] = "1800000000009" if wire["target"] == ANSWER else wire["target"]

    assert changes(dsl_of(old), dsl_of(new)) == ()
