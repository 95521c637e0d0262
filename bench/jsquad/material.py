"""Builds a Japanese suite and its corpus from a JSQuAD file (SQuAD 1.1 form; contexts begin with `title [SEP]`)."""

import json
import random
from dataclasses import dataclass
from pathlib import Path

SEPARATOR = " [SEP] "


@dataclass(frozen=True)
class Paragraph:
    key: str
    title: str
    content: str


@dataclass(frozen=True)
class Question:
    """`gold` is the key of the paragraph that answers it; `reference` is the paragraph's sentence with the answer."""

    id: str
    title: str
    question: str
    reference: str
    gold: str


def read(path: Path) -> tuple[list[Paragraph], list[Question]]:
    """All paragraphs and all questions of the file, in its order."""
    articles = json.loads(path.read_text(encoding="utf-8"))["data"]
    paragraphs, questions = [], []
    for number, article in enumerate(articles):
        for place, entry in enumerate(article["paragraphs"]):
            key = f"{number}-{place}"
            title, _, content = entry["context"].partition(SEPARATOR)
            paragraphs.append(Paragraph(key, title, content))
            offset = len(title) + len(SEPARATOR)
            for qa in entry["qas"]:
                start = qa["answers"][0]["answer_start"] - offset
                reference = sentence_at(content, start, qa["answers"][0]["text"])
                questions.append(Question(qa["id"], title, qa["question"], reference, key))
    return paragraphs, questions


def sentence_at(content: str, start: int, answer: str) -> str:
    """The sentence around a position, from one ideographic full stop to the next; never shorter than the answer."""
    begin = content.rfind("。", 0, max(start, 0)) + 1
    end = content.find("。", max(start, 0) + len(answer) - 1)
    return content[begin : end + 1 if end >= 0 else len(content)].strip() or answer


def sample(questions: list[Question], count: int, seed: int) -> list[Question]:
    """`count` questions drawn by the seed alone, at most one per paragraph, in the file's order."""
    shuffled = random.Random(seed).sample(questions, len(questions))
    one_each = {question.gold: question for question in reversed(shuffled)}
    drawn = random.Random(seed).sample(sorted(one_each), min(count, len(one_each)))
    chosen = {one_each[gold].id for gold in drawn}
    return [question for question in questions if question.id in chosen]


def write_corpus(paragraphs: list[Paragraph], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps(
            {"id": p.key, "title": p.title, "document": p.title, "content": p.content}, ensure_ascii=False
        )
        for p in paragraphs
    ]
    (folder / "paragraphs.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_suite(questions: list[Question], path: Path) -> None:
    """In the teams' own shape."""
    cases = [
        {"id": q.id, "category": q.title, "question": q.question, "answer": q.reference} for q in questions
    ]
    path.write_text(json.dumps(cases, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
