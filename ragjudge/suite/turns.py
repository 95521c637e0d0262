"""`app.judge_turns: every`: each turn that says what a good answer holds becomes a case of its own.

Such a case is its conversation up to that turn, so metrics, comparison, baseline and report treat it like any other
case of several turns. The last turn keeps the case's id: switching over adds cases and changes none.
"""

from collections.abc import Iterator

from ragjudge.errors import Problem, SuiteFault
from ragjudge.language import Text
from ragjudge.suite.case import Case, Checks, Suite
from ragjudge.suite.loading import capped, place_of


def every_turn(suite: Suite) -> Suite:
    """The suite with a case `<id>#turn1`, `#turn2`… before each case whose earlier turns have something to judge by.

    Raises SuiteFault where the suite has a case of that name already.
    """
    taken = {case.id for case in suite.cases}
    cases: list[Case] = []
    problems: list[Problem] = []
    for case in suite.cases:
        earlier = tuple(_earlier(case))
        problems += [_taken(case, turn.id) for turn in earlier if turn.id in taken]
        cases += [*earlier, case.model_copy(update={"conversation": case.id}) if earlier else case]
    if problems:
        raise SuiteFault(capped(problems))
    return suite.model_copy(update={"cases": tuple(cases)})


def _earlier(case: Case) -> Iterator[Case]:
    for number in range(len(case.turns)):
        turn = case.turns[number - 1] if number else case
        if turn.reference is not None or turn.checks != Checks():
            yield case.model_copy(
                update={
                    "id": f"{case.id}#turn{number + 1}",
                    "turns": case.turns[:number],
                    "reference_contexts": (),
                    "conversation": case.id,
                }
            )


def _taken(case: Case, name: str) -> Problem:
    return Problem(
        Text(
            f"Case {name}: app.judge_turns gives this id to a turn of case {case.id}.",
            f"ケース {name}: app.judge_turns により、ケース {case.id} のターンがこのIDになります。",
        ),
        place_of(case.source),
        Text("Rename one of the two cases.", "どちらかのケースのIDを変えてください。"),
    )
