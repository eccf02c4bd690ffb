"""What the example is trained on: its questions, and that no held-out combination is in it."""

from itertools import combinations

import numpy as np
import pytest

from mathcore.trained.tiny import NOT_ASKED
from mathcore.trained.toy_heads import ASKS
from mathcore.trained.toy_sentences import (
    ANSWERS,
    BY_DETERMINER,
    BY_SUBJECT,
    BY_WORDS,
    HELD_OUT_PAIRS,
    LANGUAGES,
    PAD,
    QUESTIONS,
    Question,
    Sentence,
    asked,
    draw,
    held_out,
    questions,
)
from mathcore.trained.toy_training import SPLITS, held_out_sentences, training_sentences
from mathcore.trained.vocabulary import WORDS, row_of

ENGLISH, CHINESE = "the tired cat sat on the warm mat", "疲惫 的 猫 坐 在 温暖 的 垫子 上"


def written(text: str) -> Sentence:
    rows = [row_of(word) for word in text.split()]
    assert None not in rows
    return tuple(row for row in rows if row is not None)


def told(text: str) -> set[tuple[str, str, str, int]]:
    """Asking word and its place, question, answer and group."""
    words = text.split()
    return {
        (f"{words[one.place]} {one.place}", QUESTIONS[one.question], words[one.answer], one.group)
        for one in questions(written(text))
    }


def test_every_question_of_the_shipped_sentence() -> None:
    assert told(ENGLISH) == {
        ("tired 1", "who", "cat", BY_WORDS),
        ("cat 2", "kind", "tired", BY_WORDS),
        ("cat 2", "does", "sat", BY_WORDS),
        ("cat 2", "where", "mat", BY_WORDS),
        ("sat 3", "who", "cat", BY_WORDS),
        ("sat 3", "where", "mat", BY_WORDS),
        ("on 4", "where", "mat", BY_WORDS),
        ("warm 6", "who", "mat", BY_WORDS),
        ("mat 7", "kind", "warm", BY_WORDS),
        ("mat 7", "who", "cat", BY_WORDS),
        ("the 0", "who", "cat", BY_DETERMINER),
        ("the 5", "who", "mat", BY_DETERMINER),
    }


def test_chinese_asks_the_same() -> None:
    """But for the determiners, which are others."""

    def by_words(text: str) -> set[tuple[int | None, int, int | None]]:
        sentence = written(text)
        every = [one for one in questions(sentence) if one.group == BY_WORDS]
        return {(sentence[one.place], one.question, sentence[one.answer]) for one in every}

    assert by_words(CHINESE) == by_words(ENGLISH)
    assert ("的 1", "who", "猫", BY_DETERMINER) in told(CHINESE)


def test_two_beings_are_told_apart_by_order_alone() -> None:
    asked_of = told("the dog bit the tired man")
    assert ("bit 2", "who", "dog", BY_SUBJECT) in asked_of
    assert ("dog 1", "does", "bit", BY_WORDS) in asked_of
    # Whose adjective it is, words alone do not say.
    assert not any(question == "kind" for _, question, _, _ in asked_of)
    assert ("bit 2", "who", "man", BY_SUBJECT) in told("the man bit the tired dog")


def test_what_two_words_might_answer_is_not_asked() -> None:
    between = told("the cat slept between the bed and the door")
    assert {question for _, question, _, group in between if group == BY_WORDS} == {"does", "who"}
    assert told("the cat saw the door") >= {("cat 1", "does", "saw", BY_WORDS), ("door 4", "who", "cat", BY_WORDS)}
    assert not any(question == "where" for _, question, _, _ in told("the cat saw the door"))


def test_the_shipped_sentence_and_its_pairs_are_held_out() -> None:
    for text in (ENGLISH, CHINESE):
        assert held_out(written(text)) == "pairs"
    assert held_out(written("cat sat")) == held_out(written("温暖 的 垫子")) == "pairs"


def test_no_training_sentence_has_a_held_out_pair_or_triple() -> None:
    """By pairs: counted anew here, without `held_out`."""
    met = np.zeros_like(HELD_OUT_PAIRS)
    data = training_sentences()
    for rows, length in zip(data.rows, data.lengths, strict=True):
        sentence = tuple(rows[:length].tolist())
        assert held_out(sentence) == ""
        for pair in combinations(sentence, 2):
            met[pair] = met[pair[::-1]] = True
    assert not (met & HELD_OUT_PAIRS).any()
    for language in LANGUAGES:
        test = held_out_sentences(language, "pairs")
        assert all(
            HELD_OUT_PAIRS[np.ix_(rows[:n], rows[:n])].any() for rows, n in zip(test.rows, test.lengths, strict=True)
        )


def test_about_a_sixth_of_the_pairs_is_held_out() -> None:
    living = [i for i, word in enumerate(WORDS) if word.kind == "living"]
    verbs = [i for i, word in enumerate(WORDS) if word.kind == "verb"]
    assert 0.1 < HELD_OUT_PAIRS[np.ix_(living, verbs)].mean() < 0.2
    np.testing.assert_array_equal(HELD_OUT_PAIRS, HELD_OUT_PAIRS.T)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_have_2_to_12_words_of_their_language(language: str) -> None:
    sentences = draw(np.random.default_rng(3), 200, language)
    assert sentences == draw(np.random.default_rng(3), 200, language)
    assert all(2 <= len(sentence) <= 12 for sentence in sentences)
    assert all(WORDS[row].forms(language) for sentence in sentences for row in sentence)
    assert len(set(sentences)) > 150


def test_who_asks_what_is_listed() -> None:
    found = set()
    for language in LANGUAGES:
        for split in ("", *SPLITS):
            for sentence in draw(np.random.default_rng(4), 300, language, split):
                every = [one for one in questions(sentence) if one.group == BY_WORDS]
                found |= {(QUESTIONS[one.question], WORDS[sentence[one.place]].kind) for one in every}
    assert found == set(ASKS)


def test_answers_are_among_those_that_a_readout_knows() -> None:
    data = training_sentences()
    for question, rows in enumerate(ANSWERS):
        targets = data.targets[..., question]
        assert np.isin(targets[targets != NOT_ASKED], rows).all()


def test_sentences_become_arrays() -> None:
    short, long = written("the cat sat"), written(ENGLISH)
    both = asked([short, long])
    assert both.rows.shape == (2, 8)
    assert both.rows[0].tolist() == [*short, *[PAD] * 5]
    for one in questions(long):
        at = 1, one.place, one.question
        assert (both.targets[at], both.places[at], both.groups[at]) == (long[one.answer], one.answer, one.group)
    assert (both.targets != NOT_ASKED).sum() == len(questions(short)) + len(questions(long))
    first = both.chosen(np.array([0]))
    assert first.rows.tolist() == [list(short)] and len(first) == 1
    assert Question(2, 1, 1) in questions(short)
