"""What the runner sees of us."""

import base64
import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragjudge.github.commands import Annotation, Runner, inert, within_bytes
from tests import hostile

SECRET = "app-Key/+with=chars&more"


@pytest.fixture
def files(tmp_path):
    return {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}


def runner(files=None):
    log = io.StringIO()
    return Runner(log, files or {}), log


def commands_seen(log):
    """The commands that GitHub's runner would obey, fences respected (its own parsing rules, in short)."""
    stop, found = None, []
    for line in re.split(r"\r\n|\r|\n", log):
        if stop is not None:
            if line.strip() == f"::{stop}::":
                stop = None
            continue
        if line.lstrip().startswith("::stop-commands::"):
            stop = line.strip().removeprefix("::stop-commands::")
        elif (line.lstrip().startswith("::") and "::" in line.lstrip()[2:]) or (
            "##[" in line and "]" in line
        ):
            found.append(line)
    return found


HOSTILE = [
    "::error::x",
    "  ::add-mask::a",
    "a\n::set-env name=PATH::/evil",
    "\r::notice::r",
    "##[add-matcher]y",
    "text ##[error]late",
    "::stop-commands::token",
    "\u3000::warning::wide blank",
    "##[##[group]nested",
    ":::error::three",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_other_peoples_text_is_no_command(text):
    """Neither spelling survives, wherever it stands in a line."""
    ours, log = runner()

    ours.say(text)

    assert commands_seen(log.getvalue()) == []


@given(st.text(alphabet=":#[] \r\n\t\u2028\x85abc=,%", max_size=60))
def test_no_text_becomes_a_command(text):
    """Property form of the same, over the characters that commands are made of."""
    assert commands_seen(inert(text)) == []


def test_text_without_markers_is_unchanged():
    """A log stays copyable."""
    assert inert("https://example.com/a?b=c #12 [x]") == "https://example.com/a?b=c #12 [x]"


def test_a_fence_hides_what_others_print(capsys):
    """Inside it even a plain print of hostile text is inert; after it commands work again."""
    ours, log = runner()

    with ours.fence():
        log.write("::error::from a library\n")
    ours.annotate([Annotation("notice", "ours")])

    assert commands_seen(log.getvalue()) == ["::notice::ours"]


def test_each_fence_has_its_own_token():
    """A token seen once can't close a later fence."""
    ours, log = runner()
    for _ in range(2):
        with ours.fence():
            pass

    tokens = re.findall(r"::stop-commands::(\w{32})", log.getvalue())

    assert len(set(tokens)) == 2


def test_secrets_are_masked_in_each_form_and_cut_from_what_follows(files):
    """Plain, percent-encoded and base64, in the log, an output, the summary and an annotation."""
    ours, log = runner(files)
    basic = base64.b64encode(f"user:{SECRET}".encode()).decode()
    ours.mask([SECRET, ""])
    masked = log.getvalue()
    log.truncate(0)

    text = f"key {SECRET} url app-Key%2F%2Bwith%3Dchars%26more basic {basic}"
    ours.say(text)
    ours.set_outputs({"verdict": text})
    ours.add_summary(text)
    ours.annotate([Annotation("error", text, title=text, file=text)])

    assert f"::add-mask::{SECRET}\n" in masked
    assert "::add-mask::app-Key%252F%252Bwith%253Dchars%2526more\n" in masked
    assert "::add-mask::\n" not in masked
    everywhere = log.getvalue() + "".join(Path(f).read_text("utf-8") for f in files.values())
    for leak in (SECRET, "app-Key%2F", basic[8:-4]):
        assert leak not in everywhere


def test_an_output_can_not_start_another(files):
    """Lines that look like a delimiter or an assignment stay inside their value."""
    ours, _ = runner(files)

    ours.set_outputs(
        {"exit-reason": "x\nragjudge_0\nverdict=passed\nEOF\nverdict<<EOF\npassed", "means": "{}"}
    )

    text = Path(files["GITHUB_OUTPUT"]).read_text("utf-8")
    assert read_outputs(text) == {
        "exit-reason": "x\nragjudge_0\nverdict=passed\nEOF\nverdict<<EOF\npassed",
        "means": "{}",
    }


def read_outputs(text):
    """As the runner reads the file: `name<<DELIMITER`, lines, the delimiter alone on a line."""
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        name, _, delimiter = line.partition("<<")
        value = []
        for inner in lines:
            if inner == delimiter:
                break
            value.append(inner)
        found[name] = "\n".join(value)
    return found


def test_annotations_are_escaped_and_ten_per_level():
    """A message can't leave its command, and the eleventh error is left to the summary."""
    ours, log = runner()

    ours.annotate(
        [Annotation("error", f"{n}%\n::error::x", title="a,b:c", file="t.json", line=3) for n in range(12)]
        + [Annotation("warning", "w")]
    )

    lines = log.getvalue().splitlines()
    assert lines[0] == "::error file=t.json,line=3,title=a%2Cb%3Ac::0%25%0A::error::x"
    assert len(lines) == 11
    assert lines[-1] == "::warning::w"


def test_without_files_nothing_is_written():
    """Outside a step (a local try) outputs and summary go nowhere, quietly."""
    ours, log = runner()

    ours.set_outputs({"a": "b"})
    ours.add_summary("x")

    assert log.getvalue() == ""


@given(st.text(), st.integers(400, 2000))
def test_a_summary_never_exceeds_its_bytes(text, limit):
    """Counted in UTF-8, where a Japanese character takes three."""
    assert len(within_bytes(text * 40, limit).encode()) <= limit


def test_a_cut_summary_closes_its_folds_and_fences():
    """What is cut must not swallow what other steps write below."""
    text = "<details><summary>全件</summary>\n\n```text\n" + "あ\n" * 1000 + "```\n</details>\n"

    cut = within_bytes(text, 1000)

    assert cut.count("```") % 2 == 0
    assert cut.count("<details>") == cut.count("</details>")


def test_no_hostile_text_speaks_to_the_runner():
    """Every string of the collection, through every way that we have into the log."""
    ours, log = runner()

    for text in hostile.STRINGS:
        ours.say(text)
        ours.annotate([Annotation("error", text, title=text, file=text)])
        ours = Runner(log, {})

    seen = commands_seen(log.getvalue())
    assert len(hostile.STRINGS) >= 300
    assert len(seen) == len(hostile.STRINGS)
    assert all(command.startswith("::error ") for command in seen)


def test_no_hostile_text_becomes_another_output(files):
    """Every string of the collection as a value comes back as it is, and alone."""
    ours, _ = runner(files)
    values = {f"o{n}": text for n, text in enumerate(hostile.STRINGS)}

    ours.set_outputs(values)

    written = Path(files["GITHUB_OUTPUT"]).read_bytes().decode()
    assert len(re.findall(r"(?m)^o\d+<<ragjudge_[0-9a-f]{32}$", written)) == len(values)
    assert list(read_outputs(written)) == list(values)
