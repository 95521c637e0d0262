"""One staging app: overwritten, verified, checked while in use, and put back."""

import asyncio
import copy
import json
import threading
from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from ragjudge.cli.dsl_push import command
from ragjudge.errors import ConsoleMisconfigured, DslFault, PreviewDisturbed, RagjudgeError, UsageFault
from ragjudge.preview import restoring, staging
from ragjudge.preview.leased import at_console
from ragjudge.preview.restoring import Pushed
from ragjudge.preview.staging import Push
from tests.console_server import EMAIL, PASSWORD
from tests.dify_server import RealClock
from tests.fakes import FakeClock
from tests.preview_app import (
    BROKEN,
    DATASET,
    GONE,
    SECRET,
    agent_dsl,
    basic_dsl,
    console,
    dsl,
    failing,
    loaded,
    person,
    settings,
    with_agent_node,
    written,
)

pytestmark = pytest.mark.slow

KINDS = pytest.mark.parametrize("kind", ["chatflow", "basic"])
OWN_NAME = "規程ボット(ステージング)"


@pytest.fixture
def server():
    with console() as one:
        yield one


def staged(server, content: bytes | None = None):
    """The team's staging app, published once."""
    document = loaded(content or dsl(dataset=DATASET))
    document["app"] |= {"name": OWN_NAME}
    done = server.workspace.import_dsl(written(document).decode(), None, EMAIL)
    app = server.workspace.apps[done["app_id"]]
    if app.draft is not None:
        server.workspace.publish(app, "v1", "")
    return app


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch):
    """These tests may run in a pull request's job themselves."""
    for name in ("GITHUB_EVENT_NAME", "DIFY_BASE_URL", "DIFY_CONSOLE_URL", "DIFY_ADMIN_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def at(server, work):
    try:
        return at_console(settings(server), person(), work, clock=FakeClock())
    except RagjudgeError as error:
        return error


def push(server, app, content, **more):
    wanted = Push(content, "dify/bot.yml", app.id, mark="PR 123", **more)
    return at(server, lambda console: staging.push(console, wanted))


def with_prompt(text: str, **more) -> bytes:
    document = loaded(dsl(dataset=DATASET, **more))
    document["workflow"]["features"]["opening_statement"] = text
    return written(document)


def opening(workflow) -> str:
    return workflow.content["features"]["opening_statement"]


def test_a_push_is_published_and_keeps_the_apps_own_name(server):
    """The import would rename the app at once; its users must not notice."""
    app = staged(server)
    former = app.versions[0].id
    done = push(server, app, with_prompt("新"))
    assert (done.workflow_id, done.former_workflow_id) == (app.versions[0].id, former)
    assert (opening(app.versions[0]), app.versions[0].marked_name) == ("新", "PR 123")
    assert app.identity["name"] == OWN_NAME
    assert done.differing == ()


def test_restore_publishes_the_former_version_with_its_secrets(server):
    """After the run the app answers as before; a secret is not blanked on the way."""
    document = loaded(with_prompt("旧"))
    document["workflow"]["environment_variables"] = [SECRET | {"value": "old-secret"}]
    app = staged(server, written(document))
    done = push(server, app, with_prompt("新", secret=True), secrets={"CRM_TOKEN": SecretStr("new-secret")})
    assert app.versions[0].content["environment_variables"][0]["value"] == "new-secret"
    version = at(server, lambda console: restoring.restore(console, done))
    assert version.id == app.versions[0].id
    assert opening(app.versions[0]) == "旧"
    assert app.versions[0].content["environment_variables"][0]["value"] == "old-secret"
    assert "secret" not in done.model_dump_json()


def test_a_secret_that_the_app_has_is_kept_without_a_value(server):
    """An export has an empty secret; pushed as it is, it would blank the app's own."""
    document = loaded(dsl(dataset=DATASET))
    document["workflow"]["environment_variables"] = [SECRET | {"value": "old-secret"}]
    app = staged(server, written(document))
    push(server, app, dsl(dataset=DATASET, secret=True))
    assert app.versions[0].content["environment_variables"][0]["value"] == "old-secret"


def test_the_check_notices_another_push(server):
    """Two pull requests on one app: the first learns that its version is served no more, and restores nothing."""
    app = staged(server)
    first = push(server, app, with_prompt("1"))
    assert at(server, lambda console: restoring.check(console, first)) is None
    push(server, app, with_prompt("2"))
    assert isinstance(at(server, lambda console: restoring.check(console, first)), PreviewDisturbed)
    assert isinstance(at(server, lambda console: restoring.restore(console, first)), PreviewDisturbed)
    assert opening(app.versions[0]) == "2"
    at(server, lambda console: restoring.restore(console, first, force=True))
    assert opening(app.versions[0]) != "2"


def test_unpublished_edits_are_not_overwritten_unasked(server):
    """Somebody works in the draft: the push stops before it touches anything."""
    app = staged(server)
    app.draft.content["features"]["opening_statement"] = "編集中"
    assert isinstance(push(server, app, with_prompt("新")), UsageFault)
    assert opening(app.draft) == "編集中"
    assert push(server, app, with_prompt("新"), overwrite_draft=True).workflow_id == app.versions[0].id


def test_a_restore_does_not_drop_what_a_colleague_edits_meanwhile(server):
    """The draft of the pushed version was changed while the suite ran: told, nothing sent, and done when asked."""
    app = staged(server, with_prompt("旧"))
    done = push(server, app, with_prompt("新"))
    app.draft.content["features"]["opening_statement"] = "編集中"
    for force in (False, True):
        error = at(server, lambda console, force=force: restoring.restore(console, done, force=force))
        assert isinstance(error, UsageFault)
        assert "--overwrite-draft" in error.in_language("ja")
        assert (opening(app.draft), opening(app.versions[0]), len(app.versions)) == ("編集中", "新", 2)
    at(server, lambda console: restoring.restore(console, done, overwrite_draft=True))
    assert (opening(app.draft), opening(app.versions[0])) == ("旧", "旧")


@pytest.mark.parametrize("where", ["viewport", "selected"])
def test_looking_at_the_canvas_is_no_edit(server, where):
    """Dify's editor stores the view and the selection in the draft when a page is closed."""
    app = staged(server, with_prompt("旧"))

    def look():
        graph = app.draft.content["graph"]
        if where == "viewport":
            graph["viewport"] = {"x": 7, "y": 8, "zoom": len(app.versions)}
        else:
            node = graph["nodes"][0]
            node["selected"] = node["data"]["selected"] = not node.get("selected")

    look()
    done = push(server, app, with_prompt("新"))
    look()
    at(server, lambda console: restoring.restore(console, done))
    assert opening(app.versions[0]) == "旧"


@pytest.mark.parametrize("draft", ["新", "編集中"])
def test_a_restore_that_fails_leaves_draft_and_version_as_they_were(server, draft):
    """Publishing is refused after the former version went into the draft: not even dropped edits are lost."""
    app = staged(server, with_prompt("旧"))
    done = push(server, app, with_prompt("新"))
    app.draft.content["features"]["opening_statement"] = draft
    server.answer_first = lambda m, p: BROKEN if (m, p[-8:]) == ("POST", "/publish") else None
    error = at(server, lambda console: restoring.restore(console, done, overwrite_draft=True))
    assert isinstance(error, ConsoleMisconfigured)
    assert (opening(app.draft), opening(app.versions[0])) == (draft, "新")


def test_a_restore_that_broke_off_can_be_started_again(server):
    """A job was killed between import and publish: the former version in the draft is nobody's edit."""
    app = staged(server, with_prompt("旧"))
    done = push(server, app, with_prompt("新"))
    app.draft.content = copy.deepcopy(app.versions[1].content)
    at(server, lambda console: restoring.restore(console, done))
    assert opening(app.versions[0]) == "旧"


@pytest.mark.parametrize("trouble", ["dataset", "plugin", "publish", "plain dataset", "agent's dataset"])
def test_trouble_on_the_way_leaves_the_app_as_it_was(server, trouble):
    """Draft, served version and name are the former ones whatever went wrong."""
    app = staged(server, with_prompt("旧"))
    content = with_prompt("新")
    if trouble == "dataset":
        content = dsl(dataset="q9y3mJr1l1m0bZr1C3Jm8s8fZ8cQv3Zr0bWcJrQ7l3p6")
    if trouble == "plugin":
        server.workspace.plugins.clear()
    if trouble == "plain dataset":
        content = dsl(dataset=GONE)
    if trouble == "agent's dataset":
        content = with_agent_node(GONE)
    if trouble == "publish":
        server.answer_first = lambda m, p: BROKEN if (m, p[-8:]) == ("POST", "/publish") else None
    error = push(server, app, content)
    assert isinstance(error, ConsoleMisconfigured if trouble == "publish" else DslFault)
    assert (opening(app.draft), opening(app.versions[0])) == ("旧", "旧")
    assert len(app.versions) == 1
    assert app.identity["name"] == OWN_NAME


@pytest.mark.parametrize("mark", ["同僚", "PR 123"])
def test_a_push_that_fails_takes_away_nothing_that_a_colleague_published(server, mark):
    """Somebody publishes while the push finds a plugin missing: their version and draft stay."""
    app = staged(server, with_prompt("旧"))
    server.workspace.plugins.clear()

    def publish(_account, _method, path):
        if path.endswith("/check-dependencies"):
            app.draft.content["features"]["opening_statement"] = "同僚"
            server.workspace.publish(app, mark, "")

    server.on_served = publish
    assert isinstance(push(server, app, with_prompt("新")), DslFault)
    assert (opening(app.draft), opening(app.versions[0]), len(app.versions)) == ("同僚", "同僚", 2)


@pytest.mark.parametrize("published", [False, True])
def test_a_push_that_fails_takes_away_nothing_that_a_colleague_edits(server, published):
    """The draft was changed after ours had arrived; where ours is served already, the former version is again."""
    app = staged(server, with_prompt("旧"))
    calls = []

    def edit(_account, method, path):
        calls.append((method, path.rpartition("/")[2]))
        if calls[-1] != ("POST", "publish") or calls.count(calls[-1]) > 1:
            return None
        app.draft.content["features"]["opening_statement"] = "編集中"
        if not published:
            app.versions.pop(0)
        return BROKEN

    server.on_served = edit
    assert isinstance(push(server, app, with_prompt("新")), ConsoleMisconfigured)
    assert (opening(app.draft), opening(app.versions[0])) == ("編集中", "旧")


@KINDS
def test_an_error_in_any_call_leaves_the_app_as_it_was(kind):
    """Whether the call took effect or not: draft, served version, config and name are the former ones."""
    ends = set()
    for fault in faults(calls_of(kind)):
        with console() as server:
            app = staged(server, content_of(kind, "旧"))
            failing(server, *fault)
            ends.add(end_of(app, push(server, app, content_of(kind, "新"))))
    assert ends == {"旧", "新"}  # an error in signing out concerns nobody


@KINDS
def test_cancelling_in_any_call_leaves_the_app_as_it_was(kind):
    """Ctrl+C or a cancelled job: put back before the process ends, or done with a record from which to restore."""
    ends = set()
    for point in range(1, len(calls_of(kind)) + 1):
        with console() as server:
            app = staged(server, content_of(kind, "旧"))
            ends.add(
                end_of(app, _cancelled_at(server, point, Push(content_of(kind, "新"), "bot.yml", app.id)))
            )
    assert ends == {"旧", "新"}


@KINDS
def test_cancelling_before_the_server_is_done_leaves_no_late_effect(kind):
    """A slow server still imports when the job is cancelled: it is waited for, and then put back."""
    writes = [point for point, when in faults(calls_of(kind)) if when == "after"][1:-1]
    assert len(writes) == (2 if kind == "chatflow" else 1)
    for point in writes:
        with console() as server:
            app = staged(server, content_of(kind, "旧"))
            overtaken, late = threading.Event(), []

            def work_slowly(method, path, server=server, point=point, overtaken=overtaken, late=late):
                if len(server.calls) == point:
                    late.append(threading.current_thread())
                    server.cancel()
                    overtaken.wait(0.3)
                elif (method, path.rpartition("/")[2]) in (("POST", "imports"), ("POST", "model-config")):
                    threading.Timer(0.05, overtaken.set).start()

            server.answer_first = work_slowly
            done = _cancelled_at(server, 0, Push(content_of(kind, "新"), "bot.yml", app.id))
            late[0].join(5)
            assert end_of(app, done) == "旧"


def _cancelled_at(server, point: int, wanted: Push):
    """`point` 0: when the server's `cancel` is called."""
    records = []

    async def cancelled(console):
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def cancel(*_):
            if len(server.calls) == point:
                server.cancel()

        server.cancel = lambda: loop.call_soon_threadsafe(task.cancel)
        server.on_served = cancel
        return await staging.push(console, wanted, keep=records.append)

    try:
        return at_console(settings(server), person(), cancelled, clock=RealClock())
    except asyncio.CancelledError as error:
        return records.pop() if records else error


@KINDS
def test_a_restore_with_an_error_in_any_call_is_done_by_the_next(kind):
    """Draft and version belong together at each moment, and nobody has to force anything."""
    for point, when in faults(calls_of(kind, restored=True)):
        with console() as server:
            app = staged(server, content_of(kind, "旧"))
            done = push(server, app, content_of(kind, "新"))
            failing(server, len(server.calls) + point, when)
            at(server, lambda c, d=done: restoring.restore(c, d))
            assert len(set(served_by(app))) == 1, (point, when)
            again = at(server, lambda c, d=done: restoring.restore(c, d))
            assert not isinstance(again, RagjudgeError), (point, when)
            assert served_by(app)[-1] == "旧"


def content_of(kind: str, text: str) -> bytes:
    return with_prompt(text) if kind == "chatflow" else basic_dsl(prompt=text)


def served_by(app) -> list[str]:
    """What the app says, its draft first."""
    return [app.config["pre_prompt"]] if app.config else [opening(app.draft), opening(app.versions[0])]


def calls_of(kind: str, *, restored: bool = False) -> list[tuple[str, str]]:
    """The calls of a push, or of the restore after one, that goes well."""
    with console() as server:
        done = push(server, staged(server, content_of(kind, "旧")), content_of(kind, "新"))
        before = len(server.calls) if restored else 0
        if restored:
            at(server, lambda console: restoring.restore(console, done))
        return server.calls[before:]


def faults(calls) -> Iterator[tuple[int, str]]:
    """Each call fails once before its effect and, where it has one, once after it."""
    for point, (method, _) in enumerate(calls, start=1):
        yield point, "before"
        if method != "GET":
            yield point, "after"


def end_of(app, done) -> str:
    """What the app says after a push that ended so: draft and version alike, under its own name."""
    expected = "新" if isinstance(done, Pushed) else "旧"
    assert set(served_by(app)) == {expected}, done
    assert app.identity["name"] == OWN_NAME
    return expected


@KINDS
def test_what_could_not_be_put_back_can_be_restored_later(kind):
    """From some call on the server refuses everything: the record is there, and the message says what to do with it."""
    told = 0
    for point in range(1, 99):
        with console() as server:
            app, records = staged(server, content_of(kind, "旧")), []
            server.answer_first = lambda *_, s=server, p=point: BROKEN if len(s.calls) >= p else None
            wanted = Push(content_of(kind, "新"), "dify/bot.yml", app.id, mark="PR 123")
            done = at(server, lambda c, w=wanted, r=records: staging.push(c, w, keep=r.append))
            if isinstance(done, Pushed):
                break
            server.answer_first = lambda *_: None
            if records:
                told += "--restore --force --overwrite-draft" in done.in_language("ja")
                (record,) = records
                at(server, lambda c, r=record: restoring.restore(c, r, force=True, overwrite_draft=True))
            served = (
                [app.config["pre_prompt"]] if app.config else [opening(app.draft), opening(app.versions[0])]
            )
            assert set(served) == {"旧"}, server.calls[point - 1]
    assert told == (9 if kind == "chatflow" else 4)


@KINDS
def test_a_restore_that_was_cut_off_after_its_effect_is_found_done(server, kind):
    """Nobody else published: the reply was lost, or the record could not be marked."""
    app = staged(server, content_of(kind, "旧"))
    done = push(server, app, content_of(kind, "新"))
    first = at(server, lambda console: restoring.restore(console, done))
    versions = len(app.versions)
    assert at(server, lambda console: restoring.restore(console, done)) == first
    assert len(app.versions) == versions


def test_a_file_of_another_mode_is_refused_before_anything_is_sent(server):
    """Dify says completed and breaks the app."""
    app = staged(server)
    error = push(server, app, basic_dsl())
    assert isinstance(error, DslFault)
    assert "advanced-chat" in error.in_language("en")
    assert not [path for method, path in server.calls if method == "POST" and "apps" in path]


def test_a_basic_app_is_pushed_and_restored_by_its_config(server):
    """Basic apps have no versions: the config goes live at once, and the record holds the former one."""
    app = staged(server, basic_dsl(prompt="旧"))
    done = push(server, app, basic_dsl(prompt="新"))
    assert (app.config["pre_prompt"], done.workflow_id) == ("新", None)
    assert at(server, lambda console: restoring.check(console, done)) is None
    at(server, lambda console: restoring.restore(console, done))
    assert app.config["pre_prompt"] == "旧"
    assert isinstance(at(server, lambda console: restoring.check(console, done)), PreviewDisturbed)


@pytest.mark.parametrize("kind", ["chat", "completion", "agent", "plugin"])
def test_a_basic_app_that_lacks_something_is_refused_before_anything_is_sent(server, kind):
    """The config would be live at once: its users would be answered without passages, or not at all."""
    app = staged(server, agent_dsl() if kind == "agent" else basic_dsl("chat" if kind == "plugin" else kind))
    content = agent_dsl(GONE) if kind == "agent" else basic_dsl(app.mode, dataset=GONE)
    if kind == "plugin":
        identifier = {"marketplace_plugin_unique_identifier": "example/other:0.1.0@0"}
        content = written(
            loaded(basic_dsl()) | {"dependencies": [{"type": "marketplace", "value": identifier}]}
        )
    error = push(server, app, content)
    assert isinstance(error, DslFault)
    (problem,) = error.problems
    assert ("does not have", "not installed")[kind == "plugin"] in problem.what.en
    assert problem.place.line > 1
    assert not [path for method, path in server.calls if (method, path[-13:]) == ("POST", "/model-config")]


def test_an_agent_is_pushed_with_its_knowledge(server):
    """What the workspace has is no trouble."""
    app = staged(server, agent_dsl(prompt="旧"))
    push(server, app, agent_dsl(prompt="新"))
    assert app.config["pre_prompt"] == "新"


def test_an_unknown_app_is_named_as_such(server):
    """The id comes from an address in the browser; a typing error is the usual cause."""
    wanted = Push(dsl(), "bot.yml", "00000000-1111-4222-8333-444444444444")
    error = at(server, lambda console: staging.push(console, wanted))
    assert isinstance(error, ConsoleMisconfigured)
    assert "/app/<id>/workflow" in error.in_language("en")


def test_the_command_pushes_checks_and_restores(server, tmp_path, monkeypatch, capsys):
    """The three steps of a workflow, as a person types them."""
    app = staged(server, with_prompt("旧"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DIFY_CONSOLE_EMAIL", EMAIL)
    monkeypatch.setenv("DIFY_CONSOLE_PASSWORD", PASSWORD)
    (tmp_path / "bot.yml").write_bytes(with_prompt("新"))
    config = {"app": {"base_url": f"{server.url}/v1"}, "report": {"language": "ja"}}
    (tmp_path / "ragjudge.yml").write_text(json.dumps(config))

    def run(*arguments):
        return command.main(args=list(arguments), standalone_mode=False, obj={})

    assert run("bot.yml", "--app", app.id, "--mark", "PR 5") == 0
    assert capsys.readouterr().out.strip() == app.versions[0].id
    assert run("--check") == 0
    assert run("--restore") == 0
    assert opening(app.versions[0]) == "旧"
    assert "元のバージョン" in capsys.readouterr().out
    with pytest.raises(PreviewDisturbed, match="The push was restored"):
        run("--check")
    versions, calls = len(app.versions), len(server.calls)
    assert run("--restore") == 0
    assert "何もする必要はありません" in capsys.readouterr().out
    assert (len(app.versions), len(server.calls)) == (versions, calls)
    assert run("--restore", "--force") == 0
    assert len(app.versions) == versions + 1
    assert run("bot.yml", "--app", app.id) == 0
    assert run("--check") == 0


def test_a_push_whose_record_cannot_be_written_is_taken_back(server, tmp_path, monkeypatch):
    """Without the record nobody could restore the app."""
    app = staged(server, with_prompt("旧"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DIFY_CONSOLE_EMAIL", EMAIL)
    monkeypatch.setenv("DIFY_CONSOLE_PASSWORD", PASSWORD)
    (tmp_path / "bot.yml").write_bytes(with_prompt("新"))
    (tmp_path / "ragjudge.yml").write_text(json.dumps({"app": {"base_url": f"{server.url}/v1"}}))
    arguments = ["bot.yml", "--app", app.id, "--record", "bot.yml/push.json"]
    with pytest.raises(RagjudgeError, match=r"push\.json"):
        command.main(args=arguments, standalone_mode=False, obj={})
    assert (opening(app.draft), opening(app.versions[0])) == ("旧", "旧")


def test_the_command_says_which_credentials_it_needs(tmp_path, monkeypatch):
    """Without them nothing can be pushed; half of a pair is an empty secret."""
    monkeypatch.chdir(tmp_path)
    for name in ("EMAIL", "PASSWORD"):
        monkeypatch.delenv(f"DIFY_CONSOLE_{name}", raising=False)
    monkeypatch.delenv("DIFY_ADMIN_API_KEY", raising=False)
    (tmp_path / "bot.yml").write_bytes(dsl())
    arguments = ["bot.yml", "--app", "x"]
    with pytest.raises(UsageFault, match="No console credentials"):
        command.main(args=arguments, standalone_mode=False, obj={})
    monkeypatch.setenv("DIFY_CONSOLE_EMAIL", EMAIL)
    with pytest.raises(ConsoleMisconfigured, match="DIFY_CONSOLE_PASSWORD is empty"):
        command.main(args=arguments, standalone_mode=False, obj={})


@pytest.mark.parametrize("setting", ["app", "dsl"])
def test_a_pull_requests_config_does_not_say_where_the_password_goes(server, tmp_path, monkeypatch, setting):
    """On pull_request the address comes from the workflow; the config is the pull request's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DIFY_CONSOLE_EMAIL", EMAIL)
    monkeypatch.setenv("DIFY_CONSOLE_PASSWORD", PASSWORD)
    monkeypatch.setenv("GITHUB_EVENT_NAME", "pull_request")
    monkeypatch.delenv("DIFY_BASE_URL", raising=False)
    (tmp_path / "bot.yml").write_bytes(dsl())
    config = {"app": {"base_url": f"{server.url}/v1"}, "dsl": {"console_url": server.url}}
    (tmp_path / "ragjudge.yml").write_text(json.dumps({setting: config[setting]}))
    arguments = ["bot.yml", "--app", staged(server).id, "--overwrite-draft"]
    with pytest.raises(UsageFault, match="On a pull request"):
        command.main(args=arguments, standalone_mode=False, obj={})
    assert server.calls == []
    monkeypatch.setenv("DIFY_CONSOLE_URL", server.url)
    assert command.main(args=arguments, standalone_mode=False, obj={}) == 0
