import json
from pathlib import Path

import pytest

from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.packaged import CONFIG, CORPUS, DATA, SUITE
from ragjudge.demo.words import is_japanese

EXAMPLES = Path(__file__).parents[3] / "examples" / "demo"
CASES = json.loads(SUITE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["app.yml", "app-degraded.yml", "suite.json", "ragjudge.yml"])
def test_the_example_is_the_embedded_default(name):
    """What a person copies from `examples/demo` is what `ragjudge demo` runs."""
    assert (DATA / name).read_bytes() == (EXAMPLES / name).read_bytes()


def test_the_corpus_is_large_enough_and_in_both_languages():
    """At least 60 passages; some for everybody, some for one kind of office only."""
    passages = load_corpus(CORPUS).passages

    assert len(passages) >= 60
    assert {True, False} == {is_japanese(p.content) for p in passages}
    assert {"本社", "支店", None} == {p.audience for p in passages}


def test_the_suite_has_the_teams_own_shape():
    """id, entity, category, question, answer; ids differ; both offices; both languages."""
    assert len(CASES) >= 40
    assert {("id", "entity", "category", "question", "answer")} == {tuple(case) for case in CASES}
    assert len(CASES) == len({case["id"] for case in CASES})
    assert {"本社", "支店"} == {case["entity"] for case in CASES}
    assert {True, False} == {is_japanese(case["question"]) for case in CASES}
    assert all(case["answer"].strip() for case in CASES)


def test_the_settings_name_the_files_beside_them():
    """Suite and DSL of the demo's config exist in the same folder."""
    text = CONFIG.read_text(encoding="utf-8")

    assert "suite: suite.json" in text
    assert "files: app.yml" in text
    assert "provider: offline" in text
