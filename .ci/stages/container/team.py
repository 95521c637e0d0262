"""A team's repository, made of the examples' folders, and the runner that runs its workflows."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from world import APP_KEY, JUDGE_KEY, TOKEN, World

ROOT = Path(__file__).resolve().parents[3]
UPLOAD = "actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a"
RUNNER_IMAGE_LABEL = "ubuntu-latest"
STAND_IN = """\
name: upload
description: Stands for the real upload, which can't be fetched here; it lists what would be uploaded
inputs:
  name: {description: name, default: ""}
  path: {description: path, default: ""}
  include-hidden-files: {description: hidden, default: ""}
  if-no-files-found: {description: none, default: ""}
runs:
  using: composite
  steps:
    - shell: sh
      env:
        FOLDER: ${{ inputs.path }}
      run: ls "$FOLDER"
"""
QUESTIONS = [
    {
        "id": 1,
        "entity": "本社",
        "category": "出張",
        "question": "国内出張の日当はいくらですか？",
        "answer": "2,500円です。",
    },
    {
        "id": 2,
        "entity": "支店",
        "category": "出張",
        "question": "国内出張の日当はいくらですか？",
        "answer": "1,800円です。",
    },
]


@dataclass(frozen=True)
class Ran:
    """One workflow run: the job's exit code, the runner's log, the outputs that the action set."""

    code: int
    log: str
    outputs: dict[str, str]


class Team:
    """The repository `octo/app` with the three first examples in it."""

    def __init__(self, folder: Path, act: str, base: str, world: World) -> None:
        self.folder = folder
        self._act = act
        self._base = base
        self._world = world
        self._runs = 100
        self._action = folder.parent / "action"
        self._upload = folder.parent / "upload"

    def found(self) -> None:
        """Lay the repository out; `ragjudge/ragjudge@v1` is the commit that is checked out here."""
        for example in ("dsl-pr-check", "baseline-on-merge", "manual-run"):
            shutil.copytree(ROOT / "examples" / example, self.folder, dirs_exist_ok=True)
        (self.folder / "dify").mkdir()
        shutil.copy(ROOT / "examples/demo/app.yml", self.folder / "dify/bot.yml")
        self._upload.mkdir()
        (self._upload / "action.yml").write_text(STAND_IN, "utf-8")
        self._copy_action()
        config = {
            "suite": "tests/rag/*.json",
            "app": {
                "base_url": self._world.app_url,
                "inputs": {"Entity": "${entity}", "Category": "${category}"},
            },
            "judge": {"provider": "openai", "model": "scripted", "base_url": self._world.judge.url},
            "baseline": {"repeats": 1},
        }
        self.config = json.dumps(config, ensure_ascii=False, indent=1)
        (self.folder / "ragjudge.yml").write_text(self.config, "utf-8")
        suite = self.folder / "tests/rag/questions.json"
        suite.write_text(json.dumps(QUESTIONS, ensure_ascii=False, indent=1), "utf-8")
        self._git("init", "--quiet", "--initial-branch=main")
        self._git("remote", "add", "origin", "https://github.com/octo/app")
        self.commit("The app's tests")

    def commit(self, message: str) -> None:
        self._git("add", "--all")
        self._git(
            "-c",
            "user.name=octo",
            "-c",
            "user.email=octo@example.com",
            "commit",
            "--quiet",
            "--message",
            message,
        )

    def run(self, event: str, payload: dict[str, object], workflow: str, *, rebuild: bool = False) -> Ran:
        """One run of one workflow by act, in containers."""
        self._runs += 1
        event_file = self.folder.parent / "event.json"
        event_file.write_text(json.dumps(payload), "utf-8")
        command = [
            self._act, event, "--eventpath", str(event_file), "--workflows", f".github/workflows/{workflow}",
            "--platform", f"{RUNNER_IMAGE_LABEL}={self._base}", "--pull=false", f"--rebuild={str(rebuild).lower()}",
            "--container-daemon-socket", "-", "--network", "host", "--no-cache-server", "--bind",
            "--local-repository", f"ragjudge/ragjudge@v1={self._action}",
            "--local-repository", f"{UPLOAD}={self._upload}",
            "--secret", f"DIFY_API_KEY={APP_KEY}", "--secret", f"OPENAI_API_KEY={JUDGE_KEY}",
            "--secret", f"GITHUB_TOKEN={TOKEN}",
            "--env", f"GITHUB_API_URL={self._world.github.url}",
            "--env", f"GITHUB_GRAPHQL_URL={self._world.github.url}/graphql",
            "--env", f"GITHUB_RUN_ID={self._runs}", "--env", f"GITHUB_RUN_NUMBER={self._runs - 90}",
        ]  # fmt: skip
        ran = subprocess.run(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900,
            env={**os.environ, "XDG_CACHE_HOME": str(self.folder.parent / "cache")}, check=False,
        )  # fmt: skip
        found = re.findall(r"(?m)::set-output:: ([a-z-]+)=(.*)$", ran.stdout)
        return Ran(ran.returncode, ran.stdout, dict(found))

    def changed_files(self) -> list[str]:
        """What stands in the workspace beside what is committed."""
        out = self._git("status", "--porcelain", "--untracked-files=all", "--ignored")
        return sorted(line[3:].strip('"') for line in out.splitlines())

    def _copy_action(self) -> None:
        """The commit that is checked out, as a release would hold it."""
        self._action.mkdir()
        archive = subprocess.run(
            ["git", "-c", "safe.directory=*", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", str(self._action)], input=archive.stdout, check=True)

    def _git(self, *arguments: str) -> str:
        ran = subprocess.run(
            ["git", "-c", "safe.directory=*", *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=True,
        )
        return ran.stdout
