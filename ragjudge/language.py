"""Text that a person will read, in each language the product speaks.

A message is written in both languages where it is raised; the reader's language is chosen where it is shown.
"""

import errno
from dataclasses import dataclass
from typing import Literal

Language = Literal["ja", "en"]


@dataclass(frozen=True, slots=True)
class Text:
    """One message in English and Japanese."""

    en: str
    ja: str

    def in_language(self, language: Language) -> str:
        return self.ja if language == "ja" else self.en

    def __str__(self) -> str:
        return self.en


_WHY_NOT = {
    errno.ENOENT: "ファイルまたはフォルダーがありません",
    errno.EACCES: "アクセス権がありません",
    errno.EPERM: "許可されていない操作です",
    errno.EEXIST: "同じ名前のファイルが既にあります",
    errno.EISDIR: "ファイルではなくフォルダーです",
    errno.ENOTDIR: "パスの途中がフォルダーではありません",
    errno.ENOSPC: "ディスクの空き容量がありません",
    errno.EROFS: "読み取り専用の場所です",
    errno.ENAMETOOLONG: "名前が長すぎます",
    errno.ELOOP: "シンボリックリンクが循環しています",
    errno.EMFILE: "開いているファイルが多すぎます",
    errno.EBUSY: "使用中です",
    errno.EADDRINUSE: "別のプログラムが使用中です",
    errno.EADDRNOTAVAIL: "このコンピューターにないアドレスです",
    errno.EIO: "ディスクの読み書きに失敗しました",
}


def why_not(error: OSError) -> Text:
    """What the operating system says, which is English wherever it is asked."""
    said = error.strerror or type(error).__name__
    return Text(said, _WHY_NOT.get(error.errno or 0, said))
