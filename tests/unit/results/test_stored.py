import json
from dataclasses import replace

import pytest

from ragjudge.errors import StoredFileFault
from ragjudge.language import Text
from ragjudge.results.stored import Format, unpack

THIRD = Format(
    kind="kept",
    version=3,
    migrations={
        1: lambda d: {"name": d["title"]},
        2: lambda d: {**d, "name": d["name"].upper()},
    },
    cure=Text("Make it anew.", "作り直してください。"),
)


def data(version, **fields):
    return json.dumps({"kind": "kept", "schema_version": version, **fields}).encode()


def test_an_older_file_is_brought_up_step_by_step():
    assert {"name": "A"} == unpack(THIRD, data(1, title="a"), place="f.json")
    assert {"name": "B"} == unpack(THIRD, data(2, name="b"), place="f.json")
    assert {"name": "c"} == unpack(THIRD, data(3, name="c"), place="f.json")


def test_a_version_without_a_way_up_is_refused():
    """Better no comparison than one of guessed fields."""
    with pytest.raises(StoredFileFault, match="schema_version 1 is not known"):
        unpack(replace(THIRD, migrations={2: THIRD.migrations[2]}), data(1), place="f.json")


def test_a_newer_file_names_both_versions():
    with pytest.raises(StoredFileFault, match=r"format 4.*up to 3"):
        unpack(THIRD, data(4), place="f.json")
