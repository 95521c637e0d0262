"""HTTP to one console: a cookie jar, bounded bodies, no redirects. Knows nothing of what is said."""

import asyncio
from collections.abc import Mapping

import httpx2

from ragjudge.dify.limits import Limits
from ragjudge.dify.transport import NoReply, Reply, read_whole, replies, trust, trusting_nobody
from ragjudge.proxies import require_usable

Json = Mapping[str, object]


class ConsoleDoor:
    """Requests below `…/console/api`. Cookies that the console sets are kept and sent back to it alone."""

    def __init__(self, base: str, *, limits: Limits | None = None, ca_file: str | None = None) -> None:
        self._base = base
        self._limits = limits or Limits()
        require_usable()
        self._client = httpx2.AsyncClient(
            headers={"User-Agent": "ragjudge", "Accept-Encoding": "identity"},
            timeout=httpx2.Timeout(self._limits.call_s, connect=self._limits.connect_s),
            verify=trust(ca_file) if base.startswith("https:") else trusting_nobody(),
            follow_redirects=False,
        )

    async def send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        body: Json | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """One request, its whole reply. Raises NoReply or BodyUnreadable."""
        request = self._client.build_request(
            method, self._base + path, params=params, json=body, headers=headers
        )
        seconds = self._limits.call_s
        try:
            async with asyncio.timeout(seconds):
                with replies():
                    response = await self._client.send(request, stream=True)
                try:
                    return await read_whole(response, self._limits.max_body_bytes)
                finally:
                    await response.aclose()
        except TimeoutError:
            raise NoReply(f"no whole reply within {seconds:g} s") from None

    def cookie(self, name: str) -> str:
        """Its value; behind https Dify prefixes the name. "" where there is none."""
        wanted = (name, f"__Host-{name}")
        return next((c.value or "" for c in self._client.cookies.jar if c.name in wanted), "")

    def forget_cookies(self) -> None:
        self._client.cookies.clear()

    async def close(self) -> None:
        await self._client.aclose()
