"""Proxies as the environment names them: refused by name where they can't be used, before any client is made.

httpx2 finds them in the same place, and for whatever address: its client fails with an ImportError for SOCKS, also
where NO_PROXY has the one host that is asked.
"""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from ragjudge.errors import ConfigFault, Problem
from ragjudge.language import Text

_USED = ("http", "https", "all")
_SOCKS = re.compile(r"socks\w{0,3}", re.IGNORECASE)
_BLANK = re.compile(r"[\x00-\x20\x7f]")
_CURE = Text(
    "Give the address of an HTTP proxy, such as http://proxy.example.com:8080, or unset the variable"
    " (NO_PROXY=* goes without any proxy).",
    "http://proxy.example.com:8080 のようにHTTPプロキシのアドレスを指定するか、この環境変数を外してください"
    "(NO_PROXY=* とすると、プロキシを一切使いません)。",
)


def require_usable(proxies: Mapping[str, str] | None = None) -> None:
    """Raises ConfigFault with every proxy that can't be used. `proxies`: as `urllib.request.getproxies` gives them."""
    if proxies is None:
        from urllib.request import getproxies

        proxies = getproxies()
    if "*" in (host.strip() for host in proxies.get("no", "").split(",")):
        return
    faults = (_fault(f"{scheme.upper()}_PROXY", proxies[scheme]) for scheme in _USED if proxies.get(scheme))
    problems = [Problem(what, cure=_CURE) for what in faults if what is not None]
    if problems:
        raise ConfigFault(problems)


def _fault(name: str, address: str) -> Text | None:
    """What is wrong with a proxy's address. It may hold a password: nothing of it is quoted but the kind of SOCKS."""
    scheme, _, rest = address.rpartition("://")
    if _SOCKS.fullmatch(scheme):
        return Text(
            f"{name} names a SOCKS proxy ({scheme}://…), which is not supported.",
            f"{name} のSOCKSプロキシ({scheme}://…)には対応していません。",
        )
    if ("://" not in address or scheme.lower() in ("http", "https")) and _names_a_server(rest):
        return None
    return Text(
        f"{name} is not the address of a proxy that can be used.",
        f"{name} の値は、使えるプロキシのアドレスではありません。",
    )


def _names_a_server(rest: str) -> bool:
    """Is it `host`, `host:port` or either behind a user's name and password?"""
    try:
        parts = urlsplit(f"http://{rest}")
        _ = parts.port
    except ValueError:
        return False
    return bool(parts.hostname) and not _BLANK.search(rest)
