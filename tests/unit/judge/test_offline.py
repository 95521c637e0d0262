"""The judge without a model: what it can tell apart."""

import asyncio

import pytest

from ragjudge.errors import JudgeCouldNotScore
from ragjudge.judge.evasion import evades, statements_of
from ragjudge.judge.lexical import says_verbatim, support
from ragjudge.judge.offline import OfflineJudge
from ragjudge.judge.polarity import negations, opposite, turned
from ragjudge.judge.quantities import gives_another, missing_quantities, quantities
from ragjudge.metrics import tasks
from ragjudge.metrics.prompting import Prompts
from ragjudge.ports import JudgeTask

RULES = "経費申請は翌月5日までに経費システムで行います。申請は5営業日以内に承認されます。派遣社員の承認は不要です。"
RULES_EN = "Requests filed by noon are approved within 5 business days. Contractors need no approval."


def judge(name, reply, fields, language="ja"):
    task = JudgeTask(name, "", "", fields, reply, "d", language=language)
    return asyncio.run(OfflineJudge().ask(task)).value


def grade(answer, language="ja"):
    fields = {
        "question": "経費はいつまでに申請しますか。",
        "reference": "翌月5日までに経費システムで申請してください。お問い合わせは内線1234です。",
        "answer": answer,
        "allow": [],
    }
    return judge(tasks.GRADE, tasks.Grade, fields, language)


@pytest.mark.parametrize(
    ("statement", "supported"),
    [
        ("申請は5営業日以内に承認されます。", True),
        ("申請は五営業日以内に承認される。", True),
        ("申請は15営業日以内に承認されます。", False),
        ("申請は5日以内に承認されます。", False),
        ("派遣社員の承認は不要です。", True),
        ("派遣社員の承認は必要です。", False),
        ("経費は翌月５日までに申請します。", True),
        ("経費は翌月5日までに申請する必要はありません。", False),
        ("会議室は10名まで使えます。", False),
    ],
)
def test_japanese_statements_are_held_against_numbers_units_and_negation(statement, supported):
    """「5営業日」 is not 「15営業日」, 「不要」 not 「必要」."""
    assert supported is support(statement, [RULES]).supported


@pytest.mark.parametrize(
    ("statement", "supported"),
    [
        ("Requests filed by noon are approved within five business days.", True),
        ("Requests filed by noon are approved within 15 business days.", False),
        ("Contractors need approval.", False),
        ("Approval is not needed for contractors.", True),
        ("The cafeteria opens at noon.", False),
    ],
)
def test_english_statements_are_held_against_numbers_and_negation(statement, supported):
    """Numbers in words are numbers."""
    assert supported is support(statement, [RULES_EN]).supported


@pytest.mark.parametrize(
    ("answer", "low", "high"),
    [
        ("翌月5日までに、経費システムで申請してください。", 4, 5),
        ("経費の申請は、翌月の5日までに経費システムから行ってください。内線5678へどうぞ。", 4, 5),
        ("翌月5日です。", 3, 5),
        ("翌月15日までに経費システムで申請してください。", 1, 2),
        (
            "ご質問ありがとうございます。翌月末までいつでも経費システムで申請できます。便利なマニュアルや動画もあります。",
            1,
            2,
        ),
        ("会議室は10名まで利用できます。", 1, 1),
        ("申し訳ありませんが、わかりません。", 1, 1),
    ],
)
def test_grades_follow_the_facts_not_the_fluency(answer, low, high):
    """The ideal answer's facts give 4 or 5; a wrong fact 2 at most; something else 1."""
    assert low <= grade(answer).score <= high


def test_grades_explain_themselves_in_the_readers_language():
    """Comments name what was compared; the summary keeps to its length."""
    ja, en = grade("翌月15日までに申請してください。"), grade("翌月15日までに申請してください。", "en")

    assert "5日" in ja.accuracy
    assert "5日" in en.accuracy
    assert "number" in en.accuracy
    assert len(ja.summary) <= 50
    assert len(en.summary) <= 80


