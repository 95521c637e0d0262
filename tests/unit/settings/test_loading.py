from datetime import date

import pytest

from ragjudge.errors import ConfigFault
from ragjudge.settings import Layer, language_of, load, require, suite_of

KEY = "app-0123456789abcdefghij"


def problems(text: str | None, **more) -> list[str]:
    with pytest.raises(ConfigFault) as caught:
        load(text, **more)
    return [problem.in_language("en") for problem in caught.value.problems]


def test_nothing_at_all_gives_the_defaults():
    """No file, no flags: the documented defaults."""
    settings = load(None).settings

    assert settings.app.concurrency == 10
    assert settings.gate.confirm == 2
    assert settings.report.language == "ja"


def test_the_example_of_the_documentation_loads():
    """Every section in the way the README writes it."""
    settings = load("""
suite: tests/rag/*.json
app:
  base_url: https://dify.example.co.jp/v1
  inputs: {Entity: "${entity}", limit: 3, strict: true}
judge:
  provider: openai
  model: judge-model
  allow: ["連絡先は最新のものに変わりうる"]
metrics:
  use: [correctness, faithfulness]
  custom: [{name: politeness, rubric: "丁寧か", scale: [1, 5]}]
gate:
  tolerance: {correctness: 0.1}
  minimum: {correctness: 3.5, politeness: 2}
accept:
  - {case: 017, metric: correctness, reason: "規程改定", until: 2026-12-31}
budget: {judge_tokens: null, questions: 100}
""").settings

    assert settings.suite == ("tests/rag/*.json",)
    assert settings.app.inputs == {"Entity": "${entity}", "limit": 3, "strict": True}
    assert settings.accept[0].case == "017"
    assert settings.accept[0].until == date(2026, 12, 31)
    assert settings.metrics.custom[0].scale == (1, 5)
    assert (settings.budget.judge_tokens, settings.budget.questions) == (None, 100)


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("suite: a.json", "suite", ("a.json",)),
        ("app: https://d.example/v1", "app.base_url", "https://d.example/v1"),
        ("judge: offline", "judge.provider", "offline"),
        ("embedding: vectors", "embedding.model", "vectors"),
        ("metrics: [faithfulness]", "metrics.use", ("faithfulness",)),
        ("metrics: faithfulness", "metrics.use", ("faithfulness",)),
        ("baseline: branch:main-line", "baseline.store", "branch:main-line"),
        ("report: en", "report.language", "en"),
        ("dsl: dify/*.yml", "dsl.files", ("dify/*.yml",)),
        ("judge: {allow: 連絡先}", "judge.allow", ("連絡先",)),
        ("report: {details: no}", "report.details", False),
        ("app:", "app.user", "ragjudge"),
        ("judge: {api_version: 2024-06-01}", "judge.api_version", "2024-06-01"),
        ("judge: {model: 4.10}", "judge.model", "4.10"),
    ],
)
def test_short_forms_mean_the_main_field(text, path, value):
    """A bare string or list stands for a section's main field, an empty one for the defaults."""
    found = load(text).settings
    for step in path.split("."):
        found = getattr(found, step)

    assert found == value


def test_a_flag_beats_an_input_beats_the_environment_beats_the_config():
    """The documented order, and each value's origin is known."""
    config = "app: {base_url: https://config.example/v1, concurrency: 2}\nrepeats: 2\n"
    environ = {"DIFY_BASE_URL": "https://environment.example/v1"}
    inputs = {"dify-base-url": "https://input.example/v1", "repeats": "3", "suite": "a.json\nb, c.json\n"}

    only_environ = load(config, environ=environ)
    with_input = load(config, environ=environ, inputs=inputs)
    with_flag = load(config, environ=environ, inputs=inputs, flags={"repeats": 4})

    assert only_environ.settings.app.base_url == "https://environment.example/v1"
    assert with_input.settings.app.base_url == "https://input.example/v1"
    assert with_input.settings.suite == ("a.json", "b, c.json")
    assert (with_input.settings.repeats, with_flag.settings.repeats) == (3, 4)
    assert with_flag.origin("repeats").layer is Layer.FLAG
    assert with_flag.origin("app.base_url").text.en == "action input dify-base-url"
    assert str(with_flag.origin("app.concurrency").place) == "ragjudge.yml:1"
    assert with_flag.origin("gate.confirm").layer is Layer.DEFAULT


