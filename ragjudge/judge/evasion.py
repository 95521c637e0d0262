"""Which sentences of an answer say something, and which are greetings, offers of help or "I don't know". Pure."""

import re

from ragjudge.judge.text import normal
from ragjudge.metrics.sentences import sentences

_EVADES = (
    r"(わか|分か|判|存じ上げ)り?(かね|ませ|ない)",
    r"(見つ|見付)か(り|ら)(ませ|な)",
    r"お?答え?(する|でき|し)(こと)?(が|は)?(でき)?(ませ|かね|ない)",
    r"(情報|記載|該当|資料|データ|内容)[^。]{0,20}(ありません|ございません|含まれて(い|お)(ませ|り)|見当たりません|不足)",
    r"(情報|記載|該当|資料|データ|内容)[^。]{0,20}(見|み)つけられません",
    r"お(役|やく)に(立|た)て(ず|ません)|回答(でき|いたしかね|を(控|差し控))|対応(でき|いたしかね)|確認できません",
    r"\b(i|we)( am|'m| are|'re)? (do not|don't|cannot|can't|could not|couldn't|not able|unable)\b",
    r"\b(i|we)( am|'m| are|'re) not (able|sure|aware)\b",
    r"\b(no|not any|don't have|do not have)\b[^.]{0,40}\b(information|data|answer)\b",
    r"\b(couldn't|could not|unable to) find\b",
    r"(does not|doesn't|do not|don't) (mention|contain|provide|include|specify)",
    r"i don't know|not (mentioned|specified|available) in the",
)
_PLEASANTRY = (
    r"^(こんにちは|ご質問|お問い?合わせ)?(いただき|頂き|を)?、?(誠に)?(ありがとう|有難う)ございます",
    r"お気軽に|ご(不明|質問)[^。]{0,20}(ください|下さい|お知らせ|あれば)|お力になれ|お手伝い",
    r"申し訳(あり|ござい)ません。?$|恐れ入ります",
    r"(担当|部署|窓口|総務|人事|上司|サポート)[^。]{0,25}(お問い?合わせ|ご確認|ご相談)(いただ|くだ|下さ|を)",
    r"^(hello|hi|thank you|thanks|sure|of course|certainly|great question|(i'm )?sorry|i apologize)\b[^.]{0,40}[.!,]?$",
    r"let me know|feel free|happy to help|hope (this|that) helps|anything else",
    r"please (contact|ask|consult|check with|refer)",
)
_EMPTY_TALK = re.compile("|".join(f"(?:{pattern})" for pattern in (*_EVADES, *_PLEASANTRY)))


def statements_of(answer: str) -> list[str]:
    """The sentences that claim something; empty for a refusal."""
    return [one for one in sentences(answer) if not _is_empty_talk(one)]


def evades(answer: str) -> bool:
    """Does the answer say nothing but that it does not know? Information with a caution is not evasion."""
    return not statements_of(answer)


def _is_empty_talk(sentence: str) -> bool:
    plain = normal(sentence).strip()
    if _EMPTY_TALK.search(plain):
        return True
    return plain.rstrip().endswith("?") or plain.endswith(("ですか。", "でしょうか。", "ますか。"))
