"""What can be wrong with a data branch, each with its own sentence and cure."""

from ragjudge.errors import BaselineNotAllowed, BaselineUnreachable
from ragjudge.language import Text

RULES = ("protected", "rule violation", "gh006", "gh013")
"""Words of a refusal where a rule of the repository keeps a branch closed."""


def is_protected(answer: str) -> bool:
    return any(word in answer.lower() for word in RULES)


def overtaken(place: str, tries: int) -> BaselineUnreachable:
    """Other writers were faster every time."""
    return BaselineUnreachable(
        Text(
            f"The baseline was not stored: {place} kept changing during {tries} tries.",
            f"ベースラインを保存できませんでした。{place} が更新され続けています({tries}回試行)。",
        ),
        hint=Text(
            "Nothing was lost. Run the update again when fewer jobs are storing baselines.",
            "データは失われていません。同時に保存するジョブが減ってから再実行してください。",
        ),
    )


def refused(place: str, answer: str) -> BaselineNotAllowed:
    """The server won't have such a branch, however often it is asked."""
    return BaselineNotAllowed(
        Text(
            f"The baseline could not be stored in {place}: {answer}",
            f"ベースラインを {place} に保存できません: {answer}",
        ),
        hint=Text(
            "Nothing was lost. Choose another branch's name: beside `a/b` there can be no branch `a`, nor the reverse.",
            "データは失われていません。別のブランチ名を指定してください"
            "(`a/b` というブランチがあると、`a` は作れません。逆も同じです)。",
        ),
    )


def not_allowed(place: str, answer: str, *, writing: bool) -> BaselineNotAllowed:
    """The server answered, and said no."""
    right = "contents: write" if writing else "contents: read"
    doing_en, doing_ja = ("written", "書き込む") if writing else ("read", "読み取る")
    return BaselineNotAllowed(
        Text(
            f"The baseline in {place} may not be {doing_en} with this token or account: {answer}",
            f"このトークン(アカウント)には、ベースライン({place})を{doing_ja}権限がありません: {answer}",
        ),
        hint=Text(
            f"In a workflow give the job `permissions: {right}`. Elsewhere check who git logs in as.",
            f"ワークフローでは、ジョブに `permissions: {right}` を指定してください。"
            "それ以外の環境では、gitの認証を確認してください。",
        ),
    )


def protected(place: str, answer: str) -> BaselineNotAllowed:
    """A rule of the repository keeps the branch closed."""
    return BaselineNotAllowed(
        Text(
            f"A branch protection rule refuses the baseline in {place}: {answer}",
            f"ブランチ保護ルールにより、ベースライン({place})を保存できません: {answer}",
        ),
        hint=Text(
            "Nothing was lost: the results of this run are in the output folder. Use a data branch that no rule "
            'covers (`baseline: {store: "branch:ragjudge-baseline"}`), or let the rule\'s bypass list name the '
            "workflow, then run `ragjudge baseline update` again.",
            "データは失われていません。この実行の結果は出力フォルダーにあります。保護されていないデータ用ブランチ"
            '(`baseline: {store: "branch:ragjudge-baseline"}`)を使うか、ルールの例外にワークフローを加えてから、'
            "`ragjudge baseline update` を再実行してください。",
        ),
    )


def unreachable(place: str, why: Text) -> BaselineUnreachable:
    """Nobody answered: not the same as "there is none"."""
    return BaselineUnreachable(
        Text(
            f"The baseline in {place} could not be reached: {why.en}",
            f"ベースライン({place})に接続できませんでした: {why.ja}",
        ),
        hint=Text(
            "This says nothing about the app. Try again later.",
            "アプリの品質とは関係ありません。しばらくしてから再実行してください。",
        ),
    )
