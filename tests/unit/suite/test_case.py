import pytest

from ragjudge.suite.case import Case, Checks, Source, Suite, Turn

PLAIN = Case(id="1", question="日当は?", reference="2,500円です。", turns=(Turn(question="支店は?"),))
CHANGED = {
    "id": "2",
    "question": "日当はいくら?",
    "reference": "1,800円です。",
    "inputs": {"Entity": "支店"},
    "category": "出張",
    "tags": ("新規",),
    "fields": {"entity": "支店"},
    "turns": (Turn(question="支店は?", checks=Checks(contains=("1,800",))),),
    "reference_contexts": ("規程",),
    "files": ("a.pdf",),
    "checks": Checks(contains=("円",)),
    "metrics": ("correctness",),
    "skip": "後で",
    "conversation": "1",
}


def suite(case, name="suite.json"):
    return Suite(name=name, cases=(case,))


@pytest.mark.parametrize("field", sorted(Case.model_fields.keys() - {"source", "digests"}))
def test_whatever_is_changed_in_a_case_makes_another_suite(field):
    """Else a case that is newly skipped, or a weakened check, would count as no change."""
    assert suite(PLAIN).digest != suite(PLAIN.model_copy(update={field: CHANGED[field]})).digest


@pytest.mark.parametrize(
    "turn", [{"reference": "1,800円です。"}, {"files": ("a.pdf",)}, {"question": "大阪は?"}]
)
def test_whatever_is_changed_in_a_turn_makes_another_suite(turn):
    changed = PLAIN.model_copy(update={"turns": (PLAIN.turns[0].model_copy(update=turn),)})

    assert suite(PLAIN).digest != suite(changed).digest


def test_where_a_case_stands_makes_no_other_suite():
    """A blank line above it is no change; nor is the suite's name, or what its reader noted."""
    moved = PLAIN.model_copy(update={"source": Source(file="other.json", line=7)})

    assert suite(PLAIN).digest == suite(moved, "other.json").digest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("日当はいくらですか？", "日当はいくらですか?"),
        ("日当はいくらですか？", "日当はいくらですか"),
        ("日当は、いくらですか？ ", "日当は いくらですか？"),
        ("ＰＣは５台まで？", "PCは5台まで?"),
        ("「出張」の日当は?", "『出張』の日当は?"),
        ("有給は 5日?", "有給は5日?"),
        ("Who pays the e-mail bill?", "Who  pays the e‑mail bill"),
    ],
)
def test_typography_makes_no_other_question(one, other):
    """Else a full-width question mark that somebody tidied would take the case out of the comparison."""
    case, typed = (Case(id="1", question=q, turns=(Turn(question=q),)) for q in (one, other))

    assert case.asks_as(typed)
    assert typed.asks_as(case)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("日当はいくらですか?", "日当はいくらでしたか?"),
        ("1.5日の有給は?", "15日の有給は?"),
        ("1 5 は?", "15 は?"),
        ("室温 -5 度では?", "室温 5 度では?"),
        ("5%引き?", "5引き?"),
        ("C#の研修は?", "Cの研修は?"),
        ("A/Bとは?", "ABとは?"),
        ("?", "!"),
    ],
)
def test_another_wording_or_figure_is_another_question(one, other):
    assert not Case(id="1", question=one).asks_as(Case(id="1", question=other))


def test_the_same_words_with_other_inputs_are_another_question():
    inputs = Case(id="1", question="日当は？", inputs={"Entity": "本社"})

    assert not inputs.asks_as(inputs.model_copy(update={"question": "日当は?", "inputs": {"Entity": "支店"}}))
    assert not PLAIN.asks_as(PLAIN.model_copy(update={"question": "日当は？", "turns": ()}))


SECRET = Case(
    id="1",
    question="秘密の質問は？",
    reference="秘密の正解",
    inputs={"Entity": "秘密"},
    fields={"note": "秘密"},
    turns=(Turn(question="秘密?", reference="秘密", files=("秘密.pdf",), checks=Checks(contains=("秘密",))),),
    reference_contexts=("秘密",),
    files=("秘密.pdf",),
    checks=Checks(contains=("秘密",)),
    skip="秘密",
    category="出張",
    source=Source(file="suite.json", line=3),
)


def test_without_its_texts_a_case_pairs_and_compares_as_before():
    """What everybody may read names the case and tells whether another one is the same."""
    bare = SECRET.without_texts()

    assert "秘密" not in bare.model_dump_json()
    assert (bare.id, bare.category, bare.source, bare.skip is None) == ("1", "出張", SECRET.source, False)
    assert bare.without_texts() == bare
    typed = SECRET.model_copy(update={"question": "秘密の質問は?"})
    for other in (SECRET, typed, typed.without_texts()):
        assert bare.asks_as(other)
        assert other.asks_as(bare)
    assert bare.reference_digest == SECRET.reference_digest
    assert bare.checks_digest == SECRET.checks_digest
    assert bare.question_digest == SECRET.question_digest != typed.question_digest


@pytest.mark.parametrize(
    "changed", [{"question": "別の質問は？"}, {"inputs": {}}, {"turns": ()}, {"files": ()}]
)
def test_without_its_texts_another_question_is_seen(changed):
    other = SECRET.model_copy(update=changed)

    assert not SECRET.without_texts().asks_as(other)
    assert not other.asks_as(SECRET.without_texts())


def test_without_its_texts_other_expectations_are_seen():
    reference = SECRET.model_copy(update={"reference": "別"})
    checks = SECRET.model_copy(update={"turns": (SECRET.turns[0].model_copy(update={"checks": Checks()}),)})

    assert SECRET.without_texts().reference_digest != reference.reference_digest
    assert SECRET.without_texts().checks_digest != checks.checks_digest
    assert not Case(id="1", question="?").without_texts().asks_as(Case(id="1", question="!"))
