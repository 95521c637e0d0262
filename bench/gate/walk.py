"""A team's week with the gate: a real Git repository with a remote, the demo app, the command line, every decision.

python -m bench.gate.walk               # the thirty questions of examples/demo
python -m bench.gate.walk --cases 12    # a quick look
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.packaged import CORPUS
from ragjudge.demo.server import DemoServer

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "demo"
MOST_LINES = 14
COMMITTER = ("-c", "user.name=team", "-c", "user.email=team@example.com")

Say = Callable[[str], None]
Command = Callable[[Path, Sequence[str], str], tuple[int, str]]
"""Runs `ragjudge ARGUMENTS` in a folder, with the app's key in the environment: exit code and what was said."""


@dataclass(frozen=True)
class Step:
    """What one command of ours came to. `regressed` are the case ids that the check names."""

    name: str
    exit_code: int
    said: str
    regressed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Team:
    """A checkout whose remote is a bare repository, and the app that stands on the staging server."""

    checkout: Path
    app: DemoServer
    say: Say
    command: Command

    def git(self, *arguments: str) -> str:
        self.say(f"$ git {' '.join(arguments)}")
        return _git(self.checkout, *arguments)

    def commit(self, message: str) -> None:
        _git(self.checkout, "add", "--all")
        self.git("commit", "--quiet", "-m", message)

    def ragjudge(self, name: str, *arguments: str) -> Step:
        self.say(f"$ ragjudge {' '.join(arguments)}")
        code, said = self.command(self.checkout, [*arguments, "--quiet"], self.app.api_key)
        for line in decision_lines(said):
            self.say(f"  {line}")
        self.say(f"  → exit {code}\n")
        return Step(name, code, said)

    def check(self, name: str) -> Step:
        """A check, with the ids that its JUnit file calls failed: what a CI server would show."""
        step = self.ragjudge(name, "check")
        return Step(name, step.exit_code, step.said, _failed(self.checkout / ".ragjudge" / "junit.xml"))

    def publish(self) -> None:
        """What is in the checkout now becomes what the staging app serves."""
        self.say("(app.yml is published on the staging server)")
        self.app.publish(load_app(self.checkout / "app.yml"))


def walk(team: Team) -> list[Step]:
    """PR check → intended change accepted on the base → merge → baseline → next pull request."""
    steps = [_first_baseline(team), *_intended_change(team), *_next_pull_request(team)]
    team.say("step                                     exit  named")
    for step in steps:
        team.say(f"{step.name:40} {step.exit_code:4}  {', '.join(step.regressed) or '–'}")
    return steps


def _first_baseline(team: Team) -> Step:
    team.say("\n# main: the first baseline\n")
    return team.ragjudge("first baseline", "baseline", "update")


def _intended_change(team: Team) -> Sequence[Step]:
    team.say("# pull request 1: one passage per answer instead of four, to halve the cost\n")
    team.git("switch", "--quiet", "--create", "cheaper")
    _replace(team.checkout / "app.yml", "top_k: 4", "top_k: 1")
    team.commit("One passage is enough")
    team.publish()
    red = team.check("PR 1: check")
    team.say("# main: the team agrees, in a pull request of its own that names each case and an end\n")
    team.git("switch", "--quiet", "main")
    accept(team.checkout / "ragjudge.yml", red.regressed)
    team.commit("Accept what one passage costs")
    team.git("push", "--quiet", "origin", "main")
    team.git("switch", "--quiet", "cheaper")
    team.git("merge", "--quiet", "--no-edit", "main")
    accepted = team.check("PR 1: check, accepted on the base")
    team.say("# merge: the baseline follows\n")
    team.git("switch", "--quiet", "main")
    team.git("merge", "--quiet", "--no-ff", "--no-edit", "cheaper")
    team.git("push", "--quiet", "origin", "main")
    return red, accepted, team.ragjudge("merge: baseline", "baseline", "update")


