"""The REST client against a loopback GitHub, troubles included."""

import pytest
from pydantic import SecretStr

from ragjudge.errors import GitHubRefused, GitHubUnreachable, UsageFault
from ragjudge.github.api import GitHubApi
from ragjudge.github.base_branch import BaseBranch

COMMENTS = "/repos/octo/app/issues/7/comments"


def test_every_page_is_read(github, api):
    """150 comments are two pages of a hundred."""
    for n in range(150):
        github.add_comment(7, f"c{n}")

    assert [f"c{n}" for n in range(150)] == [item["body"] for item in api.pages(COMMENTS)]
    assert [{"per_page": "100"}, {"per_page": "100", "page": "2"}] == [c.query for c in github.calls]


def test_calls_carry_token_version_and_agent(github, api):
    """As GitHub asks of every client."""
    api.get("/repos/octo/app/pulls/7")

    headers = github.calls[0].headers
    assert headers["authorization"] == "Bearer ghs_token"
    assert headers["x-github-api-version"] == "2022-11-28"
    assert headers["user-agent"].startswith("ragjudge/")


def test_a_5xx_is_tried_again_and_a_reset_connection_too(github, api, clock):
    """Two kinds of passing trouble in one call."""
    github.fail_next("GET", "pulls/7", 502)
    github.fail_next("GET", "pulls/7", cut=True)

    assert api.get("/repos/octo/app/pulls/7")["number"] == 7
    assert clock.slept == [1.0, 2.0]


def test_a_post_is_not_repeated_after_a_5xx(github, api, clock):
    """It may have done its work."""
    github.fail_next("POST", "comments", 502, done_first=True)

    with pytest.raises(GitHubUnreachable):
        api.send("POST", COMMENTS, {"body": "x"})
    assert github.bodies(7) == ["x"]
    assert clock.slept == []


def test_a_post_waits_for_a_rate_limit(github, api, clock):
    """A refused call did nothing, so that repeating it is safe."""
    github.fail_next("POST", "comments", 403, body={"message": "You have exceeded a secondary rate limit"})
    github.fail_next("POST", "comments", 429, headers={"Retry-After": "7"})

    api.send("POST", COMMENTS, {"body": "x"})

    assert github.bodies(7) == ["x"]
    assert clock.slept == [60.0, 7.0]


def test_a_refusal_tells_status_and_githubs_words(github, api):
    """The caller decides what a 403 means."""
    github.fail_next("GET", "pulls/7", 403, body={"message": "Resource not accessible by integration"})

    with pytest.raises(GitHubRefused) as caught:
        api.get("/repos/octo/app/pulls/7")
    assert (caught.value.status, caught.value.answer) == (403, "Resource not accessible by integration")


def test_nothing_there_is_none_only_where_asked_for(api):
    """`find` and `raw` say None, `get` refuses."""
    assert api.find("/repos/octo/app/pulls/8") is None
    assert api.raw("/repos/octo/app/contents/none.yml") is None
    with pytest.raises(GitHubRefused):
        api.get("/repos/octo/app/pulls/8")


def test_a_dead_server_is_given_up_with_a_sentence(clock):
    """Four tries, then exit code 3's error."""
    with (
        GitHubApi("http://127.0.0.1:9", SecretStr("t"), clock=clock) as api,
        pytest.raises(GitHubUnreachable, match=r"127\.0\.0\.1 did not answer"),
    ):
        api.get("/x")
    assert clock.slept == [1.0, 2.0, 4.0]


def test_a_proxys_page_is_not_taken_for_an_answer(github, api):
    """HTML with status 200 is told apart from GitHub's JSON."""
    github.fail_next("GET", "pulls/7", 200, body=b"<html>login</html>")

    with pytest.raises(GitHubUnreachable, match="not GitHub's API"):
        api.get("/repos/octo/app/pulls/7")


def test_no_error_shows_the_token(github, api):
    """Even where the server echoes it is for the redactor; we never put it in ourselves."""
    github.token = "another"

    with pytest.raises(GitHubRefused) as caught:
        api.get("/repos/octo/app/pulls/7")
    assert "ghs_token" not in str(caught.value) + repr(caught.value) + caught.value.in_language("ja")


def test_graphql_elsewhere_gets_no_token(api, github):
    """The token belongs to one server."""
    assert api.is_same_server(f"{github.url}/graphql")
    assert not api.is_same_server("http://127.0.0.1:1/graphql")
    assert not api.is_same_server("https://evil.example/graphql")


def test_a_ca_file_that_is_none_is_a_usage_fault(tmp_path):
    """A wrong path or a file without certificates."""
    path = tmp_path / "ca.pem"
    path.write_text("no certificate")

    for wrong in (str(path), str(tmp_path / "none.pem")):
        with pytest.raises(UsageFault, match="CA file"):
            GitHubApi("https://x.example", SecretStr(""), ca_file=wrong)


def test_a_file_of_the_base_branch_is_read_at_its_commit(github, api):
    """Names are encoded, bytes come back unchanged."""
    github.files["b" * 40, "設定/rag judge.yml"] = b"gate: {}\n"

    base = BaseBranch(api, "octo/app", "b" * 40)

    assert base.read("./設定/rag judge.yml") == b"gate: {}\n"
    assert base.read("ragjudge.yml") is None


@pytest.mark.parametrize("path", ["../secrets.yml", "/etc/passwd", "a/../../b", "a//b", ""])
def test_a_path_outside_of_the_repository_is_refused(api, github, path):
    """A path from a config must not climb in the API's address."""
    from ragjudge.errors import MustChange

    with pytest.raises(MustChange):
        BaseBranch(api, "octo/app", "main").read(path)
    assert github.calls == []
