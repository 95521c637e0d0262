"""How one asking ended, as the events tell it."""

from dataclasses import dataclass, field
from enum import Enum, auto

from ragjudge.dify.passages import Evidence
from ragjudge.results.answer import NodeUsage
from ragjudge.results.usage import Usage


class Kind(Enum):
    ANSWERED = auto()
    FAILED = auto()
    """The server said so, in an `error` event or by the run's status."""
    STOPPED = auto()
    """Somebody stopped the run."""
    PAUSED = auto()
    """The run waits for a human."""
    CUT = auto()
    """The stream ended, or fell silent, before the answer did."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A server's no: HTTP status (200 where the no came in a stream), Dify's code, and its words."""

    status: int
    code: str = ""
    message: str = ""
    is_page: bool = False
    """An HTML page: from a proxy, or from a server that is no Dify API."""
    retry_after_s: float | None = None


@dataclass(slots=True)
class Ids:
    """What Dify calls this run; "" where it did not say."""

    conversation: str = ""
    message: str = ""
    task: str = ""
    run: str = ""
    workflow: str = ""


@dataclass(frozen=True, slots=True)
class Ending:
    """`text` is None where a workflow's outputs do not show which one is the answer (then see `output_names`)."""

    kind: Kind
    text: str | None = None
    evidence: Evidence = Evidence()
    usage: Usage = Usage()
    ids: Ids = field(default_factory=Ids)
    refusal: Refusal | None = None
    notes: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    node_usage: tuple[NodeUsage, ...] = ()
    reasoning: str = ""
    """What came apart from the text."""
    output_names: tuple[str, ...] = ()
    closed: bool = False
    """`message_end` came, with whatever the message's metadata holds."""
