"""What a judge's server answered, whichever way the call went."""

import httpx2

from ragjudge.judge.refusals import Refused, refusal_of


def content_of(reply: httpx2.Response) -> object:
    """The JSON value of a success, else its text: some gateways forget to say that it is JSON. Raises Refused."""
    content = _decoded(reply)
    if reply.is_success:
        return content
    otherwise = reply.reason_phrase
    raise Refused(refusal_of(reply.status_code, content, reply.headers, otherwise=otherwise))


def _decoded(reply: httpx2.Response) -> object:
    try:
        return reply.json()
    except (ValueError, RecursionError):
        return reply.text
