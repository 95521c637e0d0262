"""Takes secrets out of any text before it is written or shown, in every form in which a server may echo them.

A key may be echoed plain, percent-encoded in an address, JSON-escaped, or inside a longer base64 text (a Basic
header, a data URL); base64 has three alignments, as in GitHub's own runner:
https://github.com/actions/runner/blob/main/src/Sdk/DTLogging/Logging/ValueEncoders.cs
"""

import base64
import json
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

SHORTEST = 6
"""A shorter value would blank out half of every text; GitHub masks its own secrets whatever their length."""
REDACTED = "***"


def forms(secret: str) -> tuple[str, ...]:
    """The secret and its encodings, longest first, each at least SHORTEST characters long."""
    found = {
        secret,
        secret.strip(),
        *secret.splitlines(),
        quote(secret, safe=""),
        quote_plus(secret),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        *_inside_base64(secret),
    }
    return tuple(sorted((f for f in found if len(f) >= SHORTEST), key=lambda f: (-len(f), f)))


class Redactor:
    """Replaces every form of every secret by `***`."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = tuple(secrets)
        found = {form for secret in self._secrets for form in forms(secret)}
        self._forms = tuple(sorted(found, key=lambda f: (-len(f), f)))

    def also(self, secrets: Iterable[str]) -> "Redactor":
        """One that takes these out too."""
        return Redactor((*self._secrets, *secrets))

    def finds(self, text: str) -> bool:
        """Whether the text holds any of the secrets."""
        return any(form in text for form in self._forms)

    def __call__(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, REDACTED)
        return text


def _inside_base64(secret: str) -> set[str]:
    """The part of a base64 text that depends on the secret alone, for each alignment and both alphabets."""
    data = secret.encode()
    found = set()
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        found.add(encode(data).decode())
        for shift in range(3):
            encoded = encode(b"\0" * shift + data).decode()
            # Leading characters mix with what stands before, the last ones with what follows.
            start = (0, 2, 3)[shift]
            whole = (shift + len(data)) // 3 * 4
            found.add(encoded[start:whole])
    return found
