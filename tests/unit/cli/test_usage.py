"""What a mistyped command line is told: in Japanese unless asked otherwise, always exit 2, never a traceback."""

import re

import pytest

from ragjudge.cli.main import run

JAPANESE = re.compile(r"[ぁ-ん]")


# fmt: off
WRONG = [
    (["chek"], "コマンド「chek」はありません。「check」のことですか?", "There is no command 'chek'. Did you mean 'check'?"),
    (["dsl", "lnit"], "コマンド「lnit」はありません。", "No such command 'lnit'."),
    (["check", "--concurency", "3"], "オプション「--concurency」はありません。「--concurrency」のことですか?", "No such option"),
    (["check", "--zzz"], "オプション「--zzz」はありません。", "No such option"),
    (["check", "--repeats", "x"], "「--repeats」の値が正しくありません。整数を指定してください。 指定された値: x", "not a valid integer"),
    (["check", "--repeats"], "オプション「--repeats」の値を指定してください。", "requires an argument"),
    (["check", "--quiet=1"], "オプション「--quiet」に値は指定できません。", "does not take a value"),
    (["check", "--judge", "gpt"], "指定できるのは openai、dify、offline です。 指定された値: gpt", "is not one of"),
    (["check", "a", "b"], "余分な引数があります: a b", "unexpected extra arguments"),
    (["demo", "--port", "99999"], "0以上65535以下の整数を指定してください。", "is not in the range"),
    (["demo", "--delay", "-1"], "0以上600以下の数値を指定してください。", "is not in the range"),
    (["demo", "--port", "1"], "--port は --serve と一緒に使います。", "--port is for --serve."),
    (["dsl", "diff", "a.yml"], "引数「NEW」を指定してください。", "Missing argument 'NEW'"),
    (["merge"], "引数「RESULTS...」を指定してください。", "Missing argument"),
    (["schema", "x"], "指定できるのは suite、config、results です。", "is not one of"),
]
# fmt: on


@pytest.mark.parametrize(("arguments", "ja", "en"), WRONG)
def test_it_is_told_in_the_users_language(arguments, ja, en, tmp_path, monkeypatch, capsys):
    """Japanese by default, English by the config; how the command is used stands above."""
    monkeypatch.chdir(tmp_path)

    assert run(arguments) == 2
    told = capsys.readouterr().err
    assert told.rstrip("\n").splitlines()[-1].startswith("エラー: ")
    assert ja in told
    assert "Error" not in told

    (tmp_path / "ragjudge.yml").write_text("report: {language: en}\n", "utf-8")
    assert run(arguments) == 2
    told = capsys.readouterr().err
    assert en in told
    assert not JAPANESE.search(told)


@pytest.mark.parametrize(
    "config", ["report: {language: en}\n", None, "report: [", "\x00", "report: {language: fr}\n"]
)
def test_the_configs_language_counts_where_it_can_be_read(config, tmp_path, monkeypatch, capsys):
    """A broken config or none leaves Japanese; the mistake in the arguments is what is told."""
    monkeypatch.chdir(tmp_path)
    if config is not None:
        (tmp_path / "own.yml").write_text(config, "utf-8")

    assert run(["check", "--config", "own.yml", "--zzz"]) == 2

    english = config == "report: {language: en}\n"
    assert ("No such option" in capsys.readouterr().err) is english


def test_usage_and_help_are_named_above(capsys):
    """As Click does it, in Japanese."""
    run(["dsl", "diff", "a.yml"])

    usage, hint, empty, _ = capsys.readouterr().err.splitlines()
    assert usage.startswith("使い方: ")
    assert usage.endswith("dsl diff [OPTIONS] OLD NEW")
    assert hint.endswith("dsl diff --help」で説明を表示します。")
    assert empty == ""


def test_no_arguments_show_the_commands(capsys):
    """The bare command is no crash."""
    assert run([]) in (0, 2)

    told = capsys.readouterr()
    assert "validate" in told.out + told.err
    assert "Traceback" not in told.err


def test_the_flag_wins_over_the_config(tmp_path, monkeypatch, capsys):
    """In either spelling."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ragjudge.yml").write_text("report: {language: en}\n", "utf-8")

    run(["check", "--zzz", "--language", "ja"])
    assert "オプション「--zzz」" in capsys.readouterr().err
    run(["check", "--language=ja", "--zzz"])
    assert "オプション「--zzz」" in capsys.readouterr().err
