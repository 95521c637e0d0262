"""Files of a case, conversations left in the app, and passages looked for elsewhere."""

import json

import pytest
from pydantic import SecretStr

from ragjudge.dify.client import DifyApp
from ragjudge.errors import AppCouldNotAnswer, AppMisconfigured, AppUnreachable
from ragjudge.results.answer import ContextSource, MissingContexts
from ragjudge.results.outcome import Cause
from tests import dify_events as ev
from tests.dify_app import CHAT, question, with_app
from tests.dify_server import Reply, Request, ScriptedDify, error_reply, json_reply, stream_reply

FILES = {
    "file_upload": {
        "enabled": True,
        "allowed_file_types": ["image", "custom"],
        "allowed_file_extensions": [".DAT"],
        "allowed_file_upload_methods": ["local_file", "remote_url"],
        "number_limits": 2,
    },
    "system_parameters": {"image_file_size_limit": 1, "file_size_limit": 15},
}
SCAN = {
    "file": {
        "variable": "scan",
        "required": True,
        "allowed_file_types": ["document"],
        "allowed_file_upload_methods": ["local_file"],
    }
}
SCANS = {
    "file-list": {"variable": "scans", "required": False, "allowed_file_types": ["image"], "max_length": 2}
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.png").write_bytes(b"PNG")
    (tmp_path / "規程.pdf").write_bytes(b"PDF")
    (tmp_path / "big.jpg").write_bytes(b"x" * (1 << 20) + b"x")
    (tmp_path / "x.exe").write_bytes(b"MZ")
    (tmp_path.parent / "outside.png").write_bytes(b"PNG")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text("extraheader = AUTHORIZATION: basic x", "utf-8")
    (tmp_path / "link.dat").symlink_to(".git/config")
    return tmp_path


def upload(number: int) -> Reply:
    return json_reply({"id": f"up-{number}", "name": "x"}, 201)


def test_uploads_local_files_and_passes_addresses_on(folder):
    """With the question's user; each file as Dify names its kind and way."""
    files = ("a.png", "https://example.com/b.jpg?x=1")

    async def use(app: DifyApp, server: ScriptedDify):
        await app.ask(question(files=files))
        return server.asked("/files/upload")[0].raw, server.asked(CHAT)[0].json["files"]

    raw, sent = with_app(
        lambda s: (
            s.app(**FILES)
            .on("POST", "/files/upload", upload(1))
            .on("POST", CHAT, stream_reply(*ev.rag_flow()))
        ),
        use,
        base_dir=folder,
    )

    assert b'name="user"\r\n\r\nragjudge-run-1' in raw
    assert b'filename="a.png"' in raw
    assert b"PNG" in raw
    assert [
        {"type": "image", "transfer_method": "local_file", "upload_file_id": "up-1"},
        {"type": "image", "transfer_method": "remote_url", "url": "https://example.com/b.jpg?x=1"},
    ] == sent


def test_uploads_what_a_file_variable_of_the_form_names(folder):
    """One file and a list of files among the inputs."""
    inputs = {"scan": "規程.pdf", "scans": ["a.png", "https://example.com/b.png"]}

    async def use(app: DifyApp, server: ScriptedDify):
        await app.ask(question(inputs=inputs))
        return server.asked(CHAT)[0].json["inputs"]

    sent = with_app(
        lambda s: (
            s.app(form=[SCAN, SCANS])
            .on("POST", "/files/upload", upload(1), upload(2))
            .on("POST", CHAT, stream_reply(*ev.rag_flow()))
        ),
        use,
        base_dir=folder,
    )

    assert {"type": "document", "transfer_method": "local_file", "upload_file_id": "up-1"} == sent["scan"]
    assert ["up-2", None] == [file.get("upload_file_id") for file in sent["scans"]]


@pytest.mark.parametrize(
    ("address", "kinds", "kind"),
    [
        ("https://cdn.example.com/img?id=1", ["image"], "image"),
        ("HTTPS://cdn.example.com/A.JPG", ["document", "image"], "image"),
        ("https://cdn.example.com/photo.heic", ["image"], "image"),
        ("https://cdn.example.com/show.php?id=1", ["document"], "document"),
        ("https://cdn.example.com/file", ["custom"], "custom"),
        ("https://cdn.example.com/file.dat", ["image", "custom"], "custom"),
    ],
)
def test_an_address_need_not_tell_what_stands_there(address, kinds, kind):
    """The server fetches it and sees; also where the scheme is written large."""
    rules = FILES | {"file_upload": FILES["file_upload"] | {"allowed_file_types": kinds}}

    async def use(app: DifyApp, server: ScriptedDify):
        await app.ask(question(files=(address,)))
        return server.asked(CHAT)[0].json["files"]

    sent = with_app(lambda s: s.app(**rules).on("POST", CHAT, stream_reply(*ev.rag_flow())), use)

    assert [{"type": kind, "transfer_method": "remote_url", "url": address}] == sent


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (("a.png", "a.png", "a.png"), "3 files; the app takes 2"),
        (("x.exe",), "“x.exe” is not allowed; allowed: dat"),
        (("big.jpg",), "1.0 MiB; the server takes 1"),
        (("https://example.com/a.pdf",), "not allowed; allowed: dat"),
        (("https://example.com/a.exe",), "not allowed; allowed: dat"),
        (("none.png",), "is not there"),
        (("../outside.png",), "is not there"),
        (("/etc/hostname",), "is not there"),
        ((".git/config",), "is not there"),
        (("link.dat",), "is not there"),
    ],
)
def test_finds_what_the_app_would_refuse_before_the_run(folder, files, words):
    """Number, kind, size, absence, and files outside the suite's folder or of Git: those are never read."""

    async def use(app: DifyApp, server: ScriptedDify):
        await app.probe()
        (problem,) = app.problems([question(files=files)])
        return problem.what.en, len(server.requests)

    what, calls = with_app(lambda s: s.app(**FILES), use, base_dir=folder)

    assert words in what
    assert 2 == calls


