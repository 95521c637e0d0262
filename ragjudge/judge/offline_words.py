"""What the offline judge says about its findings, in both languages. It names what was compared, never a meaning."""

from ragjudge.judge.lexical import Support
from ragjudge.language import Language, Text

_LONGEST_QUOTE = 40


def quote(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST_QUOTE else plain[: _LONGEST_QUOTE - 1] + "…"


def of_support(found: Support, language: Language) -> str:
    """Why a statement counts as said or not."""
    return _finding(found).in_language(language)


def _finding(found: Support) -> Text:
    share = round(100 * found.coverage)
    if found.missing_numbers:
        numbers = ", ".join(found.missing_numbers)
        return Text(f"The number {numbers} is not given there.", f"数値「{numbers}」が記載と一致しません。")
    if found.opposite:
        ours, theirs = (word.strip() for word in found.opposite)
        return Text(
            f'It says "{ours}", the text says "{theirs}".',
            f"「{ours}」とありますが、記載は「{theirs}」です。",
        )
    if found.replaced and found.coverage >= 0.3:
        ours, theirs = found.replaced
        return Text(
            f'"{ours}" stands where the text has "{theirs}".',
            f"「{ours}」とありますが、記載は「{theirs}」です。",
        )
    near = quote(found.passage)
    if found.turned and found.coverage >= 0.3:
        return Text(
            f'Affirmed in one, denied in the other: "{near}"', f"肯定と否定が食い違っています:「{near}」"
        )
    if found.coverage < 0.3:
        return Text(
            f"Hardly any of its wording is there ({share}%).",
            f"対応する記載がほとんどありません(語句の一致{share}%)。",
        )
    return Text(f'{share}% of its wording is in "{near}".', f"語句の{share}%が「{near}」と一致します。")
