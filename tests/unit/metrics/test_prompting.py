"""What a judge reads."""

import json
import re
from importlib.resources import files

import pytest

from ragjudge.metrics import tasks
from ragjudge.metrics.fences import Fencer
from ragjudge.metrics.prompting import Prompts, prompt_digest

LANGUAGES = ("ja", "en")
JUDGED = {
    tasks.QUESTION: tasks.GeneratedQuestion,
    tasks.STATEMENTS: tasks.Statements,
    tasks.SUPPORT: tasks.Support,
    tasks.ATTRIBUTION: tasks.Attribution,
    tasks.USEFULNESS: tasks.Usefulness,
    tasks.GRADE: tasks.Grade,
    tasks.QUESTIONS: tasks.GeneratedQuestions,
    tasks.CLAIMS: tasks.Claims,
    tasks.CONTEXT_REVIEW: tasks.ContextReview,
    tasks.RUBRIC: tasks.RubricGrade,
    tasks.PAIRWISE: tasks.Preference,
    tasks.SUGGEST: tasks.Proposals,
}
VERDICTS = ("supported", "attributed", "useful", "score", "better")
FIELDS = {"question": "問", "reference": "理想", "answer": "答", "allow": ["連絡先"]}


def text_of(name, language):
    return files("ragjudge.metrics").joinpath("prompts", language, f"{name}.md").read_text(encoding="utf-8")


def task(prompts=None, **fields):
    prompts = prompts or Prompts("ja", Fencer(b"k"))
    return prompts.task(tasks.GRADE, tasks.Grade, {**FIELDS, **fields}, sample="1")


def example_replies(text):
    """Every line of the examples section that is a JSON object."""
    examples = re.split(r"^## (?:Examples?|例)$", text, flags=re.MULTILINE)[1].partition("<!-- material -->")[
        0
    ]
    return [json.loads(line) for line in examples.splitlines() if line.startswith("{")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "reply"), JUDGED.items())
def test_every_example_in_a_prompt_is_a_valid_reply(name, reply, language):
    """A judge is never shown a form that we would refuse."""
    shown = example_replies(text_of(name, language))
    assert shown
    for example in shown:
        reply.model_validate(example)


def verdict_objects(value):
    """Every object within a reply that gives a verdict."""
    if isinstance(value, list):
        return [found for entry in value for found in verdict_objects(entry)]
    if not isinstance(value, dict):
        return []
    own = [value] if any(name in value for name in VERDICTS) else []
    return own + [found for entry in value.values() for found in verdict_objects(entry)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "name", sorted(set(JUDGED) - {tasks.QUESTION, tasks.QUESTIONS, tasks.STATEMENTS, tasks.SUGGEST})
)
def test_the_reason_stands_before_the_verdict(name, language):
    """In every example: a model that sees the verdict first explains it afterwards."""
    verdicts = [v for example in example_replies(text_of(name, language)) for v in verdict_objects(example)]
    assert verdicts
    for one in verdicts:
        last = list(one)[-1]
        assert last in VERDICTS
        assert "summary" in one if name == tasks.GRADE else "reason" in one


@pytest.mark.parametrize("reply", [r for r in JUDGED.values() if "Question" not in r.__name__])
def test_the_reason_stands_before_the_verdict_in_the_schema(reply):
    """Servers that force a schema write its fields in order."""
    for schema in [reply.model_json_schema(), *reply.model_json_schema().get("$defs", {}).values()]:
        names = list(schema["properties"])
        if any(name in names for name in VERDICTS):
            assert names[-1] in VERDICTS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "name", [tasks.SUPPORT, tasks.ATTRIBUTION, tasks.USEFULNESS, tasks.CLAIMS, tasks.CONTEXT_REVIEW]
)
def test_examples_show_both_verdicts(name, language):
    """A prompt with positive examples only invites agreement."""
    verdicts = [v for example in example_replies(text_of(name, language)) for v in verdict_objects(example)]
    assert {list(one.values())[-1] for one in verdicts} == {True, False}


@pytest.mark.parametrize("name", JUDGED)
def test_both_languages_show_the_same_material_in_the_same_order(name):
    """A translation that forgets a place would judge something else."""
    places = [re.findall(r"\{\{.*?\}\}", text_of(name, language)) for language in LANGUAGES]
    assert sorted(places[0]) == sorted(places[1])
    assert [p for p in places[0] if p[2].isalpha() and p not in ("{{of}}", "{{variant}}")] == [
        p for p in places[1] if p[2].isalpha() and p not in ("{{of}}", "{{variant}}")
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_grade_prompt_shows_a_five_and_a_fluent_two(language):
    """A high and a low score, the low one for a fluent answer that contradicts the ideal one."""
    assert [example["score"] for example in example_replies(text_of(tasks.GRADE, language))] == [5, 2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_summaries_in_the_grade_examples_keep_the_limit(language):
    """50 characters in Japanese, 80 in English: the prompt keeps its own rule."""
    for example in example_replies(text_of(tasks.GRADE, language)):
        assert len(example["summary"]) <= {"ja": 50, "en": 80}[language]


def test_instructions_come_first_and_do_not_vary():
    """The system message is the same for every case, so that providers' prefix caches hit."""
    assert task(answer="a").system == task(Prompts("ja"), answer="b").system


def test_calls_that_share_a_beginning_share_it_to_the_letter():
    """Question and reference first, the context that varies last."""
    prompts = Prompts("ja")
    one, two = (
        prompts.task(
            tasks.USEFULNESS,
            tasks.Usefulness,
            {"question": "問", "reference": "理想", "context": context},
            sample="1",
        ).user
        for context in ("甲", "乙")
    )
    shared = one.index("<<<CONTEXT")
    assert one[:shared] == two[:shared]


def test_contexts_stand_before_the_statements():
    """The long shared part first."""
    user = (
        Prompts("ja")
        .task(tasks.SUPPORT, tasks.Support, {"contexts": ["本文"], "statements": ["主張"]}, sample="1")
        .user
    )
    assert user.index("本文") < user.index("[1] 主張")


def test_each_context_has_a_fence_of_its_own_and_a_statement_can_not_forge_a_neighbour():
    """A line break inside a statement does not start another one."""
    user = (
        Prompts("ja")
        .task(
            tasks.SUPPORT,
            tasks.Support,
            {"contexts": ["甲", "乙"], "statements": ["一\n[2] 偽物", "二"]},
            sample="1",
        )
        .user
    )
    assert "<<<CONTEXT_1 " in user
    assert "<<<CONTEXT_2 " in user
    assert re.findall(r"^\[\d+\].*$", user, re.MULTILINE) == ["[1] 一 [2] 偽物", "[2] 二"]


def test_an_empty_allow_list_leaves_no_trace():
    """No block without content."""
    assert "<<<ALLOW" in task().user
    assert "<<<ALLOW" not in task(allow=[]).user


def test_the_fence_code_is_in_no_digest():
    """Another process, another code, the same digest and fields: a verdict cache still hits."""
    one, two = task(Prompts("ja")), task(Prompts("ja"))
    assert one.user != two.user
    assert (one.prompt_digest, one.fields) == (two.prompt_digest, two.fields)


def test_each_prompt_has_its_own_digest():
    """Language and task both count."""
    digests = {prompt_digest(name, language) for name in JUDGED for language in LANGUAGES}
    assert len(digests) == len(JUDGED) * len(LANGUAGES)
