"""Single edits of an app, each told in exactly one line that a tester understands, in both languages."""

import copy

import pytest

from ragjudge.dsl import told
from ragjudge.dsl.changes import changes
from ragjudge.language import Text
from tests.dsl_exports import Data, Edit, data_of, dsl_of, edited, node

F = ("workflow", "features")
LLM, VACATION, OTHER = "1700000000007", "1700000000003", "1700000000004"


def at(*path: str | int, to: object) -> Edit:
    def edit(data: Data) -> None:
        here = data
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = to

    return edit


def in_node(node_id: str, *path: str | int, to: object) -> Edit:
    return lambda data: at(*path, to=to)(node(data, node_id))


def pop(*path: str | int) -> Edit:
    def edit(data: Data) -> None:
        here = data
        for step in path[:-1]:
            here = here[step]
        del here[path[-1]]

    return edit


def edge(edge_id: str, **to: str) -> Edit:
    def edit(data: Data) -> None:
        next(e for e in data["workflow"]["graph"]["edges"] if e["id"] == edge_id).update(to)

    return edit


def through(data: Data) -> None:
    """A node put between two others."""
    graph = data["workflow"]["graph"]
    graph["nodes"].append({"id": "n9", "data": {"type": "code", "title": "後処理", "code": "x"}})
    wire = next(e for e in graph["edges"] if e["id"] == "e9")
    graph["edges"].append({**wire, "id": "e99", "source": "n9"})
    wire["target"] = "n9"


def rm_node(data: Data) -> None:
    """A node taken out, its neighbours wired to each other."""
    graph = data["workflow"]["graph"]
    graph["nodes"] = [n for n in graph["nodes"] if n["id"] != "lookup"]
    edge("e3", target="end")(data)
    graph["edges"] = [e for e in graph["edges"] if e["id"] != "e4"]


def rm_edge(data: Data) -> None:
    graph = data["workflow"]["graph"]
    graph["edges"] = [e for e in graph["edges"] if e["id"] != "e3"]


def add_edge(data: Data) -> None:
    wire = {"id": "e77", "source": "1700000000005", "sourceHandle": "source", "target": "1700000000008"}
    data["workflow"]["graph"]["edges"].append(wire)


def parent(node_id: str, loop: str | None) -> Edit:
    """A node put into a loop, or taken out of one."""

    def edit(data: Data) -> None:
        raw = next(n for n in data["workflow"]["graph"]["nodes"] if n["id"] == node_id)
        for where, key in ((raw, "parentId"), (raw["data"], "iteration_id")):
            where.pop(key, None)
            if loop is not None:
                where[key] = loop

    return edit


def prompt(old: str, new: str) -> Edit:
    def edit(data: Data) -> None:
        system = node(data, LLM)["prompt_template"][0]
        assert old in system["text"]
        system["text"] = system["text"].replace(old, new)

    return edit


