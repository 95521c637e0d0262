"""People's scores beside the judge's, from files as teams keep them."""

import json

import pytest
from openpyxl import Workbook

from ragjudge.assist.calibrate import calibrate, lines
from ragjudge.errors import LabelsFault
from ragjudge.results.outcome import Scored, Unscored
from ragjudge.results.run import CaseResult
from ragjudge.settings import CustomMetric
from tests import builders


def run(**values):
    """`run(a=4)`: case a has a correctness of 4."""
    results = [
        CaseResult(
            case=builders.case(name),
            samples=(
                builders.sample(
                    correctness=value
                    if isinstance(value, Unscored)
                    else Scored(value=value, reason=f"理由{name}"),
                    faithfulness=0.5,
                ),
            ),
        )
        for name, value in values.items()
    ]
    return builders.run(results, metrics=("correctness", "faithfulness"))


def calibrated(tmp_path, name, text, of=None, encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return {a.metric: a for a in calibrate(of or run(a=4, b=2), path)}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16"])
def test_a_column_per_metric_is_read_in_any_encoding_of_a_suite(tmp_path, encoding):
    """Titles may be ragjudge's or the report's own Japanese names; other columns are the team's business."""
    text = "番号,質問,正しさ,faithfulness,メモ\na,有休は,5,1,良い\nb,経費は,2,,\n"
    text = text.replace("正しさ", "correctness")
    found = calibrated(tmp_path, "人の採点.csv", text, encoding=encoding)
    assert [(p.case_id, p.human, p.judge) for p in found["correctness"].pairs] == [("a", 5, 4), ("b", 2, 2)]
    assert [(p.case_id, p.human) for p in found["faithfulness"].pairs] == [("a", 1)]


def test_a_row_per_score_is_read_with_the_reports_names(tmp_path):
    """The columns 指標 and 点数, as a second sheet often has them."""
    text = "id,指標,点数\na,忠実性,1\nb,correctness,３\n"
    found = calibrated(tmp_path, "labels.csv", text)
    assert found["faithfulness"].pairs[0].human == 1
    assert found["correctness"].pairs[0].human == 3


def test_json_and_excel_are_read_too(tmp_path):
    """The same readers as the suite's."""
    found = calibrated(tmp_path, "labels.json", json.dumps([{"id": "a", "correctness": 4}]))
    assert found["correctness"].pairs[0].human == 4
    book = Workbook()
    book.active.append(["id", "correctness"])
    book.active.append(["b", 1])
    book.save(tmp_path / "labels.xlsx")
    (agreement,) = calibrate(run(a=4, b=2), tmp_path / "labels.xlsx")
    assert [(p.case_id, p.human, p.judge) for p in agreement.pairs] == [("b", 1, 2)]

    book.active.title = "採点 #1"
    book.save(tmp_path / "labels #2.xlsx")
    for name in ("labels #2.xlsx", "labels #2.xlsx#採点 #1"):
        (agreement,) = calibrate(run(a=4, b=2), tmp_path / name)
        assert [p.case_id for p in agreement.pairs] == ["b"]


def test_a_case_that_the_judge_could_not_score_is_left_out(tmp_path):
    """No score is not a 0."""
    unscored = Unscored(cause="judge_timeout")
    found = calibrated(tmp_path, "labels.csv", "id,correctness\na,4\nb,4\n", of=run(a=unscored, b=4))
    assert [pair.case_id for pair in found["correctness"].pairs] == ["b"]


def test_every_fault_is_reported_at_once_with_its_place(tmp_path):
    """Unknown case, value off the scale, score given twice, unknown metric."""
    text = (
        "id,metric,score\nx,correctness,4\na,correctness,9\nb,correctness,4\nb,correctness,2\na,politness,1\n"
    )
    with pytest.raises(LabelsFault) as caught:
        calibrated(tmp_path, "labels.csv", text)
    message = caught.value.in_language("ja")
    assert "labels.csv:2: 実行結果にケース x がありません。" in message
    assert "labels.csv:3: correctness: 「9」は1〜5の点数ではありません。" in message
    assert "labels.csv:5: b, correctness: 点数が重複しています" in message
    assert "labels.csv:6: 指標 politness は存在しません。" in message


@pytest.mark.parametrize("value", ["nan", "inf", "良い", "0.5"])
def test_what_is_no_score_on_the_scale_is_refused(tmp_path, value):
    """A person's slip is not rounded into a score."""
    with pytest.raises(LabelsFault):
        calibrated(tmp_path, "labels.csv", f"id,correctness\na,{value}\n")


def test_a_file_without_scores_says_how_to_write_them(tmp_path):
    """The metrics of the run are named."""
    with pytest.raises(LabelsFault, match="correctness, faithfulness"):
        calibrated(tmp_path, "labels.csv", "id,memo\na,x\n")


def test_a_teams_own_metric_is_measured_on_its_own_scale(tmp_path):
    """With the rubric from the config."""
    result = CaseResult(case=builders.case("a"), samples=(builders.sample(politeness=2),))
    path = tmp_path / "labels.csv"
    path.write_text("id,politeness\na,3\n", encoding="utf-8")
    custom = CustomMetric(name="politeness", rubric="x", scale=(1, 3))
    (agreement,) = calibrate(builders.run([result], metrics=("politeness",)), path, [custom])
    assert agreement.levels == (1, 2, 3)


def test_the_answer_names_the_judge_and_the_worst_cases_with_its_reasons(tmp_path):
    """A person sees at once where the judge went wrong."""
    cases = {f"c{n}": value for n, value in enumerate([1, 2, 3, 4, 5] * 5)}
    judged = run(**cases, odd=5)
    rows = [f"{name},{value}" for name, value in cases.items()] + ["odd,1"]
    path = tmp_path / "labels.csv"
    path.write_text("id,correctness\n" + "\n".join(rows), encoding="utf-8")
    said = "\n".join(line.ja for line in lines(calibrate(judged, path), judged))
    assert "評価者: openai judge-1" in said
    assert "この指標で合否を判定できます。" in said
    assert "odd: 人 / 評価者 1 / 5 理由odd" in said
    assert "重み付きカッパ係数 0.8" in said
