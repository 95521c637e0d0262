"""What the doctor says, in each language."""

from collections.abc import Collection, Sequence

from ragjudge.language import Text
from ragjudge.results.answer import Answer, ContextSource, MissingContexts, Retrieved
from ragjudge.results.run import AppIdentity

_SOURCES = {
    ContextSource.RETRIEVAL_NODES: Text("the flow's retrieval nodes", "フローの知識検索ノード"),
    ContextSource.RETRIEVER_RESOURCES: Text("the answer's citations", "回答の引用情報"),
    ContextSource.AGENT_OBSERVATION: Text("the agent's tool results", "エージェントのツール結果"),
    ContextSource.WORKFLOW_OUTPUT: Text("the workflow's output", "ワークフローの出力"),
    ContextSource.MESSAGE_HISTORY: Text("the message history", "メッセージ履歴"),
    ContextSource.RETRIEVED_APART: Text(
        "a search of the knowledge base, apart from the app", "アプリとは別に行ったナレッジ検索"
    ),
}
_CAUSES = {
    MissingContexts.CITATION_OFF: Text("citation is off", "引用がオフです"),
    MissingContexts.NO_RETRIEVAL: Text(
        "the app retrieved nothing for this question", "この質問では検索が行われませんでした"
    ),
    MissingContexts.NOTHING_RETRIEVED: Text(
        "the retrieval ran and found nothing", "検索は行われましたが、0件でした"
    ),
    MissingContexts.ANNOTATION_REPLY: Text(
        "an annotation answered instead of the model", "注釈による回答でした"
    ),
    MissingContexts.NODE_FAILED: Text("the retrieval node failed", "知識検索ノードが失敗しました"),
    MissingContexts.LOST_WITH_STREAM: Text("the stream was cut", "ストリームが途中で切れました"),
    MissingContexts.OUTPUT_UNUSABLE: Text(
        "the output that app.contexts names is not there, or holds no passages",
        "app.contexts で指定した出力がないか、文書として読み取れません",
    ),
    MissingContexts.NOT_IN_REPLY: Text("the reply shows no passages", "応答に文書が含まれていません"),
}
_CURES = {
    MissingContexts.CITATION_OFF: Text(
        "Switch “Citations and Attributions” on in the app's features.",
        "アプリの機能設定で「引用と帰属」をオンにしてください。",
    ),
    MissingContexts.NOTHING_RETRIEVED: Text(
        "Check the retrieval node's datasets (an import may have lost them) and its score threshold.",
        "知識検索ノードのナレッジ(インポートで外れることがあります)とスコアしきい値を確認してください。",
    ),
    MissingContexts.OUTPUT_UNUSABLE: Text(
        "Name one of the run's outputs in app.contexts: a list of texts, or of items with `content`.",
        "app.contexts には、文字列のリストか `content` を持つ項目のリストの出力名を指定してください。",
    ),
    MissingContexts.NOT_IN_REPLY: Text(
        "Give the End node an output with the passages and name it in app.contexts.",
        "終了ノードに文書の出力を加え、app.contexts で指定してください。",
    ),
    MissingContexts.NO_RETRIEVAL: Text(
        "Without passages, only answer_relevancy and correctness are scored.",
        "文書がない場合、採点できるのは answer_relevancy と correctness だけです。",
    ),
}
NOT_ASKED = Text("No question was asked.", "質問は送っていません。")
NOT_ASKED_BY_PREVIEW = Text(
    "No question was asked: with dsl.preview the app is made anew in each run.",
    "質問は送っていません(dsl.preview では、実行のたびにアプリを作成します)。",
)
WRITE_ADDRESS = Text("Write it so in app.base_url.", "app.base_url にこのURLを書いてください。")
CITATION_OFF = Text(
    "Citation is off: this kind of app then shows no passages.",
    "引用がオフです。この種類のアプリでは、検索された文書を取得できません。",
)
SWITCH_CITATION_ON = _CURES[MissingContexts.CITATION_OFF]
ANNOTATIONS = Text(
    "Annotation reply is on: some questions may be answered without the model.",
    "注釈返信がオンです。モデルを使わずに回答されることがあります。",
)
MIND_ANNOTATIONS = Text(
    "Such answers have no passages; switch it off in a copy of the app for tests.",
    "その場合は文書が取得できません。テスト用に複製したアプリではオフにしてください。",
)
BLOCKING = Text(
    "app.response_mode is blocking: such replies hide the nodes of a flow, and with them the passages and a chatflow's"
    " version.",
    "app.response_mode が blocking です。フローのノードが見えないため、検索された文書や"
    "チャットフローのバージョンを取得できません。",
)
BLOCKING_IGNORED = Text(
    "app.response_mode is blocking, but agents only stream: they are asked by streams.",
    "app.response_mode は blocking ですが、エージェントはストリーミングのみのため、ストリーミングで質問します。",
)
STREAM_INSTEAD = Text(
    "Take app.response_mode out of the config, unless something in between can't pass streams.",
    "途中の機器がストリームを通せない場合を除き、設定から app.response_mode を外してください。",
)
NO_CASES = Text("The suite has no case: nothing was asked.", "テストケースがないため、質問は送っていません。")
MORE_TIME = Text("Raise app.timeout_s.", "app.timeout_s を延ばしてください。")
LOGS_STAY = Text(
    "This kind of app keeps its runs: they can't be deleted.", "この種類のアプリの実行ログは削除できません。"
)
OWN_APP = Text("Use a copy of the app for tests.", "テスト用に複製したアプリを使ってください。")
TAKEN_BACK = Text("The doctor's conversation was deleted again.", "この確認で作った会話は削除しました。")
MAKE_BASELINE = Text("Run `ragjudge baseline update`.", "`ragjudge baseline update` を実行してください。")


