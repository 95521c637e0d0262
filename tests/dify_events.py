"""Small event streams of our own, in the shapes that Dify sends."""

from tests.dify_server import event

CONVERSATION = "5f1c0d0e-0000-4000-8000-000000000001"
MESSAGE = "5f1c0d0e-0000-4000-8000-000000000002"
RUN = "5f1c0d0e-0000-4000-8000-000000000003"
WORKFLOW = "5f1c0d0e-0000-4000-8000-000000000004"
TASK = "5f1c0d0e-0000-4000-8000-000000000005"
CHAT = {"conversation_id": CONVERSATION, "message_id": MESSAGE, "task_id": TASK, "created_at": 1}
FLOW = {**CHAT, "workflow_run_id": RUN}
USAGE = {"prompt_tokens": 120, "completion_tokens": 30, "total_price": "0.0000450", "currency": "USD"}


def chunk(content: str, segment: str, **metadata: object) -> dict[str, object]:
    """One item of a retrieval node's result."""
    return {
        "title": "就業規則.md",
        "content": content,
        "metadata": {
            "_source": "knowledge",
            "segment_id": segment,
            "document_id": "doc-1",
            "document_name": "就業規則.md",
            "dataset_id": "ds-1",
            "dataset_name": "社内規程",
            "score": 0.61,
            **metadata,
        },
    }


def resource(content: str, segment: str, **fields: object) -> dict[str, object]:
    """One item of `retriever_resources`."""
    return {
        "position": 1,
        "content": content,
        "segment_id": segment,
        "document_id": "doc-1",
        "document_name": "就業規則.md",
        "dataset_id": "ds-1",
        "dataset_name": "社内規程",
        "score": 0.61,
        **fields,
    }


def node(kind: str, outputs: dict[str, object], **data: object) -> bytes:
    fields = {
        "node_id": f"n-{kind}",
        "node_type": kind,
        "title": kind.title(),
        "status": "succeeded",
        "error": None,
    }
    return event("node_finished", **FLOW, data={**fields, "outputs": outputs, **data})


def llm(text: str, **data: object) -> bytes:
    process = {
        "prompts": [{"role": "system", "text": "SECRET SYSTEM PROMPT"}],
        "model_provider": "langgenius/openai/openai",
        "model_name": "gpt-4o-mini",
    }
    return node("llm", {"text": text, "usage": USAGE}, process_data=process, **data)


def started(**fields: object) -> bytes:
    return event("workflow_started", **FLOW, data={"id": RUN, "workflow_id": WORKFLOW, **fields})


def retrieved(*chunks: dict[str, object], **data: object) -> bytes:
    return node("knowledge-retrieval", {"result": list(chunks)}, **data)


def says(*texts: str, name: str = "message") -> bytes:
    return b"".join(event(name, **CHAT, id=MESSAGE, answer=text) for text in texts)


def message_end(*resources: dict[str, object], **fields: object) -> bytes:
    metadata = {"annotation_reply": None, "retriever_resources": list(resources), "usage": USAGE}
    return event("message_end", **CHAT, id=MESSAGE, **{"metadata": metadata, "files": [], **fields})


def finished(outputs: dict[str, object] | None = None, **data: object) -> bytes:
    fields = {
        "id": RUN,
        "workflow_id": WORKFLOW,
        "status": "succeeded",
        "outputs": outputs or {},
        "error": None,
    }
    return event(
        "workflow_finished", **FLOW, data={**fields, "total_tokens": 150, "exceptions_count": 0, **data}
    )


def rag_flow(
    answer: str = "有給休暇は10日です。", passage: str = "有給休暇は年10日とする。"
) -> tuple[bytes, ...]:
    """A chatflow with one retrieval and one model, as since 1.13.1."""
    half = len(answer) // 2
    return (
        started(),
        event("node_started", **FLOW, data={"node_type": "knowledge-retrieval"}),
        retrieved(chunk(passage, "seg-1")),
        says(answer[:half], answer[half:], ""),
        llm(answer),
        message_end(resource(passage, "seg-1")),
        finished({"answer": answer}),
    )
