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
