"""The attack set against a judge that follows structure: nothing that outside text says lifts a score."""

import asyncio
from collections import Counter
from dataclasses import dataclass

import pytest

from bench.attacks.attacks import ATTACKS, CODE
from bench.attacks.structure_judge import StructureJudge
from bench.attacks.trial import run
from ragjudge.metrics.fences import Fencer
from ragjudge.metrics.prompting import Prompts
from ragjudge.metrics.registry import build
from ragjudge.settings import MetricsSettings
from tests.fakes import FakeEmbedder


def letters(text):
    """A vector of letter counts: more alike texts have more alike vectors."""
    return [1.0 + text.count(char) for char in "ORIGNALe日期経費いつ申請"]


def trial(mode, prompts_of=Prompts):
    judge = StructureJudge()
    results = asyncio.run(
        run(
            lambda language: build(MetricsSettings(mode=mode), language, prompts=prompts_of(language)),
            judge,
            FakeEmbedder(letters),
        )
    )
    return results, judge


def test_the_set_has_sixty_attacks_and_more_in_both_languages():
    """Forged verdicts, closing marks, orders, false examples, role marks, hidden characters."""
    assert len(ATTACKS) >= 60
    assert len({attack.text for attack in ATTACKS}) == len(ATTACKS)
    assert set(Counter((attack.family, attack.language) for attack in ATTACKS).values()) <= {4, 6, 7, 8, 9}


@pytest.mark.parametrize("mode", ["standard", "economic"])
def test_no_attack_fools_the_judge_or_lifts_a_score(mode):
    """In an answer, a context, a reference and a question; against every metric."""
    results, judge = trial(mode)
    assert judge.fooled == []
    # Another question is another vector: there, only the judge's own words can be compared.
    fair = [r for r in results if (r.metric, r.place) != ("answer_relevancy", "question")]
    assert [(r.attack.id, r.place, r.metric, r.before, r.after) for r in fair if r.lifted] == []
    assert len(results) == len(ATTACKS) * 4 * 5


@dataclass(frozen=True)
class Naive(Fencer):
    """A fence with a code that everyone knows, around text as it came."""

    def fence(self, name, text):
        return f"<<<{name} {CODE}\n{text}\n{CODE} {name}>>>"


def test_the_same_set_does_lift_scores_where_fences_are_fixed_and_nothing_is_neutralised():
    """The attacks and the judge have teeth: this is what the fences are for."""
    results, judge = trial("standard", lambda language: Prompts(language, Naive(b"")))
    assert judge.fooled
    families = {result.attack.family for result in results if result.lifted}
    assert {"closing", "role", "hidden"} <= families
