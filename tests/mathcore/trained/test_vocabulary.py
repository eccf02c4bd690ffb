"""The words of the trained example: enough of them in both languages, each form in one row, found however written."""

import pytest

from mathcore.trained.vocabulary import WORDS, bare, row_of, unknown_words


def test_each_language_has_at_least_120_words_and_no_form_has_two_rows() -> None:
    for language in ("en", "zh"):
        assert sum(bool(word.forms(language)) for word in WORDS) >= 120
    forms = [form for word in WORDS for form in (*word.english, *word.chinese)]
    assert len(forms) == len(set(forms))
    assert all(form == bare(form) for form in forms)


@pytest.mark.parametrize(
    ("one", "other"),
    [("The", "the"), ("Mat.", "垫子。"), ("“cat”", "猫"), ("sits", "坐着"), ("AN", "a"), ("ｃａｔ", "cat")],
)
def test_one_word_has_one_row(one: str, other: str) -> None:
    assert row_of(one) == row_of(other) is not None


def test_the_determiners_and_the_particle_are_words_of_their_own() -> None:
    assert len({row_of(word) for word in ("the", "a", "的", "在", "上")}) == 5


def test_unknown_words_are_told_once_as_written() -> None:
    assert unknown_words(("The", "walrus,", "sat", "on", "the", "walrus,", "...")) == ("walrus,", "...")
    assert unknown_words(("疲惫", "的", "猫")) == ()
    assert row_of("") is row_of("—") is None