def test_every_problem_is_told_at_once_with_its_line():
    """One run shows all that is wrong, in the order of the file."""
    found = problems("""ap: {base_url: x}
app:
  base_ur: x
  concurrency: many
  timeout_s: -1
judge: {provider: opnai}
metrics: {use: [corectness]}
gate:
  tolerance: {faithfulnes: 0.1, correctness: .nan}
  minimum: {correctness: 9}
accept: [{case: 1, reason: x, until: soon}, {case: 2}]
report: {details: maybe}
repeats: 0
""")

    assert found == [
        "ragjudge.yml:1: Unknown setting 'ap'. Did you mean 'app'?",
        "ragjudge.yml:3: Unknown setting 'app.base_ur'. Did you mean 'base_url'?",
        "ragjudge.yml:4: app.concurrency must be a whole number, not 'many'.",
        "ragjudge.yml:5: app.timeout_s must be more than 0.0, not '-1'.",
        "ragjudge.yml:6: judge.provider must be one of openai, dify or offline, not 'opnai'.",
        "ragjudge.yml:7: There is no metric named 'corectness'. Did you mean 'correctness'?",
        "ragjudge.yml:9: gate.tolerance.correctness must be a number, not '.nan'.",
        "ragjudge.yml:9: There is no metric named 'faithfulnes'. Did you mean 'faithfulness'?",
        "ragjudge.yml:10: gate.minimum.correctness must lie between 1 and 5, not 9.",
        "ragjudge.yml:11: accept[1].until must be a date such as 2026-12-31, not 'soon'.",
        "ragjudge.yml:11: accept[2].reason is missing.",
        "ragjudge.yml:11: accept[2].until is missing.",
        "ragjudge.yml:12: report.details must be true or false, not 'maybe'.",
        "ragjudge.yml:13: repeats must be 1 or more, not '0'.",
    ]


def test_messages_are_japanese_for_japanese_readers():
    """The same problem in the reader's language."""
    with pytest.raises(ConfigFault) as caught:
        load("ap: 1")

    assert caught.value.in_language("ja") == (
        "設定を直してください:\n"
        "  - ragjudge.yml:1: 「ap」という設定項目はありません。 「app」の間違いではありませんか。"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"app: {{api_key: {KEY}}}",
        f"app: {{base_url: {KEY}}}",
        f"judge: {{api_key: '{KEY}'}}",
        f"suite: [a.json, {KEY}]",
        f"my_token: {KEY}",
        f"app: {{inputs: {{x: {KEY}}}}}",
        "judge: {base_url: 'https://user:hunter2secret@judge.example'}",
    ],
)
def test_a_key_in_the_file_is_an_error_that_does_not_print_it(text):
    """Keys never stand in the file, and never in a message about it."""
    with pytest.raises(ConfigFault) as caught:
        load(text)

    told = caught.value.in_language("ja") + caught.value.in_language("en") + repr(caught.value)
    assert "holds a key or a password" in told
    assert KEY not in told
    assert "hunter2secret" not in told


def test_keys_come_from_the_environment_and_never_show():
    """Blanks that came along with a secret are dropped; no repr shows a key."""
    loaded = load("judge: {model: m}", environ={"DIFY_API_KEY": f" {KEY}\n", "OPENAI_API_KEY": "sk-1"})

    assert loaded.settings.app.api_key.get_secret_value() == KEY
    assert loaded.settings.judge.api_key.get_secret_value() == "sk-1"
    assert KEY not in repr(loaded)
    assert "sk-1" not in repr(loaded)


def test_an_openai_key_never_reaches_a_dify_judge():
    """Each judge takes its own variables."""
    environ = {
        "OPENAI_API_KEY": "sk-1",
        "OPENAI_BASE_URL": "https://openai.example",
        "DIFY_JUDGE_API_KEY": "app-j",
    }

    dify = load("judge: dify\napp: https://d.example/v1", environ=environ).settings.judge
    openai = load("judge: openai", environ=environ).settings.judge

    assert (dify.api_key.get_secret_value(), dify.base_url) == ("app-j", "https://d.example/v1")
    assert (openai.api_key.get_secret_value(), openai.base_url) == ("sk-1", "https://openai.example")


def test_a_flag_decides_which_judge_takes_which_key():
    """The provider is known before the environment is read."""
    loaded = load("judge: openai", environ={"OPENAI_API_KEY": "sk-1"}, flags={"judge.provider": "dify"})

    assert loaded.settings.judge.api_key.get_secret_value() == ""


def test_the_judges_key_is_not_sent_to_another_embedding_server():
    """Embedding shares the judge's key only where it shares the judge's server."""
    environ = {"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": "https://judge.example"}

    shared = load("judge: {model: m}\nembedding: e", environ=environ).settings.embedding
    apart = load("judge: {model: m}\nembedding: {model: e, base_url: https://e.example}", environ=environ)

    assert (shared.base_url, shared.api_key.get_secret_value()) == ("https://judge.example", "sk-1")
    assert apart.settings.embedding.api_key.get_secret_value() == ""


