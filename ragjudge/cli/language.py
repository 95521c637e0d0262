"""Which language to speak before the config could be read: the flag, else Japanese."""

from collections.abc import Sequence
from pathlib import Path

from ragjudge.errors import RagjudgeError
from ragjudge.language import Language

CONFIG = "ragjudge.yml"


def spoken(arguments: Sequence[str]) -> Language:
    """`--language en` or `--language=en` anywhere in the arguments; Japanese otherwise."""
    return "en" if _given(arguments, "--language") == "en" else "ja"


def configured(arguments: Sequence[str]) -> Language | None:
    """For an error in the arguments themselves: the flag's language, else the config's where that can be read."""
    given = _given(arguments, "--language")
    if given is not None:
        return "en" if given == "en" else "ja"
    from ragjudge.settings import language_of

    try:
        text = Path(_given(arguments, "--config") or CONFIG).read_text("utf-8-sig")
        return language_of(text)
    except (OSError, ValueError, RagjudgeError):
        return None


def _given(arguments: Sequence[str], flag: str) -> str | None:
    """The flag's value in either spelling; None without it."""
    for number, here in enumerate(arguments):
        if here == flag:
            return arguments[number + 1] if number + 1 < len(arguments) else ""
        if here.startswith(f"{flag}="):
            return here.removeprefix(f"{flag}=")
    return None
