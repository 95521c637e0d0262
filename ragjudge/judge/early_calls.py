"""Calls by httpx2 alone, for as long as the openai package is not imported.

That takes longer than all that comes before the first call together, and neither the probe nor what follows need wait.
"""

from collections.abc import Mapping

import httpx2
from pydantic import JsonValue

from ragjudge import __version__
from ragjudge.judge.address import Address
from ragjudge.judge.lines import Line
from ragjudge.judge.refusals import Refused, Silent, innermost, refusal_of
from ragjudge.judge.trust import trust


class EarlyCalls:
    """To one server; connections are kept. Azure's resources have a path for each model: the package's business."""

    def __init__(self, address: Address, timeout: httpx2.Timeout) -> None:
        self._address = address
        self._client = httpx2.AsyncClient(
            timeout=timeout, follow_redirects=False, headers=_headers(address), verify=trust(address)
        )

    async def post(self, path: str, body: Mapping[str, JsonValue], line: Line) -> object:
        """As `Door.post`."""
        await line.take()
        try:
            reply = await self._client.post(
                f"{self._address.url}{path}", params=self._address.query or None, json=body
            )
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise Silent(innermost(error)) from None
        content = _content(reply)
        if reply.is_success:
            return content
        otherwise = f"HTTP {reply.status_code}"
        raise Refused(refusal_of(reply.status_code, content, reply.headers, otherwise=otherwise))

    async def close(self) -> None:
        await self._client.aclose()


def _headers(address: Address) -> dict[str, str]:
    azure = {} if address.version is None else {"api-key": address.key}
    return {"Authorization": f"Bearer {address.key}", "User-Agent": f"ragjudge/{__version__}", **azure}


def _content(reply: httpx2.Response) -> object:
    """JSON, else text."""
    try:
        return reply.json()
    except ValueError:
        return reply.text
