"""Which source of passages is taken, and why there is none."""

import pytest

from ragjudge.dify.passages import Evidence, choose, looks_like_passages, of_node, of_output, of_resources
from ragjudge.results.answer import Context, ContextSource, MissingContexts
from tests import dify_events as ev

HIT = (Context(rank=1, content="A"),)


@pytest.mark.parametrize(
    ("evidence", "source"),
    [
        (Evidence(nodes=HIT, resources=HIT, history=HIT), ContextSource.RETRIEVAL_NODES),
        (Evidence(resources=HIT, observations=HIT), ContextSource.RETRIEVER_RESOURCES),
        (Evidence(observations=HIT, outputs=HIT), ContextSource.AGENT_OBSERVATION),
        (Evidence(outputs=HIT, history=HIT), ContextSource.WORKFLOW_OUTPUT),
        (Evidence(history=HIT), ContextSource.MESSAGE_HISTORY),
    ],
)
def test_takes_the_best_source_that_holds_anything(evidence, source):
    """In the order of the design, and the report says which."""
    assert source == choose(evidence, citation=True, has_nodes=True).source


@pytest.mark.parametrize(
    ("evidence", "citation", "has_nodes", "cause"),
    [
        (Evidence(), True, True, MissingContexts.NO_RETRIEVAL),
        (Evidence(retrieval_ran=True), True, True, MissingContexts.NOTHING_RETRIEVED),
        (Evidence(retrieval_ran=True, retrieval_failed=True), True, True, MissingContexts.NODE_FAILED),
        (Evidence(annotated=True), False, False, MissingContexts.ANNOTATION_REPLY),
        (Evidence(lost=True), True, True, MissingContexts.LOST_WITH_STREAM),
        (Evidence(streamed=False), True, True, MissingContexts.NOT_IN_REPLY),
        (Evidence(), False, False, MissingContexts.CITATION_OFF),
        (Evidence(), False, True, MissingContexts.NO_RETRIEVAL),
        (Evidence(), None, False, MissingContexts.NO_RETRIEVAL),
    ],
)
def test_says_why_there_are_none(evidence, citation, has_nodes, cause):
    """Never an empty list passed off as a result; a flow's citation switch hides nothing."""
    assert cause == choose(evidence, citation=citation, has_nodes=has_nodes).cause


def test_keeps_rank_score_and_every_id():
    """From a node's item (ids under `metadata`) and from a flat resource alike."""
    (node,), (flat,) = (
        of_node([ev.chunk("本文", "s1")]),
        of_resources([ev.resource("本文", "s1", title=None)]),
    )

    assert (1, "本文", 0.61, "doc-1", "就業規則.md", "ds-1", "社内規程", "s1") == (
        node.rank,
        node.content,
        node.score,
        node.document_id,
        node.document_name,
        node.dataset_id,
        node.dataset_name,
        node.segment_id,
    )
    assert node.model_copy(update={"title": None}) == flat


def test_bears_passages_without_ids_or_scores():
    """External knowledge bases give neither; two of the same text are one."""
    items = of_resources(
        [{"content": "A", "score": None}, {"content": "A"}, {"content": " "}, {"content": 5}, "x"]
    )

    assert [Context(rank=1, content="A")] == list(items)


@pytest.mark.parametrize("value", ["A", ["A"], [{"content": "A"}], [{"text": "A"}], [ev.chunk("A", "1")]])
def test_reads_a_workflow_output_of_any_usual_form(value):
    """A text, a list of texts, a list of items."""
    assert ["A"] == [passage.content for passage in of_output(value)]


@pytest.mark.parametrize("value", [None, [], ["A"], [{"content": "A"}], {"content": "A"}, "A"])
def test_guesses_only_from_items_with_ids(value):
    """A list of texts may be anything: it needs `app.contexts`."""
    assert not looks_like_passages(value)