def connected(app: AppIdentity, url: str) -> Text:
    version = app.server_version or "?"
    return Text(
        f"Dify {version} at {url}: “{app.name}” ({app.mode}); the key is good and the app is published.",
        f"Dify {version}({url}): 「{app.name}」({app.mode})。キーは有効で、公開済みです。",
    )


def signed_in(workspace: str, dsl: str | None, plugins: Collection[str] | None) -> Text:
    count = "?" if plugins is None else str(len(plugins))
    return Text(
        f"Signed in to Dify's console: workspace “{workspace}”, DSL version {dsl or '?'}, {count} plugins.",
        f"Difyの管理画面にログインできました: ワークスペース「{workspace}」、DSLバージョン {dsl or '?'}、"
        f"プラグイン{count}個",
    )


def sound_file(file: str) -> Text:
    return Text(f"{file}: nothing broken was found.", f"{file}: 問題は見つかりませんでした。")


def address(url: str) -> Text:
    return Text(f"The address was completed to {url}.", f"URLを {url} に補いました。")


def form(variables: Sequence[str]) -> Text:
    if not variables:
        return Text("The start form has no variables.", "開始フォームに変数はありません。")
    listed = "; ".join(variables)
    return Text(f"Start form: {listed}.", f"開始フォーム: {listed}")


def question_variable(name: str | None) -> Text:
    if name is None:
        return Text(
            "The question goes where app.inputs puts it.", "質問は app.inputs の指定どおりに渡します。"
        )
    return Text(f"The question goes into “{name}”.", f"質問は変数「{name}」に渡します。")


def fits(cases: int) -> Text:
    return Text(
        f"The inputs of all {cases} cases fit the form.", f"全{cases}件の入力がフォームに合っています。"
    )


def more(count: int) -> Text:
    return Text(f"… and {count} more.", f"ほか{count}件あります。")


def answered(case_id: str, answer: Answer) -> Text:
    start = " ".join(answer.text.split())[:60]
    tokens, took_s = answer.usage.total_tokens, answer.latency_s or 0.0
    return Text(
        f"Case {case_id} was answered in {took_s:.1f} s with {tokens} tokens: {start}",
        f"ケース {case_id} の回答({took_s:.1f}秒、{tokens}トークン): {start}",
    )


def contexts(found: Retrieved) -> Text:
    count, source = len(found.items), _SOURCES[found.source]
    return Text(f"{count} passages, from {source.en}.", f"検索された文書: {count}件(取得元: {source.ja})")


def no_contexts(cause: MissingContexts) -> Text:
    return Text(
        f"No passages: {_CAUSES[cause].en}.", f"検索された文書を取得できません: {_CAUSES[cause].ja}。"
    )


def cure_for(cause: MissingContexts) -> Text | None:
    return _CURES.get(cause)


def slow(seconds: float, limit: float) -> Text:
    return Text(
        f"That took {seconds:.0f} s of the {limit:.0f} s that a question has.",
        f"制限時間{limit:.0f}秒のうち{seconds:.0f}秒かかりました。",
    )


def notes(found: Sequence[str]) -> Text:
    listed = ", ".join(found)
    return Text(f"Odd about that answer: {listed}.", f"この回答の特記事項: {listed}")


def version(workflow_id: str) -> Text:
    return Text(
        f"Answered by workflow version {workflow_id}.", f"回答したワークフローのバージョン: {workflow_id}"
    )


def left(conversations: Sequence[str]) -> Text:
    listed = ", ".join(conversations)
    return Text(f"These conversations could not be deleted: {listed}.", f"削除できなかった会話: {listed}")


def judge(name: str) -> Text:
    return Text(f"The judge answers: {name}.", f"評価LLMが応答しました: {name}")


def embedder(name: str) -> Text:
    return Text(f"Embeddings work: {name}.", f"埋め込みが使えます: {name}")


def no_baseline(place: str) -> Text:
    return Text(f"There is no baseline yet ({place}).", f"ベースラインはまだありません({place})。")


def baseline(place: str, cases: int) -> Text:
    return Text(f"Baseline of {cases} cases ({place}).", f"ベースライン: {cases}件({place})")


def summary(bad: int, warnings: int) -> Text:
    if not bad and not warnings:
        return Text("Everything is fine.", "問題は見つかりませんでした。")
    return Text(f"{bad} to mend, {warnings} to mind.", f"要対応 {bad}件、注意 {warnings}件")
