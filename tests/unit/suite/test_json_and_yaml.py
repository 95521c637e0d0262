import json
import re

import pytest

from ragjudge.errors import SuiteFault
from ragjudge.suite import load


@pytest.fixture
def told(tmp_path):
    """Write one file, load it, and return the faults in a language."""

    def tell(name: str, content: str, language="en") -> list[str]:
        (tmp_path / name).write_text(content, "utf-8")
        with pytest.raises(SuiteFault) as caught:
            load([name], base_dir=tmp_path)
        return [problem.in_language(language) for problem in caught.value.problems]

    return tell


@pytest.fixture
def cases(tmp_path):
    def read(name: str, content: str):
        (tmp_path / name).write_text(content, "utf-8")
        return load([name], base_dir=tmp_path).cases

    return read


def test_the_teams_own_shape_works_as_it_is(cases):
    """The list that a team built by hand needs no change."""
    (case,) = cases(
        "a.json",
        '[{"id": 1, "entity": "本社", "category": "経費システム", "question": "締め日は?", "answer": "月末です。"}]',
    )

    assert (case.id, case.question, case.reference) == ("1", "締め日は?", "月末です。")
    assert (case.category, case.fields) == ("経費システム", {"entity": "本社"})


def test_a_full_case_keeps_every_field(cases):
    """All fields of the documentation in one case."""
    (case,) = cases(
        "a.json",
        json.dumps(
            [
                {
                    "id": "x-1",
                    "question": "q",
                    "reference": "r",
                    "inputs": {"Entity": "本社", "n": 2, "deep": {"a": [True, None, 0.5]}},
                    "tags": ["smoke", "人事"],
                    "turns": ["もう一度", {"question": "q3", "answer": "r3", "checks": {"contains": "月末"}}],
                    "reference_contexts": ["c1, with a comma", "c2"],
                    "files": ["a.pdf"],
                    "checks": {
                        "contains": "経費、精算",
                        "not_contains": ["a, b"],
                        "max_latency_s": 20,
                        "cites": "規程.pdf",
                    },
                    "metrics": ["correctness"],
                    "skip": "古い",
                    "owner": None,
                    "links": {"a": 1},
                }
            ]
        ),
    )

    assert case.inputs == {"Entity": "本社", "n": 2, "deep": {"a": [True, None, 0.5]}}
    assert case.tags == ("smoke", "人事")
    assert [(t.question, t.reference, t.checks.contains) for t in case.turns] == [
        ("もう一度", None, ()),
        ("q3", "r3", ("月末",)),
    ]
    assert case.reference_contexts == ("c1, with a comma", "c2")
    assert (case.checks.contains, case.checks.not_contains) == (("経費、精算",), ("a, b",))
    assert (case.checks.max_latency_s, case.checks.cites) == (20.0, ("規程.pdf",))
    assert (case.metrics, case.skip) == (("correctness",), "古い")
    assert case.fields == {"owner": "", "links": '{"a": 1}'}


def test_every_fault_is_told_at_once_with_its_line(told):
    """One run shows everything that is wrong."""
    assert told(
        "a.json",
        """[
  {"id": 1, "question": " "},
  {"id": 2, "question": "a",
   "answer": "x",
   "reference": "y"},
  5,
  {"id": 3, "question": "q", "turns": [{"question": "b", "inputs": {}}],
   "checks": {"contain": "x"}},
  {"id": 4, "question": "q",
   "regex": "("},
  {"id": true, "question": "q"},
  {"id": 7, "question": "x"},
  {"id": "７", "question": "y"},
  {"question": "s"},
  {"question": "s"}
]""",
    ) == [
        "a.json:2: Case 1: The question is missing or empty.",
        (
            "a.json:5: Two columns give 'reference': 'answer' and 'reference'. Remove or rename one, or keep one as your own "
            "column in ragjudge.yml: `columns: {reference: field}`."
        ),
        "a.json:6: A case must be an object {…}.",
        "a.json:7: Case 3: turns cannot have inputs of their own: Dify takes the inputs of the first turn only.",
        "a.json:8: Case 3: checks has no check named 'contain'. Did you mean 'contains'?",
        (
            "a.json:10: Case 4: checks.regex holds a regular expression that cannot be read: '(' "
            "(missing ), unterminated subpattern at position 0)."
        ),
        "a.json:11: id must be text.",
        "a.json:13: The id '7' is taken by a.json:12. Give each case an id of its own.",
        (
            "a.json:15: The same question with the same inputs stands at a.json:14 as well, and neither has an id. "
            "Give each an id, or remove one."
        ),
    ]


