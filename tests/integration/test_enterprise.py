"""Behind a company's walls: a private certificate authority and a forward proxy, for GitHub, the judge and the app."""

import shutil
import ssl
import subprocess

import pytest
from pydantic import SecretStr

from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.packaged import APP, CORPUS
from ragjudge.demo.server import DemoServer, ServerOptions
from ragjudge.errors import GitHubUnreachable
from ragjudge.github.api import GitHubApi
from tests.forward_proxy import ForwardProxy
from tests.github_server import FakeGitHub, Pull
from tests.integration.github.conftest import NotedClock
from tests.integration.test_action import APP_KEY, BASE, HEAD, World
from tests.judge_server import JudgeServer


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for localhost that no public authority vouches for."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: no certificate can be made")
    folder = tmp_path_factory.mktemp("tls")
    key, cert = folder / "key.pem", folder / "cert.pem"
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    command = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext {names}"
    subprocess.run([*command.split(), "-keyout", key, "-out", cert], check=True, capture_output=True)
    return cert, key


@pytest.fixture
def tls(certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context


@pytest.fixture
def proxy(monkeypatch):
    with ForwardProxy() as running:
        for name in ("HTTP_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, running.url)
            monkeypatch.delenv(name.lower(), raising=False)
        for name in ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.delenv(name, raising=False)
        yield running


def port_of(url):
    return int(url.split(":")[2].split("/")[0])


def test_an_unknown_authority_is_an_outage_with_the_reason(tls):
    """No key is sent to a server that nobody vouches for."""
    with (
        FakeGitHub(tls=tls) as github,
        GitHubApi(github.url, SecretStr("t"), clock=NotedClock()) as api,
        pytest.raises(GitHubUnreachable, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        api.get("/repos/octo/app/pulls/7")
    assert github.calls == []


@pytest.fixture
def company(certificate, tmp_path, monkeypatch):
    """A judge behind a private authority whose file is named in the config."""
    (tmp_path / "workspace").mkdir()
    monkeypatch.chdir(tmp_path / "workspace")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    app = DemoServer(load_app(APP), load_corpus(CORPUS), ServerOptions(api_key=APP_KEY))
    with app, JudgeServer(tls=context) as judge, FakeGitHub() as github:
        world = World(tmp_path, app, judge, github)
        world.config += "ca_file: certs/ca.pem\n"
        world.write("ragjudge.yml", world.config)
        github.files[BASE, "ragjudge.yml"] = world.config.encode()
        yield world


@pytest.fixture(scope="module")
def stranger(tmp_path_factory):
    """Another authority's certificate."""
    folder = tmp_path_factory.mktemp("stranger")
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=stranger -keyout key.pem -out cert.pem"
    )
    subprocess.run(command.split(), check=True, capture_output=True, cwd=folder)
    return (folder / "cert.pem").read_bytes()


def test_a_pull_request_can_not_add_an_authority(company, certificate, stranger):
    """The bytes are the base branch's, whatever the pull request writes into the file."""
    trusted = certificate[0].read_bytes()
    company.write("certs/ca.pem", stranger.decode())
    company.github.files[BASE, "certs/ca.pem"] = trusted

    assert company.run().outputs["verdict"] == "no_baseline"

    company.write("certs/ca.pem", trusted.decode())
    company.github.files[BASE, "certs/ca.pem"] = stranger
    calls = company.judge.calls
    refused = company.run()

    assert refused.code != 0
    assert company.judge.calls == calls


def test_an_authority_that_only_the_pull_request_knows_is_not_trusted(company, certificate):
    """Merged first; a file that an earlier step wrote is no part of the pull request."""
    trusted = certificate[0].read_bytes()
    company.write("certs/ca.pem", trusted.decode())

    by_a_step = company.run()
    company.github.files["c" * 40, "certs/ca.pem"] = trusted
    added = company.run()

    assert (by_a_step.code, added.code) == (0, 2)
    assert "CAファイル" in added.outputs["exit-reason"]


def test_no_proxy_is_honoured(proxy, monkeypatch):
    """A server inside is reached directly."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with FakeGitHub() as github, GitHubApi(github.url, SecretStr("t")) as api:
        github.pulls[7] = Pull(head_sha=HEAD)
        api.get("/repos/octo/app/pulls/7")

    assert proxy.asked == []


def test_the_action_behind_a_proxy_with_a_private_authority(proxy, tls, certificate, tmp_path, monkeypatch):
    """GitHub and judge over TLS with their own authority, the app over HTTP, all three through the proxy."""
    (tmp_path / "workspace").mkdir()
    monkeypatch.chdir(tmp_path / "workspace")
    app = DemoServer(load_app(APP), load_corpus(CORPUS), ServerOptions(api_key=APP_KEY))
    with app, JudgeServer(tls=tls) as judge, FakeGitHub(tls=tls) as github:
        world = World(tmp_path, app, judge, github)
        shutil.copy(certificate[0], "ca.pem")

        step = world.run(ca_file="ca.pem")

    assert (step.code, step.outputs["verdict"]) == (0, "no_baseline"), step.log
    assert len(github.bodies(7)) == 1
    assert {port_of(app.base_url), port_of(judge.url), port_of(github.url)} <= proxy.ports
    assert {method for method, _, port in proxy.asked if port == port_of(github.url)} == {"CONNECT"}
