import json

import pytest

from ragjudge.demo.corpus import UnusableCorpus, load_corpus


def test_markdown_sections_become_passages_of_one_document(tmp_path):
    """Each `##` heading starts a passage; the text before the first one is left out."""
    (tmp_path / "rules.md").write_text("# Book\nintro\n## A\nfirst\n\n## B\nsecond\n", encoding="utf-8")

    corpus = load_corpus(tmp_path)

    assert ["rules.md#A", "rules.md#B"] == [p.key for p in corpus.passages]
    assert ["A\nfirst", "B\nsecond"] == [p.content for p in corpus.passages]
    assert [1, 2] == [p.position for p in corpus.passages]
    assert 1 == len({p.document_id for p in corpus.passages})


def test_a_passage_says_whom_it_is_for(tmp_path):
    """The audience line is no prose: it is never quoted."""
    (tmp_path / "a.md").write_text("## 日当\n対象：支店\n900円です。\n", encoding="utf-8")

    (passage,) = load_corpus(tmp_path).passages

    assert "支店" == passage.audience
    assert "900円です。" == passage.prose


def test_json_lines_keep_their_own_ids_and_documents(tmp_path):
    """A benchmark's passages are known by the ids it gave them."""
    lines = [{"id": "p1", "title": "梅雨", "content": "雨です。", "document": "weather"}, {"content": "x"}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")

    first, second = load_corpus(tmp_path).passages

    assert ("p1", "梅雨", "weather") == (first.key, first.title, first.document_name)
    assert "a.jsonl:2" == second.key


def test_u2028_inside_a_json_line_does_not_split_it(tmp_path):
    """Only a newline ends a line of JSON Lines."""
    (tmp_path / "a.jsonl").write_text('{"id": "p", "content": "a\u2028b"}\n', encoding="utf-8")

    assert ["a\u2028b"] == [p.content for p in load_corpus(tmp_path).passages]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"id": "a", "content": "x"}\n{"id": "a", "content": "y"}', "two passages are called 'a'"),
        ("{", "a.jsonl:1: not JSON"),
        ('{"id": "a", "content": "\\ud800"}', "a.jsonl:1: not JSON"),
        ('{"id": "a"}', "a.jsonl:1: no `content`"),
        ("\n", "no passages"),
    ],
)
def test_an_unusable_corpus_says_what_is_wrong(tmp_path, content, said):
    """A wrong line is named by file and number."""
    (tmp_path / "a.jsonl").write_text(content, encoding="utf-8")

    with pytest.raises(UnusableCorpus, match=r"a\.jsonl|passages") as caught:
        load_corpus(tmp_path)

    assert said in str(caught.value)


def test_text_that_is_not_utf_8_is_refused_with_its_place(tmp_path):
    """A CP932 file is named instead of being misread."""
    (tmp_path / "a.md").write_bytes("## 日当\n".encode("cp932"))

    with pytest.raises(UnusableCorpus, match=r"a\.md: not UTF-8"):
        load_corpus(tmp_path)


def test_a_missing_folder_is_named(tmp_path):
    """The message shows the path that was given."""
    with pytest.raises(UnusableCorpus, match="nowhere: no such folder"):
        load_corpus(tmp_path / "nowhere")
