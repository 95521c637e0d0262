"""`ragjudge dsl diff` and `dsl lint` as a user runs them, with files and with a real Git repository."""

import subprocess

import pytest

from ragjudge.cli.main import run
from tests.dsl_exports import FOLDER, data_of, node, written

LLM = "1700000000007"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A Git repository with one commit, and a working copy in which a prompt was changed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dify").mkdir()
    data = data_of("chatflow")
    (tmp_path / "dify/bot.yml").write_bytes(written(data))
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "first"],
    ):
        subprocess.run(["git", *command], check=True)
    node(data, LLM)["model"]["completion_params"]["temperature"] = 0.9
    (tmp_path / "dify/bot.yml").write_bytes(written(data))
    return tmp_path


def test_a_file_is_compared_with_a_revision(project, capsys):
    """`HEAD:file` against the working copy, in the user's language."""
    assert run(["dsl", "diff", "HEAD:dify/bot.yml", "dify/bot.yml", "--language", "ja"]) == 0

    assert capsys.readouterr().out == "ノード「回答の作成」: モデルのパラメーター temperature: 0.2 → 0.9\n"


def test_equal_files_say_so(project, capsys):
    """No change is told in a sentence, not by silence."""
    assert run(["dsl", "diff", "dify/bot.yml", "dify/bot.yml", "--language", "en"]) == 0

    assert capsys.readouterr().out == "No semantic change.\n"


@pytest.mark.parametrize(
    "name", ["gone.yml", "HEAD:gone.yml", "nowhere:dify/bot.yml", "--output=x:dify/bot.yml"]
)
def test_what_cannot_be_read_is_named(project, capsys, name):
    """A missing file, revision or path; nothing that begins with a dash reaches Git as an option."""
    assert run(["dsl", "diff", "--language", "en", "--", name, "dify/bot.yml"]) == 2

    assert name.split(":")[0] in capsys.readouterr().err
    assert not (project / "x").exists()


def test_hostile_titles_are_inert_in_a_terminal_and_in_a_log(project, capsys):
    """No escape sequence and no command to the runner gets through."""
    data = data_of("chatflow")
    node(data, LLM)["title"] = "\x85\u202e::error::x"
    (project / "evil.yml").write_bytes(written(data))

    assert run(["dsl", "diff", "dify/bot.yml", "evil.yml", "--language", "en"]) == 0

    out = capsys.readouterr().out
    assert "\u202e" not in out
    assert "::error" not in out


def test_lint_names_each_fault_with_its_line_and_ends_with_2(project, capsys):
    """Sound files get a tick, broken ones a line per fault; no key is repeated."""
    data = data_of("chatflow")
    node(data, "1700000000008")["headers"] = "Authorization: Bearer hunter2"
    (project / "dify/leaky.yml").write_bytes(written(data))

    assert run(["dsl", "lint", str(FOLDER / "chat.yml"), "dify/leaky.yml", "--language", "en"]) == 2

    out = capsys.readouterr().out
    assert out.startswith("✓ ")
    assert "✗ dify/leaky.yml:" in out
    assert "holds a credential in clear" in out
    assert "hunter2" not in out


def test_lint_takes_patterns_as_the_config_does(project, capsys):
    """A quoted pattern is expanded, any number of folders too; each file is looked at once."""
    (project / "dify/sales").mkdir()
    for name in ("dify/b.yml", "dify/sales/c.yml", "dify/[x].yml"):
        (project / name).write_bytes(written(data_of("chat")))

    def files_of(*names: str) -> list[str]:
        assert run(["dsl", "lint", "--language", "en", *names]) == 0
        return [line.split()[1].rstrip(":") for line in capsys.readouterr().out.splitlines()]

    assert files_of("dify/b.yml", "dify/[b]*.yml") == ["dify/b.yml", "dify/bot.yml"]
    assert files_of("dify/**/c.yml", "dify/[x].yml", "HEAD:dify/bot.yml") == [
        "dify/sales/c.yml",
        "dify/[x].yml",
        "HEAD:dify/bot.yml",
    ]


