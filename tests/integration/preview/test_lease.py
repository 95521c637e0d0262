"""The whole life of a preview app on a loopback console: made, verified, asked, gone."""

import asyncio
from datetime import UTC, datetime

import pytest

from ragjudge.demo.server.wire import Reply
from ragjudge.dify.client import DifyApp
from ragjudge.errors import ConsoleMisconfigured, DslFault, PreviewDisturbed
from ragjudge.preview.leased import leased
from ragjudge.preview.naming import Owner, named
from tests.dify_app import question
from tests.dify_server import RealClock
from tests.fakes import FakeClock
from tests.preview_app import (
    DATASET,
    GONE,
    agent_dsl,
    basic_dsl,
    console,
    dsl,
    failing,
    lend,
    loaded,
    person,
    preview,
    settings,
    with_agent_node,
    written,
)

TRAVEL = {"Entity": "本社", "Category": "旅費"}
BOTH = pytest.mark.parametrize("release", ["1.9.2", "1.14.2"])


def only(server):
    (app,) = server.apps
    return app


async def ask(lease):
    """Probe and one question, by the real connector."""
    app = DifyApp(lease.app, clock=RealClock())
    try:
        identity = await app.probe()
        return identity, await app.ask(question("国内出張の日当はいくらですか。", inputs=TRAVEL))
    finally:
        await app.close()


@BOTH
def test_a_chatflow_is_published_asked_and_gone(release):
    """The answer comes from the version that was verified; afterwards neither key nor app is left."""
    with console(release) as server:
        notes = []

        async def use(lease):
            app = only(server)
            assert app.identity["name"].startswith("PR 123: 社内規程アシスタント [ragjudge ")
            assert app.versions[0].marked_name == "PR 123"
            assert app.versions[0].marked_comment == "ragjudge abcdef0123"
            return lease, await ask(lease), app.versions[0].id

        version = "0.4.0" if release == "1.9.2" else "0.6.0"
        lease, (identity, answer), published = lend(
            server, preview(dsl(dataset=DATASET, version=version)), use, notes=notes
        )
        assert lease.proof.equal
        assert lease.proof.workflow_id == published == answer.workflow_id
        assert identity.name.startswith("PR 123")
        assert answer.contexts
        assert server.apps == []
        assert server.living_keys == []
        assert notes == []


@BOTH
def test_a_basic_app_needs_no_publishing(release):
    """A basic chat app serves its config at once: no version, the same end."""
    with console(release) as server:
        content = basic_dsl()

        async def use(lease):
            return lease, await ask(lease)

        lease, (identity, _) = lend(server, preview(content), use)
        assert (lease.proof.workflow_id, lease.app.workflow_id, identity.mode) == (None, None, "chat")
        assert server.apps == []
        assert not [call for call in server.calls if "publish" in call[1]]


def test_the_key_is_in_no_text_of_the_lease():
    """Key and injected secrets are listed for redaction and shown by no repr."""
    with console() as server:
        lease = lend(server, preview(dsl(secret=True), CRM_TOKEN="tok-9f8e7d"))
        (token,) = server.tokens
        assert lease.secrets == (token, "tok-9f8e7d")
        assert token not in repr(lease)
        assert "tok-9f8e7d" not in repr(lease)


def test_the_given_secret_reaches_the_app():
    """An export leaves a secret empty; the app that is judged has the run's value."""
    with console() as server:

        async def use(lease):
            return only(server).versions[0].content["environment_variables"][0]["value"]

        assert lend(server, preview(dsl(secret=True), CRM_TOKEN="tok-9f8e7d"), use) == "tok-9f8e7d"


def test_a_secret_without_a_value_stops_before_anything_is_sent():
    """Dify would say completed and run with an empty secret."""
    with console() as server:
        error = lend(server, preview(dsl(secret=True)))
        assert isinstance(error, DslFault)
        assert "DIFY_ENV_CRM_TOKEN" in error.in_language("en")
        assert "シークレット変数「CRM_TOKEN」" in error.in_language("ja")
        assert server.calls == []


