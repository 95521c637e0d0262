"""From a console's no to an error with a cure. Pure."""

from ragjudge.dify import words as common
from ragjudge.dify.console import words
from ragjudge.dify.redaction import page_title, said
from ragjudge.dify.transport import BodyUnreadable, NoReply, Reply
from ragjudge.dify.verdicts import failure
from ragjudge.dify.wire import text_of
from ragjudge.dify.words import Words
from ragjudge.errors import ConsoleMisconfigured, ConsoleUnreachable, RagjudgeError
from ragjudge.redaction import Redactor

_FACTORS = ("mfa", "2fa", "otp", "two_factor", "second_factor")
_LONGEST = 20_000
PASSING = frozenset({429, 502, 503, 504})
"""Statuses after which another try may help."""


def no_reply(error: NoReply | BodyUnreadable) -> RagjudgeError:
    if isinstance(error, BodyUnreadable):
        return failure(words.UNREADABLE, ConsoleUnreachable, said=said(str(error)))
    if error.trust:
        return failure(common.UNTRUSTED, ConsoleMisconfigured, said=said(str(error)))
    return failure(words.UNREACHABLE, ConsoleUnreachable, said=said(str(error)))


def refused_login(reply: Reply, *, secret: str) -> RagjudgeError:
    """A login that did not end in a session."""
    code = text_of(reply.body.get("code")).lower()
    quoted = quote(reply, secret=secret)
    if (common_trouble := _not_a_console(reply, quoted)) is not None:
        return common_trouble
    if reply.status == 429 or "login_limit" in code:
        return failure(words.LOCKED, ConsoleMisconfigured, said=quoted)
    if any(factor in code for factor in _FACTORS):
        return failure(words.SECOND_FACTOR, ConsoleMisconfigured, said=quoted)
    if reply.status == 401 or code in ("authentication_failed", "account_not_found"):
        return failure(words.WRONG_PASSWORD, ConsoleMisconfigured, said=quoted)
    if reply.ok and "workspace" not in reply.text:
        return failure(words.SECOND_FACTOR, ConsoleMisconfigured, said=quoted)
    return failure(words.ACCOUNT_UNUSABLE, ConsoleMisconfigured, said=quoted)


def refused_call(reply: Reply, *, secret: str, as_admin: bool) -> RagjudgeError:
    """A call that a signed-in caller was refused."""
    quoted = quote(reply, secret=secret)
    if (common_trouble := _not_a_console(reply, quoted)) is not None:
        return common_trouble
    if reply.status in PASSING:
        return failure(words.UNREACHABLE, ConsoleUnreachable, said=quoted)
    spoken: Words = words.REFUSED
    if reply.status == 401:
        spoken = words.ADMIN_KEY_REFUSED if as_admin else words.ACCOUNT_UNUSABLE
    elif reply.status == 403:
        spoken = words.NOT_ALLOWED
    elif reply.status == 404:
        spoken = words.GONE
    return failure(spoken, ConsoleMisconfigured, said=quoted)


def unreadable(reply: Reply) -> RagjudgeError:
    """A yes that holds nothing of what was asked for."""
    return failure(words.UNREADABLE, ConsoleUnreachable, said=quote(reply, secret=""))


def quote(reply: Reply, *, secret: str) -> str:
    """The server's own words, short, with the status in front; the password in no form, base64 included."""
    text = text_of(reply.body.get("message")) or text_of(reply.body.get("data"))
    if not text:
        text = page_title(reply.text) if reply.is_page else reply.text
    hide = Redactor((secret,) if secret else ())
    if 300 <= reply.status < 400:
        return said(hide(reply.headers.get("location", "")))
    return f"HTTP {reply.status}: {said(hide(text[:_LONGEST]))}".rstrip(": ")


def _not_a_console(reply: Reply, quoted: str) -> RagjudgeError | None:
    if 300 <= reply.status < 400:
        return failure(words.REDIRECTED, ConsoleMisconfigured, said=quoted)
    if (reply.status in PASSING and reply.status != 429) or reply.status >= 500:
        return failure(words.UNREACHABLE, ConsoleUnreachable, said=quoted)
    if reply.is_page:
        return failure(words.NO_CONSOLE, ConsoleMisconfigured, said=quoted)
    return None
