"""How far a text says what a statement says, by shared wording and the guards. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache

from ragjudge.judge.polarity import opposite, turned
from ragjudge.judge.quantities import missing_quantities, with_digits
from ragjudge.judge.text import Kind, Term, bigrams, folded, is_content, normal, pieces, stem, stems, terms
from ragjudge.metrics.sentences import sentences

_CLAUSE = re.compile(
    r"、|,(?!\d)|[;;]|\s+(?=(?:and|but|except|unless|because|while|although|so|which|if|when|afterwards)\b)",
    re.IGNORECASE,
)
_DENIED = {one: other for pair in (("必要", "不要"), ("可能", "不可")) for one, other in (pair, pair[::-1])}
_HALVES_OF_DAY = frozenset({"午前", "午後", "am", "pm"})
"""Clock times are compared as times: 3 p.m. is 15:00."""
_FIGURE = re.compile(r"\d[\d,.]*")
_TERMS_SHARE = 0.7
_MOST_CLAUSES = 4
_MOST_PARTS = 12
_LONGEST_SLOT = 3
_SAME_MATTER = 0.5
"""Coverage from which a clause and a passage speak of the same thing."""
_ENDS = "。.!?！？"
SUPPORTED = 0.62
"""Coverage from which a statement counts as said; chosen on one half of the data of bench/offline, measured on the
other."""


@dataclass(frozen=True, slots=True)
class Support:
    """`coverage` is 0..1; `passage` the part of the source nearest to the statement; the rest is what disagrees."""

    coverage: float
    passage: str
    missing_numbers: tuple[str, ...] = ()
    turned: bool = False
    opposite: tuple[str, str] | None = None
    replaced: tuple[str, str] | None = None
    """What the statement puts in the place of what the passage names, where all around is the same."""

    @property
    def contradicted(self) -> bool:
        return bool(self.missing_numbers) or self.turned or self.opposite is not None

    @property
    def supported(self) -> bool:
        return self.coverage >= SUPPORTED and not self.contradicted and self.replaced is None


def support(statement: str, sources: Sequence[str]) -> Support:
    """The best support that any source, or all together, gives to a statement."""
    if not sources:
        return Support(0.0, "")
    if any(says_verbatim(statement, source) for source in sources):
        return Support(1.0, statement)
    best = max((_by_one(statement, source) for source in sources), key=_goodness)
    if best.supported or len(sources) == 1:
        return best
    together = _by_one(statement, "\n".join(sources))
    return together if together.supported and together.coverage >= 0.9 else best


def says_verbatim(statement: str, source: str) -> bool:
    """Does the source hold the statement word by word, from one mark to another?

    Not merely as a beginning: "承認は必要" stands in "承認は必要ありません" as well.
    """
    said = normal(statement).rstrip(_ENDS)
    return bool(said) and any(_stands_in(said, normal(line)) for line in source.splitlines())


def _stands_in(said: str, line: str) -> bool:
    start = line.find(said)
    while start >= 0:
        before, after = line[:start].rstrip(), line[start + len(said) :].lstrip()
        if (not before or not before[-1].isalnum()) and (not after or after[0] in _ENDS):
            return True
        start = line.find(said, start + 1)
    return False


def coverage(statement: str, source: str) -> float:
    """Share of the statement's wording that the source has: content terms by weight, and character bigrams."""
    wanted = terms(statement)
    pairs = bigrams(statement)
    by_pairs = len(pairs & bigrams(source)) / len(pairs) if pairs else 0.0
    by_terms = share(wanted, source)
    if by_terms is None:
        return by_pairs
    return _TERMS_SHARE * by_terms + (1 - _TERMS_SHARE) * by_pairs


def share(wanted: Sequence[Term], source: str) -> float | None:
    """Share of the terms' weight that the source has; None where there are no terms."""
    total = sum(term.weight for term in wanted)
    if total == 0.0:
        return None
    return sum(term.weight * presence(term, source) for term in wanted) / total


def news(sentence: str, question: str) -> list[Term]:
    """The terms of a sentence that the question has not said already."""
    return [term for term in terms(sentence) if presence(term, question) < 1.0]


