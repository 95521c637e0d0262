"""The start form of an app as its export defines it."""

from dataclasses import dataclass

from ragjudge.dsl.graph import graph_of
from ragjudge.dsl.load import Dsl, items
from ragjudge.errors import Place


@dataclass(frozen=True, slots=True)
class FormField:
    name: str
    type: str
    required: bool
    place: Place


def form_of(dsl: Dsl) -> tuple[FormField, ...]:
    """Fields in order; those of the start node, or of a basic app's `user_input_form`."""
    found = []
    if dsl.is_graph:
        for node in graph_of(dsl).of_type("start"):
            for number, raw in enumerate(items(node.data, "variables")):
                if isinstance(raw, dict) and raw.get("variable"):
                    place = dsl.place(*node.path, "data", "variables", number)
                    found.append(
                        FormField(
                            str(raw["variable"]), str(raw.get("type")), raw.get("required") is True, place
                        )
                    )
        return tuple(found)
    for number, raw in enumerate(items(dsl.root, "model_config", "user_input_form")):
        if isinstance(raw, dict) and len(raw) == 1:
            ((kind, inner),) = raw.items()
            if isinstance(inner, dict) and inner.get("variable"):
                place = dsl.place("model_config", "user_input_form", number)
                found.append(FormField(str(inner["variable"]), kind, inner.get("required") is True, place))
    return tuple(found)
