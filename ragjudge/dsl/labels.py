"""What a setting of an export is called in a person's words; anything unknown keeps its own dotted name."""

from ragjudge.dsl.leaves import Steps
from ragjudge.language import Text

ANY = "*"
_LABELS: tuple[tuple[tuple[str, ...], Text], ...] = (
    (("title",), Text("title", "タイトル")),
    (("model", "name"), Text("model", "モデル")),
    (("model", "provider"), Text("model provider", "モデルの提供元")),
    (("model", "mode"), Text("model mode", "モデルの形式")),
    (("model", "completion_params", ANY), Text("model parameter {0}", "モデルのパラメーター {0}")),
    (("prompt_template", ANY, "text"), Text("prompt ({0})", "プロンプト({0})")),
    (("prompt_template", ANY), Text("prompt ({0})", "プロンプト({0})")),
    (("prompt_template", "text"), Text("prompt", "プロンプト")),
    (("pre_prompt",), Text("prompt", "プロンプト")),
    (("context", "enabled"), Text("use of the context", "コンテキストの使用")),
    (("context", "variable_selector"), Text("source of the context", "コンテキストの参照元")),
    (("memory", "window", "size"), Text("size of the memory", "会話履歴の件数")),
    (("memory", "window", "enabled"), Text("limit of the memory", "会話履歴の件数制限")),
    (("memory",), Text("memory", "会話履歴の使用")),
    (("dataset_ids",), Text("datasets", "ナレッジ")),
    (("dataset_configs", "datasets", "datasets", ANY, "id"), Text("dataset", "ナレッジ")),
    (("dataset_configs", "datasets", "datasets", ANY), Text("dataset", "ナレッジ")),
    (("agent_mode", "tools", "dataset", "id"), Text("dataset", "ナレッジ")),
    (("retrieval_mode",), Text("retrieval mode", "検索モード")),
    (("query_variable_selector",), Text("variable that is searched for", "検索に使う変数")),
    ((ANY, "top_k"), Text("top k (number of passages)", "取得件数(top_k)")),
    ((ANY, "score_threshold"), Text("score threshold", "スコアのしきい値")),
    ((ANY, "score_threshold_enabled"), Text("use of the score threshold", "スコアのしきい値の使用")),
    ((ANY, "reranking_enable"), Text("rerank", "再ランク付け")),
    ((ANY, "reranking_enabled"), Text("rerank", "再ランク付け")),
    ((ANY, "reranking_mode"), Text("rerank mode", "再ランク付けの方式")),
    ((ANY, "reranking_model", "model"), Text("rerank model", "再ランク付けのモデル")),
    ((ANY, "reranking_model", "provider"), Text("rerank provider", "再ランク付けの提供元")),
    ((ANY, "weights", "vector_setting", "vector_weight"), Text("weight of vectors", "ベクトル検索の重み")),
    ((ANY, "weights", "keyword_setting", "keyword_weight"), Text("weight of keywords", "キーワード検索の重み")),
    (("metadata_filtering_mode",), Text("metadata filter", "メタデータの絞り込み")),
    (("variables", ANY, "required"), Text("“required” of the input {0}", "入力項目「{0}」の必須")),
    (("variables", ANY, "options"), Text("choices of the input {0}", "入力項目「{0}」の選択肢")),
    (("variables", ANY, "max_length"), Text("greatest length of the input {0}", "入力項目「{0}」の最大文字数")),
    (("variables", ANY, "label"), Text("label of the input {0}", "入力項目「{0}」の表示名")),
    (("variables", ANY, "type"), Text("type of the input {0}", "入力項目「{0}」の種類")),
    (("variables", ANY), Text("input {0}", "入力項目「{0}」")),
    (("user_input_form", ANY, "required"), Text("“required” of the input {0}", "入力項目「{0}」の必須")),
    (("user_input_form", ANY, "options"), Text("choices of the input {0}", "入力項目「{0}」の選択肢")),
    (("user_input_form", ANY), Text("input {0}", "入力項目「{0}」")),
    (("answer",), Text("text of the answer", "回答の文面")),
    (("code",), Text("code", "コード")),
    (("template",), Text("template", "テンプレート")),
    (("url",), Text("address", "URL")),
    (("outputs", ANY), Text("output {0}", "出力「{0}」")),
    (("opening_statement",), Text("opening statement", "会話の開始文")),
    (("suggested_questions",), Text("suggested questions", "質問の候補")),
    (("suggested_questions_after_answer", "enabled"), Text("suggestions after the answer", "回答後の質問候補")),
    (("retriever_resource", "enabled"), Text("citations", "引用と帰属")),
    (("sensitive_word_avoidance", "enabled"), Text("moderation", "不適切な語の検査")),
    (("file_upload", "enabled"), Text("file upload", "ファイルのアップロード")),
    (("agent_mode", "enabled"), Text("agent mode", "エージェントモード")),
    (("agent_mode", "strategy"), Text("agent strategy", "エージェントの方式")),
    (("agent_mode", "max_iteration"), Text("most steps of the agent", "エージェントの最大反復回数")),
    (("agent_mode", "tools", ANY), Text("tool {0}", "ツール「{0}」")),
    (("tool_parameters", ANY), Text("tool parameter {0}", "ツールのパラメーター {0}")),
)  # fmt: skip


def label(steps: Steps) -> Text:
    """The most exact name there is; names of entries are filled in."""
    for pattern, text in _LABELS:
        if len(pattern) == len(steps) and all(p in (ANY, s) for p, s in zip(pattern, steps, strict=True)):
            names = [s for p, s in zip(pattern, steps, strict=True) if p == ANY]
            named = names[-1] if names else ""
            return Text(text.en.replace("{0}", named), text.ja.replace("{0}", named))
    dotted = ".".join(steps)
    return Text(dotted, dotted)
