"""Takes secrets out of any text before it is written or shown, in every form in which a server may echo them."""

import base64
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

SHORTEST = 6
"""Shorter strings are not treated as secrets: they would blank ordinary words."""

MASK = "***"


def forms(secret: str) -> tuple[str, ...]:
    """The secret as it stands, base64 (also as the inner part of a longer text), and as part of a URL."""
    if len(secret) < SHORTEST:
        return ()
    raw = secret.encode("utf-8", "surrogatepass")
    found = {secret, quote(secret, safe=""), quote_plus(secret), secret.replace('"', '\\"')}
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + raw).decode("ascii")
        start = -(-shift * 8 // 6)
        inner = encoded[start:].rstrip("=")
        found.add(inner[: len(inner) - 1] if (len(raw) + shift) % 3 else inner)
    found.add(base64.urlsafe_b64encode(raw).decode("ascii").rstrip("="))
    return tuple(sorted((f for f in found if len(f) >= SHORTEST), key=len, reverse=True))


class Redactor:
    """Replaces every form of every secret by `***`."""

    def __init__(self, secrets: Iterable[str]) -> None:
        found = {form for secret in secrets for form in forms(secret)}
        self._forms = tuple(sorted(found, key=len, reverse=True))

    def __call__(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, MASK)
        return text
