"""Whatever a re-export does to an app's file, the diff says nothing; whatever the edit, nothing breaks."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ragjudge.dsl.changes import changes
from ragjudge.dsl.load import load
from tests.dsl_exports import DEMO, KINDS, data_of, dsl_of, recordings, reexported, written

APPS = {kind: data_of(kind) for kind in KINDS} | {
    path.stem: yaml.safe_load(path.read_text("utf-8")) for path in sorted(DEMO.glob("app*.yml"))
}
SEEDS = st.integers(0, 10**6)


@pytest.mark.parametrize("name", APPS)
def test_a_re_export_changes_nothing(name):
    """New ids, layout and order of keys, nodes and edges are no change: five shuffles of each app."""
    old = dsl_of(APPS[name])
    for seed in range(5):
        new = load(written(reexported(APPS[name], seed), sort_keys=False), "app.yml")
        assert [c.text.en for c in changes(old, new)] == [], seed
        assert changes(new, old) == ()


@settings(max_examples=10, deadline=None)
@given(seed=SEEDS, again=SEEDS)
def test_two_re_exports_of_one_app_are_equal_to_each_other(seed, again):
    """The diff needs no original: two re-exports of the largest app compare equal."""
    one, other = (dsl_of(reexported(APPS["chatflow"], s)) for s in (seed, again))
    assert changes(one, other) == ()


@pytest.mark.recordings
def test_a_re_export_of_a_real_export_changes_nothing():
    """As above, for every export that real servers wrote."""
    paths = recordings()
    if not paths:
        pytest.skip("RAGJUDGE_RECORDINGS is not set")
    for path in paths:
        old = load(path.read_bytes(), path.name)
        assert changes(old, old) == ()
        for seed in range(5):
            data = reexported(yaml.safe_load(path.read_text("utf-8")), seed)
            new = load(written(data, sort_keys=False), path.name)
            assert [c.text.en for c in changes(old, new)] == [], (path.name, seed)


@settings(max_examples=10, deadline=None)
@given(seed=SEEDS, data=st.data())
def test_a_node_taken_out_of_a_re_export_is_told_as_removed(seed, data):
    """Whichever node goes, of two with one title the right one: it is told once, and no other node is."""
    app = reexported(APPS["chatflow"], seed)
    nodes = [n for n in app["workflow"]["graph"]["nodes"] if n["type"] == "custom"]
    gone = data.draw(st.sampled_from(nodes))
    graph = app["workflow"]["graph"]
    graph["nodes"] = [n for n in graph["nodes"] if n is not gone]
    graph["edges"] = [e for e in graph["edges"] if gone["id"] not in (e["source"], e["target"])]

    found = [c.text.en for c in changes(dsl_of(APPS["chatflow"]), dsl_of(app))]

    removed = [line for line in found if line.startswith("Node") and line.endswith("removed")]
    assert removed == [f"Node “{gone['data']['title']}” ({gone['data']['type']}) removed"]
    assert not [line for line in found if line.endswith("added")]
