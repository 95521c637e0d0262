"""Who signs in to the console: a person's e-mail and password, or the server's admin API key."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import SecretStr

from ragjudge.dify.console import words
from ragjudge.dify.verdicts import failure
from ragjudge.errors import ConsoleMisconfigured

EMAIL = "DIFY_CONSOLE_EMAIL"
PASSWORD = "DIFY_CONSOLE_PASSWORD"
ADMIN_KEY = "DIFY_ADMIN_API_KEY"
WORKSPACE = "DIFY_WORKSPACE_ID"


@dataclass(frozen=True, slots=True)
class Person:
    """An account of the workspace; it needs the right to create apps."""

    email: str
    password: SecretStr


@dataclass(frozen=True, slots=True)
class Admin:
    """`ADMIN_API_KEY` of a self-hosted server: acts as the owner of the workspace."""

    key: SecretStr
    workspace: str


Credentials = Person | Admin


def from_environ(environ: Mapping[str, str]) -> Credentials | None:
    """What the environment gives; None where it gives nothing at all. The admin key wins.

    Raises ConsoleMisconfigured for half of a pair: an empty secret is the usual cause.
    """
    email, password, key, workspace = (
        environ.get(name, "").strip() for name in (EMAIL, PASSWORD, ADMIN_KEY, WORKSPACE)
    )
    if key:
        if not workspace:
            raise failure(words.HALF_GIVEN, ConsoleMisconfigured, said=WORKSPACE)
        return Admin(SecretStr(key), workspace)
    if not email and not password:
        return None
    if not email or not password:
        raise failure(words.HALF_GIVEN, ConsoleMisconfigured, said=PASSWORD if email else EMAIL)
    return Person(email, SecretStr(environ[PASSWORD].rstrip("\r\n")))


def secret_values(credentials: Credentials) -> tuple[str, ...]:
    """What must never be shown."""
    secret = credentials.password if isinstance(credentials, Person) else credentials.key
    return (secret.get_secret_value(),)
