"""Which app this is: what `GET /info` and `GET /parameters` tell, in our words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args
from urllib.parse import quote

from pydantic import JsonValue

from ragjudge.dify import words
from ragjudge.dify.attachments import FileRules, read_rules
from ragjudge.dify.form import Form, read_form
from ragjudge.dify.redaction import said
from ragjudge.dify.verdicts import failure
from ragjudge.dify.wire import mapping_of, text_of
from ragjudge.errors import AppMisconfigured
from ragjudge.ports import AppQuestion
from ragjudge.results.run import AppIdentity

_MODES: tuple[str, ...] = get_args(AppIdentity.model_fields["mode"].annotation)
_QUESTION_NAMES = ("query", "question", "質問", "text", "input", "user_input", "prompt")
_ENDPOINTS = {"completion": "/completion-messages", "workflow": "/workflows/run"}


@dataclass(frozen=True, slots=True)
class Profile:
    """One app, as its service API describes it."""

    identity: AppIdentity
    form: Form = Form()
    files: FileRules = FileRules()
    annotations: bool = False

    @property
    def mode(self) -> str:
        return self.identity.mode

    @property
    def keeps_conversations(self) -> bool:
        return self.mode not in ("completion", "workflow")

    @property
    def has_nodes(self) -> bool:
        """Its stream shows each node of a run."""
        return self.mode in ("advanced-chat", "workflow")

    @property
    def can_block(self) -> bool:
        """An agent refuses blocking calls ("Agent Chat App does not support blocking mode")."""
        return self.mode not in ("agent-chat", "agent")

    @property
    def streams_through_worker(self) -> bool:
        """Since 1.13 a flow's streaming run goes through a worker, and counts itself twice as a running request."""
        numbers = (self.identity.server_version or "").split(".")
        known = [int(n) for n in numbers[:2] if n.isdecimal()]
        return self.has_nodes and known >= [1, 13]

    def inputs_for(self, question: AppQuestion) -> dict[str, JsonValue]:
        """The question's inputs; where the app takes no query of its own, the question goes into its variable."""
        inputs = dict(question.inputs)
        if self.keeps_conversations or question.query in inputs.values():
            return inputs
        if (name := self.question_variable(inputs)) is not None:
            inputs[name] = question.query
        return inputs

    def question_variable(self, given: Mapping[str, JsonValue]) -> str | None:
        """Where a workflow or completion app takes the question, unless `given` names it.

        By usual name, else the first required text, else the first text of its form.
        """
        texts = [v for v in self.form.variables if v.kind in ("paragraph", "text-input")]
        open_texts = [v for v in texts if v.name not in given]
        named = [v for v in texts if v.name.casefold() in _QUESTION_NAMES]
        if any(v.name in given for v in named):
            return None
        best = named or [v for v in open_texts if v.required] or open_texts
        return best[0].name if best else None

    def stop_endpoint(self, task_id: str) -> str:
        base = {"completion": "/completion-messages", "workflow": "/workflows/tasks"}.get(
            self.mode, "/chat-messages"
        )
        return f"{base}/{quote(task_id, safe='')}/stop"

    def endpoint(self, workflow_id: str | None) -> str:
        if self.mode == "workflow" and workflow_id:
            return f"/workflows/{quote(workflow_id, safe='')}/run"
        return _ENDPOINTS.get(self.mode, "/chat-messages")


def read_profile(
    info: Mapping[str, object], parameters: Mapping[str, object], *, base_url: str, version: str | None
) -> Profile:
    """Raises AppMisconfigured for a kind of app that this version cannot ask."""
    mode = text_of(info.get("mode"))
    if mode not in _MODES:
        raise failure(words.UNKNOWN_MODE, AppMisconfigured, said=said(mode) or "?")
    citation = mapping_of(parameters.get("retriever_resource")).get("enabled")
    identity = AppIdentity.model_validate(
        {
            "name": text_of(info.get("name")),
            "mode": mode,
            "base_url": base_url,
            "server_version": version,
            "citation": citation if isinstance(citation, bool) else None,
        }
    )
    return Profile(
        identity=identity,
        form=read_form(parameters.get("user_input_form"), parameters.get("system_parameters")),
        files=read_rules(parameters.get("file_upload"), parameters.get("system_parameters")),
        annotations=mapping_of(parameters.get("annotation_reply")).get("enabled") is True,
    )