@pytest.mark.parametrize(
    "answer",
    [
        "申し訳ございませんが、その情報は見つかりませんでした。担当部署にお問い合わせください。",
        "わかりません。",
        "I'm sorry, I have no information on that. Please ask the travel desk.",
        "I don't know.",
        "",
    ],
)
def test_refusals_claim_nothing(answer):
    """M1: no statements, and non-committal."""
    assert evades(answer)
    assert tasks.Statements(statements=[]) == judge(
        tasks.STATEMENTS, tasks.Statements, {"question": "q", "answer": answer}
    )


def test_information_with_a_caution_is_no_refusal():
    """An answer that gives something is committal."""
    answer = "20日です。詳しくは人事部にお問い合わせください。"

    assert ["20日です。"] == statements_of(answer)
    assert (
        judge(
            tasks.QUESTION, tasks.GeneratedQuestion, {"answer": answer, "variant": 1, "of": 3}
        ).non_committal
        is False
    )


@pytest.mark.parametrize(
    "said",
    [
        "添付資料は必要ありません。",
        "担当部署にご確認ください。",
        "サポート窓口(内線1234)にお問い合わせください。",
        "内線1234",
        "資料に記載がありません。",
        "この保証には水濡れは含まれておりません。",
        "The plan does not include breakfast.",
        "We cannot accept refunds after 30 days.",
        "Please contact the HR department.",
        "The documents do not mention a deadline.",
    ],
)
def test_an_answer_equal_to_the_ideal_one_is_graded_5_whatever_it_says(said):
    """Denials, referrals and refusals too, where they are what the team wants to hear."""
    fields = {"question": "どうすればいいですか。", "reference": said, "answer": said, "allow": []}

    assert 5 == judge(tasks.GRADE, tasks.Grade, fields).score


@pytest.mark.parametrize(
    ("reference", "answer", "low", "high"),
    [
        ("その情報は資料に記載がありません。", "申し訳ございませんが、わかりかねます。", 5, 5),
        ("The documents do not say.", "I'm sorry, I don't know. Please ask HR.", 5, 5),
        ("その情報は資料に記載がありません。", "上限は5万円です。", 1, 2),
        ("総務部にお問い合わせください。", "わかりません。", 1, 2),
        ("添付資料は必要ありません。", "わかりません。", 1, 1),
        ("添付資料は必要ありません。", "資料に記載がありません。", 1, 1),
        ("添付資料は必要ありません。", "担当部署にご確認ください。", 1, 1),
        ("担当部署にご確認ください。", "", 1, 1),
    ],
)
def test_a_refusal_is_right_only_where_the_ideal_answer_refuses(reference, answer, low, high):
    """A question that the documents don't answer has a refusal as its ideal answer."""
    fields = {"question": "旅費の上限はいくらですか。", "reference": reference, "answer": answer, "allow": []}

    assert low <= judge(tasks.GRADE, tasks.Grade, fields).score <= high


def test_a_denial_that_the_contexts_contradict_counts_against_faithfulness():
    """「必要ありません」 is a claim beside the others, and a false one here."""
    fields = {
        "question": "申請の期限と添付資料は。",
        "answer": "申請は5日以内に行います。添付資料は必要ありません。",
        "contexts": ["申請は5日以内に行います。添付資料が必要です。"],
    }

    made = judge(tasks.CLAIMS, tasks.Claims, fields)

    assert [True, False] == [claim.supported for claim in made.claims]


