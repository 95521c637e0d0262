"""What can be said about which DSL the answers came from: in words, for the report."""

from dataclasses import dataclass

from ragjudge.language import Text


@dataclass(frozen=True, slots=True)
class Proof:
    """What was compared on the server. `workflow_id` and `hash` are None for apps without a publish step."""

    app_name: str
    workflow_id: str | None
    hash: str | None
    digest: str
    """Of the DSL, without name, icon and description."""
    differing: tuple[str, ...] = ()
    """Paths that the server serves otherwise than they were pushed."""

    @property
    def equal(self) -> bool:
        return not self.differing

    @property
    def text(self) -> Text:
        version = f", workflow {self.workflow_id}" if self.workflow_id else ""
        version_ja = f"、ワークフロー {self.workflow_id}" if self.workflow_id else ""
        if self.equal:
            return Text(
                f"Judged: this pull request's DSL, as the preview app “{self.app_name}”{version}; "
                "the server's export of it equals the file.",
                f"評価対象: このプルリクエストのDSL(プレビューアプリ「{self.app_name}」{version_ja})。"
                "サーバーから書き出した内容がファイルと一致することを確認しました。",
            )
        paths = ", ".join(self.differing)
        return Text(
            f"Judged: the preview app “{self.app_name}”{version}, which the server changed while importing: {paths}",
            f"評価対象: プレビューアプリ「{self.app_name}」{version_ja}。取り込み時に、サーバーが次の項目を"
            f"変更しました: {paths}",
        )


def unproven(workflow_id: str | None) -> Text:
    """With the API key alone: what was judged, and that it cannot be shown to be the pull request's DSL."""
    version = f"workflow version {workflow_id}" if workflow_id else "the app's published settings"
    version_ja = f"ワークフローのバージョン {workflow_id}" if workflow_id else "公開中の設定"
    return Text(
        f"Judged: {version}, as published. With an API key alone it cannot be shown that this is the pull "
        "request's DSL. Two ways to get there: console credentials with `dsl.preview: true`, or "
        "`ragjudge dsl push` to a staging app before the check.",
        f"評価対象: {version_ja}(公開済みのもの)。APIキーだけでは、これがプルリクエストのDSLと同じものか確認"
        "できません。確認するには、管理画面の認証情報を設定して `dsl.preview: true` にするか、チェックの前に "
        "`ragjudge dsl push` でステージング用アプリへ反映してください。",
    )
