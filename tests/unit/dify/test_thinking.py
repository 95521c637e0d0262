"""Reasoning is stripped, code and plain text are not."""

import pytest

from ragjudge.dify.thinking import without_thinking


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<think>\nえーと。\n</think>\n答え", "答え"),
        ("<think>a</think>前半<think>b</think>後半", "前半後半"),
        ("<THINK>a <think>b</think> c</THINK>答え", "答え"),
        ("<thinking>a</thinking>答え", "答え"),
        ("考え中</think>\n答え", "答え"),
        ("<think>終わらない", ""),
        ("<think>`</think>答え", "答え"),
        ("<think>```\nx\n</think>答え", "答え"),
        ("タグは `<think>` と書きます", "タグは `<think>` と書きます"),
        ("```\n<think>x</think>\n```", "```\n<think>x</think>\n```"),
        ("<details open> <summary> Thinking... </summary>\nx\n</details>答え", "答え"),
        ("  1 < 2  ", "  1 < 2  "),
        ("普通の答え", "普通の答え"),
    ],
)
def test_keeps_what_a_user_reads(text, expected):
    """Several blocks, nested ones, unclosed and unopened ones, and tags that are only talked about."""
    assert expected == without_thinking(text)
