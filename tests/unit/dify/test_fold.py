"""Events to endings, over our own small streams."""

import json

import pytest

from ragjudge.dify.ending import Ending, Kind
from ragjudge.dify.events import read
from ragjudge.dify.fold import Fold, Reading, Stage
from ragjudge.dify.sse import SseDecoder, SseEvent, StreamUnreadable
from tests import dify_events as ev
from tests.dify_server import PING, event


def folded(*pieces: bytes, mode: str = "advanced-chat", **reading: object) -> Fold:
    fold, decoder = Fold(Reading(mode=mode, **reading)), SseDecoder()
    for piece in pieces:
        for sse in decoder.feed(piece):
            fold.feed(read(sse))
    return fold


def ending(*pieces: bytes, **how: object) -> Ending:
    return folded(*pieces, **how).ending()


def test_reads_a_chatflow():
    """Text, passages, ids, cost and model."""
    end = ending(PING, *ev.rag_flow("有給休暇は10日です。"))

    assert (Kind.ANSWERED, "有給休暇は10日です。") == (end.kind, end.text)
    assert ["seg-1"] == [passage.segment_id for passage in end.evidence.nodes]
    assert (ev.CONVERSATION, ev.MESSAGE, ev.RUN, ev.WORKFLOW, ev.TASK) == (
        end.ids.conversation,
        end.ids.message,
        end.ids.run,
        end.ids.workflow,
        end.ids.task,
    )
    assert (1, 120, 30, "0.0000450", "USD") == (
        end.usage.calls,
        end.usage.prompt_tokens,
        end.usage.completion_tokens,
        str(end.usage.price),
        end.usage.currency,
    )
    assert ("langgenius/openai/openai/gpt-4o-mini",) == end.models
    assert () == end.notes


def test_never_keeps_a_system_prompt():
    """Node data shows the whole prompt; nothing of it may reach a report."""
    assert "SECRET" not in repr(ending(*ev.rag_flow()))


def test_takes_either_order_of_the_last_two_events():
    """1.9 closes with message_end, 1.13.1 and later with workflow_finished."""
    *before, end, finish = ev.rag_flow()

    old, new = folded(*before, finish, end), folded(*before, end, finish)

    assert (Stage.OVER, Stage.OVER) == (old.stage, new.stage)
    assert old.ending() == new.ending()


def test_is_content_with_one_of_the_last_two_events():
    """1.13.0 loses message_end; an annotated or moderated chatflow has no workflow events at all."""
    *before, end, finish = ev.rag_flow("はい。")

    lost = folded(*before, finish)
    alone = folded(ev.says("定型文です。"), end)

    assert (Stage.ENOUGH, "はい。") == (lost.stage, lost.ending().text)
    assert (Stage.ENOUGH, "定型文です。") == (alone.stage, alone.ending().text)


def test_takes_the_text_of_the_run_where_no_message_showed_it():
    """`workflow_finished` holds the whole text."""
    assert "はい。" == ending(ev.started(), ev.finished({"answer": "はい。"})).text


@pytest.mark.parametrize(
    ("pieces", "kind"),
    [
        ((), Kind.CUT),
        ((PING,), Kind.CUT),
        ((ev.started(), ev.says("途中")), Kind.CUT),
        ((ev.started(), ev.finished(status="failed", error="[openai] Rate Limit Error, x")), Kind.FAILED),
        ((ev.started(), ev.finished(status="stopped", error="Stopped by user.")), Kind.STOPPED),
        ((ev.started(), event("workflow_paused", data={"reasons": []})), Kind.PAUSED),
        ((ev.started(), ev.says("途中"), event("error", code="x", status=400, message="y")), Kind.FAILED),
        ((event("error", message="no code and no ids", status=500),), Kind.FAILED),
    ],
)
def test_tells_the_ways_of_having_no_answer_apart(pieces, kind):
    """An error half-way is no empty answer, and a pause is no timeout."""
    end = ending(*pieces)

    assert (kind, None) == (end.kind, end.text)


def test_says_that_a_default_value_stood_in_for_a_node():
    """HTTP 200 and a plausible answer, but the model or the retrieval had failed."""
    end = ending(
        ev.started(),
        ev.retrieved(status="exception", title="社内検索"),
        event("node_retry", **ev.FLOW, data={"title": "LLM"}),
        ev.says("申し訳ありません。"),
        ev.finished({"answer": "申し訳ありません。"}, status="partial-succeeded", exceptions_count=1),
        ev.message_end(),
    )

    assert Kind.ANSWERED == end.kind
    assert {"partial_success", "default_value_used:社内検索", "node_retried:LLM"} == set(end.notes)
    assert end.evidence.retrieval_failed


