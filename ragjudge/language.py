"""Text that a person will read, in each language the product speaks.

A message is written in both languages where it is raised; the reader's language is chosen where it is shown.
"""

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
