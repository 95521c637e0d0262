"""Whose preview app a run of the action makes, and with which secrets of the workflow."""

from collections.abc import Callable, Iterable, Mapping

from ragjudge.dify.console import credentials
from ragjudge.errors import RagjudgeError
from ragjudge.github.context import EventContext
from ragjudge.github.inputs import Inputs
from ragjudge.judged import Previewing, previewing
from ragjudge.preview import secrets
from ragjudge.preview.naming import Owner
from ragjudge.settings import Settings

_INPUTS = {credentials.EMAIL: "dify-console-email", credentials.PASSWORD: "dify-console-password"}


def app_secrets(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Values of `DIFY_ENV_*`: to be masked before a line is printed."""
    return tuple(value.get_secret_value() for value in secrets.from_environ(environ).values())


def with_inputs(environ: Mapping[str, str], inputs: Inputs) -> dict[str, str]:
    """The environment as the command line would have it: sign-in by the inputs where they are given."""
    return {**environ, **{name: inputs.get(given) for name, given in _INPUTS.items() if inputs.get(given)}}


def previewing_of(
    settings: Settings,
    context: EventContext,
    inputs: Inputs,
    environ: Mapping[str, str],
    *,
    mask: Callable[[Iterable[str]], None] = lambda _: None,
) -> Previewing | None:
    """One app per pull request and suite; None where the published app is judged. Raises ConsoleMisconfigured."""
    number = context.pull_request.number if context.pull_request else None
    owner = Owner(context.repository, number, inputs.suite_key, context.head_sha)
    return previewing(settings, owner, with_inputs(environ, inputs), mask=mask)


def is_possible(
    settings: Settings, context: EventContext, inputs: Inputs, environ: Mapping[str, str]
) -> bool:
    """Whether the run has what its preview needs; always, where it needs none."""
    try:
        previewing_of(settings, context, inputs, environ)
    except RagjudgeError:
        return False
    return True
