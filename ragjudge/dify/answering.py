"""An ending → the Answer that a run keeps, or the error that says why there is none. Pure."""

from dataclasses import dataclass

from ragjudge.dify import words
from ragjudge.dify.ending import Ending, Kind, Refusal
from ragjudge.dify.passages import choose
from ragjudge.dify.profile import Profile
from ragjudge.dify.redaction import said
from ragjudge.dify.thinking import without_thinking
from ragjudge.dify.verdicts import failure, judge
from ragjudge.errors import AppCouldNotAnswer, AppMisconfigured, RagjudgeError
from ragjudge.results.answer import Answer, Contexts, MissingContexts, NotAvailable
from ragjudge.results.outcome import Cause


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the events do not tell."""

    profile: Profile
    secret: str
    latency_s: float | None
    asks: int
    version: str | None
    understood: bool = False
    """Another answer of this app stood where the config, or a guess, looks for it."""


def answer_of(ending: Ending, around: Circumstances) -> Answer:
    """Raises from the tree in errors.py where there is no answer that could be judged."""
    if ending.kind is not Kind.ANSWERED:
        raise _why_not(ending, around.secret)
    if ending.text is None:
        raise _no_answer_output(ending, around)
    text = without_thinking(ending.text)
    if not text.strip():
        raise failure(words.EMPTY, AppCouldNotAnswer, cause=Cause.APP_EMPTY_ANSWER)
    profile, ids = around.profile, ending.ids
    contexts = choose(ending.evidence, citation=profile.identity.citation, has_nodes=profile.has_nodes)
    return Answer(
        text=text,
        raw=_raw(ending, text),
        contexts=contexts,
        usage=ending.usage,
        latency_s=around.latency_s,
        conversation_id=ids.conversation or None,
        message_id=ids.message or None,
        workflow_id=ids.workflow or None,
        workflow_run_id=ids.run or None,
        server_version=around.version or profile.identity.server_version,
        asks=around.asks,
        notes=(*ending.notes, *_note_of(contexts, ending)),
        models=ending.models,
        node_usage=ending.node_usage,
    )


def _note_of(contexts: Contexts, ending: Ending) -> tuple[str, ...]:
    unusable = isinstance(contexts, NotAvailable) and contexts.cause is MissingContexts.OUTPUT_UNUSABLE
    return (ending.evidence.unusable_output,) if unusable else ()


def _raw(ending: Ending, text: str) -> str | None:
    """What came, where it is more than what is judged."""
    if ending.reasoning:
        return f"<think>\n{ending.reasoning}\n</think>\n{ending.text}"
    return ending.text if ending.text != text else None


def _no_answer_output(ending: Ending, around: Circumstances) -> RagjudgeError:
    """The configuration's fault, unless this is but one branch of a flow whose other answers were found."""
    names = said(", ".join(f"outputs.{name}" for name in ending.output_names)) or "-"
    of_case = around.understood or not ending.output_names
    kind = AppCouldNotAnswer if of_case else AppMisconfigured
    return failure(words.NO_ANSWER_OUTPUT, kind, said=names, cause=Cause.APP_EMPTY_ANSWER)


def _why_not(ending: Ending, secret: str) -> RagjudgeError:
    if ending.kind is Kind.PAUSED:
        return failure(words.PAUSED, AppCouldNotAnswer, cause=Cause.APP_PAUSED)
    if ending.kind is Kind.STOPPED:
        return failure(words.STOPPED, AppCouldNotAnswer, passing=True)
    if ending.kind is Kind.CUT:
        return failure(
            words.STREAM_CUT, AppCouldNotAnswer, said="-", cause=Cause.APP_STREAM_CUT, passing=True
        )
    return judge(ending.refusal or Refusal(status=200), secret=secret).error