@pytest.mark.parametrize("configured", [False, True])
def test_patterns_that_match_nothing_are_told_together(project, capsys, configured):
    """In the user's language, whether they come from the command line or from the config."""
    patterns = ["gone/*.yml", "dify/*.json", "dify/*.yml"]
    (project / "ragjudge.yml").write_text(f"dsl: {{files: {patterns if configured else []}}}\n")

    assert run(["dsl", "lint", "--language", "ja", *([] if configured else patterns)]) == 2

    err = capsys.readouterr().err
    assert "「gone/*.yml」に一致するファイルがありません" in err
    assert "「dify/*.json」に一致するファイルがありません" in err
    assert "dify/*.yml" not in err


def test_lint_reads_the_files_of_the_config(project, capsys):
    """Without arguments the config says which; without both, what to do."""
    assert run(["dsl", "lint", "--language", "en"]) == 2
    assert "dsl.files" in capsys.readouterr().err

    (project / "ragjudge.yml").write_text("dsl: dify/*.yml\n", "utf-8")
    assert run(["dsl", "lint", "--language", "en"]) == 0
    assert "dify/bot.yml" in capsys.readouterr().out


def test_every_broken_file_is_told_at_once(project, capsys):
    """One unreadable file does not hide the findings in the next."""
    (project / "a.yml").write_text("app: [\n", "utf-8")
    (project / "b.yml").write_text("<<<<<<< HEAD\n", "utf-8")

    assert run(["dsl", "lint", "a.yml", "b.yml", "--language", "en"]) == 2

    told = capsys.readouterr()
    assert "a.yml:" in told.out + told.err
    assert "b.yml:1" in told.out + told.err


def test_a_check_reports_the_changes_since_a_revision(tmp_path, monkeypatch):
    """`check --dsl-base REV`: the report says what changed since HEAD left REV, and what was judged."""
    from ragjudge.demo.corpus import load_corpus
    from ragjudge.demo.definition import load_app
    from ragjudge.demo.packaged import APP, CORPUS, DEGRADED_APP
    from ragjudge.demo.server import DemoServer, ServerOptions

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DIFY_API_KEY", "app-test-0123456789")
    (tmp_path / "suite.json").write_text(
        '[{"id": 1, "question": "日当は?", "answer": "2,500円です。"}]', "utf-8"
    )
    (tmp_path / "app.yml").write_bytes(APP.read_bytes())
    (tmp_path / "app-old.yml").write_text(APP.read_text("utf-8").replace("name: ", "name: 旧", 1), "utf-8")
    with DemoServer(load_app(APP), load_corpus(CORPUS), ServerOptions(api_key="app-test-0123456789")) as app:
        (tmp_path / "ragjudge.yml").write_text(
            f"suite: suite.json\ndsl: app*.yml\napp: {{base_url: {app.base_url}, inputs: {{Entity: 本社, Category: 出張}}}}\n"
            "judge: {provider: offline}\nreport: {language: ja}\n",
            "utf-8",
        )
        for command in (
            ["init", "-q"],
            ["add", "."],
            ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "first"],
        ):
            subprocess.run(["git", *command], check=True)
        (tmp_path / "app.yml").write_bytes(DEGRADED_APP.read_bytes())
        (tmp_path / "app-old.yml").unlink()

        code = run(["check", "--quiet", "--dsl-base", "HEAD"])
        unknown = run(["check", "--quiet", "--dsl-base", "nowhere"])

    report = (tmp_path / ".ragjudge/report.md").read_text("utf-8")
    assert code == 0
    assert "#### アプリの変更点" in report
    assert "が削除されました(app-old.yml がありません)" in report
    assert "APIキーだけでは" in report
    assert unknown == 2