def test_says_that_an_app_takes_no_files(folder):
    """The switch is off in the app's features."""

    async def use(app: DifyApp, server: ScriptedDify):
        await app.probe()
        return app.problems([question(files=("a.png",))])[0].what.ja

    assert "ケース 1: このアプリはファイルを受け付けません。" == with_app(
        lambda s: s.app(), use, base_dir=folder
    )


def test_leaves_one_case_out_when_its_upload_is_refused(folder):
    """The server knows better than its own parameters."""

    async def use(app: DifyApp, server: ScriptedDify):
        with pytest.raises(AppCouldNotAnswer) as caught:
            await app.ask(question(files=("a.png",)))
        return caught.value.cause, len(server.asked(CHAT))

    refusal = error_reply(413, "file_too_large", "File size exceeded.")

    assert (Cause.APP_INPUT_REFUSED, 0) == with_app(
        lambda s: s.app(**FILES).on("POST", "/files/upload", refusal), use, base_dir=folder
    )


class Conversations:
    """The app's own list, which deleting makes shorter."""

    def __init__(self, *names: str, stuck: tuple[str, ...] = ()) -> None:
        self.names = list(names)
        self.stuck = stuck

    def script(self, server: ScriptedDify) -> None:
        server.app().on("GET", "/conversations", self.listed)
        for name in self.names:
            server.on("DELETE", f"/conversations/{name}", self.deleted)

    def listed(self, request: Request) -> Reply:
        assert ["u-1"] == request.query["user"]
        page = self.names[: int(request.query["limit"][0])]
        return json_reply({"data": [{"id": name} for name in page], "has_more": len(page) < len(self.names)})

    def deleted(self, request: Request) -> Reply:
        name = request.path.rsplit("/", 1)[1]
        if name in self.stuck:
            return error_reply(400, "x", "cannot")
        self.names.remove(name)
        return Reply(status=204)


def test_forgets_every_conversation_of_a_user():
    """Pages of them, also those of failed, cut and killed questions that no record holds."""
    kept = Conversations(*(f"c-{n}" for n in range(45)))

    async def use(app: DifyApp, server: ScriptedDify):
        return await app.forget("u-1")

    assert () == with_app(kept.script, use)
    assert [] == kept.names


def test_lists_what_could_not_be_forgotten():
    """And does not try for ever."""
    kept = Conversations(*(f"c-{n}" for n in range(25)), stuck=("c-3", "c-7"))

    async def use(app: DifyApp, server: ScriptedDify):
        return await app.forget("u-1")

    assert ("c-3", "c-7") == with_app(kept.script, use)


def test_cannot_tell_what_is_left_when_the_server_is_gone():
    """Not the same as "nothing is left"."""

    async def use(app: DifyApp, server: ScriptedDify):
        with pytest.raises(AppUnreachable):
            await app.forget("u-1")
        return True

    assert with_app(lambda s: s.app().on("GET", "/conversations", error_reply(503, "", "x")), use)


