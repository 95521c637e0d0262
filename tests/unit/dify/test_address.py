"""What people write as the address of their Dify."""

import pytest

from ragjudge.dify.address import service_address, usable_key
from ragjudge.errors import AppMisconfigured


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("https://dify.example/v1", "https://dify.example/v1"),
        ("https://dify.example/v1/", "https://dify.example/v1"),
        ("https://dify.example", "https://dify.example/v1"),
        ("https://dify.example/", "https://dify.example/v1"),
        ("  https://dify.example:8443/tools/v1 ", "https://dify.example:8443/tools/v1"),
        ("https://dify.example/tools", "https://dify.example/tools/v1"),
        ("https://dify.example/v1/chat-messages", "https://dify.example/v1"),
        ("https://dify.example/app/0000-1111/workflow", "https://dify.example/v1"),
        ("https://dify.example/apps", "https://dify.example/v1"),
        ("https://dify.example/tools/app/0000/overview?x=1#y", "https://dify.example/tools/v1"),
        ("https://cloud.dify.ai/app/0000/develop", "https://api.dify.ai/v1"),
        ("dify.example", "https://dify.example/v1"),
        ("http://127.0.0.1:5001", "http://127.0.0.1:5001/v1"),
    ],
)
def test_makes_the_service_address_of_it(written, url):
    """A missing /v1, a trailing slash, an endpoint, a page of the console, a prefix of a proxy."""
    address = service_address(written)

    assert (url, url != written.strip()) == (address.url, address.changed)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "   ",
        "ftp://dify.example",
        "https://",
        "https://user:pw@dify.example/v1",
        "http://[::1",
        "http://a:b",
    ],
)
def test_refuses_what_is_no_address(written):
    """With the place where the right one is shown, in both languages, and without a password."""
    with pytest.raises(AppMisconfigured) as caught:
        service_address(written)

    assert "/v1" in caught.value.in_language("en")
    assert "APIアクセス" in caught.value.in_language("ja")
    assert "pw" not in str(caught.value)


def test_takes_blanks_off_a_pasted_key():
    """Secrets come with the newline of the file that they were copied from."""
    assert "app-abc" == usable_key(" app-abc\n")


@pytest.mark.parametrize("key", ["", " \n", "dataset-abc", "app-あ", "app-a b"])
def test_refuses_what_is_no_app_key(key):
    """Before anything is sent."""
    with pytest.raises(AppMisconfigured):
        usable_key(key)


@pytest.mark.parametrize("key", ["app-あ", "app-a b", "app-a\tb"])
def test_a_key_with_strange_characters_is_told_in_one_language(key):
    """Nobody refused it: it was never sent."""
    with pytest.raises(AppMisconfigured) as caught:
        usable_key(key)

    assert caught.value.what.en == "DIFY_API_KEY holds characters that no key has."
    assert "DIFY_API_KEY に、キーに使われない文字" in caught.value.what.ja
    assert "characters" not in caught.value.in_language("ja")
