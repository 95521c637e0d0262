"""The doctor where the pull request's own DSL is judged: the console, and whether the files fit the server."""

from collections.abc import Callable, Iterator, Sequence

from ragjudge.assist import doctor_words as words
from ragjudge.assist import dsl_check
from ragjudge.assist.finding import Finding, State, bad
from ragjudge.dsl.findings import Severity
from ragjudge.dsl.load import Dsl
from ragjudge.errors import DslFault, RagjudgeError
from ragjudge.language import Text
from ragjudge.preview.target import Target
from ragjudge.settings import Settings
from ragjudge.suite.case import Suite


def examine_console(
    settings: Settings, suite: Suite, look: Callable[[], Target], exports: Callable[[], Sequence[Dsl]]
) -> list[Finding]:
    """`look` asks the console, `exports` reads the files; what they raise becomes a line."""
    found: list[Finding] = []
    target = Target()
    try:
        target = look()
    except RagjudgeError as error:
        found.append(bad(error))
    else:
        found.append(Finding(State.GOOD, words.signed_in(target.workspace, target.dsl, target.plugins)))
        found += [Finding(State.WARNING, text) for text in target.unknown()]
    try:
        found += _files(exports(), suite, settings, target)
    except DslFault as fault:
        found += [Finding(State.BAD, _placed(p.place, p.what), p.cure) for p in fault.problems]
    return [*found, Finding(State.SKIPPED, words.NOT_ASKED_BY_PREVIEW)]


def _files(exports: Sequence[Dsl], suite: Suite, settings: Settings, target: Target) -> Iterator[Finding]:
    faults = [
        *dsl_check.findings(exports, suite if suite.cases else None, settings),
        *dsl_check.not_fitting(exports, settings, target),
    ]
    for fault in faults:
        state = State.BAD if fault.severity is Severity.ERROR else State.WARNING
        yield Finding(state, _placed(fault.place, fault.what), fault.cure)
    faulty = {fault.place.file for fault in faults}
    yield from (Finding(State.GOOD, words.sound_file(dsl.file)) for dsl in exports if dsl.file not in faulty)


def _placed(place: object, what: Text) -> Text:
    where = f"{place}: " if place else ""
    return Text(f"{where}{what.en}", f"{where}{what.ja}")
