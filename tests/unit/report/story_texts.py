"""The words of the stories: the same twelve cases in Japanese and in English."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Told:
    """One case: what was asked, what came before and now, and how both were scored (in METRICS order)."""

    id: str
    entity: str
    category: str
    question: str
    reference: str
    before: str
    documents: tuple[str, ...]
    scores_before: tuple[float, ...] = (5, 1.0, 0.93, 1.0, 1.0)
    now: str = ""
    documents_now: tuple[str, ...] = ()
    scores_now: tuple[float, ...] = ()
    fresh: tuple[float, ...] = ()
    comments: dict[str, str] = field(default_factory=dict)
    reason: str = ""


def _same(*args, scores=(5, 1.0, 0.93, 1.0, 1.0), now=None, comments=None, reason="", fresh=()) -> Told:
    case_id, entity, category, question, reference, answer, *documents = args
    return Told(
        case_id,
        entity,
        category,
        question,
        reference,
        answer,
        tuple(documents),
        scores_before=scores,
        now=answer,
        documents_now=tuple(documents),
        scores_now=now or scores,
        comments=comments or {},
        reason=reason,
        fresh=fresh,
    )


def _said(accuracy, coverage, clarity, appropriateness, summary) -> dict[str, str]:
    return {
        "accuracy": accuracy,
        "coverage": coverage,
        "clarity": clarity,
        "appropriateness": appropriateness,
        "summary": summary,
    }


_JA_GOOD = _said(
    "正しい内容です。",
    "要点がそろっています。",
    "分かりやすい文です。",
    "質問に合っています。",
    "正解と同じ内容です。",
)
_EN_GOOD = _said(
    "Correct.", "Complete.", "Easy to read.", "Answers the question.", "Says the same as the reference."
)

JA = (
    _same(
        "1",
        "本社",
        "休暇",
        "年次有給休暇は、入社して半年後に何日もらえますか。",
        "10日です。",
        "入社から6か月たつと、10日の年次有給休暇が付与されます。",
        "就業規則 第4章",
        comments=_JA_GOOD,
    ),
    _same(
        "2",
        "本社",
        "休暇",
        "半日単位で有給休暇を取れますか。",
        "取れます。1日の所定労働時間の半分を1回とします。",
        "はい、半日単位で取得できます。",
        "就業規則 第4章",
        scores=(4, 1.0, 0.9, 0.83, 1.0),
        comments=_said(
            "正しい内容です。",
            "半日の数え方の説明がありません。",
            "簡潔です。",
            "質問に合っています。",
            "要点は合っていますが、半日の定義がありません。",
        ),
    ),
    Told(
        "3",
        "支店",
        "経費システム",
        "出張旅費の精算は、いつまでに申請すればよいですか。",
        "出張から戻った日を含めて10営業日以内に、経費システムから申請します。領収書の添付が必要です。",
        "出張終了日を含めて10営業日以内に、経費システムで申請してください。領収書を添付します。",
        ("旅費規程 第9条", "経費システム操作手引き"),
        (5, 1.0, 0.94, 1.0, 1.0),
        "出張旅費の精算は、翌月末までに上長へ紙の精算書を提出してください。領収書は不要です。",
        ("慶弔規程 第2条",),
        (2, 0.33, 0.88, 0.0, 0.0),
        (2, 2),
        _said(
            "期限（10営業日以内）と提出先が正解と食い違っています。",
            "領収書の添付が抜けています。",
            "文章は読みやすいです。",
            "質問には答えていますが、内容が誤りです。",
            "期限・方法・領収書の要否がすべて誤りです。",
        ),
        "「翌月末まで」「紙の精算書」は、検索された文書のどこにもありません。",
    ),
    _same(
        "4",
        "支店",
        "経費システム",
        "交際費の上限は1人いくらですか。",
        "1人あたり1万円です。超えるときは部長の事前承認が必要です。",
        "1人1万円が上限です。超える場合は部長の事前承認が要ります。",
        "経費規程 第12条",
        comments=_JA_GOOD,
    ),
    _same(
        "5",
        "本社",
        "情報セキュリティ",
        "私物のUSBメモリを業務で使えますか。",
        "使えません。会社が貸し出す暗号化USBメモリを使います。",
        "私物のUSBメモリは使えません。情報システム部が貸し出す暗号化メモリを使ってください。",
        "情報セキュリティ基準 3.2",
        comments=_JA_GOOD,
    ),
    _same(
        "6",
        "支店",
        "情報セキュリティ",
        "パスワードは何文字以上にしますか。",
        "12文字以上です。",
        "12文字以上で設定してください。",
        "情報セキュリティ基準 2.1",
        scores=(5, 1.0, 0.95, 1.0, 0.83),
        comments=_JA_GOOD,
    ),
    Told(
        "7",
        "本社",
        "勤務",
        "在宅勤務は週に何日までできますか。",
        "週3日までです。前週の金曜日までに上長の承認を得ます。",
        "週3日までです。前の週の金曜日までに上長の承認を受けてください。",
        ("在宅勤務規程 第5条",),
        (5, 1.0, 0.92, 1.0, 1.0),
        "申し訳ありませんが、その情報は見つかりませんでした。人事部 <hr@example.co.jp> にお問い合わせください。",
        (),
        (1, 0.5, 0.0, 0.0, 0.0),
        (1, 1),
        _said(
            "正解の内容が含まれていません。",
            "日数も承認の手順もありません。",
            "文は明瞭です。",
            "質問に答えていません。",
            "回答できていません。",
        ),
        "問い合わせ先の案内だけで、規程に基づく内容がありません。",
    ),
    _same(
        "8",
        "支店",
        "勤務",
        "時差出勤の申請先はどこですか。",
        "所属長です。勤怠システムから前日までに申請します。",
        "勤怠システムから、前日までに所属長へ申請します。",
        "勤務時間規程 第7条",
        comments=_JA_GOOD,
    ),
    _same(
        "9",
        "本社",
        "福利厚生",
        "健康診断の再検査の費用は会社が出しますか。",
        "法定項目の再検査は会社が負担します。",
        "法定項目の再検査であれば会社負担です。",
        "健康管理規程 第3条",
        scores=(5, 1.0, 0.9, 1.0, 1.0),
        now=(3, 1.0, 0.9, 1.0, 1.0),
        fresh=(5, 5),
        comments=_said(
            "正しい内容です。",
            "法定項目に限ることの説明が弱いです。",
            "簡潔です。",
            "質問に合っています。",
            "条件の説明がやや不足しています。",
        ),
    ),
    _same(
        "10",
        "支店",
        "福利厚生",
        "社宅の入居期間に上限はありますか。",
        "原則10年です。",
        "社宅の入居期間は、原則5年までです。",
        "社宅規程 第6条",
        scores=(2, 0.5, 0.91, 1.0, 0.5),
        comments=_said(
            "年数が違います（10年が正しい）。",
            "原則であることは触れています。",
            "簡潔です。",
            "質問に合っています。",
            "入居期間の年数が誤りです。",
        ),
        reason="「5年」は文書の記載（10年）と一致しません。",
    ),
    _same(
        "11",
        "本社",
        "慶弔",
        "結婚したときの特別休暇は何日ですか。",
        "連続5日です。",
        "連続して5日です。",
        "就業規則 第4章",
        "慶弔規程 第2条",
        scores=(5, 1.0, 0.96, 1.0, 0.5),
        comments=_JA_GOOD,
    ),
    _same(
        "12",
        "支店",
        "慶弔",
        "祖父母が亡くなったときの忌引は何日ですか。",
        "3日です。",
        "3日の忌引休暇を取得できます。",
        "慶弔規程 第4条",
        comments=_JA_GOOD,
    ),
)

EN = (
    _same("1", "Head office", "Leave", "How many days of annual leave do I get after six months?", "Ten days.", "After six months you are given ten days of annual leave.", "Work rules, chapter 4", comments=_EN_GOOD),
    _same("2", "Head office", "Leave", "Can I take half a day of leave?", "Yes. Half of the day's scheduled hours count as one half-day.", "Yes, leave can be taken by half-days.", "Work rules, chapter 4", scores=(4, 1.0, 0.9, 0.83, 1.0), comments=_said("Correct.", "How a half-day is counted is missing.", "Short and clear.", "Answers the question.", "The main point is there, the definition is not.")),
    Told("3", "Branch", "Expenses", "By when must I claim travel expenses?", "Within ten working days of the return, in the expense system, with receipts attached.", "Claim them in the expense system within ten working days, receipts attached.", ("Travel rules, article 9", "Expense system guide"), (5, 1.0, 0.94, 1.0, 1.0), "Hand a paper form to your manager by the end of the next month. No receipts are needed.", ("Condolence rules, article 2",), (2, 0.33, 0.88, 0.0, 0.0), (2, 2), _said("Deadline and place differ from the reference.", "The receipts are missing.", "Easy to read.", "It answers, but wrongly.", "Deadline, way and receipts are all wrong."), '"End of the next month" and "paper form" are in none of the retrieved documents.'),
    _same("4", "Branch", "Expenses", "What is the limit for entertainment per person?", "10,000 yen per person; above it the department head approves beforehand.", "10,000 yen per person. Above that you need the department head's approval beforehand.", "Expense rules, article 12", comments=_EN_GOOD),
    _same("5", "Head office", "Security", "May I use my own USB stick at work?", "No. Use the encrypted sticks that the company lends.", "No, private USB sticks are not allowed. IT lends encrypted ones.", "Security standard 3.2", comments=_EN_GOOD),
    _same("6", "Branch", "Security", "How long must a password be?", "At least 12 characters.", "Use at least 12 characters.", "Security standard 2.1", scores=(5, 1.0, 0.95, 1.0, 0.83), comments=_EN_GOOD),
    Told("7", "Head office", "Working", "How many days a week may I work from home?", "Up to three, approved by your manager by Friday of the week before.", "Up to three days. Get your manager's approval by Friday of the week before.", ("Home office rules, article 5",), (5, 1.0, 0.92, 1.0, 1.0), "Sorry, I could not find that. Please ask HR <hr@example.co.jp>.", (), (1, 0.5, 0.0, 0.0, 0.0), (1, 1), _said("Nothing of the reference is there.", "Neither the days nor the approval.", "Clear.", "Does not answer the question.", "No answer."), "It only names whom to ask; nothing is taken from the rules."),
    _same("8", "Branch", "Working", "Where do I apply for staggered hours?", "To your manager, in the attendance system, by the day before.", "Apply to your manager in the attendance system by the day before.", "Working hours rules, article 7", comments=_EN_GOOD),
    _same("9", "Head office", "Benefits", "Does the company pay for a repeated health check?", "Yes, for the items required by law.", "For items required by law the company pays.", "Health rules, article 3", scores=(5, 1.0, 0.9, 1.0, 1.0), now=(3, 1.0, 0.9, 1.0, 1.0), fresh=(5, 5), comments=_said("Correct.", "The limit to legal items is weak.", "Short.", "Answers the question.", "The condition could be clearer.")),
    _same("10", "Branch", "Benefits", "How long may I live in company housing?", "Ten years as a rule.", "As a rule, up to five years.", "Housing rules, article 6", scores=(2, 0.5, 0.91, 1.0, 0.5), comments=_said("The number of years is wrong (ten).", "It says that it is a rule.", "Short.", "Answers the question.", "The number of years is wrong."), reason='"Five years" does not agree with the document (ten).'),
    _same("11", "Head office", "Family", "How many days off do I get when I marry?", "Five days in a row.", "Five days in a row.", "Work rules, chapter 4", "Condolence rules, article 2", scores=(5, 1.0, 0.96, 1.0, 0.5), comments=_EN_GOOD),
    _same("12", "Branch", "Family", "How many days off do I get when a grandparent dies?", "Three days.", "You get three days of bereavement leave.", "Condolence rules, article 4", comments=_EN_GOOD),
)  # fmt: skip

GONE = {
    "ja": _same("13", "本社", "慶弔", "慶弔見舞金はいつ支給されますか。", "申請した月の翌月の給与で支給されます。", "翌月の給与とあわせて支給されます。", "慶弔規程 第8条", comments=_JA_GOOD),
    "en": _same("13", "Head office", "Family", "When is the congratulatory money paid?", "With the salary of the month after the claim.", "With the next month's salary.", "Condolence rules, article 8", comments=_EN_GOOD),
}  # fmt: skip

TEXTS = {"ja": JA, "en": EN}
