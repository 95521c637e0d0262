"""What an answer claims, and what is only a refusal, a referral or a courtesy."""

import pytest

from ragjudge.judge.evasion import evades, refuses, statements_of

REFUSALS_JA = [
    "わかりません。",
    "申し訳ありませんが、分かりかねます。",
    "その件は存じ上げません。",
    "該当する情報が見つかりませんでした。",
    "お探しの情報は見つかりません。",
    "申し訳ございませんが、その情報は見つかりませんでした。担当部署にお問い合わせください。",
    "資料に記載がありません。",
    "提供された資料には、旅費の上限についての記載がありませんでした。",
    "ご質問の内容に該当する記載は見当たりません。",
    "この文書には期限に関する情報は含まれていません。",
    "コンテキストには、承認者が記載されていません。",
    "申請の期限については明記されておりません。",
    "情報が不足しているため、お答えできません。",
    "回答に必要な情報がありません。",
    "ご質問にはお答えできかねます。",
    "お答えすることができません。",
    "回答できません。",
    "恐れ入りますが、回答を差し控えさせていただきます。",
    "ご質問には対応できません。",
    "申し訳ございませんが、対応いたしかねます。",
    "お役に立てず申し訳ございません。",
    "資料からは確認できませんでした。",
    "その点は確認できません。",
    "関連するデータはありません。",
    "該当する資料がありません。",
    "詳細は不明です。",
    "知りません。",
    "担当部署にご確認ください。",
    "詳しくは人事部にお問い合わせください。",
    "ご不明な点がございましたら、お気軽にお問い合わせください。",
    "該当する情報が見つかりませんでしたので、サポート窓口(内線1234)にお問い合わせください。",
    "わかりません。出張費の申請は総務部にご連絡ください。",
    "こんにちは。ご質問ありがとうございます。申し訳ございませんが、その情報は提供できません。",
    "もう少し詳しく教えてください。",
    "該当なし",
    "この質問に関する情報は、提供されたコンテキスト内に存在しません。",
    "分かりません。別の質問をお願いします。",
    "どの部署の規程についてのご質問ですか。",
]
REFUSALS_EN = [
    "I don't know.",
    "I do not know the answer to that.",
    "I'm not sure.",
    "I am not aware of any rule on this.",
    "I'm sorry, but I can't answer that question.",
    "I cannot answer this based on the documents.",
    "Unfortunately, I was unable to find any information on this.",
    "I couldn't find that in the handbook.",
    "We could not find an answer to your question.",
    "I am unable to help with that.",
    "I'm not able to determine this from the provided context.",
    "I don't have access to that information.",
    "I don't have enough information to answer.",
    "I'm sorry, I have no information on that. Please ask the travel desk.",
    "There is no information about this in the documents.",
    "No relevant information was found.",
    "There is no mention of a deadline in the context.",
    "The documents do not mention a deadline.",
    "The provided context does not contain the answer.",
    "The context doesn't include information on parking.",
    "The passages I was given do not specify the fee.",
    "The text doesn't say.",
    "The knowledge base does not provide details on that.",
    "This is not mentioned in the documents.",
    "The fee is not specified in the provided text.",
    "The answer cannot be found in the given passages.",
    "Unable to answer.",
    "Since the documents do not cover this, I can't say.",
    "Please contact the HR department.",
    "For more information, please contact HR.",
    "I could not find this, so please check with your manager.",
    "Sorry! Let me know if there is anything else.",
    "Thank you for your question. I'm afraid I can't help with this.",
    "As an AI model, I cannot provide information on salaries.",
    "Which office do you mean?",
    "I'm sorry, but the information you're looking for isn't in the documents.",
    "I would need more information to answer.",
    "The context does not have any information about this.",
    "As per the given context, it is not possible to determine the answer.",
    "",
]
PLAIN_JA = [
    "添付資料は必要ありません。",
    "添付資料は不要です。",
    "データの持ち出しに上司の承認は必要ありません。",
    "対象者に該当する場合、費用負担はありません。",
    "提出する資料に決まった様式はありません。",
    "内容を変更した場合でも手数料はありません。",
    "申請内容に不備がなければ追加の手続きはありません。",
    "個人情報は含まれておりません。",
    "この保証の内容には水濡れは含まれておりません。",
    "添付資料には写真は含まれていません。",
    "端末に個人情報はありません。",
    "個人情報は第三者に提供できません。",
    "人事部に申請書を提出してご確認をいただく必要があります。",
    "紛失した場合は総務に連絡し、上司にご相談ください。",
    "経費の申請は総務部にご連絡ください。",
    "パスワードを忘れた場合は、サポート窓口(内線1234)にお問い合わせください。",
    "サポート窓口(内線1234)にお問い合わせください。",
    "返品には対応できません。",
    "休日の配送には対応しておりません。",
    "この機種は海外のコンセントに対応できません。",
    "身分証がないと本人確認できません。",
    "アプリでは残高を確認できません。",
    "内容の変更はできません。",
    "データは社外に持ち出せません。",
    "わからない場合でも再申請は不要です。",
    "鍵が見つからない場合は再発行します。",
    "氏名が記載されていない書類は受け付けません。",
    "情報システム部の承認はありません。",
    "資料の返却期限はありません。",
    "答えは5日です。",
    "該当する場合は課税されません。",
    "データ量に上限はありません。",
    "該当者に罰則はありません。",
    "記載事項に変更がなければ届出は必要ありません。",
    "ご質問ありがとうございます、申請は5日以内です。",
    "申し訳ございませんが、返品は承っておりません。",
    "資料には記載がありませんが、期限は5日以内です。",
    "該当する規程は見つかりませんでしたが、上限は5万円です。",
    "引っ越しの手続きは総務部がお手伝いします。",
    "どなたでもお気軽にご参加いただけます。",
]
PLAIN_EN = [
    "The plan does not include breakfast.",
    "The ticket does not include a fee.",
    "The package does not contain nuts.",
    "The rent does not include heating.",
    "The insurance does not provide cover abroad.",
    "We do not provide refunds.",
    "Visitors don't need a badge; the form does not include a fee.",
    "We cannot accept refunds after 30 days.",
    "We can't deliver on Sundays.",
    "We are unable to ship to islands.",
    "We are not able to accept cash.",
    "I cannot be refunded",
    "We don't have a parking lot.",
    "We do not charge a fee.",
    "Visitors do not have to share any data.",
    "There is no data limit.",
    "No personal data is stored.",
    "There are no details to fill in.",
    "It is not possible to pay in cash.",
    "You need more information to apply.",
    "No information is shared with third parties.",
    "Please contact the help desk at 1234 to reset your password.",
    "Please ask your manager before you book.",
    "Please contact HR within 5 days.",
    "Sure, the deadline is Friday.",
    "Of course you can.",
    "Certainly not.",
    "Hi, it takes 5 days.",
    "Sorry, the shop is closed on Mondays.",
    "Feel free to bring a guest.",
    "Guests must not bring anything else.",
    "The item is not available in the shop.",
    "A document that does not include a signature is rejected.",
    "If the key cannot be found, a new one is ordered.",
    "A new card is issued when we cannot find the old one.",
    "The contract does not specify colours for the walls; white is used.",
    "I'm sorry, but refunds are not possible.",
    "I couldn't find the policy, but the deadline is 5 days.",
    "Although the documents do not mention it, the fee is 30 dollars.",
    "The documents don't say who approves, however the limit is 500 euros.",
    "The source code does not contain passwords.",
]


