"""Where a model's server is, read from an address as people copy it from documentation or Azure's portal. Pure."""

import re
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl

from pydantic import SecretStr

from ragjudge.language import Text

OPENAI_ADDRESS = "https://api.openai.com/v1"
_CALL = re.compile(r"/(chat/completions|embeddings|responses)$")
_DEPLOYMENT = re.compile(r"/openai/deployments/[^/]+$")
_WITHOUT_DEPLOYMENTS = ("/openai/v1", "/models")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is and how to speak to it. `api_version` is set for Azure OpenAI only.

    Azure has three forms: a resource, where each model is a deployment with a path of its own (the path may stand in
    the address already); the newer `/openai/v1`, where a version that is a date is unknown; and `/models`.
    """

    base_url: str | None
    api_key: SecretStr
    api_version: str | None = None
    ca_file: str | None = None

    @property
    def url(self) -> str:
        """Where the paths of calls begin; the path of a call that was copied with the address is taken off."""
        if not self.is_azure_resource or _DEPLOYMENT.search(self._path):
            return self._path
        return f"{self._path.removesuffix('/openai')}/openai"

    @property
    def key(self) -> str:
        """Without the blanks that come along when a secret is pasted. Servers that want none take any."""
        return self.api_key.get_secret_value().strip() or "no-key"

    @property
    def headers(self) -> dict[str, str]:
        """What every call carries beside the usual authorization: the key where Azure wants it."""
        return {} if self.version is None else {"api-key": self.key}

    @property
    def version(self) -> str | None:
        """The API version as configured, else as it stands in the address."""
        return self.api_version or dict(parse_qsl((self.base_url or "").partition("?")[2])).get("api-version")

    @property
    def is_azure_resource(self) -> bool:
        """Is each model a deployment with a path of its own?"""
        return self.version is not None and not self._path.endswith(_WITHOUT_DEPLOYMENTS)

    @property
    def query(self) -> dict[str, str]:
        """What every call carries in its query."""
        if self.version is None or (_DATE.match(self.version) and self._path.endswith("/openai/v1")):
            return {}
        return {"api-version": self.version}

    def for_another_model(self) -> "Address":
        """The same server without the one deployment that the address may name."""
        return replace(self, base_url=_DEPLOYMENT.sub("", self._path), api_version=self.version)

    @property
    def problem(self) -> Text | None:
        """What is wrong with address or key on their face."""
        if not self.url.startswith(("http://", "https://")):
            return Text(
                f"judge-base-url {self.shown!r} does not begin with http:// or https://.",
                f"judge-base-url {self.shown!r} は http:// または https:// で始まる必要があります。",
            )
        if self.api_version is not None and self.base_url is None:
            return Text(
                "judge.api_version is for Azure OpenAI and needs judge-base-url, the resource's address.",
                "judge.api_version は Azure OpenAI 用です。judge-base-url にリソースのアドレスを指定してください。",
            )
        if not self.key.isascii() or not self.key.isprintable() or " " in self.key:
            return Text(
                "The key of the judge's server holds characters that no key has.",
                "評価用モデルのAPIキーに、キーに使われない文字(全角文字・改行・空白など)が含まれています。",
            )
        return None

    @property
    def shown(self) -> str:
        """The address as people may see it: without user, password and query."""
        scheme, separator, rest = self.url.partition("://")
        return f"{scheme}{separator}{rest.rpartition('@')[2]}" if separator else self.url.rpartition("@")[2]

    @property
    def _path(self) -> str:
        plain = (self.base_url or OPENAI_ADDRESS).strip().partition("?")[0].rstrip("/")
        return _CALL.sub("", plain).rstrip("/")
