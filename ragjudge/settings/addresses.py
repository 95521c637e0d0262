"""Server addresses as people paste them: mended where the meaning is plain, refused where it is not."""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from ragjudge.language import Text

_CALLS = ("chat-messages", "completion-messages", "workflows/run", "info", "parameters", "meta")
_CONSOLE = (
    "console",
    "app",
    "apps",
    "chat",
    "chatbot",
    "completion",
    "workflow",
    "explore",
    "datasets",
    "signin",
)


@dataclass(frozen=True, slots=True)
class Address:
    """`url` has no trailing slash. `note` says what was mended; `wrong` why it cannot be used."""

    url: str
    note: Text | None = None
    wrong: Text | None = None


def server(text: str) -> Address:
    """Any server's base address: http(s), a host, no user or password, no query."""
    url = text.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host = None
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not host or any(c.isspace() or c < " " for c in url):
        return Address(
            url,
            wrong=Text(
                "The address must begin with http:// or https:// and a host name.",
                "アドレスは http:// または https:// とホスト名で始めてください。",
            ),
        )
    if parts.username is not None or parts.password is not None:
        return Address(
            "",
            wrong=Text(
                "The address holds a user name or password; remove it.",
                "アドレスにユーザー名やパスワードが含まれています。取り除いてください。",
            ),
        )
    if parts.query or parts.fragment:
        return Address(
            url,
            wrong=Text(
                "The address must have no ? or # part.", "アドレスの ? や # から後ろを取り除いてください。"
            ),
        )
    return Address(url)


def model_server(text: str) -> Address:
    """As `server`; the API version in an address that was copied from Azure's portal stays."""
    plain, mark, query = text.strip().partition("?")
    if not query.startswith("api-version=") or "&" in query or "#" in query:
        return server(text)
    address = server(plain)
    return replace(address, url=address.url + mark + query)


def dify(text: str) -> Address:
    """A Dify app's service API: ends in `/v1`. A missing `/v1` is added; the console's address is refused."""
    address = server(text)
    if address.wrong is not None:
        return address
    url = address.url
    parts = urlsplit(url)
    root = f"{parts.scheme}://{parts.netloc}"
    steps = [step for step in parts.path.split("/") if step]
    if "v1" in steps:
        end = len(steps) - steps[::-1].index("v1")
        rest = "/".join(steps[end:])
        mended = "/".join([root, *steps[:end]])
        if not rest:
            return Address(mended)
        if rest.startswith(_CALLS):
            return Address(mended, note=_mended(mended))
    if steps and steps[0] in _CONSOLE:
        right = _cloud(parts.netloc) or f"{root}/v1"
        return Address(
            url,
            wrong=Text(
                f"This is a page of Dify's console, not the app's API. Use {right} (see the app's API Access page).",
                f"これはDifyの画面のURLで、アプリのAPIではありません。{right} を指定してください"
                "(アプリの「APIアクセス」画面で確認できます)。",
            ),
        )
    mended = f"{url}/v1"
    return Address(mended, note=_mended(mended))


def _cloud(host: str) -> str | None:
    return "https://api.dify.ai/v1" if host == "cloud.dify.ai" else None


def _mended(url: str) -> Text:
    return Text(f"The app's address was read as {url}.", f"アプリのURLを {url} として読み替えました。")
