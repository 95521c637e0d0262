"""A real app and a real judge on loopback, and a folder with a team's files."""

import json
from importlib import resources

import pytest

from ragjudge.cli.main import run
from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.server import DemoServer, ServerOptions
from tests.judge_server import JudgeServer

CASES = 12
APP_KEY = "app-test-0123456789"


@pytest.fixture(scope="session")
def demo_files():
    """The folder of the embedded app: DSL exports, corpus, suite."""
    with resources.as_file(resources.files("ragjudge.demo") / "data") as place:
        yield place


@pytest.fixture(scope="session")
def corpus(demo_files):
    return load_corpus(demo_files / "corpus")


@pytest.fixture
def app(demo_files, corpus):
    with DemoServer(load_app(demo_files / "app.yml"), corpus, ServerOptions(api_key=APP_KEY)) as server:
        yield server


@pytest.fixture
def judge():
    with JudgeServer() as server:
        yield server


@pytest.fixture
def team(tmp_path, monkeypatch, demo_files, app, judge):
    """A team's folder with suite and config, as the current one; keys are in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DIFY_API_KEY", app.api_key)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-judge-key")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    questions = json.loads((demo_files / "suite.json").read_text(encoding="utf-8"))
    (tmp_path / "suite.json").write_text(json.dumps(questions[:CASES], ensure_ascii=False), encoding="utf-8")
    return Team(tmp_path, app, judge)


class Team:
    """What a person has in front of them: a folder and the command line."""

    def __init__(self, folder, app, judge) -> None:
        self.folder, self.app, self.judge = folder, app, judge
        self.config()

    def config(self, **changes) -> None:
        """Write ragjudge.yml; `changes` replace whole sections."""
        sections = {
            "suite": "suite.json",
            "app": {
                "base_url": self.app.base_url,
                "inputs": {"Entity": "${entity}", "Category": "${category}"},
            },
            "judge": {"provider": "openai", "model": "judge-1", "base_url": self.judge.url},
            "baseline": {"store": "file:baseline.json"},
            "report": {"language": "en"},
        }
        text = json.dumps({**sections, **changes}, ensure_ascii=False)
        (self.folder / "ragjudge.yml").write_text(text, encoding="utf-8")

    def ragjudge(self, *arguments: str) -> int:
        return run([*arguments])

    def results(self) -> dict:
        return json.loads((self.folder / ".ragjudge" / "results.json").read_text(encoding="utf-8"))

    def report(self) -> str:
        return (self.folder / ".ragjudge" / "report.md").read_text(encoding="utf-8")
