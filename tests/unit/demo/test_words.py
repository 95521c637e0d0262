from ragjudge.demo.words import is_japanese, sentences, terms


def test_japanese_is_found_by_kanji_and_word_pieces_but_not_by_particles():
    """Hiragana endings say nothing about the subject and are left out."""
    assert ["日", "当", "日当", "当は", "日当は"] == list(terms("日当は"))
    assert [] == list(terms("してください"))


def test_full_width_and_half_width_letters_are_the_same_word():
    """A question typed with full-width letters finds an ASCII passage."""
    assert list(terms("VPN 20")) == list(terms("ＶＰＮ　２０"))


def test_english_is_found_by_stems_without_common_words():
    """Plural and singular meet; `the` and `of` do not count."""
    assert ["receipt", "trip"] == list(terms("the receipts of trips"))


def test_sentences_end_at_the_ideographic_full_stop_but_not_inside_quotes():
    """A full stop before a closing quote belongs to the quotation."""
    assert ["「休みます。」と伝えます。", "次の日です。"] == sentences(
        "「休みます。」と伝えます。次の日です。"
    )


def test_english_sentences_need_a_blank_after_the_full_stop():
    """1.5 and 2,000 stay whole."""
    assert ["It costs 1.5 yen.", "Ask first."] == sentences("It costs 1.5 yen. Ask first.")


def test_language_is_told_by_kana_or_kanji():
    """Full-width punctuation alone makes no Japanese text."""
    assert is_japanese("VPNの設定")
    assert not is_japanese("VPN setup!")
