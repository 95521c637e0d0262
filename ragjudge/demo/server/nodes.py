"""What each node of a chatflow or workflow does: start, knowledge retrieval, model, answer, end."""

import re
from collections.abc import Mapping

from ragjudge.demo.corpus import Passage
from ragjudge.demo.definition import Node
from ragjudge.demo.loose import JsonObject, items, mapping, text
from ragjudge.demo.server.asking import Asking
from ragjudge.demo.server.frames import NodeDone
from ragjudge.demo.server.payloads import Spent, cited, node_results, usage

_REFERENCE = re.compile(r"\{\{#([^{}#]+)#\}\}")
_CONTEXT = "{{#context#}}"


class Nodes:
    """The nodes of one run and what they have put out so far."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._world = asking.world
        self._outputs: dict[str, JsonObject] = {"sys": self.system_variables()}
        self._passages: dict[str, list[Passage]] = {}
        self.resources: list[JsonObject] = []
        self.spent = Spent()

    def run(self, node: Node) -> NodeDone:
        doers = {"start": self._start, "knowledge-retrieval": self._retrieve, "llm": self._model}
        done = doers.get(node.type, self._put_out)(node)
        self._outputs[node.id] = done.outputs
        return done

    def system_variables(self) -> JsonObject:
        """The `sys.` variables, without their prefix."""
        asking, app = self._asking, self._world.app
        found: JsonObject = {"files": [], "user_id": asking.user, "app_id": app.app_id}
        found |= {"workflow_id": app.workflow_id, "workflow_run_id": asking.run_id}
        if app.mode == "advanced-chat":
            found |= {"query": asking.query, "dialogue_count": asking.dialogue_count}
        return found

    def shown_inputs(self) -> JsonObject:
        """The form's variables and the system's, as a run shows them."""
        return self._asking.inputs | {f"sys.{name}": v for name, v in self.system_variables().items()}

    def _start(self, node: Node) -> NodeDone:
        shown = dict(self._asking.inputs)
        if self._world.dialect.start_node_shows_system:
            shown = self.shown_inputs()
            if self._world.app.mode == "advanced-chat":
                shown["sys.conversation_id"] = self._asking.conversation_id
        self._outputs["sys"] = self.system_variables() | {"conversation_id": self._asking.conversation_id}
        self._outputs[node.id] = self._asking.inputs
        return NodeDone(inputs=shown, outputs=shown)

    def _retrieve(self, node: Node) -> NodeDone:
        query = text(self._value([text(part) for part in items(node.data.get("query_variable_selector"))]))
        hits = self._asking.retrieve(query, node.retrieval) if items(node.data.get("dataset_ids")) else []
        self._passages[node.id] = [hit.passage for hit in hits]
        found = node_results(
            self._world.index.corpus, hits, self._world.dialect, count=self._world.memory.hit
        )
        return NodeDone(
            inputs={"query": query},
            outputs={"result": found},
            process_data={"usage": usage(Spent(), self._world.dialect)},
            execution_metadata={"total_tokens": 0, "total_price": "0.0", "currency": "USD"},
        )

    def _model(self, node: Node) -> NodeDone:
        dialect = self._world.dialect
        source = self._context_source(node)
        context = "\n".join(passage.content for passage in self._passages.get(source, []))
        self._cite(source)
        prompts = self._prompts(node, context)
        told = [text(prompt["text"]) for prompt in prompts if prompt["role"] != "user"]
        heard = [text(prompt["text"]) for prompt in prompts if prompt["role"] == "user"]
        question = heard[-1] if heard else self._asking.query
        written = self._asking.write("\n".join(told), self._seen_by(node, source), question=question)
        self.spent += written.spent
        spent = usage(written.spent, dialect)
        model = mapping(node.data.get("model"))
        who: JsonObject = {
            "model_provider": text(model.get("provider")),
            "model_name": text(model.get("name")),
        }
        inputs: JsonObject = {"#context#": context} if context else {}
        return NodeDone(
            inputs=inputs | who if dialect.model_in_llm_inputs else inputs,
            outputs={"text": written.text, "reasoning_content": "", "usage": spent, "finish_reason": "stop"},
            process_data={
                "model_mode": text(model.get("mode"), "chat"),
                "prompts": prompts,
                "usage": spent,
                "finish_reason": "stop",
                **who,
            },
            execution_metadata={name: spent[name] for name in ("total_tokens", "total_price", "currency")},
        )

    def _put_out(self, node: Node) -> NodeDone:
        if node.type == "answer":
            return NodeDone(inputs={}, outputs={"answer": self._filled(node.data.get("answer")), "files": []})
        named: JsonObject = {
            text(entry.get("variable")): self._value(
                [text(part) for part in items(entry.get("value_selector"))]
            )
            for entry in map(mapping, items(node.data.get("outputs")))
        }
        return NodeDone(inputs=named, outputs=named)

    def _context_source(self, node: Node) -> str:
        """The node whose passages are this model's context; empty where the switch is off."""
        context = mapping(node.data.get("context"))
        selector = items(context.get("variable_selector"))
        return text(selector[0]) if context.get("enabled") and selector else ""

    def _seen_by(self, node: Node, source: str) -> list[Passage]:
        """The passages a model can read: its context's, and those its prompt names as a variable."""
        template = "".join(text(p.get("text")) for p in map(mapping, items(node.data.get("prompt_template"))))
        named = [ref.partition(".")[0] for ref in _REFERENCE.findall(template) if ref.endswith(".result")]
        return [p for owner in dict.fromkeys([source, *named]) for p in self._passages.get(owner, [])]

    def _cite(self, source: str) -> None:
        if not source or not self._world.app.citation:
            return
        found = [mapping(result) for result in items(self._outputs.get(source, {}).get("result"))]
        kept = [] if self._world.dialect.last_context_only else self.resources
        self.resources = kept + [
            cited(result, position, self._world.dialect)
            for position, result in enumerate(found, start=len(kept) + 1)
        ]

    def _prompts(self, node: Node, context: str) -> list[JsonObject]:
        templates = [
            (text(p.get("role")), p.get("text"))
            for p in map(mapping, items(node.data.get("prompt_template")))
        ]
        memory = mapping(node.data.get("memory"))
        if memory:
            templates.append(("user", memory.get("query_prompt_template") or "{{#sys.query#}}"))
        return [
            {"role": role, "text": self._filled(template, context=context), "files": []}
            for role, template in templates
        ]

    def _filled(self, template: object, *, context: str | None = None) -> str:
        """A template with its references replaced by values."""
        said = text(template)
        if context is not None and _CONTEXT in said:
            said = said.replace(_CONTEXT, self._in_prompt(context))
        return _REFERENCE.sub(self._referred, said)

    def _in_prompt(self, context: str) -> str:
        if not self._world.dialect.braces_around_context:
            return context
        return f"{{{context}}}" if context else _CONTEXT

    def _referred(self, found: re.Match[str]) -> str:
        if found.group(1) == "context":
            return found.group(0)
        value = self._value(found.group(1).split("."))
        return "" if value is None else text(value, str(value))

    def _value(self, path: list[str]) -> object:
        value: object = self._outputs.get(path[0], {}) if path else None
        for part in path[1:]:
            value = value.get(part) if isinstance(value, Mapping) else None
        return value
