"""The check run on a loopback GitHub."""

import pytest

from ragjudge.exit_codes import ExitCode
from ragjudge.github.check_run import CheckRun, Concluded, conclusion
from ragjudge.github.commands import Annotation
from tests.hostile import STRINGS
from tests.integration.github.conftest import HEAD


@pytest.fixture
def check_run(api):
    return CheckRun(
        api=api,
        repository="octo/app",
        name="ragjudge (rag)",
        head=HEAD,
        details_url="https://github.example/octo/app/actions/runs/7",
    )


def ended(summary="### report", annotations=()):
    return Concluded(conclusion="failure", title="1 case got worse", summary=summary, annotations=annotations)


def remarks(count):
    return [Annotation("error", f"case {n}", "ragjudge", "tests/rag.json", n + 1) for n in range(count)]


def test_one_check_run_says_what_the_report_says(check_run, github):
    """On the pull request's own commit, finished, leading to the run's page."""
    assert check_run.post(ended(annotations=remarks(1))) is None

    [run] = github.check_runs
    assert (run["name"], run["head_sha"], run["status"]) == ("ragjudge (rag)", HEAD, "completed")
    assert (run["conclusion"], run["output"]["title"]) == ("failure", "1 case got worse")
    assert run["output"]["summary"] == "### report"
    assert run["details_url"].endswith("/actions/runs/7")
    assert run["output"]["annotations"] == [
        {
            "path": "tests/rag.json",
            "start_line": 1,
            "end_line": 1,
            "annotation_level": "failure",
            "message": "case 0",
            "title": "ragjudge",
        }
    ]


@pytest.mark.parametrize(("count", "calls"), [(0, 1), (50, 1), (51, 2), (120, 3)])
def test_annotations_come_fifty_per_call(check_run, github, count, calls):
    """All of them arrive, in order, and no request holds more than GitHub takes."""
    check_run.post(ended(annotations=remarks(count)))

    sent = [call.body["output"]["annotations"] for call in github.calls if "check-runs" in call.path]
    assert len(sent) == calls
    assert max(map(len, sent)) <= 50
    messages = [note["message"] for note in github.check_runs[0]["output"]["annotations"]]
    assert messages == [f"case {n}" for n in range(count)]


def test_a_remark_without_a_file_stays_out(check_run, github):
    """GitHub would refuse the whole request."""
    check_run.post(ended(annotations=[Annotation("warning", "no place"), *remarks(1)]))

    assert len(github.check_runs[0]["output"]["annotations"]) == 1


def test_a_summary_beyond_the_limit_is_cut_with_its_folds_closed(check_run, github):
    """65,535 characters; counted in bytes, so that no way of counting is exceeded."""
    text = "<details><summary>s</summary>\n\n" + "日本語の行\n" * 20_000 + "</details>\n"
    check_run.post(ended(summary=text))

    summary = github.check_runs[0]["output"]["summary"]
    assert 60_000 < len(summary.encode()) <= 65_535
    assert summary.count("<details") == summary.count("</details>") == 1


def test_any_text_makes_a_request_that_github_can_read(check_run, github):
    """Half a surrogate pair has no UTF-8; long texts have an end."""
    hostile = [Annotation("error", text, text, "a.json", 1) for text in (*STRINGS, "\ud800" * 9_000)]

    assert check_run.post(ended(summary="\n".join(STRINGS), annotations=hostile)) is None
    assert len(github.check_runs[0]["output"]["annotations"]) == len(hostile)
    assert all(len(a["message"]) <= 8_000 for a in github.check_runs[0]["output"]["annotations"])


@pytest.mark.parametrize("status", [403, 404])
def test_without_the_right_there_is_a_hint(check_run, github, status):
    """A refusal, or a server that knows no check runs, is a note in both languages."""
    github.fail_next("POST", "check-runs", status, body={"message": "Resource not accessible by integration"})

    note = check_run.post(ended())

    assert note is not None
    assert "checks: write" in note.en
    assert "checks: write" in note.ja


def test_a_second_batch_that_fails_is_a_note_and_not_repeated(check_run, github):
    """GitHub appends: a repeat could show fifty remarks twice."""
    github.fail_next("PATCH", "check-runs", 502, times=9)

    assert check_run.post(ended(annotations=remarks(60))) is not None
    assert len(github.made("PATCH")) == 1


@pytest.mark.parametrize(
    ("verdict", "code", "never_red", "word"),
    [
        ("passed", ExitCode.OK, False, "success"),
        ("no_baseline", ExitCode.OK, False, "success"),
        ("skipped", ExitCode.OK, False, "neutral"),
        ("failed", ExitCode.FAILED, False, "failure"),
        ("inconclusive", ExitCode.CANNOT_TELL, False, "failure"),
        ("failed", ExitCode.FAILED, True, "neutral"),
        ("inconclusive", ExitCode.CANNOT_TELL, True, "neutral"),
        ("", ExitCode.MUST_CHANGE, True, "failure"),
        ("", ExitCode.BUG, True, "failure"),
        ("passed", ExitCode.MUST_CHANGE, False, "failure"),
        ("", ExitCode.INTERRUPTED, False, "cancelled"),
    ],
)
def test_the_conclusion_follows_verdict_and_exit_code(verdict, code, never_red, word):
    """Never green where nobody vouches for it; `fail-on: never` is grey, not green."""
    assert conclusion(verdict, code, never_red=never_red) == word
