"""How a run goes on: plain lines in the step's log, and for longer runs a line in the comment. No case's own text."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from ragjudge.github.comment import CommentMode, StickyComment
from ragjudge.language import Language, Text

SHARE = 10
"""In the log, one line per tenth of the cases."""
COMMENT_EVERY_S = 60.0
"""A run that is over within a minute leaves the comment to its report."""


class LogProgress:
    """Says a line per tenth of the cases, and passes on how many are done."""

    def __init__(self, say: Callable[[Text], None], also: Callable[[int, int], None] | None = None) -> None:
        self._say = say
        self._also = also
        self._total = 0
        self._done = 0

    def started(self, total: int) -> None:
        self._total, self._done = total, 0
        self._say(Text(f"Asking {total} questions", f"質問{total}件を実行します"))

    def case_done(self, case_id: str) -> None:  # noqa: ARG002 - ids come from outside and are not logged
        self._done += 1
        step = max(1, self._total // SHARE)
        if self._done % step == 0 or self._done == self._total:
            self._say(Text(f"{self._done} of {self._total} done", f"{self._total}件中{self._done}件完了"))
        if self._also is not None:
            self._also(self._done, self._total)

    def note(self, text: str) -> None:
        self._say(Text(text, text))


class CommentProgress:
    """Says in the comment, once a minute, how far the run is; in a thread, so that no answer waits for GitHub."""

    def __init__(
        self,
        comment: StickyComment,
        language: Callable[[], Language],
        *,
        run_url: str,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._comment = comment
        self._language = language
        self._run_url = run_url
        self._now = now
        self._last = now()
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._posting: Future[object] | None = None

    def __call__(self, done: int, total: int) -> None:
        busy = self._posting is not None and not self._posting.done()
        if busy or done == total or self._now() - self._last < COMMENT_EVERY_S:
            return
        self._last = self._now()
        body = _body(done, total, self._run_url).in_language(self._language())
        self._posting = self._thread.submit(self._comment.post, body, CommentMode.UPDATE)

    def settle(self) -> None:
        """Wait for the last line, so that it can't overwrite the report."""
        self._thread.shutdown(wait=True)


def _body(done: int, total: int, run_url: str) -> Text:
    return Text(
        f"### ⏳ ragjudge is running\n\n{done} of {total} questions done. [Log]({run_url})\n",
        f"### ⏳ ragjudgeを実行中です\n\n質問{total}件中{done}件が完了しました。[ログ]({run_url})\n",
    )