# fmt: off
EDITS = [
    ("chatflow", through, "Node “後処理” (code) added", "ノード「後処理」(code)を追加"),
    ("chatflow", parent("1700000000012", None), "Node “整形”: taken out of “担当者ごとの処理”", "ノード「整形」: 「担当者ごとの処理」の外に移動"),
    ("chatflow", parent("1700000000013", "1700000000010"), "Node “担当者の案内”: moved into “担当者ごとの処理”", "ノード「担当者の案内」: 「担当者ごとの処理」の中に移動"),
    ("chatflow", parent("1700000000012", "1700000000013"), "Node “整形”: moved from “担当者ごとの処理” into “担当者の案内”", "ノード「整形」: 「担当者ごとの処理」から「担当者の案内」の中に移動"),
    ("workflow", rm_node, "Node “Look up” (tool) removed", "ノード「Look up」(tool)を削除"),
    ("workflow", rm_edge, "Wire removed: “Shape” → “Look up”", "接続を削除: 「Shape」→「Look up」"),
    ("chatflow", add_edge, "Wire added: “検索結果の集約” → “担当者の検索”", "接続を追加: 「検索結果の集約」→「担当者の検索」"),
    ("chatflow", edge("e7",target="1700000000013"), "Wire of “見つかったか” (branch 1) leads to “担当者の案内” instead of “回答の作成”", "「見つかったか」(分岐1)の接続先を「回答の作成」から「担当者の案内」に変更"),
    ("chatflow", prompt("丁寧に","簡潔に"), "Node “回答の作成”: prompt (system) changed: −「丁寧」 +「簡潔」", "ノード「回答の作成」: プロンプト(system)を変更: −「丁寧」 +「簡潔」"),
    ("chatflow", prompt("資料にないことは「わかりません」と答えてください。\n",""), "Node “回答の作成”: prompt (system) changed: −「資料にないことは「わかりません」と答えてください。」", "ノード「回答の作成」: プロンプト(system)を変更: −「資料にないことは「わかりません」と答えてください。」"),
    ("chatflow", in_node(LLM, "prompt_template",1,"text",to="質問: {{#sys.query#}}"), "Node “回答の作成”: prompt (user): {{#sys.query#}} → 質問: {{#sys.query#}}", "ノード「回答の作成」: プロンプト(user): {{#sys.query#}} → 質問: {{#sys.query#}}"),
    ("chatflow", in_node(LLM, "prompt_template",to=[{"role":"user","text":"{{#sys.query#}}"} ]), "Node “回答の作成”: prompt (system) removed: −「あなたは社内規程に詳しい担当者です。 次の資料だけを使い、{{#開始.entity#}}の社員に丁寧に答えてください。 資料にないことは「わかりません」と答えてください。 {{#context#}}」", "ノード「回答の作成」: プロンプト(system)を削除: −「あなたは社内規程に詳しい担当者です。 次の資料だけを使い、{{#開始.entity#}}の社員に丁寧に答えてください。 資料にないことは「わかりません」と答えてください。 {{#context#}}」"),
    ("chatflow", in_node(LLM, "model","name",to="gpt-4o"), "Node “回答の作成”: model: gpt-4o-mini → gpt-4o", "ノード「回答の作成」: モデル: gpt-4o-mini → gpt-4o"),
    ("chatflow", in_node(LLM, "model","provider",to="langgenius/azure_openai/azure_openai"), "Node “回答の作成”: model provider: langgenius/openai/openai → langgenius/azure_openai/azure_openai", "ノード「回答の作成」: モデルの提供元: langgenius/openai/openai → langgenius/azure_openai/azure_openai"),
    ("chatflow", in_node(LLM, "model","completion_params","temperature",to=0.9), "Node “回答の作成”: model parameter temperature: 0.2 → 0.9", "ノード「回答の作成」: モデルのパラメーター temperature: 0.2 → 0.9"),
    ("chatflow", in_node(LLM, "model","completion_params","max_tokens",to=512), "Node “回答の作成”: model parameter max_tokens: none → 512", "ノード「回答の作成」: モデルのパラメーター max_tokens: なし → 512"),
    ("chatflow", in_node(LLM, "memory","window","size",to=3), "Node “回答の作成”: size of the memory: 10 → 3", "ノード「回答の作成」: 会話履歴の件数: 10 → 3"),
    ("chatflow", in_node(LLM, "context","enabled",to=False), "Node “回答の作成”: use of the context: on → off", "ノード「回答の作成」: コンテキストの使用: オン → オフ"),
    ("chatflow", in_node(LLM, "context","variable_selector",to=[OTHER, "result"]), "Node “回答の作成”: source of the context: 検索結果の集約.output → 知識検索 #2.result", "ノード「回答の作成」: コンテキストの参照元: 検索結果の集約.output → 知識検索 #2.result"),
    ("chatflow", in_node(VACATION, "multiple_retrieval_config","top_k",to=8), "Node “知識検索”: top k (number of passages): 4 → 8", "ノード「知識検索」: 取得件数(top_k): 4 → 8"),
    ("chatflow", in_node(OTHER, "multiple_retrieval_config","score_threshold",to=0.6), "Node “知識検索”: score threshold: 0.4 → 0.6", "ノード「知識検索」: スコアのしきい値: 0.4 → 0.6"),
    ("chatflow", in_node(VACATION, "multiple_retrieval_config","reranking_enable",to=False), "Node “知識検索”: rerank: on → off", "ノード「知識検索」: 再ランク付け: オン → オフ"),
    ("chatflow", in_node(OTHER, "multiple_retrieval_config","reranking_model","model",to="jina-reranker-v3"), "Node “知識検索”: rerank model: jina-reranker-v2 → jina-reranker-v3", "ノード「知識検索」: 再ランク付けのモデル: jina-reranker-v2 → jina-reranker-v3"),
    ("chatflow", in_node(VACATION, "multiple_retrieval_config","weights","vector_setting","vector_weight",to=0.5), "Node “知識検索”: weight of vectors: 0.7 → 0.5", "ノード「知識検索」: ベクトル検索の重み: 0.7 → 0.5"),
    ("chatflow", in_node(VACATION, "dataset_ids",to=[]), "Node “知識検索”: datasets: AAAAaaaa… → none", "ノード「知識検索」: ナレッジ: AAAAaaaa… → なし"),
    ("chatflow", in_node(OTHER, "dataset_ids",0,to="2bb56e12-46e6-4a5c-a8af-e338ecbf1acf"), "Node “知識検索”: datasets: IIIIiiii…, QQQQqqqq… → 2bb56e12…, QQQQqqqq…", "ノード「知識検索」: ナレッジ: IIIIiiii…、QQQQqqqq… → 2bb56e12…、QQQQqqqq…"),
    ("chatflow", in_node(VACATION, "title",to="休暇の検索"), "Node “休暇の検索”: title: 知識検索 → 休暇の検索", "ノード「休暇の検索」: タイトル: 知識検索 → 休暇の検索"),
    ("chatflow", in_node("1700000000001","variables",0,"required",to=False), "Node “開始”: “required” of the input entity: on → off", "ノード「開始」: 入力項目「entity」の必須: オン → オフ"),
    ("chatflow", in_node("1700000000001","variables",0,"options",to=["本社","支店","海外"]), "Node “開始”: choices of the input entity: 本社, 支店 → 本社, 支店, 海外", "ノード「開始」: 入力項目「entity」の選択肢: 本社、支店 → 本社、支店、海外"),
    ("chatflow", in_node("1700000000001","variables",1,"max_length",to=100), "Node “開始”: greatest length of the input category: 48 → 100", "ノード「開始」: 入力項目「category」の最大文字数: 48 → 100"),
    ("chatflow", lambda d: node(d,"1700000000001")["variables"].append({"label":"役職","type":"text-input","variable":"title","required":False}), "Node “開始”: input title added", "ノード「開始」: 入力項目「title」を追加"),
    ("chatflow", lambda d: node(d,"1700000000001")["variables"].pop(), "Node “開始”: input category removed", "ノード「開始」: 入力項目「category」を削除"),
    ("chatflow", in_node("1700000000002","classes",0,"name",to="有給休暇についての質問"), "Node “質問の分類”: class 1: 休暇についての質問 → 有給休暇についての質問", "ノード「質問の分類」: 分類1: 休暇についての質問 → 有給休暇についての質問"),
    ("chatflow", lambda d: node(d,"1700000000002")["classes"].append({"id":"3","name":"雑談"}), "Node “質問の分類”: class 3 added: +「雑談」", "ノード「質問の分類」: 分類3を追加: +「雑談」"),
    ("chatflow", in_node("1700000000006","cases",0,"conditions",0,"comparison_operator",to="empty"), "Node “見つかったか”: comparison of a condition: not empty → empty", "ノード「見つかったか」: 条件の比較方法: not empty → empty"),
    ("chatflow", in_node("1700000000006","cases",0,"logical_operator",to="or"), "Node “見つかったか”: and/or of branch 1: and → or", "ノード「見つかったか」: 分岐1のAND/OR: and → or"),
    ("chatflow", in_node("1700000000005","variables",to=[[OTHER, "result"],[VACATION, "result"]]), "Node “検索結果の集約”: variables that are joined: 知識検索.result, 知識検索 #2.result → 知識検索 #2.result, 知識検索.result", "ノード「検索結果の集約」: まとめる変数: 知識検索.result、知識検索 #2.result → 知識検索 #2.result、知識検索.result"),
    ("chatflow", in_node("1700000000008","url",to="{{#env.STAFF_URL#}}/v2/search"), "Node “担当者の検索”: address: {{#env.STAFF_URL#}}/search → {{#env.STAFF_URL#}}/v2/search", "ノード「担当者の検索」: URL: {{#env.STAFF_URL#}}/search → {{#env.STAFF_URL#}}/v2/search"),
    ("chatflow", in_node("1700000000008","method",to="post"), "Node “担当者の検索”: HTTP method: get → post", "ノード「担当者の検索」: HTTPメソッド: get → post"),
    ("chatflow", in_node("1700000000008","authorization","config","api_key",to="sk-aaaaaaaaaaaaaaaaaaaaaaa"), "Node “担当者の検索”: authorization.config.api_key changed (not shown)", "ノード「担当者の検索」: authorization.config.api_keyを変更(値は表示しません)"),
    ("chatflow", in_node("1700000000008","headers",to="Authorization: Bearer abc123"), "Node “担当者の検索”: HTTP headers: none → Authorization: Bearer •••", "ノード「担当者の検索」: HTTPヘッダー: なし → Authorization: Bearer •••"),
    ("chatflow", in_node("1700000000012","code",to='def main(text: str) -> dict:\n    return {"result": text}'), "Node “整形”: code changed: −「text.strip()」 +「text」", "ノード「整形」: コードを変更: −「text.strip()」 +「text」"),
    ("chatflow", in_node("1700000000011","prompt_template",0,"text",to="{{#1700000000010.item#}}の担当者を二文で紹介してください。"), "Node “紹介文”: prompt (system) changed: −「一文」 +「二文」", "ノード「紹介文」: プロンプト(system)を変更: −「一文」 +「二文」"),
    ("chatflow", in_node("1700000000010","parallel_nums",to=5), "Node “担当者ごとの処理”: most at once: 10 → 5", "ノード「担当者ごとの処理」: 並列処理の数: 10 → 5"),
    ("chatflow", in_node("1700000000010","iterator_selector",to=["1700000000008","body"]), "Node “担当者ごとの処理”: list that is gone through: 担当者の検索.files → 担当者の検索.body", "ノード「担当者ごとの処理」: 繰り返しの対象: 担当者の検索.files → 担当者の検索.body"),
    ("chatflow", in_node("1700000000009","answer",to="{{#1700000000007.text#}}\n以上です。"), "Node “回答”: text of the answer changed: +「以上です。」", "ノード「回答」: 回答の文面を変更: +「以上です。」"),
    ("chatflow", at(*F,"opening_statement",to="こんにちは。規程について質問してください。"), "Opening statement changed: −「社内規程」 +「規程」", "会話の開始文を変更: −「社内規程」 +「規程」"),
    ("chatflow", at(*F,"retriever_resource","enabled",to=False), "Citations: on → off", "引用と帰属: オン → オフ"),
    ("chatflow", at(*F,"sensitive_word_avoidance","enabled",to=True), "Moderation: off → on", "不適切な語の検査: オフ → オン"),
    ("chatflow", at(*F,"suggested_questions",to=["有給休暇は何日ですか","出張の手続きは"]), "Suggested questions: 有給休暇は何日ですか → 有給休暇は何日ですか, 出張の手続きは", "質問の候補: 有給休暇は何日ですか → 有給休暇は何日ですか、出張の手続きは"),
    ("chatflow", at("workflow","environment_variables",0,"value",to="hunter2"), "Environment variable STAFF_API_KEY: value changed (not shown)", "環境変数「STAFF_API_KEY」: 値を変更(表示しません)"),
    ("chatflow", at("workflow","environment_variables",1,"value",to="https://staff2.example/api"), "Environment variable STAFF_URL: value: https://staff.example/api → https://staff2.example/api", "環境変数「STAFF_URL」: 値: https://staff.example/api → https://staff2.example/api"),
    ("chatflow", pop("workflow","environment_variables",1), "Environment variable STAFF_URL removed", "環境変数「STAFF_URL」を削除"),
    ("chatflow", at("workflow","conversation_variables",0,"value",to="休暇"), "Conversation variable last_topic: value: none → 休暇", "会話変数「last_topic」: 値: なし → 休暇"),
    ("chatflow", at("dependencies",0,"value","marketplace_plugin_unique_identifier",to="langgenius/openai:0.3.0@cc"), "Plugin langgenius/openai: 0.2.6 → 0.3.0", "プラグイン langgenius/openai: 0.2.6 → 0.3.0"),
    ("chatflow", pop("dependencies",1), "Plugin langgenius/jina is no longer needed", "プラグイン langgenius/jina は不要になりました"),
    ("chatflow", at("app","name",to="規程ボット"), "App name: 社内規程ボット → 規程ボット", "アプリ名: 社内規程ボット → 規程ボット"),
    ("chatflow", at("version",to="0.5.0"), "DSL version: 0.4.0 → 0.5.0", "DSLのバージョン: 0.4.0 → 0.5.0"),
    ("chatflow", at("workflow","strange_new_part",to={"a":{"b":1}}), "Strange_new_part.a.b: none → 1", "strange_new_part.a.b: なし → 1"),
    ("chatflow", in_node(LLM, "strange_field",to={"x":[1,2]}), "Node “回答の作成”: strange_field.x: none → 1, 2", "ノード「回答の作成」: strange_field.x: なし → 1、2"),
    ("chatflow", in_node(LLM, "vision","enabled",to=True), "Node “回答の作成”: vision: off → on", "ノード「回答の作成」: 画像認識: オフ → オン"),
    ("workflow", in_node("lookup","tool_parameters","query","value",to="policy {{#shape.output#}}"), "Node “Look up”: tool parameter query: {{#Shape.output#}} → policy {{#Shape.output#}}", "ノード「Look up」: ツールのパラメーター query: {{#Shape.output#}} → policy {{#Shape.output#}}"),
    ("workflow", in_node("lookup","tool_configurations","language",to="ja"), "Node “Look up”: tool setting language: en → ja", "ノード「Look up」: ツールの設定 language: en → ja"),
    ("workflow", in_node("lookup","tool_name",to="wikipedia_page"), "Node “Look up”: tool: wikipedia_search → wikipedia_page", "ノード「Look up」: ツール: wikipedia_search → wikipedia_page"),
    ("workflow", in_node("shape","template",to="{{ results }}"), "Node “Shape”: template changed: −「% for r in」 +「{」 −「%}{{ r.content }} {% endfor %}」 +「}}」", "ノード「Shape」: テンプレートを変更: −「% for r in」 +「{」 −「%}{{ r.content }} {% endfor %}」 +「}}」"),
    ("workflow", lambda d: node(d,"end")["outputs"].pop(), "Node “End”: output contexts removed", "ノード「End」: 出力「contexts」を削除"),
    ("chat", at("model_config","pre_prompt",to="あなたは福利厚生の担当者です。\n{{department}}の社員に、資料に基づいて詳しく答えてください。"), "Prompt changed: −「簡潔に」 +「詳しく」", "プロンプトを変更: −「簡潔に」 +「詳しく」"),
    ("chat", at("model_config","dataset_configs","top_k",to=2), "Top k (number of passages): 4 → 2", "取得件数(top_k): 4 → 2"),
    ("chat", at("model_config","dataset_configs","datasets","datasets",0,"dataset","id",to="11111111-46e6-4a5c-a8af-e338ecbf1acf"), "Dataset: 2bb56e12… → 11111111…", "ナレッジ: 2bb56e12… → 11111111…"),
    ("chat", at("model_config","dataset_configs","score_threshold_enabled",to=True), "Use of the score threshold: off → on", "スコアのしきい値の使用: オフ → オン"),
    ("chat", at("model_config","model","name",to="gpt-4o"), "Model: gpt-4o-mini → gpt-4o", "モデル: gpt-4o-mini → gpt-4o"),
    ("chat", at("model_config","model","completion_params","max_tokens",to=1024), "Model parameter max_tokens: 512 → 1024", "モデルのパラメーター max_tokens: 512 → 1024"),
    ("chat", at("model_config","user_input_form",0,"text-input","required",to=False), "“required” of the input department: on → off", "入力項目「department」の必須: オン → オフ"),
    ("chat", at("model_config","user_input_form",1,"select","options",to=["正社員"]), "Choices of the input contract: 正社員, 契約社員 → 正社員", "入力項目「contract」の選択肢: 正社員、契約社員 → 正社員"),
    ("chat", at("model_config","retriever_resource","enabled",to=False), "Citations: on → off", "引用と帰属: オン → オフ"),
    ("chat", at("model_config","opening_statement",to="ご用件をどうぞ。"), "Opening statement changed: −「質問」 +「用件」", "会話の開始文を変更: −「質問」 +「用件」"),
    ("agent", at("model_config","agent_mode","strategy",to="react"), "Agent strategy: function_call → react", "エージェントの方式: function_call → react"),
    ("agent", at("model_config","agent_mode","max_iteration",to=9), "Most steps of the agent: 5 → 9", "エージェントの最大反復回数: 5 → 9"),
    ("agent", pop("model_config","agent_mode","tools",1), "Tool current_time removed", "ツール「current_time」を削除"),
    ("agent", at("model_config","agent_mode","tools",1,"tool_parameters","timezone",to="Asia/Tokyo"), "Tool parameter timezone: UTC → Asia/Tokyo", "ツールのパラメーター timezone: UTC → Asia/Tokyo"),
    ("agent", at("model_config","agent_mode","tools",0,"dataset","id",to="11111111-46e6-4a5c-a8af-e338ecbf1acf"), "Dataset: 2bb56e12… → 11111111…", "ナレッジ: 2bb56e12… → 11111111…"),
    ("agent", at("model_config","agent_mode","tools",1,"enabled",to=False), "Use of the tool current_time: on → off", "ツール「current_time」の使用: オン → オフ"),
    ("completion", at("model_config","pre_prompt",to="Summarize for the board. {{query}}"), "Prompt changed: −「team.」 +「board.」", "プロンプトを変更: −「team.」 +「board.」"),
    ("completion", at("model_config","more_like_this","enabled",to=False), "“more like this”: on → off", "「似たものを生成」: オン → オフ"),
    ("completion", at("model_config","user_input_form",0,"paragraph","label",to="Text"), "Label of the input query: Query → Text", "入力項目「query」の表示名: Query → Text"),
    ("completion", at("model_config","dataset_query_variable",to=""), "Variable that is searched for: query → none", "検索に使う変数: query → なし"),
]
# fmt: on


