"""Word by word: nothing of what changed is lost, and a long text costs little."""

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from ragjudge.dsl.word_diff import Piece, _joined, _runs, _slid, word_diff

TEXTS = st.lists(
    st.sampled_from(["社内規程", "を", "丁寧に", "答えて", "ください", "。", "\n", " ", "the", "rule", ". ", "{{#a.b#}}", "ｶﾅ"]),
    max_size=30,
).map("".join)  # fmt: skip


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_from_the_comparison(old, new):
    """What stays and goes makes the old text, what stays and comes the new one."""
    for runs in (_runs(old, new), _joined(_runs(old, new)), _slid(_joined(_runs(old, new)))):
        assert "".join(run.old for run in runs) == old
        assert "".join(run.new for run in runs) == new


@given(TEXTS, TEXTS)
def test_every_changed_word_is_among_the_pieces(old, new):
    """Only what stays is shortened."""
    pieces = word_diff(old, new)
    if old == new:
        assert all(piece.kind == "same" for piece in pieces)
        return
    assert {piece.kind for piece in pieces} & {"gone", "new"}
    assert all(piece.text in old for piece in pieces if piece.kind == "gone")
    assert all(piece.text in new for piece in pieces if piece.kind == "new")


def test_an_insertion_into_a_short_prompt_is_an_insertion():
    """However much is added, what was there is not shown as rewritten."""
    added = "必ず出典を示し、" * 20
    assert word_diff("簡潔に答えてください。", f"{added}簡潔に答えてください。") == (
        Piece("new", added),
        Piece("same", "簡潔に答えてください。"),
    )


def test_unrelated_texts_are_shown_whole():
    """No confetti of single letters."""
    assert word_diff("{% for r in results %}", "答えは42です。") == (
        Piece("gone", "{% for r in results %}"),
        Piece("new", "答えは42です。"),
    )


@settings(max_examples=5, deadline=None)
@given(st.integers(1, 10**6))
def test_a_long_prompt_is_compared_by_sentences_first(seed):
    """One changed word among 15,000 is found, quickly."""
    sentences = [f"規則{n}では、担当者{n * seed % 97}が答えます。" for n in range(1500)]
    changed = list(sentences)
    changed[700] = changed[700].replace("答えます", "承認します")
    start = time.perf_counter()

    pieces = word_diff("".join(sentences), "".join(changed))

    assert [piece.kind for piece in pieces] == ["same", "gone", "new", "same"]
    assert pieces[2].text.startswith("承認")
    assert max(len(piece.text) for piece in pieces) < 60
    assert time.perf_counter() - start < 10


def test_a_huge_text_without_sentences_costs_little():
    """A file made to be slow is shown whole instead."""
    start = time.perf_counter()
    pieces = word_diff("a。" * 100_000, "b。" * 100_000)
    assert [piece.kind for piece in pieces] == ["gone", "new"]
    assert time.perf_counter() - start < 5


def test_a_line_taken_out_is_shown_as_that_line():
    """Not as the end of the line before and the beginning of this one."""
    old = "規則です。\n- 対象だけを使います。\n- 短く答えます。"
    pieces = word_diff(old, "規則です。\n- 短く答えます。")

    assert [piece.text.strip() for piece in pieces if piece.kind == "gone"] == ["- 対象だけを使います。"]
