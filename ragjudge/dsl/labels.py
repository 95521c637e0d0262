"""What a setting of an export is called in a person's words; anything unknown keeps its own dotted name."""

import re

from ragjudge.dsl.leaves import ORDER, Steps
from ragjudge.language import Text

ANY = "*"
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[A-Za-z0-9+/=]{40,}")
_LABELS: tuple[tuple[tuple[str, ...], Text], ...] = (
    (("title",), Text("title", "タイトル")),
    (("model", "name"), Text("model", "モデル")),
    (("model", "provider"), Text("model provider", "モデルの提供元")),
    (("model", "mode"), Text("model mode", "モデルの形式")),
    (("model", "completion_params", ANY), Text("model parameter {0}", "モデルのパラメーター {0}")),
    (("prompt_template", ANY, "text"), Text("prompt ({0})", "プロンプト({0})")),
    (("prompt_template", ANY), Text("prompt ({0})", "プロンプト({0})")),
    (("chat_prompt_config", "prompt", ANY, "text"), Text("prompt ({0})", "プロンプト({0})")),
    (("chat_prompt_config", "prompt", ANY), Text("prompt ({0})", "プロンプト({0})")),
    (("completion_prompt_config", "prompt", "text"), Text("prompt", "プロンプト")),
    (("prompt_template", "text"), Text("prompt", "プロンプト")),
    (("pre_prompt",), Text("prompt", "プロンプト")),
    (("context", "enabled"), Text("use of the context", "コンテキストの使用")),
    (("context", "variable_selector"), Text("source of the context", "コンテキストの参照元")),
    (("memory", "window", "size"), Text("size of the memory", "会話履歴の件数")),
    (("memory", "window", "enabled"), Text("limit of the memory", "会話履歴の件数制限")),
    (("memory",), Text("memory", "会話履歴の使用")),
    (("dataset_ids",), Text("datasets", "ナレッジ")),
    (("dataset_configs", "datasets", "datasets", "dataset", "id"), Text("dataset", "ナレッジ")),
    (("dataset_configs", "datasets", "datasets", "dataset", "enabled"), Text("use of the dataset", "ナレッジの使用")),
    (("dataset_configs", "datasets", "datasets", "dataset", ANY), Text("dataset {0}", "ナレッジ「{0}」")),
    (("agent_mode", "tools", "dataset", "id"), Text("dataset", "ナレッジ")),
    (("agent_mode", "tools", "dataset", "enabled"), Text("use of the dataset", "ナレッジの使用")),
    (("agent_mode", "tools", "dataset", ANY), Text("dataset {0}", "ナレッジ「{0}」")),
    ((ANY, ANY, ANY, "dataset", ANY, "enabled"), Text("use of the dataset {0}", "ナレッジ「{0}」の使用")),
    (("agent_mode", "tools", "dataset", ANY, "enabled"), Text("use of the dataset {0}", "ナレッジ「{0}」の使用")),
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
    (("variables", ANY, "default"), Text("default of the input {0}", "入力項目「{0}」の初期値")),
    (("variables", ANY, "value_selector"), Text("source of the variable {0}", "変数「{0}」の参照元")),
    (("variables",), Text("variables that are joined", "まとめる変数")),
    (("variables", ANY), Text("input {0}", "入力項目「{0}」")),
    (("user_input_form", ANY, "required"), Text("“required” of the input {0}", "入力項目「{0}」の必須")),
    (("user_input_form", ANY, "options"), Text("choices of the input {0}", "入力項目「{0}」の選択肢")),
    (("user_input_form", ANY, "label"), Text("label of the input {0}", "入力項目「{0}」の表示名")),
    (("user_input_form", ANY, "type"), Text("type of the input {0}", "入力項目「{0}」の種類")),
    (("user_input_form", ANY, "default"), Text("default of the input {0}", "入力項目「{0}」の初期値")),
    (("user_input_form", ANY, "max_length"), Text("greatest length of the input {0}", "入力項目「{0}」の最大文字数")),
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
    (("sensitive_word_avoidance", "type"), Text("kind of moderation", "不適切な語の検査の種類")),
    (("sensitive_word_avoidance", "config", "keywords"), Text("words that are refused", "不適切とみなす語")),
    (("structured_output_enabled",), Text("structured output", "構造化出力")),
    (("file_upload", "enabled"), Text("file upload", "ファイルのアップロード")),
    (("agent_mode", "enabled"), Text("agent mode", "エージェントモード")),
    (("agent_mode", "strategy"), Text("agent strategy", "エージェントの方式")),
    (("agent_mode", "max_iteration"), Text("most steps of the agent", "エージェントの最大反復回数")),
    (("agent_mode", "tools", ANY), Text("tool {0}", "ツール「{0}」")),
    (("agent_mode", "tools", ANY, "enabled"), Text("use of the tool {0}", "ツール「{0}」の使用")),
    (("agent_mode", "tools", ANY, "tool_parameters", ANY), Text("tool parameter {0}", "ツールのパラメーター {0}")),
    (("more_like_this", "enabled"), Text("“more like this”", "「似たものを生成」")),
    (("speech_to_text", "enabled"), Text("speech to text", "音声入力")),
    (("text_to_speech", "enabled"), Text("text to speech", "音声読み上げ")),
    (("dataset_query_variable",), Text("variable that is searched for", "検索に使う変数")),
    (("classes", ANY, "name"), Text("class {0}", "分類{0}")),
    (("classes", ANY), Text("class {0}", "分類{0}")),
    (("instruction",), Text("instruction", "指示")),
    (("cases", ANY, "conditions", ANY, "comparison_operator"), Text("comparison of a condition", "条件の比較方法")),
    (("cases", ANY, "conditions", ANY, "value"), Text("value of a condition", "条件の値")),
    (("cases", ANY, "conditions", ANY, "variable_selector"), Text("variable of a condition", "条件の変数")),
    (("cases", ANY, "conditions", ANY), Text("condition {0}", "条件{0}")),
    (("cases", ANY, "logical_operator"), Text("and/or of branch {0}", "分岐{0}のAND/OR")),
    (("cases", ANY), Text("branch {0}", "分岐{0}")),
    (("cases", ORDER), Text("order of the branches", "分岐の順序")),
    (("prompt_template", ORDER), Text("order of the prompts", "プロンプトの順序")),
    (("vision", "enabled"), Text("vision", "画像認識")),
    (("method",), Text("HTTP method", "HTTPメソッド")),
    (("headers",), Text("HTTP headers", "HTTPヘッダー")),
    (("params",), Text("HTTP parameters", "HTTPパラメーター")),
    (("body",), Text("HTTP body", "HTTPボディ")),
    (("iterator_selector",), Text("list that is gone through", "繰り返しの対象")),
    (("output_selector",), Text("source of the output", "出力の参照元")),
    (("is_parallel",), Text("parallel work", "並列処理")),
    (("parallel_nums",), Text("most at once", "並列処理の数")),
    (("error_handle_mode",), Text("what happens after an error", "エラー時の動作")),
    (("error_strategy",), Text("what happens after an error", "エラー時の動作")),
    (("tool_name",), Text("tool", "ツール")),
    (("tool_configurations", ANY), Text("tool setting {0}", "ツールの設定 {0}")),
    (("tool_parameters", ANY, "value"), Text("tool parameter {0}", "ツールのパラメーター {0}")),
    (("outputs", ANY, "value_selector"), Text("source of the output {0}", "出力「{0}」の参照元")),
    (("value",), Text("value", "値")),
    (("value_type",), Text("type", "種類")),
    (("description",), Text("description", "説明")),
    (("tool_parameters", ANY), Text("tool parameter {0}", "ツールのパラメーター {0}")),
)  # fmt: skip


def label(steps: Steps) -> Text:
    """The most exact name there is; names of entries are filled in."""
    for pattern, text in _LABELS:
        if _fits(pattern, steps):
            names = [s for p, s in zip(pattern, steps, strict=True) if p == ANY]
            named = short_id(names[-1]) if names else ""
            return Text(text.en.replace("{0}", named), text.ja.replace("{0}", named))
    dotted = ".".join(short_id(step) for step in steps)
    return Text(dotted, dotted)


def has_words(steps: Steps) -> bool:
    """Whether it has a name in words, and not only that of the file."""
    return any(_fits(pattern, steps) for pattern, _ in _LABELS)


def _fits(pattern: Steps, steps: Steps) -> bool:
    return len(pattern) == len(steps) and all(p in (ANY, s) for p, s in zip(pattern, steps, strict=True))


def short_id(text: str) -> str:
    """Ids of datasets and the like are long and tell a reader nothing: their beginning is enough to see a change."""
    return f"{text[:8]}…" if _ID.fullmatch(text) else text
