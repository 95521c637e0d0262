"""Whatever a pull request writes into its config: what decides and what receives keys is the base branch's."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from ragjudge.settings import load, protect

ADDRESS = st.sampled_from([None, "https://a.example/v1", "https://b.example/v1"])
TOLERANCES = st.dictionaries(
    st.sampled_from(["correctness", "faithfulness", "tone"]), st.floats(0, 1), max_size=2
)
CONFIGS = st.fixed_dictionaries(
    {
        "app": st.fixed_dictionaries({"base_url": ADDRESS, "concurrency": st.integers(1, 9)}),
        "judge": st.fixed_dictionaries(
            {
                "provider": st.sampled_from(["openai", "dify", "offline"]),
                "model": st.just("m"),
                "base_url": ADDRESS,
            }
        ),
        "embedding": st.fixed_dictionaries({"model": st.sampled_from([None, "e"]), "base_url": ADDRESS}),
        "metrics": st.fixed_dictionaries(
            {
                "custom": st.just([{"name": "tone", "rubric": "r"}])
                | st.just([{"name": "tone", "rubric": "s", "minimum": 2}])
            }
        ),
        "gate": st.fixed_dictionaries({"tolerance": TOLERANCES, "max_unscored": st.integers(0, 3)}),
        "accept": st.lists(
            st.fixed_dictionaries(
                {"case": st.text("ab", min_size=1), "reason": st.just("r"), "until": st.just("2026-12-31")}
            ),
            max_size=2,
        ),
        "ca_file": st.sampled_from([None, "a.pem"]),
        "baseline": st.fixed_dictionaries({"store": st.sampled_from(["file:a", "branch:b"])}),
    }
)
GIVEN = {"DIFY_API_KEY": "k", "OPENAI_API_KEY": "o", "DIFY_JUDGE_API_KEY": "d"}


@settings(max_examples=80, deadline=None)
@given(pr=CONFIGS, base=CONFIGS)
def test_gate_waivers_and_addresses_are_the_base_branchs(pr, base):
    """And every difference is listed."""
    ours, theirs = (load(json.dumps(config), environ=GIVEN) for config in (pr, base))

    held = protect(ours, theirs)

    known = theirs.joined
    found = held.loaded.joined
    assert (found.gate, found.accept, found.ca_file, found.baseline.store) == (
        known.gate,
        known.accept,
        known.ca_file,
        known.baseline.store,
    )
    for part in ("app", "judge", "embedding"):
        assert getattr(found, part).base_url == getattr(known, part).base_url
    addresses = {known.app.base_url, known.judge.base_url, known.embedding.base_url, None, ""}
    assert {
        held.settings.app.base_url,
        held.settings.judge.base_url,
        held.settings.embedding.base_url,
    } <= addresses
    assert [m.minimum for m in found.metrics.custom] == [m.minimum for m in known.metrics.custom]
    assert found.app.concurrency == ours.joined.app.concurrency
    changed = {change.path for change in held.changed}
    assert ("app.base_url" in changed) == (ours.joined.app.base_url != known.app.base_url)
    assert any(path.startswith("gate.") for path in changed) == (ours.joined.gate != known.gate)