@pytest.mark.parametrize(("kind", "edit", "en", "ja"), EDITS)
def test_one_edit_is_told_in_one_right_line(kind, edit, en, ja):
    """The line says what changed, from what to what, and nothing else is told; the way back is one change too."""
    old, new = edited(kind, edit)

    assert told.lines(changes(old, new)) == (Text(en, ja),)
    assert len(changes(new, old)) == 1


HOSTILE = "](javascript:alert(1)) <img src=x onerror=alert(1)> @everyone ::error::x \x1b[2J"


def test_unknown_parts_are_shown_by_their_own_names():
    """A field that no version of Dify has yet is told wherever it stands."""

    def edit(data: Data) -> None:
        data["new_root"] = 1
        data["workflow"]["new_part"] = {"deep": True}
        data["workflow"]["graph"]["new_list"] = ["x"]
        data["workflow"]["features"]["new_feature"] = {"enabled": True}
        node(data, LLM)["model"]["new_option"] = "fast"

    lines = [line.en for line in told.lines(changes(*edited("chatflow", edit)))]

    assert lines == [
        "Node “回答の作成”: model.new_option: none → fast",
        "New_feature.enabled: none → on",
        "New_list: none → x",
        "New_part.deep: none → on",
        "New_root: none → 1",
    ]


