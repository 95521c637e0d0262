"""What git and GitHub take as the name of a branch (git-check-ref-format), told before anything is sent."""

import re

from ragjudge.language import Text

_FORBIDDEN = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]")
_COMMIT = re.compile(r"[0-9a-f]{40}")


def wrong_with(name: str) -> Text | None:
    """Why this can be no branch's name; None where it can."""
    if not name:
        return Text("it is empty", "空です")
    if found := _FORBIDDEN.search(name):
        shown = "space" if found[0] == " " else repr(found[0])[1:-1]
        ja = "空白" if found[0] == " " else f"「{shown}」"
        return Text(f"it holds {shown}", f"{ja}を含んでいます")
    if any(part in name for part in ("..", "@{", "//")):
        return Text("it holds '..', '@{' or '//'", "「..」「@{」「//」のいずれかを含んでいます")
    if name.startswith(("/", "-")) or name.endswith(("/", ".")):
        return Text(
            "it begins with '/' or '-', or ends with '/' or '.'",
            "「/」「-」で始まるか「/」「.」で終わっています",
        )
    if name in {"@", "HEAD"}:
        return Text("git keeps it for itself", "gitの予約語です")
    if any(part.startswith(".") or part.endswith(".lock") for part in name.split("/")):
        return Text(
            "a part of it begins with '.' or ends with '.lock'",
            "「.」で始まるか「.lock」で終わる部分があります",
        )
    if name.startswith("refs/") or _COMMIT.fullmatch(name):
        return Text(
            "it is a ref or a commit, not a branch's own name", "ブランチ名ではなく、参照やコミットの表記です"
        )
    return None
