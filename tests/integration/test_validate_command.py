"""`ragjudge validate` and `ragjudge schema` as a user runs them."""

import json

import pytest

from ragjudge.cli.main import run

CONFIG = """suite: tests/*.json
app:
  base_url: https://dify.example.co.jp
  inputs: {Entity: "${entity}"}
judge: {provider: openai, model: judge-model}
metrics: [correctness, faithfulness]
"""
CASES = [
    {"id": 1, "entity": "本社", "category": "経費システム", "question": "締め日は?", "answer": "月末です。"},
    {"id": 2, "entity": "支店", "category": "人事", "question": "休暇は?", "skip": "later"},
    {"id": 3, "entity": "支店", "category": "人事", "question": "有休は?"},
]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with a config and a suite, in which a user stands."""
    monkeypatch.chdir(tmp_path)
    for name in ("DIFY_API_KEY", "DIFY_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "JUDGE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "tests").mkdir()
    (tmp_path / "ragjudge.yml").write_text(CONFIG, "utf-8")
    (tmp_path / "tests/a.json").write_text(json.dumps(CASES), "utf-8")
    return tmp_path


def test_a_sound_project_is_told_what_it_holds(project, capsys):
    """Cases by group, notes, and a clear last line; nothing is called."""
    assert run(["validate"]) == 0

    assert (
        capsys.readouterr().out
        == """テストケース: 3件(うちskip 1件)
  tests/a.json: 3件
  カテゴリ: 経費システム 1, 人事 1
  entity: 本社 1, 支店 1
  正解なし: 1件(correctness の対象外)
注意:
  - アプリのURLを https://dify.example.co.jp/v1 として読み替えました。
✓ 問題は見つかりませんでした。
"""
    )


def test_verbose_shows_each_value_and_where_it_came_from(project, capsys, monkeypatch):
    """Keys only as set or not set."""
    monkeypatch.setenv("DIFY_API_KEY", "app-very-secret-0123456789")

    assert run(["validate", "-v", "--language", "en", "--concurrency", "3"]) == 0

    out = capsys.readouterr().out
    assert "app.api_key = set  [environment DIFY_API_KEY]" in out
    assert "judge.api_key = not set  [default]" in out
    assert "app.concurrency = 3  [flag --concurrency]" in out
    assert "judge.model = judge-model  [ragjudge.yml:5]" in out
    assert "app.inputs = {'Entity': '${entity}'}  [ragjudge.yml:4]" in out
    assert "app-very-secret" not in out


def test_the_plan_counts_calls_and_holds_to_the_budget(project, capsys):
    """Over budget is exit 2, before a single call."""
    assert run(["validate", "--plan", "--repeats", "2"]) == 0
    assert "アプリへの質問: 4回" in capsys.readouterr().out

    with (project / "ragjudge.yml").open("a") as config:
        config.write("budget: {judge_tokens: 10}\n")

    assert run(["validate", "--plan"]) == 2
    assert "budget.judge_tokens の上限は10" in capsys.readouterr().err


def test_config_and_suite_faults_are_told_together(project, capsys):
    """Mend everything in one go; the messages are in the config's language."""
    (project / "ragjudge.yml").write_text(CONFIG + "gat: 1\nreport: en\n", "utf-8")
    (project / "tests/b.json").write_text("[{}", "utf-8")

    assert run(["validate", "--language", "en"]) == 2

    err = capsys.readouterr().err
    assert "ragjudge.yml:7: Unknown setting 'gat'. Did you mean 'gate'?" in err
    assert "tests/b.json:1: This is not valid JSON" in err


def test_a_template_that_no_case_can_fill_is_exit_2(project, capsys):
    """Nothing is sent with a hole in it."""
    (project / "ragjudge.yml").write_text(CONFIG.replace("${entity}", "${entty}"), "utf-8")

    assert run(["validate"]) == 2
    assert "「entity」の間違いではありませんか" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--config", "none.yml"], "none.yml"),
        (["--suite", "none.json"], "none.json"),
        (["--case", "9"], "--case 9"),
        (["--limit", "0"], "--limit"),
        (["--shard", "x"], "--shard"),
    ],
)
def test_what_the_user_must_change_is_exit_2(project, capsys, arguments, says):
    """One sentence each."""
    assert run(["validate", *arguments]) == 2
    assert says in capsys.readouterr().err


def test_without_any_config_a_suite_is_enough(project, capsys):
    """The first thing a newcomer tries."""
    (project / "ragjudge.yml").unlink()

    assert run(["validate"]) == 2
    assert "テストケースのファイルが指定されていません" in capsys.readouterr().err
    assert run(["validate", "--suite", "tests"]) == 0


