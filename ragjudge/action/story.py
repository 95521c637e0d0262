"""The container's story: mask → understand the event → settings → the job → tell GitHub → exit code.

The only place of the action that catches everything: whatever happens, the step ends with a sentence, outputs and
one of the documented exit codes.
"""

import os
import sys
import traceback
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from pydantic import SecretStr

from ragjudge import wiring
from ragjudge.action import authority
from ragjudge.action.configure import Layers, configure
from ragjudge.action.fork_comment import tell_for_fork
from ragjudge.action.jobs import Request, do
from ragjudge.action.preview_app import app_secrets
from ragjudge.action.telling import Telling
from ragjudge.action.workspace import step_down
from ragjudge.errors import RagjudgeError
from ragjudge.exit_codes import ExitCode
from ragjudge.github import context as events
from ragjudge.github import inputs as given
from ragjudge.github.activity import Mode, choose
from ragjudge.github.api import GitHubApi
from ragjudge.github.base_branch import BaseBranch
from ragjudge.github.commands import Runner
from ragjudge.github.context import EventContext
from ragjudge.github.inputs import FailOn, Inputs
from ragjudge.github.repository import completed
from ragjudge.stopping import Stopping

RUNNER_FILES = ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")
NEVER_RED = frozenset({ExitCode.FAILED, ExitCode.CANNOT_TELL})
"""What `fail-on: never` turns green: a finding. What the user must change, and our bugs, stay red."""


def main() -> int:
    """One run of the action, in the environment that GitHub gives a container."""
    workspace = Path(os.environ.get("GITHUB_WORKSPACE") or ".").resolve()
    os.chdir(workspace)
    step_down(workspace, [Path(os.environ[name]) for name in RUNNER_FILES if os.environ.get(name)])
    stopping = Stopping()
    stopping.listen()
    code = run(os.environ, sys.stdout)
    return ExitCode.TERMINATED if stopping.terminated and code == ExitCode.INTERRUPTED else code


def run(environ: Mapping[str, str], log: TextIO) -> int:
    """As `main`, for a process that stands in the workspace: the exit code."""
    runner = Runner(log, environ)
    runner.mask((*given.secret_values(environ), *app_secrets(environ)))
    telling = Telling(runner, given.wanted_language(environ))
    with ExitStack() as open_until_told:
        try:
            return _story(environ, runner, telling, open_until_told)
        except RagjudgeError as error:
            telling.trouble(error)
        except KeyboardInterrupt:
            telling.cancelled()
        except Exception:  # noqa: BLE001 - the edge: whatever escapes is our bug, told with the way to report it
            runner.say(traceback.format_exc())
            telling.bug()
    return telling.exit_code


def _story(environ: Mapping[str, str], runner: Runner, telling: Telling, open_until_told: ExitStack) -> int:
    inputs = given.parse(environ)
    context = events.load(environ)
    activity = choose(inputs.mode, context)
    if activity.nothing is not None:
        telling.nothing_to_do(activity.nothing)
        return ExitCode.OK
    token = SecretStr(inputs.get("github-token"))
    api = open_until_told.enter_context(
        GitHubApi(context.api_url, token, ca_file=inputs.get("ca-file") or None)
    )
    context = completed(context, api)
    telling.attach(api, context, inputs)
    open_until_told.callback(telling.close)
    if activity.tells_for_fork:
        return tell_for_fork(api, context, telling)
    layers = Layers(inputs, environ, datetime.now(UTC).date())
    base = _base(api, context)
    configured = configure(Path(), layers, context, base=base)
    telling.language = configured.settings.report.language
    settings = authority.of_the_base_branch(configured.settings, context, base, until=open_until_told)
    configured = replace(configured, settings=settings)
    if activity.mode is not Mode.VALIDATE:
        wiring.warm_up(configured.settings)
    if configured.settings.report.check_run:
        telling.attach_check_run()
    for note in configured.notes:
        telling.remark(note)
    request = Request(
        configured=configured,
        inputs=inputs,
        context=context,
        api=api,
        base=base,
        mode=activity.mode,
        runner=runner,
        telling=telling,
        environ=environ,
    )
    return _colour(ExitCode(do(request)), inputs)


def _base(api: GitHubApi, context: EventContext) -> BaseBranch | None:
    if not context.is_proposal:
        return None
    return BaseBranch(api, context.repository, context.base_sha or context.base_ref)


def _colour(code: ExitCode, inputs: Inputs) -> ExitCode:
    return ExitCode.OK if inputs.fail_on is FailOn.NEVER and code in NEVER_RED else code
