"""`app.judge_turns: every`: each turn that says what a good answer holds becomes a case of its own.

Such a case is its conversation up to that turn, so metrics, comparison, baseline and report treat it like any other
case of several turns. The last turn keeps the case's id: switching over adds cases and changes none.
"""

from collections.abc import Iterator
from typing import Literal

from ragjudge.errors import Problem, SuiteFault
from ragjudge.language import Text
from ragjudge.suite.case import Case, Checks, Suite
from ragjudge.suite.loading import capped, place_of

MOST_NOTED = 10


def judged_turns(suite: Suite, which: Literal["last", "every"]) -> Suite:
    """The suite as `app.judge_turns` wants it. With `last` its notes name what is judged by nobody then.

    Raises as `every_turn`.
    """
    if which == "every":
        return every_turn(suite)
    unused = [case for case in suite.cases if case.skip is None and any(_earlier(case))]
    notes = [_unused(case) for case in unused[:MOST_NOTED]]
    if more := len(unused) - len(notes):
        notes.append(
            Text(f"… and {more} more cases like these.", f"…ほかにも同様のケースが{more}件あります。")
        )
    return suite.model_copy(update={"notes": (*suite.notes, *notes)})


def _unused(case: Case) -> Text:
    place = place_of(case.source)
    at = f"{place}: " if place else ""
    numbers = [int(turn.id.rpartition("#turn")[2]) for turn in _earlier(case)]
    listed = ", ".join(map(str, numbers))
    return Text(
        f"{at}Case {case.id}: references and checks of its turn {listed} are not used, since only the last answer is"
        " judged. With app.judge_turns: every they are.",
        f"{at}ケース {case.id}: 採点するのは最後の回答だけなので、ターン{listed}の正解と checks は使われません。"
        "app.judge_turns: every にすると使われます。",
    )


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
