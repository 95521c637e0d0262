"""Why a change was not tried, in words."""

from ragjudge.errors import DslFault, RagjudgeError
from ragjudge.language import Text

NO_CASE = Text(
    "no single case got worse by more than its tolerance: there is nothing to ask again.",
    "許容幅を超えて品質が下がったケースがないため、聞き直す質問がありません。",
)
NO_BASE = Text(
    "the DSL as it was before is not known (on the command line: --dsl-base REV).",
    "変更前のDSLが分かりません(コマンドラインでは --dsl-base で比較元を指定してください)。",
)
ONE_CHANGE = Text(
    "the app has a single change, or its changes only make sense together.",
    "変更が1つだけか、まとめてでなければ意味をなさない変更のためです。",
)
TOO_MANY = Text("there are too many changes to try each.", "変更が多いためです。")
OVER_QUESTIONS = Text("budget.questions does not reach for it.", "budget.questions の上限に達するためです。")
OVER_TOKENS = Text("budget.judge_tokens is used up.", "budget.judge_tokens を使い切ったためです。")
NO_SCORE = Text("no answer could be scored.", "採点できた回答がありませんでした。")
INTERRUPTED = Text("it was interrupted.", "中断されました。")
OVER_TIME = Text("it would take too long.", "時間がかかりすぎるため、打ち切りました。")

TRYING_BASE = Text(
    "Every change alone breaks a case: trying the app without any",
    "どの変更でも品質が下がるケースがあるため、変更前のアプリでも確かめています",
)


def more(count: int) -> Text:
    return Text(f"{count} more changes", f"ほか{count}件の変更")


def broken(what: Text) -> Text:
    return Text(f"it cannot stand alone: {what.en}", f"単独では成り立たない変更です: {what.ja}")


def cannot(trouble: RagjudgeError | TimeoutError) -> Text:
    """In one line: what is wrong, without the cures, which are for whoever runs the check itself."""
    if isinstance(trouble, DslFault):
        return trouble.problems[0].what
    if isinstance(trouble, RagjudgeError):
        return trouble.what
    return Text("no answer in time.", "時間内に応答がありませんでした。")


def stopped(trouble: RagjudgeError | TimeoutError) -> Text:
    what = cannot(trouble)
    return Text(f"stopped before: {what.en}", f"その前に中断しました: {what.ja}")


def trying(number: int, of: int) -> Text:
    """Without the change's name: what a node is called comes from outside, and this goes to a log."""
    return Text(
        f"Which change of the app is it? Trying {number} of {of} alone",
        f"原因となった変更を調べています({of}件中{number}件目だけを適用)",
    )
