"""What is said to a person about trouble with Dify's console: one sentence and one cure, in each language."""

from ragjudge.dify.words import Words
from ragjudge.language import Text

_OTHER_WAY = Text(
    "On a self-hosted Dify from 1.11 an administrator can set ADMIN_API_KEY_ENABLE and ADMIN_API_KEY instead "
    "(DIFY_ADMIN_API_KEY and DIFY_WORKSPACE_ID here); or judge the published app with its API key alone "
    "(dsl.preview: false).",
    "セルフホストのDify(1.11以降)では、管理者が ADMIN_API_KEY_ENABLE と ADMIN_API_KEY を設定し、ここでは "
    "DIFY_ADMIN_API_KEY と DIFY_WORKSPACE_ID を指定する方法もあります。または、公開済みアプリをAPIキーだけで"
    "評価してください(dsl.preview: false)。",
)
HALF_GIVEN = Words(
    Text("{said} is empty.", "{said} が空です。"),
    Text(
        "Give DIFY_CONSOLE_EMAIL with DIFY_CONSOLE_PASSWORD, or DIFY_ADMIN_API_KEY with DIFY_WORKSPACE_ID.",
        "DIFY_CONSOLE_EMAIL と DIFY_CONSOLE_PASSWORD、または DIFY_ADMIN_API_KEY と DIFY_WORKSPACE_ID を"
        "両方指定してください。",
    ),
)
NO_PASSWORD_LOGIN = Words(
    Text(
        "This console lets nobody in by password ({said}).",
        "この管理画面ではパスワードでログインできません({said})。",
    ),
    _OTHER_WAY,
)
SECOND_FACTOR = Words(
    Text(
        "The console wants more than a password ({said}).",
        "この管理画面では、パスワード以外の認証も必要です({said})。",
    ),
    _OTHER_WAY,
)
WRONG_PASSWORD = Words(
    Text(
        "The console refused the e-mail or password ({said}).",
        "管理画面にログインできませんでした({said})。",
    ),
    Text(
        "Check DIFY_CONSOLE_EMAIL and DIFY_CONSOLE_PASSWORD by signing in with a browser; after five failures "
        "Dify locks the e-mail for a while.",
        "ブラウザーでログインして DIFY_CONSOLE_EMAIL と DIFY_CONSOLE_PASSWORD を確認してください。5回失敗すると、"
        "Difyはそのメールアドレスをしばらくロックします。",
    ),
)
LOCKED = Words(
    Text(
        "The console has locked this e-mail after failed logins ({said}).",
        "ログインの失敗が続いたため、管理画面がこのメールアドレスをロックしています({said})。",
    ),
    Text(
        "Correct the password first, then wait until Dify lifts the lock, or have it lifted by an administrator.",
        "先にパスワードを直し、ロックの解除を待つか、管理者に解除を依頼してください。",
    ),
)
ACCOUNT_UNUSABLE = Words(
    Text(
        "The console does not let this account work ({said}).",
        "このアカウントでは管理画面を使えません({said})。",
    ),
    Text(
        "Use an account that is active and belongs to a workspace.",
        "有効で、ワークスペースに所属しているアカウントを使ってください。",
    ),
)
ADMIN_KEY_REFUSED = Words(
    Text("The console refused the admin API key ({said}).", "管理用APIキーが拒否されました({said})。"),
    Text(
        "Check ADMIN_API_KEY_ENABLE and ADMIN_API_KEY of the server and DIFY_WORKSPACE_ID. Before Dify 1.11 the "
        "key does not suffice: use DIFY_CONSOLE_EMAIL and DIFY_CONSOLE_PASSWORD.",
        "サーバーの ADMIN_API_KEY_ENABLE と ADMIN_API_KEY、DIFY_WORKSPACE_ID を確認してください。Dify 1.11より前では"
        "このキーだけでは使えません。DIFY_CONSOLE_EMAIL と DIFY_CONSOLE_PASSWORD を使ってください。",
    ),
)
NOT_ALLOWED = Words(
    Text(
        "The console account may not do this ({said}).", "このアカウントには必要な権限がありません({said})。"
    ),
    Text(
        "Give it the role “Editor” or higher in the workspace.",
        "ワークスペースで「編集者」以上の権限を付けてください。",
    ),
)
NO_CONSOLE = Words(
    Text(
        "There is no Dify console at this address ({said}).",
        "このURLにDifyの管理画面が見つかりません({said})。",
    ),
    Text(
        "Set dsl.console_url to the address at which you open Dify in a browser.",
        "dsl.console_url に、ブラウザーでDifyを開くときのURLを指定してください。",
    ),
)
REDIRECTED = Words(
    Text(
        "The console's address redirects to {said}; no password was sent there.",
        "管理画面のURLは {said} に転送されています(パスワードは転送先に送っていません)。",
    ),
    Text("Set dsl.console_url to the final address.", "dsl.console_url に転送先のURLを指定してください。"),
)
UNREACHABLE = Words(
    Text("Dify's console does not answer ({said}).", "Difyの管理画面に接続できません({said})。"),
    Text(
        "Check dsl.console_url (or app.base_url), the network and whether Dify is up.",
        "dsl.console_url(または app.base_url)とネットワーク、Difyが起動しているかを確認してください。",
    ),
)
REFUSED = Words(
    Text("The console refused a call ({said}).", "管理画面のAPIに拒否されました({said})。"),
    Text(
        "Look at the server's version and log: ragjudge was checked against Dify 1.9.2 and 1.14.2.",
        "Difyのバージョンとログを確認してください(ragjudgeは1.9.2と1.14.2で確認しています)。",
    ),
)
UNREADABLE = Words(
    Text(
        "The console's answer is not one that ragjudge knows ({said}).",
        "管理画面の応答を理解できませんでした({said})。",
    ),
    REFUSED.cure,
)
GONE = Words(
    Text("The console knows no such app ({said}).", "そのアプリは管理画面にありません({said})。"),
    Text(
        "Take the app's id from its address in the console: …/app/<id>/workflow.",
        "管理画面のアプリのURL(…/app/<id>/workflow)にあるIDを指定してください。",
    ),
)
IMPORT_FAILED = Words(
    Text("Dify did not import the DSL ({said}).", "DifyがDSLを取り込めませんでした({said})。"),
    Text(
        "Import the file by hand in Dify to see the same message, or export it again.",
        "Difyの画面で同じファイルを取り込んで確認するか、DSLを再度エクスポートしてください。",
    ),
)
