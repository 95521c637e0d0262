"""Which language a suite is written in, where the config says `auto`."""

import re

from ragjudge.language import Language
from ragjudge.suite.case import Suite

_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uff66-\uff9f]")


def spoken_language(suite: Suite) -> Language:
    """Japanese where at least half of the questions have a Japanese character, else English."""
    japanese = sum(1 for case in suite.whole if _JAPANESE.search(case.question))
    return "ja" if japanese * 2 >= max(1, len(suite.whole)) else "en"
