"""`ragjudge doctor` and `ragjudge suite import` as a person types them, on the demo's app."""

import json
from importlib import resources
from socket import socket

import httpx2
import pytest

from ragjudge.cli.main import run
from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.server import DemoServer, ServerOptions
from tests.console_server import EMAIL, PASSWORD
from tests.preview_app import DATASET, console, dsl

KEY = "app-test-0123456789"


@pytest.fixture
def app(tmp_path, monkeypatch):
    """The demo's app, and a folder with a config and one case as the current one."""
    files = resources.files("ragjudge.demo") / "data"
    with (
        resources.as_file(files) as data,
        DemoServer(
            load_app(data / "app.yml"), load_corpus(data / "corpus"), ServerOptions(api_key=KEY)
        ) as server,
    ):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("DIFY_API_KEY", KEY)
        config(tmp_path, server)
        case = {
            "id": "1",
            "question": "国内出張の日当はいくらですか？",
            "answer": "2,500円です。",
            "entity": "本社",
        }
        (tmp_path / "suite.json").write_text(json.dumps([case], ensure_ascii=False), "utf-8")
        yield server


def config(folder, server: DemoServer, **inputs: str) -> None:
    app = {"base_url": server.base_url, "inputs": {"Entity": "${entity}", **inputs}}
    sections = {"suite": "suite.json", "app": app, "judge": {"provider": "offline"}}
    (folder / "ragjudge.yml").write_text(json.dumps(sections, ensure_ascii=False), "utf-8")


def like(server: DemoServer, user: str = "tanaka") -> str:
    """Somebody asks, and likes the answer; returns the message's id."""
    headers = {"Authorization": f"Bearer {KEY}"}
    body = {
        "inputs": {"Entity": "本社"},
        "query": "有給休暇は何日ですか？",
        "response_mode": "blocking",
        "user": user,
    }
    with httpx2.Client(base_url=server.base_url, headers=headers) as client:
        message = client.post("/chat-messages", json=body).json()["message_id"]
        client.post(
            f"/messages/{message}/feedbacks", json={"rating": "like", "user": user}
        ).raise_for_status()
    return message


def test_the_doctor_finds_a_healthy_app(app, capsys):
    """Exit 0, one line per thing, in the tester's language, and no key."""
    assert 0 == run(["doctor"])

    said = capsys.readouterr().out
    assert "取得元: フローの知識検索ノード" in said
    assert "要対応 0件" in said
    assert KEY not in said


def test_the_doctor_names_what_must_be_changed(app, tmp_path, capsys):
    """Exit 2: an option that the app's form does not have."""
    config(tmp_path, app, Entity="海外支店")

    assert 2 == run(["doctor", "--language", "en"])
    assert "allowed: 本社, 支店" in capsys.readouterr().out


def test_the_doctor_names_a_wrong_key(app, monkeypatch, capsys):
    """One sentence and the cure; the rest is looked at all the same."""
    monkeypatch.setenv("DIFY_API_KEY", "app-wrong-key-000")

    assert 2 == run(["doctor", "--language", "en"])
    said = capsys.readouterr().out
    assert "Set DIFY_API_KEY" in said
    assert "The judge answers" in said


@pytest.mark.slow
def test_the_doctor_says_try_later_where_a_server_is_down(app, tmp_path, monkeypatch, capsys):
    """Exit 3 as in every other command: the app's server, or the judge's, does not answer."""
    with socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    assert 3 == run(["doctor", "--language", "en", "--base-url", nobody])
    assert "✗ Dify" in capsys.readouterr().out

    judge = {"provider": "openai", "model": "m", "base_url": nobody, "timeout_s": 1}
    sections = json.loads((tmp_path / "ragjudge.yml").read_text("utf-8")) | {"judge": judge}
    (tmp_path / "ragjudge.yml").write_text(json.dumps(sections), "utf-8")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    assert 3 == run(["doctor", "--language", "en"])


@pytest.fixture
def team(tmp_path, monkeypatch):
    """A console with its sign-in in the environment, a DSL file that is previewed, and no app key."""
    with console() as server:
        monkeypatch.chdir(tmp_path)
        monkeypatch.delenv("DIFY_API_KEY", raising=False)
        monkeypatch.setenv("DIFY_CONSOLE_EMAIL", EMAIL)
        monkeypatch.setenv("DIFY_CONSOLE_PASSWORD", PASSWORD)
        (tmp_path / "bot.yml").write_bytes(dsl(dataset=DATASET))
        sections = {
            "app": {"base_url": f"{server.url}/v1"},
            "judge": {"provider": "offline"},
            "dsl": {"files": ["bot.yml"], "preview": True},
        }
        (tmp_path / "ragjudge.yml").write_text(json.dumps(sections), "utf-8")
        yield server


def test_the_doctor_needs_no_app_key_where_the_dsl_is_previewed(team, capsys):
    """Sign-in, workspace, DSL version and files are looked at; nothing is made on the server."""
    assert 0 == run(["doctor", "--language", "en"])

    said = capsys.readouterr().out
    assert "✓ Signed in to Dify's console: workspace “CI Workspace”, DSL version 0.6.0, 2 plugins." in said
    assert "✓ bot.yml: nothing broken was found." in said
    assert "- No question was asked" in said
    assert PASSWORD not in said
    assert not team.apps


