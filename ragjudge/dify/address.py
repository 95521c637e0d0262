"""What a user writes as the address of their Dify → the address of its service API."""

from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from ragjudge.dify import words
from ragjudge.dify.verdicts import failure
from ragjudge.errors import AppMisconfigured
from ragjudge.language import Text

_PAGES = (
    "/app/",
    "/apps",
    "/console",
    "/signin",
    "/datasets",
    "/explore",
    "/chat/",
    "/workflow/",
    "/chatbot/",
)
"""Paths of Dify's web pages, which people copy from the browser."""
_CLOUD_PAGES = {"cloud.dify.ai": "https://api.dify.ai/v1", "dify.ai": "https://api.dify.ai/v1"}


@dataclass(frozen=True, slots=True)
class Address:
    """`url` ends in `/v1`; `changed` tells that it is not quite what the user wrote."""

    url: str
    changed: bool


def service_address(written: str) -> Address:
    """Adds a missing `/v1`, drops a trailing slash or an endpoint, and turns a page's address into the API's.

    Raises AppMisconfigured where no address can be made of it.
    """
    text = written.strip()
    if not text:
        raise _unusable("No address of the Dify app is given", "DifyアプリのURLが指定されていません")
    parts = _parts(text if "://" in text else f"https://{text}")
    _check(parts)
    if parts.hostname in _CLOUD_PAGES:
        url = _CLOUD_PAGES[parts.hostname]
    else:
        url = f"{parts.scheme}://{parts.netloc}{_path(parts.path)}"
    return Address(url, changed=url != text)


def usable_key(written: str) -> str:
    """The app's key without the blanks that come along when a secret is pasted."""
    key = written.strip()
    if not key:
        raise failure(words.NO_KEY, AppMisconfigured)
    if key.startswith("dataset-"):
        raise failure(words.DATASET_KEY, AppMisconfigured)
    if not key.isascii() or not key.isprintable() or " " in key:
        raise failure(words.STRANGE_KEY, AppMisconfigured)
    return key


def _parts(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise _unusable("The address cannot be read", "URLを読み取れません") from None
    return parts


def _check(parts: SplitResult) -> None:
    if parts.scheme not in ("http", "https"):
        raise _unusable(
            f"The address begins with {parts.scheme}://", f"URLが {parts.scheme}:// で始まっています"
        )
    if parts.username is not None:
        raise _unusable("The address holds a user name", "URLにユーザー名が含まれています")
    if not parts.hostname:
        raise _unusable("The address names no host", "URLにホスト名がありません")


def _path(path: str) -> str:
    """The path of the service API: everything up to `/v1`, or `/v1` below whatever prefix a proxy has."""
    before, found, _ = f"{path.rstrip('/')}/".partition("/v1/")
    if found:
        return f"{before}/v1"
    for page in _PAGES:
        at = f"{path}/".find(page)
        if at >= 0:
            return f"{path[:at]}/v1"
    return f"{path.rstrip('/')}/v1"


def _unusable(en: str, ja: str) -> AppMisconfigured:
    return AppMisconfigured(
        Text(f"{en}.", f"{ja}。"),
        hint=Text(
            "Set app.base_url to the API address shown on the app's “API Access” page, e.g. "
            "https://dify.example.co.jp/v1.",
            "app.base_url に、アプリの「APIアクセス」画面に表示されるURL(例: https://dify.example.co.jp/v1)を"
            "指定してください。",
        ),
    )