RECORDS = {
    "query": "x",
    "records": [
        {
            "segment": {"id": "s2", "content": "繰り越せる。", "document": {"id": "d", "name": "規程.md"}},
            "score": 0.2,
        },
        {
            "segment": {"id": "s1", "content": "年10日とする。", "document": {"id": "d", "name": "規程.md"}},
            "score": 0.9,
        },
        {"segment": {"id": "s3", "content": ""}, "score": None},
    ],
}
APART = {"datasets": ("ds-1",), "dataset_key": SecretStr("dataset-0123456789")}


def chat_without_passages(server: ScriptedDify) -> ScriptedDify:
    server.app("chat", retriever_resource={"enabled": False})
    return server.on("POST", CHAT, stream_reply(ev.says("10日です。"), ev.message_end()))


async def ask_once(app: DifyApp, server: ScriptedDify):
    return await app.ask(question("有休" * 200)), server.asked("/datasets/ds-1/retrieve")


def test_searches_the_knowledge_apart_on_request():
    """Citation is off: the passages are marked as not proven to be what the app saw."""
    answer, (request,) = with_app(
        lambda s: chat_without_passages(s).on("POST", "/datasets/ds-1/retrieve", json_reply(RECORDS)),
        ask_once,
        **APART,
    )

    assert ContextSource.RETRIEVED_APART == answer.contexts.source
    assert [("s1", 1, 0.9, "規程.md"), ("s2", 2, 0.2, "規程.md")] == [
        (c.segment_id, c.rank, c.score, c.document_name) for c in answer.contexts.items
    ]
    assert "Bearer dataset-0123456789" == request.headers["authorization"]
    assert 250 == len(request.json["query"])


def test_does_not_search_apart_unless_asked_to():
    """The default: not available, with the cause."""
    answer, requests = with_app(chat_without_passages, ask_once)

    assert (MissingContexts.CITATION_OFF, []) == (answer.contexts.cause, requests)


def test_does_not_make_up_passages_for_a_retrieval_that_found_nothing():
    """An empty retrieval is a result of its own, and the usual mark of datasets lost in an import."""
    stream = stream_reply(
        ev.started(), ev.retrieved(), ev.says("x"), ev.message_end(), ev.finished({"answer": "x"})
    )

    answer, requests = with_app(lambda s: s.app().on("POST", CHAT, stream), ask_once, **APART)

    assert (MissingContexts.NOTHING_RETRIEVED, []) == (answer.contexts.cause, requests)


def test_stops_when_the_dataset_key_is_wrong():
    """A fault of the configuration, not of every case."""
    refusal = error_reply(401, "unauthorized", "Access token is invalid")

    error = with_app(
        lambda s: chat_without_passages(s).on("POST", "/datasets/ds-1/retrieve", refusal), ask_once, **APART
    )

    assert AppMisconfigured is type(error)


def test_goes_on_when_the_search_apart_is_down():
    """The answer counts; its passages are not available, and a note says why."""
    broken = error_reply(503, "", "x")

    answer, _ = with_app(
        lambda s: chat_without_passages(s).on("POST", "/datasets/ds-1/retrieve", broken), ask_once, **APART
    )

    assert (MissingContexts.CITATION_OFF, ("retrieve_failed",)) == (answer.contexts.cause, answer.notes)


def test_looks_into_the_history_where_message_end_never_came():
    """1.13.0 loses it, and with it the passages of an agent's tool."""
    message = {"id": ev.MESSAGE, "answer": "x", "retriever_resources": [ev.resource("年10日", "s1")]}
    stream = stream_reply(ev.started(), ev.says("x"), ev.finished({"answer": "x"}))

    answer, _ = with_app(
        lambda s: s.app().on("POST", CHAT, stream).on("GET", "/messages", json_reply({"data": [message]})),
        ask_once,
    )

    assert ContextSource.MESSAGE_HISTORY == answer.contexts.source


def test_keeps_turns_in_one_conversation_of_one_user():
    """The second turn names the conversation; inputs are always a JSON object."""

    async def use(app: DifyApp, server: ScriptedDify):
        first = await app.ask(question("一つ目"))
        await app.ask(question("二つ目", conversation_id=first.conversation_id))
        return [json.loads(r.raw) for r in server.asked(CHAT)]

    one, two = with_app(lambda s: s.app().on("POST", CHAT, stream_reply(*ev.rag_flow())), use)

    assert ("", ev.CONVERSATION) == (one["conversation_id"], two["conversation_id"])
    assert one["user"] == two["user"]
    assert {} == one["inputs"] == two["inputs"]
