"""What an answer cost, from the several places where Dify reports it."""

from collections.abc import Mapping

from ragjudge.dify.wire import amount_of, count_of, mapping_of, name_of
from ragjudge.results.usage import Usage

NOTHING = Usage()


def of_message(value: object) -> Usage:
    """`metadata.usage` of a message: the sum over its model calls, whose number it does not tell."""
    usage = mapping_of(value)
    tokens = count_of(usage.get("prompt_tokens")), count_of(usage.get("completion_tokens"))
    if not any(tokens):
        return NOTHING
    return Usage(
        calls=1,
        prompt_tokens=tokens[0],
        completion_tokens=tokens[1],
        price=amount_of(usage.get("total_price")),
        currency=name_of(usage.get("currency")),
    )


def of_node(data: Mapping[str, object]) -> Usage:
    """An LLM node's own usage (`outputs.usage`, `process_data.usage` since 1.14)."""
    outputs, process = mapping_of(data.get("outputs")), mapping_of(data.get("process_data"))
    return of_message(outputs.get("usage") or process.get("usage"))


def settled(message: Usage, nodes: Usage, *, total_tokens: int) -> Usage:
    """The message's own sum where it has one, with the nodes' count of calls; else the nodes'; else the bare total.

    A bare total cannot be split: it counts as prompt tokens.
    """
    if message.total_tokens:
        return message.model_copy(update={"calls": max(1, nodes.calls)})
    if nodes.total_tokens or not total_tokens:
        return nodes
    return Usage(calls=1, prompt_tokens=total_tokens)
