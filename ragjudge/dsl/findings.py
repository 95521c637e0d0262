"""What is broken or dangerous in an export, found before it runs: one finding per fault, on its own line."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ragjudge.dsl.load import Dsl
from ragjudge.errors import ConfigFault, Place, Problem
from ragjudge.language import Text
from ragjudge.settings.suggestions import did_you_mean


class Rule(StrEnum):
    """Names for the config's `dsl.severity`."""

    DANGLING_EDGE = "dangling_edge"
    DANGLING_REFERENCE = "dangling_reference"
    DUPLICATE_NODE = "duplicate_node"
    UNREACHABLE_NODE = "unreachable_node"
    NO_START = "no_start"
    NO_ANSWER = "no_answer"
    NO_DATASET = "no_dataset"
    NO_QUERY = "no_query"
    CITATION_OFF = "citation_off"
    EMPTY_PROMPT = "empty_prompt"
    NO_MODEL = "no_model"
    BAD_SETTING = "bad_setting"
    OUT_OF_RANGE = "out_of_range"
    SECRET_VALUE = "secret_value"
    CREDENTIAL = "credential"
    NEWER_DSL = "newer_dsl"
    MISSING_PLUGIN = "missing_plugin"
    MISSING_INPUT = "missing_input"
    UNKNOWN_INPUT = "unknown_input"


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    OFF = "off"


DEFAULT_SEVERITY = dict.fromkeys(Rule, Severity.ERROR) | {
    Rule.UNREACHABLE_NODE: Severity.WARNING,
    Rule.CITATION_OFF: Severity.WARNING,
    Rule.NEWER_DSL: Severity.WARNING,
    Rule.MISSING_PLUGIN: Severity.WARNING,
    Rule.UNKNOWN_INPUT: Severity.WARNING,
    Rule.EMPTY_PROMPT: Severity.WARNING,
    Rule.OUT_OF_RANGE: Severity.WARNING,
}


def levels(configured: Mapping[str, str]) -> dict[Rule, Severity]:
    """The config's `dsl.severity`. Raises ConfigFault for a rule that does not exist."""
    unknown = [name for name in configured if name not in set(Rule)]
    if unknown:
        raise ConfigFault(
            [
                Problem(
                    Text(
                        f"dsl.severity: there is no rule {n!r}.",
                        f"dsl.severity: 「{n}」という規則はありません。",
                    ),
                    cure=did_you_mean(n, list(Rule)),
                )
                for n in unknown
            ]
        )
    return {Rule(name): Severity(level) for name, level in configured.items()}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault. `severity` is as configured; those that are off are not made."""

    rule: Rule
    what: Text
    place: Place
    cure: Text
    severity: Severity = Severity.ERROR

    @property
    def problem(self) -> Problem:
        return Problem(self.what, self.place, self.cure)


Check = Callable[[Dsl], Iterator[Finding]]
