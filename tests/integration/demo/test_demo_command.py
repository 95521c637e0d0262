"""`ragjudge demo` as a person types it."""

import subprocess
import sys

from ragjudge.cli.main import run
from ragjudge.exit_codes import ExitCode


def test_the_served_app_can_be_checked_with_the_line_it_prints(tmp_path):
    """A process of its own, and `ragjudge check` against it: the first check has no baseline and is not red."""
    command = [sys.executable, "-u", "-m", "ragjudge", "demo", "--serve", "--language", "en"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as served:
        try:
            line = next(line for line in served.stdout if "ragjudge check" in line)
            key, _, arguments = line.strip().partition(" ragjudge ")
            name, _, value = key.partition("=")
            ended = subprocess.run(
                [sys.executable, "-m", "ragjudge", *arguments.split(), "--quiet", "--limit", "5"],
                cwd=tmp_path,
                env={name: value, "PYTHONPATH": ":".join(sys.path)},
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            served.terminate()

    assert 0 == ended.returncode, ended.stderr
    assert (tmp_path / ".ragjudge" / "results.json").exists()


def test_an_unusable_app_ends_with_exit_2_and_its_cure(tmp_path, capsys):
    """One sentence and what to do."""
    code = run(["demo", "--serve", "--dsl", str(tmp_path / "gone.yml"), "--language", "en"])

    assert ExitCode.MUST_CHANGE == code
    said = capsys.readouterr().err
    assert "gone.yml: cannot be read" in said
    assert "chain of start" in said


def test_options_for_serving_are_refused_without_serve(capsys):
    """Nothing is ignored in silence."""
    code = run(["demo", "--port", "1234", "--language", "en"])

    assert ExitCode.MUST_CHANGE == code
    assert "--port is for --serve" in capsys.readouterr().err
