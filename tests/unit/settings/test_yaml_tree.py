import re

import pytest

from ragjudge.settings.yaml_tree import Entries, Items, Scalar, YamlFault, parse, plain_value


def fault(text: str) -> YamlFault:
    with pytest.raises(YamlFault) as caught:
        parse(text)
    return caught.value


def test_every_node_knows_its_line():
    """A message can point at the line in the user's file."""
    root = parse("a: 1\nb:\n  - x\n  - y: 2\n")

    assert isinstance(root, Entries)
    assert [(key.text, key.line) for key, _ in root.pairs] == [("a", 1), ("b", 2)]
    items = root.get("b")
    assert isinstance(items, Items)
    assert [node.line for node in items.nodes] == [3, 4]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("001", "001"), ("no", "no"), ("on", "on"), ("2026-12-31", "2026-12-31"), ("12:30:00", "12:30:00"),
        ("1_000", "1_000"), ("0x1F", "0x1F"), (".nan", ".nan"), (".inf", ".inf"),
        ("1", 1), ("-3", -3), ("0.5", 0.5), ("1e3", 1000.0), ("true", True), ("False", False),
        ("", None), ("~", None), ("null", None),
    ],
)  # fmt: skip
def test_only_the_core_types_are_more_than_text(written, value):
    """Ids, dates and answers stay what a tester wrote."""
    found = plain_value(written)

    assert found == value
    assert type(found) is type(value)


def test_quoted_numbers_stay_text():
    """Quotes mean text."""
    root = parse("a: '1'\nb: \"true\"")

    assert isinstance(root, Entries)
    assert [node.value for _, node in root.pairs if isinstance(node, Scalar)] == ["1", "true"]


def test_a_billion_laughs_is_refused_at_once():
    """Aliases are counted as if written out, without writing them out."""
    levels = "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(12)
    )

    found = fault("a: &a [x, x, x]\n" + levels)

    assert "Too many values" in found.what.en


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a: 1\nb: 2\na: 3", 3, "twice"),
        ("a: !!python/object/apply:os.system ['x']", 1, "tag"),
        ("a: !custom 1", 1, "tag"),
        ("a: [1, 2", 2, "not valid YAML"),
        ("a: \x07", 1, "not valid YAML"),
        ("a: b\n\ud800", 2, "broken character"),
        ("- " * 100 + "a", 1, "deeper"),
        ("a: *nobody", 1, "alias"),
        ("a: &a [*a]", 1, "alias"),
        ("a: 1\n---\nb: 2", 2, "Only one"),
        ("? [a]\n: 1", 1, "key"),
    ],
)
def test_what_is_not_accepted_is_named_with_its_line(text, line, says):
    """Hostile and broken documents end in one plain sentence."""
    found = fault(text)

    assert (found.line, says in found.what.en) == (line, True)


def test_merge_keys_fill_in_what_the_mapping_does_not_say():
    """`<<: *defaults` works as people know it."""
    root = parse("base: &base {x: 1, y: 2}\none:\n  <<: *base\n  y: 3\n")

    assert isinstance(root, Entries)
    one = root.get("one")
    assert isinstance(one, Entries)
    assert {key.text: node.value for key, node in one.pairs if isinstance(node, Scalar)} == {"y": 3, "x": 1}


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment"])
def test_an_empty_document_is_none(text):
    """No content is not a fault of the text."""
    assert parse(text) is None


@pytest.mark.parametrize("text", ["e1", "E5", ".e3", "-e1", "+", ".", "-."])
def test_an_exponent_or_a_sign_alone_is_a_text(text):
    """An id such as `e1` is no number."""
    assert plain_value(text) == text


def test_aliases_cannot_nest_deeper_than_what_is_written_out():
    """Each anchor is shallow; what they make of each other would be thousands of levels deep."""
    text = "t0: &t0 [a]\n" + "".join(f"t{n}: &t{n} [[[[*t{n - 1}]]]]\n" for n in range(1, 500))

    assert "deeper" in fault(text).what.en


@pytest.mark.parametrize(
    "text",
    [
        "a: b: c", "- a: b\n c: d", "- \ta: b", "- [a", "- {a: b", '- "a', "- a: @b", "- a\n  b\n  c: d", "- 'a' b",
        "- |x\n  a", '- "\\q"', '- "\\uZZZZ"', "\x01", "- a\n\tb: c", "- &\n", "- !<x\n", "%YAML 3.0\n---\na", "- a\n...\nb",
        "- a\n]", '"a\n---\n"', "- a: - b", "a: ]",
    ],
)  # fmt: skip
def test_what_is_no_yaml_is_told_in_the_readers_language(text):
    """The library speaks English only."""
    with pytest.raises(YamlFault) as caught:
        parse(text)

    assert re.findall("[A-Za-z]{3,}", caught.value.what.ja.removeprefix("YAML")) == []
    assert caught.value.what.en.startswith("This is not valid YAML (")
