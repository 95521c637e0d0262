import pytest

from ragjudge.errors import ConfigFault
from ragjudge.metric_specs import BUILT_IN
from ragjudge.settings import load, protect, require

BASE = """app: https://base.example/v1
judge: {model: m, base_url: https://judge.example}
gate: {tolerance: {correctness: 0.1}, minimum: {correctness: 3.5}}
accept: [{case: 1, reason: old, until: 2026-12-31}]
metrics: {custom: [{name: tone, rubric: r, minimum: 3}]}
"""
PR = """app: https://evil.example/v1
judge: {model: m2, base_url: https://evil.example}
gate: {tolerance: {correctness: 5}, max_unscored: 9}
accept: [{case: 1, reason: old, until: 2026-12-31}, {case: 2, reason: mine, until: 2027-01-31}]
metrics: {use: [correctness], custom: [{name: tone, rubric: better, minimum: 1}, {name: new, rubric: n, minimum: 1}]}
baseline: branch:nowhere
ca_file: evil.pem
"""


def test_gate_waivers_and_addresses_come_from_the_base_branch():
    """A pull request can neither lower its own bar nor send keys elsewhere."""
    base = load(BASE)
    settings = protect(load(PR), base).settings

    assert settings.gate == base.settings.gate
    assert settings.accept == base.settings.accept
    assert settings.app.base_url == "https://base.example/v1"
    assert settings.judge.base_url == "https://judge.example"
    assert settings.baseline.store == base.settings.baseline.store
    assert settings.ca_file is None


def test_everything_else_is_the_pull_requests_own():
    """What a pull request may change is judged as it is."""
    settings = protect(load(PR), load(BASE)).settings

    assert settings.judge.model == "m2"
    assert settings.metrics.use == ("correctness",)
    assert [(m.name, m.rubric, m.minimum) for m in settings.metrics.custom] == [
        ("tone", "r", 3),
        ("new", "n", 1),
    ]


def test_each_change_is_listed_old_and_new():
    """The report says first what takes effect after the merge."""
    changed = protect(load(PR), load(BASE)).changed

    assert [c.text.en for c in changed] == [
        "gate.tolerance: correctness: 0.1 → correctness: 5 (after the merge)",
        "gate.minimum: correctness: 3.5 → not set (after the merge)",
        "gate.max_unscored: 0 → 9 (after the merge)",
        "accept: not set → 2 / * / 2027-01-31 / mine (after the merge)",
        "app.base_url: https://base.example/v1 → https://evil.example/v1 (after the merge)",
        "judge.base_url: https://judge.example → https://evil.example (after the merge)",
        "ca_file: not set → evil.pem (after the merge)",
        "baseline.store: file:ragjudge-baseline.json → branch:nowhere (after the merge)",
        "metrics.custom.tone.rubric: r → better (after the merge)",
        "metrics.custom.tone.minimum: 3 → 1 (after the merge)",
        "judge.model: m → m2 (in this check already)",
        f"metrics.use: {', '.join(BUILT_IN)} → correctness (in this check already)",
    ]
    assert changed[0].text.ja == "gate.tolerance: correctness: 0.1 → correctness: 5(マージ後に有効)"


def test_what_never_costs_points_is_the_base_branchs():
    """`judge.allow` excuses differences as `accept` does: entry by entry, after the merge."""
    base = load("judge: {model: m, allow: [phone numbers, dates]}")
    found = protect(load("judge: {model: m, allow: [dates, anything at all]}"), base)

    assert found.settings.judge.allow == ("phone numbers", "dates")
    assert [c.text.en for c in found.changed] == [
        "judge.allow: phone numbers → not set (after the merge)",
        "judge.allow: not set → anything at all (after the merge)",
    ]


def test_a_criterion_that_exists_stays_as_it_is():
    """Rubric, scale and examples say what is good enough; a new one is the pull request's own."""
    one = "{name: tone, rubric: Polite., scale: [1, 5]}"
    base = load(f"metrics: {{custom: [{one}]}}")
    other = "{name: tone, rubric: 'Always 5.', scale: [1, 9], needs_reference: true, examples: [{score: 5}]}"
    found = protect(load(f"metrics: {{custom: [{other}, {one.replace('tone', 'new')}]}}"), base)

    kept, new = found.settings.metrics.custom
    assert kept == base.settings.metrics.custom[0]
    assert (new.name, new.rubric) == ("new", "Polite.")
    assert {c.path.rpartition(".")[2] for c in found.changed} == {
        "rubric",
        "scale",
        "needs_reference",
        "examples",
    }


def test_other_scoring_holds_at_once_and_is_told():
    """A better judge may be tried in a pull request; nobody should have to guess why scores moved."""
    base = load("judge: {model: m}")
    pr = load("judge: {model: m2, language: en}\nmetrics: {mode: economic}\nembedding: e")

    found = protect(pr, base)

    assert found.settings.judge.model == "m2"
    assert [c.path for c in found.changed] == [
        "judge.model",
        "judge.language",
        "embedding.model",
        "metrics.mode",
    ]
    assert found.changed[0].text.ja == "judge.model: m → m2(このチェックから有効)"


