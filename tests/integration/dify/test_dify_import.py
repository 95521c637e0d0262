"""From Dify into a suite: annotations, rated messages, the result of a batch run."""

import json

import pytest

from ragjudge.assist.suite_import import (
    Privacy,
    as_json,
    from_annotations,
    from_batch_run,
    from_feedback,
    from_users,
    merge,
)
from ragjudge.dify.form import Form, Variable
from ragjudge.errors import AppUnreachable, SuiteFault
from ragjudge.suite.columns import Columns
from ragjudge.suite.json_reader import read
from tests import builders
from tests.dify_app import with_app
from tests.dify_server import Reply, Request, ScriptedDify, error_reply, json_reply

FORM = Form((Variable("Entity", "select", options=("本社", "支店")), Variable("name", "text-input")))
SHY = Privacy.by_form(FORM, include_user=False)
OPEN = Privacy.by_form(FORM, include_user=True)


def message(number: int, rating: str | None, answer: str = "答え", **fields: object) -> dict[str, object]:
    return {
        "id": f"m-{number}",
        "conversation_id": "c-1",
        "query": f"質問{number}",
        "answer": answer,
        "inputs": {"Entity": "本社", "name": "山田太郎"},
        "feedback": rating and {"rating": rating},
        **fields,
    }


def pages(*items: object, size: int = 100):
    """A list by page number."""

    def reply(request: Request):
        page = int(request.query["page"][0])
        part = items[(page - 1) * size : page * size]
        return json_reply({"data": list(part), "has_more": page * size < len(items), "page": page})

    return reply


def chats(*messages: dict[str, object]):
    def script(server: ScriptedDify) -> None:
        server.on("GET", "/conversations", json_reply({"data": [{"id": "c-1"}], "has_more": False}))
        server.on("GET", "/messages", json_reply({"data": list(messages), "has_more": False}))

    return script


def imported(script, make):
    async def use(app, server: ScriptedDify):
        return await make(app.records)

    return with_app(script, use)


def test_takes_every_annotation():
    """All pages; the person's answer is the reference; half-written ones are left out."""
    notes = [{"id": f"a{n}", "question": f"質問{n}", "answer": f"答え{n}"} for n in range(150)]
    notes.append({"id": "x", "question": "質問", "answer": " "})

    cases = imported(lambda s: s.on("GET", "/apps/annotations", pages(*notes)), from_annotations)

    assert 150 == len(cases)
    assert ("annotation-a149", "質問149", "答え149", ("annotation",)) == (
        cases[-1].id,
        cases[-1].question,
        cases[-1].reference,
        cases[-1].tags,
    )


def test_passes_on_what_an_old_server_says_about_annotations():
    """1.9 answers every such call with an error."""
    refusal = error_reply(400, "invalid_param", "current_user must be an Account instance")

    error = imported(lambda s: s.on("GET", "/apps/annotations", refusal), from_annotations)

    assert AppUnreachable is type(error)
    assert "current_user must be" in str(error)


def test_takes_liked_answers_as_references_and_disliked_ones_not():
    """A disliked answer is no model, but its question is worth asking; reasoning is not part of a reference."""
    script = chats(message(1, "like", "<think>x</think>良い答え"))
    (liked,) = imported(script, lambda r: from_users(r, ["yamada"], SHY))
    (disliked,) = imported(chats(message(1, "dislike")), lambda r: from_users(r, ["yamada", "yamada"], SHY))

    assert ("質問1", "良い答え", ("liked",)) == (liked.question, liked.reference, liked.tags)
    assert ("質問1", None, ("disliked",)) == (disliked.question, disliked.reference, disliked.tags)


def test_keeps_what_was_said_before_a_rated_answer():
    """A rated third message is a case of three turns; unrated messages are none."""
    (case,) = imported(
        chats(message(1, None), message(2, None), message(3, "like")), lambda r: from_users(r, ["u"], SHY)
    )

    assert ("質問1", None) == (case.question, case.reference)
    assert [("質問2", None), ("質問3", "答え")] == [(turn.question, turn.reference) for turn in case.turns]


def test_copies_nothing_personal_unless_asked_to():
    """No user name, no remark, no free text of the form; choices from a list stay."""
    feedback = {
        "message_id": "m-1",
        "conversation_id": "c-1",
        "rating": "like",
        "content": "山田です。助かりました。",
        "from_end_user_id": "e-1",
    }

    def script(server: ScriptedDify) -> None:
        chats(message(1, "like"))(server)
        server.on("GET", "/app/feedbacks", pages(feedback))
        server.on("GET", "/end-users/e-1", json_reply({"id": "e-1", "session_id": "yamada"}))

    (shy,) = imported(script, lambda r: from_feedback(r, SHY))
    (open_,) = imported(script, lambda r: from_feedback(r, OPEN))

    assert "山田" not in as_json([shy])
    assert "yamada" not in as_json([shy])
    assert {"Entity": "本社"} == shy.inputs
    assert {"user": "yamada", "feedback": "山田です。助かりました。"} == open_.fields
    assert {"Entity": "本社", "name": "山田太郎"} == open_.inputs