def test_contexts_are_useful_for_the_news_of_the_reference_not_for_its_topic():
    """A context that only shares the question's words does not help."""
    fields = {"question": "会議室の予約はいつまで取り消せますか。", "reference": "開始30分前までです。"}
    good = judge(
        tasks.USEFULNESS,
        tasks.Usefulness,
        {**fields, "context": "予約の取り消しは、利用開始の30分前まで可能です。"},
    )
    bad = judge(
        tasks.USEFULNESS,
        tasks.Usefulness,
        {**fields, "context": "会議室の予約は総務部が管理し、定員は6名から20名です。"},
    )

    assert (True, False) == (good.useful, bad.useful)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("5営業日", [(5.0, "business day")]),
        ("１，２００円", [(1200.0, "yen")]),
        ("3万円", [(30000.0, "yen")]),
        (
            "2024-04-01 9:30",
            [(2024.0, "year"), (4.0, "month"), (1.0, "day"), (9.0, "hour"), (30.0, "minute")],
        ),
        ("9:00", [(9.0, "hour")]),
        ("9 am", [(9.0, "hour")]),
        ("9:30 p.m.", [(21.0, "hour"), (30.0, "minute")]),
        ("午後3時半", [(15.0, "hour"), (30.0, "minute")]),
        ("午前10時", [(10.0, "hour")]),
        ("12 pm", [(12.0, "hour")]),
        ("12am", [(0.0, "hour")]),
        ("I am 5 years old", [(5.0, "year")]),
        ("午前5名", [(5.0, "person")]),
        ("$5", [(5.0, "dollar")]),
        ("€1,200.50", [(1200.5, "euro")]),
        ("£3", [(3.0, "pound")]),
        ("￥500", [(500.0, "yen")]),
        ("5ユーロ", [(5.0, "euro")]),
        ("5 points", [(5.0, "point")]),
        ("5%ポイント", [(5.0, "point")]),
        ("三割引", [(30.0, "percent")]),
        ("2泊", [(2.0, "night")]),
        ("3倍", [(3.0, "fold")]),
        ("三名", [(3.0, "person")]),
        ("十二か月", [(12.0, "month")]),
        ("twelve months", [(12.0, "month")]),
        ("5 mice", [(5.0, "")]),
        ("一般的な第三者", []),
    ],
)
def test_quantities_are_numbers_with_their_units(text, found):
    """Width, commas, kanji, words, dates and clock times."""
    assert found == [(q.value, q.unit) for q in quantities(text)]


