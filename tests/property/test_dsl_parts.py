"""Whatever was edited: all parts together do what the proposal does, none is the base, and no part says the same twice."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragjudge.bisect.candidates import candidates
from ragjudge.dsl import told
from ragjudge.dsl.changes import changes
from ragjudge.dsl.load import load
from ragjudge.dsl.parts import split
from ragjudge.errors import DslFault
from tests.dsl_exports import KINDS, data_of, dsl_of, recordings, reexported, written
from tests.unit.dsl.test_changes import EDITS

PER_KIND = {kind: [edit for one, edit, *_ in EDITS if one == kind] for kind in KINDS}
CASES = [(kind, number) for kind, edits in PER_KIND.items() for number in range(len(edits))]


def told_of(old, new):
    """The diff's lines but for the app's name, which a preview gives anew, and the plugins, which are no behaviour."""
    renamed = {**new.root, "app": {**new.root["app"], "name": old.name}}
    again = load(written(renamed), new.file)
    return [
        change.text.en
        for change in changes(old, again)
        if told.semantic([change]) and not change.text.en.startswith("Plugin ")
    ]


def read(data):
    return load(written(data), "part.yml")


@pytest.mark.parametrize(("kind", "number"), CASES)
def test_a_single_edit_is_at_most_one_part_that_does_all_of_it(kind, number):
    """The table of single edits: what the diff tells in one line is one change; layout is none."""
    base = data_of(kind)
    new = copy.deepcopy(base)
    PER_KIND[kind][number](new)
    found = split(dsl_of(base), dsl_of(new))
    expected = told_of(dsl_of(base), dsl_of(new))

    assert told_of(dsl_of(new), read(found.with_parts(found.parts))) == []
    assert len(found.parts) == (1 if expected else 0)


@settings(max_examples=25, deadline=None)
@given(data=st.data(), seed=st.integers(0, 10**6))
def test_all_parts_together_are_the_proposal(data, seed):
    """Any edits at once, with and without new ids, in both directions; applied one after another as well."""
    kind = data.draw(st.sampled_from(["chatflow", "chatflow", "workflow", "chat", "agent", "completion"]))
    base = data_of(kind)
    new = copy.deepcopy(base)
    chosen = data.draw(
        st.lists(st.sampled_from(range(len(PER_KIND[kind]))), max_size=6, unique=True)
        if PER_KIND[kind]
        else st.just([])
    )
    for number in chosen:
        try:
            PER_KIND[kind][number](new)
        except (KeyError, StopIteration, IndexError):
            continue  # an earlier edit took it away
    if data.draw(st.booleans()):
        new = reexported(new, seed)
    one, other = dsl_of(base), dsl_of(new)
    if data.draw(st.booleans()):
        one, other = other, one

    found = split(one, other)

    assert told_of(other, read(found.with_parts(found.parts))) == []
    assert found.with_parts([]) == one.root
    for part in found.parts:
        here = read(found.with_parts([part]))
        assert here.mode == one.mode
        assert told_of(one, here)


JUNK = [None, 0, 1.5, True, "x", "{{#a.b#}}", [], {}, [None], {"id": None}, {"type": "llm"}, ["sys", "query"]]


def places(value, path=()):
    """Every path below `value`."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, found in inner:
        yield (*path, step)
        yield from places(found, (*path, step))


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_whatever_stands_in_an_export_ends_in_candidates_or_a_fault(data):
    """Any setting replaced by anything, on either side: every candidate is a file that can be read again."""
    base = data_of(data.draw(st.sampled_from(["chatflow", "workflow", "chat", "agent"])))
    new = copy.deepcopy(base)
    where = [path for path in places(new) if path[0] not in ("app", "kind")]
    for path in data.draw(st.lists(st.sampled_from(where), min_size=1, max_size=4)):
        here = new
        try:
            for step in path[:-1]:
                here = here[step]
            here[path[-1]] = copy.deepcopy(data.draw(st.sampled_from(JUNK)))
        except (KeyError, IndexError, TypeError):
            continue  # an earlier edit took it away
    files = [written(base), written(new)]
    if data.draw(st.booleans()):
        files.reverse()
    try:
        found = candidates(*files, "dify/bot.yml")
    except DslFault:
        return
    for one in (*found.each, found.base):
        assert one.content == b"" or load(one.content, "one.yml").root


@pytest.mark.recordings
def test_every_pair_of_real_exports_is_split_without_loss():
    """Exports that real servers wrote: each against each other, whatever their kinds."""
    paths = recordings()
    if not paths:
        pytest.skip("RAGJUDGE_RECORDINGS is not set")
    exports = [load(path.read_bytes(), path.name) for path in paths]
    for one in exports:
        for other in exports:
            found = split(one, other)
            assert told_of(other, read(found.with_parts(found.parts))) == [], (one.file, other.file)
            assert bool(found.parts) == bool(told_of(one, other)), (one.file, other.file)
