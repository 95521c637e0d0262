"""What the connector says to a person about trouble with their app: one sentence and one cure, in each language."""

from dataclasses import dataclass

from ragjudge.language import Text


@dataclass(frozen=True, slots=True)
class Words:
    """`what` may hold `{said}`: the server's own words, already short and redacted."""

    what: Text
    cure: Text

    def what_with(self, said: str) -> Text:
        return Text(self.what.en.replace("{said}", said), self.what.ja.replace("{said}", said))


WRONG_KEY = Words(
    Text("Dify refused the API key ({said}).", "DifyがAPIキーを受け付けませんでした({said})。"),
    Text(
        "Set DIFY_API_KEY to the app's own key from its “API Access” page; it begins with “app-”.",
        "アプリの「APIアクセス」画面で発行したキー(app- で始まるもの)を DIFY_API_KEY に設定してください。",
    ),
)
DATASET_KEY = Words(
    Text(
        "DIFY_API_KEY holds a knowledge-base key (“dataset-…”).",
        "DIFY_API_KEY にナレッジ用のキー(dataset-…)が設定されています。",
    ),
    WRONG_KEY.cure,
)
NO_KEY = Words(Text("DIFY_API_KEY is empty.", "DIFY_API_KEY が空です。"), WRONG_KEY.cure)
STRANGE_KEY = Words(
    Text(
        "DIFY_API_KEY holds characters that no key has.",
        "DIFY_API_KEY に、キーに使われない文字(全角文字・改行・空白など)が含まれています。",
    ),
    WRONG_KEY.cure,
)
API_OFF = Words(
    Text("The app's API access is switched off.", "アプリのAPIアクセスがオフになっています。"),
    Text(
        "Switch “Backend Service API” on in the app's overview.",
        "アプリの「監視」画面で「バックエンドサービスAPI」をオンにしてください。",
    ),
)
FORBIDDEN = Words(
    Text("The server forbids this call ({said}).", "サーバーがこの呼び出しを許可しませんでした({said})。"),
    Text(
        "Check the plan, the proxy and the firewall in front of Dify.",
        "Difyの契約プランと、手前にあるプロキシやファイアウォールの設定を確認してください。",
    ),
)
UNPUBLISHED = Words(
    Text("The app was never published.", "アプリが公開されていません。"),
    Text(
        "Press “Publish” in Dify once, then run again.",
        "Difyで「公開する」を一度押してから、もう一度実行してください。",
    ),
)
NO_SUCH_API = Words(
    Text(
        "There is no Dify service API at this address ({said}).",
        "このURLにDifyのサービスAPIが見つかりません({said})。",
    ),
    Text(
        "Set app.base_url to the API address on the app's “API Access” page; it ends in /v1.",
        "app.base_url に、アプリの「APIアクセス」画面にあるURL(末尾が /v1)を指定してください。",
    ),
)
REDIRECTED = Words(
    Text(
        "The address redirects to {said}; the key was not sent there.",
        "このURLは {said} に転送されています(キーは転送先に送っていません)。",
    ),
    Text("Set app.base_url to the final address.", "app.base_url に転送先のURLを指定してください。"),
)
WRONG_MODE = Words(
    Text(
        "The app is of another kind than its address says ({said}).", "アプリの種類が一致しません({said})。"
    ),
    Text(
        "Check that the key belongs to the app you mean.", "APIキーが目的のアプリのものか確認してください。"
    ),
)
UNKNOWN_MODE = Words(
    Text("This kind of app is not supported: {said}.", "この種類のアプリには対応していません: {said}。"),
    Text(
        "Use a chatbot, agent, chatflow, workflow or text generator app.",
        "チャットボット、エージェント、チャットフロー、ワークフロー、テキストジェネレーターのいずれかを指定してください。",
    ),
)
PINNED_UNKNOWN = Words(
    Text(
        "app.workflow_id names no published version ({said}).",
        "app.workflow_id のバージョンが公開されていません({said})。",
    ),
    Text(
        "A draft cannot be judged: publish it and take the id of a published version, or leave app.workflow_id out.",
        "下書きは評価できません。公開済みバージョンのIDを指定するか、app.workflow_id を外してください。",
    ),
)
PROVIDER_NOT_SET_UP = Words(
    Text(
        "The app's model provider is not set up ({said}).",
        "アプリのモデルプロバイダーが設定されていません({said})。",
    ),
    Text(
        "Check the provider and its credentials under “Settings → Model Provider” in Dify.",
        "Difyの「設定 → モデルプロバイダー」で、プロバイダーと認証情報を確認してください。",
    ),
)
OUT_OF_QUOTA = Words(
    Text("A quota is used up ({said}).", "利用枠を使い切りました({said})。"),
    Text(
        "Wait for the quota to renew, or raise it with Dify or the model provider.",
        "利用枠の更新を待つか、Difyまたはモデルプロバイダーで上限を引き上げてください。",
    ),
)
ONE_AT_A_TIME = Words(
    Text(
        "The app allows one request at a time, which since Dify 1.13 refuses every streaming call ({said}).",
        "アプリの同時リクエスト数の上限が1のため、ストリーミング呼び出しがすべて拒否されます({said})。",
    ),
    Text(
        "Raise the app's max_active_requests to 2 or more.",
        "アプリの max_active_requests を2以上にしてください。",
    ),
)
TOO_MANY = Words(
    Text(
        "The app takes no more requests at once ({said}).",
        "アプリの同時リクエスト数の上限に達しています({said})。",
    ),
    Text(
        "Lower app.concurrency, or raise the app's limit.",
        "app.concurrency を下げるか、アプリ側の上限を引き上げてください。",
    ),
)
INPUT_REFUSED = Words(
    Text("Dify refused the inputs ({said}).", "Difyが入力を受け付けませんでした({said})。"),
    Text(
        "Compare the case's inputs with the app's start form; `ragjudge doctor` shows it.",
        "テストケースの入力をアプリの開始フォームと照らし合わせてください(`ragjudge doctor` で確認できます)。",
    ),
)
MODEL_BUSY = Words(
    Text(
        "The app's model provider limited the rate ({said}).",
        "モデルプロバイダーのレート制限に達しました({said})。",
    ),
    Text(
        "Lower app.concurrency, or run again later.",
        "app.concurrency を下げるか、時間をおいて再実行してください。",
    ),
)
MODEL_DOWN = Words(
    Text("The app's model was not available ({said}).", "アプリのモデルが応答しませんでした({said})。"),
    Text("Run again later.", "時間をおいて再実行してください。"),
)
APP_FAILED = Words(
    Text("The app failed on this question ({said}).", "この質問でアプリがエラーになりました({said})。"),
    Text("Open the run in Dify's logs.", "Difyのログでこの実行を確認してください。"),
)
SERVER_ERROR = Words(
    Text("Dify had an internal error ({said}).", "Difyで内部エラーが発生しました({said})。"),
    Text(
        "Look into the server's log, or run again later.",
        "サーバーのログを確認するか、時間をおいて再実行してください。",
    ),
)
PROXY_PAGE = Words(
    Text(
        "A proxy answered with a web page instead of Dify ({said}).",
        "Difyではなく、プロキシのWebページが返されました({said})。",
    ),
    Text(
        "Check the proxy in front of Dify and its time limit.",
        "Difyの手前にあるプロキシと、そのタイムアウト設定を確認してください。",
    ),
)
UNREADABLE = Words(
    Text("Dify's answer could not be read ({said}).", "Difyの応答を読み取れませんでした({said})。"),
    Text(
        "Check what stands between ragjudge and Dify.",
        "ragjudgeとDifyの間にある機器やプロキシを確認してください。",
    ),
)
UNREACHABLE = Words(
    Text("Dify does not answer ({said}).", "Difyに接続できません({said})。"),
    Text(
        "Check app.base_url, the network and whether Dify is up.",
        "app.base_url とネットワーク、Difyが起動しているかを確認してください。",
    ),
)
UNTRUSTED = Words(
    Text(
        "The server's certificate is not trusted ({said}).", "サーバー証明書を検証できませんでした({said})。"
    ),
    Text(
        "Give the certificate of your own authority with ca_file.",
        "社内認証局の場合は、その証明書を ca_file で指定してください。",
    ),
)
CA_FILE_UNUSABLE = Words(
    Text("The certificate file cannot be used ({said}).", "証明書ファイルを読み込めません({said})。"),
    Text("Give a PEM file with ca_file.", "ca_file にはPEM形式のファイルを指定してください。"),
)
NO_USER_NAMES = Words(
    Text(
        "This Dify does not tell who gave the feedback.", "このDifyでは、評価したユーザーを調べられません。"
    ),
    Text("Name the users with --user.", "--user でユーザーを指定してください。"),
)
NO_SUCH_LIST = Words(
    Text("This Dify has no list of {said}.", "このDifyには、{said} の一覧を取得するAPIがありません。"),
    Text(
        "Upgrade Dify, or take the cases from somewhere else: --user, --annotations, --batch-run.",
        "Difyを更新するか、--user、--annotations、--batch-run のいずれかで取り込んでください。",
    ),
)
TOO_SLOW = Words(
    Text(
        "No whole answer came within the time limit ({said}).",
        "制限時間内に回答が完了しませんでした({said})。",
    ),
    Text(
        "Raise app.timeout_s, or lower app.concurrency: a self-hosted Dify queues beyond about four at once.",
        "app.timeout_s を延ばすか、app.concurrency を下げてください(自前のDifyは4並列程度で待ち行列になります)。",
    ),
)
SILENT = Words(
    Text(
        "Dify accepted the question and then said nothing ({said}).",
        "Difyが質問を受け付けた後、応答がありませんでした({said})。",
    ),
    Text(
        "Check the inputs against the start form, and that Dify's worker is running.",
        "入力が開始フォームに合っているか、Difyのワーカーが動いているかを確認してください。",
    ),
)
STREAM_CUT = Words(
    Text(
        "The connection was cut before the answer was complete ({said}).",
        "回答の途中で接続が切れました({said})。",
    ),
    Text(
        "Check the proxy in front of Dify, or run again.",
        "Difyの手前のプロキシを確認するか、再実行してください。",
    ),
)
BLOCKING_CUT = Words(
    Text(
        "The blocking call was cut before the answer came ({said}).",
        "ブロッキング呼び出しが回答の前に切れました({said})。",
    ),
    Text(
        "Take `app.response_mode: blocking` out: a stream outlives the time limit of a proxy.",
        "`app.response_mode: blocking` を外してください。ストリーミングならプロキシの時間制限で切れません。",
    ),
)
PAUSED = Words(
    Text("The run waits for a person's input.", "実行が人の入力待ちで一時停止しました。"),
    Text(
        "A flow with a human-input node cannot be evaluated; leave such cases out.",
        "人の入力を待つノードを含むフローは評価できません。該当のケースを対象から外してください。",
    ),
)
STOPPED = Words(
    Text("Somebody stopped the run in Dify.", "Difyで実行が停止されました。"),
    Text("Run again.", "再実行してください。"),
)
EMPTY = Words(
    Text("The app answered with nothing.", "アプリの回答が空でした。"),
    Text("Open the conversation in Dify's logs.", "Difyのログで会話を確認してください。"),
)
NO_ANSWER_OUTPUT = Words(
    Text(
        "It is not clear which output of the workflow is the answer; it has: {said}.",
        "ワークフローのどの出力が回答か判断できません(出力: {said})。",
    ),
    Text(
        "Set app.answer to one of them, e.g. `answer: outputs.text`; the end of every branch should have it.",
        "app.answer でいずれかを指定してください(例: `answer: outputs.text`)。"
        "どの分岐の終了ノードにも、同じ名前の出力が必要です。",
    ),
)
