import pytest

from ragjudge.settings import addresses


@pytest.mark.parametrize(
    ("written", "url", "mended"),
    [
        ("https://d.example/v1", "https://d.example/v1", False),
        ("https://d.example/v1/", "https://d.example/v1", False),
        ("https://d.example", "https://d.example/v1", True),
        ("https://d.example:8443/", "https://d.example:8443/v1", True),
        ("https://d.example/dify", "https://d.example/dify/v1", True),
        ("https://d.example/v1/chat-messages", "https://d.example/v1", True),
        ("http://127.0.0.1:5001/v1", "http://127.0.0.1:5001/v1", False),
    ],
)
def test_a_dify_address_ends_in_v1(written, url, mended):
    """A missing `/v1` is added and said; a whole endpoint is cut back to its base."""
    address = addresses.dify(written)

    assert (address.url, address.note is not None, address.wrong) == (url, mended, None)


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("https://cloud.dify.ai/app/1234/develop", "https://api.dify.ai/v1"),
        ("https://d.example/console/api", "https://d.example/v1"),
        ("https://d.example/chat/AbCd", "https://d.example/v1"),
    ],
)
def test_a_page_of_the_console_is_refused_with_the_right_address(written, right):
    """People copy the address of the page they see."""
    address = addresses.dify(written)

    assert address.wrong is not None
    assert right in address.wrong.en


@pytest.mark.parametrize(
    "written",
    [
        "dify.example",
        "ftp://d.example",
        "https://",
        "https://d.example/v1?x=1",
        "https://d.example:port",
        "http://[x",
        "https://a b/v1",
    ],
)
def test_what_is_no_address_is_refused(written):
    """Nothing is ever sent to a guess."""
    assert addresses.server(written).wrong is not None


def test_a_models_address_keeps_the_version_that_azures_portal_puts_into_it():
    """And nothing else of a query: a key may stand there."""
    portal = "https://d.example/openai/deployments/m/chat/completions?api-version=2024-10-21"

    assert addresses.Address(portal) == addresses.model_server(f" {portal} ")
    for more in ("&key=k", "#top"):
        assert addresses.model_server(portal + more).wrong is not None
    assert addresses.model_server("https://d.example/v1?key=k").wrong is not None
    assert addresses.model_server("ftp://d.example?api-version=1").wrong is not None
    assert addresses.Address("https://d.example/v1") == addresses.model_server("https://d.example/v1/")


def test_a_password_in_an_address_is_refused_and_not_kept():
    """It would end up in logs and reports."""
    address = addresses.server("https://user:hunter2@d.example")

    assert address.wrong is not None
    assert "hunter2" not in address.url + address.wrong.en
