"""How Japanese and English answers refuse, send the reader elsewhere and are polite: patterns for folded text. Pure.

Each is held against one part of a sentence without its closing mark. A refusal names what the speaker knows or what
the texts mention; where Japanese decides at the end, the pattern reaches to the end. No pattern backtracks far: what
answers say is anyone's.
"""

import re

_NOT = r"(?:ませ|かね|な(?:い|かった)|ず)"
_IS_NOT = r"(?:い|お)?り?(?:ませ|な)"
_END = r"(?:でした|ました|かった|ません|です|ます|ので|ため|した|状況|状態|ん|る|い|が|の|よ|ね)*+$"
_CAN_NOT = rf"(?:でき|いたし|致し|し)(?:{_NOT}){_END}"
_KNOWN = (
    r"(?<!個人)(?<!会員)(?<!顧客)(?<!登録)(?<!社員)情報"
    r"|記載|記述|言及|根拠"
    r"|(?:該当|関連|関する|ついての)[^。、]{0,6}(?:資料|データ|内容|文書|箇所|もの|項目|規程|faq)"
)
_TEXTS_JA = r"(?<!添付)(?<!申請)(?<!提出)(?:資料|文書|ドキュメント|コンテキスト|ナレッジ|検索結果|情報源)"
_REFUSES_JA = (
    rf"(?:わか|分か|判)(?:り(?:ませ|かね)|らな|らず){_END}",
    rf"存じ(?:上げ)?(?:て(?:い|おり))?ませ{_END}|(?:^|は、?)知り?(?:ませ|らな){_END}",
    rf"見(?:つ|付)(?:かり(?:ませ|かね)|からな|け(?:られ|ることが?でき){_NOT}){_END}|見当たり?(?:ませ|らな){_END}",
    rf"お?答え(?:する)?(?:こと)?[がは]?(?:でき|いたし|致し|し|られ)(?:{_NOT}){_END}",
    rf"(?<!での)回答(?:する)?(?:こと)?[がは]?{_CAN_NOT}|回答[をは]?(?:差し)?控え",
    rf"(?:{_KNOWN}|回答|答え)[がはも]?(?:一切|特に|全く|現在)?(?:(?:あり|ござい)ませ|な(?:い|かった)|無い){_END}",
    rf"(?:{_KNOWN})[がはも]?(?:十分(?:では|に)|不足|足り)(?:[^。、]{{0,6}}{_NOT}|し){_END}",
    rf"(?:(?:{_KNOWN})[がはも]|{_TEXTS_JA}(?:の中)?に[はも]?、?)[^。]{{0,40}}含まれて{_IS_NOT}{_END}",
    rf"(?:{_KNOWN})[がはを]?、?[^。]{{0,24}}(?:持ち合わせて|存在し|得られ|登録されて){_IS_NOT}{_END}",
    rf"(?:(?:記載|明記|言及|記述)(?:されて|して|が)|書かれて|載って){_IS_NOT}{_END}",
    rf"(?:質問|問い?合わせ|要望|件)に(?:は|つきましては)?、?(?:ご)?対応{_CAN_NOT}",
    rf"^(?:ご)?(?:対応|案内|確認|回答)(?:が|することが)?{_CAN_NOT}",
    rf"(?:記載|点|件|事実|根拠|情報|{_TEXTS_JA}(?:から|で))[がはを]?、?確認(?:が|することが)?{_CAN_NOT}",
    rf"(?:{_KNOWN}|回答)[をはが]?、?(?:ご)?(?:提供|提示|案内)(?:が|することが)?{_CAN_NOT}",
    rf"(?:情報|資料|質問|内容|文書)(?:だけ)?(?:から)?(?:で)?は、?(?:判断|特定|判別){_CAN_NOT}",
    rf"質問(?:の(?:意図|内容|意味))?[をが]理解{_CAN_NOT}",
    r"お(?:役|やく)に(?:立|た)て|お力になれ|お手伝い(?:が|することが)?(?:でき(?:ませ|かね|な)|いたしかね)",
    r"(?:^|詳細は|詳しくは|点は|については)不明(?:です|でした)?$|^該当(?:する(?:もの|情報))?なし$",
)
_DOES_NOT = r"(?:does not|doesn't|do not|don't|did not|didn't)"
_CANNOT = rf"(?:{_DOES_NOT}|cannot|can't|can not|could not|couldn't|was not able to|wasn't able to)"
_UNABLE = r"(?:am |'m |are |'re |was |were )?(?:unable|not able)"
_MENTION = r"(?:mention|specify|say|state|cover|address|describe|explain|discuss|indicate)"
_MENTIONED = r"(?:mentioned|specified|stated|described|explained|covered|addressed|indicated)"
_GIVEN = r"(?:given|provided|available|included|found|listed|contained|present|clear)"
_FACTS = r"(?:information|details?|answers?|data|knowledge)"
_ANSWER = (
    r"know|find|locate|determine|answer|respond|help|assist|tell|say|see|infer"
    r"|(?:verify|confirm) (?:this|that|it|whether|if)"
    rf"|(?:provide|give|offer)(?: \w+){{0,2}} (?:{_FACTS}|response)"
    rf"|have(?: \w+){{0,3}} (?:{_FACTS}|access|context|idea)"
)
_HANDED = (
    r"(?: (?:i (?:have|was given|received)|you (?:have )?(?:provided|gave me)|provided|retrieved|given))?"
)
_TEXTS_EN = (
    r"documents?|documentation|contexts?|passages?|texts?|(?<!open )sources?|excerpts?|information"
    r"|knowledge base|search results?|(?:provided|given|retrieved|available|above) (?:materials?|articles?|pages?)"
)
_IS_NO = r"(?:is|are|was|were) ?(?:no|n't any|not any|not enough|insufficient)"
_IN_THE = r"(?:in|from) (?:\w+ ){0,2}"
_ABOUT = r"(?:about|on|of|regarding|concerning|in|available|provided|given|here|there)"
_REFUSES_EN = (
    rf"\b(?:i|we)(?:'d| would| really| currently| simply| still)* {_CANNOT} (?:\w+ly )?(?:{_ANSWER})\b",
    rf"(?:\b(?:i|we) ?|^){_UNABLE} to (?:\w+ly )?(?:{_ANSWER})\b",
    rf"^(?:cannot|can't|could not|couldn't|don't|do not) (?:{_ANSWER})\b",
    r"\bi(?: am|'m)(?: \w+)? not (?:sure|aware|certain|familiar)\b|\bwe(?: are|'re) not (?:sure|certain)\b",
    r"\bno idea\b|^not sure\b|^(?:unknown|n/a)$",
    rf"\b(?:i|we) (?:have|had|found|find|see) (?:no|not any)(?: \w+){{0,2}} (?:{_FACTS}|mention)\b",
    rf"\bthere {_IS_NO}(?: \w+){{0,2}} (?:answers?\b|(?:information|details?|mention)(?: {_ABOUT}\b|$))",
    rf"\bno(?: \w+){{0,2}} (?:{_FACTS}|mention)\b[^.]{{0,30}}\b(?:found|available|provided|given)\b",
    rf"\b(?:{_TEXTS_EN}){_HANDED} {_DOES_NOT} (?:\w+ly )?(?:{_MENTION}|contain|provide|include|give|answer)\b",
    rf"\b(?:manual|handbook|guide|faqs?|articles?|pages?) {_DOES_NOT} (?:\w+ly )?{_MENTION}\b",
    rf"(?:\bnot|n't)(?: \w+ly)?(?: (?:{_MENTIONED}|{_GIVEN}))?(?: anywhere)? {_IN_THE}(?:{_TEXTS_EN})\b",
    rf"\b(?:is|are|was|were)(?: not|n't) (?:\w+ly )?{_MENTIONED}$",
    rf"\b(?:{_FACTS}|this|that|it) (?:{_CANNOT}|was not|wasn't) (?:be )?(?:found|determined|answered)\b",
    rf"\b(?:{_TEXTS_EN}){_HANDED} {_DOES_NOT} have(?: \w+){{0,2}} (?:{_FACTS})\b",
    r"\b(?:not |im)possible to (?:determine|answer|tell|say|find)\b",
    rf"\b(?:i|we)(?:'d| would)? need (?:more|additional|further) (?:{_FACTS}|context)\b",
    r"\b(?:beyond|outside)(?: \w+){0,2} scope of (?:\w+ ){0,2}(?:documents?|context|knowledge)",
)
_ASK_THEM = r"(?:お問い?合わせ|ご確認|ご相談|ご連絡|お尋ね)(?:ください|下さい|いただ|頂|を?お願い|を?くださ)"
_REFERS = (
    rf"(?:担当|部署|窓口|総務|人事|上司|サポート|部|課|係|センター|管理者)[^。]{{0,25}}{_ASK_THEM}",
    rf"(?:詳し|詳細|最新)[^。]{{0,30}}(?:{_ASK_THEM}|(?:ご覧|ご参照)(?:ください|下さい|いただ|頂))",
    r"\bplease (?:contact|ask|consult|check with|refer to|reach out to|speak to|see|get in touch)\b",
)
_THANKS = r"(?:誠に|どうも)?(?:ありがとう|有難う)ござい(?:ます|ました)"
_REQUEST = r"(?:ください|下さい|いただ|頂)"
_POLITE = (
    rf"^(?:こんにちは)?、?(?:ご質問|お問い?合わせ|ご連絡)?を?(?:いただき|頂き|くださり)?(?:まして)?、?{_THANKS}$",
    r"^(?:こんにちは|はじめまして|承知(?:いた)?しました|かしこまりました)$",
    r"お気軽に(?:お(?:問|声|尋|申)|ご(?:質問|相談|連絡))",
    r"ご(?:不明|質問)[^。]{0,20}(?:ください|下さい|お知らせ|あれば|ございましたら)",
    r"^(?:何卒|あらかじめ|予め)?、?ご(?:了承|容赦|理解)(?:の(?:ほど|程))?[^。]{0,14}(?:ください|下さい|ませ|します|上げます)$",
    r"^(?:誠に|大変)?申し訳(?:あり|ござい)ませ(?:ん|んでした)$|^(?:恐れ入り|失礼いたし)(?:ます)?$",
    r"^(?:大変|誠に)?(?:恐縮|残念|恐れ多い)(?:です)?$|^(?:何か|他に|ほかに|その他)[^。]{0,15}お手伝い",
    rf"(?:詳し|具体的)[^。]{{0,30}}(?:教えて|お聞かせ|お知らせ|ご提示|ご質問){_REQUEST}",
    r"^(?:もう一度|再度|別の|他の)[^。]{0,12}お願い(?:いた)?します$",
    r"\blet me know\b|\bfeel free to (?:ask|contact|reach|let|get in touch|message|call|write)\b",
    r"\b(?:happy|glad) to (?:help|assist)\b|\bhope (?:this|that|it) helps\b",
    r"(?:\bis there|\bif there)[^.]{0,12} anything else",
)
_GREETING = (
    r"hello|hi|thank you|thanks|sure|of course|certainly|(?:great|good) question|you're welcome"
    r"|(?:i'm |i am |we're |we are )?(?:very |so |really )?sorry|i apologi[sz]e|(?:my )?apologies"
)
_GREETED = (
    r" there| everyone| so much| very much| again"
    r"| (?:for|about) (?:asking|reaching|contacting|your|the|any|that|this)[^.,]{0,40}"
)
REFUSAL = re.compile("|".join((*_REFUSES_JA, *_REFUSES_EN)))
"""Says that something is not known, not mentioned, not answered."""
REFERRAL = re.compile("|".join(_REFERS))
"""Sends the reader to a person or a place."""
COURTESY = re.compile("|".join((*_POLITE, rf"^(?:{_GREETING})(?:{_GREETED})*+$")))
"""Greets, thanks, apologizes, offers help, asks for more."""
FOR_MORE = re.compile(
    r"詳し|詳細|ご不明|\bfor (?:more|further|additional|details|information|help|assistance)\b"
)
"""A referral that only offers more of the same."""
_TOPIC = "".join(
    f"(?<!{word})"
    for word in (
        "詳細",
        "内容",
        "情報",
        "こと",
        "不明点",
        "こちら",
        "つきまして",
        "について",
        "関して",
        "詳しく",
    )
)
_TO_KNOW = r"(?:find|learn|know|get|confirm|verify|ask|clarify|check|the|your|our|a)\b"
_OCCASION = (
    r"(?<!不明な)(?<!わからない)(?<!お困りの)(?:場合|際|とき|時)(?:は|に|、)",
    rf"{_TOPIC}は、?[^。]{{0,40}}[にへ]",
    rf"(?<!refer )(?<!out )(?<!speak )\bto (?!{_TO_KNOW})[a-z]{{3}}",
    r"\b(?:before|after|within|when|if) (?!you (?:have|need|are unsure|would like|want|still)\b)",
    r"\d{3}|@|://",
)
OCCASION = re.compile("|".join(_OCCASION))
"""What makes an instruction of a referral: the occasion, the purpose, or the very address."""
