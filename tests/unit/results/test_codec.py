import json

import pytest

from ragjudge.errors import StoredFileFault
from ragjudge.exit_codes import ExitCode
from ragjudge.results import codec
from ragjudge.results.run import CaseResult, Sample
from tests.builders import answer, case, run, sample, scored_run

RUN = scored_run({"a": [5, 4], "b": [3, 3]})


def test_a_run_comes_back_whole():
    rich = run(
        [
            CaseResult(
                case=case("a", inputs={"Entity": None, "n": [1]}, fields={"entity": "本社"}, tags=("x",)),
                samples=(sample("1", "二\u2028行\n目", correctness=4),),
                confirmations=(sample("confirm-1", correctness=1),),
            )
        ]
    )

    assert rich == codec.loads(codec.dumps(rich))


def test_each_case_stands_on_a_line_of_its_own():
    """One changed case is a one-line diff in Git."""
    lines = codec.dumps(RUN).decode().splitlines()

    assert 2 == sum(1 for line in lines if line.startswith('{"case"'))


def test_the_same_run_gives_the_same_bytes():
    assert codec.dumps(RUN) == codec.dumps(codec.loads(codec.dumps(RUN)))


def test_japanese_is_written_as_characters():
    """S10: readable in a diff."""
    assert "質問 a" in codec.dumps(RUN).decode()


def test_what_is_not_a_number_never_reaches_the_file():
    """JSON has no NaN: a retriever's odd score becomes "none"."""
    odd = answer("はい", "抜粋")
    item = odd.contexts.items[0].model_copy(update={"score": float("nan")})
    odd = odd.model_copy(update={"contexts": odd.contexts.model_copy(update={"items": (item,)})})
    data = codec.dumps(run([CaseResult(case=case("a"), samples=(Sample(attempt="1", answer=odd),))]))

    assert b"NaN" not in data
    assert codec.loads(data).cases[0].samples[0].answer.contexts.items[0].score is None


def cut(data):
    return data[: len(data) // 2]


def changed(**fields):
    return json.dumps({**json.loads(codec.dumps(RUN)), **fields}).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        cut(codec.dumps(RUN)),
        changed(kind="something-else"),
        changed(schema_version="1"),
        changed(schema_version=0),
        changed(schema_version=True),
        changed(cases=[{"case": {}}]),
        changed(surprise=1),
        codec.dumps(RUN).replace(b'"value": 5.0', b'"value": NaN'),
    ],
    ids=lambda data: data[:20].decode("latin-1"),
)
def test_a_damaged_file_is_refused_with_its_name_and_the_cure(data):
    """B14: never taken for an empty one."""
    with pytest.raises(StoredFileFault) as caught:
        codec.loads(data, place="out/results.json")

    assert ExitCode.MUST_CHANGE is caught.value.exit_code
    assert "out/results.json" in caught.value.what.ja
    assert caught.value.hint is not None


def test_a_newer_file_is_refused_and_not_called_damaged():
    with pytest.raises(StoredFileFault, match="newer ragjudge"):
        codec.loads(changed(schema_version=99))
