"""Calls by httpx2 alone, for as long as the openai package is not imported.

That takes longer than all that comes before the first call together, and neither the probe nor what follows need wait.
"""

import os
from collections.abc import Mapping

import httpx2
from pydantic import JsonValue

from ragjudge import __version__
from ragjudge.judge.address import Address
from ragjudge.judge.refusals import Silent, innermost

_READ_BY_THE_PACKAGE = ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_CUSTOM_HEADERS")


def are_possible(address: Address) -> bool:
    """Not where the package knows more than we do: paths of Azure's resources, headers told by the environment."""
    return not address.is_azure_resource and not any(os.environ.get(name) for name in _READ_BY_THE_PACKAGE)


class EarlyCalls:
    """To one server; connections are kept."""

    def __init__(self, address: Address, client: httpx2.AsyncClient) -> None:
        self._address = address
        self._client = client

    async def post(self, path: str, body: Mapping[str, JsonValue]) -> httpx2.Response:
        """The whole answer, whatever its status. Raises Silent."""
        try:
            return await self._client.post(
                f"{self._address.url}{path}",
                params=self._address.query or None,
                headers={
                    "Authorization": f"Bearer {self._address.key}",
                    "Accept": "application/json",
                    "User-Agent": f"ragjudge/{__version__}",
                    **self._address.headers,
                },
                json=body,
            )
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, ExceptionGroup) as error:
            raise Silent(innermost(error)) from None

    async def close(self) -> None:
        await self._client.aclose()
