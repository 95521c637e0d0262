"""Where the console is, and who signs in."""

import pytest
from pydantic import SecretStr

from ragjudge.dify.console.address import console_address
from ragjudge.dify.console.credentials import Admin, Person, from_environ
from ragjudge.errors import ConsoleMisconfigured


@pytest.mark.parametrize(
    ("base", "console", "wanted"),
    [
        ("https://dify.example/v1", "", "https://dify.example/console/api"),
        ("https://dify.example/v1/chat-messages", "", "https://dify.example/console/api"),
        ("https://proxy.example/dify/v1", "", "https://proxy.example/dify/console/api"),
        ("https://api.dify.ai/v1", "", "https://cloud.dify.ai/console/api"),
        ("https://api.example/v1", "https://console.example", "https://console.example/console/api"),
        ("https://api.example/v1", "https://console.example/apps", "https://console.example/console/api"),
        (
            "https://api.example/v1",
            "https://console.example/console/api/",
            "https://console.example/console/api",
        ),
        ("", "http://localhost:5001", "http://localhost:5001/console/api"),
    ],
)
def test_the_console_is_beside_the_service_api_or_where_the_config_says(base, console, wanted):
    """Pages and endpoints are cut off."""
    assert console_address(base, console) == wanted


def test_an_address_that_cannot_be_one_names_the_setting():
    """The cure speaks of dsl.console_url."""
    with pytest.raises(ConsoleMisconfigured) as raised:
        console_address("https://x.example/v1", "ftp://console.example")
    assert "dsl.console_url" in raised.value.in_language("ja")


def test_nothing_given_is_no_credentials():
    """The default way: an API key alone. Empty secrets are what GitHub hands to a fork."""
    assert from_environ({}) is None
    assert from_environ({"DIFY_CONSOLE_EMAIL": "", "DIFY_CONSOLE_PASSWORD": " "}) is None


def test_a_person_or_an_admin():
    """The admin key wins; a trailing line break comes along with a pasted secret."""
    person = {"DIFY_CONSOLE_EMAIL": " a@example.com ", "DIFY_CONSOLE_PASSWORD": "pass word\n"}
    assert from_environ(person) == Person("a@example.com", SecretStr("pass word"))
    admin = {"DIFY_ADMIN_API_KEY": "k", "DIFY_WORKSPACE_ID": "w"}
    assert from_environ(person | admin) == Admin(SecretStr("k"), "w")


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"DIFY_CONSOLE_EMAIL": "a@example.com"}, "DIFY_CONSOLE_PASSWORD"),
        ({"DIFY_CONSOLE_PASSWORD": "x"}, "DIFY_CONSOLE_EMAIL"),
        ({"DIFY_ADMIN_API_KEY": "k"}, "DIFY_WORKSPACE_ID"),
    ],
)
def test_half_of_a_pair_names_the_other_half(given, missing):
    """An empty secret is never taken for a wish."""
    with pytest.raises(ConsoleMisconfigured, match=f"{missing} is empty"):
        from_environ(given)