def test_a_number_needs_its_unit():
    """5日 is not 5営業日."""
    assert ("5日",) == missing_quantities("5日以内", "5営業日以内")
    assert () == missing_quantities("5営業日", "期間は 5 営業日です")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("申請は必要です。", 0), ("申請は不要です。", 1), ("申請できません。", 1), ("申請しなければなりません。", 0), ("必ず申請します。", 0),
        ("遅れるかもしれません。", 0), ("You must not smoke.", 1), ("no later than Friday", 0), ("You don't need approval", 1),
    ],
)  # fmt: skip
def test_negations_are_counted_and_look_alikes_are_not(text, count):
    """「なければなりません」 demands, it does not deny."""
    assert count == negations(text)


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("It opens at 9 am.", "It opens at 9 pm."),
        ("It opens at 9 a.m.", "It opens at 9 p.m."),
        ("It opens at 9:30am.", "It opens at 9:30pm."),
        ("Open from 9 am to 5 pm.", "Open from 9 pm to 5 am."),
        ("The shop closes at 21:00.", "The shop closes at 9 am."),
        ("受付は午前9時からです。", "受付は午後9時からです。"),
        ("営業は21時までです。", "営業は9時までです。"),
        ("Costs $5.", "Costs €5."),
        ("Costs $5.", "Costs £5."),
        ("The fee is 500 yen.", "The fee is $500."),
        ("料金は5ドルです。", "料金は5ユーロです。"),
        ("Interest is 5%.", "Interest is 5 points."),
        ("Interest is 5%.", "Interest is 5 percentage points."),
        ("金利は5%です。", "金利は5ポイントです。"),
        ("割引は3割です。", "割引は3%です。"),
        ("料金は3倍です。", "料金は3%です。"),
        ("Without approval you may buy.", "With approval you may buy."),
        ("You may enter without a badge.", "You may enter with a badge."),
        ("Everyone except contractors may enter.", "Contractors may enter."),
        ("Staff other than managers may apply.", "Managers may apply."),
        ("社員以外は利用できます。", "社員は利用できます。"),
        ("土日を除き利用できます。", "土日も利用できます。"),
        ("現金以外で支払えます。", "現金で支払えます。"),
        ("返品できかねます。", "返品できます。"),
        ("返品はお受けいたしかねます。", "返品をお受けいたします。"),
        ("返品はお断りしています。", "返品をお受けしています。"),
        ("飲食はご遠慮ください。", "飲食できます。"),
        ("撮影は厳禁です。", "撮影は可能です。"),
        ("緊急時以外は承認が必要です。", "承認は不要です。"),
        ("Photography is allowed without flash; tripods need a permit.", "Tripods do not need a permit."),
    ],
)
def test_what_differs_in_one_small_word_is_not_supported(said, other):
    """Half of the day, currency, percent or points, with or without, all but, and polite refusals; both ways round."""
    assert not support(other, [said]).supported
    assert not support(said, [other]).supported


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("受付は午後3時までです。", "受付は15時までです。"),
        ("受付は午後3時までです。", "受付は3時までです。"),
        ("受付は15:30までです。", "受付は午後3時半までです。"),
        ("It opens at 9.", "It opens at 9 am."),
        ("It opens at 21:00.", "It opens at 9 pm."),
        ("The fee is €5.", "The fee is 5 euros."),
        ("料金は￥1,200です。", "料金は1200円です。"),
        ("割引は3割です。", "割引は30%です。"),
        ("返品はできかねます。", "返品はできません。"),
        ("飲食はご遠慮ください。", "飲食はできません。"),
        ("社員以外は利用できません。", "利用できるのは社員です。"),
        ("社員以外にも家族が利用できます。", "家族が利用できます。"),
        ("You must not enter without a badge.", "You need a badge to enter."),
        ("Contractors may not enter.", "Everyone except contractors may enter."),
        ("Please reply without delay.", "Please reply with no delay."),
        ("Travel is paid without further approval.", "No further approval is needed for travel."),
    ],
)
def test_the_same_thing_written_otherwise_is_no_contradiction(said, other):
    """Both ways round; whether the wording is near enough to count as said is another matter."""
    assert not support(other, [said]).contradicted
    assert not support(said, [other]).contradicted


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("申請に添付資料は必要ありません。", "添付資料は不要です。"),
        ("承認は不要です。", "承認は必要ありません。"),
        ("持ち込みは不可です。", "持ち込みは可能ではありません。"),
        ("You cannot cancel.", "You can't cancel."),
        ("Visitors do not need a badge.", "Visitors don't need a badge."),
    ],
)
def test_a_denial_in_other_words_is_supported(said, other):
    """「不要」 is 「必要ありません」; "can't" is "cannot". Their opposites are not."""
    assert support(other, [said]).supported
    assert not support("添付資料は必要です。", ["添付資料は必要ありません。"]).supported
    assert not support("You can cancel.", ["You can't cancel."]).supported


def test_a_missing_hour_is_named_as_it_was_told():
    """The reason quotes what a reader can find in the answer."""
    assert ("9 pm",) == missing_quantities("It opens at 9 pm.", "It opens at 9 am.")
    assert ("午後9時",) == missing_quantities("受付は午後9時からです。", "受付は午前9時からです。")


def test_opposites_are_seen():
    """以上 against 以下."""
    assert ("以下", "以上") == opposite("3名以下で利用できます", "3名以上で利用できます")
    assert opposite("3名以上で利用できます", "3名以上で利用できます") is None


