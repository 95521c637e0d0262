import pytest

from ragjudge.errors import StoredFileFault, UsageFault
from ragjudge.journal import Journal
from ragjudge.ports import Remembered
from ragjudge.redaction import Redactor
from ragjudge.results.outcome import Cause, Scored, Unscored
from ragjudge.results.run import AppFailure
from ragjudge.results.usage import Usage
from tests import builders

PLAIN = Redactor(())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out" / "journal.jsonl"


def written(path, redact=PLAIN):
    """A journal with one answer, one score and one failure."""
    journal = Journal.start(path, run_id="r1", identity="same", redact=redact)
    journal.asking("1", "1")
    journal.answered("1", "1", builders.answer("20日です。\u2028次の行", "規程"))
    journal.scored("1", "1", "correctness", Scored(value=4.0, reason="ほぼ同じ"))
    journal.answered("2", "1", AppFailure(cause=Cause.APP_TIMEOUT))
    return journal


def test_a_resumed_journal_remembers_answers_scores_and_failures(path):
    """What was written comes back equal, and the run keeps its id."""
    written(path).close()

    resumed = Journal.resume(path, identity="same", redact=PLAIN)

    assert "r1" == resumed.run_id
    assert Remembered(
        answer=builders.answer("20日です。\u2028次の行", "規程"),
        scores={"correctness": Scored(value=4.0, reason="ほぼ同じ")},
        sent=True,
    ) == resumed.remembered("1", "1")
    assert Remembered(failure=AppFailure(cause=Cause.APP_TIMEOUT)) == resumed.remembered("2", "1")
    assert Remembered() == resumed.remembered("2", "2")
    resumed.close()


def test_a_later_answer_replaces_a_failure(path):
    """The second pass's answer wins over the first pass's failure."""
    journal = written(path)
    journal.answered("2", "1", builders.answer("今度は答え"))
    journal.close()

    resumed = Journal.resume(path, identity="same", redact=PLAIN)

    assert "今度は答え" == resumed.remembered("2", "1").answer.text
    resumed.close()


@pytest.mark.parametrize("cut", range(1, 120, 7))
def test_a_line_cut_by_a_kill_is_left_out_and_written_over(path, cut):
    """Whatever is left of the last line, the journal can be read and appended to."""
    written(path).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])

    resumed = Journal.resume(path, identity="same", redact=PLAIN)
    resumed.scored("9", "1", "correctness", Unscored(cause=Cause.JUDGE_TIMEOUT))
    resumed.close()
    again = Journal.resume(path, identity="same", redact=PLAIN)

    assert "20日です。\u2028次の行" == again.remembered("1", "1").answer.text
    assert {"correctness": Unscored(cause=Cause.JUDGE_TIMEOUT)} == again.remembered("9", "1").scores
    again.close()


def test_another_runs_journal_is_refused(path):
    """A journal of another suite, app or judge is never mixed in."""
    written(path).close()

    with pytest.raises(UsageFault, match="belongs to another"):
        Journal.resume(path, identity="other", redact=PLAIN)


def test_resuming_nothing_says_so(path):
    """No journal, no silent fresh start."""
    with pytest.raises(UsageFault, match="no journal to resume"):
        Journal.resume(path, identity="same", redact=PLAIN)


def test_damage_in_the_middle_is_named_by_line(path):
    """A damaged line is not skipped: what it held would be paid for twice."""
    written(path).close()
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[1] = lines[1][:20]
    path.write_text("\n".join(lines), encoding="utf-8")

    with pytest.raises(StoredFileFault, match=r"journal\.jsonl:2 is damaged"):
        Journal.resume(path, identity="same", redact=PLAIN)


def test_starting_anew_keeps_the_former_journal(path):
    """What an older run paid for is set aside, not overwritten."""
    written(path).close()

    Journal.start(path, run_id="r2", identity="same", redact=PLAIN).close()

    assert (path.parent / "previous" / "journal.jsonl").read_text(encoding="utf-8").count("\n") == 5
    assert path.read_text(encoding="utf-8").count("\n") == 1


def test_a_key_that_a_server_echoes_is_not_written_down(path):
    """Secrets are taken out of each line before it reaches the disk."""
    journal = written(path, Redactor(["app-Secret0123"]))
    journal.answered(
        "3", "1", AppFailure(cause=Cause.APP_ERROR, detail="Authorization: Bearer app-Secret0123")
    )
    journal.close()

    assert "app-Secret0123" not in path.read_text(encoding="utf-8")
    assert "Bearer ***" in path.read_text(encoding="utf-8")


def test_two_runs_do_not_write_to_one_folder(path):
    """The second is refused at once, and the first one's journal stays where it is."""
    first = written(path)

    with pytest.raises(UsageFault, match="Another run"):
        Journal.start(path, run_id="r2", identity="same", redact=PLAIN)
    first.close()

    assert path.read_text(encoding="utf-8").count("\n") == 5


def test_a_resumed_journal_knows_what_was_paid_before(path):
    """A resumed run's cost is the whole cost."""
    journal = written(path)
    journal.scored("1", "1", "faithfulness", Scored(value=1.0, usage=Usage(calls=2, prompt_tokens=70)))
    journal.close()

    resumed = Journal.resume(path, identity="same", redact=PLAIN)

    assert resumed.spent == Usage(calls=2, prompt_tokens=70)
    resumed.close()
