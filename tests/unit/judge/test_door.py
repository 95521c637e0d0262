"""The door to the judge's server: certificates, proxies, closing."""

import asyncio
import random
import shutil
import ssl
import subprocess

import pytest
from pydantic import SecretStr

from ragjudge.errors import ConfigFault, JudgeMisconfigured
from ragjudge.judge.address import Address
from ragjudge.judge.openai_judge import OpenAIJudge
from ragjudge.settings import JudgeSettings
from tests.judge_server import JudgeServer


@pytest.fixture
def certificate(tmp_path):
    """A certificate for localhost that no public authority vouches for."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: no certificate can be made")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    command = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext {names}"
    subprocess.run([*command.split(), "-keyout", key, "-out", cert], check=True, capture_output=True)
    return cert, key


def probe(url, clock, ca_file):
    async def story():
        settings = JudgeSettings(base_url=url, model="m", api_key=SecretStr("k"))
        judge = OpenAIJudge(settings, ca_file=ca_file, clock=clock, random=random.Random(1))
        try:
            await judge.probe()
        finally:
            await judge.close()

    asyncio.run(story())


@pytest.fixture
def secure_server(certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with JudgeServer(tls=context) as server:
        yield server


def test_a_private_authority_is_trusted_when_it_is_named(secure_server, certificate, clock):
    """`ca_file` adds to the authorities that the system knows."""
    probe(secure_server.url, clock, str(certificate[0]))

    assert 1 == secure_server.calls


def test_an_unknown_certificate_is_a_configuration_to_mend(secure_server, clock):
    """Waiting does not help; the hint names ca-file."""
    with pytest.raises(JudgeMisconfigured) as raised:
        probe(secure_server.url, clock, None)

    assert "ca-file" in raised.value.hint.en
    assert [] == clock.slept


def test_a_ca_file_that_is_not_there_is_a_fault_of_the_configuration(clock):
    """Named with its path, and the judge still closes."""
    with pytest.raises(ConfigFault, match="nowhere"):
        probe("https://localhost:9/v1", clock, "nowhere.pem")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://user:secret@host/v1?key=secret", "https://host/v1"),
        ("http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1"),
        ("https://host/v1/chat/completions/", "https://host/v1"),
        (None, "https://api.openai.com/v1"),
    ],
)
def test_an_address_is_shown_without_its_secrets(url, shown):
    """User, password and query stay out of messages."""
    assert shown == Address(url, SecretStr("k")).shown


@pytest.mark.parametrize("key", ["sk-１２３", "sk-1\nsk-2", "Bearer sk-1"])
def test_a_key_that_cannot_be_one_is_found_without_a_call(server, clock, key):
    """Full-width digits, two lines, or the word before it: told at the probe, and the key is in no message."""
    settings = JudgeSettings(base_url=server.url, model="m", api_key=SecretStr(key))
    judge = OpenAIJudge(settings, clock=clock, random=random.Random(1))

    with pytest.raises(JudgeMisconfigured, match="characters that no key has") as raised:
        asyncio.run(judge.probe())
    assert key not in raised.value.in_language("ja")
    assert 0 == server.calls


def test_blanks_around_a_key_are_not_sent(server, clock):
    """They come along when a secret is pasted."""
    settings = JudgeSettings(base_url=server.url, model="m", api_key=SecretStr(" sk-1\n"))

    async def story():
        judge = OpenAIJudge(settings, clock=clock, random=random.Random(1))
        try:
            await judge.probe()
        finally:
            await judge.close()

    asyncio.run(story())
    assert "Bearer sk-1" == server.asked()[0].headers["authorization"]


@pytest.mark.parametrize(
    ("base_url", "api_version", "problem"),
    [
        ("localhost:8000/v1", None, "does not begin with http"),
        ("ftp://host/v1", None, "does not begin with http"),
        (None, "2024-10-21", "Azure"),
        ("https://host.example/v1", None, None),
    ],
)
def test_an_address_that_cannot_be_right_is_found_without_a_call(base_url, api_version, problem, clock):
    """One sentence at the probe, no waiting."""
    address = Address(base_url, SecretStr("k"), api_version)
    if problem is None:
        assert address.problem is None
        return
    settings = JudgeSettings(base_url=base_url, model="m", api_version=api_version)
    judge = OpenAIJudge(settings, clock=clock, random=random.Random(1))

    with pytest.raises(JudgeMisconfigured, match=problem):
        asyncio.run(judge.probe())
