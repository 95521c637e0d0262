"""Whose fault a server's no is."""

import pytest

from ragjudge.dify.ending import Refusal
from ragjudge.dify.verdicts import judge
from ragjudge.errors import AppCouldNotAnswer, AppMisconfigured, AppOutOfQuota
from ragjudge.results.outcome import Cause

CONFIG = [
    Refusal(401, "unauthorized", "Access token is invalid"),
    Refusal(403, "forbidden", "The app's API service has been disabled."),
    Refusal(403, "workflow_version_execution_not_allowed", "not on your plan"),
    Refusal(403, "", "Forbidden", is_page=True),
    Refusal(404, "", "<title>404 Not Found</title>", is_page=True),
    Refusal(301, "", "https://elsewhere.example/v1/info"),
    Refusal(400, "invalid_param", "Workflow not published"),
    Refusal(400, "app_unavailable", "App unavailable, please check your app configurations."),
    Refusal(400, "agent_not_published", "x"),
    Refusal(400, "not_chat_app", "Please check if your app mode matches the right API route."),
    Refusal(400, "not_workflow_app", "x"),
    Refusal(404, "not_found", "Workflow not found with id: 1. You have requested"),
    Refusal(400, "bad_request", "Cannot use draft workflow version. Workflow ID: 1."),
    Refusal(400, "bad_request", "Invalid workflow_id format: 'abc'. "),
    Refusal(400, "provider_not_initialize", "x"),
    Refusal(400, "invalid_param", "Run failed: Provider a/b/c does not exist."),
    Refusal(200, "", "Provider a/b/c does not exist."),
    Refusal(200, "", "[openai] Incorrect model credentials provided, please check and try again."),
    Refusal(400, "completion_request_error", "Incorrect API key provided"),
    Refusal(400, "invalid_param", "Run failed: Invalid API key."),
    Refusal(400, "invalid_param", "Run failed: Model gpt-0 not exist."),
    Refusal(200, "", "[openai] Bad Request Error, Error code: 404 - The model `gpt-0` does not exist"),
    Refusal(
        200, "", '[models] Error: req_id: 1 PluginInvokeError: {"error_type":"InvokeAuthorizationError"}'
    ),
]
CASE = [
    Refusal(400, "invalid_param", "Entity is required in input form"),
    Refusal(400, "invalid_param", "tier in input form must be one of the following: ['free', 'pro']"),
    Refusal(400, "", "Input payload validation failed; inputs: Missing required parameter"),
    Refusal(400, "invalid_param", "1 validation error for ChatRequestPayload\ninputs\n  Field required"),
    Refusal(400, "invalid_param", "query is required"),
    Refusal(200, "", "[openai] Bad Request Error, Error code: 400 - context_length_exceeded"),
    Refusal(400, "file_too_large", "x"),
    Refusal(413, "", "Request Entity Too Large", is_page=True),
]
BUSY = [
    Refusal(
        400, "invalid_param", "Too many requests. Please try again later. The current maximum concurrent …"
    ),
    Refusal(429, "too_many_requests", "Too many requests. Please try again later."),
    Refusal(429, "", "slow down"),
]
MOMENT = [
    (Refusal(500, "internal_server_error", "x"), Cause.APP_ERROR),
    (Refusal(502, "", "<title>502 Bad Gateway</title>", is_page=True), Cause.APP_UNREACHABLE),
    (Refusal(504, "", "<title>504</title>", is_page=True), Cause.APP_UNREACHABLE),
    (Refusal(503, "", "busy"), Cause.APP_UNREACHABLE),
    (Refusal(200, "", "[openai] Rate Limit Error, Error code: 429 - x"), Cause.APP_RATE_LIMITED),
    (Refusal(400, "completion_request_error", "[openai] Server Unavailable Error, x"), Cause.APP_ERROR),
    (Refusal(200, "", "[openai] Connection Error, Request timed out."), Cause.APP_ERROR),
    (Refusal(200, "", "Request to Plugin Daemon Service failed-500"), Cause.APP_ERROR),
    (Refusal(400, "invalid_param", "Run failed: Internal Server Error-500"), Cause.APP_ERROR),
]


