"""Secret environment variables of the app, given by the run's own environment."""

from collections.abc import Mapping

from pydantic import SecretStr

PREFIX = "DIFY_ENV_"


def from_environ(environ: Mapping[str, str]) -> dict[str, SecretStr]:
    """`DIFY_ENV_CRM_TOKEN` is the value of the app's variable CRM_TOKEN. Empty ones are as good as absent."""
    return {
        name.removeprefix(PREFIX): SecretStr(value)
        for name, value in environ.items()
        if name.startswith(PREFIX) and value
    }