def test_faults_are_told_in_japanese_too(told):
    """The person who keeps the questions reads Japanese."""
    assert told("a.json", '[{"id": 1}, {"id": 1, "question": "a"}, {"id": 1, "question": "b"}]', "ja") == [
        "a.json:1: ケース 1: 質問がないか、空です。",
        "a.json:1: id「1」は a.json:1 で既に使われています。 ケースごとに異なるidを付けてください。",
        "a.json:1: id「1」は a.json:1 で既に使われています。 ケースごとに異なるidを付けてください。",
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('[{"id":1,}]', "a.json:1: This is not valid JSON (character 10: '}' stands where '\"' was expected)."),
        ('[{"id":1}\n{"id":2}]', "a.json:2: This is not valid JSON (character 1: '{' stands where ',' was expected)."),
        ('[{"question":"a"}', "the text ends where ',' was expected"),
        ('[{"question":"a\nb"}]', "a.json:1: This is not valid JSON (character 16: Invalid control character at)."),
        ('[{"question":NaN}]', "a.json:1: NaN is not JSON."),
        ('[{"question":' + "9" * 400 + "}]", "a.json:1: A number is too long."),
        ('[{"question":1e999}]', "a.json:1: A number is too large."),
        ('[{"inputs":{"a":1,"a":2}}]', "a.json:1: 'a' stands twice in one object."),
        ("[" * 100_000, "a.json:1: Nested too deeply."),
        ('{"a": 1}', "a.json:1: The file must hold a list of cases: [{…}, {…}]."),
        ('"text"', "a.json:1: This is not valid JSON"),
        ('[{"question":"a"}] x', "a.json:1: This is not valid JSON (character 20: 'x' stands"),
        ('[{"question":"\\ud83d"}]', "a.json:1: question holds a broken character."),
        ('[{"question":"q","contains":"\\ud83d"}]', "a.json:1: checks.contains holds a broken character."),
        ('[{"question":"a\\u0000"}]', "a.json:1: question holds a broken character."),
        ('[{"question":"q","\\ud83d":1}]', "holds a broken character"),
        ('[{"question":["a","b"]}]', "a.json:1: question must be one text, not a list."),
        ('[{"question":"q","id":"a\\nb"}]', "a.json:1: id must be one line of at most 200 characters."),
        ("[]", "a.json: The suite holds no case."),
        ("  \n", "a.json: The suite holds no case."),
    ],
)  # fmt: skip
def test_broken_json_is_one_plain_sentence(told, content, says):
    """Position, what stands there, and nothing else."""
    (only,) = told("a.json", content)

    assert says in only


def test_a_fault_can_always_be_printed(told):
    """Half a character in a title must not break the message about it."""
    for line in told("a.json", '[{"question":"q","\\ud83d":1,"\\ud83d ":2,"turns":[{"\\ud83d":1}]}]'):
        assert line.encode()


def test_a_wrapped_list_is_accepted(cases):
    """`{"cases": […]}` is a list all the same."""
    found = cases("a.json", '{"version": 2, "cases": [\n{"question": "a"}, {"question": "b"}]}')

    assert [case.question for case in found] == ["a", "b"]