def test_a_model_alone_means_an_openai_compatible_judge():
    """The usual judge needs no provider."""
    assert load("judge: {model: m}").settings.judge.provider == "openai"


def test_paths_in_a_config_elsewhere_are_relative_to_it_and_flags_to_the_caller():
    """A config in a subfolder speaks of the files beside it."""
    config = "suite: cases/*.json\ndsl: a.yml\nbaseline: file:b.json\nca_file: ca.pem"

    loaded = load(config, path="apps/hr/ragjudge.yml")
    flagged = load(config, path="apps/hr/ragjudge.yml", flags={"suite": ("own.json",)})

    assert loaded.settings.suite == ("apps/hr/cases/*.json",)
    assert loaded.settings.dsl.files == ("apps/hr/a.yml",)
    assert loaded.settings.baseline.store == "file:apps/hr/b.json"
    assert loaded.settings.ca_file == "apps/hr/ca.pem"
    assert flagged.settings.suite == ("own.json",)


@pytest.mark.parametrize(
    "text", ["- a\n- b", "just words", "suite: [", "a: &a [*a]", "\x00", "x" * 1_000_001]
)
def test_a_text_that_is_no_config_is_one_plain_problem(text):
    """Never a traceback."""
    assert len(problems(text)) == 1


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "\ufeff"])
def test_an_empty_file_gives_the_defaults(text):
    """A config that says nothing changes nothing."""
    assert load(text).settings == load(None).settings


def test_a_section_of_the_wrong_shape_does_not_hide_the_flags():
    """A flag for a section that the file spells wrongly is still joined."""
    found = problems("app: [1, 2]\ngate: often", flags={"app.concurrency": 3})

    assert found == [
        "ragjudge.yml:1: app.base_url must be text.",
        "ragjudge.yml:2: gate must be `name: value` pairs, not 'often'.",
    ]


def test_an_ended_waiver_is_told():
    """Nobody relies on a waiver that no longer counts."""
    loaded = load("accept: [{case: 1, reason: x, until: 2026-01-01}]", today=date(2026, 1, 2))

    assert [note.en for note in loaded.notes] == [
        "accept: the entry for case 1 ended on 2026-01-01 and no longer counts."
    ]


def test_custom_metrics_are_checked():
    """Names are free, scales rise, rubrics say something."""
    found = problems("""metrics:
  custom:
    - {name: correctness, rubric: a}
    - {name: tone, rubric: " ", scale: [5, 1]}
""")

    assert found == [
        "ragjudge.yml:3: A metric 'correctness' exists already. Choose another name.",
        "ragjudge.yml:4: scale must rise, for example [1, 5].",
        "ragjudge.yml:4: rubric is empty.",
    ]


def test_the_numbers_of_a_custom_metric_lie_on_its_scale():
    """A floor that no answer reaches would be red for ever; `checks` is the name of a metric of ours."""
    found = problems("""metrics:
  custom:
    - {name: checks, rubric: a}
    - {name: tone, rubric: a, minimum: 9, tolerance: -1, examples: [{answer: b, score: 7}, {answer: c, score: 2}]}
""")

    assert found == [
        "ragjudge.yml:3: A metric 'checks' exists already. Choose another name.",
        "ragjudge.yml:4: minimum must lie on the scale from 1 to 5, not 9.0.",
        "ragjudge.yml:4: score must lie on the scale from 1 to 5, not 7.",
        "ragjudge.yml:4: tolerance must be 0 or more.",
    ]


def test_what_a_command_needs_is_asked_for_in_one_go():
    """Suite, app, judge and keys: all that is missing, with the cure."""
    with pytest.raises(ConfigFault) as caught:
        require(load("judge: openai").settings, "suite", "app", "judge")

    assert [p.what.en for p in caught.value.problems] == [
        "No suite is named.",
        "The Dify app's address is not set.",
        "The Dify app's API key is missing or empty.",
        "The judge's model is not set.",
        "The judge's API key is missing or empty.",
    ]


def test_an_offline_judge_needs_no_key():
    """The first run costs nothing and needs nothing."""
    require(load("judge: offline").settings, "judge")


def test_the_language_is_known_even_of_a_broken_config():
    """Faults of an English config are told in English."""
    assert language_of("report: {language: en}\nap: 1") == "en"
    assert language_of("report: fr") is None
    assert language_of("][") is None
    assert language_of(None) is None


def test_the_suite_of_a_broken_config_is_still_known():
    """So that suite and config can be mended in one go."""
    assert suite_of("suite: a.json\nap: 1\ncolumns: {Q: question}", "x/ragjudge.yml", {}) == (
        ["x/a.json"],
        {"Q": "question"},
    )
    assert suite_of("suite: {a: 1}", "ragjudge.yml", {"suite": ("b.json",)}) == (["b.json"], {})


