"""What to do on which event: the table of `mode: auto`, and one clear sentence for everything else."""

from dataclasses import dataclass
from enum import StrEnum

from ragjudge.errors import UsageFault
from ragjudge.github.context import EventContext
from ragjudge.language import Text


class Mode(StrEnum):
    """The action's `mode` input."""

    AUTO = "auto"
    CHECK = "check"
    UPDATE_BASELINE = "update-baseline"
    VALIDATE = "validate"


@dataclass(frozen=True, slots=True)
class Activity:
    """What this run does. `nothing` is why there is nothing to do, where that is in order (exit 0)."""

    mode: Mode
    nothing: Text | None = None
    tells_for_fork: bool = False
    """A `workflow_run` event: tell the pull request what a fork's run without keys found."""


def choose(mode: Mode, context: EventContext) -> Activity:
    """The activity for this event. Raises UsageFault for an event that the workflow should not send here."""
    if context.event == "pull_request_target":
        raise _unsafe_event()
    if context.event == "workflow_run":
        return Activity(Mode.VALIDATE, tells_for_fork=True)
    closed = context.event == "pull_request" and context.action == "closed"
    if mode is Mode.UPDATE_BASELINE and context.is_proposal and not closed:
        raise _baseline_from_a_proposal()
    match context.event:
        case "pull_request" if context.action == "closed" and mode in (Mode.AUTO, Mode.UPDATE_BASELINE):
            return _after_closing(context)
        case _ if mode is not Mode.AUTO:
            return Activity(mode)
        case "pull_request" | "merge_group" | "schedule" | "workflow_dispatch":
            return Activity(Mode.CHECK)
        case "push" if context.ref == f"refs/heads/{context.default_branch}":
            return Activity(Mode.UPDATE_BASELINE)
        case "push":
            raise _other_push(context)
        case _:
            raise _unknown_event(context)


def _after_closing(context: EventContext) -> Activity:
    merged = context.pull_request is not None and context.pull_request.merged
    if merged and not context.without_secrets:
        return Activity(Mode.UPDATE_BASELINE)
    if merged:
        return Activity(Mode.UPDATE_BASELINE, nothing=_MERGED_FORK)
    return Activity(
        Mode.CHECK,
        nothing=Text(
            "The pull request was closed without a merge: nothing to do.",
            "プルリクエストはマージされずに閉じられたため、何もしません。",
        ),
    )


_MERGED_FORK = Text(
    "A merged pull request of a fork gets no secrets, so the baseline was not updated. Update it on"
    " `push` to the default branch instead.",
    "フォークからのプルリクエストにはシークレットが渡されないため、マージ後もベースラインを更新できません。"
    "既定ブランチへの `push` で更新してください。",
)


def _baseline_from_a_proposal() -> UsageFault:
    return UsageFault(
        Text(
            "A pull request that is not merged must not store the baseline it is judged by.",
            "マージされていないプルリクエストから、判定の基準になるベースラインは保存できません。",
        ),
        hint=Text(
            "Use `mode: update-baseline` on `push` to the default branch.",
            "`mode: update-baseline` は既定ブランチへの `push` で使ってください。",
        ),
    )


def _unsafe_event() -> UsageFault:
    return UsageFault(
        Text(
            "`pull_request_target` gives a stranger's pull request the rights of the base branch.",
            "`pull_request_target` は、外部からのプルリクエストにベースブランチの権限を与えてしまいます。",
        ),
        hint=Text(
            "Use `pull_request`; for forks see the fork-safe pair of workflows in examples/.",
            "`pull_request` を使ってください。フォークには examples/ の2つ組のワークフローがあります。",
        ),
    )


def _other_push(context: EventContext) -> UsageFault:
    return UsageFault(
        Text(
            f"A push to `{context.ref}` is neither a pull request nor the default branch"
            f" (`{context.default_branch}`).",
            f"`{context.ref}` へのプッシュは、プルリクエストでも既定ブランチ(`{context.default_branch}`)への"
            "プッシュでもありません。",
        ),
        hint=Text(
            "Limit the workflow with `on: push: branches:`, or set `mode: check` or `mode: update-baseline`.",
            "`on: push: branches:` で絞るか、`mode: check` または `mode: update-baseline` を指定してください。",
        ),
    )


def _unknown_event(context: EventContext) -> UsageFault:
    return UsageFault(
        Text(
            f"ragjudge has no default for the event `{context.event}`.",
            f"イベント `{context.event}` に対する既定の動作はありません。",
        ),
        hint=Text(
            "Set `mode: check`, `mode: update-baseline` or `mode: validate`, or use pull_request, merge_group,"
            " push, schedule, workflow_dispatch or workflow_run.",
            "`mode: check`・`mode: update-baseline`・`mode: validate` のいずれかを指定するか、"
            "pull_request・merge_group・push・schedule・workflow_dispatch・workflow_run を使ってください。",
        ),
    )
