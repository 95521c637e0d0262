"""What may be shown of a text that holds a key: everything but the key."""

import time

import pytest

from ragjudge.dsl.masking import MASK, holds_a_key, masked, names_a_key


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: Bearer abc123", f"Authorization: Bearer {MASK}"),
        ("X-Api-Key: abc\nAccept: json", f"X-Api-Key: {MASK}\nAccept: json"),
        ("https://a.example/?token=abc&q=1", f"https://a.example/?token={MASK}&q=1"),
        ('{"password": "abc"}', f'{{"password": "{MASK}"}}'),
        ("Authorization: Bearer {{#env.KEY#}}", "Authorization: Bearer {{#env.KEY#}}"),
        ("key sk-proj-abcdefgh1234567890 end", f"key {MASK} end"),
        ("app-abcdefghij1234567890", MASK),
        ("ghp_abcdefghij1234567890", MASK),
        (
            "curl -H 'Cookie: a=b; sid=c' -H \"Authorization: Token abc\" https://a.example",
            f"curl -H 'Cookie: {MASK}' -H \"Authorization: Token {MASK}\" https://a.example",
        ),
        ("質問に答えてください。", "質問に答えてください。"),
        ("the sk-learn-based-ranking-model", "the sk-learn-based-ranking-model"),
        ("Use at most 300 tokens.", "Use at most 300 tokens."),
    ],
)
def test_only_the_key_is_hidden(text, shown):
    """The words around it stay, and so do references to secret variables."""
    assert masked(text) == shown
    assert masked(shown) == shown


@pytest.mark.parametrize(
    "name", ["api_key", "API-Key", "STAFF_TOKEN", "password", "client_secret", "authorization"]
)
def test_names_of_secrets_are_known(name):
    """By name alone, whatever the value."""
    assert names_a_key(name)


@pytest.mark.parametrize("name", ["max_tokens", "temperature", "keyword_setting", "tokenizer", "key_points"])
def test_ordinary_settings_are_shown(name):
    """A model's own parameters and the weight of keywords are no secret."""
    assert not names_a_key(name)


def test_a_key_is_found_inside_a_text():
    """Code and prompts are searched, not only whole values."""
    assert holds_a_key("x = 'sk-abcdefgh1234567890'")
    assert not holds_a_key("desk-top application-form dataset-of-questions")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a" * 500_000,
            "token" * 100_000,
            "eyj." * 100_000,
            "sk-" * 100_000,
            "token: " * 50_000,
            "a:" * 200_000,
        ),
        *("'cookie: sid" * 15_000, "cookie: " * 20_000, "authorization: {{a}} " * 20_000, "//a:" * 100_000),
        *(
            "password:" + "{{" * 200_000,
            '"token":"\\' * 40_000,
            "x=\n" * 150_000,
            " " * 500_000,
            "k1" * 200_000,
        ),
    ],
    ids=lambda text: repr(text[:12]),
)
def test_no_text_makes_it_slow(text):
    """A file made to be slow is searched in a moment."""
    start = time.perf_counter()
    masked(text)
    holds_a_key(text)
    assert time.perf_counter() - start < 3
