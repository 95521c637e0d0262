"""Whatever stands in a file: the same cases from every format, and never an error other than `SuiteFault`."""

import csv
import io
import json
import zipfile
from pathlib import Path

import openpyxl
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragjudge.errors import ConfigFault, SuiteFault
from ragjudge.settings import load as load_settings
from ragjudge.suite import load, select
from ragjudge.suite.raw import is_blank
from tests import builders

NO_FILE_PER_EXAMPLE = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

# What a tester can type into a cell: no control characters (Excel and XML have none), no halves of characters.
TYPED = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Cn"), exclude_characters="\ufeff\ufffe\uffff"),
    min_size=1,
    max_size=30,
).filter(lambda text: text.strip() == text and not is_blank(text))
ROWS = st.lists(
    st.fixed_dictionaries(
        {"question": TYPED, "answer": TYPED, "category": TYPED, "entity": TYPED, "memo": TYPED}
    ),
    min_size=1,
    max_size=5,
)


def written(rows: list[dict[str, str]], suffix: str) -> bytes:
    """The rows as another program would write them."""
    titles = list(rows[0])
    match suffix:
        case ".json":
            return json.dumps(rows).encode()
        case ".jsonl":
            return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()
        case ".yaml":
            return yaml.safe_dump(rows, allow_unicode=True).encode()
        case ".csv":
            text = io.StringIO(newline="")
            writer = csv.DictWriter(text, titles, quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows(rows)
            return text.getvalue().encode("utf-8-sig")
        case _:
            book = openpyxl.Workbook()
            sheet = book.active
            for row in [titles, *([row[title] for title in titles] for row in rows)]:
                sheet.append(row)
                for cell in sheet[sheet.max_row]:
                    cell.data_type = "s"
            data = io.BytesIO()
            book.save(data)
            return data.getvalue()


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".yaml", ".csv", ".xlsx"])
@NO_FILE_PER_EXAMPLE
@given(rows=ROWS)
def test_every_format_gives_the_same_cases(tmp_path, suffix, rows):
    """A team may move from Excel to JSON without losing its baseline."""
    rows = [{"id": str(n), **row} for n, row in enumerate(rows)]
    (tmp_path / f"a{suffix}").write_bytes(written(rows, suffix))

    found = load([f"a{suffix}"], base_dir=tmp_path).cases

    assert [
        {"id": c.id, "question": c.question, "answer": c.reference, "category": c.category, **c.fields}
        for c in found
    ] == rows


SEED = [
    {
        "id": 1,
        "entity": "本社",
        "question": "締め日は?",
        "answer": "月末\nです",
        "tags": "a,b",
        "inputs": '{"a": [1, 2.5, true]}',
        "checks": "{contains: [x], max_latency_s: 3}",
        "turns": "次は?",
    },
    {"id": 2, "question": "q", "answer": 2.5, "skip": True, "inputs": "E=1"},
]
SEEDS = {
    ".json": json.dumps(SEED, ensure_ascii=False, indent=1).encode(),
    ".jsonl": "\n".join(json.dumps(row, ensure_ascii=False) for row in SEED).encode(),
    ".yaml": yaml.safe_dump(SEED, allow_unicode=True).encode(),
    ".csv": '表,\nid,question,answer,inputs\n1,締め日は?,"月末\nです",E=1\n'.encode("cp932"),
    ".xlsx": written([{k: str(v) for k, v in SEED[0].items()}], ".xlsx"),
}
PIECES = st.one_of(
    st.binary(max_size=8),
    st.sampled_from(
        [
            b"[",
            b"}",
            b'"',
            b",",
            b":",
            b"\n",
            b"- ",
            b"\x00",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"\\ud800",
            b"&a ",
            b"*a",
            b"!!x ",
            b"1e999",
            b"9" * 400,
            b"<<: ",
            b"A1:XFD1048576",
            b"&#0;",
            "質問".encode(),
            "質問".encode("cp932"),
            b"nan",
        ]
    ),
)
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), PIECES), min_size=1, max_size=6)


