"""The doctor where the pull request's own DSL is judged: the console, and whether the files fit the server."""

from collections.abc import Callable, Iterator, Sequence

from ragjudge.assist import doctor_words as words
from ragjudge.assist.finding import Finding, State, bad
from ragjudge.dsl.findings import Severity
from ragjudge.dsl.findings import levels as severities
from ragjudge.dsl.lint import lint
from ragjudge.dsl.load import Dsl
from ragjudge.errors import DslFault, RagjudgeError
from ragjudge.language import Text
from ragjudge.preview.target import Target
from ragjudge.settings import Settings


def examine_console(
    settings: Settings, look: Callable[[], Target], exports: Callable[[], Sequence[Dsl]]
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
        for dsl in exports():
            found += _file(dsl, settings, target)
    except DslFault as fault:
        found += [Finding(State.BAD, _placed(p.place, p.what), p.cure) for p in fault.problems]
    return [*found, Finding(State.SKIPPED, words.NOT_ASKED_BY_PREVIEW)]


def _file(dsl: Dsl, settings: Settings, target: Target) -> Iterator[Finding]:
    severity = severities(settings.dsl.severity)
    faults = lint(dsl, severity=severity, server_dsl=target.dsl, server_plugins=target.plugins)
    for fault in faults:
        state = State.BAD if fault.severity is Severity.ERROR else State.WARNING
        yield Finding(state, _placed(fault.place, fault.what), fault.cure)
    if not faults:
        yield Finding(State.GOOD, words.sound_file(dsl.file))


def _placed(place: object, what: Text) -> Text:
    where = f"{place}: " if place else ""
    return Text(f"{where}{what.en}", f"{where}{what.ja}")
