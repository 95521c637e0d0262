"""Answers of single changes are kept apart from the check's."""

from ragjudge.bisect.aside import AsideJournal
from ragjudge.journal import Journal
from ragjudge.results.outcome import Scored
from ragjudge.results.run import AppFailure
from ragjudge.results.usage import Usage

FAILURE = AppFailure(cause="app_error", detail="x")


def test_names_meet_neither_the_checks_nor_another_changes(tmp_path):
    """What one wrote, only the same one remembers, in a later process as well."""
    path = tmp_path / "journal.jsonl"
    start = Journal.start(path, run_id="r", identity="i", redact=str)
    one, other = (AsideJournal(start, digest * 20, Usage()) for digest in ("ab", "cd"))
    one.asking("1", "1")
    one.answered("1", "1", FAILURE)
    one.scored("1", "1", "correctness", Scored(value=2))
    start.answered("1", "2", FAILURE)
    start.close()

    again = Journal.resume(path, identity="i", redact=str)
    one, other = (AsideJournal(again, digest * 20, Usage()) for digest in ("ab", "cd"))
    assert one.remembered("1", "1").failure == FAILURE
    assert one.remembered("1", "1").scores["correctness"].value == 2
    assert other.remembered("1", "1").failure is None
    assert again.remembered("1", "1").failure is None
    assert again.remembered("1", "2").failure == FAILURE
    again.close()


def test_the_budget_goes_on_from_what_was_spent(tmp_path):
    """The check and every change before are paid from one purse."""
    start = Journal.start(tmp_path / "journal.jsonl", run_id="r", identity="i", redact=str)
    assert AsideJournal(start, "ab", Usage(prompt_tokens=7)).spent.total_tokens == 7
    start.close()
