"""The offline judge's grade from 1 to 5: which sentences of the ideal answer does an answer say? Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragjudge.judge import lexical, offline_words
from ragjudge.judge.evasion import evades, refuses, statements_of
from ragjudge.judge.lexical import Support
from ragjudge.judge.quantities import gives_another, quantities
from ragjudge.judge.text import terms
from ragjudge.language import Language, Text
from ragjudge.metrics.sentences import sentences
from ragjudge.metrics.tasks import Grade

_CONTACT = re.compile(
    r"[\w.+-]+@[\w.-]+|https?://\S+|内線\s*[\d-]+|(?:\+?\d{1,4}[-(])?\d{2,4}[-)]\d{2,4}-\d{3,4}|\bext\.?\s*\d+|(?:電話|tel)\W{0,3}[\d-]+"
)
_FULL, _MOST, _PART, _LITTLE = 0.78, 0.56, 0.36, 0.18
"""Shares of the ideal answer from which a 5, 4, 3 and 2 is given."""


@dataclass(frozen=True, slots=True)
class _Compared:
    """One sentence of the ideal answer, and how the answer deals with it."""

    sentence: str
    found: Support
    weight: float
    other_number: bool
    """The answer gives another number where the sentence gives one; leaving it out is a gap, not an error."""

    @property
    def denied(self) -> bool:
        return self.other_number or self.found.turned or self.found.opposite is not None

    @property
    def said(self) -> float:
        """How much of the sentence the answer says, 0..1; a contradiction says little of it."""
        if self.denied:
            return min(self.found.coverage, 0.3)
        if self.found.missing_numbers or self.found.replaced:
            return min(self.found.coverage, 0.5)
        return min(self.found.coverage / 0.75, 1.0)

    @property
    def wrong(self) -> bool:
        """The answer speaks about it, and says something else."""
        return self.denied and self.found.coverage >= 0.4


def grade(question: str, reference: str, answer: str, language: Language) -> Grade:
    """Additional information and other contact data cost nothing; length earns nothing."""
    if evades(answer) and not evades(reference):
        return _refusal(language)
    if evades(answer) and refuses(answer) and refuses(reference):
        return _wanted_refusal(language)
    compared = _compared(question, reference, answer)
    total = sum(one.weight for one in compared)
    share = sum(one.weight * one.said for one in compared) / total
    wrong = [one for one in compared if one.wrong]
    score = _score(share)
    if wrong:
        core = sum(one.weight for one in wrong) / total >= 0.34
        score = min(score, 2 if core else 3)
    return _commented(score, share, compared=compared, answer=answer, language=language)


def _compared(question: str, reference: str, answer: str) -> list[_Compared]:
    """Contact data count on neither side, unless the ideal answer is nothing else."""
    points = statements_of(reference) or sentences(reference) or [reference]
    whole = "\n".join(statements_of(answer) or sentences(answer))
    bare = [_CONTACT.sub(" ", one) for one in points]
    wanted = [one for one in points if not _CONTACT.search(one)] or [one for one in bare if terms(one)]
    if wanted:
        whole = _CONTACT.sub(" ", whole)
    return [
        _Compared(
            sentence=one,
            found=_held_against(one, question, whole),
            weight=_weight(one, question),
            other_number=gives_another(one, reference, whole),
        )
        for one in wanted or points
    ]


def _held_against(sentence: str, question: str, answer: str) -> Support:
    """The news of a sentence counts, not what the question said already: an answer may leave that out."""
    found = lexical.support(sentence, [answer])
    share = lexical.share(lexical.news(sentence, question), answer)
    return replace(found, coverage=max(found.coverage, share or 0.0))


def _weight(sentence: str, question: str) -> float:
    """A sentence weighs as much as the news it brings; numbers are the news that people look up."""
    news = sum(term.weight for term in lexical.news(sentence, question))
    return 1.0 + min(news, 12.0) / 4 + 1.5 * bool(quantities(sentence))


def _score(share: float) -> int:
    for points, least in ((5, _FULL), (4, _MOST), (3, _PART), (2, _LITTLE)):
        if share >= least:
            return points
    return 1


def _refusal(language: Language) -> Grade:
    def say(en: str, ja: str) -> str:
        return Text(en, ja).in_language(language)

    return Grade(
        accuracy=say("Nothing is claimed.", "主張がありません。"),
        coverage=say("None of the ideal answer's points is there.", "正解の要点に触れていません。"),
        clarity=say("It is clear that no answer is given.", "回答していないことは明確です。"),
        appropriateness=say("The question stays open.", "質問に答えていません。"),
        summary=say("The answer evades the question.", "質問に答えていません(回答なし)。"),
        score=1,
    )


def _wanted_refusal(language: Language) -> Grade:
    def say(en: str, ja: str) -> str:
        return Text(en, ja).in_language(language)

    return Grade(
        accuracy=say("Nothing is claimed, as in the ideal answer.", "正解と同じく、主張はありません。"),
        coverage=say("The ideal answer has no point to cover.", "正解にも、触れるべき要点はありません。"),
        clarity=say("It is clear that no answer is given.", "回答していないことは明確です。"),
        appropriateness=say("The ideal answer declines, too.", "正解も回答を控えています。"),
        summary=say("Declines to answer, as the ideal answer does.", "正解と同じく、回答を控えています。"),
        score=5,
    )


def _commented(
    score: int, share: float, *, compared: Sequence[_Compared], answer: str, language: Language
) -> Grade:
    wrong = [one for one in compared if one.wrong]
    open_ones = [one for one in compared if not one.wrong and one.said < 0.6]
    percent = round(100 * share)

    def say(en: str, ja: str) -> str:
        return Text(en, ja).in_language(language)

    accuracy = (
        offline_words.of_support(wrong[0].found, language)
        if wrong
        else say("No number, date or negation disagrees.", "数値・日付・否定の食い違いはありません。")
    )
    coverage = (
        say(
            f'Not found: "{offline_words.quote(open_ones[0].sentence)}"',
            f"見当たりません:「{offline_words.quote(open_ones[0].sentence)}」",
        )
        if open_ones
        else say(f"{percent}% of the ideal answer's wording is there.", f"正解の語句の{percent}%を含みます。")
    )
    length = len(answer)
    return Grade(
        accuracy=accuracy,
        coverage=coverage,
        clarity=say(
            f"{length} characters in {len(sentences(answer))} sentences.",
            f"{length}文字、{len(sentences(answer))}文です。",
        ),
        appropriateness=say("On the subject.", "質問の主題に沿っています。")
        if share >= _LITTLE
        else say("About something else.", "別の内容を答えています。"),
        summary=_summary(score, percent, wrong=bool(wrong), language=language),
        score=score,
    )


def _summary(score: int, percent: int, *, wrong: bool, language: Language) -> str:
    if wrong:
        text = Text(
            f"Disagrees with the ideal answer ({percent}% of it said).",
            f"正解と食い違う箇所があります(一致{percent}%)。",
        )
    elif score >= 4:
        text = Text(f"Says {percent}% of the ideal answer.", f"正解の要点の{percent}%を述べています。")
    elif score >= 2:
        text = Text(
            f"Only {percent}% of the ideal answer is said.", f"正解の要点の{percent}%しか述べていません。"
        )
    else:
        text = Text("Says hardly anything of the ideal answer.", "正解の要点がほとんどありません。")
    return text.in_language(language)