def _next_pull_request(team: Team) -> Sequence[Step]:
    team.say("# pull request 2: the notes say that the entries have done their work; they go\n")
    team.git("switch", "--quiet", "--create", "tidy")
    noted = team.check("PR 2: check, entries not needed")
    config = team.checkout / "ragjudge.yml"
    config.write_text(config.read_text("utf-8").partition("accept:\n")[0], "utf-8")
    team.commit("The accepted entries have done their work")
    tidy = team.check("PR 2: check, entries removed")
    team.git("switch", "--quiet", "main")
    team.git("merge", "--quiet", "--no-ff", "--no-edit", "tidy")
    team.git("push", "--quiet", "origin", "main")
    team.say("# pull request 3: somebody asks for passages that are nearer than any is\n")
    team.git("switch", "--quiet", "--create", "nearer")
    _replace(team.checkout / "app.yml", "score_threshold: null", "score_threshold: 0.9")
    team.commit("Only near passages")
    team.publish()
    return noted, tidy, team.check("PR 3: check")


def decision_lines(said: str) -> list[str]:
    """The verdict with its reasons and the notes: what is left of a report without its tables."""
    kept, in_table = [], False
    for line in filter(str.strip, said.splitlines()):
        in_table = not line.startswith("Notes") and (in_table or line.startswith("Metrics"))
        if not in_table:
            kept.append(line)
    return kept if len(kept) <= MOST_LINES else [*kept[:MOST_LINES], f"… (+{len(kept) - MOST_LINES})"]


def in_a_process(folder: Path, arguments: Sequence[str], key: str) -> tuple[int, str]:
    """As a shell would."""
    done = subprocess.run(
        [sys.executable, "-m", "ragjudge", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "DIFY_API_KEY": key},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def prepare(folder: Path, app: DemoServer, *, cases: int, say: Say, command: Command = in_a_process) -> Team:
    """`examples/demo` as a repository of its own, pushed; the baseline goes to a data branch of the remote."""
    remote, checkout = folder / "remote.git", folder / "checkout"
    checkout.mkdir(parents=True)
    _git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(remote))
    _git(checkout, "init", "--quiet", "--initial-branch=main")
    _git(checkout, "remote", "add", "origin", str(remote))
    config = (EXAMPLE / "ragjudge.yml").read_text("utf-8").replace("http://127.0.0.1:8765/v1", app.base_url)
    store = "baseline:\n  store: branch:ragjudge-baseline\nreport:\n  language: en\n"
    (checkout / "ragjudge.yml").write_text(config + store, "utf-8")
    questions = json.loads((EXAMPLE / "suite.json").read_text("utf-8"))[:cases]
    (checkout / "suite.json").write_text(json.dumps(questions, ensure_ascii=False, indent=1), "utf-8")
    (checkout / "app.yml").write_bytes((EXAMPLE / "app.yml").read_bytes())
    (checkout / ".gitignore").write_text(".ragjudge/\n", "utf-8")
    team = Team(checkout, app, say, command)
    team.commit("The app, its questions, and how they are judged")
    team.git("push", "--quiet", "--set-upstream", "origin", "main")
    return team


def accept(config: Path, case_ids: Sequence[str]) -> None:
    entries = "".join(
        f'  - {{case: "{case}", reason: one passage instead of four, until: 2999-12-31}}\n'
        for case in case_ids
    )
    config.write_text(config.read_text("utf-8") + "accept:\n" + entries, "utf-8")


def _failed(junit: Path) -> tuple[str, ...]:
    """Ids of the cases that are failures there; a test's name is `id: question`."""
    tests = ET.parse(junit).getroot().iter("testcase")
    return tuple(
        test.get("name", "").partition(":")[0]
        for test in tests
        if test.find("failure") is not None and not test.get("classname", "").endswith(".metrics")
    )


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    if old not in text:
        raise SystemExit(f"{file.name} holds no {old!r}")
    file.write_text(text.replace(old, new), "utf-8")


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *COMMITTER, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cases", type=int, default=30)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        DemoServer(load_app(EXAMPLE / "app.yml"), load_corpus(CORPUS)) as app,
    ):
        walk(prepare(Path(folder), app, cases=given.cases, say=print))


if __name__ == "__main__":
    main()