@pytest.mark.parametrize("refusal", CONFIG, ids=lambda r: f"{r.status}-{r.code or r.message[:20]}")
def test_knows_the_configurations_faults(refusal):
    """They stop the run with one sentence and a cure, in both languages."""
    verdict = judge(refusal)

    assert AppMisconfigured is type(verdict.error)
    assert not verdict.again
    assert "→" in verdict.error.in_language("ja")


@pytest.mark.parametrize("refusal", CASE, ids=lambda r: f"{r.status}-{r.code or r.message[:20]}")
def test_knows_the_cases_faults(refusal):
    """Asking again would change nothing."""
    error = judge(refusal).error

    assert isinstance(error, AppCouldNotAnswer)
    assert (Cause.APP_INPUT_REFUSED, False) == (error.cause, error.passing)


@pytest.mark.parametrize("refusal", BUSY, ids=lambda r: f"{r.status}-{r.code}")
def test_knows_the_limit_of_concurrent_requests(refusal):
    """As 400 or as 429: wait and go slower."""
    verdict = judge(refusal)

    assert (True, True) == (verdict.again, verdict.throttled)
    assert Cause.APP_RATE_LIMITED == verdict.error.cause


def test_reads_the_limit_where_the_server_names_it():
    """`… maximum concurrent requests allowed for <app> is 3.`"""
    message = "Too many requests. The current maximum concurrent requests allowed for 1f-2e is 3."

    assert 3 == judge(Refusal(400, "invalid_param", message)).allowed


@pytest.mark.parametrize(("refusal", "cause"), MOMENT, ids=lambda v: str(getattr(v, "message", v))[:24])
def test_knows_the_moments_faults(refusal, cause):
    """Another try may help."""
    verdict = judge(refusal)

    assert (cause, True, True) == (verdict.error.cause, verdict.error.passing, verdict.again)
    assert not verdict.throttled


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal(429, "rate_limit_error", "Rate Limit Error"),
        Refusal(400, "provider_quota_exceeded", "x"),
        Refusal(200, "", "[openai] Rate Limit Error, Error code: 429 - insufficient_quota"),
    ],
)
def test_knows_a_quota_that_is_used_up(refusal):
    """No retries: the run stops early."""
    assert AppOutOfQuota is type(judge(refusal).error)


def test_calls_everything_else_a_failure_of_the_app():
    """Not to be tried again."""
    error = judge(Refusal(400, "whatever", "[openai] Error: something else")).error

    assert (Cause.APP_ERROR, False) == (error.cause, error.passing)


@pytest.mark.parametrize(
    "said",
    [
        "article 12 is not published yet",
        "[http] 403 forbidden: invalid api key for weather",
        "[search] the workflow not published in region x",
        "[sql] relation model users does not exist",
        "[crm] provider acme does not exist in your account",
        "[wiki] cannot use draft workflow version",
    ],
)
@pytest.mark.parametrize("status", [200, 400])
def test_what_a_tool_says_in_a_failed_run_does_not_stop_all_the_others(said, status):
    """Its words are anything; only Dify's own, where Dify says them, tell of the configuration."""
    error = judge(Refusal(status, "invalid_param" if status == 400 else "", f"Run failed: {said}")).error

    assert (AppCouldNotAnswer, Cause.APP_ERROR) == (type(error), error.cause)


def test_never_repeats_a_key():
    """An error body may echo the request's headers."""
    echo = (
        "bad header Authorization: Bearer app-SECRETSECRET and key s3cr3t, also sk-abcdefghijkl <b>\x1b[31m"
    )
    text = judge(Refusal(400, "x", echo), secret="s3cr3t").error.in_language("en")

    assert "SECRET" not in text
    assert "s3cr3t" not in text
    assert "sk-abc" not in text
    assert "\x1b" not in text


def test_names_a_proxys_page_by_its_title():
    """Not by its HTML."""
    page = "<html><head><title>504 Gateway Time-out</title></head><body>nginx</body></html>"

    assert "504 Gateway Time-out)" in str(judge(Refusal(504, "", page, is_page=True)).error)
