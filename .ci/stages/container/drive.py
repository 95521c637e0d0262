"""The story of a pull request, run by a real workflow runner with the action in its container. Prints a transcript.

pull request → a comment; push → the baseline; a worse app → failing check, same comment; mended → green, same comment;
merge → new baseline; by hand → a run. Then the image's size and how soon it asks its first question.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from team import Ran, Team
from world import APP_KEY, JUDGE_KEY, SECRETS, TOKEN, World

from tests.github_server import Pull

IMAGE = "act-ragjudge-ragjudge-v1-dockeraction:latest"
MOST_MB = 150
AIM_START_S = 1.0
BASE_SHA = "b" * 40


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def expect(holds: bool, what: str) -> None:
    say(f"  {'ok' if holds else 'NOT OK'}: {what}")
    if not holds:
        raise SystemExit(f"container stage failed: {what}")


def event(head: str, **more: object) -> dict[str, object]:
    return {
        "action": "synchronize",
        "number": 7,
        "repository": {"default_branch": "main", "private": True, "full_name": "octo/app"},
        "pull_request": {
            "number": 7,
            "head": {"ref": "feature", "sha": head, "repo": {"full_name": "octo/app"}},
            "base": {"ref": "main", "sha": BASE_SHA},
        },
        **more,
    }


def push() -> dict[str, object]:
    return {"ref": "refs/heads/main", **{k: v for k, v in event("").items() if k == "repository"}}


class Story:
    def __init__(self, team: Team, world: World) -> None:
        self.team = team
        self.world = world

    def step(
        self, title: str, name: str, payload: dict[str, object], workflow: str, *, rebuild: bool = False
    ) -> Ran:
        begun = time.monotonic()
        ran = self.team.run(name, payload, workflow, rebuild=rebuild)
        say(f"\n# {title} ({time.monotonic() - begun:.0f} s by the runner)")
        say(f"  {name} → {workflow}: exit code {ran.code}")
        say(f"  outputs: {json.dumps(ran.outputs, ensure_ascii=False)}")
        if not ran.outputs:
            say(ran.log[-6000:])
        return ran

    def pull_request(self, title: str, head: str, *, rebuild: bool = False) -> Ran:
        self.world.github.pulls[7] = Pull(head_sha=head)
        return self.step(title, "pull_request", event(head), "rag-check.yml", rebuild=rebuild)

    def stored_baselines(self) -> int:
        """Commits on the data branch."""
        github, commits = self.world.github, 0
        sha = github.refs.get("heads/ragjudge-baseline")
        while sha:
            commits += 1
            parents = github.objects[sha]["parents"]
            sha = parents[0]["sha"] if parents else None
        return commits

    def shown(self) -> str:
        body = self.world.github.bodies(7)[0]
        lines = [line for line in body.splitlines() if line.strip()]
        for line in lines[:5]:
            say(f"    | {line}")
        return body

    def tell(self) -> None:
        comments = self.world.github.bodies
        first = self.pull_request("A pull request is opened", "1" * 40, rebuild=True)
        expect(
            first.code == 0 and first.outputs.get("verdict") == "no_baseline",
            "green, nothing to compare with",
        )
        expect(len(comments(7)) == 1, "one comment")
        opened = self.shown()

        stored = self.step("It is merged: the baseline", "push", push(), "rag-baseline.yml")
        expect(stored.code == 0 and stored.outputs.get("baseline-updated") == "true", "baseline stored")
        expect(self.stored_baselines() == 1, "on the branch ragjudge-baseline")

        self.world.degrade()
        worse = self.pull_request("A second push makes the app worse", "2" * 40)
        expect(worse.code == 1 and worse.outputs.get("verdict") == "failed", "failing check")
        expect(json.loads(worse.outputs["regressed-cases"]) != [], "the regressed cases are named")
        expect(len(comments(7)) == 1 and comments(7)[0] != opened, "the same comment, updated")
        expect(worse.outputs["comment-url"] == first.outputs["comment-url"], "at the same address")
        self.shown()

        self.world.restore()
        mended = self.pull_request("A third push mends it", "3" * 40)
        expect(mended.code == 0 and mended.outputs.get("verdict") == "passed", "green again")
        expect(len(comments(7)) == 1, "still one comment")
        self.shown()

        merged = self.step("It is merged: the baseline is updated", "push", push(), "rag-baseline.yml")
        expect(merged.code == 0 and merged.outputs.get("baseline-updated") == "true", "baseline updated")

        expect(self.stored_baselines() == 2, "as a second commit on the same branch")

        by_hand = {**push(), "inputs": {"mode": "check", "cases": "2", "suite": ""}}
        hand = self.step("By hand, one case", "workflow_dispatch", by_hand, "rag-manual.yml")
        expect(hand.code == 0 and hand.outputs.get("cases-total") == "1", "only the chosen case was asked")
        self.nothing_leaks([first, stored, worse, mended, merged, hand])

    def nothing_leaks(self, runs: list[Ran]) -> None:
        say("\n# Traces")
        changed = self.team.changed_files()
        kept = [name for name in changed if not name.startswith(".ragjudge/")]
        expect(kept == [], f"the workspace holds nothing new but .ragjudge {kept or ''}")
        written = "".join(
            (self.team.folder / name).read_text("utf-8", "replace")
            for name in changed
            if (self.team.folder / name).is_file()
        )
        told = "".join(run.log for run in runs) + written + "".join(self.world.github.bodies(7))
        expect(not any(secret in told for secret in SECRETS), "no secret in logs, files or comments")


def image_size(base: str) -> None:
    say("\n# Image")
    whole, ground = (_inspect(name, "{{.Size}}") for name in (IMAGE, base))
    above = (int(whole) - int(ground)) / 1_000_000
    expect(above <= MOST_MB, f"{above:.0f} MB above its base (at most {MOST_MB})")
    listing = _inside(
        "import importlib.util, shutil; print(shutil.which('gcc'), importlib.util.find_spec('pip'))"
    )
    expect(listing == "None None", f"no compiler and no pip of its own in it ({listing})")


def start_time(team: Team, world: World) -> None:
    """From the start of the container's process to the first question at the app: the best of five, for each judge.

    Only printed against its aim: the machine may be busy with other things.
    """
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    for judge, more in (("offline judge", {"INPUT_JUDGE-PROVIDER": "offline"}), ("model judge", {})):
        times = [_first_question(team, world, more) for _ in range(5)]
        shown = ", ".join(f"{t:.2f}" for t in times)
        met = "within" if min(times) < AIM_START_S else "above"
        say(
            f"  {judge}: first question after {min(times):.2f} s, {met} the aim of {AIM_START_S:.0f} s (all: {shown})"
        )
    say(f"  (load {busy:.1f} per core meanwhile)")


def _first_question(team: Team, world: World, more: dict[str, str]) -> float:
    name = "ragjudge-start"
    world.watched.forget()
    command = [
        "podman", "run", "--name", name, "--volume", f"{team.folder}:/github/workspace",
        "--workdir", "/github/workspace", *_environment(world, more), IMAGE,
    ]  # fmt: skip
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    started = _started(name)
    subprocess.run(["podman", "rm", "--force", name], capture_output=True, check=True)
    if world.watched.first_question is None:
        raise SystemExit(f"container stage failed: no question was asked\n{ran.stdout}{ran.stderr}")
    return world.watched.first_question - started


def _environment(world: World, more: dict[str, str]) -> list[str]:
    given = {
        "GITHUB_WORKSPACE": "/github/workspace", "GITHUB_EVENT_NAME": "workflow_dispatch",
        "GITHUB_REPOSITORY": "octo/app", "GITHUB_SHA": "c" * 40, "GITHUB_RUN_ID": "900",
        "GITHUB_API_URL": world.github.url, "INPUT_DIFY-API-KEY": APP_KEY, "INPUT_JUDGE-API-KEY": JUDGE_KEY,
        "INPUT_GITHUB-TOKEN": TOKEN, **more,
    }  # fmt: skip
    return [part for name, value in given.items() for part in ("--env", f"{name}={value}")]


def _started(name: str) -> float:
    text = subprocess.run(
        ["podman", "inspect", "--format", "{{.State.StartedAt.UnixNano}}", name],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    return int(text) / 1e9


def _inspect(image: str, what: str) -> str:
    command = ["podman", "image", "inspect", "--format", what, image]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _inside(code: str) -> str:
    command = ["podman", "run", "--rm", "--entrypoint", "/opt/ragjudge/bin/python", IMAGE, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    options = argparse.ArgumentParser()
    for name in ("--act", "--work", "--base"):
        options.add_argument(name, required=True)
    chosen = options.parse_args()
    folder = Path(chosen.work)
    folder.mkdir(parents=True)
    say(f"container stage, {datetime.now().astimezone():%Y-%m-%d %H:%M}")
    with World() as world:
        team = Team(folder, chosen.act, chosen.base, world)
        team.found()
        world.github.files[BASE_SHA, "ragjudge.yml"] = team.config.encode()
        Story(team, world).tell()
        image_size(chosen.base)
        start_time(team, world)
    say("\ncontainer stage: everything ran, nothing was skipped")


if __name__ == "__main__":
    main()
