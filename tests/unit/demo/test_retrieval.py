from ragjudge.demo.corpus import Corpus, Passage
from ragjudge.demo.retrieval import Index


def index(*contents):
    return Index(Corpus("c", tuple(Passage(str(n), "", text, "d", n) for n, text in enumerate(contents))))


def found(hits):
    return [hit.passage.key for hit in hits]


def test_the_passage_that_shares_the_rarest_words_comes_first():
    """Common words of the corpus weigh little."""
    rules = index("会社の規程です。", "会社の日当の規程です。", "会社の休暇の規程です。")

    assert ["1", "0", "2"] == found(rules.search("会社の日当", top_k=3))


def test_no_more_than_top_k_passages_are_found():
    """Lowering top_k drops the last ones and keeps the order."""
    rules = index("日当", "日当と宿泊", "日当と宿泊と交通")

    assert found(rules.search("日当", top_k=3))[:1] == found(rules.search("日当", top_k=1))


def test_like_a_vector_search_it_always_finds_top_k_passages():
    """What shares nothing comes last, with score 0, in the order of the corpus."""
    hits = index("日当", "休暇", "社宅").search("休暇", top_k=3)

    assert ["1", "0", "2"] == found(hits)
    assert [0.0, 0.0] == [hit.score for hit in hits[1:]]


def test_with_a_threshold_nothing_may_be_found():
    """A threshold leaves out what is not near enough."""
    assert [] == found(index("日当", "休暇").search("VPN", top_k=4, score_threshold=0.01))


def test_scores_lie_between_0_and_1_and_a_threshold_cuts_by_them():
    """The whole query in one passage scores near 1; a threshold above the best score leaves nothing."""
    rules = index("日当と宿泊費", "宿泊")
    best = rules.search("宿泊", top_k=2)[0].score

    assert 0 < best < 1
    assert [] == rules.search("宿泊", top_k=2, score_threshold=0.999)


def test_equal_scores_keep_the_order_of_the_corpus():
    """The same question is always answered the same way."""
    assert ["0", "1"] == found(index("同じ文", "同じ文").search("同じ文", top_k=2))