def test_a_dataset_of_another_workspace_is_told_and_nothing_stays():
    """Dify drops it and says completed; we name the node and its line, and remove the app."""
    with console() as server:
        error = lend(server, preview(dsl(dataset="q9y3mJr1l1m0bZr1C3Jm8s8fZ8cQv3Zr0bWcJrQ7l3p6")))
        assert isinstance(error, DslFault)
        (problem,) = error.problems
        assert "not in this workspace" in problem.what.en
        assert problem.place.line > 1
        assert (server.apps, server.tokens) == ([], [])


def test_a_plain_dataset_id_that_does_not_exist_is_told():
    """A plain id is kept by the import and gives empty retrievals: found by asking for it."""
    with console() as server:
        for content in (dsl(dataset=GONE), basic_dsl(dataset=GONE), agent_dsl(GONE), with_agent_node(GONE)):
            error = lend(server, preview(content))
            assert isinstance(error, DslFault)
            (problem,) = error.problems
            assert "does not have" in problem.what.en
            assert GONE in "".join(content.decode().splitlines(keepends=True)[problem.place.line - 1 :][:3])
            assert server.apps == []


def test_knowledge_that_an_agent_does_not_use_is_not_asked_for():
    """A base that is switched off in the agent's tools changes no answer."""
    with console() as server:
        assert lend(server, preview(agent_dsl(GONE, enabled=False))).proof.equal


def test_a_missing_plugin_is_told_and_nothing_stays():
    """Import and publish would succeed; only a run would fail."""
    with console() as server:
        server.workspace.plugins.clear()
        error = lend(server, preview(dsl()))
        assert isinstance(error, DslFault)
        assert "example/extractive:0.1.0 is not installed" in error.in_language("en")
        line = dsl().decode().splitlines()[error.problems[0].place.line - 1]
        assert line.startswith("- ")  # the entry itself, not the list that it stands in
        assert server.apps == []


@pytest.mark.parametrize(("version", "noted"), [("0.5.0", True), ("9.0.0", True), ("0.6.0", False)])
def test_older_and_newer_dsl_are_imported_and_noted(version, noted):
    """A warning is told; a pending import is confirmed; both are compared with the server's export."""
    with console() as server:
        lease = lend(server, preview(dsl(version=version)))
        assert lease.proof.equal
        assert bool(lease.notes) is noted
        assert not noted or f"version {version}, the server 0.6.0" in lease.notes[0].en


def test_what_the_server_changed_is_in_the_proof():
    """A server that alters the DSL is not passed off as the pull request's."""
    with console() as server:

        def alter(_account, method, path):
            if (method, path) == ("POST", "/console/api/apps/imports"):
                only(server).draft.content["features"]["opening_statement"] = "こんにちは"

        server.on_served = alter
        lease = lend(server, preview(dsl()))
        assert lease.proof.differing == ("workflow.features.opening_statement",)
        assert not lease.proof.equal
        assert "opening_statement" in lease.proof.text.ja


def test_a_change_by_somebody_else_while_publishing_is_noticed():
    """The published hash must be the draft's."""
    with console() as server:

        def meddle(_account, method, path):
            if method == "POST" and path.endswith("/workflows/publish"):
                only(server).draft.content["graph"]["edges"] = []

        server.on_served = meddle
        assert isinstance(lend(server, preview(dsl())), PreviewDisturbed)
        assert server.apps == []


def test_an_error_of_the_run_leaves_nothing_behind():
    """Whatever the judging raises passes through, after the app is gone."""
    with console() as server:

        async def use(_lease):
            raise RuntimeError("judge fell over")

        with pytest.raises(RuntimeError, match="fell over"):
            lend(server, preview(dsl()), use)
        assert (server.apps, server.living_keys) == ([], [])


