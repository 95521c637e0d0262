"""Today's answers beside the baseline's, in the report."""

from ragjudge.report.view.pairs import lines
from ragjudge.results.run import PairOutcome


def outcomes(**results):
    """`outcomes(a="win")`; a word with ? depended on the order."""
    return [
        PairOutcome(case_id=name, result=word.strip("?"), consistent="?" not in word, reason=f"理由{name}")
        for name, word in results.items()
    ]


def test_wins_losses_and_ties_are_counted_and_losses_named():
    """The tester sees at once which answers got worse and why."""
    assert lines(outcomes(a="win", b="loss", c="tie", d="tie?"), "ja") == (
        "良くなった回答 1件、悪くなった回答 1件、引き分け 2件（うち1件は並び順で結果が変わりました）",
        "悪化: b (理由b)",
    )


def test_what_could_not_be_compared_is_said():
    """Not a tie."""
    assert lines(outcomes(a="unscored"), "en")[1] == "1 could not be compared."


def test_reasons_are_left_out_where_the_report_holds_scores_only():
    """They quote answers."""
    assert lines(outcomes(b="loss"), "en", with_reasons=False)[1] == "worse: b"


def test_many_losses_are_cut_with_a_mark_and_none_gives_no_section():
    """The ten first ones."""
    many = lines(outcomes(**{f"c{n}": "loss" for n in range(12)}), "en")
    assert (len(many), many[-1]) == (12, "…")
    assert lines([], "en") == ()
