"""The only door to GitHub's REST API: one small synchronous client with GitHub's own rules for trying again.

Paths are relative to the API's address (`/repos/octo/app/pulls/7`), which comes from GITHUB_API_URL, so GitHub
Enterprise works like github.com. Proxies are taken from the usual variables by httpx2.
"""

import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlsplit

import httpx2
from pydantic import JsonValue, SecretStr

from ragjudge import __version__
from ragjudge.errors import GitHubRefused, GitHubUnreachable, UsageFault
from ragjudge.github.waiting import (
    Reply,
    SyncClock,
    SystemClock,
    pause_after_no_answer,
    pause_before_retry,
)
from ragjudge.language import Text
from ragjudge.proxies import require_usable

API_VERSION = "2022-11-28"
JSON = "application/vnd.github+json"
RAW = "application/vnd.github.raw+json"
PAGE_SIZE = 100
MOST_PAGES = 200
REPEATABLE = frozenset({"PUT", "PATCH", "DELETE"})

Query = Mapping[str, str | int]


class GitHubApi:
    """Calls GitHub. Raises `GitHubRefused` for a client error, `GitHubUnreachable` where no try got through.

    `timeout_s` bounds each wait on the socket. The token is meant for `base_url`'s server alone: pages
    are followed by their query, redirects never.
    """

    def __init__(
        self,
        base_url: str,
        token: SecretStr,
        *,
        ca_file: str | None = None,
        clock: SyncClock | None = None,
        timeout_s: float = 20.0,
    ) -> None:
        self._clock = clock or SystemClock()
        self._context = _trust(ca_file)
        require_usable()
        self._http = httpx2.Client(
            base_url=base_url.rstrip("/"),
            headers=_headers(token),
            timeout=timeout_s,
            verify=self._context,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def pause(self, seconds: float) -> None:
        """Lets the world go on for a moment, on the clock that waits between tries too."""
        self._clock.sleep(seconds)

    def is_same_server(self, url: str) -> bool:
        """Whether an absolute address (GraphQL's) may be given our token."""
        ours, other = self._http.base_url, httpx2.URL(url)
        return (ours.scheme, ours.host, ours.port) == (other.scheme, other.host, other.port)

    def get(self, path: str, params: Query | None = None) -> JsonValue:
        return _parsed(self._call(_Call(path=path, params=params)))

    def find(self, path: str, params: Query | None = None) -> JsonValue:
        """Like `get`, but None where GitHub answers 404."""
        try:
            return self.get(path, params)
        except GitHubRefused as refusal:
            if refusal.status == httpx2.codes.NOT_FOUND:
                return None
            raise

    def send(
        self,
        method: str,
        path: str,
        body: Mapping[str, JsonValue] | None = None,
        *,
        repeatable: bool | None = None,
    ) -> JsonValue:
        """POST, PATCH, PUT or DELETE. `repeatable` says whether a call may be made again after a 5xx or a cut
        line (default: all but POST); a rate limit is waited for in every case.
        """
        again = method in REPEATABLE if repeatable is None else repeatable
        return _parsed(self._call(_Call(method=method, path=path, body=body, repeatable=again)))

    def pages(self, path: str, params: Query | None = None) -> Iterator[JsonValue]:
        """Every item of a list, over all its pages."""
        query: dict[str, str | int] = {"per_page": PAGE_SIZE, **(params or {})}
        for _ in range(MOST_PAGES):
            response = self._call(_Call(path=path, params=query))
            items = _parsed(response)
            if not isinstance(items, list):
                raise _unreadable(response)
            yield from items
            following = response.links.get("next", {}).get("url")
            if not following:
                return
            query = dict(parse_qsl(urlsplit(following).query))

    def raw(self, path: str, params: Query | None = None) -> bytes | None:
        """A file's bytes by the contents API (100 MB at most), None where there is none or it is a folder."""
        try:
            response = self._call(_Call(path=path, params=params, accept=RAW))
        except GitHubRefused as refusal:
            if refusal.status == httpx2.codes.NOT_FOUND:
                return None
            raise
        return response.content if "raw" in response.headers.get("content-type", "") else None

    def download(self, path: str, most: int) -> bytes:
        """An artifact's bytes, at most `most`. GitHub sends it from another server, which never gets the token."""
        response = self._call(_Call(path=path, moved_is_fine=True))
        if response.is_success:
            return response.content[:most]
        where = response.headers.get("location", "")
        try:
            with httpx2.Client(timeout=self._http.timeout, verify=self._context) as bare:
                return _bounded(bare, where, most)
        except httpx2.HTTPError as error:
            raise _no_answer(httpx2.URL(where), error) from error

    def _call(self, call: "_Call") -> httpx2.Response:
        tries = 0
        while True:
            tries += 1
            try:
                response = self._http.request(
                    call.method,
                    call.path,
                    params=call.params,
                    json=call.body,
                    headers={"Accept": call.accept},
                )
            except httpx2.RequestError as error:
                # A connection that was never made did no work, so that even a POST may be repeated.
                may = call.repeatable or isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout)
                pause = pause_after_no_answer(tries=tries) if may else None
                if pause is None:
                    raise _no_answer(self._http.base_url, error) from error
            else:
                if response.is_success or (call.moved_is_fine and response.status_code == httpx2.codes.FOUND):
                    return response
                pause = pause_before_retry(
                    _reply(response), tries=tries, now=self._clock.now(), repeatable=call.repeatable
                )
                if pause is None:
                    raise _refusal(response)
            self._clock.sleep(pause)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """One call. `repeatable`: making it again after a 5xx or a cut line does no harm."""

    method: str = "GET"
    path: str
    params: Query | None = None
    body: Mapping[str, JsonValue] | None = None
    accept: str = JSON
    repeatable: bool = True
    moved_is_fine: bool = False


