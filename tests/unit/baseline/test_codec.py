import json
from datetime import timedelta

import pytest

from ragjudge.baseline import codec
from ragjudge.errors import DamagedFile, StoredFileFault
from ragjudge.results.answer import Context, ContextSource, Retrieved
from ragjudge.results.baseline import Baseline, HistoryEntry
from ragjudge.results.outcome import Cause, Scored
from ragjudge.results.run import AppFailure, CaseResult, Sample
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


def test_without_texts_nothing_that_anybody_wrote_is_kept():
    """`report.content: scores`: numbers and identities, of confirmations too."""
    passage = Context(rank=1, content="秘密", title="秘密.md", document_name="秘密.md", document_id="d1")
    found = Retrieved(source=ContextSource.RETRIEVAL_NODES, items=(passage,))
    said = answer("秘密の答え", raw="秘密").model_copy(update={"contexts": found})
    one = sample("1", correctness=Scored(value=4, reason="秘密")).model_copy(update={"answer": said})
    lost = Sample(attempt="confirm-1", failure=AppFailure(cause=Cause.APP_ERROR, detail="秘密"))
    asked = case("a", "秘密の質問", "秘密の正解", fields={"note": "秘密"})

    kept = codec.without_texts(run([CaseResult(case=asked, samples=(one,), confirmations=(lost, one))]))

    assert "秘密" not in kept.model_dump_json()
    assert codec.without_texts(kept) == kept
    (result,) = kept.cases
    assert result.scored("correctness") == (4.0,)
    assert [s.attempt for s in result.confirmations] == ["confirm-1", "1"]
    assert result.samples[0].answer.contexts.items[0].document_id == "d1"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        codec.dumps(BASELINE)[:-50],
        codec.dumps(BASELINE)[:10],
        b"\0" * 4096,
        b"<<<<<<< ours\n" + codec.dumps(BASELINE),
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


@pytest.mark.parametrize(
    "data",
    [
        codec.dumps(BASELINE).replace(b'"kind": "ragjudge-baseline"', b'"kind": "ragjudge-results"'),
        b'[{"id": 1, "question": "q"}]',
        b'{"cases": []}',
        b"[",
        b"suite: a.json\n",
        b'[{"question": "write \\"kind\\": \\"ragjudge-baseline\\""}',
        b"\x89PNG\r\n",
        b"[" * 100_000,
        b"null",
    ],
)
def test_what_never_was_a_baseline_is_never_replaced(data):
    """A suite or a config whose path was given by mistake: `--accept` would have written a baseline over it."""
    for replace_damaged in (False, True):
        with pytest.raises(StoredFileFault) as caught:
            codec.found(data, place="suite.json", replace_damaged=replace_damaged)

        assert "suite.json" in caught.value.what.en
        assert "--accept" not in caught.value.hint.en
        assert "baseline.store" in caught.value.hint.ja


def lines(data):
    return data.decode().split("\n")


def doubled(data):
    """The first case's line once more, as a merge conflict leaves it that was resolved by keeping both sides."""
    at = next(n for n, line in enumerate(lines(data)) if line.startswith('{"case"'))
    kept = lines(data)
    return "\n".join([*kept[: at + 1], *kept[at:]]).encode()


def with_value(text):
    return lambda data: data.replace(b'"value": 4.0', f'"value": {text}'.encode(), 1)


IMPOSSIBLE = {
    "a case twice": doubled,
    "99 points": with_value("99"),
    "-3 points": with_value("-3"),
    "0 points": with_value("0"),
    "true": with_value("true"),
    "a word": with_value('"4"'),
    "no number": with_value("1e999"),
    "an attempt twice": lambda data: data.replace(b'"attempt": "2"', b'"attempt": "1"', 1),
    "stored at no zone": lambda data: data.replace(
        b'"stored_at": "2026-01-02T13:00:00Z"', b'"stored_at": "2026-01-02T13:00:00"'
    ),
    "history at no zone": lambda data: data.replace(
        b'"at": "2026-01-02T12:00:00Z"', b'"at": "2026-01-02T12:00:00"', 1
    ),
    "an endless mean": lambda data: data.replace(b'"correctness": 4.5', b'"correctness": 1e999', 1),
    "a mean of true": lambda data: data.replace(b'"correctness": 4.5', b'"correctness": true', 1),
}


@pytest.mark.parametrize("damage", IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_what_no_run_could_have_written_is_damage(damage):
    """Taken as it stands it would shift means, or end a comparison half-way."""
    data = codec.dumps(BASELINE)
    assert damage(data) != data

    with pytest.raises(DamagedFile, match="damaged"):
        codec.loads(damage(data), place="b.json")


def test_a_teams_own_scale_and_a_negative_cosine_are_sound():
    own = scored_run({"a": [99, -3]}, metric="politeness")
    cosine = scored_run({"a": [-0.02]}, metric="answer_relevancy")

    for sound in (own, cosine):
        kept = Baseline(run=sound, stored_at=NOON)
        assert kept == codec.loads(codec.dumps(kept), place="b.json")
