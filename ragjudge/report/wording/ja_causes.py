"""日本語の文言のうち、点数がない理由。原因と直し方を一文ずつ。"""

from ragjudge.report.wording.base import Says
from ragjudge.results.answer import ContextSource, MissingContexts
from ragjudge.results.outcome import Cause, Inapplicable

CAUSES = {
    Cause.APP_ERROR: Says(
        "アプリがエラーを返しました", "Dify のログで、この質問の実行結果を確認してください。"
    ),
    Cause.APP_TIMEOUT: Says(
        "時間内に回答が返りませんでした",
        "app.timeout_s を延ばすか、同時実行数（app.concurrency）を減らしてください。",
    ),
    Cause.APP_UNREACHABLE: Says(
        "アプリに接続できませんでした", "app.base_url と、サーバーの状態を確認してください。"
    ),
    Cause.APP_RATE_LIMITED: Says(
        "アプリの利用回数の上限に達しました", "時間をおくか、app.concurrency を減らしてください。"
    ),
    Cause.APP_INPUT_REFUSED: Says(
        "アプリが入力を受け付けませんでした",
        "必須の変数が app.inputs か、ケースの inputs にあるか確認してください。",
    ),
    Cause.APP_PAUSED: Says(
        "アプリが人の入力を待って止まりました",
        "人の確認が要る手順は、自動テストでは通らないようにしてください。",
    ),
    Cause.APP_EMPTY_ANSWER: Says(
        "回答が空でした", "アプリの最後のノードが、回答を出力しているか確認してください。"
    ),
    Cause.APP_STREAM_CUT: Says(
        "回答の途中で通信が切れました", "プロキシの時間制限を確認して、もう一度実行してください。"
    ),
    Cause.JUDGE_ERROR: Says(
        "採点モデルがエラーを返しました", "採点モデルの提供元の状態を確認して、もう一度実行してください。"
    ),
    Cause.JUDGE_TIMEOUT: Says(
        "時間内に採点が返りませんでした", "judge.timeout_s を延ばすか、judge.concurrency を減らしてください。"
    ),
    Cause.JUDGE_UNREACHABLE: Says(
        "採点モデルに接続できませんでした", "judge.base_url と、ネットワークを確認してください。"
    ),
    Cause.JUDGE_RATE_LIMITED: Says(
        "採点モデルの利用上限に達しました", "judge.concurrency を減らして、もう一度実行してください。"
    ),
    Cause.JUDGE_REPLY_UNUSABLE: Says(
        "採点モデルの返答が、決めた形式に合いませんでした", "JSON を確実に返すモデルに替えてください。"
    ),
    Cause.JUDGE_REPLY_TRUNCATED: Says(
        "採点モデルの返答が途中で切れました", "出力の上限が大きいモデルに替えてください。"
    ),
    Cause.JUDGE_CONTENT_FILTER: Says(
        "採点モデルの安全フィルターに止められました",
        "質問と正解の言い回しを変えるか、別の採点モデルを使ってください。",
    ),
    Cause.JUDGE_CONTEXT_TOO_LONG: Says(
        "採点モデルに渡す文章が長すぎました", "検索の件数を減らすか、長い入力を扱えるモデルに替えてください。"
    ),
    Cause.EMBEDDING_UNUSABLE: Says(
        "埋め込みモデルの結果が使えませんでした", "embedding.model を確認してください。"
    ),
    Cause.OVER_BUDGET: Says("予算の上限に達しました", "budget の値を見直してください。"),
    Cause.CANCELLED: Says("実行が取り消されました", "もう一度実行してください（--resume で続きから）。"),
    Cause.NOT_ASKED: Says(
        "順番が来る前に実行が終わりました", "もう一度実行してください（--resume で続きから）。"
    ),
}

INAPPLICABLE = {
    Inapplicable.NO_REFERENCE: "正解がありません",
    Inapplicable.NO_CONTEXTS: "検索結果がありません",
    Inapplicable.NO_CLAIMS: "主張のない回答です",
    Inapplicable.NOT_SELECTED: "このケースでは使いません",
    Inapplicable.NO_LATENCY: "応答時間が計測されていません",
    Inapplicable.NO_BASELINE_ANSWER: "ベースラインに回答がありません",
}

MISSING_CONTEXTS = {
    MissingContexts.CITATION_OFF: "アプリの「引用と帰属」がオフのため、検索結果を受け取れません",
    MissingContexts.NO_RETRIEVAL: "この実行では、検索が行われていません",
    MissingContexts.NOTHING_RETRIEVED: "検索しましたが、何も見つかりませんでした",
    MissingContexts.ANNOTATION_REPLY: "検索の代わりに、登録済みの回答（アノテーション返信）が使われました",
    MissingContexts.NODE_FAILED: "検索ノードが失敗し、既定値が使われました",
    MissingContexts.LOST_WITH_STREAM: "通信が切れ、検索結果が失われました",
    MissingContexts.OUTPUT_UNUSABLE: "app.contexts で指定した出力がないか、検索結果として読み取れません",
    MissingContexts.NOT_IN_REPLY: "返答に検索結果が含まれていません（app.contexts で出力を指定できます）",
}

CONTEXT_SOURCES = {
    ContextSource.RETRIEVAL_NODES: "検索ノードの出力",
    ContextSource.RETRIEVER_RESOURCES: "回答の引用情報",
    ContextSource.AGENT_OBSERVATION: "エージェントのツール結果",
    ContextSource.WORKFLOW_OUTPUT: "app.contexts で指定した出力",
    ContextSource.MESSAGE_HISTORY: "会話履歴の引用情報",
    ContextSource.RETRIEVED_APART: "別に行った検索（アプリが見たものとは限りません）",
}
