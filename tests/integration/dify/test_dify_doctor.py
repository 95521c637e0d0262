"""The doctor on a scripted Dify: one line per thing a run needs, each with its cure."""

import pytest

from ragjudge.assist.doctor import Patient, examine, rendered
from ragjudge.assist.finding import State, exit_code
from ragjudge.errors import BaselineUnreachable, JudgeMisconfigured, JudgeUnreachable
from ragjudge.language import Text
from ragjudge.settings import AppSettings
from ragjudge.suite.case import Source
from tests import builders
from tests import dify_events as ev
from tests.dify_app import CHAT, with_app
from tests.dify_server import Reply, ScriptedDify, error_reply, json_reply, stream_reply
from tests.fakes import FakeEmbedder, FakeJudge

NO_LEFTOVERS = json_reply({"data": [], "has_more": False})
ENTITY = {"text-input": {"variable": "Entity", "required": True, "max_length": 10}}


class Store:
    def __init__(self, baseline: object = None) -> None:
        self._baseline = baseline

    def load(self):
        if isinstance(self._baseline, Exception):
            raise self._baseline
        return self._baseline

    def save(self, baseline: object) -> None:
        raise NotImplementedError

    def describe(self) -> str:
        return "file:b.json"


def findings(script, *cases, judge=None, store=None, inputs=None, **how):
    async def use(app, server: ScriptedDify):
        settings = AppSettings(base_url=server.url, inputs=inputs or {}, **how)
        patient = Patient(
            app, settings, builders.suite(*cases), judge or FakeJudge(), FakeEmbedder(), store or Store()
        )
        return await examine(patient)

    return with_app(script, use, **how)


def healthy(server: ScriptedDify) -> ScriptedDify:
    return (
        server.app().on("POST", CHAT, stream_reply(*ev.rag_flow())).on("GET", "/conversations", NO_LEFTOVERS)
    )


def test_shows_a_healthy_app_in_the_testers_words():
    """Connected, form, cases, answer, passages and where they come from, version, and nothing left behind."""
    found = findings(healthy, builders.case())
    text = rendered(found, "ja")

    assert exit_code(found) == 0
    for words in (
        "「社内FAQ」(advanced-chat)",
        "全1件の入力",
        "1件(取得元: フローの知識検索ノード)",
        ev.WORKFLOW,
        "削除しました",
    ):
        assert words in text
    assert "0 to mend, 1 to mind." == rendered(found, "en").splitlines()[-1]


def test_says_what_is_wrong_with_the_key_and_asks_nothing_more():
    """The judge and the baseline are looked at all the same."""
    found = findings(
        lambda s: s.on("GET", "/info", error_reply(401, "unauthorized", "Access token is invalid")),
        builders.case(),
    )

    assert [State.BAD, State.SKIPPED, State.GOOD, State.GOOD, State.WARNING] == [f.state for f in found]
    assert "DIFY_API_KEY" in found[0].in_language("ja")


def test_finds_every_case_that_does_not_fit_the_form():
    """Before anything is asked; many are counted."""
    cases = [
        builders.case(str(n), inputs={"entity": "本社"}, source=Source(file="a.csv", line=n + 2))
        for n in range(8)
    ]
    text = rendered(findings(lambda s: healthy(s).app(form=[ENTITY]), *cases), "en")

    assert "Entity (text-input, required, max 10)" in text
    assert "a.csv:6: case 4: input “Entity” is required." in text
    assert "case 5" not in text
    assert "… and 3 more." in text
    assert "the app spells it “Entity”" in text


def test_fills_the_forms_variables_by_the_configs_templates():
    """`app.inputs: {Entity: "${entity}"}`."""
    found = findings(
        lambda s: healthy(s).app(form=[ENTITY]),
        builders.case(fields={"entity": "本社"}),
        inputs={"Entity": "${entity}"},
    )

    assert exit_code(found) == 0


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            lambda s: (
                healthy(s)
                .app("chat", retriever_resource={"enabled": False})
                .on("POST", CHAT, stream_reply(ev.says("x"), ev.message_end()))
            ),
            "「引用と帰属」をオンに",
        ),
        (
            lambda s: healthy(s).on(
                "POST",
                CHAT,
                stream_reply(ev.started(), ev.retrieved(), ev.says("x"), ev.message_end(), ev.finished()),
            ),
            "0件でした",
        ),
        (lambda s: healthy(s).app(annotation_reply={"enabled": True}), "注釈返信がオン"),
        (lambda s: healthy(s).on("GET", "/conversations", error_reply(500, "x", "x")), "Difyで内部エラー"),
    ],
)
def test_warns_of_what_a_run_would_silently_suffer_from(script, words):
    """A warning with the switch to turn, and the run may start all the same."""
    found = findings(script, builders.case())

    assert exit_code(found) == 0
    assert words in rendered(found, "ja")


