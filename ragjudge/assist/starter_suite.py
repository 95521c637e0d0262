"""The first suite of a new project: three questions to replace, as JSON or as a pleasant workbook."""

import io
import json
from typing import Literal

from ragjudge.language import Language

_ROWS: dict[Language, list[dict[str, str]]] = {
    "ja": [
        {
            "id": "1",
            "category": "経費",
            "entity": "本社",
            "question": "出張の交通費は、いつまでに申請すればよいですか?",
            "answer": "出張から戻った日の翌月5営業日までに、経費システムで申請します。",
        },
        {
            "id": "2",
            "category": "休暇",
            "entity": "支店",
            "question": "年次有給休暇を半日単位で取ることはできますか?",
            "answer": "できます。午前または午後の半日単位で、前日までに上長の承認を得てください。",
        },
        {
            "id": "3",
            "category": "範囲外",
            "entity": "本社",
            "question": "明日の天気を教えてください。",
            "answer": "社内規程に関する質問ではないため、お答えできません。",
        },
    ],
    "en": [
        {
            "id": "1",
            "category": "expenses",
            "entity": "head office",
            "question": "By when do I have to claim travel expenses?",
            "answer": "By the fifth working day of the month after the trip, in the expense system.",
        },
        {
            "id": "2",
            "category": "leave",
            "entity": "branch",
            "question": "Can I take annual leave by the half day?",
            "answer": "Yes, a morning or an afternoon, with your manager's approval by the day before.",
        },
        {
            "id": "3",
            "category": "out of scope",
            "entity": "head office",
            "question": "What will the weather be tomorrow?",
            "answer": "This is no question about company rules, so I can't answer it.",
        },
    ],
}
_TITLES: dict[Language, tuple[str, ...]] = {
    "ja": ("ID", "カテゴリ", "entity", "質問", "期待する回答"),
    "en": ("id", "category", "entity", "question", "expected answer"),
}
_WIDTHS = (8, 16, 12, 48, 64)


def content(suite_format: Literal["json", "xlsx"], language: Language) -> bytes:
    """The file's bytes; the same cases in both formats."""
    rows = _ROWS[language]
    if suite_format == "json":
        return (json.dumps(rows, ensure_ascii=False, indent=2) + "\n").encode()
    return _workbook(rows, language)


def _workbook(rows: list[dict[str, str]], language: Language) -> bytes:
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter

    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "テストケース" if language == "ja" else "cases"
    sheet.append(_TITLES[language])
    for row in rows:
        sheet.append(list(row.values()))
    for cell in sheet[1]:
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", fgColor="DDEBF7")
    for line in sheet.iter_rows(min_row=2):
        for cell in line:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
    for index, width in enumerate(_WIDTHS, start=1):
        sheet.column_dimensions[get_column_letter(index)].width = width
    sheet.freeze_panes = "A2"
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()
