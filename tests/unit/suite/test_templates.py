import pytest

from ragjudge.errors import SuiteFault
from ragjudge.suite import render_inputs, template_problems
from ragjudge.suite.case import Source
from tests import builders

CASE = builders.case(
    "17",
    category="経費",
    tags=("a", "b"),
    fields={"entity": "本社", "拠点 名": "東京", "空": ""},
    source=Source(file="a.json", line=3),
)


@pytest.mark.parametrize(
    ("template", "rendered"),
    [
        ("${entity}", "本社"), ("${Entity}", "本社"), ("${拠点 名}", "東京"), ("${空}", ""),
        ("${category}", "経費"), ("${カテゴリ}", "経費"), ("${id}-${tags}", "17-a, b"),
        ("$${entity}", "${entity}"), ("$entity {entity} $", "$entity {entity} $"), ("${", "${"),
        (3, 3), (True, True), (None, None), (["${entity}", 1], ["本社", 1]), ({"a": {"b": "${entity}"}}, {"a": {"b": "本社"}}),
    ],
)  # fmt: skip
def test_templates_are_filled_from_the_case(template, rendered):
    """Columns, id, category and tags; `$${` escapes; other types stay."""
    assert render_inputs({"x": template}, CASE) == {"x": rendered}


def test_a_value_is_not_rendered_again():
    """What a tester wrote in a cell is text, not a template."""
    case = builders.case(fields={"a": "${id}"})

    assert render_inputs({"x": "${a}"}, case) == {"x": "${id}"}


def test_the_cases_own_inputs_win():
    """And a template that is not needed need not fit."""
    case = builders.case(inputs={"Entity": "支店", "more": 1})

    assert render_inputs({"Entity": "${nothing}", "lang": "ja"}, case) == {
        "Entity": "支店",
        "lang": "ja",
        "more": 1,
    }


def test_an_unknown_name_is_a_fault_with_the_case_and_the_nearest_name():
    """Found before anything is asked."""
    with pytest.raises(SuiteFault) as caught:
        render_inputs({"Entity": "${entty}"}, CASE)

    assert [p.in_language("en") for p in caught.value.problems] == [
        "a.json:3: app.inputs.Entity uses ${entty}, but case 17 has no column 'entty'. Did you mean 'entity'?"
    ]


def test_the_known_names_are_listed_where_nothing_is_near():
    """So that the tester can choose."""
    (problem,) = template_problems({"x": "${zzzzzz}"}, [CASE])

    assert problem.cure is not None
    assert problem.cure.en == "Known: entity, 拠点 名, 空, id, category, tags, question."


def test_one_fault_in_many_cases_is_counted():
    """Ten thousand lines help nobody."""
    found = template_problems({"x": "${nope}"}, [builders.case(str(n)) for n in range(1000)])

    assert len(found) == 4
    assert found[-1].what.en == "app.inputs.x: ${nope}: 997 more cases."