def test_jsonl_keeps_going_after_a_bad_line(told):
    """Every bad line is named, and U+2028 does not end one."""
    assert told(
        "a.jsonl", '{"id":1,"question":"a\u2028b"}\n\n{"id":2 "question"}\n[]\n{"id":3,"question":""}\n'
    ) == [
        (
            "a.jsonl:3: This is not valid JSON (character 9: '\"' stands where ',' was expected). "
            "Look for a missing or extra comma."
        ),
        "a.jsonl:4: A case must be an object {…}.",
        "a.jsonl:5: Case 3: The question is missing or empty.",
    ]


def test_a_comma_behind_a_line_of_jsonl_is_told_plainly(told):
    """As it is left over from a JSON array."""
    line = '{"id":1,"question":"a"},\n'

    assert told("a.jsonl", line) == [
        (
            "a.jsonl:1: This is not valid JSON (character 24: ',' stands after the end). "
            "Each line holds one case {…} and no comma behind it."
        )
    ]
    assert told("a.jsonl", line, "ja") == [
        (
            "a.jsonl:1: JSONとして読めません(24文字目: 終わりのあとに ',' があります)。 "
            "1行に {…} を1件だけ書き、そのあとにカンマは付けません。"
        )
    ]


@pytest.mark.parametrize(
    ("title", "said"),
    [("quesion", "quesion"), ("Qustion", "Qustion"), ("お客様の質問", "お客様の質問"), ("本文", None)],
)
def test_a_mistyped_question_is_guessed(told, title, said):
    """The key that is most likely meant, and both ways out."""
    (only,) = told("a.json", f'[{{"id": 1, "entity": "e",\n"{title}": "q"}}]')

    cure = (
        f" Is {said!r} meant? Name it `question`, or write `columns: {{{said}: question}}` in ragjudge.yml."
    )
    place, cure = ("a.json:2", cure) if said else ("a.json:1", "")
    assert only == f"{place}: Case 1: The question is missing or empty.{cure}"


def test_jsonl_reads_one_case_per_line(cases):
    """With Windows line ends and a blank last line."""
    found = cases("a.jsonl", '{"id": 1, "question": "a"}\r\n{"id": 2, "question": "b"}\r\n\r\n')

    assert [(case.id, case.source.line) for case in found] == [("1", 1), ("2", 2)]


def test_yaml_keeps_what_was_written(cases):
    """`001`, `1.0`, `no` and dates are text; inputs keep their types."""
    found = cases(
        "a.yaml",
        """
- id: 001
  question: yes
  answer: no
  since: 2026-01-01
  version: 1.10
  inputs: {flag: true, n: 1.5, day: 2026-01-01, code: 007}
- id: 1.0
  question: |
    二行の
    質問
- id: no
  question: q
- id: 2026-12-31
  question: q
- id: true
  question: q
""",
    )

    assert [case.id for case in found] == ["001", "1.0", "no", "2026-12-31", "true"]
    assert (found[0].question, found[0].reference) == ("yes", "no")
    assert found[0].fields == {"since": "2026-01-01", "version": "1.10"}
    assert found[0].inputs == {"flag": True, "n": 1.5, "day": "2026-01-01", "code": "007"}
    assert found[1].question == "二行の\n質問\n"


def test_yaml_under_cases_and_with_defaults(cases):
    """A mapping with `cases:` and merge keys."""
    (case,) = cases("a.yml", "common: &c {entity: 本社}\ncases:\n  - <<: *c\n    question: q\n")

    assert case.fields == {"entity": "本社"}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("- question: a\n  question: b", "a.yaml:2: 'question' stands here twice (first on line 1)."),
        ("question: a", "a.yaml:1: The file must hold a list of cases"),
        ("- just text", "a.yaml:1: A case must be `name: value` pairs."),
        ("- question: !!python/name:os.system x", "a.yaml:1: The tag"),
        ("- question: a\n - b", "a.yaml:2: This is not valid YAML"),
        ("", "a.yaml: The suite holds no case."),
    ],
)
def test_broken_yaml_is_one_plain_sentence(told, content, says):
    """As with JSON."""
    (only,) = told("a.yaml", content)

    assert says in only


