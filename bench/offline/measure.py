"""How far can the judge without a model be trusted? Measured against people's labels.

    python -m bench.offline.measure --jglue FOLDER [--half test|dev] [--most 1500]

FOLDER holds JGLUE v1.3's validation sets (jsquad-valid-v1.3.json, jnli-…, jsts-…). Every data set is cut in two by a
digest of each item's id: thresholds were chosen on `dev`, the figures that count are those of `test`. Without
--jglue only the English pairs of bench/data are measured: those that were seen while the rules were made, and those
that were written afterwards (and seen when rules were added later).
"""

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ragjudge.judge import lexical
from ragjudge.judge.offline_context import useful
from ragjudge.judge.vectors import vector

LEAST_ACCURACY, LEAST_CORRELATION = 0.90, 0.60
DATA = Path(__file__).parent.parent / "data"
ENGLISH = DATA / "english_support.jsonl"
"""Seen while the rules were made."""
ENGLISH_LATER = DATA / "english_support_later.jsonl"
"""Written after the first rules were fixed; what went wrong in them has been looked at since."""


@dataclass(frozen=True)
class Counts:
    """Verdicts against labels."""

    right_yes: int = 0
    right_no: int = 0
    false_yes: int = 0
    false_no: int = 0

    def plus(self, *, said: bool, true: bool) -> "Counts":
        return Counts(
            self.right_yes + (said and true),
            self.right_no + (not said and not true),
            self.false_yes + (said and not true),
            self.false_no + (not said and true),
        )

    @property
    def total(self) -> int:
        return self.right_yes + self.right_no + self.false_yes + self.false_no

    @property
    def accuracy(self) -> float:
        return (self.right_yes + self.right_no) / self.total

    def row(self) -> str:
        precision = self.right_yes / max(self.right_yes + self.false_yes, 1)
        recall = self.right_yes / max(self.right_yes + self.false_no, 1)
        return (
            f"n {self.total:6d}  accuracy {self.accuracy:.3f}  precision {precision:.3f}  recall {recall:.3f}"
        )


def half_of(key: str) -> str:
    return "test" if hashlib.sha256(key.encode()).digest()[0] % 2 else "dev"


def counted(pairs: Iterator[tuple[bool, bool]]) -> Counts:
    counts = Counts()
    for said, true in pairs:
        counts = counts.plus(said=said, true=true)
    return counts


# JSQuAD: is a paragraph useful for a question and its answer? One gold paragraph in five.


@dataclass(frozen=True)
class Asked:
    question: str
    answer: str
    gold: str
    same_article: tuple[str, ...]


def questions(folder: Path, half: str, most: int) -> list[Asked]:
    articles = json.loads((folder / "jsquad-valid-v1.3.json").read_text(encoding="utf-8"))["data"]
    found = []
    for article in articles:
        texts = [paragraph["context"].replace(" [SEP] ", "\n") for paragraph in article["paragraphs"]]
        for text, paragraph in zip(texts, article["paragraphs"], strict=True):
            others = tuple(other for other in texts if other != text)
            found += [
                Asked(asked["question"], asked["answers"][0]["text"], text, others)
                for asked in paragraph["qas"]
                if half_of(asked["id"]) == half
            ]
    random.Random(1).shuffle(found)
    return found[:most]


def context_verdicts(asked: Sequence[Asked], same: int) -> Iterator[tuple[bool, bool]]:
    """`same` of the four wrong paragraphs come from the gold paragraph's own article."""
    rng = random.Random(2)
    every = sorted({one.gold for one in asked})
    for one in asked:
        near = rng.sample(one.same_article, min(same, len(one.same_article)))
        far = [text for text in rng.sample(every, 12) if text != one.gold and text not in one.same_article]
        for text in [one.gold, *near, *far[: 4 - len(near)]]:
            yield useful(one.question, one.answer, text).holds, text == one.gold


# JNLI: does the first sentence support the second?


def sentence_support(folder: Path, half: str) -> Iterator[tuple[bool, bool, str]]:
    for line in (folder / "jnli-valid-v1.3.json").read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        if half_of(pair["sentence_pair_id"]) == half:
            said = lexical.support(pair["sentence2"], [pair["sentence1"]]).supported
            yield said, pair["label"] == "entailment", pair["label"]


# JSTS: do vectors follow the similarity that people see?


def similarities(folder: Path, half: str) -> tuple[list[float], list[float]]:
    ours, theirs = [], []
    for line in (folder / "jsts-valid-v1.3.json").read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        if half_of(pair["sentence_pair_id"]) == half:
            a, b = vector(pair["sentence1"]), vector(pair["sentence2"])
            ours.append(sum(x * y for x, y in zip(a, b, strict=True)))
            theirs.append(float(pair["label"]))
    return ours, theirs


def spearman(a: Sequence[float], b: Sequence[float]) -> float:
    """Pearson's correlation of the ranks; equal values share their mean rank."""
    x, y = ranks(a), ranks(b)
    mean = (len(x) + 1) / 2
    cov = sum((p - mean) * (q - mean) for p, q in zip(x, y, strict=True))
    return cov / (sum((p - mean) ** 2 for p in x) * sum((q - mean) ** 2 for q in y)) ** 0.5


def ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for position in order[start : end + 1]:
            found[position] = (start + end) / 2 + 1
        start = end + 1
    return found


# Our own English pairs: context, statement, supported or not, and what kind of pair it is.


def english(path: Path) -> Iterator[tuple[bool, bool, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        said = lexical.support(pair["statement"], [pair["context"]]).supported
        yield said, pair["supported"], pair["kind"]


def by_kind(rows: Sequence[tuple[bool, bool, str]], title: str) -> None:
    for kind in sorted({kind for _, _, kind in rows}):
        of_kind = [(said, true) for said, true, k in rows if k == kind]
        right = sum(said is true for said, true in of_kind)
        print(f"  {title} {kind:14} right {right:4d} of {len(of_kind)}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--jglue", type=Path)
    options.add_argument("--half", choices=["dev", "test"], default="test")
    options.add_argument("--most", type=int, default=1500)
    chosen = options.parse_args()
    for title, path in (("seen", ENGLISH), ("later", ENGLISH_LATER)):
        rows = list(english(path))
        print(f"English pairs, {title:5}             {counted((said, true) for said, true, _ in rows).row()}")
        by_kind(rows, "English")
    if chosen.jglue is None:
        print("JGLUE: not measured (no --jglue FOLDER)")
        return
    asked = questions(chosen.jglue, chosen.half, chosen.most)

    worst = 1.0
    for title, same in (
        ("others of other articles", 0),
        ("others half and half", 2),
        ("others of its article", 4),
    ):
        counts = counted(context_verdicts(asked, same))
        worst = min(worst, counts.accuracy)
        print(f"JSQuAD, {title:24} {counts.row()}", flush=True)
    nli = list(sentence_support(chosen.jglue, chosen.half))
    print(f"JNLI, entailment or not          {counted((said, true) for said, true, _ in nli).row()}")
    by_kind(nli, "JNLI")
    correlation = spearman(*similarities(chosen.jglue, chosen.half))
    print(f"JSTS, Spearman of vectors        {correlation:.3f}")
    if worst < LEAST_ACCURACY or correlation < LEAST_CORRELATION:
        sys.exit(
            f"below the aim: accuracy {LEAST_ACCURACY} on JSQuAD, correlation {LEAST_CORRELATION} on JSTS"
        )


if __name__ == "__main__":
    main()