def test_dsl_exports_are_read_too(project, capsys):
    """A broken export is exit 2 with its line; a sound one is named."""
    (project / "ragjudge.yml").write_text(CONFIG + "dsl: dify/*.yml\n", "utf-8")

    assert run(["validate"]) == 2
    assert "「dify/*.yml」に一致するファイルがありません" in capsys.readouterr().err

    (project / "dify").mkdir()
    (project / "dify/a.yml").write_text(
        "app:\n  name: 社内規程\n  mode: chat\nkind: app\nversion: 0.4.0\nmodel_config:\n  model: {name: m}\n"
        "  user_input_form:\n  - text-input: {variable: Entity, required: true}\n",
        "utf-8",
    )
    assert run(["validate"]) == 0
    assert "DSL: dify/a.yml(社内規程、chat)" in capsys.readouterr().out

    (project / "dify/b.yml").write_text("app: [\n", "utf-8")
    (project / "dify/c.yml").write_text("a: 1\n", "utf-8")
    assert run(["validate"]) == 2
    err = capsys.readouterr().err
    assert "dify/b.yml:" in err
    assert "dify/c.yml:1" in err


def test_an_export_that_does_not_fit_the_suite_is_told_on_its_line(project, capsys):
    """A required field that no case gives stops; a name that the form lacks is a remark; severity is the config's."""
    export = (
        "app: {name: 社内規程, mode: chat}\nkind: app\nversion: 0.4.0\nmodel_config:\n  model: {name: m}\n"
        "  user_input_form:\n  - text-input: {variable: branch, required: true}\n"
    )
    (project / "app.yml").write_text(export, "utf-8")
    (project / "ragjudge.yml").write_text(CONFIG + "dsl: app.yml\n", "utf-8")

    assert run(["validate", "--language", "en"]) == 2
    assert "app.yml:7: The required input branch is not given by 2 cases." in capsys.readouterr().err

    severity = "dsl: {files: [app.yml], severity: {missing_input: warning}}\n"
    (project / "ragjudge.yml").write_text(CONFIG + severity, "utf-8")
    assert run(["validate", "--language", "en"]) == 0
    said = capsys.readouterr().out
    assert "⚠ app.yml:7: The required input branch" in said
    assert "The suite gives the input Entity, which the app does not have." in said

    (project / "ragjudge.yml").write_text(CONFIG + severity.replace("missing_input", "mising_input"), "utf-8")
    assert run(["validate", "--language", "en"]) == 2
    assert "missing_input" in capsys.readouterr().err


def test_a_config_that_is_no_text_is_exit_2(project, capsys):
    """Saved in another encoding."""
    (project / "ragjudge.yml").write_bytes("# 設定\n".encode("cp932"))

    assert run(["validate"]) == 2
    assert "UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["suite", "config", "results"])
def test_schemas_are_json_for_editors(capsys, name):
    """Draft 2020-12, and every reference leads somewhere."""
    assert run(["schema", name]) == 0

    schema = json.loads(capsys.readouterr().out)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    for reference in references(schema):
        assert reference.removeprefix("#/$defs/") in schema["$defs"]


def test_the_config_schema_knows_short_forms_and_no_keys(capsys):
    """What the loader takes, the editor accepts."""
    run(["schema", "config"])
    text = capsys.readouterr().out

    assert "api_key" not in text
    schema = json.loads(text)
    assert {"type": "string"} in schema["properties"]["suite"]["anyOf"]
    assert {"type": "string"} in schema["$defs"]["DslSettings"]["properties"]["files"]["anyOf"]
    assert schema["$defs"]["Accept"]["properties"]["case"]["type"] == ["string", "number"]
    assert schema["$defs"]["AppSettings"]["properties"]["base_url"]["description"].startswith(
        "Service API address"
    )
    assert schema["properties"]["suite"]["description"].startswith("Paths or globs")
    assert schema["additionalProperties"] is False


def references(schema):
    """Every `$ref` in a schema."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


def test_references_that_nobody_judges_by_are_told_with_their_place(project, capsys):
    """`judge_turns: last` looks at the last answer only."""
    talk = [
        {"id": 1, "entity": "本社", "question": "日当は?", "answer": "2,500円です。", "turns": ["宿泊費は?"]}
    ]
    (project / "tests/a.json").write_text(json.dumps(talk, ensure_ascii=False), "utf-8")

    assert run(["validate"]) == 0

    assert (
        "tests/a.json:1: ケース 1: 採点するのは最後の回答だけなので、ターン1の正解" in capsys.readouterr().out
    )