def _bounded(client: httpx2.Client, url: str, most: int) -> bytes:
    with client.stream("GET", url) as response:
        response.raise_for_status()
        data = bytearray()
        for chunk in response.iter_bytes():
            data += chunk
            if len(data) > most:
                break
        return bytes(data[:most])


def _headers(token: SecretStr) -> dict[str, str]:
    headers = {"X-GitHub-Api-Version": API_VERSION, "User-Agent": f"ragjudge/{__version__}"}
    if token.get_secret_value():
        headers["Authorization"] = f"Bearer {token.get_secret_value()}"
    return headers


def _trust(ca_file: str | None) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if ca_file is not None:
        try:
            context.load_verify_locations(ca_file)
        except (OSError, ssl.SSLError) as error:
            raise UsageFault(
                Text(
                    f"The CA file `{ca_file}` could not be read as PEM certificates ({error}).",
                    f"CAファイル `{ca_file}` をPEM形式の証明書として読めませんでした({error})。",
                )
            ) from error
    return context


def _reply(response: httpx2.Response) -> Reply:
    return Reply(response.status_code, response.headers, _message(response))


def _message(response: httpx2.Response) -> str:
    """GitHub's own sentence, or the start of whatever came instead (a proxy's page, say), on one line."""
    try:
        body = response.json()
    except ValueError:
        body = None
    said = body.get("message") if isinstance(body, dict) else None
    text = said if isinstance(said, str) else response.text
    return " ".join(text.split())[:200]


def _parsed(response: httpx2.Response) -> JsonValue:
    if not response.content:
        return None
    try:
        value: JsonValue = response.json()
    except ValueError as error:
        raise _unreadable(response) from error
    return value


def _unreadable(response: httpx2.Response) -> GitHubUnreachable:
    where = response.request.url.host
    return GitHubUnreachable(
        Text(
            f"{where} answered something that is not GitHub's API: {_message(response)!r}.",
            f"{where} の応答がGitHubのAPIの形式ではありません: {_message(response)!r}。",
        ),
        hint=Text("Is a proxy in between?", "間にプロキシがないか確認してください。"),
    )


def _no_answer(base_url: httpx2.URL, error: httpx2.HTTPError) -> GitHubUnreachable:
    kind = type(error).__name__
    return GitHubUnreachable(
        Text(
            f"GitHub's API at {base_url.host} did not answer ({kind}: {error}).",
            f"GitHubのAPI({base_url.host})から応答がありません({kind}: {error})。",
        )
    )


def _refusal(response: httpx2.Response) -> GitHubRefused | GitHubUnreachable:
    call = f"{response.request.method} {response.request.url.path}"
    status, said = response.status_code, _message(response)
    if status >= httpx2.codes.INTERNAL_SERVER_ERROR:
        return GitHubUnreachable(
            Text(
                f"GitHub failed with {status} on {call}: {said}",
                f"GitHubが {status} を返しました({call}): {said}",
            )
        )
    return GitHubRefused(
        Text(
            f"GitHub refused {call} ({status}): {said}", f"GitHubが {call} を拒否しました({status}): {said}"
        ),
        status=status,
        answer=said,
    )