def test_lists_a_judge_and_a_baseline_that_do_not_work():
    """All troubles at once."""

    class Broken(FakeJudge):
        async def probe(self) -> None:
            raise JudgeMisconfigured(Text("no such model", "モデルがありません"))

    found = findings(
        healthy,
        builders.case(),
        judge=Broken(),
        store=Store(BaselineUnreachable(Text("gone", "見つかりません"))),
    )

    assert [f.in_language("ja") for f in found if f.state is State.BAD] == [
        "✗ モデルがありません",
        "✗ 見つかりません",
    ]
    assert exit_code(found) == 2


def test_asks_nothing_without_a_case():
    """An empty suite is said, not invented around."""
    found = findings(lambda s: s.app())

    assert any(f.state is State.SKIPPED for f in found)


def test_says_that_a_workflow_keeps_its_runs():
    """They can't be deleted: a copy of the app is the cure; and where the question goes is shown."""
    form = [{"paragraph": {"variable": "question", "required": True}}]
    reply = stream_reply(ev.started(), ev.retrieved(ev.chunk("A", "1")), ev.finished({"text": "x"}))

    def script(server: ScriptedDify) -> ScriptedDify:
        return server.app("workflow", form=form).on("POST", "/workflows/run", reply)

    text = rendered(findings(script, builders.case()), "en")

    assert "The question goes into “question”." in text
    assert "Use a copy of the app for tests." in text


def test_shows_an_answer_that_failed():
    """The app's own error, and the conversation is taken back."""
    deleted = []

    def script(server: ScriptedDify) -> None:
        failed = stream_reply(ev.started(), ev.finished(status="failed", error="Provider a does not exist."))
        listed = iter([json_reply({"data": [{"id": "c-1"}]}), NO_LEFTOVERS])
        server.app().on("POST", CHAT, failed).on("GET", "/conversations", lambda _: next(listed))
        server.on("DELETE", "/conversations/c-1", lambda r: deleted.append(r.json) or Reply(status=204))

    found = findings(script, builders.case())

    assert "モデルプロバイダー" in rendered(found, "ja")
    assert [{"user": "ragjudge-doctor"}] == deleted


@pytest.mark.parametrize(
    ("mode", "words"), [("advanced-chat", "ノードが見えない"), ("agent-chat", "ストリーミングのみ")]
)
def test_warns_of_what_blocking_replies_hide(mode, words):
    """The passages of a flow; an agent streams all the same. The run may start."""
    said = (ev.says("10日です。"), ev.message_end(ev.resource("有給休暇は年10日とする。", "seg-1")))

    found = findings(
        lambda s: healthy(s).app(mode).on("POST", CHAT, stream_reply(*said)),
        builders.case(),
        response_mode="blocking",
    )

    assert exit_code(found) == 0
    assert words in rendered(found, "ja")
    assert "app.response_mode を外して" in rendered(found, "ja")


@pytest.mark.parametrize(("key_is_wrong", "code"), [(False, 3), (True, 2)])
def test_a_server_that_is_down_is_nothing_to_mend(key_is_wrong, code):
    """Exit 3 where only a server stands in the way; 2 as soon as there is something to change, too."""

    class Down(FakeJudge):
        async def probe(self) -> None:
            raise JudgeUnreachable(Text("no answer", "応答がありません"))

    def script(server: ScriptedDify) -> ScriptedDify:
        refused = error_reply(401, "unauthorized", "Access token is invalid")
        return server.on("GET", "/info", refused) if key_is_wrong else healthy(server)

    assert exit_code(findings(script, builders.case(), judge=Down())) == code
