import pytest
from pydantic import SecretStr

from ragjudge import proxies
from ragjudge.dify.console.door import ConsoleDoor
from ragjudge.dify.limits import Limits
from ragjudge.dify.transport import Transport
from ragjudge.errors import ConfigFault
from ragjudge.github.api import GitHubApi

CLIENTS = {
    "dify": lambda: Transport("https://dify.example/v1", "app-key", limits=Limits()),
    "console": lambda: ConsoleDoor("https://dify.example/console/api"),
    "github": lambda: GitHubApi("https://api.github.example", SecretStr("token")),
}


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in ("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def refused(**given: str) -> ConfigFault:
    with pytest.raises(ConfigFault) as refusal:
        proxies.require_usable(given)
    return refusal.value


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("name", ["ALL_PROXY", "https_proxy", "HTTP_PROXY"])
def test_a_socks_proxy_is_refused_by_name_before_a_client_is_made(monkeypatch, client, name):
    """Not as a missing package of ours."""
    monkeypatch.setenv(name, "socks5h://user:secret@127.0.0.1:1080")

    with pytest.raises(ConfigFault) as refusal:
        CLIENTS[client]()

    said = refusal.value.in_language("en")
    assert f"{name.upper()} names a SOCKS proxy (socks5h://…), which is not supported." in said
    assert "http://proxy.example.com:8080" in said
    assert "secret" not in said


def test_the_refusal_is_japanese_too():
    """With the cure."""
    said = refused(all="socks5://127.0.0.1:1080").in_language("ja")

    assert "ALL_PROXY のSOCKSプロキシ(socks5://…)には対応していません。" in said
    assert "NO_PROXY=*" in said


def test_every_variable_at_fault_is_named_at_once():
    """In one go."""
    said = refused(http="socks4://p:1", https="ftp://p", all="http://p:port", no="localhost").in_language(
        "en"
    )

    assert said.count("\n  - ") == 3


@pytest.mark.parametrize(
    "address", ["ftp://p", "://p", "http://[::1", "http://p:port", "http://", "http://a b"]
)
def test_what_is_no_address_of_a_proxy_is_refused_too(address):
    """Such values end in errors of the library as well."""
    assert "HTTPS_PROXY" in refused(https=address).in_language("en")


@pytest.mark.parametrize(
    "address", ["http://p:8080", "https://u:p@p", "p:8080", "proxy.example", "HTTP://[::1]:3"]
)
def test_http_proxies_are_left_alone(address):
    """With or without a scheme, as httpx2 takes them."""
    proxies.require_usable({"https": address, "ftp": "ftp://p", "no": "127.0.0.1"})


def test_a_proxy_that_is_never_used_is_no_matter():
    """NO_PROXY=* switches all of them off."""
    proxies.require_usable({"all": "socks5://p:1", "no": "localhost, *"})
