"""What a refusal means, from whatever server it comes."""

import pytest

from ragjudge.judge.refusals import Kind, Refusal, kind_of, retry_after
from ragjudge.judge.trouble import shortened

BILLING = (
    "Rate limit reached for m. Add a payment method at https://judge.example/account/billing to raise it."
)


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        (Refusal(401, message="Incorrect API key"), Kind.WRONG_KEY),
        (Refusal(403, message="Country not supported"), Kind.WRONG_KEY),
        (Refusal(404, "model_not_found", message="The model does not exist"), Kind.NO_MODEL),
        (Refusal(404, "DeploymentNotFound"), Kind.NO_MODEL),
        (Refusal(404, message="page not found"), Kind.NO_MODEL),
        (Refusal(400, message="The model `old` has been deprecated"), Kind.NO_MODEL),
        (Refusal(400, "model_decommissioned"), Kind.NO_MODEL),
        (Refusal(410, "ModelDeprecated", message="The model has been retired"), Kind.NO_MODEL),
        (Refusal(410, message="Gone"), Kind.NO_MODEL),
        (Refusal(402, message="Payment Required"), Kind.OUT_OF_QUOTA),
        (Refusal(429, message="Please update your billing details"), Kind.OUT_OF_QUOTA),
        (Refusal(429, message="RateLimitError: You exceeded your current quota, check your billing"), Kind.OUT_OF_QUOTA),
        (Refusal(429, "rate_limit_exceeded", "requests", message=BILLING), Kind.RATE_LIMITED),
        (Refusal(429, "rate_limit_exceeded", message="You exceeded your current quota of tokens per minute"), Kind.RATE_LIMITED),
        (Refusal(429, type="rate_limit_error", message=BILLING), Kind.RATE_LIMITED),
        (Refusal(429, message=BILLING), Kind.RATE_LIMITED),
        (Refusal(429, "insufficient_quota"), Kind.OUT_OF_QUOTA),
        (Refusal(429, type="insufficient_quota", message="You exceeded your current quota"), Kind.OUT_OF_QUOTA),
        (Refusal(403, message="Your credit balance is too low"), Kind.OUT_OF_QUOTA),
        (Refusal(429, message="You exceeded your current quota per minute", retry_after=3.0), Kind.RATE_LIMITED),
        (Refusal(429, "rate_limit_exceeded"), Kind.RATE_LIMITED),
        (Refusal(400, "content_filter"), Kind.CONTENT_FILTER),
        (Refusal(400, message="triggered Azure OpenAI's content management policy"), Kind.CONTENT_FILTER),
        (Refusal(400, "context_length_exceeded"), Kind.TOO_LONG),
        (Refusal(400, message="maximum context length is 8192 tokens, however you requested 9000"), Kind.TOO_LONG),
        (Refusal(400, message="prompt is too long: 210000 tokens > 200000 maximum"), Kind.TOO_LONG),
        (Refusal(400, message="maximum context length is 8192 tokens: 904 in the messages, 8000 in the completion"), Kind.NO_ROOM),
        (Refusal(413, message="Request Entity Too Large"), Kind.TOO_LONG),
        (Refusal(400, param="temperature", message="Unsupported value"), Kind.OTHER),
        (Refusal(500), Kind.PASSING),
        (Refusal(502), Kind.PASSING),
        (Refusal(529, message="overloaded"), Kind.PASSING),
        (Refusal(408), Kind.PASSING),
        (Refusal(307), Kind.OTHER),
    ],
)  # fmt: skip
def test_each_kind_of_refusal_is_told_apart(refusal, kind):
    """By code and words first, then by status."""
    assert kind == kind_of(refusal)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "5"}, 5.0),
        ({"retry-after": "0.503"}, 0.503),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "99999"}, 60.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "Mon, 01 Jan 2024 00:00:20 GMT"}, None),
        ({"retry-after": "Mon, 01 Jan 2024 00:00:20 GMT", "date": "Mon, 01 Jan 2024 00:00:00 GMT"}, 20.0),
        ({"retry-after": "Mon, 01 Jan 2024 00:00:00 GMT", "date": "Mon, 01 Jan 2024 00:00:20 GMT"}, 0.0),
        ({"retry-after": "Mon, 01 Jan 2024 00:00:00 -0000", "date": "Mon, 01 Jan 2024 00:00:20 GMT"}, None),
    ],
)
def test_the_wait_that_a_server_asks_for(headers, seconds):
    """A number, a fraction or a date against the server's own clock; at most a minute."""
    assert seconds == retry_after(headers)


def test_words_are_shown_without_keys_and_in_one_short_line():
    """A server may echo the key that it refuses."""
    said = shortened("bad key my-secret\nBearer abc.def sk-live-123456 " + "x" * 900, ("my-secret", ""))

    assert "my-secret" not in said
    assert "abc.def" not in said
    assert "sk-live" not in said
    assert "\n" not in said
    assert 300 == len(said)
