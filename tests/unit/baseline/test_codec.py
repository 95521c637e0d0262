import json
from datetime import timedelta

import pytest

from ragjudge.baseline import codec
from ragjudge.errors import StoredFileFault
from ragjudge.results.baseline import Baseline, HistoryEntry
from ragjudge.results.outcome import Scored
from ragjudge.results.run import CaseResult
from tests.builders import NOON, answer, case, run, sample, scored_run

PINNED = HistoryEntry(at=NOON, commit="abc", means={"correctness": 4.5})
BASELINE = Baseline(
    run=scored_run({"a": [5, 4, 5], "b": [3, 3, 3]}),
    stored_at=NOON + timedelta(hours=1),
    history=(PINNED,),
    pinned=PINNED,
)


def test_a_baseline_comes_back_whole():
    assert BASELINE == codec.loads(codec.dumps(BASELINE), place="b.json")


def test_a_changed_score_is_a_small_diff():
    """One case, one line."""
    other = BASELINE.model_copy(update={"run": scored_run({"a": [5, 4, 5], "b": [3, 3, 2]})})
    old, new = codec.dumps(BASELINE).splitlines(), codec.dumps(other).splitlines()

    assert 1 == sum(1 for a, b in zip(old, new, strict=True) if a != b)


def test_without_answers_no_word_of_the_app_is_kept():
    """`store_answers: false`: digests show whether an answer changed, scores stay."""
    said = answer("秘密の答え", "秘密の抜粋")
    scored = Scored(value=4, reason="秘密の理由", comments={"summary": "秘密"})
    one = sample("1", correctness=scored).model_copy(update={"answer": said})
    kept = Baseline(
        run=run([CaseResult(case=case("a"), samples=(one,))]), stored_at=NOON, answers_stored=False
    )
    data = codec.dumps(kept)

    assert "秘密" not in data.decode()
    loaded = codec.loads(data, place="b.json")
    assert (4.0,) == loaded.run.cases[0].scored("correctness")
    assert loaded.run.cases[0].samples[0].answer.text.startswith("sha256:")
    assert data == codec.dumps(loaded)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        codec.dumps(BASELINE)[:-50],
        codec.dumps(BASELINE).replace(b'"kind": "ragjudge-baseline"', b'"kind": "ragjudge-results"'),
        json.dumps({"kind": "ragjudge-baseline", "schema_version": 1}).encode(),
        codec.dumps(BASELINE).replace(b'"stored_at"', b'"stored_when"'),
    ],
)
def test_a_damaged_baseline_is_refused_and_never_empty(data):
    """B14: "no baseline" and "a broken baseline" are two things."""
    with pytest.raises(StoredFileFault) as caught:
        codec.loads(data, place="ragjudge-baseline.json")

    assert "ragjudge-baseline.json" in str(caught.value)
    assert "baseline update" in caught.value.hint.en
