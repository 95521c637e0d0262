import json
import shlex

import pytest

from ragjudge.demo.server import ServerOptions
from ragjudge.demo.serving import Serving, serve
from ragjudge.errors import UsageFault


def said(serving):
    lines = []
    serve(serving, say=lines.append, wait=lambda: None)
    return lines


def test_a_person_gets_address_key_and_two_lines_to_paste():
    """The curl line fits the app's form; the check line names the demo's own settings."""
    lines = said(Serving(language="en"))
    url = next(line.split()[-1] for line in lines if "URL:" in line)
    curl = shlex.split(next(line for line in lines if "curl" in line))
    body = json.loads(curl[-1])

    assert url.startswith("http://127.0.0.1:")
    assert f"{url}/chat-messages" == curl[2]
    assert {"Entity": "本社"} == body["inputs"]
    assert any("ragjudge check --config" in line and url in line for line in lines)


def test_an_unusable_app_is_the_users_to_mend(tmp_path):
    """The message names the file, the hint says what can be run."""
    (tmp_path / "app.yml").write_text("kind: app", encoding="utf-8")

    with pytest.raises(UsageFault, match=r"app\.yml") as caught:
        said(Serving(dsl=tmp_path / "app.yml"))

    assert "chain" in str(caught.value.hint)


def test_an_empty_corpus_is_the_users_to_mend(tmp_path):
    """The hint says what a corpus looks like."""
    with pytest.raises(UsageFault, match="no passages") as caught:
        said(Serving(corpus=tmp_path))

    assert "*.md" in str(caught.value.hint)


def test_a_taken_port_is_named():
    """With the cure: let the server choose."""
    lines = []

    def again():
        port = int(next(line for line in lines if "URL:" in line).split(":")[-1].split("/")[0])
        with pytest.raises(UsageFault, match=f"Port {port} cannot be used") as caught:
            said(Serving(options=ServerOptions(port=port)))
        lines.append(str(caught.value.hint))

    serve(Serving(), say=lines.append, wait=again)

    assert "Leave --port out" in lines[-1]
