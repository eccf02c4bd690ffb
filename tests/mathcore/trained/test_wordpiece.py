"""WordPiece on a vocabulary small enough to check by eye; the real one is compared with another tokeniser elsewhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathcore.trained.wordpiece import UNKNOWN, VocabularyError, WordPiece

pytest.importorskip("tokenizers", reason="NOT RUN: the trained model's tokeniser; make model")

VOCABULARY = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "un",
    "##aff",
    "##able",
    "the",
    "mat",
    "cafe",
    ".",
    "'",
    "t",
    "don",
    "猫",
)
TOKENIZER = WordPiece(VOCABULARY)


def test_the_longest_piece_comes_first() -> None:
    assert TOKENIZER.cut("unaffable") == ["un", "##aff", "##able"]
    assert WordPiece(("[UNK]", "a", "ab", "##c", "##bc")).cut("abc") == ["ab", "##c"]


def test_what_the_vocabulary_does_not_reach_is_unknown_as_a_whole() -> None:
    assert TOKENIZER.cut("unaffx") == [UNKNOWN]
    assert WordPiece(("[UNK]", "a", "##a")).cut("a" * 100) == ["a", *["##a"] * 99]
    assert WordPiece(("[UNK]", "a", "##a")).cut("a" * 101) == [UNKNOWN]


def test_a_vocabulary_file_is_numbered_by_line() -> None:
    read = WordPiece.parse("[CLS]\n[SEP]\na\u2028\nb\n".encode())
    assert read.numbers == {"[CLS]": 0, "[SEP]": 1, "a\u2028": 2, "b": 3}


def test_pieces_remember_their_words() -> None:
    pieces = TOKENIZER("The  unaffable\nCafé mat. don't")
    assert pieces.texts == (
        "[CLS]",
        "the",
        "un",
        "##aff",
        "##able",
        "cafe",
        "mat",
        ".",
        "don",
        "'",
        "t",
        "[SEP]",
    )
    assert pieces.word_ids == (None, 0, 1, 1, 1, 2, 3, 3, 4, 4, 4, None)
    assert pieces.words == ("The", "unaffable", "Café", "mat.", "don't")
    assert [VOCABULARY[number] for number in pieces.ids] == list(pieces.texts)


def test_a_word_without_pieces_is_no_word() -> None:
    pieces = TOKENIZER("the \u0301 mat")
    assert pieces.words == ("the", "mat")
    assert pieces.word_ids == (None, 0, 1, None)


@pytest.mark.parametrize(
    ("sentence", "complaint"),
    [
        ("the dog", "'dog'"),
        ("the 狗", "狗 .CJK UNIFIED IDEOGRAPH-72D7"),
        ("mat 😀!", "😀 .GRINNING FACE.*'😀'|'😀!'.*😀 .GRINNING FACE"),
        ("", "no words"),
        (" \t\u0301 ", "no words"),
    ],
)
def test_what_it_cannot_read_is_named(sentence: str, complaint: str) -> None:
    with pytest.raises(VocabularyError, match=complaint):
        TOKENIZER(sentence)


def test_marks_and_chinese_are_words_of_their_own_and_accents_are_dropped() -> None:
    words = ("united", "-", "states", ",", "猫", "狗", "$", "5")
    pieces = WordPiece(("[UNK]", "[CLS]", "[SEP]", *words))("Ünïted-States,猫\u200b狗\x00$5")
    assert pieces.texts[1:-1] == words and pieces.words == ("Ünïted-States,猫狗$5",)


@given(st.text())
def test_any_text_is_cut_without_a_crash_or_named(text: str) -> None:
    letters = WordPiece([*VOCABULARY, *"abcdefghijklmnopqrstuvwxyz", *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz")])
    try:
        pieces = letters(text)
    except VocabularyError:
        return
    assert UNKNOWN not in pieces.texts
    assert [n for n in dict.fromkeys(pieces.word_ids) if n is not None] == list(range(len(pieces.words)))
