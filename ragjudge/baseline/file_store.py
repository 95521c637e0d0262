"""A baseline in a file of the repository (`file:ragjudge-baseline.json`)."""

import glob
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ragjudge.baseline import codec
from ragjudge.errors import StoredFileFault
from ragjudge.language import Text, why_not
from ragjudge.results.baseline import Baseline

LITTER_AGE_S = 3600


class FileStore:
    """Reads and writes one file. A reader always finds the old content or the new one, whole."""

    def __init__(self, path: Path, *, left_at: Path | None = None) -> None:
        """`left_at` is where a new baseline is put for somebody to carry on, in place of the file itself."""
        self._path = path
        self._written = left_at or path

    def describe(self) -> str:
        return f"file:{self._path}"

    def load(self) -> Baseline | None:
        """None where the file does not exist; an empty or unreadable one is an error."""
        return codec.found(self._data(), place=str(self._path))

    def change(
        self,
        change: Callable[[Baseline | None], Baseline],
        *,
        note: str = "",  # noqa: ARG002 (a file keeps no log)
        replace_damaged: bool = False,
    ) -> None:
        current = codec.found(self._data(), place=str(self._path), replace_damaged=replace_damaged)
        try:
            write_whole(self._written, codec.dumps(change(current)))
        except OSError as error:
            raise self._not_writable(error) from error

    def _data(self) -> bytes | None:
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._not_readable(error) from error

    def _not_readable(self, error: OSError) -> StoredFileFault:
        return StoredFileFault(
            Text(
                f"The baseline {self._path} cannot be read: {error.strerror}.",
                f"ベースライン {self._path} を読み込めません({why_not(error).ja})。",
            ),
            hint=Text("Check the path and its rights.", "パスとアクセス権を確認してください。"),
        )

    def _not_writable(self, error: OSError) -> StoredFileFault:
        return StoredFileFault(
            Text(
                f"The baseline {self._written} cannot be written: {error.strerror}. The old one is untouched.",
                f"ベースライン {self._written} に書き込めません({why_not(error).ja})。元の内容はそのままです。",
            ),
            hint=Text(
                "Check the folder's rights and the free space.",
                "フォルダーの権限と空き容量を確認してください。",
            ),
        )


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file's content in one step, so that a crash leaves the old content or the new one."""
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(_mode_of(target))
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    _remove_litter(target)


def _remove_litter(target: Path) -> None:
    """What a killed writer left behind; younger parts may belong to one that is still at work."""
    limit = target.stat().st_mtime - LITTER_AGE_S
    for left in target.parent.glob(f".{glob.escape(target.name)}.*.part"):
        with suppress(FileNotFoundError):
            if left.stat().st_mtime < limit:
                left.unlink()


def _mode_of(target: Path) -> int:
    """A new file gets the rights that any new file here would get; an old one keeps its own."""
    return target.stat().st_mode & 0o777 if target.exists() else 0o644
