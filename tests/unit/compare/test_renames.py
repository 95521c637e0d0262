from bench.gate.procedure import TODAY
from ragjudge.baseline.codec import without_texts
from ragjudge.compare.decision import ReasonCode, Verdict
from ragjudge.compare.gate import decide
from ragjudge.compare.policy import GatePolicy
from ragjudge.compare.renames import Rename, renames
from ragjudge.results.run import CaseResult
from tests.builders import case, run, sample


def of(**questions):
    return run([CaseResult(case=case(i, q), samples=(sample(correctness=5),)) for i, q in questions.items()])


def test_a_typo_fix_is_offered_as_a_rename():
    """Without ids of their own, an edited question is a new case: say so before somebody accepts a loss."""
    before = of(a="有給休暇は年に何日取得できますか?", b="経費の締め日はいつですか?")
    after = of(c="有給休暇は年に何日取得できますか。", b="経費の締め日はいつですか?")

    assert [("a", "c")] == [(r.old_id, r.new_id) for r in renames(before, after)]
    found = decide(before, after, GatePolicy(), today=TODAY)
    assert Verdict.FAILED is found.verdict
    assert ("a", "c") in [r.cases for r in found.warnings if r.code is ReasonCode.MAYBE_RENAMED]


def test_another_question_is_no_rename():
    assert () == renames(of(a="有給休暇は何日ですか?"), of(b="出張の日当はいくらですか?"))


def test_the_same_question_with_other_inputs_is_no_rename():
    """The head office's rule and the branch's are two cases."""
    before = run([CaseResult(case=case("a", "日当は?", inputs={"Entity": "本社"}), samples=())])
    after = run([CaseResult(case=case("b", "日当は?", inputs={"Entity": "支店"}), samples=())])

    assert () == renames(before, after)


def test_each_case_is_offered_once_and_best_first():
    before = of(a="質問その一について教えてください", b="質問その二について教えてください")
    after = of(c="質問その二について教えてください。", d="質問その一について教えて下さい")

    assert [("b", "c"), ("a", "d")] == [(r.old_id, r.new_id) for r in renames(before, after)]


def test_an_exchanged_suite_is_not_searched():
    """Ten thousand gone and ten thousand new cases would take for ever."""
    before = of(**{f"a{n}": f"質問{n}" for n in range(300)})
    after = of(**{f"b{n}": f"質問{n}" for n in range(300)})

    assert () == renames(before, after)
    assert isinstance(renames(of(a="同じ質問です"), of(b="同じ質問です"))[0], Rename)


def test_without_texts_only_the_same_question_is_a_rename():
    """A public repository's baseline holds digests: how alike two questions are can't be seen any more."""
    before = without_texts(of(a="有給休暇は年に何日取得できますか?", b="経費の締め日はいつですか?"))
    after = of(c="有給休暇は年に何日取得できますか。", d="経費の締め日は、何日ですか?")

    assert renames(before, after) == (Rename("a", "c", 1.0),)
