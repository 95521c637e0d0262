"""Which language to speak before the config could be read: the flag, else Japanese."""

from collections.abc import Sequence

from ragjudge.language import Language


def spoken(arguments: Sequence[str]) -> Language:
    """`--language en` or `--language=en` anywhere in the arguments; Japanese otherwise."""
    for here, following in zip(arguments, [*arguments[1:], ""], strict=True):
        value = following if here == "--language" else here.removeprefix("--language=")
        if value == "en" and here.startswith("--language"):
            return "en"
    return "ja"
