"""Which field of a case a column title means: ragjudge's names, other tools' names, and what Japanese teams write."""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from ragjudge.errors import Problem
from ragjudge.language import Text
from ragjudge.settings.suggestions import did_you_mean, nearest

FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": (
        "case_id", "test_id", "question_id", "no", "#", "番号", "項番", "連番", "管理番号", "ケースid", "ケース番号",
        "テストid", "テストケースid", "質問id", "質問番号",
    ),
    "question": (
        "query", "user_input", "prompt", "質問", "質問文", "質問内容", "ご質問", "ご質問内容", "設問", "問い",
        "ユーザーの質問", "ユーザー質問", "問い合わせ", "問い合わせ内容", "お問い合わせ内容", "問合せ内容",
        "お問合せ内容",
    ),
    "reference": (
        "answer", "expected_answer", "expected", "expected_output", "ideal_answer", "ground_truth", "ground_truths",
        "correct_answer", "gold_answer", "model_answer", "正解", "正答", "回答", "回答内容", "回答文", "答え",
        "解答", "模範回答", "模範解答",
        "理想回答", "理想の回答", "理想的な回答", "想定回答", "想定される回答", "期待回答", "期待する回答",
        "期待される回答", "期待値", "期待結果", "期待する結果", "正解回答", "正しい回答", "参照回答",
    ),
    "category": ("カテゴリ", "カテゴリー", "分類", "区分", "種別"),
    "tags": ("tag", "labels", "タグ", "ラベル"),
    "inputs": ("入力変数", "変数", "アプリ変数"),
    "turns": ("follow_ups", "会話の続き", "続きの質問", "追加質問"),
    "reference_contexts": (
        "reference_context", "expected_contexts", "ground_truth_contexts", "正解コンテキスト", "参照コンテキスト",
        "根拠文",
    ),
    "files": ("attachments", "添付", "添付ファイル", "ファイル"),
    "checks": ("チェック", "検査"),
    "checks.contains": ("contains", "必須語", "必須語句", "必須キーワード", "含むべき語"),
    "checks.not_contains": ("not_contains", "禁止語", "禁止語句", "ngワード", "含んではいけない語"),
    "checks.regex": ("regex", "正規表現"),
    "checks.max_latency_s": ("max_latency_s", "最大応答秒数"),
    "checks.cites": ("cites",),
    "metrics": ("指標", "評価指標"),
    "skip": ("スキップ", "除外", "対象外"),
}  # fmt: skip
"""Field → other titles for it. Blanks, `_`, `-`, case, width and a remark in brackets make no difference."""

TEAM_FIELD = "field"
"""In `columns:`, keeps a column as the team's own even where its title means something to ragjudge."""

_REMARK = re.compile(r"\([^()]*\)$|\[[^\[\]]*\]$|【[^【】]*】$")
_LONGEST_TITLE = 30
_ASKS = (
    re.compile(r"(?:質問|設問|問い|問い?合わ?せ|question|query|prompt)(?:文|本文|内容|text)?$"),
    re.compile(r"^(?!.*(?:回答|答え|answer))(?=.*(?:質問|設問|question|query|prompt)).*(?<![者日時数名号])$"),
)
"""Signs of a title over questions, the surest first: who asked, when and how often is none."""
_IGNORED = re.compile(r"[\s_\-.:*※]+")


def normal_title(title: str) -> str:
    """`質問内容(必須)` and ` 質問_内容 ` are one title."""
    text = unicodedata.normalize("NFKC", title).casefold().strip()
    text = _REMARK.sub("", text).strip() or text
    return _IGNORED.sub("", text)


_KNOWN = {normal_title(title): field for field, titles in FIELDS.items() for title in (field, *titles)}


def in_yaml(title: str) -> str:
    """A key of a mapping on one line; with quotes where it holds signs that mean something there."""
    plain = all(char.isalnum() or char in " _-()()・" for char in title) and title[0].isalpha()
    return title[:60] if plain else json.dumps(title[:60], ensure_ascii=False)


class Columns:
    """Titles to fields, with the team's `columns:` map first. `filling`: the titles that `app.inputs` uses."""

    def __init__(self, mapping: Mapping[str, str] | None = None, filling: Iterable[str] = ()) -> None:
        self._filling = {normal_title(title) for title in filling}
        self._mapping = {normal_title(title): field for title, field in (mapping or {}).items()}
        self._written = {normal_title(title): title for title in (mapping or {})}
        self._used: set[str] = set()
        self._cache: dict[str, str | None] = {}
        self._meant: dict[tuple[str, ...], str | None] = {}

    def field(self, title: str) -> str | None:
        """The field, `inputs.NAME`, or None for a column of the team's own."""
        if title not in self._cache:
            self._cache[title] = self._look_up(title)
        return self._cache[title]

    def fills_inputs(self, title: str) -> bool:
        """A column of the team's own whose values are sent to the app."""
        return self.field(title) is None and normal_title(title) in self._filling

    def _look_up(self, title: str) -> str | None:
        normal = normal_title(title)
        if normal in self._mapping:
            self._used.add(normal)
            field = self._mapping[normal]
            return None if field == TEAM_FIELD else field
        prefix, _, variable = title.strip().partition(".")
        if variable and normal_title(prefix) == "inputs":
            return f"inputs.{variable}"
        return _KNOWN.get(normal)

    def like_a_question(self, titles: Sequence[str]) -> str | None:
        """The unknown title that most likely stands over questions: `Customer question` rather than `質問者`."""
        unknown = [title for title in titles if len(title) <= _LONGEST_TITLE and self.field(title) is None]
        return next((t for sign in _ASKS for t in unknown if sign.search(normal_title(t))), None)

    def meant_as_question(self, titles: Sequence[str]) -> str | None:
        """The unknown title that is a mistyped one for questions (`quesion`), or is like one."""
        found = tuple(title for title in titles if len(title) <= _LONGEST_TITLE)
        if found not in self._meant:
            known = ("question", *FIELDS["question"])
            mistyped = (t for t in found if self.field(t) is None and nearest(t, known))
            self._meant[found] = next(mistyped, None) or self.like_a_question(found)
        return self._meant[found]

    def problems(self) -> list[Problem]:
        """Entries of the map that point to no field."""
        known = [*FIELDS, TEAM_FIELD]
        return [
            Problem(
                Text(
                    f"columns: {self._written[title]!r} points to {field!r}, which is no field of a case.",
                    f"columns: 「{self._written[title]}」に指定された「{field}」という項目はありません。",
                ),
                cure=did_you_mean(field, known),
            )
            for title, field in self._mapping.items()
            if field not in known and not re.fullmatch(r"inputs\..+", field)
        ]

    def unused(self) -> list[str]:
        """Titles of the map that no file had."""
        return [self._written[title] for title in self._mapping if title not in self._used]