@pytest.fixture
def server(monkeypatch):
    """A Dify whose plugin of the export is missing and whose DSL is older than the export's."""
    from tests.console_server import EMAIL, PASSWORD
    from tests.preview_app import console

    with console("1.9.2") as server:
        server.workspace.import_dsl(written(data_of("chat") | {"version": "0.4.0"}).decode(), None, "someone")
        monkeypatch.setenv("DIFY_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("DIFY_CONSOLE_EMAIL", EMAIL)
        monkeypatch.setenv("DIFY_CONSOLE_PASSWORD", PASSWORD)
        yield server


def lint_for_server(project, *arguments):
    data = data_of("chatflow") | {"version": "0.6.0"}
    entry = {"type": "marketplace", "value": {"marketplace_plugin_unique_identifier": "octo/planted:1@0"}}
    data["dependencies"] = [*data["dependencies"], entry]
    (project / "dify/bot.yml").write_bytes(written(data))
    text = (project / "dify/bot.yml").read_text("utf-8").splitlines()
    [version] = [n for n, line in enumerate(text, 1) if line.startswith("version:")]
    [plugin] = [n for n, line in enumerate(text, 1) if "octo/planted" in line]
    code = run(["dsl", "lint", "dify/bot.yml", "--language", "en", *arguments])
    return code, version, plugin


def test_lint_asks_the_server_and_names_what_does_not_fit_by_line(project, server, capsys):
    """A newer DSL and a missing plugin, each on its own line; nothing is left or changed on the server."""
    server.workspace.plugins |= {
        e["value"]["marketplace_plugin_unique_identifier"].partition(":")[0]
        for e in data_of("chatflow")["dependencies"]
    }
    code, version, plugin = lint_for_server(project, "--server")

    out = capsys.readouterr().out
    assert code == 0
    assert f"⚠ dify/bot.yml:{version}: The export has DSL version 0.6.0; the server knows 0.4.0." in out
    [line] = [line for line in out.splitlines() if "octo/planted is not installed" in line]
    assert int(line.split(":")[1]) in range(plugin - 2, plugin + 1)
    assert len(server.apps) == 1
    assert {path for method, path in server.calls if method == "POST"} == {
        "/console/api/login",
        "/console/api/logout",
    }


def test_what_does_not_fit_can_be_an_error_by_config(project, server, capsys):
    """`dsl.severity` decides, and a config that previews asks the server without being told to."""
    (project / "ragjudge.yml").write_text("dsl: {preview: true, severity: {newer_dsl: error}}\n", "utf-8")

    assert lint_for_server(project)[0] == 2
    assert "✗ dify/bot.yml" in capsys.readouterr().out
    assert lint_for_server(project, "--no-server")[0] == 0


def test_without_credentials_or_server_the_other_findings_stay(project, server, monkeypatch, capsys):
    """One line says why the server was not asked; the exit code is that of the findings."""
    with monkeypatch.context() as fresh:
        fresh.delenv("DIFY_CONSOLE_PASSWORD")
        fresh.delenv("DIFY_CONSOLE_EMAIL")
        assert lint_for_server(project, "--server")[0] == 0
        told = capsys.readouterr()
        assert told.err.count("\n") == 1
        assert "no console credentials are given" in told.err

    monkeypatch.setenv("DIFY_CONSOLE_PASSWORD", "wrong")
    assert lint_for_server(project, "--server")[0] == 0
    told = capsys.readouterr()
    assert "⚠ The server was not asked (DSL version, plugins): The console refused" in told.err
    assert "✓ dify/bot.yml" in told.out


def test_a_pull_requests_own_config_does_not_get_the_password(project, server, monkeypatch, capsys):
    """In a pull request's job an address of the config is not asked; the rest of the lint stands."""
    monkeypatch.delenv("DIFY_BASE_URL")
    monkeypatch.setenv("GITHUB_EVENT_NAME", "pull_request")
    config = f"app: {{base_url: {server.url}/v1}}\ndsl: {{preview: true}}\n"
    (project / "ragjudge.yml").write_text(config, "utf-8")

    assert lint_for_server(project)[0] == 0
    assert server.calls == []
    assert "not taken from app.base_url" in capsys.readouterr().err