def edited(data: bytes, edits) -> bytes:
    """Some bytes replaced by others, at places given as shares of the length."""
    for share, cut, piece in edits:
        at = int(share * len(data))
        data = data[:at] + piece + data[at + cut :]
    return data


def only_suite_faults(folder: Path, suffix: str, data: bytes) -> None:
    (folder / f"a{suffix}").write_bytes(data)
    try:
        found = load([f"a{suffix}"], base_dir=folder)
    except SuiteFault as fault:
        for language in ("ja", "en"):
            fault.in_language(language).encode()
    else:
        assert found.cases
        found.model_dump_json()


@pytest.mark.parametrize("suffix", SEEDS)
@NO_FILE_PER_EXAMPLE
@given(edits=EDITS)
def test_damaged_files_end_in_a_suite_fault(tmp_path, suffix, edits):
    """A tester's half-saved file is told in a sentence."""
    only_suite_faults(tmp_path, suffix, edited(SEEDS[suffix], edits))


@NO_FILE_PER_EXAMPLE
@given(edits=EDITS, part=st.integers(0, 20))
def test_damaged_parts_of_a_workbook_end_in_a_suite_fault(tmp_path, edits, part):
    """The archive is sound, its XML is not."""
    with zipfile.ZipFile(io.BytesIO(SEEDS[".xlsx"])) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = sorted(parts)[part % len(parts)]
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for each, content in parts.items():
            archive.writestr(each, edited(content, edits) if each == name else content)

    only_suite_faults(tmp_path, ".xlsx", data.getvalue())


@pytest.mark.parametrize("suffix", SEEDS)
@NO_FILE_PER_EXAMPLE
@given(data=st.binary(max_size=200))
def test_any_bytes_end_in_a_suite_fault_or_a_suite(tmp_path, suffix, data):
    """No file can crash the tool."""
    only_suite_faults(tmp_path, suffix, data)


ANY_TEXT = st.text(st.characters(), max_size=8)
"""With halves of characters, which JSON can spell."""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)
FIELD = st.sampled_from(
    [
        "id",
        "question",
        "answer",
        "inputs",
        "tags",
        "turns",
        "checks",
        "files",
        "metrics",
        "skip",
        "category",
        "contains",
        "reference_contexts",
        "regex",
        "max_latency_s",
        "inputs.x",
        "own",
    ]
)


@NO_FILE_PER_EXAMPLE
@given(cases=st.lists(st.dictionaries(FIELD, JSON, max_size=5), max_size=3))
def test_wrong_types_end_in_a_suite_fault(tmp_path, cases):
    """Any JSON value in any field."""
    only_suite_faults(tmp_path, ".json", json.dumps(cases).encode())


CONFIG = b"""suite: [a.json]
app: {base_url: https://d.example/v1, inputs: {E: "${e}", n: 1}}
judge: {provider: openai, model: m, allow: [x]}
metrics: {use: [correctness], custom: [{name: tone, rubric: r, scale: [1, 5], examples: [{a: 1}]}]}
gate: {tolerance: {correctness: 0.1}, max_unscored: 1}
accept: [{case: 1, metric: correctness, reason: r, until: 2026-12-31}]
"""


@settings(max_examples=150, deadline=None)
@given(edits=EDITS)
def test_damaged_configs_end_in_a_config_fault(edits):
    """As with suites."""
    try:
        load_settings(edited(CONFIG, edits).decode("utf-8", "replace"))
    except ConfigFault as fault:
        fault.in_language("ja").encode()


@settings(max_examples=60, deadline=None)
@given(count=st.integers(1, 40), parts=st.integers(1, 40))
def test_shards_share_no_case_and_hold_all(count, parts):
    """Whatever the sizes; a shard without a case says so."""
    suite = builders.suite(*(builders.case(str(n)) for n in range(count)))

    found = [
        c.id for part in range(1, min(parts, count) + 1) for c in select(suite, shard=(part, parts)).cases
    ]

    assert sorted(found) == sorted(c.id for c in suite.cases)
