"""Files as they are on the base branch, where a pull request can't have changed them."""

from dataclasses import dataclass
from urllib.parse import quote

from ragjudge.errors import MustChange
from ragjudge.github.api import GitHubApi
from ragjudge.language import Text


@dataclass(frozen=True, slots=True)
class BaseBranch:
    """One commit (or branch) of a repository, read through the contents API: no checkout, no git."""

    api: GitHubApi
    repository: str
    commit: str
    """A commit id; a branch name only where GitHub named no commit."""

    def read(self, path: str) -> bytes | None:
        """The file's bytes, None where the base branch has no such file. Raises MustChange for a path outside."""
        parts = path.removeprefix("./").split("/")
        if path.startswith("/") or any(part in ("", "..", ".") for part in parts):
            raise MustChange(
                Text(
                    f"`{path}` is not a path inside the repository.",
                    f"`{path}` はリポジトリ内のパスではありません。",
                )
            )
        encoded = "/".join(quote(part, safe="") for part in parts)
        return self.api.raw(f"/repos/{self.repository}/contents/{encoded}", {"ref": self.commit})

    def names(self) -> tuple[str, ...]:
        """Every file of the commit, in one call; of a tree too large for GitHub those that it lists."""
        path = f"/repos/{self.repository}/git/trees/{quote(self.commit, safe='')}"
        tree = self.api.find(path, {"recursive": "1"})
        entries = tree.get("tree") if isinstance(tree, dict) else None
        listed = entries if isinstance(entries, list) else []
        files = (entry for entry in listed if isinstance(entry, dict) and entry.get("type") == "blob")
        return tuple(name for entry in files if isinstance(name := entry.get("path"), str))

    def require_visible(self) -> None:
        """Tells "there is no such file" from "this token may not see it": both are 404. Raises GitHubRefused."""
        self.api.get(f"/repos/{self.repository}")
