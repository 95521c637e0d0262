"""Does a run fit the budget? Known from the plan, before anything is sent."""

from typing import TYPE_CHECKING

from ragjudge.errors import OverBudget
from ragjudge.language import Text
from ragjudge.settings import Settings
from ragjudge.suite.case import Suite
from ragjudge.suite.spoken_language import spoken_language

if TYPE_CHECKING:
    from ragjudge.metrics.plan import Plan

_UNITS = {"questions": Text(" questions", "件の質問"), "judge_tokens": Text(" tokens", "トークン")}


def planned(suite: Suite, settings: Settings) -> "Plan":
    """The judge's work for one pass over the suite."""
    # Imported for those who have a budget: the others' first call need not wait for it.
    from ragjudge.metrics import registry
    from ragjudge.metrics.plan import plan
    from ragjudge.metrics.prompting import Prompts

    language = spoken_language(suite) if settings.judge.language == "auto" else settings.judge.language
    metrics = registry.build(settings.metrics, language, allow=settings.judge.allow)
    return plan(suite.cases, metrics, pairs=Prompts(language) if settings.metrics.pairwise else None)


def questions(suite: Suite) -> int:
    """Questions to the app in one pass, each turn counted."""
    return sum(1 + len(case.turns) for case in suite.cases if case.skip is None and not case.is_earlier_turn)


def require_within(suite: Suite, settings: Settings, *, repeats: int, cost: "Plan | None" = None) -> None:
    """Raise `OverBudget` where the plan alone needs more than the config allows."""
    budget = settings.budget
    if budget.questions is not None:
        _within("questions", repeats * questions(suite), budget.questions)
    if budget.judge_tokens is not None and settings.judge.provider != "offline":
        _within("judge_tokens", repeats * (cost or planned(suite, settings)).tokens, budget.judge_tokens)


def _within(name: str, needed: int, allowed: int) -> None:
    if needed <= allowed:
        return
    unit = _UNITS[name]
    raise OverBudget(
        Text(
            f"The plan needs about {needed:,}{unit.en}; budget.{name} allows {allowed:,}.",
            f"この計画には約{needed:,}{unit.ja}が必要ですが、budget.{name} の上限は{allowed:,}です。",
        ),
        hint=Text(
            "Raise the budget, or ask fewer cases or metrics.",
            "上限を上げるか、ケースや指標を減らしてください。",
        ),
    )