def test_what_the_workflow_gives_stays():
    """Inputs of the action are trusted: they are equal on both sides."""
    inputs = {"dify-base-url": "https://workflow.example/v1"}
    found = protect(load(PR, inputs=inputs), load(BASE, inputs=inputs))

    assert found.settings.app.base_url == "https://workflow.example/v1"
    assert not [c for c in found.changed if c.path == "app.base_url"]


def test_without_a_config_on_the_base_branch_only_the_workflow_is_trusted():
    """A first pull request gets the default gate and no address of its own."""
    found = protect(load(PR), load(None))

    assert found.settings.app.base_url == ""
    assert found.settings.gate == load(None).settings.gate
    assert found.settings.accept == ()


def test_an_address_that_only_the_pull_request_knows_has_a_cure_of_its_own():
    """The first pull request of a team that did not give the address in its workflow."""
    found = protect(load(PR, environ={"DIFY_API_KEY": "k"}), load(None, environ={"DIFY_API_KEY": "k"}))

    with pytest.raises(ConfigFault) as caught:
        require(found.settings, "app", held_back=[c.path for c in found.changed])

    (problem,) = caught.value.problems
    assert "only in this pull request" in problem.what.en
    assert problem.cure is not None
    assert "dify-base-url" in problem.cure.en


def test_an_unchanged_config_has_no_changes():
    """The usual pull request shows nothing."""
    assert protect(load(BASE), load(BASE)).changed == ()


def test_origins_show_the_base_branchs_lines():
    """A line number of another version must not mislead."""
    found = protect(load(PR), load("\n\n" + BASE)).loaded

    assert found.origin("app.base_url").text.en == "ragjudge.yml (base):3"


def test_a_judge_key_does_not_follow_an_address_of_the_pull_request():
    """Embedding without a server of its own uses the judge's, which is the base branch's."""
    environ = {"OPENAI_API_KEY": "sk-1"}
    pr = load("judge: {model: m, base_url: https://evil.example}\nembedding: e", environ=environ)
    base = load("judge: {model: m, base_url: https://judge.example}", environ=environ)

    embedding = protect(pr, base).settings.embedding

    assert (embedding.base_url, embedding.api_key.get_secret_value()) == ("https://judge.example", "sk-1")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{provider: openai, model: m}", "{provider: dify}"),
        ("{model: m}", "{provider: offline}"),
        ("dify", "{provider: openai, model: m2}"),
        ("offline", "{model: m2, api_version: v}"),
        (None, "dify"),
    ],
)
def test_a_judge_of_another_kind_is_held_back_as_a_whole(before, after):
    """Another provider is another key at another server."""
    environ = {"OPENAI_API_KEY": "sk-1", "DIFY_JUDGE_API_KEY": "app-1"}
    base = load(f"app: https://a.example/v1\njudge: {before}" if before else None, environ=environ)
    pr = load(f"app: https://a.example/v1\njudge: {after}", environ=environ)

    found = protect(pr, base)

    assert found.settings.judge.model_dump() == (
        base.settings.judge.model_dump() | {"base_url": found.settings.judge.base_url}
    )
    assert found.settings.judge.base_url in (None, found.settings.app.base_url)
    assert found.changed[-1].path in ("judge.provider", "judge.model", "judge.api_version")


@pytest.mark.parametrize("judge", ["{provider: openai, model: m}", "{model: m}", "offline"])
def test_the_first_judge_may_come_with_a_pull_request(judge):
    """A team's first pull request is judged, by the server that the workflow or nobody names."""
    environ = {"OPENAI_API_KEY": "sk-1"}

    found = protect(load(f"judge: {judge}", environ=environ), load(None, environ=environ))

    assert found.settings.judge.provider == load(f"judge: {judge}").settings.judge.provider
    assert found.settings.judge.base_url is None
    assert found.changed == ()


def test_naming_the_provider_that_a_model_implies_is_no_change():
    """`model: m` means an OpenAI-compatible server already."""
    assert protect(load("judge: {provider: openai, model: m}"), load("judge: {model: m}")).changed == ()


def test_a_dify_judge_that_only_the_pull_request_knows_has_a_cure_of_its_own():
    """Its key would go to the app's own address."""
    environ = {"DIFY_JUDGE_API_KEY": "k"}
    found = protect(load("judge: dify", environ=environ), load(None, environ=environ))

    with pytest.raises(ConfigFault) as caught:
        require(found.settings, "judge", held_back=[c.path for c in found.changed])

    (problem,) = caught.value.problems
    assert problem.cure is not None
    assert "judge-provider" in problem.cure.en