def test_every_task_that_wording_can_answer_has_a_valid_reply():
    """Economic mode's tasks and the comparison too; their checks pass."""
    fields = {
        "question": "経費はいつまでですか。", "reference": "翌月5日までです。", "answer": "翌月5日です。", "contexts": [RULES], "context": RULES,
        "sentences": ["翌月5日までです。"], "statements": ["翌月5日です。"], "first": "翌月5日です。", "second": "知りません。", "of": 2, "variant": 1,
        "cases": [], "change": "", "allow": [],
    }  # fmt: skip
    replies = {
        tasks.QUESTIONS: tasks.GeneratedQuestions, tasks.SUPPORT: tasks.Support, tasks.CLAIMS: tasks.Claims,
        tasks.ATTRIBUTION: tasks.Attribution, tasks.CONTEXT_REVIEW: tasks.ContextReview, tasks.PAIRWISE: tasks.Preference,
        tasks.SUGGEST: tasks.Proposals,
    }  # fmt: skip
    made = {name: judge(name, reply, fields) for name, reply in replies.items()}

    assert 2 == len(made[tasks.QUESTIONS].questions)
    assert made[tasks.SUPPORT].verdicts[0].supported
    assert made[tasks.CLAIMS].claims[0].supported
    assert made[tasks.ATTRIBUTION].verdicts[0].attributed
    assert made[tasks.CONTEXT_REVIEW].usefulness[0].useful
    assert "first" == made[tasks.PAIRWISE].better


def test_a_rubric_needs_a_model():
    """It says so instead of inventing a score."""
    with pytest.raises(JudgeCouldNotScore, match="needs a model"):
        judge(tasks.RUBRIC, tasks.RubricGrade, {})


def test_it_is_deterministic():
    """The same material gets the same reply, to the letter."""
    task = Prompts("ja").task(
        tasks.SUPPORT,
        tasks.Support,
        {"contexts": [RULES], "statements": ["承認は5営業日以内です。"]},
        sample="1",
    )

    assert asyncio.run(OfflineJudge().ask(task)) == asyncio.run(OfflineJudge().ask(task))


def test_one_word_in_anothers_place_is_seen():
    """白 against 黒 where all around is the same; a paraphrase differs all over."""
    assert ("白", "黒") == support("白いTシャツを着ています。", ["黒いTシャツを着ています。"]).replaced
    assert support("申請は五営業日以内に承認される。", [RULES]).replaced is None


@pytest.mark.parametrize(
    ("statement", "passage", "denies"),
    [
        ("承認は必要です。", "承認は不要です。", True),
        ("木製の活字", "木製の活字だったのではないかと示唆した。", False),
        ("岐阜県", "岐阜県は含まれません。", False),
        ("Approval is required.", "Approval need not be given.", True),
        ("Only the team may enter.", "Nobody but the team may enter.", False),
    ],
)
def test_only_what_affirms_can_be_denied(statement, passage, denies):
    """A mere name affirms nothing; a bound said negatively is no denial."""
    assert denies is turned(statement, passage)


@pytest.mark.parametrize(
    ("said", "reference", "another"),
    [
        ("翌月15日です。", "翌月5日です。", True),
        ("月末までです。", "翌月5日です。", True),
        ("翌月です。", "翌月5日です。", False),
        ("翌月5日、料金は300円です。", "翌月5日です。", False),
        ("5営業日です。", "5日です。", True),
    ],
)
def test_another_number_is_an_error_and_none_is_a_gap(said, reference, another):
    """Only a number of the same kind, or the same number of another, contradicts."""
    assert another is gives_another(reference, reference, said)


