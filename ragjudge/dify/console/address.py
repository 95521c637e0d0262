"""Where the console API is, from what a user wrote: their console's page, or the service API beside it."""

from ragjudge.dify.address import service_address
from ragjudge.errors import AppMisconfigured, ConsoleMisconfigured
from ragjudge.language import Text

API = "/console/api"
_CLOUD = "https://api.dify.ai/v1"
_CLOUD_CONSOLE = "https://cloud.dify.ai"


def console_address(base_url: str, console_url: str = "") -> str:
    """The console API's address, ending in `/console/api`. `console_url` wins where it is given.

    Raises ConsoleMisconfigured where no address can be made of it.
    """
    try:
        service = service_address(console_url or base_url).url
    except AppMisconfigured as error:
        raise ConsoleMisconfigured(error.what, hint=_CURE) from None
    root = _CLOUD_CONSOLE if service == _CLOUD else service.removesuffix("/v1")
    return root.removesuffix(API) + API


_CURE = Text(
    "Set dsl.console_url to the address of Dify's console, e.g. https://dify.example.co.jp.",
    "dsl.console_url にDifyの管理画面のURL(例: https://dify.example.co.jp)を指定してください。",
)
