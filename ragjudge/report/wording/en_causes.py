"""The English sentences on why there is no score: one for the cause, one for the cure."""

from ragjudge.report.wording.base import Says
from ragjudge.results.answer import ContextSource, MissingContexts
from ragjudge.results.outcome import Cause, Inapplicable

CAUSES = {
    Cause.APP_ERROR: Says("The app returned an error", "Look at this question in Dify's logs."),
    Cause.APP_TIMEOUT: Says("No answer came in time", "Raise app.timeout_s, or lower app.concurrency."),
    Cause.APP_UNREACHABLE: Says("The app could not be reached", "Check app.base_url and the server."),
    Cause.APP_RATE_LIMITED: Says(
        "The app's rate limit was reached", "Wait a while, or lower app.concurrency."
    ),
    Cause.APP_INPUT_REFUSED: Says(
        "The app refused the input",
        "Check that each required variable is in app.inputs or the case's inputs.",
    ),
    Cause.APP_PAUSED: Says(
        "The app stopped to wait for a person", "Keep steps that need a person out of what is tested."
    ),
    Cause.APP_EMPTY_ANSWER: Says(
        "The answer was empty", "Check that the app's last node puts out the answer."
    ),
    Cause.APP_STREAM_CUT: Says(
        "The connection broke during the answer", "Check the proxy's time limit and run again."
    ),
    Cause.JUDGE_ERROR: Says("The judge returned an error", "Check the judge's provider and run again."),
    Cause.JUDGE_TIMEOUT: Says(
        "The judge did not reply in time", "Raise judge.timeout_s, or lower judge.concurrency."
    ),
    Cause.JUDGE_UNREACHABLE: Says("The judge could not be reached", "Check judge.base_url and the network."),
    Cause.JUDGE_RATE_LIMITED: Says(
        "The judge's rate limit was reached", "Lower judge.concurrency and run again."
    ),
    Cause.JUDGE_REPLY_UNUSABLE: Says(
        "The judge's reply did not fit the required form", "Use a model that returns JSON reliably."
    ),
    Cause.JUDGE_REPLY_TRUNCATED: Says(
        "The judge's reply was cut off", "Use a model with a larger output limit."
    ),
    Cause.JUDGE_CONTENT_FILTER: Says(
        "The judge's content filter refused it", "Reword question or reference, or use another judge."
    ),
    Cause.JUDGE_CONTEXT_TOO_LONG: Says(
        "The text was too long for the judge",
        "Retrieve fewer passages, or use a model with a longer context.",
    ),
    Cause.EMBEDDING_UNUSABLE: Says("The embeddings could not be used", "Check embedding.model."),
    Cause.OVER_BUDGET: Says("The budget was used up", "Review budget."),
    Cause.CANCELLED: Says("The run was cancelled", "Run again (--resume goes on where it stopped)."),
    Cause.NOT_ASKED: Says(
        "The run ended before this case's turn", "Run again (--resume goes on where it stopped)."
    ),
}

INAPPLICABLE = {
    Inapplicable.NO_REFERENCE: "no reference",
    Inapplicable.NO_CONTEXTS: "no contexts",
    Inapplicable.NO_CLAIMS: "the answer claims nothing",
    Inapplicable.NOT_SELECTED: "not used for this case",
    Inapplicable.NO_LATENCY: "the answer's time was not measured",
    Inapplicable.NO_BASELINE_ANSWER: "the baseline has no answer",
}

MISSING_CONTEXTS = {
    MissingContexts.CITATION_OFF: 'the app\'s "Citations and Attributions" is off',
    MissingContexts.NO_RETRIEVAL: "nothing was searched in this run",
    MissingContexts.NOTHING_RETRIEVED: "the search found nothing",
    MissingContexts.ANNOTATION_REPLY: "a stored reply (annotation) was used instead of a search",
    MissingContexts.NODE_FAILED: "a retrieval node failed and its default value was used",
    MissingContexts.LOST_WITH_STREAM: "the connection broke and the contexts were lost",
    MissingContexts.OUTPUT_UNUSABLE: "the output that app.contexts names is not there, or holds no contexts",
    MissingContexts.NOT_IN_REPLY: "the reply holds no contexts (app.contexts can name an output)",
}

CONTEXT_SOURCES = {
    ContextSource.RETRIEVAL_NODES: "the retrieval nodes' output",
    ContextSource.RETRIEVER_RESOURCES: "the answer's citations",
    ContextSource.AGENT_OBSERVATION: "the agent's tool results",
    ContextSource.WORKFLOW_OUTPUT: "the output named in app.contexts",
    ContextSource.MESSAGE_HISTORY: "the citations in the message history",
    ContextSource.RETRIEVED_APART: "a search of its own (not proven to be what the app saw)",
}
