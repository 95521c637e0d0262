import pytest

from ragjudge.suite.columns import FIELDS, Columns, normal_title


@pytest.mark.parametrize(
    ("title", "field"),
    [
        ("question", "question"), ("Question", "question"), ("質問", "question"), (" 質問文 ", "question"),
        ("質問内容(必須)", "question"), ("質問【必須】", "question"), ("ユーザーの質問*", "question"), ("user_input", "question"),
        ("answer", "reference"), ("Expected Answer", "reference"), ("expected-answer", "reference"),
        ("ground_truth", "reference"), ("正解", "reference"), ("期待する回答", "reference"), ("期待値", "reference"),
        ("ID", "id"), ("Ｎｏ．", "id"), ("#", "id"), ("No", "id"), ("テストケースID", "id"), ("項番", "id"),
        ("カテゴリー", "category"), ("ｶﾃｺﾞﾘ", "category"), ("tags", "tags"), ("タグ", "tags"),
        ("inputs.Entity", "inputs.Entity"), ("checks.contains", "checks.contains"), ("必須キーワード", "checks.contains"),
        ("entity", None), ("備考", None), ("部署", None), ("", None), ("難易度", None),
    ],
)  # fmt: skip
def test_titles_mean_fields_in_every_usual_spelling(title, field):
    """Case, width, blanks, marks and remarks make no difference; the rest is the team's own."""
    assert Columns().field(title) == field


def test_no_title_means_two_fields():
    """The table of titles contradicts itself nowhere."""
    seen = {}
    for field, titles in FIELDS.items():
        for title in (field, *titles):
            assert seen.setdefault(normal_title(title), field) == field, title


def test_the_teams_map_wins():
    """What the config says about a title counts, whatever ragjudge knows."""
    columns = Columns({"回答": "field", "Ｑ": "question"})

    assert columns.field("回答") is None
    assert columns.field("q") == "question"
    assert columns.unused() == []