def test_a_case_without_an_id_is_named_by_what_it_asks(cases):
    """The id stays while question and inputs stay, whatever else changes."""
    one, two = cases("a.json", '[{"question":"a","answer":"x"},{"question":"a","inputs":{"e":1}}]')
    (again,) = cases("b.json", '[{"question":"a","answer":"changed","category":"c"}]')

    assert one.id == again.id != two.id
    assert one.id == one.question_digest


@pytest.mark.parametrize(
    ("written", "skip"),
    [
        ("true", "skip"),
        ('"はい"', "skip"),
        ('"仕様変更中"', "仕様変更中"),
        ("false", None),
        ('"no"', None),
        ("null", None),
        ('""', None),
    ],
)
def test_skip_takes_a_reason_or_a_plain_yes(cases, written, skip):
    """`skip: false` runs the case."""
    (case,) = cases("a.json", f'[{{"question":"a","skip":{written}}}]')

    assert case.skip == skip


@pytest.mark.parametrize(
    "case",
    [
        '{"question": }', '{"question": "a', '{"question": "\\x"}', '{"question": "a\tb"}', '{"question": "\\u12"}',
        '{"tags": [1 2]}', '{"tags": [1,]}', '{"tags": [', '{"inputs": {"a": 1,}}', '{"inputs": {"a" 1}}',
        '{"inputs": {1: 2}}', '{"question" "a"}', '{question: "a"}', "{'question': 'a'}", '{"question": "a"',
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_what_is_no_json_is_told_in_the_readers_language(tmp_path, name, case):
    """The library speaks English only."""
    (tmp_path / name).write_text(f"[{case}]" if name == "a.json" else case, "utf-8")

    with pytest.raises(SuiteFault) as caught:
        load([name], base_dir=tmp_path)

    (problem,) = caught.value.problems
    assert problem.what.ja.startswith("JSONとして読めません(")
    assert re.findall("[A-Za-z]{3,}", problem.what.ja.removeprefix("JSON")) == []


def test_a_comma_within_braces_cuts_no_text_short(told):
    """YAML reads `{answer: 2,500円です。}` as the answer 2 and a key without a colon."""
    said = "stands behind a comma without a name. Within { } put a text that holds a comma into quotes."
    assert told(
        "a.yaml",
        "- {id: 1, question: q, answer: 一般社員は2,500円です。}\n- {id: 2, question: a, b?\n}\n"
        "- {id: 3, question: q, inputs: {Entity: x,y}}\n- {id: 4, question: q, 備考: , メモ: ~}\n"
        '- {id: 5, question: "a, b?", answer: c}\n- question: a, b\n  備考:\n',
    ) == [
        f"a.yaml:1: '500円です。' {said}",
        f"a.yaml:2: 'b?' {said}",
        f"a.yaml:4: 'y' {said}",
    ]


def test_a_forgotten_space_after_a_colon_loses_no_field(told):
    """YAML reads `answer:30日` as one key without a value: the case would go without its reference."""
    assert told(
        "a.yaml",
        "- {id: 1, question: 経費は?, answer:30日}\n- {id: 2, question: q, inputs: {Entity:本社}}\n"
        "- {id: 3, question: q, checks: {contains:本社}}\n",
    ) == [
        "a.yaml:1: 'answer:30日' has no value. Write a space after the colon: `answer: 30日`.",
        "a.yaml:2: 'Entity:本社' has no value. Write a space after the colon: `Entity: 本社`.",
        "a.yaml:3: Case 3: checks has no check named 'contains:本社'. Write a space after the colon: `contains: 本社`.",
    ]


def test_a_team_column_that_may_lack_its_space_is_noted_once(tmp_path):
    """Nothing that the check needs is lost, and a title may hold a colon."""
    (tmp_path / "a.yaml").write_text(
        "- {id: 1, question: q, 区分け:本社}\n- {id: 2, question: q, 区分け:支店}\n", "utf-8"
    )

    assert [note.en for note in load(["a.yaml"], base_dir=tmp_path).notes] == [
        "a.yaml:1: '区分け:本社' has no value. Write a space after the colon: `区分け: 本社`."
    ]