def test_layout_names_are_layout_only_on_the_canvas():
    """A tool's own parameter `width` or `selected` is no layout."""
    change = lambda data: node(data, "lookup")["tool_parameters"].update(width=3, selected=True)  # noqa: E731

    lines = [line.en for line in told.lines(changes(*edited("workflow", change)))]

    assert lines == [
        "Node “Look up”: tool parameter selected: none → on",
        "Node “Look up”: tool parameter width: none → 3",
    ]


@pytest.mark.parametrize(
    ("kind", "edit", "secret"),
    [
        ("chatflow", at("workflow", "environment_variables", 0, "value", to="hunter2-very"), "hunter2"),
        ("chatflow", in_node("1700000000008", "authorization", "config", "api_key", to="hunter2"), "hunter2"),
        ("chatflow", in_node("1700000000008", "headers", to="X-Api-Key: hunter2\nAccept: a"), "hunter2"),
        ("chatflow", in_node("1700000000008", "params", to="token=hunter2"), "hunter2"),
        ("chatflow", in_node("1700000000012", "code", to="key = 'sk-hunter2hunter2hunter2'"), "hunter2"),
        ("chatflow", prompt("丁寧に", "sk-hunter2hunter2hunter2 を使い"), "hunter2"),
        ("chatflow", at("app", "name", to="Bearer ghp_hunter2hunter2hunter2"), "hunter2"),
        ("agent", at("model_config", "agent_mode", "tools", 1, "tool_parameters", "api_key", to="hunter2"), "hunter2"),
        ("chat", at("model_config", "api_token", to="hunter2"), "hunter2"),
    ],
)  # fmt: skip
def test_a_secret_is_never_shown(kind, edit, secret):
    """Not as the new value, not as the old one; that it changed is told."""
    old, new = edited(kind, edit)
    for before, after in ((old, new), (new, old)):
        found = changes(before, after)
        assert len(found) == 1
        assert secret not in repr(found)


