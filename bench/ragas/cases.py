"""Cases whose every verdict is known, so that two programs can be given the same judge.

Every pattern of 0 to 8 verdicts occurs once for statements, once for contexts and (from 1) once for the sentences of
the reference. A few cases more are the ones on which ragjudge differs from Ragas on purpose; `kind` names them.
"""

import itertools
import json
import random
import sys
from dataclasses import asdict, dataclass

SEED = 4


@dataclass
class Item:
    text: str
    verdict: bool


@dataclass
class Case:
    id: str
    kind: str
    """plain, or what is missing: contexts, reference, claims, verdicts, vectors."""
    language: str
    question: str
    answer: str
    statements: list[Item]
    contexts: list[Item]
    sentences: list[Item]
    questions: list[Item]
    """What the answer would answer; the verdict is "non-committal"."""

    @property
    def reference(self) -> str:
        return ("" if self.language == "ja" else " ").join(item.text for item in self.sentences)


WORDS = {
    "ja": {
        "question": "質問{id}の手続きは何ですか。",
        "answer": "回答{id}の手続きの説明です。",
        "statement": "主張{id}の{n}番目です。",
        "context": "文書{id}の{n}番目です。\n二行目です。",
        "sentence": "正解{id}の{n}番目です。",
        "generated": "推測{id}の{n}番目ですか。",
    },
    "en": {
        "question": "What is procedure {id}?",
        "answer": "This explains procedure {id}.",
        "statement": "Statement {n} of case {id}.",
        "context": "Passage {n} of case {id}.\nIts second line.",
        "sentence": "Sentence {n} of reference {id}.",
        "generated": "Is it question {n} of case {id}?",
    },
}


def items(name: str, language: str, case_id: str, verdicts: tuple[bool, ...]) -> list[Item]:
    text = WORDS[language][name]
    return [Item(text.format(id=case_id, n=n), verdict) for n, verdict in enumerate(verdicts, start=1)]


def patterns(least: int) -> list[tuple[bool, ...]]:
    return [p for n in range(least, 9) for p in itertools.product((False, True), repeat=n)]


def case(
    number: int,
    kind: str,
    *,
    statements: tuple[bool, ...],
    contexts: tuple[bool, ...],
    sentences: tuple[bool, ...],
) -> Case:
    language = ("ja", "en")[number % 2]
    case_id = f"{kind}-{number:03d}"
    flags = tuple(bool(number >> bit & 1) for bit in range(1, 4))
    words = WORDS[language]
    return Case(
        id=case_id,
        kind=kind,
        language=language,
        question=words["question"].format(id=case_id),
        answer=words["answer"].format(id=case_id),
        statements=items("statement", language, case_id, statements),
        contexts=items("context", language, case_id, contexts),
        sentences=items("sentence", language, case_id, sentences),
        questions=items("generated", language, case_id, flags),
    )


def generated(limit: int | None = None) -> list[Case]:
    """All plain cases (511 of them), or a seeded sample of `limit`, and the ones with something missing."""
    chance = random.Random(SEED)
    columns = [patterns(1), patterns(1), patterns(1)]
    for column in columns:
        chance.shuffle(column)
    plain = [
        case(n, "plain", statements=s, contexts=c, sentences=r)
        for n, (s, c, r) in enumerate(zip(*columns, strict=True))
    ]
    if limit is not None:
        plain = chance.sample(plain, min(limit, len(plain)))
    some = (True, False, True)
    missing = [
        made
        for n in range(4)
        for made in (
            case(n, "claims", statements=(), contexts=some, sentences=some),
            case(n, "contexts", statements=some, contexts=(), sentences=some),
            case(n, "reference", statements=some, contexts=some, sentences=()),
            case(n, "verdicts", statements=some, contexts=some, sentences=some),
            case(n + 8, "vectors", statements=some, contexts=some, sentences=some),
        )
    ]
    return plain + missing


if __name__ == "__main__":
    made = generated(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    json.dump([asdict(one) | {"reference": one.reference} for one in made], sys.stdout, ensure_ascii=False)
