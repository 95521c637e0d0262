"""What the gate allows: a small frozen value cut from the settings, so that deciding needs nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from math import floor
from typing import Literal

from ragjudge.metric_specs import BUILT_IN, CHECKS, MetricSpec
from ragjudge.settings import Accept, CustomMetric, Settings
from ragjudge.suite.values import plain_id

FEW_REPEATS = 3
"""With fewer baseline samples than this, one unlucky sample can be the whole baseline of a case."""
EVERY_CASE = "*"
"""As the case of an `accept:` entry with a metric: the metric as a whole (for taking one out of the config)."""
TRIED_BEYOND_LIMIT = 10
"""Suspects beyond `max_regressed_cases` that are tried and not cleared before more would only be more of the same."""
FEWEST_CONFIRMED = 3
"""A small suite's share would not confirm anything: so many suspects may always be confirmed."""


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """When a comparison fails.

    `specs` hold each metric's scale and tolerances as configured. `alpha` is the chance, over all metrics and looks
    together, that an unchanged app has a mean called worse. `extra_budget` is a share of the suite: its whole part
    is how many whole-suite repeats may be added to decide about means, the rest is for confirming suspects.
    """

    specs: Mapping[str, MetricSpec] = field(default_factory=lambda: dict(BUILT_IN))
    minimum: Mapping[str, float] = field(default_factory=dict)
    max_regressed_cases: int = 0
    confirm: int = 2
    max_unscored: int = 0
    extra_budget: float = 0.3
    on_incomparable: Literal["fail", "warn"] = "fail"
    accept: tuple[Accept, ...] = ()
    alpha: float = 0.005
    renewing: bool = False
    """The run is to become the baseline: where nothing can be compared, that is the cure."""

    def spec(self, metric: str) -> MetricSpec:
        """An unknown metric is gated like Ragas' own: 0 to 1, by its mean only."""
        return self.specs.get(metric) or MetricSpec(metric, 0.0, 1.0, False, False, tolerance=0.05)

    @property
    def more_looks(self) -> int:
        """Whole-suite repeats that may be added, fixed before anything was seen."""
        return floor(self.extra_budget + 1e-9)

    def confirm_budget(self, cases: int) -> int:
        """How many questions may be asked to confirm suspects, in a suite of so many cases."""
        if self.extra_budget <= 0 or self.confirm == 0:
            return 0
        share = self.extra_budget - self.more_looks or 0.3
        return max(floor(share * cases + 1e-9), FEWEST_CONFIRMED * max(self.confirm, FEW_REPEATS))

    def case_threshold(self, metric: str, baseline_samples: int) -> float | None:
        """The drop of one case that makes a suspect; None where single cases of the metric are not gated.

        Half the scale at least where the baseline is not sure itself: 2 on a scale from 1 to 5.
        """
        spec = self.spec(metric)
        if spec.case_tolerance is None or baseline_samples >= FEW_REPEATS:
            return spec.case_tolerance
        return max(spec.case_tolerance, spec.span / 2)

    def confirmations(self, baseline_samples: int) -> int:
        """How many fresh samples must all lie below."""
        if self.confirm == 0 or baseline_samples >= FEW_REPEATS:
            return self.confirm
        return max(self.confirm, FEW_REPEATS)

    def accepted(self, case_id: str, metric: str | None, *, today: date | None) -> Accept | None:
        """The entry in force that allows this change; one for the case as a whole allows every metric."""
        if today is None or not self.accept:
            return None
        return next(
            (
                entry
                for entry in self.accept
                if entry.case == case_id and entry.metric in (None, metric) and entry.until >= today
            ),
            None,
        )


def policy_from(settings: Settings) -> GatePolicy:
    """Cut the gate's rules out of the settings."""
    gate = settings.gate
    customs = settings.metrics.custom
    specs = {**BUILT_IN, CHECKS.name: CHECKS, **{custom.name: custom_spec(custom) for custom in customs}}
    minimum = {c.name: c.minimum for c in customs if c.minimum is not None}
    return GatePolicy(
        specs={
            name: replace(
                spec,
                tolerance=gate.tolerance.get(name, spec.tolerance),
                case_tolerance=gate.case_tolerance.get(name, spec.case_tolerance),
            )
            for name, spec in specs.items()
        },
        minimum={**minimum, **gate.minimum},
        max_regressed_cases=gate.max_regressed_cases,
        confirm=gate.confirm,
        max_unscored=gate.max_unscored,
        extra_budget=gate.extra_budget,
        on_incomparable=gate.on_incomparable,
        accept=tuple(one.model_copy(update={"case": plain_id(one.case)}) for one in settings.accept),
    )


def for_renewal(policy: GatePolicy) -> GatePolicy:
    """The gate of a run that is to become the baseline: that is the cure of what cannot be compared."""
    return replace(policy, on_incomparable="warn", renewing=True)


def custom_spec(custom: CustomMetric) -> MetricSpec:
    """A team's own rubric as data; without a tolerance of its own it gets correctness' share of the scale."""
    low, high = custom.scale
    correctness = BUILT_IN["correctness"]
    share = correctness.tolerance / correctness.span
    return MetricSpec(
        name=custom.name,
        low=float(low),
        high=float(high),
        needs_reference=custom.needs_reference,
        needs_contexts=custom.needs_contexts,
        tolerance=custom.tolerance if custom.tolerance is not None else share * (high - low),
    )
