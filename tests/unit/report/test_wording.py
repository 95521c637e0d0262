"""Both languages say everything."""

import dataclasses
import re
import string

import pytest

from ragjudge.compare.decision import CaseStatus, ReasonCode, Verdict
from ragjudge.metric_specs import BUILT_IN, CHECKS, VIEWPOINTS
from ragjudge.report import wording
from ragjudge.report.view.model import MetricMark
from ragjudge.results.answer import ContextSource, MissingContexts
from ragjudge.results.outcome import Cause, Inapplicable

TABLES = {
    "verdicts": Verdict,
    "reasons": ReasonCode,
    "statuses": CaseStatus,
    "causes": Cause,
    "inapplicable": Inapplicable,
    "missing_contexts": MissingContexts,
    "context_sources": ContextSource,
    "marks": MetricMark,
}
JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("table", TABLES)
def test_each_table_is_total(table, language):
    """Every verdict, reason, status, cause and so on has its words, and none is empty."""
    entries = getattr(wording.of(language), table)
    assert set(entries) == set(TABLES[table])
    assert all(_said(entry) for entry in entries.values())


@pytest.mark.parametrize("language", ["ja", "en"])
def test_metrics_and_viewpoints_have_names(language):
    """Every built-in metric, the checks and every viewpoint has a name."""
    words = wording.of(language)
    assert set(words.metrics) == {*BUILT_IN, CHECKS.name}
    assert set(words.viewpoints) == set(VIEWPOINTS)


@pytest.mark.parametrize("part", ["headings", "labels", "phrases"])
def test_both_languages_take_the_same_placeholders(part):
    """A sentence has the same placeholders in both languages, so that neither loses a number."""
    ja, en = getattr(wording.of("ja"), part), getattr(wording.of("en"), part)
    for field in dataclasses.fields(ja):
        taken = [_placeholders(getattr(words, field.name)) for words in (ja, en)]
        counting = [names - {"count", "cases"} for names in taken]
        assert counting[0] == counting[1], field.name
        assert bool(taken[0] - counting[0]) == bool(taken[1] - counting[1]), field.name


@pytest.mark.parametrize("code", ReasonCode)
def test_reasons_give_the_same_facts_in_both_languages(code):
    """A reason names its metric, its numbers and its cases in both languages."""
    taken = [_placeholders(wording.of(language).reasons[code].what) for language in ("ja", "en")]
    assert taken[0] - {"count", "cases"} == taken[1] - {"count", "cases"}


@pytest.mark.parametrize("cause", Cause)
def test_each_cause_has_a_cure(cause):
    """A cause without advice helps nobody."""
    assert all(wording.of(language).causes[cause].todo for language in ("ja", "en"))


def test_languages_are_not_mixed_up():
    """Japanese sentences are Japanese, English ones are not."""
    for code in ReasonCode:
        assert JAPANESE.search(wording.of("ja").reasons[code].what)
        assert not JAPANESE.search(wording.of("en").reasons[code].what)


def _said(entry: object) -> str:
    if isinstance(entry, str):
        return entry
    return getattr(entry, "name", "") or getattr(entry, "what", "")


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}
