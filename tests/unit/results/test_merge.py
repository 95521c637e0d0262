import pytest

from ragjudge.errors import UsageFault
from ragjudge.results.merge import merge
from ragjudge.results.usage import Usage
from ragjudge.suite.case import Suite
from tests.builders import fingerprint, scored_run

IDS = [f"c{n}" for n in range(7)]
WHOLE = scored_run({i: [n % 5 + 1] for n, i in enumerate(IDS)}, judge_usage=Usage(calls=70))


def shard(part, of=3):
    return WHOLE.model_copy(
        update={"cases": WHOLE.cases[part::of], "run_id": f"run-{part}", "judge_usage": Usage(calls=10)}
    )


def test_the_shards_make_the_whole_in_any_order():
    """The suite's order where it is known."""
    one = merge([shard(0), shard(1), shard(2)], expected=IDS)
    other = merge([shard(2), shard(0), shard(1)], expected=IDS)

    assert WHOLE.cases == one.cases == other.cases
    assert 30 == one.judge_usage.calls
    assert Suite(name="", cases=tuple(c.case for c in WHOLE.cases)).digest == one.suite.digest


def test_without_the_suite_cases_come_by_id():
    assert WHOLE.cases == merge([shard(2), shard(1), shard(0)]).cases


def test_an_outage_in_one_shard_is_one_of_the_whole():
    stopped = shard(1).model_copy(update={"stopped": "judge unreachable"})

    assert "judge unreachable" == merge([shard(0), stopped, shard(2)]).stopped


@pytest.mark.parametrize(
    ("shards", "why"),
    [
        ([], "no results"),
        ([shard(0), shard(1)], "no shard has: c2, c5"),
        ([shard(0), shard(1), shard(2), shard(2)], "more than once: c2, c5"),
        (
            [shard(0), shard(1), shard(2).model_copy(update={"fingerprint": fingerprint("judge-2")})],
            "run-0 and run-2 differ in: fingerprint",
        ),
        ([shard(0), shard(1), shard(2).model_copy(update={"commit": "abc"})], "commit"),
        ([WHOLE, scored_run({"other": [1]})], "more than once|does not have: other"),
    ],
)
def test_what_does_not_belong_together_is_refused_by_name(shards, why):
    """A gap, a double or another judge would make a report that says something else than it seems."""
    with pytest.raises(UsageFault, match=why):
        merge(shards, expected=IDS)
