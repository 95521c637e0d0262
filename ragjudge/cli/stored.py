"""Reading results that an earlier run stored."""

from pathlib import Path

from ragjudge.errors import StoredFileFault
from ragjudge.language import Text, why_not
from ragjudge.results import codec
from ragjudge.results.run import RunResult


def results(path: Path) -> RunResult:
    """Raises StoredFileFault where the file is missing, damaged or newer than this version."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise StoredFileFault(
            Text(
                f"The results {path} cannot be read: {error.strerror}.",
                f"結果ファイル {path} を読み込めません({why_not(error).ja})。",
            ),
            hint=Text("Give the results.json of a run.", "実行結果の results.json を指定してください。"),
        ) from error
    return codec.loads(data, place=str(path))
