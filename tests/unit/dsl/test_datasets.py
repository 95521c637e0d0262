"""Datasets of basic apps and agents are known by their ids: their order is no change, and each that goes is named."""

import pytest

from ragjudge.dsl import told
from ragjudge.dsl.changes import changes
from ragjudge.language import Text
from tests.dsl_exports import data_of, dsl_of

A, B, C = (f"{letter}2b56e12-46e6-4a5c-a8af-e338ecbf1acf" for letter in "abc")
TIME = {"enabled": True, "provider_id": "time", "tool_name": "current_time"}


def entries(*ids):
    off = [one for one in ids if one.startswith("-")]
    return [{"dataset": {"enabled": one not in off, "id": one.removeprefix("-")}} for one in ids]


def chat(*ids):
    data = data_of("chat")
    data["model_config"]["dataset_configs"]["datasets"]["datasets"] = entries(*ids)
    return dsl_of(data)


def agent(*ids):
    data = data_of("agent")
    data["model_config"]["agent_mode"]["tools"] = [*entries(*ids[:1]), TIME, *entries(*ids[1:])]
    return dsl_of(data)


@pytest.mark.parametrize("app", [chat, agent])
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ((A, B), (B, A), []),
        ((A, B, C), (C, A, B), []),
        ((A, B, C), (B, C), [("Dataset a2b56e12… removed", "ナレッジ「a2b56e12…」を削除")]),
        ((A, C), (A, B, C), [("Dataset b2b56e12… added", "ナレッジ「b2b56e12…」を追加")]),
        ((A, B), (B, C), [("Dataset: a2b56e12… → c2b56e12…", "ナレッジ: a2b56e12… → c2b56e12…")]),
        (
            (A, B),
            ("-" + B, A),
            [("Use of the dataset b2b56e12…: on → off", "ナレッジ「b2b56e12…」の使用: オン → オフ")],
        ),
        (
            (A, B),
            (),
            [
                ("Dataset a2b56e12… removed", "ナレッジ「a2b56e12…」を削除"),
                ("Dataset b2b56e12… removed", "ナレッジ「b2b56e12…」を削除"),
            ],
        ),
    ],
)
def test_only_datasets_that_came_or_went_are_told(app, old, new, expected):
    """By their ids, whatever their places; the order alone does not have the questions asked again."""
    found = changes(app(*old), app(*new))

    assert [change.text for change in found] == [Text(*line) for line in expected]
    assert told.semantic(found) == bool(expected)
