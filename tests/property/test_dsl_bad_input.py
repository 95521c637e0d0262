"""Whatever bytes stand in a DSL file: an app, or a DslFault with the place and a sentence in both languages."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragjudge.dsl.changes import changes
from ragjudge.dsl.lint import lint
from ragjudge.dsl.load import MAX_BYTES, Dsl, load
from ragjudge.errors import DslFault
from tests.dsl_exports import FOLDER, KINDS

SOUND = {kind: (FOLDER / f"{kind}.yml").read_bytes() for kind in KINDS}
HEAD = b"kind: app\nversion: 0.1.0\napp: {mode: chat, name: x}\n"
LAUGHS = (
    HEAD
    + b"a: &a [x,x,x,x,x,x,x,x,x]\n"
    + b"".join(
        b"%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n" % (n, n, *[n - 1] * 9) for n in range(98, 112)
    )
)
TOWER = (
    HEAD
    + b"t0: &t0 "
    + b"[" * 30
    + b"]" * 30
    + b"\n"
    + b"".join(
        b"t%d: &t%d " % (n, n) + b"[" * 30 + b"*t%d" % (n - 1) + b"]" * 30 + b"\n" for n in range(1, 80)
    )
)

BAD = {
    "yaml bomb": (LAUGHS, "Too many values"),
    "aliases that nest": (TOWER, "Nested deeper"),
    "python tag": (HEAD + b"x: !!python/object/apply:os.system ['true']\n", "tag"),
    "own tag": (HEAD + b"x: !Ref y\n", "tag"),
    "20 MB": (HEAD + b"#" * 20_000_000, "20 MB"),
    "merge conflict": (HEAD + b"<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> branch\n", "merge conflict"),
    "conflict without labels": (HEAD + b"<<<<<<<\na: 1\n=======\na: 2\n>>>>>>>\n", "merge conflict"),
    "UTF-16": (HEAD.decode().encode("utf-16"), "UTF-16"),
    "UTF-16 without a mark": (HEAD.decode().encode("utf-16-le"), "UTF-16"),
    "Shift_JIS": ("kind: app\napp: {name: 規程}\n".encode("cp932"), "UTF-8"),
    "NUL": (HEAD + b"x: a\0b\n", "YAML"),
    "deep nesting": (HEAD + b"x: " + b"[" * 5000, "nesting"),
    "empty": (b"", "no export"),
    "only a comment": (b"# nothing\n", "no export"),
    "a list": (b"- a\n", "no export"),
    "other YAML": (b"on: push\njobs: {}\n", "no export"),
    "a knowledge pipeline": (b"kind: rag_pipeline\nversion: 0.1.0\nrag_pipeline: {}\n", "no export"),
    "app is a text": (b"kind: app\napp: hello\n", "no export"),
    "unknown mode": (b"kind: app\napp: {mode: quantum}\n", "quantum"),
    "no mode": (b"kind: app\napp: {name: x}\n", "mode"),
    "key twice": (HEAD + b"kind: app\n", "twice"),
    "two documents": (HEAD + b"---\na: 1\n", "one YAML document"),
    "a zip": (b"PK\x03\x04\x14\0\0\0\xff\xfe", "UTF-8"),
    "broken": (HEAD + b"x: [1, 2\n", "YAML"),
    "surrogate": (HEAD + b'x: "\\ud800"\n', "YAML"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_a_typed_error_with_a_cure(name):
    """The file, what is wrong, and what to do, in both languages."""
    data, says = BAD[name]
    with pytest.raises(DslFault) as fault:
        load(data, "bot.yml")
    (problem,) = fault.value.problems
    assert says in problem.what.en
    assert problem.place is not None
    assert problem.place.file == "bot.yml"
    assert problem.cure is not None
    assert problem.cure.ja


def test_the_largest_file_is_still_read():
    """The limit is a limit of size alone."""
    padded = SOUND["chat"] + b"#" * (MAX_BYTES - len(SOUND["chat"]))
    assert load(padded, "a.yml").name == "福利厚生ボット"


def test_windows_files_are_read():
    """A byte order mark and CRLF are no fault."""
    data = b"\xef\xbb\xbf" + SOUND["chat"].replace(b"\n", b"\r\n")
    assert changes(load(SOUND["chat"], "a.yml"), load(data, "a.yml")) == ()


def loaded(data: bytes) -> Dsl | DslFault:
    try:
        return load(data, "a.yml")
    except DslFault as fault:
        return fault


def everything_or_a_fault(data: bytes) -> None:
    dsl = loaded(data)
    if isinstance(dsl, DslFault):
        assert dsl.problems
        assert dsl.in_language("ja")
        return
    lint(dsl, suite_inputs=[frozenset()], server_dsl="0.1.0", server_plugins=[])
    for kind in ("chatflow", "chat"):
        changes(load(SOUND[kind], "b.yml"), dsl)
    assert changes(dsl, dsl) == ()


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(KINDS), st.integers(0, 2**32))
def test_mutated_bytes_end_in_an_app_or_a_fault(kind, seed):
    """Bytes changed, lines moved, cut and doubled."""
    chance = random.Random(seed)
    data = bytearray(SOUND[kind])
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(data))
        match chance.randrange(4):
            case 0:
                data[at] = chance.randrange(256)
            case 1:
                del data[at : at + chance.randrange(1, 200)]
            case 2:
                data[at:at] = chance.choice(
                    [b"\n", b"\t", b"- ", b": ", b"{", b"*a", b"&a ", b"!!x ", b"null", b"'"]
                )
            case _:
                other = chance.randrange(len(data))
                data[at:at] = data[other : other + 80]
        if not data:
            data = bytearray(b"x")
    everything_or_a_fault(bytes(data))


TREES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**20) | st.floats() | st.text(max_size=8)
    | st.sampled_from(["1700000000001", "{{#1700000000001.x#}}", "{{#env.A#}}", "if-else", "start"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["id", "data", "type", "title", "source", "target", "variables", "cases", "case_id",
      "classes", "name", "value", "dataset_ids", "model", "prompt_template", "enabled", "x"]), inner, max_size=5),
    max_leaves=25,
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(
        ["nodes", "edges", "features", "environment_variables", "graph", "model_config", "dependencies"]
    ),
    TREES,
)
def test_any_value_in_any_place_is_read(part, tree):
    """Wherever another type stands than Dify writes, nothing breaks."""
    from tests.dsl_exports import data_of, written

    data = data_of("chat" if part == "model_config" else "chatflow")
    match part:
        case "nodes" | "edges":
            data["workflow"]["graph"][part] = (
                tree if not isinstance(tree, list) else [*tree, *data["workflow"]["graph"][part]]
            )
        case "graph" | "features" | "environment_variables":
            data["workflow"][part] = tree
        case _:
            data[part] = tree
    everything_or_a_fault(written(data))
