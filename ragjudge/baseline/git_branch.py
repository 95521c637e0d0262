"""A data branch on any git remote, written from a repository of its own in a temporary folder.

The user's checkout, index, hooks and config are never touched: git is told its directory on every call. Of the config
only what says how to reach the remote is read.
"""

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ragjudge.baseline.checkout_config import carried_over, entries
from ragjudge.baseline.patience import MOST_TRIES, Patience, Race
from ragjudge.baseline.troubles import not_allowed, overtaken, protected, refused, unreachable
from ragjudge.errors import RagjudgeError
from ragjudge.language import Text, why_not

TIMEOUT_S = 120
_SETTINGS = (
    ("user.name", "ragjudge"),
    ("user.email", "ragjudge@users.noreply.github.com"),
    ("commit.gpgsign", "false"),
    ("core.hooksPath", "/dev/null"),
    ("gc.auto", "0"),
)
_KEEP_OUT = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
)
"""Set by git for its hooks; they would point our git at the user's repository."""

_NO_SUCH_BRANCH = re.compile(r"couldn't find remote ref", re.IGNORECASE)
_IN_THE_WAY = re.compile(r"'refs/heads/[^']+' exists; cannot create|directory/?file conflict", re.IGNORECASE)
_LOST_THE_RACE = re.compile(
    r"stale info|fetch first|non-fast-forward|cannot lock ref|failed to update ref|already exists|incorrect old value",
    re.IGNORECASE,
)
_PROTECTED = re.compile(r"GH0(06|13)|protected branch|hook declined|rule violations", re.IGNORECASE)
_REFUSED = re.compile(
    r"authentication failed|could not read (username|password)|permission denied|not allowed|"
    r"access denied|requested URL returned error: 40[134]|repository not found|insufficient permission|"
    r"host key verification failed|not appear to be a git repository|correct access rights",
    re.IGNORECASE,
)
_NOBODY_THERE = re.compile(
    r"could not resolve|name or service not known|temporary failure|connection (refused|timed out|reset|closed)|"
    r"timed out|network is unreachable|no route to host|failed to connect|could not connect|"
    r"requested URL returned error: 5",
    re.IGNORECASE,
)
"""Said before the advice about access rights, which git gives wherever it reads nothing."""


@dataclass(frozen=True, slots=True)
class _Said:
    code: int
    out: bytes
    error: str


