"""`ragjudge doctor`: what a run needs, tried out once on the real app and the real judge, each line with its cure."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ragjudge.assist import doctor_words as words
from ragjudge.assist.finding import Finding, State, bad
from ragjudge.dify.client import DifyApp
from ragjudge.errors import RagjudgeError
from ragjudge.language import Language, Text
from ragjudge.ports import AppQuestion, BaselineStore, Embedder, Judge
from ragjudge.results.answer import Answer, NotAvailable
from ragjudge.settings import AppSettings
from ragjudge.suite.case import Case, Suite
from ragjudge.suite.loading import place_of
from ragjudge.suite.templates import render_inputs

_USER = "ragjudge-doctor"
_SHOWN = 5
"""Problems of the suite that are listed; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined: one app with its suite, and whatever else a run would use.

    `app` is None where a run makes its own; `console` is then what was found about its server and its files.
    """

    app: DifyApp | None
    settings: AppSettings
    suite: Suite
    judge: Judge
    embedder: Embedder
    store: BaselineStore
    console: tuple[Finding, ...] = ()


async def examine(patient: Patient) -> tuple[Finding, ...]:
    """All findings, in the order in which one would mend them. Asks one question, and takes it back."""
    app = await _app(patient, patient.app) if patient.app else []
    judging = [await _judge(patient.judge), await _embedder(patient.embedder)]
    return (*patient.console, *app, *judging, _baseline(patient.store))


def rendered(findings: Sequence[Finding], language: Language) -> str:
    lines = [finding.in_language(language) for finding in findings]
    bad = sum(finding.state is State.BAD for finding in findings)
    warnings = sum(finding.state is State.WARNING for finding in findings)
    return "\n".join([*lines, "", words.summary(bad, warnings).in_language(language)])


async def _app(patient: Patient, app: DifyApp) -> list[Finding]:
    settings = patient.settings
    try:
        identity = await app.probe()
    except RagjudgeError as error:
        return [bad(error), Finding(State.SKIPPED, words.NOT_ASKED)]
    found = [Finding(State.GOOD, words.connected(identity, app.base_url))]
    if app.base_url != settings.base_url:
        found.append(Finding(State.WARNING, words.address(app.base_url), words.WRITE_ADDRESS))
    found += _switches(app, settings)
    found += _form(patient, app)
    return found + await _one_question(patient, app)


def _switches(app: DifyApp, settings: AppSettings) -> list[Finding]:
    profile = app.profile
    found = []
    if profile.identity.citation is False and not profile.has_nodes:
        found.append(Finding(State.WARNING, words.CITATION_OFF, words.SWITCH_CITATION_ON))
    if profile.annotations:
        found.append(Finding(State.WARNING, words.ANNOTATIONS, words.MIND_ANNOTATIONS))
    if settings.response_mode == "blocking":
        said = words.BLOCKING if profile.can_block else words.BLOCKING_IGNORED
        found.append(Finding(State.WARNING, said, words.STREAM_INSTEAD))
    return found


def _form(patient: Patient, app: DifyApp) -> list[Finding]:
    """The variables of the start form, and what the suite's cases would give them."""
    profile = app.profile
    variables = [variable.describe() for variable in profile.form.variables]
    found = [Finding(State.GOOD, words.form(variables))]
    cases = [case for case in patient.suite.cases if case.skip is None]
    if not cases:
        return [*found, Finding(State.SKIPPED, words.NO_CASES)]
    questions = [_question(case, _inputs(case, patient.settings)) for case in cases]
    if not profile.keeps_conversations:
        name = profile.question_variable(questions[0].inputs)
        found.append(Finding(State.GOOD, words.question_variable(name)))
    problems = [
        Finding(State.BAD, _placed(problem.what, case), problem.cure)
        for case, question in zip(cases, questions, strict=True)
        for problem in app.problems([question])
    ]
    found += problems[:_SHOWN]
    if len(problems) > _SHOWN:
        found.append(Finding(State.BAD, words.more(len(problems) - _SHOWN)))
    if not problems:
        found.append(Finding(State.GOOD, words.fits(len(cases))))
    return found


def _placed(what: Text, case: Case) -> Text:
    place = place_of(case.source)
    return what if place is None else Text(f"{place}: {what.en}", f"{place}: {what.ja}")


async def _one_question(patient: Patient, app: DifyApp) -> list[Finding]:
    case = next((case for case in patient.suite.cases if case.skip is None), None)
    if case is None:
        return []
    try:
        answer = await app.ask(_question(case, _inputs(case, patient.settings)))
    except RagjudgeError as error:
        return [bad(error), *await _taken_back(app)]
    found = [Finding(State.GOOD, words.answered(case.id, answer)), _contexts(answer)]
    if answer.latency_s is not None and answer.latency_s > patient.settings.timeout_s / 2:
        found.append(
            Finding(State.WARNING, words.slow(answer.latency_s, patient.settings.timeout_s), words.MORE_TIME)
        )
    if answer.notes:
        found.append(Finding(State.WARNING, words.notes(answer.notes)))
    if answer.workflow_id is not None:
        found.append(Finding(State.GOOD, words.version(answer.workflow_id)))
    return found + await _taken_back(app)


def _contexts(answer: Answer) -> Finding:
    contexts = answer.contexts
    if isinstance(contexts, NotAvailable):
        return Finding(State.WARNING, words.no_contexts(contexts.cause), words.cure_for(contexts.cause))
    return Finding(State.GOOD, words.contexts(contexts))


async def _taken_back(app: DifyApp) -> list[Finding]:
    if not app.profile.keeps_conversations:
        return [Finding(State.WARNING, words.LOGS_STAY, words.OWN_APP)]
    try:
        left = await app.forget(_USER)
    except RagjudgeError as error:
        return [Finding(State.WARNING, error.what, error.hint)]
    return [Finding(State.WARNING, words.left(left))] if left else [Finding(State.GOOD, words.TAKEN_BACK)]


async def _judge(judge: Judge) -> Finding:
    def good() -> Text:
        return words.judge(f"{judge.identity.provider} {judge.identity.model}".strip())

    return await _tried(judge.probe, good)


async def _embedder(embedder: Embedder) -> Finding:
    def good() -> Text:
        return words.embedder(f"{embedder.identity.provider} {embedder.identity.model}".strip())

    return await _tried(lambda: embedder.embed(["ping"]), good)


async def _tried(call: Callable[[], Awaitable[object]], good: Callable[[], Text]) -> Finding:
    try:
        await call()
    except RagjudgeError as error:
        return bad(error)
    return Finding(State.GOOD, good())


def _baseline(store: BaselineStore) -> Finding:
    try:
        baseline = store.load()
    except RagjudgeError as error:
        return bad(error)
    if baseline is None:
        return Finding(State.WARNING, words.no_baseline(store.describe()), words.MAKE_BASELINE)
    return Finding(State.GOOD, words.baseline(store.describe(), len(baseline.run.cases)))


def _inputs(case: Case, settings: AppSettings) -> Mapping[str, JsonValue]:
    return render_inputs(settings.inputs, case)


def _question(case: Case, inputs: Mapping[str, JsonValue]) -> AppQuestion:
    return AppQuestion(
        case_id=case.id, attempt="doctor", query=case.question, inputs=inputs, user=_USER, files=case.files
    )
