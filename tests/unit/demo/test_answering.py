import pytest

from ragjudge.demo.answering import Rules, answer, estimate_tokens, read_rules
from ragjudge.demo.corpus import Passage

HEAD = Passage("h", "日当", "日当\n対象：本社\n本社の日当は2,500円です。近い場所には出ません。", "d", 1)
BRANCH = Passage("b", "日当", "日当\n対象：支店\n支店の日当は900円です。日報を添えます。", "d", 2)
LOST = Passage("l", "Lost cards", "Lost cards\nReport a lost card within one hour. Call the desk.", "d", 3)


def said(question, *passages, rules):
    return answer(question, passages, rules=rules, weight=lambda _: 1.0)


def test_the_prompt_decides_how_many_sentences_are_quoted():
    """`1文以内` quotes the best sentence only."""
    assert "本社の日当は2,500円です。" == said("日当は？", HEAD, rules=read_rules("1文以内で答えます。"))
    assert "本社の日当は2,500円です。近い場所には出ません。" == said(
        "日当は？", HEAD, rules=read_rules("2文以内")
    )


def test_with_the_audience_rule_only_the_users_own_rules_count():
    """The branch's rule answers the branch, even when the head office's is ranked first."""
    rules = read_rules("利用者の所属: 支店\n所属に当てはまるものだけを使います。")

    assert "支店の日当は900円です。" == said("日当は？", HEAD, BRANCH, rules=rules)


def test_without_the_audience_rule_the_first_passage_wins_for_everybody():
    """Taking the rule out of the prompt breaks the answer: this is the demo's regression."""
    assert "本社の日当は2,500円です。" == said(
        "日当は？", HEAD, BRANCH, rules=read_rules("利用者の所属: 支店")
    )


def test_the_prompts_own_words_are_used_when_nothing_fits():
    """The refusal is quoted from the prompt, in the language of the question."""
    prompt = '規程にないときは「記載がありません。」と答えます。Otherwise answer "No such rule."'

    assert "記載がありません。" == said("宴会は？", HEAD, rules=read_rules(prompt))
    assert "No such rule." == said("Who sings?", LOST, rules=read_rules(prompt))


def test_without_a_refusal_rule_the_nearest_passage_is_quoted_however_far():
    """Like a model that was never told to say that it does not know."""
    assert "本社の日当は2,500円です。" == said("宴会は？", HEAD, rules=Rules())


def test_with_nothing_retrieved_it_says_that_it_does_not_know():
    """No passages, no quotation."""
    assert "わかりません。" == said("日当は？", rules=Rules())


def test_english_sentences_are_joined_by_a_blank():
    """Quotations read like text."""
    assert "Report a lost card within one hour. Call the desk." == said(
        "I lost a card", LOST, rules=Rules(sentences=2)
    )


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 1), ("abcd", 1), ("abcde", 2), ("日当", 2), ("日当abcd", 3)]
)
def test_tokens_are_estimated_by_script(text, tokens):
    """One per Japanese character, one per four others, never none."""
    assert tokens == estimate_tokens(text)