def test_an_answer_that_moderation_emptied_is_empty():
    """The text that was withheld still stands in the run's outputs: no user reads it."""
    end = ending(
        ev.started(),
        ev.says("秘密の答え"),
        event("message_replace", **ev.CHAT, answer=""),
        ev.message_end(),
        ev.finished({"answer": "秘密の答え"}),
    )

    assert "" == end.text


def test_replaces_what_moderation_withheld():
    """`message_replace` takes the place of all text so far; the run's own outputs still hold the first text."""
    end = ending(
        ev.started(),
        ev.says("秘密の", "答え"),
        event("message_replace", **ev.CHAT, answer="表示できません。", reason="output_moderation"),
        ev.message_end(),
        ev.finished({"answer": "秘密の答え"}),
    )

    assert ("表示できません。", ("replaced_by_moderation",)) == (end.text, end.notes)


def test_takes_a_closing_message_of_a_newer_agent_once():
    """`agent_message`s in pieces, then one `message` with the whole text: not twice."""
    end = ending(
        ev.says("答えは", "10日です。", name="agent_message"),
        ev.says("答えは10日です。"),
        ev.message_end(),
        mode="agent",
    )

    assert "答えは10日です。" == end.text


def test_reads_an_agent():
    """The text is in agent_message, the passages in the dataset tool's observation, which comes several times."""
    observation = json.dumps(
        {"dataset_ab_cd": "年10日とする。\n繰り越せる。", "weather": "晴れ"}, ensure_ascii=False
    )
    thought = {"id": "t1", "tool": "dataset_ab_cd"}
    end = ending(
        event("agent_thought", **ev.CHAT, **thought, observation=""),
        event("agent_thought", **ev.CHAT, **thought, observation=observation),
        event("agent_thought", **ev.CHAT, **thought, observation=observation),
        ev.says("10日です。", name="agent_message"),
        ev.message_end(),
        mode="agent-chat",
    )

    assert ["年10日とする。", "繰り越せる。"] == [passage.content for passage in end.evidence.observations]
    assert {"ab-cd"} == {passage.dataset_id for passage in end.evidence.observations}


def test_joins_all_retrieval_nodes_without_doubles():
    """In order, across iterations and tools, ranked anew."""
    a, b, c = ev.chunk("A", "1"), ev.chunk("B", "2"), ev.chunk("C", "3", score=None)
    end = ending(
        ev.started(),
        ev.retrieved(a, b),
        ev.retrieved(b, iteration_id="i"),
        ev.node("tool", {"text": "", "json": [{"result": [c]}]}),
        ev.finished({"answer": "x"}),
    )

    assert [(1, "A", 0.61), (2, "B", 0.61), (3, "C", None)] == [
        (p.rank, p.content, p.score) for p in end.evidence.nodes
    ]


def test_sums_the_nodes_where_the_message_tells_no_cost():
    """Workflow apps have no message: their LLM nodes tell."""
    end = ending(ev.started(), ev.llm("a"), ev.llm("b"), ev.finished({"text": "b"}), mode="workflow")

    assert (2, 240, 60, "0.0000900") == (
        end.usage.calls,
        end.usage.prompt_tokens,
        end.usage.completion_tokens,
        str(end.usage.price),
    )


@pytest.mark.parametrize(
    ("outputs", "path", "text"),
    [
        ({"text": "答え"}, None, "答え"),
        ({"answer": "答え", "memo": "x"}, None, "答え"),
        ({"回答": "答え", "chunks": [ev.chunk("A", "1")]}, None, "答え"),
        ({"data": {"a": "答え"}}, "outputs.data.a", "答え"),
        ({"list": ["x", "答え"]}, "list.1", "答え"),
        ({"score": {"n": 1}}, None, '{"n": 1}'),
        ({"x": "a", "y": "b"}, None, None),
        ({"x": "a"}, "outputs.z", None),
    ],
)
def test_finds_the_answer_among_a_workflows_outputs(outputs, path, text):
    """By config, else by a sensible guess, else not at all (the error lists the outputs)."""
    end = ending(ev.started(), ev.finished(outputs), mode="workflow", answer_path=path)

    assert text == end.text