@pytest.mark.parametrize("answer", [*REFUSALS_JA, *REFUSALS_EN])
def test_an_answer_that_gives_nothing_claims_nothing(answer):
    """Not knowing, sending the reader elsewhere, courtesy and asking back."""
    assert statements_of(answer) == []
    assert evades(answer)


@pytest.mark.parametrize("answer", [*PLAIN_JA, *PLAIN_EN])
def test_a_statement_that_something_is_not_so_is_a_claim(answer):
    """What is not needed, not included or not possible can be right or wrong, as any other claim."""
    assert statements_of(answer) != []
    assert not evades(answer)


def test_the_sentence_with_the_denial_stays_beside_the_others():
    """No claim is dropped from among others."""
    answer = "申請は5日以内に行います。添付資料は必要ありません。"

    assert ["申請は5日以内に行います。", "添付資料は必要ありません。"] == statements_of(answer)


@pytest.mark.parametrize(
    ("answer", "refused"),
    [
        ("資料に記載がありません。担当部署にご確認ください。", True),
        ("I don't know. Please ask HR.", True),
        ("担当部署にご確認ください。", False),
        ("添付資料は必要ありません。", False),
        ("Please ask HR.", False),
        ("", False),
    ],
)
def test_a_referral_alone_is_not_a_refusal(answer, refused):
    """It evades, yet it may be the very answer that was wanted."""
    assert refused is refuses(answer)
