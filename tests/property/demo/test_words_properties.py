from hypothesis import given
from hypothesis import strategies as st

from ragjudge.demo.answering import Rules, answer
from ragjudge.demo.corpus import Corpus, Passage
from ragjudge.demo.retrieval import Index
from ragjudge.demo.words import sentences, terms

TEXT = st.text(st.characters(codec="utf-8"), max_size=60) | st.text("日本社の。は「」a. 1\n", max_size=60)


@given(TEXT)
def test_sentences_lose_nothing_but_white_space(text):
    """Whatever is typed, its characters come back in order."""
    assert "".join(text.split()) == "".join("".join(sentences(text)).split())


@given(TEXT, st.lists(TEXT, min_size=1, max_size=5), st.integers(1, 6))
def test_search_is_bounded_ordered_and_repeatable(query, contents, top_k):
    """At most top_k passages, best first, scores in 0..1, the same twice."""
    corpus = Corpus("c", tuple(Passage(str(n), "", text, "d", n) for n, text in enumerate(contents)))
    hits = Index(corpus).search(query, top_k=top_k)
    scores = [hit.score for hit in hits]

    assert len(hits) == min(top_k, len(contents))
    assert sorted(scores, reverse=True) == scores
    assert all(0 <= score <= 1 for score in scores)
    assert hits == Index(corpus).search(query, top_k=top_k)


@given(TEXT, st.lists(TEXT, max_size=4), st.integers(1, 3))
def test_an_answer_is_quoted_from_a_passage_or_admits_that_there_is_none(question, contents, count):
    """The stand-in for the model invents nothing."""
    passages = [Passage(str(n), "", text, "d", n) for n, text in enumerate(contents)]
    said = answer(question, passages, rules=Rules(sentences=count), weight=lambda _: 1.0)
    squeezed = "".join(said.split())

    assert said in ("わかりません。", "I do not know.") or any(
        squeezed in "".join(passage.prose.split()) for passage in passages
    )
    assert all(isinstance(term, str) and term for term in terms(question))
