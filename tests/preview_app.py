"""What preview tests share: DSL texts of a team, a loopback console, and the lease in one call."""

import asyncio
import copy
from datetime import UTC, datetime
from functools import cache

import yaml
from pydantic import SecretStr

from ragjudge.demo import packaged
from ragjudge.demo.server.wire import Reply
from ragjudge.dify.console.credentials import Credentials, Person
from ragjudge.errors import RagjudgeError
from ragjudge.preview.lease import Preview
from ragjudge.preview.leased import Leased, leased
from ragjudge.preview.naming import Owner
from ragjudge.settings import AppSettings, Settings
from tests.console_server import EMAIL, PASSWORD, ConsoleServer
from tests.fakes import FakeClock

DATASET = "2bb56e12-46e6-4a5c-a8af-e338ecbf1acf"
GONE = "00000000-1111-4222-8333-444444444444"
"""A knowledge base that the workspace does not have."""
SECRET = {
    "id": "aaaaaaaa-0000-4000-8000-000000000002",
    "name": "CRM_TOKEN",
    "description": "",
    "selector": ["env", "CRM_TOKEN"],
    "value": "",
    "value_type": "secret",
}
BROKEN = Reply(400, b'{"code": "invalid_param", "message": "no", "status": 400}')
PR = Owner("octo/bot", 123, commit="abcdef0123")


def console(release: str = "1.14.2") -> ConsoleServer:
    """A server on which the demo app's plugin and one knowledge base are present."""
    server = ConsoleServer(release)
    server.workspace.plugins.add("example/extractive")
    server.workspace.knowledge(DATASET)
    return server


@cache
def _demo_app() -> dict:
    return loaded(packaged.APP.read_bytes())


def loaded(content: bytes) -> dict:
    return yaml.load(content, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def written(document: dict) -> bytes:
    """As YAML, quickly where PyYAML has its C library."""
    return yaml.dump(
        document, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), allow_unicode=True
    ).encode()


def dsl(*, dataset: str | None = None, secret: bool = False, **changes: object) -> bytes:
    """The demo chatflow as a team's file. `dataset`: what its retrieval node names; `changes`: top-level keys."""
    document = copy.deepcopy(_demo_app())
    for node in document["workflow"]["graph"]["nodes"]:
        if node["data"]["type"] == "knowledge-retrieval":
            node["data"]["dataset_ids"] = [] if dataset is None else [dataset]
    document["workflow"]["environment_variables"] = [dict(SECRET)] if secret else []
    document["version"] = "0.6.0"
    return written(document | changes)


def basic_dsl(
    mode: str = "chat", *, dataset: str = DATASET, prompt: str = "社内規程に答えてください。"
) -> bytes:
    config = {
        "model": {"provider": "example/extractive", "name": "first", "mode": "chat", "completion_params": {}},
        "pre_prompt": prompt,
        "dataset_configs": {
            "datasets": {"datasets": [{"dataset": {"enabled": True, "id": dataset}}]},
            "top_k": 3,
        },
        "retriever_resource": {"enabled": True},
        "user_input_form": [],
    }
    app = {"name": "規程チャット", "mode": mode, "description": "", "icon": "🐦"}
    document = {"app": app, "kind": "app", "version": "0.6.0", "dependencies": [], "model_config": config}
    return written(document)


def agent_dsl(
    dataset: str = DATASET, *, enabled: bool = True, prompt: str = "社内規程に答えてください。"
) -> bytes:
    """An agent app: its knowledge is a tool of the agent."""
    document = loaded(basic_dsl("agent-chat", prompt=prompt))
    document["model_config"]["dataset_configs"]["datasets"]["datasets"] = []
    tools = [{"dataset": {"enabled": enabled, "id": dataset}}]
    document["model_config"]["agent_mode"] = {"enabled": True, "strategy": "function_call", "tools": tools}
    return written(document)


def with_agent_node(dataset: str) -> bytes:
    """A chatflow in which an agent node has a knowledge base among its tools."""
    document = loaded(dsl(dataset=DATASET))
    tools = [{"dataset": {"enabled": True, "id": dataset}}]
    agent = {
        "type": "agent",
        "title": "調査",
        "agent_parameters": {"tools": {"type": "constant", "value": tools}},
    }
    document["workflow"]["graph"]["nodes"].append({"id": "agent", "type": "custom", "data": agent})
    return written(document)


def failing(server, point: int, when: str) -> None:
    """The server's n-th call ends in an error, `before` or `after` its effect."""
    if when == "before":
        server.answer_first = lambda *_: BROKEN if len(server.calls) == point else None
    else:
        server.on_served = lambda *_: BROKEN if len(server.calls) == point else None


def settings(server: ConsoleServer) -> Settings:
    return Settings(app=AppSettings(base_url=f"{server.url}/v1", timeout_s=5.0))


def person(email: str = EMAIL, password: str = PASSWORD) -> Person:
    return Person(email, SecretStr(password))


def preview(content: bytes, owner: Owner = PR, **secrets: str) -> Preview:
    return Preview(
        content, "dify/bot.yml", owner, {name: SecretStr(value) for name, value in secrets.items()}
    )


def lend(
    server: ConsoleServer, what: Preview, use=None, *, credentials: Credentials | None = None, notes=None
):
    """Lease, let `use` do something with it, return its result, the lease, or the error that was raised."""

    async def run():
        try:
            async with leased(
                what,
                settings(server),
                credentials or person(),
                clock=FakeClock(),
                now=lambda: datetime.fromtimestamp(server.workspace.now, UTC),
                note=(notes if notes is not None else []).append,
            ) as lease:
                assert isinstance(lease, Leased)
                return lease if use is None else await use(lease)
        except RagjudgeError as error:
            return error

    return asyncio.run(run())
