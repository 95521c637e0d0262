from datetime import timedelta

import pytest

from ragjudge.baseline.update import CaseChange, difference, refuse_unless_sound, renewed
from ragjudge.compare.decision import Decision, Reason, ReasonCode, Verdict
from ragjudge.errors import RagjudgeError
from ragjudge.exit_codes import ExitCode
from ragjudge.results.outcome import Cause, Unscored
from ragjudge.results.run import CaseResult
from tests.builders import NOON, answer, case, run, sample, scored_run

OLD = renewed(None, scored_run({"a": [5], "b": [3], "c": [4]}), stored_at=NOON, store_answers=True)
FAILED = Decision(verdict=Verdict.FAILED, reasons=(Reason(code=ReasonCode.CASES_REGRESSED),))
PASSED = Decision(verdict=Verdict.PASSED, reasons=())


def test_the_difference_names_what_goes_up_down_comes_and_goes():
    found = difference(OLD, scored_run({"a": [2], "b": [5], "d": [4]}))

    assert (CaseChange("b", "correctness", 3, 5),) == found.up
    assert (CaseChange("a", "correctness", 5, 2),) == found.down
    assert (("d",), ("c",)) == (found.new, found.gone)
    assert (4.0, pytest.approx(11 / 3)) == (found.means[0].before, found.means[0].after)


def test_the_same_run_changes_nothing():
    assert not difference(OLD, OLD.run)


def test_against_no_baseline_everything_is_new():
    assert ("a", "b", "c") == difference(None, OLD.run).new


def test_ids_stand_as_people_count():
    """New cases 2 to 11, and equal changes one after the other."""
    old = renewed(None, scored_run({str(n): [5] for n in (1, 2, 10)}), stored_at=NOON, store_answers=True)
    found = difference(old, scored_run({str(n): [4] for n in range(1, 12)}))

    assert found.new == ("3", "4", "5", "6", "7", "8", "9", "11")
    assert [change.case_id for change in found.down] == ["1", "2", "10"]


def test_an_edited_reference_is_named():
    edited = OLD.run.model_copy(
        update={
            "cases": tuple(
                c.model_copy(update={"case": c.case.model_copy(update={"reference": "30日"})})
                for c in OLD.run.cases
            )
        }
    )

    assert ("a", "b", "c") == difference(OLD, edited).changed


LOST = run([CaseResult(case=case("a"), samples=(sample(correctness=Unscored(cause=Cause.JUDGE_TIMEOUT)),))])


@pytest.mark.parametrize(
    ("new", "decision", "why", "exit_code"),
    [
        (LOST, None, "without a score: a", ExitCode.CANNOT_TELL),
        (OLD.run, FAILED, "cases got worse", ExitCode.FAILED),
        (OLD.run.model_copy(update={"stopped": "outage"}), PASSED, "outage", ExitCode.CANNOT_TELL),
        (
            OLD.run,
            PASSED.model_copy(update={"verdict": Verdict.INCONCLUSIVE}),
            "inconclusive",
            ExitCode.CANNOT_TELL,
        ),
    ],
)
def test_a_bad_run_becomes_no_baseline_without_the_users_word(new, decision, why, exit_code):
    """B9: it would hide the next regression. Only a regression has a regression's exit code."""
    with pytest.raises(RagjudgeError, match=why) as caught:
        refuse_unless_sound(new, decision, accept=False)

    assert exit_code is caught.value.exit_code
    refuse_unless_sound(new, decision, accept=True)


def test_a_sound_run_is_taken():
    refuse_unless_sound(OLD.run, PASSED, accept=False)
    refuse_unless_sound(OLD.run, None, accept=False)


def test_a_new_baseline_keeps_the_old_means_and_no_fresh_samples():
    """Confirmations were chosen by looking; the history is how a trend is seen."""
    result = OLD.run.cases[0].model_copy(update={"confirmations": (sample("confirm-1", correctness=1),)})
    new = renewed(
        OLD,
        OLD.run.model_copy(update={"cases": (result,)}),
        stored_at=NOON + timedelta(days=1),
        store_answers=True,
    )

    assert () == new.run.cases[0].confirmations
    assert [(NOON, {"correctness": 4.0})] == [(entry.at, entry.means) for entry in new.history]


def test_the_history_is_bounded():
    kept = OLD
    for day in range(130):
        kept = renewed(kept, OLD.run, stored_at=NOON + timedelta(days=day + 1), store_answers=True)

    assert 100 == len(kept.history)
    assert NOON + timedelta(days=129) == kept.history[-1].at


def test_a_baseline_knows_the_documents_that_were_used():
    """Scores that move because somebody edited the knowledge are explained by it."""
    said = answer("はい", "抜粋", "別の抜粋")
    items = tuple(
        c.model_copy(update={"dataset_id": "ds", "document_id": f"doc-{n}"})
        for n, c in zip((2, 1), said.contexts.items, strict=True)
    )
    said = said.model_copy(update={"contexts": said.contexts.model_copy(update={"items": items})})
    new = renewed(
        None,
        run([CaseResult(case=case("a"), samples=(sample("1").model_copy(update={"answer": said}),))]),
        stored_at=NOON,
        store_answers=False,
        dsl_digest="abc",
    )

    assert (("ds/doc-1", "ds/doc-2"), "abc") == (new.knowledge, new.dsl_digest)
