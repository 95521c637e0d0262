"""Whose word for a judge's server counts: the system's certificate authorities, and a private one."""

import ssl
from pathlib import Path

from ragjudge.errors import ConfigFault, Problem
from ragjudge.judge.address import Address
from ragjudge.language import Text


def trust(address: Address) -> ssl.SSLContext:
    """Raises ConfigFault where the address names a CA file that can't be used."""
    if address.url.startswith("https:"):
        return _authorities(address.ca_file)
    # For http: loading the system's authorities takes its time.
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _authorities(ca_file: str | None) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if ca_file is not None:
        try:
            context.load_verify_locations(cafile=Path(ca_file))
        except OSError as error:
            what = Text(
                f"ca_file {ca_file!r} can't be used: {error}",
                f"ca_file {ca_file!r} を使えません: {error}",
            )
            raise ConfigFault([Problem(what)]) from None
    return context