def presence(term: Term, source: str) -> float:
    """How far a term is in a source, 0..1."""
    if term.kind is Kind.WORD:
        return 1.0 if term.text in stems(source) else 0.0
    if term.kind is Kind.NUMBER:
        return 1.0 if any(other.text == term.text for other in terms(source)) else 0.0
    if _stands_or_is_denied_in(term.text, folded(source)):
        return 1.0
    if len(term.text) < 2:
        return 0.0
    pairs = [term.text[n : n + 2] for n in range(len(term.text) - 1)]
    part = sum(pair in bigrams(source) for pair in pairs) / len(pairs)
    return part if term.kind is Kind.KANJI else part * part


def _by_one(statement: str, source: str) -> Support:
    """Wording may come from the whole source; numbers and negation are held against the nearest passage.

    So is each clause that the source speaks of: "within 5 days, and an attachment is needed" is denied by "an
    attachment is not needed" in a sentence of its own. Where it speaks of all of them, the whole adds nothing.
    """
    whole = _against(statement, source, nearest(statement, source))
    parts = [part for sentence in clauses(statement) for part in sentence]
    if not 2 <= len(parts) <= _MOST_PARTS:
        return whole
    held = (_against(part, source, nearest(_subject(part), source)) for part in parts)
    spoken_of = [found for found in held if found.coverage >= _SAME_MATTER]
    denied = next((found for found in spoken_of if found.contradicted), None)
    if denied is None and len(spoken_of) < len(parts):
        return whole
    guards = denied or spoken_of[0]
    return replace(guards, coverage=whole.coverage, replaced=whole.replaced)


def _subject(clause: str) -> str:
    """What a clause speaks of: its wording without its figures, so that another figure's place is found."""
    words = _FIGURE.sub("", with_digits(clause))
    return words if terms(words) else clause


def _against(statement: str, source: str, passage: str) -> Support:
    return Support(
        coverage=max(coverage(statement, source) * 0.95, coverage(statement, passage)),
        passage=passage,
        missing_numbers=missing_quantities(statement, source, passage),
        turned=turned(statement, passage),
        opposite=opposite(statement, passage),
        replaced=replaced(statement, passage),
    )


def replaced(statement: str, passage: str) -> tuple[str, str] | None:
    """One content word in the place of another: "白いTシャツ" against "黒いTシャツ". A paraphrase differs all over."""
    statement, passage = with_digits(statement), with_digits(passage)
    ours, theirs = pieces(statement), pieces(passage)
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag != "replace" or b - a > _LONGEST_SLOT or d - c > _LONGEST_SLOT:
            continue
        if not _HALVES_OF_DAY.isdisjoint((*ours[a:b], *theirs[c:d])):
            continue
        mine = [word for word in ours[a:b] if is_content(word) and not _holds(passage, word)]
        other = [word for word in theirs[c:d] if is_content(word) and not _holds(statement, word)]
        if mine and other:
            return mine[0], other[0]
    return None


def _holds(text: str, word: str) -> bool:
    return (
        stem(word) in stems(text)
        if "a" <= word[0] <= "z"
        else _stands_or_is_denied_in(folded(word), folded(text))
    )


def _stands_or_is_denied_in(word: str, plain: str) -> bool:
    """不要 is 必要 denied: the same matter; which of the two is said is for polarity to tell."""
    return word in plain or _DENIED.get(word, word) in plain


def _goodness(found: Support) -> tuple[bool, float]:
    return found.supported, found.coverage - 0.2 * found.contradicted


@lru_cache(maxsize=2048)
def clauses(text: str) -> tuple[tuple[str, ...], ...]:
    """The clauses of each sentence."""
    split = (tuple(part for part in _CLAUSE.split(one) if part.strip()) for one in sentences(text))
    return tuple(parts for parts in split if parts)


def nearest(statement: str, source: str) -> str:
    """The run of clauses within one sentence that covers the statement best; of equal ones the shortest."""
    best, best_score = source, -1.0
    for parts in clauses(source):
        mark = ", " if parts[0].isascii() else "、"
        for start in range(len(parts)):
            for end in range(start + 1, min(start + _MOST_CLAUSES, len(parts)) + 1):
                run = mark.join(parts[start:end])
                score = coverage(statement, run) - 0.004 * (len(run) / max(len(statement), 1))
                if score > best_score:
                    best, best_score = run, score
    return best