@pytest.mark.parametrize(("mode", "said"), [("blocking", 1), ("streaming", 0)])
def test_a_blocking_response_mode_is_said_to_hide_the_nodes(mode, said):
    """In `validate` and in every run: a missing passage is then the setting's doing."""
    loaded = load(f"app: {{response_mode: {mode}}}", today=date(2026, 1, 1))

    assert said == sum("response_mode" in note.en and "response_mode" in note.ja for note in loaded.notes)


def test_an_unknown_response_mode_is_refused():
    """With the place and what is allowed."""
    assert any("response_mode" in problem for problem in problems("app: {response_mode: websocket}"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "gate: {minimum: {correctness:3.5}}",
            "There is no metric named 'correctness:3.5'. Write a space after the colon: `correctness: 3.5`.",
        ),
        (
            "gate: {minimum: {correctness：3.5}}",
            "There is no metric named 'correctness：3.5'. Write a space after the colon: `correctness: 3.5`.",
        ),
        (
            "gate: {minimum: {correctness: 3,5}}",
            "There is no metric named '5'. Write a number with a point (`3.5`): a comma begins the next entry.",
        ),
        (
            "gate:\n  minimum:\n    correctness:3.5",
            "gate.minimum must be `name: value` pairs, not 'correctness:3.5'. Write a space after the colon: `correctness: 3.5`.",
        ),
        (
            "budget: {judge_tokens:10}",
            "Unknown setting 'budget.judge_tokens:10'. Write a space after the colon: `judge_tokens: 10`.",
        ),
        (
            "accept: [{case: 1, metric:correctness, reason: r, until: 2026-12-31}]",
            "Unknown setting 'accept[1].metric:correctness'. Write a space after the colon: `metric: correctness`.",
        ),
        ("gate: {tolerence: }", "Unknown setting 'gate.tolerence'. Did you mean 'tolerance'?"),
        (
            "gate: {tolerance: {corectness: }}",
            "There is no metric named 'corectness'. Did you mean 'correctness'?",
        ),
        ("columns: {設問:question}", "'columns.設問:question' has no value. Write a space after the colon: `設問: question`."),
        ("app: {inputs: {E:x}}", "'app.inputs.E:x' has no value. Write a space after the colon: `E: x`."),
    ],
)  # fmt: skip
def test_a_key_without_a_value_is_no_less_unknown(text, told):
    """A forgotten space makes one key of name and value: no floor, no budget, and nobody would be told."""
    line = text.count("\n") or 1

    assert problems(text) == [f"ragjudge.yml:{line}: {told}"]


@pytest.mark.parametrize(
    ("config", "more"),
    [
        ("suite: [a.csv, rag/suite.json]\nbaseline: file:rag/../rag/suite.json", {}),
        ("suite: 'book.xlsx#質問'\nbaseline: file:book.xlsx", {}),
        ("\nbaseline: file:ragjudge.yml", {}),
        ("suite: suite.json\nbaseline: file:./suite.json", {"path": "sub/ragjudge.yml"}),
    ],
)
def test_a_baseline_is_never_kept_in_the_suite_or_the_config(config, more):
    """An update would write over it."""
    (told,) = problems(config, **more)

    assert told.startswith(f"{more.get('path', 'ragjudge.yml')}:2: baseline.store: ")
    assert told.endswith(
        "is the suite or the config itself. "
        "Give the baseline a file of its own: file:ragjudge-baseline.json, for instance."
    )


def test_a_known_key_without_a_value_is_not_set():
    """As it always was, for the team's own metrics too."""
    loaded = load(
        "suite:\napp: {api_key: }\ngate: {minimum: {correctness: , polite: }, confirm: }\n"
        "metrics: {custom: [{name: polite, rubric: x}]}\n"
    )

    assert (loaded.settings.gate.minimum, loaded.settings.gate.confirm) == ({}, 2)


@pytest.mark.parametrize(
    "text",
    [f"app: {{api_key:{KEY}}}", "app: {dataset_key:hunter2secret}", "app: {base_url:https://u:hunter2secret@h/v1}"],
)  # fmt: skip
def test_a_key_that_became_part_of_a_name_is_not_printed(text):
    """Without a space after the colon the key stands in the name, which is told."""
    (told,) = problems(text)

    assert "holds a key or a password" in told
    assert KEY not in told
    assert "hunter2secret" not in told


def test_a_column_may_be_named_like_a_key():
    """Its title holds a colon, and a field stands after it: no key was given."""
    assert load("columns: {'token:種別': category}").settings.columns == {"token:種別": "category"}
