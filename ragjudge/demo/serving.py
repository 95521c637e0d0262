"""`ragjudge demo --serve`: keep the demo app up, so that a person can point curl or `ragjudge check` at it."""

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ragjudge.demo import packaged
from ragjudge.demo.corpus import Corpus, UnusableCorpus, load_corpus
from ragjudge.demo.definition import AppDefinition, UnusableApp, load_app
from ragjudge.demo.server import DemoServer, ServerOptions
from ragjudge.errors import UsageFault
from ragjudge.language import Language, Text, why_not


@dataclass(frozen=True, slots=True)
class Serving:
    """Which app is served on which passages; the defaults are the embedded ones."""

    dsl: Path = packaged.APP
    corpus: Path = packaged.CORPUS
    options: ServerOptions = ServerOptions()
    language: Language = "ja"


def serve(serving: Serving, *, say: Callable[[str], None], wait: Callable[[], None]) -> None:
    """Serve until `wait` returns (or raises). Raises UsageFault for an unusable DSL, corpus or port."""
    app, corpus = _loaded(serving)
    try:
        server = DemoServer(app, corpus, serving.options)
    except OSError as trouble:
        raise UsageFault(
            Text(
                f"Port {serving.options.port} cannot be used: {why_not(trouble).en}.",
                f"ポート {serving.options.port} は使えません({why_not(trouble).ja})。",
            ),
            hint=Text("Leave --port out to get a free one.", "--port を省くと、空いているポートを使います。"),
        ) from trouble
    with server:
        for line in introduction(app, corpus, server, serving.language):
            say(line)
        wait()


def introduction(app: AppDefinition, corpus: Corpus, server: DemoServer, language: Language) -> list[str]:
    """What a person needs to go on: address, key, a curl line and a check line, both ready to be pasted."""
    ja = language == "ja"
    passages = len(corpus.passages)
    return [
        f"{app.name} ({app.mode}, {passages}{'件の文書' if ja else ' passages'})",
        f"  URL: {server.base_url}",
        f"  {'キー' if ja else 'key'}: {server.api_key}",
        "",
        "質問してみる:" if ja else "Ask it something:",
        f"  {curl_line(app, server)}",
        "",
        "テストする:" if ja else "Test it:",
        f"  {check_line(server)}",
        "",
        "Ctrl+C で終了します。" if ja else "Ctrl+C ends it.",
    ]


def curl_line(app: AppDefinition, server: DemoServer) -> str:
    """A question that fits the app's form."""
    inputs = {v.name: v.options[0] if v.options else "1" for v in app.variables if v.required}
    body: dict[str, object] = {"inputs": inputs, "response_mode": "streaming", "user": "me"}
    endpoint = "chat-messages"
    if app.mode in ("completion", "workflow"):
        endpoint = "completion-messages" if app.mode == "completion" else "workflows/run"
    else:
        body["query"] = "国内出張の日当はいくらですか？"
    sent = shlex.quote(json.dumps(body, ensure_ascii=False))
    return (
        f"curl -N {server.base_url}/{endpoint} -H 'Authorization: Bearer {server.api_key}' "
        f"-H 'Content-Type: application/json' -d {sent}"
    )


def check_line(server: DemoServer) -> str:
    """`ragjudge check` with the demo's own suite and settings."""
    config = shlex.quote(str(packaged.CONFIG))
    return f"DIFY_API_KEY={server.api_key} ragjudge check --config {config} --base-url {server.base_url}"


def _loaded(serving: Serving) -> tuple[AppDefinition, Corpus]:
    try:
        return load_app(serving.dsl), load_corpus(serving.corpus)
    except UnusableApp as fault:
        raise UsageFault(
            Text(f"The app cannot be served: {fault}", f"アプリを起動できません: {fault}"),
            hint=Text(
                "The demo runs a chain of start, knowledge retrieval, LLM and answer or end nodes.",
                "デモで実行できるのは、開始・知識検索・LLM・回答(または終了)を1列につないだアプリです。",
            ),
        ) from fault
    except UnusableCorpus as fault:
        raise UsageFault(
            Text(f"The corpus cannot be used: {fault}", f"文書を読み込めません: {fault}"),
            hint=Text(
                "A folder with *.md files (a passage per ## heading) or *.jsonl lines with id, title, content.",
                "## 見出しごとに1件とする *.md か、id・title・content を持つ *.jsonl をフォルダーに置いてください。",
            ),
        ) from fault