def test_a_secret_variable_by_its_name_is_hidden_too():
    """`STAFF_TOKEN` of the type string is a secret all the same."""

    def edit(data: Data) -> None:
        data["workflow"]["environment_variables"][1] |= {"name": "STAFF_TOKEN", "value": "hunter2"}

    old = data_of("chatflow")
    edit(old)
    new = copy.deepcopy(old)
    new["workflow"]["environment_variables"][1]["value"] = "hunter3"

    found = changes(dsl_of(old), dsl_of(new))

    assert [c.text.en for c in found] == ["Environment variable STAFF_TOKEN: value changed (not shown)"]


def test_words_of_a_prompt_are_told_with_their_surroundings():
    """The pieces read like the text: what stays around the change, what went, what came."""
    (change,) = changes(*edited("chatflow", prompt("丁寧に答えて", "簡潔に箇条書きで答えて")))

    assert [(p.kind, p.text) for p in change.pieces][1:3] == [("gone", "丁寧に"), ("new", "簡潔に箇条書きで")]
    assert change.pieces[0].text.endswith("社員に")
    assert change.node == "回答の作成"


def test_hostile_titles_come_through_as_text():
    """The diff makes no syntax of its own: escaping is the report's work, and nothing is lost before it."""
    (change,) = changes(*edited("chatflow", in_node(LLM, "title", to=HOSTILE.replace("\x1b", ""))))

    assert "<img src=x onerror=alert(1)>" in change.text.en


def test_plugin_versions_and_the_export_s_version_are_no_semantic_change():
    """They change with the server, not with the app."""

    def edit(data: Data) -> None:
        data["version"] = "0.9.9"
        value = data["dependencies"][0]["value"]
        value["marketplace_plugin_unique_identifier"] = "langgenius/openai:1.0.0@x"

    found = changes(*edited("chatflow", edit))

    assert len(found) == 2
    assert not told.semantic(found)
    assert told.semantic(changes(*edited("chatflow", prompt("丁寧", "簡潔"))))
