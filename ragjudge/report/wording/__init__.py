"""What reports say, one table per language; `of` picks one."""

from ragjudge.language import Language
from ragjudge.report.wording.base import Wording


def of(language: Language) -> Wording:
    if language == "ja":
        from ragjudge.report.wording.ja import JA

        return JA
    from ragjudge.report.wording.en import EN

    return EN
