"""The benchmark's own material: a wrong reference or a lost paragraph would make its figures worthless."""

import importlib.util
import json
from pathlib import Path

import pytest

PLACE = Path(__file__).parents[3] / "bench" / "jsquad" / "material.py"
SPEC = importlib.util.spec_from_file_location("jsquad_material", PLACE)
material = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(material)


@pytest.fixture
def squad(tmp_path):
    """Two articles, three paragraphs, four questions, in SQuAD's form."""

    def paragraph(title, content, *qas):
        context = f"{title} [SEP] {content}"
        return {
            "context": context,
            "qas": [
                {"id": i, "question": q, "answers": [{"text": a, "answer_start": context.index(a)}]}
                for i, q, a in qas
            ],
        }

    first = paragraph(
        "梅雨", "梅雨は雨季です。5月に来ます。", ("q1", "何季？", "雨季"), ("q2", "何月？", "5月")
    )
    second = paragraph("梅雨", "北海道にはありません", ("q3", "ないのは？", "北海道"))
    third = paragraph("花", "春に咲く。", ("q4", "いつ？", "春"))
    path = tmp_path / "squad.json"
    data = [{"title": "梅雨", "paragraphs": [first, second]}, {"title": "花", "paragraphs": [third]}]
    path.write_text(json.dumps({"data": data}), encoding="utf-8")
    return path


def test_the_reference_is_the_sentence_that_holds_the_answer(squad):
    """Also the last one, and one without a full stop."""
    _, questions = material.read(squad)

    assert ["梅雨は雨季です。", "5月に来ます。", "北海道にはありません", "春に咲く。"] == [
        q.reference for q in questions
    ]


def test_each_question_knows_the_paragraph_that_answers_it(squad):
    """The key is the one its passage has in the corpus."""
    paragraphs, questions = material.read(squad)

    assert ["0-0", "0-1", "1-0"] == [p.key for p in paragraphs]
    assert ["0-0", "0-0", "0-1", "1-0"] == [q.gold for q in questions]


def test_the_sample_depends_on_the_seed_alone_and_takes_a_paragraph_once(squad):
    """Neither retrieval nor scores choose the questions."""
    _, questions = material.read(squad)
    drawn = material.sample(questions, 3, seed=7)

    assert drawn == material.sample(questions, 3, seed=7)
    assert 3 == len({q.gold for q in drawn})


def test_the_corpus_can_be_served_by_the_demo(squad, tmp_path):
    """What the benchmark writes is what the demo reads."""
    from ragjudge.demo.corpus import load_corpus

    paragraphs, _ = material.read(squad)
    material.write_corpus(paragraphs, tmp_path / "corpus")

    assert [p.key for p in paragraphs] == [p.key for p in load_corpus(tmp_path / "corpus").passages]