def test_cancelling_at_every_call_leaves_nothing_behind():
    """A cancelled job (Ctrl+C, SIGTERM) removes what it made, whichever call it was in."""
    with console() as probe:
        lend(probe, preview(dsl(dataset=DATASET)))
        calls = len(probe.calls)
    for point in range(1, calls + 1):
        with console() as server:
            _cancelled_at(server, point)
            assert (server.apps, server.living_keys) == ([], []), f"call {point}: {server.calls[point - 1]}"


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("kind", ["chatflow", "agent"])
def test_an_error_in_any_call_leaves_nothing_behind_untold(kind, when):
    """Whether the call took effect or not; what cannot be deleted is told by name."""
    content = dsl(dataset=DATASET) if kind == "chatflow" else agent_dsl()
    stayed = []
    for point in range(1, 99):
        with console() as server:
            notes = []
            failing(server, point, when)
            lend(server, preview(content), notes=notes)
            if len(server.calls) < point:
                break
            if server.apps or server.living_keys:
                method, path = server.calls[point - 1]
                stayed.append((method, path.rpartition("/")[2][:8]))
                assert only(server).identity["name"] in notes[-1].en
    removal = {("GET", "api-keys"), ("DELETE", "key"), ("DELETE", "app")}
    assert len(stayed) <= len(removal)
    assert all(method == "DELETE" or last == "api-keys" for method, last in stayed), stayed


def _cancelled_at(server, point):
    async def run():
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        seen = 0

        def cancel(*_):
            nonlocal seen
            seen += 1
            if seen == point:
                loop.call_soon_threadsafe(task.cancel)

        server.on_served = cancel
        async with leased(
            preview(dsl(dataset=DATASET)),
            settings(server),
            person(),
            clock=RealClock(),
            now=lambda: datetime.now(UTC),
        ):
            await asyncio.sleep(0)

    try:
        asyncio.run(run())
    except asyncio.CancelledError:
        return


def test_two_pull_requests_do_not_meet():
    """Previews that run at the same time have apps, versions and keys of their own."""
    with console() as server:

        async def one(number):
            content = dsl(dataset=DATASET)
            async with leased(
                preview(content, Owner("octo/bot", number)),
                settings(server),
                person(),
                clock=RealClock(),
                now=lambda: datetime.fromtimestamp(server.workspace.now, UTC),
            ) as lease:
                await gate.wait()
                _, answer = await ask(lease)
                return lease.proof.workflow_id, answer.workflow_id, lease.app.api_key.get_secret_value()

        async def both():
            return await asyncio.gather(one(1), one(2))

        gate = asyncio.Barrier(2)
        (first, asked_first, key_first), (second, asked_second, key_second) = asyncio.run(both())
        assert (first, second) == (asked_first, asked_second)
        assert first != second
        assert key_first != key_second
        assert server.apps == []


def test_a_lost_reply_to_the_import_is_no_lost_app():
    """The import took effect and its reply got lost: the app is found by its name and used."""
    with console() as server:
        page = Reply(504, b"<html><title>504 Gateway Time-out</title>", "text/html")
        server.on_served = lambda _account, _method, path: page if path.endswith("/apps/imports") else None
        lease = lend(server, preview(dsl()))
        assert lease.proof.equal
        assert server.apps == []


def test_a_session_that_expires_during_the_run_does_not_leave_the_app():
    """A suite may take longer than a session lasts, and the server may be restarted meanwhile."""
    with console() as server:

        async def use(_lease):
            server.expire_sessions(refresh=True)

        notes = []
        lend(server, preview(dsl()), use, notes=notes)
        assert (server.apps, server.living_keys, notes) == ([], [], [])


def test_an_outcome_of_a_server_to_come_is_settled_by_comparing():
    """A word that no recorded server says: what counts is that the app is there and equals the file."""
    with console() as server:
        body = b'{"id": "1", "status": "completed-with-a-smile", "app_id": "x"}'
        server.on_served = lambda _account, _m, path: Reply(200, body) if path.endswith("/imports") else None
        assert lend(server, preview(dsl())).proof.equal
        assert server.apps == []