class GitBranch:
    """`remote` is whatever git takes: an address or a folder; with `checkout` the name `REMOTE`, as that checkout
    reaches it. `environ` is what git runs with.

    Raises `BaselineNotAllowed` where rights are missing and `BaselineUnreachable` where nobody answers.
    """

    def __init__(
        self,
        remote: str,
        branch: str,
        *,
        environ: Mapping[str, str],
        patience: Patience,
        checkout: Path | None = None,
    ) -> None:
        self._remote = remote
        self._checkout = checkout
        self._ref = f"refs/heads/{branch}"
        self._branch = branch
        self._patience = patience
        kept = {key: value for key, value in environ.items() if key not in _KEEP_OUT}
        self._environ = {**kept, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}

    @property
    def branch(self) -> str:
        return self._branch

    def read(self, path: str) -> bytes | None:
        """A file as it is now, None where there is no such branch or file."""
        with self._own_repository() as folder:
            head = self._fetch(folder)
            return self._file(folder, head, path) if head else None

    def write(self, path: str, change: Callable[[bytes | None], bytes], message: str) -> str:
        """Replace one file by `change(what is there now)`; the new commit's id.

        `change` is called again where somebody else wrote in between, with what they wrote.
        """
        with self._own_repository() as folder:
            race = Race()
            for tries in range(MOST_TRIES):
                head = self._fetch(folder)
                data = change(self._file(folder, head, path) if head else None)
                commit = self._commit(folder, head, path, data, message)
                refusal = self._push(folder, commit, expected=head or "")
                if refusal is None:
                    return commit
                if race.is_none(head):
                    raise refused(self._place, refusal)
                self._patience.after(tries)
        raise overtaken(self._place, MOST_TRIES)

    def _commit(self, folder: Path, head: str | None, path: str, data: bytes, message: str) -> str:
        blob = self._must(folder, "hash-object", "-w", "--stdin", stdin=data)
        self._must(folder, "read-tree", head or "--empty")
        self._must(folder, "update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
        tree = self._must(folder, "write-tree")
        parents = ("-p", head) if head else ()
        return self._must(folder, "commit-tree", tree, *parents, "-m", message)

    @property
    def _place(self) -> str:
        return f"branch:{self._branch}"

    def _push(self, folder: Path, commit: str, *, expected: str) -> str | None:
        """The only step that others see: done by the remote in one piece, and only from the expected head.

        None where it was done; what git said where somebody may have been faster.
        """
        lease = f"--force-with-lease={self._ref}:{expected}"
        said = self._git(folder, "push", "--porcelain", lease, "--", self._remote, f"{commit}:{self._ref}")
        if said.code == 0:
            return None
        words = f"{said.out.decode(errors='replace')}\n{said.error}"
        if _IN_THE_WAY.search(words):
            raise refused(self._place, _short(words))
        if _LOST_THE_RACE.search(words):
            return _short(words)
        if _PROTECTED.search(words):
            raise protected(self._place, _short(words))
        raise self._trouble(words, writing=True)

    def _fetch(self, folder: Path) -> str | None:
        said = self._git(folder, "fetch", "--quiet", "--depth=1", "--no-tags", "--", self._remote, self._ref)
        if said.code == 0:
            return self._must(folder, "rev-parse", "FETCH_HEAD")
        if _NO_SUCH_BRANCH.search(said.error):
            return None
        raise self._trouble(said.error, writing=False)

    def _file(self, folder: Path, head: str, path: str) -> bytes | None:
        if not self._git(folder, "ls-tree", head, "--", path).out:
            return None
        said = self._git(folder, "cat-file", "blob", f"{head}:{path}")
        if said.code:
            raise self._trouble(said.error, writing=False)
        return said.out

    def _trouble(self, words: str, *, writing: bool) -> RagjudgeError:
        if _REFUSED.search(words) and not _NOBODY_THERE.search(words):
            return not_allowed(self._place, _short(words), writing=writing)
        return self._unreachable(_short(words))

    def _unreachable(self, why: str) -> RagjudgeError:
        return unreachable(self._place, Text(why, why))

    def _must(self, folder: Path, *arguments: str, stdin: bytes = b"") -> str:
        said = self._git(folder, *arguments, stdin=stdin)
        if said.code:
            raise self._unreachable(_short(said.error))
        return said.out.decode("ascii").strip()

    def _git(self, folder: Path | None, *arguments: str, stdin: bytes = b"") -> _Said:
        settings = [part for key, value in _SETTINGS for part in ("-c", f"{key}={value}")]
        command = ["git", *([f"--git-dir={folder}"] if folder else []), *settings, *arguments]
        try:
            done = subprocess.run(  # noqa: S603 (no shell; what comes from the config stands after `--`)
                command,
                input=stdin,
                capture_output=True,
                env=self._environ,
                cwd=self._checkout,
                timeout=TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise self._unreachable(f"git {arguments[0]}: {TIMEOUT_S} s") from error
        except OSError as error:
            why = why_not(error)
            raise unreachable(self._place, Text(f"git: {why.en}", f"git: {why.ja}")) from error
        return _Said(done.returncode, done.stdout, done.stderr.decode(errors="replace"))

    @contextmanager
    def _own_repository(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(prefix="ragjudge-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            self._must(folder, "init", "--quiet", "--bare")
            if self._checkout is not None:
                here = self._git(None, "config", "--list", "-z")
                there = self._git(folder, "config", "--list", "-z")
                with (folder / "config").open("a", encoding="utf-8", errors="surrogateescape") as config:
                    config.write(carried_over(entries(here.out), entries(there.out)))
            yield folder


def _short(words: str) -> str:
    """The last words that git said, on one line, without credentials that an address may hold."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    return re.sub(r"//[^/@\s]+@", "//", " / ".join(lines[-3:]))[:300]