def test_the_doctor_names_what_a_preview_would_stop_at(team, tmp_path, monkeypatch, capsys):
    """A wrong password and a broken file at once, each with its cure; exit 2; a console that is down alone: 3."""
    (tmp_path / "bot.yml").write_bytes(dsl())
    monkeypatch.setenv("DIFY_CONSOLE_PASSWORD", "wrong-0123456789")
    assert 2 == run(["doctor", "--language", "en"])
    said = capsys.readouterr().out
    assert "✗ The console refused the e-mail or password" in said
    assert "✗ bot.yml:" in said

    (tmp_path / "bot.yml").write_bytes(dsl(dataset=DATASET))
    (tmp_path / "suite.json").write_text('[{"question": "日当は?", "inputs": {"Entitty": "本社"}}]', "utf-8")
    assert 2 == run(["doctor", "--language", "en", "--suite", "suite.json"])
    assert "Entitty, which the app does not have" in capsys.readouterr().out

    monkeypatch.delenv("DIFY_CONSOLE_PASSWORD")
    monkeypatch.delenv("DIFY_CONSOLE_EMAIL")
    assert 2 == run(["doctor", "--language", "en"])
    assert "no console credentials are given" in capsys.readouterr().out


def test_an_import_is_a_dry_run_unless_told_where_to_write(app, tmp_path, capsys):
    """It counts and lists; nothing is written, and nobody is named."""
    message = like(app)

    assert 0 == run(["suite", "import", "--user", "tanaka", "--language", "en"])
    said = capsys.readouterr().out
    assert "1 new cases, 0 known already" in said
    assert f"message-{message}: 有給休暇は何日ですか？" in said
    assert {"ragjudge.yml", "suite.json"} == {path.name for path in tmp_path.iterdir()}


def test_an_import_writes_a_suite_that_a_run_can_use(app, tmp_path, capsys):
    """A new file; written once, never over what is there; the same cases are known the next time."""
    like(app)

    assert 0 == run(["suite", "import", "--user", "tanaka", "--write", "new.json"])
    (case,) = json.loads((tmp_path / "new.json").read_text("utf-8"))
    assert ("有給休暇は何日ですか？", {"Entity": "本社"}, ["liked"]) == (
        case["question"],
        case["inputs"],
        case["tags"],
    )
    assert case["reference"]
    assert "tanaka" not in json.dumps(case)
    assert 2 == run(["suite", "import", "--user", "tanaka", "--write", "new.json"])
    assert 0 == run(["suite", "import", "--user", "tanaka", "--suite", "new.json", "--language", "en"])
    assert "0 new cases, 1 known already" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("suite", "there"),
    [
        ("tests/rag/*.json", {}),
        ("tests/rag/all.json", {}),
        ("tests/rag", {}),
        ("book.xlsx#質問", {}),
        ("tests/rag/all.json", {"tests/rag/all.json": "[]"}),
        (["old.csv", "tests/rag/all.json"], {"old.csv": "question\n日当は?\n"}),
    ],
)
def test_the_first_suite_can_be_imported(tmp_path, monkeypatch, capsys, suite, there):
    """The config names a suite that is not there yet, or not all of it; the folder is made."""
    monkeypatch.chdir(tmp_path)
    for name, text in there.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "ragjudge.yml").write_text(json.dumps({"suite": suite}, ensure_ascii=False), "utf-8")
    (tmp_path / "r.csv").write_text("question,Completion result\n有休は何日?,10日です。\n", "utf-8")

    assert 0 == run(["suite", "import", "--batch-run", "r.csv", "--write", "tests/rag/new.json"])

    (case,) = json.loads((tmp_path / "tests/rag/new.json").read_text("utf-8"))
    assert "有休は何日?" == case["question"]


def test_an_import_beside_a_broken_suite_is_still_refused(tmp_path, monkeypatch, capsys):
    """What is known already can't be told from a file that nobody can read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.json").write_text("[{", "utf-8")
    (tmp_path / "r.csv").write_text("question,Completion result\n有休は何日?,10日です。\n", "utf-8")

    assert 2 == run(["suite", "import", "--suite", "s.json", "--batch-run", "r.csv", "--write", "new.json"])
    assert "s.json:1" in capsys.readouterr().err
    assert not (tmp_path / "new.json").exists()


def test_an_import_from_a_batch_run_needs_no_app(tmp_path, monkeypatch, capsys):
    """A file and nothing else."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.csv").write_text("question,Completion result\n有休は何日?,10日です。\n", "utf-8")

    assert 0 == run(["suite", "import", "--batch-run", "r.csv", "--language", "en"])
    assert "1 new cases" in capsys.readouterr().out


def test_an_import_names_the_key_that_it_needs_also_with_previews(team, capsys):
    """Annotations are the published app's: its key is asked for before anything is sent."""
    assert 2 == run(["suite", "import", "--annotations", "--language", "en"])
    assert "Set DIFY_API_KEY" in capsys.readouterr().err
    assert team.calls == []


def test_an_import_of_nothing_says_what_to_say(tmp_path, monkeypatch, capsys):
    """Exit 2 with the options."""
    monkeypatch.chdir(tmp_path)

    assert 2 == run(["suite", "import", "--language", "en"])
    assert "--annotations" in capsys.readouterr().err