def test_takes_a_workflows_streamed_text_where_no_output_is_a_sure_answer():
    """`text_chunk`s are what a user saw."""
    chunks = [event("text_chunk", **ev.FLOW, data={"text": text}) for text in ("10日", "です。")]
    end = ending(ev.started(), *chunks, ev.finished({"x": "a", "y": "b"}), mode="workflow")

    assert "10日です。" == end.text


def test_keeps_unknown_events_in_mind_and_goes_on():
    """A newer server may say more than we know."""
    assert ("unknown_event:brand_new",) == ending(event("brand_new", x=1), *ev.rag_flow()).notes


@pytest.mark.parametrize("data", ["<html>", '{"a":', "[" * 100_000])
def test_refuses_data_that_is_not_json(data):
    """A part of the answer may have stood in it."""
    with pytest.raises(StreamUnreadable):
        read(SseEvent("message", data))


def test_bears_values_of_any_type():
    """A hostile or newer server may put anything anywhere; nothing here raises."""
    for odd in (None, 1, True, "x", [], [1], {}, {"a": 1}, 1e308, "\ud800"):
        for name in (
            "message",
            "message_end",
            "node_finished",
            "workflow_finished",
            "agent_thought",
            "error",
        ):
            body = {"event": name, "answer": odd, "metadata": odd, "data": odd, "id": odd, "observation": odd}
            data = {
                "node_type": "knowledge-retrieval",
                "status": "succeeded",
                "outputs": {"result": odd},
                "title": odd,
            }
            fold = Fold(Reading("advanced-chat"))
            fold.feed(read(SseEvent("message", json.dumps(body))))
            fold.feed(read(SseEvent("message", json.dumps({"event": name, "data": data}))))
            repr(fold.ending()).encode()


def test_keeps_what_each_model_node_used():
    """Tokens and model per node, iterations together; the run's own sum stays the answer's usage."""
    end = ending(
        ev.started(),
        ev.llm("a", node_id="n1", title="書き直し"),
        ev.llm("b", node_id="n2", title="回答"),
        ev.llm("c", node_id="n2", title="回答"),
        ev.says("c"),
        ev.message_end(),
        ev.finished({"answer": "c"}),
    )

    model = "langgenius/openai/openai/gpt-4o-mini"
    assert [("書き直し", model, 1, 120, 30), ("回答", model, 2, 240, 60)] == [
        (n.node, n.model, n.usage.calls, n.usage.prompt_tokens, n.usage.completion_tokens)
        for n in end.node_usage
    ]


def test_a_thousand_nodes_do_not_fill_the_record():
    """An iteration of a hostile or huge flow: bounded, like models and notes."""
    end = ending(ev.started(), *(ev.llm("x", node_id=f"n{i}") for i in range(1000)), ev.finished({}))

    assert 40 == len(end.node_usage)


def test_keeps_reasoning_that_comes_in_events_of_its_own_apart_from_the_text():
    """`reasoning_format: separated`: never in the text that is judged, whichever way it comes."""
    chunks = [
        event("reasoning_chunk", **ev.FLOW, data={"node_id": "n1", "reasoning": r, "is_final": not r})
        for r in ("まず規程を", "確認する。", "")
    ]
    finish = (ev.says("10日です。"), ev.message_end(), ev.finished({"answer": "10日です。"}))
    in_node = {"text": "10日です。", "reasoning_content": "まず規程を確認する。", "usage": ev.USAGE}

    streamed = ending(ev.started(), *chunks, ev.node("llm", in_node, node_id="n1"), *finish)
    at_the_end = ending(ev.started(), ev.node("llm", in_node, node_id="n1"), *finish)

    for end in (streamed, at_the_end):
        assert ("10日です。", "まず規程を確認する。") == (end.text, end.reasoning)
        assert () == end.notes


def test_notes_everything_that_the_server_shows_shortened():
    """1.9.2 cuts what a node read, worked on and gave, and the whole run's outputs; a flag that is false says nothing."""
    whole = {"inputs_truncated": False, "outputs_truncated": False, "process_data_truncated": False}
    cut = {"inputs_truncated": True, "outputs_truncated": True, "process_data_truncated": True}

    end = ending(
        ev.started(),
        ev.retrieved(ev.chunk("p", "s"), **whole),
        ev.llm("10日です。", **cut),
        ev.message_end(),
        ev.finished({"answer": "10日です。"}, inputs_truncated=True, outputs_truncated=True),
    )

    of_node = {"truncated:Llm", "inputs_truncated:Llm", "process_data_truncated:Llm"}
    assert {*of_node, "truncated:workflow", "inputs_truncated:workflow"} == set(end.notes)
