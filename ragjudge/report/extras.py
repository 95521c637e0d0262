"""What a report may show beyond the run itself: known before it starts, and as plain as can be."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragjudge.errors import Problem
from ragjudge.language import Text

if TYPE_CHECKING:
    from ragjudge.dsl.change import Change
    from ragjudge.results.attribution import Attribution
    from ragjudge.results.baseline import Baseline


@dataclass(frozen=True, slots=True)
class Extras:
    """What a report may show beyond the run: each part is left out where it is empty.

    `suite` names the suite where there is no run. `baseline` tells when the baseline was stored, its history, and
    whether its answers were kept. `app_changes` are what the pull request changes in the app (from the DSL diff);
    `unproven` says that nothing shows the judged app to be that DSL. `problems` are what suite and DSL checks found,
    `suggestions` a model's proposals. `rest_url` is where the uncut report is. `scope` says in sentences what was
    judged: which version of the app, which part of the suite. `attribution`: which change broke which cases.
    """

    suite: str = ""
    baseline: "Baseline | None" = None
    app_changes: "tuple[Change, ...]" = ()
    unproven: bool = False
    problems: tuple[Problem, ...] = ()
    suggestions: tuple[str, ...] = ()
    rest_url: str | None = None
    scope: tuple[Text, ...] = ()
    attribution: "Attribution | None" = None