@pytest.mark.parametrize(
    ("statement", "source", "denied"),
    [
        ("5日以内に申請し、添付資料が必要です。", "申請は5日以内に行います。添付資料は不要です。", True),
        ("5日以内に申請し、添付資料が必要です。", "申請は5日以内に行います。添付資料は必要ありません。", True),
        ("5日以内に申請し、添付資料が必要です。", "申請は5日以内に行い、添付資料は不要です。", True),
        ("5日以内に申請し、添付資料が必要です。", "申請は5日以内に行います。添付資料も必要です。", False),
        ("5日以内に申請し、添付資料は不要です。", "申請は5日以内に行います。添付資料は不要です。", False),
        ("5日以内に申請し、添付資料は不要です。", "申請は5日以内に行います。添付資料が必要です。", True),
        ("添付資料は不要で、承認が必要です。", "添付資料は不要です。承認が必要です。", False),
        ("添付資料は不要で、承認が必要です。", "添付資料が必要です。承認は不要です。", True),
        ("送料は無料ですが、手数料は有料です。", "送料は無料です。手数料は有料です。", False),
        ("送料は無料ですが、手数料は有料です。", "送料は有料です。手数料は無料です。", True),
        ("申請は5日以内、支払は10日以内です。", "支払は10日以内です。申請は5日以内です。", False),
        ("申請は5日以内、支払は10日以内です。", "申請は10日以内です。支払は5日以内です。", True),
        ("正社員は対象で、派遣社員は対象外です。", "派遣社員は対象外です。正社員は対象です。", False),
        ("正社員は対象で、派遣社員は対象外です。", "正社員は対象外です。派遣社員は対象です。", True),
        ("領収書がない場合、上長の承認が必要です。", "領収書がない場合でも、上長の承認は不要です。", True),
        (
            "Approval is required, and a receipt is not needed.",
            "A receipt is not needed. Approval is required.",
            False,
        ),
        ("Approval is required, and a receipt is not needed.", "A receipt is needed. Approval is required.", True),
        ("Requests are due in 5 days and an attachment is required.", "Requests are due in 5 days. No attachment is required.", True),
    ],
)  # fmt: skip
def test_each_clause_is_held_against_what_is_said_about_its_own_matter(statement, source, denied):
    """One denial in a compound sentence is enough; the order of the sentences is no denial."""
    assert denied is support(statement, [source]).contradicted


def test_a_denied_clause_of_the_ideal_answer_is_an_error():
    """「不要」 for 「必要」 gets 2 at most beside a right date as well as alone."""
    fields = {
        "question": "申請の期限と添付資料は。",
        "reference": "5日以内に申請し、添付資料が必要です。",
        "allow": [],
    }
    right, wrong = (
        judge(tasks.GRADE, tasks.Grade, {**fields, "answer": f"申請は5日以内に行います。添付資料{rest}"})
        for rest in ("が必要です。", "は不要です。")
    )

    assert (5, 2) == (right.score, wrong.score)
    assert "添付資料は不要" in wrong.accuracy


def test_a_gap_costs_less_than_an_error():
    """Leaving the date out is graded above giving a wrong one."""
    gap, error = (
        grade("翌月に経費システムで申請してください。"),
        grade("翌月15日までに経費システムで申請してください。"),
    )

    assert gap.score > error.score


@pytest.mark.parametrize(
    ("answer", "language", "asks"),
    [
        ("日当は1日2,500円です。", "ja", "いくら"),
        ("会議室は20名まで使えます。", "ja", "何人"),
        ("The fee is 30 dollars.", "ja", "How much"),
        ("承認は課長が行います。", "en", "について教えてください"),
    ],
)
def test_a_generated_question_asks_for_what_the_answer_gives_in_its_language(answer, language, asks):
    """Like a model's question: in the answer's own language."""
    made = judge(tasks.QUESTION, tasks.GeneratedQuestion, {"answer": answer, "variant": 1, "of": 3}, language)

    assert asks in made.question


@pytest.mark.parametrize(
    ("statement", "verbatim"),
    [
        ("派遣社員の承認は不要です。", True),
        ("申請は5営業日以内に承認されます", True),
        ("申請は5営業日以内に承認", False),
        ("営業日以内に承認されます。", False),
        ("社員の承認は不要です。", False),
        ("", False),
    ],
)
def test_a_whole_sentence_of_the_source_is_supported_whatever_it_denies(statement, verbatim):
    """Word by word, from one mark to another; a mere part of it may say something else."""
    assert verbatim is says_verbatim(statement, RULES)


def test_the_beginning_of_a_denial_is_not_supported():
    """「承認は必要」 stands in 「承認は必要ありません」 as well."""
    assert not support("承認は必要です。", ["承認は必要ありません。"]).supported
    assert not support("承認は必要", ["承認は必要ありません。"]).supported