def test_says_what_an_older_server_cannot_tell():
    """Without the names of users their messages can't be read; `--user` names them."""
    feedback = {"message_id": "m-1", "conversation_id": "c-1", "rating": "like", "from_end_user_id": "e-1"}

    error = imported(
        lambda s: s.on("GET", "/app/feedbacks", pages(feedback)), lambda r: from_feedback(r, SHY)
    )

    assert "--user" in error.in_language("ja")


@pytest.mark.parametrize("status", [404, 405])
@pytest.mark.parametrize(
    "said",
    [
        lambda status: error_reply(status, "not_found", "The requested URL was not found on the server."),
        lambda status: Reply(
            (b"<!doctype html><title>Not Found</title>",), status, {"Content-Type": "text/html"}
        ),
    ],
    ids=["json", "html"],
)
@pytest.mark.parametrize(
    ("path", "make"),
    [("/app/feedbacks", lambda r: from_feedback(r, SHY)), ("/apps/annotations", from_annotations)],
)
def test_a_list_that_a_server_does_not_have_is_not_blamed_on_its_address(path, make, said, status):
    """The address is right: everything else answers there. Where nothing does, it is the address."""
    refusal = said(status)

    def older(server: ScriptedDify) -> None:
        server.on("GET", path, refusal)
        server.on("GET", "/parameters", json_reply({"user_input_form": []}))

    def elsewhere(server: ScriptedDify) -> None:
        server.on("GET", path, refusal)
        server.on("GET", "/parameters", refusal)

    lacking, wrong = imported(older, make), imported(elsewhere, make)

    assert "app.base_url" not in lacking.in_language("en")
    assert f"no list of {path.rsplit('/', 1)[-1]}" in str(lacking)
    assert "--batch-run" in lacking.in_language("ja")
    assert str(wrong) != str(lacking)


def test_reads_long_conversations_in_order():
    """Messages come newest page first; each page points to the one before it."""
    asked = []

    def older(request: Request):
        first = request.query.get("first_id", [""])[0]
        asked.append(first)
        if first:
            return json_reply({"data": [message(1, None), message(2, None)], "has_more": False})
        return json_reply({"data": [message(3, None), message(4, "like")], "has_more": True})

    def script(server: ScriptedDify) -> None:
        server.on("GET", "/conversations", json_reply({"data": [{"id": "c-1"}], "has_more": False}))
        server.on("GET", "/messages", older)

    (case,) = imported(script, lambda r: from_users(r, ["u"], SHY))

    assert ["", "m-3"] == asked
    assert ["質問1", "質問2", "質問3", "質問4"] == [case.question, *(turn.question for turn in case.turns)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_reads_the_result_of_a_batch_run(encoding):
    """Labels become variables, the last or the known column is the answer, empty rows are skipped."""
    data = "対象,質問,生成結果\n本社,有休は何日?,10日です。\n支店,日当は?,\n,,\n".encode(encoding)

    cases = from_batch_run(data, "r.csv", Columns({}), variables={"対象": "Entity", "質問": "query"})

    assert [("有休は何日?", "10日です。", {"Entity": "本社", "query": "有休は何日?"}), ("日当は?", None)] == [
        (cases[0].question, cases[0].reference, cases[0].inputs),
        (cases[1].question, cases[1].reference),
    ]


@pytest.mark.parametrize("data", [b"", b"a\n1\n", b"\x00\x01", b'a,b\n"1,2\n'])
def test_refuses_what_is_no_result_of_a_batch_run(data):
    """Named with the file, never half read."""
    with pytest.raises(SuiteFault, match=r"r\.csv"):
        from_batch_run(data, "r.csv", Columns({}))


def test_leaves_existing_cases_as_they_are():
    """By id and by question; importing twice changes nothing more."""
    suite = builders.suite(builders.case("annotation-1", "別の質問"), builders.case("2", "質問2"))
    found = [
        builders.case("annotation-1", "質問1"),
        builders.case("x", "質問2"),
        builders.case("new", "質問3"),
    ]

    once = merge(suite, [*found, *found])
    again = merge(builders.suite(*suite.cases, *once.new), found)

    assert ["new"] == [case.id for case in once.new]
    assert (0, 3) == (len(again.new), len(again.known))
    assert "1 new cases" in once.describe().en


def test_writes_a_suite_that_reads_back():
    """The file is a suite of ours: id, question, reference, inputs, tags, turns and the team's own fields."""
    (case,) = imported(chats(message(1, None), message(2, "like")), lambda r: from_users(r, ["u"], OPEN))
    text = as_json([case])
    reading = read(text.encode(), "s.json")

    assert ["id", "question"] == list(json.loads(text)[0])[:2]
    assert () == reading.problems
    assert 1 == len(reading.cases)
