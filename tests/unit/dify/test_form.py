"""A case's inputs against the app's start form."""

import math

import pytest

from ragjudge.dify.form import Misfit, read_form


def field(kind: str, variable: str, **more: object) -> dict[str, object]:
    return {
        kind: {
            "variable": variable,
            "label": variable,
            "required": False,
            "options": [],
            "max_length": 48,
            **more,
        }
    }


FORM = read_form(
    [
        field("text-input", "Entity", required=True, max_length=4),
        field("select", "tier", options=["free", "Pro"]),
        field("number", "count"),
        field("checkbox", "urgent"),
        field("paragraph", "note", max_length=0),
        field("file", "scan"),
        field("json_object", "meta"),
    ]
)


@pytest.mark.parametrize(
    ("name", "given", "sent"),
    [
        ("count", "3", 3),
        ("count", "12.5", 12.5),
        ("count", 3.5, 3.5),
        ("count", " 1,234 ", 1234),
        ("count", "-2", -2),
        ("count", "１，２３４", 1234),
        ("count", "１．５", 1.5),
        ("count", "－５", -5),
        ("count", "−5", -5),
        ("count", "＋５", 5),
        ("count", "１２", 12),
        ("count", "1,234,567.5", 1234567.5),
        ("count", "1e3", 1000.0),
        ("count", ".5", 0.5),
        ("count", "007", 7),
        ("tier", "pro ", "Pro"),
        ("tier", "free", "free"),
        ("urgent", "はい", True),
        ("urgent", "FALSE", False),
        *(("urgent", tick, True) for tick in ("○", "〇", "◯", "✔", "☑", "ＴＲＵＥ", "１", "Y", "ｵﾝ", 1.0)),
        *(("urgent", cross, False) for cross in ("×", "✕", "☐", "Ｎｏ", "N", 0.0)),
        ("urgent", True, True),
        ("urgent", 1, True),
        ("meta", '{"a": [1, "二"]}', {"a": [1, "二"]}),
        ("meta", " {}\n", {}),
        ("meta", {"a": 1}, {"a": 1}),
        ("note", 12.0, "12"),
        ("note", "", ""),
        ("other", {"a": [1]}, {"a": [1]}),
    ],
)
def test_converts_what_a_suite_holds_as_text(name, given, sent):
    """Spreadsheets hold numbers, choices and ticks as text; variables the form does not know are passed on."""
    assert {"Entity": "本社", name: sent} == FORM.fitted({"Entity": "本社", name: given})


@pytest.mark.parametrize("name", ["count", "tier", "urgent", "meta"])
@pytest.mark.parametrize("given", ["", " ", "　", None])
def test_leaves_out_an_optional_input_that_is_empty(name, given):
    """An empty cell is no value: the server would refuse "" as a number or an option."""
    assert {"Entity": "本社"} == FORM.fitted({"Entity": "本社", name: given})


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "“Entity” is required"),
        ({"Entity": None}, "“Entity” is required"),
        ({"Entity": "東京支店です"}, "6 characters; the app takes 4"),
        ({"Entity": ["x"]}, "must be a text"),
        ({"Entity": "本社", "tier": "gold"}, "is “gold”; allowed: free, Pro"),
        ({"Entity": "本社", "count": "many"}, "must be a number"),
        ({"Entity": "本社", "count": [1]}, "must be a number"),
        ({"Entity": "本社", "count": "nan"}, "must be a number"),
        *(
            ({"Entity": "本社", "count": text}, "must be a number")
            for text in (
                "1,5",
                "3,14",
                "12,34",
                "1,234,5",
                ",5",
                "1_000",
                "1 000",
                "1,000円",
                "①",
                "1e400",
                "0" * 5000 + "1",
                ".",
            )
        ),
        *(({"Entity": "本社", "count": value}, "must be a number") for value in (math.inf, math.nan)),
        ({"Entity": "本社", "urgent": "maybe"}, "must be true or false"),
        ({"Entity": "本社", "meta": "not json"}, "“meta” must be a JSON object, not “not json”"),
        ({"Entity": "本社", "meta": "{'a': 1}"}, "must be a JSON object"),
        ({"Entity": "本社", "meta": '{"a": NaN}'}, "must be a JSON object"),
        ({"Entity": "本社", "meta": '{"a": 1e999}'}, "must be a JSON object"),
        ({"Entity": "本社", "meta": '{"a": "\\ud800"}'}, "must be a JSON object"),
        ({"Entity": "本社", "meta": {"a": math.inf}}, "must be a JSON object"),
        ({"Entity": "本社", "meta": "[" * 100_000}, "must be a JSON object"),
        ({"Entity": "本社", "other": math.nan}, "“other” holds a number or character that JSON has not"),
        ({"Entity": "本社", "other": {"a": [math.inf]}}, "that JSON has not"),
        ({"Entity": "本社", "other": "\ud800"}, "that JSON has not"),
        ({"Entity": "本社", "meta": "[1]"}, "not “[1]”"),
        ({"Entity": "本社", "meta": [1]}, "not “[1]”"),
        ({"Entity": "本社", "meta": 5}, "not “5”"),
        ({"Entity": "本社", "meta": "null"}, "not “null”"),
    ],
)
def test_names_the_variable_and_what_is_allowed(inputs, words):
    """In the server's stead: a streaming call with such inputs would hang for minutes."""
    (misfit,) = FORM.misfits(inputs)

    assert words in misfit.what.en
    with pytest.raises(Misfit):
        FORM.fitted(inputs)


@pytest.mark.parametrize("text", ["1,5", "３，１４"])
def test_does_not_guess_what_a_comma_means(text):
    """15, or 1.5? The tester says."""
    (misfit,) = FORM.misfits({"Entity": "本社", "count": text})

    assert text in misfit.what.ja
    assert "小数はピリオド" in misfit.cure.ja


def test_accepts_an_empty_required_text():
    """The server does, too: only a missing key or null is refused."""
    assert [] == FORM.misfits({"Entity": ""})


def test_notices_a_name_in_other_case():
    """`entity` in the suite, `Entity` in the app."""
    (misfit,) = FORM.misfits({"entity": "本社"})

    assert "the app spells it “Entity”" in misfit.cure.en
    assert "大文字" in misfit.cure.ja


@pytest.mark.parametrize("kind", ["select", "number", "checkbox", "json_object", "file"])
@pytest.mark.parametrize("empty", ["", "　", None])
def test_says_of_an_empty_required_value_that_it_is_empty(kind, empty):
    """The name is right: an empty cell is to be filled."""
    form = read_form([field(kind, "Entity", required=True, options=["本社"])])

    (misfit,) = form.misfits({"Entity": empty})

    assert ("入力「Entity」は必須です。", "値が空です。値を入力してください。") == (
        misfit.what.ja,
        misfit.cure.ja,
    )


@pytest.mark.parametrize(
    "value", [None, "x", [1], [{}], [{"select": 5}], [{"select": {"variable": ""}}], {"a": 1}]
)
def test_bears_a_form_of_any_shape(value):
    """An unreadable field is no field."""
    assert () == read_form(value).variables