def test_an_app_that_cannot_be_removed_is_told_and_changes_nothing():
    """Trouble after the judging is a note with the app's name."""
    with console() as server:
        notes = []

        async def use(lease):
            server.answer_first = lambda method, _path: Reply(500, b"{}") if method == "DELETE" else None
            return "judged"

        assert lend(server, preview(dsl()), use, notes=notes) == "judged"
        assert len(server.apps) == 1
        assert "could not be removed" in notes[-1].en
        assert "PR 123" in notes[-1].ja


def test_an_editor_may_not_delete_keys_and_leaves_none_all_the_same():
    """Dify lets editors make keys and only admins delete them; the key goes with its app."""
    with console() as server:
        notes = []
        body = b'{"code": "forbidden", "message": "Forbidden", "status": 403}'
        server.answer_first = lambda m, p: Reply(403, body) if m == "DELETE" and "/api-keys/" in p else None
        assert lend(server, preview(dsl()), notes=notes).proof.equal
        assert (server.apps, server.living_keys, notes) == ([], [], [])


def test_leftovers_are_swept_by_owner_or_age_and_nobody_elses():
    """Ours at once, others' when stale, and never an app without both our marks."""
    with console() as server:
        space = server.workspace
        hours = 3600

        def left(owner, age_h, **changes):
            called = named(owner, "bot", "0123abcd")
            document = loaded(dsl())
            document["app"] |= {"name": called.name, "description": called.description} | changes
            done = space.import_dsl(written(document).decode(), None, "ci@example.com")
            space.apps[done["app_id"]].created_at = space.now - age_h * hours
            space.apps[done["app_id"]].keys["k"] = f"app-left-{age_h}"
            return done["app_id"]

        ours = left(Owner("octo/bot", 123), 0)
        fresh, stale = left(Owner("octo/bot", 7), 1), left(Owner("octo/bot", 8), 7)
        own_name = left(Owner("octo/bot", 9), 99, name="ragjudge の検証用アプリ")
        own_words = left(Owner("octo/bot", 9), 99, description="残しておく")
        lease = lend(server, preview(dsl()))
        assert set(space.apps) == {fresh, own_name, own_words}
        assert len(lease.notes) == 2
        assert {ours, stale}.isdisjoint(space.apps)


def test_stale_is_measured_by_the_servers_clock():
    """A runner with a wrong clock must not sweep a living preview."""
    with console() as server:
        space = server.workspace
        server.shown_time = space.now

        async def other_pr_with_a_fast_clock(_lease):
            async with leased(
                preview(dsl(), Owner("octo/bot", 124)),
                settings(server),
                person(),
                clock=FakeClock(),
                now=lambda: datetime.fromtimestamp(space.now + 999_999, UTC),
            ):
                return len(server.apps)

        assert lend(server, preview(dsl()), other_pr_with_a_fast_clock) == 2


def test_a_refused_import_is_quoted():
    """What Dify says about a file it does not take reaches the user."""
    with console() as server:
        body = b'{"id": "1", "status": "failed", "app_id": null, "error": "Invalid app mode"}'
        server.answer_first = lambda m, p: Reply(400, body) if p.endswith("/apps/imports") else None
        error = lend(server, preview(dsl()))
        assert isinstance(error, ConsoleMisconfigured)
        assert "Invalid app mode" in error.in_language("ja")


def test_a_complaint_that_quotes_the_dsl_shows_no_secret():
    """Dify's YAML errors show the line; the injected value stays out of the message."""
    with console() as server:
        body = b'{"id": "1", "status": "failed", "app_id": null, "error": "near: value: tok-9f8e7d6c"}'
        server.answer_first = lambda m, p: Reply(400, body) if p.endswith("/apps/imports") else None
        error = lend(server, preview(dsl(secret=True), CRM_TOKEN="tok-9f8e7d6c"))
        assert "near: value: ***" in error.in_language("en")
        assert "tok-9f8e7d6c" not in str(error) + error.in_language("ja")
