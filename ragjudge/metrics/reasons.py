"""One or two sentences behind a score: our own words in the report's language, around the judge's (pure)."""

from collections.abc import Sequence

from ragjudge.language import Language, Text

_MOST = 3
_ENTRY = 120

STATEMENTS = Text(
    "{good} of {all} statements are supported by the contexts.",
    "{all}件の主張のうち{good}件がコンテキストに裏づけられています。",
)
SENTENCES = Text(
    "{good} of {all} sentences of the reference are found in the contexts.",
    "正解の{all}文のうち{good}文がコンテキストに見つかりました。",
)
CONTEXTS = Text(
    "Useful contexts by rank: {ranks} of {all}.", "{all}件のコンテキストのうち、役立ったもの（順位）: {ranks}"
)
_NO_RANKS = Text("none", "なし")
_NOT = Text(" Not so: ", " 該当しないもの: ")
EVASIVE = Text("The answer evades the question.", "質問に答えていない回答です。")
QUESTIONS = Text(
    "Read backwards, the answer answers: {questions} (similarity {similarity})",
    "回答から逆に推測した質問: {questions}（類似度 {similarity}）",
)


def of_shares(
    text: Text, verdicts: Sequence[bool], failures: Sequence[tuple[str, str]], language: Language
) -> str:
    """`failures` are (what, why) of the verdicts that were negative; the first few are quoted."""
    counted = text.in_language(language).format(good=sum(verdicts), all=len(verdicts))
    if not failures:
        return counted
    quoted = [f"{_cut(what)} ({_cut(why)})" if why else _cut(what) for what, why in failures[:_MOST]]
    more = " …" if len(failures) > _MOST else ""
    return counted + _NOT.in_language(language) + " / ".join(quoted) + more


def of_ranks(verdicts: Sequence[bool], language: Language) -> str:
    ranks = ", ".join(str(rank) for rank, useful in enumerate(verdicts, start=1) if useful)
    shown = ranks or _NO_RANKS.in_language(language)
    return CONTEXTS.in_language(language).format(ranks=shown, all=len(verdicts))


def of_questions(questions: Sequence[str], similarities: Sequence[float], language: Language) -> str:
    quoted = " / ".join(_cut(question) for question in dict.fromkeys(questions))
    similarity = ", ".join(f"{value:.2f}" for value in similarities)
    return QUESTIONS.in_language(language).format(questions=quoted, similarity=similarity)


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _ENTRY else text[: _ENTRY - 1] + "…"
