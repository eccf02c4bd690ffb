"""The worked example's trained parameters: which sentences have them, and that they solve the case."""

import itertools

import numpy as np
import pytest

from mathcore.attention import softmax
from mathcore.example import WorkedExample
from mathcore.example.illustrative import embeddings
from mathcore.example.solution import Answers, ParameterSource, Solution
from mathcore.trained.toy_model import ToyShape
from mathcore.trained.toy_results import toy_model
from mathcore.trained.toy_sentences import ANSWERS, QUESTIONS
from mathcore.trained.vocabulary import row_of

ENGLISH = ("The", "tired", "cat", "sat", "on", "the", "warm", "mat")
CHINESE = ("疲惫", "的", "猫", "坐", "在", "温暖", "的", "垫子", "上")
OWN = ("An", "old", "Dog", "slept", "by", "the", "fire.")


def solved(words: tuple[str, ...], **sizes: int) -> tuple[WorkedExample, Solution]:
    made = WorkedExample(words, **sizes)
    assert made.parameter_source.trained and made.parameter_source.reason == "" and made.solution is not None
    return made, made.solution


def found(words: tuple[str, ...], answers: Answers) -> dict[tuple[str, str], str]:
    """The likeliest answer by asking word and question, where words alone decide."""
    asks = zip(answers.places.values, answers.questions, answers.words, answers.by_words.values, strict=True)
    return {(words[place], question): two[0] for place, question, two, by_words in asks if by_words}


def test_the_case_is_solved_in_both_languages() -> None:
    assert found(ENGLISH, solved(ENGLISH)[1].answers) == {
        ("tired", "who"): "cat",
        ("cat", "kind"): "tired",
        ("cat", "does"): "sat",
        ("cat", "where"): "mat",
        ("sat", "who"): "cat",
        ("sat", "where"): "mat",
        ("on", "where"): "mat",
        ("warm", "who"): "mat",
        ("mat", "kind"): "warm",
        ("mat", "who"): "cat",
    }
    chinese = found(CHINESE, solved(CHINESE)[1].answers)
    assert [chinese["猫", question] for question in ("kind", "does", "where")] == ["疲惫", "坐", "垫子"]
    assert len(chinese) == 10


def test_a_sentence_of_one_s_own_solves_its_own_case() -> None:
    answers = found(OWN, solved(OWN)[1].answers)
    assert [answers["Dog", question] for question in ("kind", "does", "where")] == ["old", "slept", "fire"]


def test_both_languages_have_the_same_numbers() -> None:
    english, chinese = WorkedExample(ENGLISH), WorkedExample(CHINESE)
    for name in ("w_q", "w_k", "w_v", "w_o"):
        np.testing.assert_array_equal(getattr(english.attention, name), getattr(chinese.attention, name))
    np.testing.assert_array_equal(english.attention.x.values[2], chinese.attention.x.values[2])
    assert (english.words[english.focus], chinese.words[chinese.focus]) == ("cat", "猫")


@pytest.mark.parametrize("sizes", [{}, {"n_heads": 2}, {"n_heads": 1}, {"d_model": 6, "n_heads": 3}])
@pytest.mark.parametrize("words", [ENGLISH, CHINESE, OWN])
def test_answers_are_read_from_the_attention_that_is_shown(words: tuple[str, ...], sizes: dict[str, int]) -> None:
    made, solution = solved(words, **sizes)
    model = toy_model(ToyShape(made.d_model, made.n_heads))
    assert model is not None
    p, output = model.parameters, made.attention.output.values
    answers = solution.answers
    for i, (place, question) in enumerate(zip(answers.places.values, answers.questions, strict=True)):
        shares = softmax(output[place] @ p[f"readout.{question}"] + p[f"bias.{question}"])
        np.testing.assert_allclose(answers.probabilities.values[i], np.sort(shares)[::-1][:2], atol=1e-12)
        best = ANSWERS[QUESTIONS.index(question)][shares.argmax()]
        assert row_of(answers.words[i][0]) == best
        if row_of(answers.words[i][0]) in {row_of(word) for word in words} and answers.by_words.values[i]:
            assert answers.right.values[i] == answers.probabilities.values[i, 0]


def test_without_a_head_its_question_is_lost() -> None:
    made, solution = solved(ENGLISH)
    answers, names = solution.answers, solution.roles.names
    assert names == ("kind", "does", "where", "")
    for head, name in enumerate(names[:3]):
        (ask,) = (i for i, q in enumerate(answers.questions) if q == name and answers.places.values[i] == made.focus)
        assert answers.without.values[head, ask] < 0.1 < 0.75 < answers.right.values[ask]
        others = [i for i, q in enumerate(answers.questions) if answers.places.values[i] == made.focus and i != ask]
        # The others lose next to nothing.
        assert (answers.right.values[others] - answers.without.values[head, others]).max() < 0.1


def test_a_removed_head_is_taken_off_the_output_that_is_shown() -> None:
    made, solution = solved(ENGLISH)
    model, answers = toy_model(ToyShape(8, 4)), solution.answers
    assert model is not None
    for head in range(4):
        output = made.ablation.without.values[head]
        for i, (place, question) in enumerate(zip(answers.places.values, answers.questions, strict=True)):
            shares = model.probabilities(output[place], QUESTIONS.index(question))
            assert np.abs(shares - answers.without.values[head, i]).min() < 1e-12


def test_the_twins_get_one_answer_and_positions_tell_them_apart() -> None:
    for words, twin in ((ENGLISH, "the"), (CHINESE, "的")):
        made, solution = solved(words)
        places = [i for i, word in enumerate(words) if word.casefold() == twin]
        for trace in (made.attention.x, made.attention.q, made.attention.k, made.attention.v, made.attention.output):
            np.testing.assert_array_equal(trace.values[places[0]], trace.values[places[1]])
        assert solution.seated is not None
        by_place = [
            {p: two[0] for p, two in zip(answers.places.values, answers.words, strict=True) if p in places}
            for answers in (solution.answers, solution.seated)
        ]
        assert len(set(by_place[0].values())) == 1
        cat, mat = ("cat", "mat") if twin == "the" else ("猫", "垫子")
        assert [by_place[1][place] for place in places] == [cat, mat]


@pytest.mark.parametrize(
    ("words", "sizes", "reason", "unknown"),
    [
        (("The", "walrus", "sat"), {}, '"walrus" is not in the vocabulary', ("walrus",)),
        (("Walrus,", "zebra", "cat"), {}, '"Walrus,", "zebra" are not in the vocabulary', ("Walrus,", "zebra")),
        (ENGLISH, {"d_model": 4}, "no parameters are trained for d_model 4 with 4 heads", ()),
        (ENGLISH, {"d_model": 6, "n_heads": 1}, "no parameters are trained for d_model 6 with 1 head", ()),
    ],
)
def test_other_sentences_have_drawn_parameters_and_the_reason_is_told(
    words: tuple[str, ...], sizes: dict[str, int], reason: str, unknown: tuple[str, ...]
) -> None:
    made = WorkedExample(words, seed=7, **sizes)
    assert made.parameter_source == ParameterSource(False, reason, unknown)
    assert made.solution is None
    np.testing.assert_array_equal(made.attention.x.values, embeddings(words, made.d_model, 7))
    assert made.arrays()


def test_the_seed_changes_no_trained_parameter() -> None:
    one, other = (WorkedExample(ENGLISH, seed=seed).attention for seed in (1, 2))
    for name in ("x", "w_q", "output"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_every_combination_of_known_words_has_an_example() -> None:
    """Also those that ask nothing, and those longer than any training sentence."""
    for words in (
        ("the",),
        ("the", "a"),
        ("on", "on"),
        ENGLISH * 2,
        tuple(itertools.islice(itertools.cycle(CHINESE), 20)),
    ):
        made, solution = solved(words)
        assert 0 <= made.focus < len(words)
        assert all(np.isfinite(named.values).all() for named in made.arrays())
        assert len(solution.answers.questions) == len(solution.answers.places)


@pytest.mark.parametrize("sentence", ["The tired cat sat on the warm mat", "疲惫 的 猫 坐 在 温暖 的 垫子 上"])
def test_heads_are_named_by_their_questions_and_find_the_focus_word_s_answers(sentence: str) -> None:
    example = WorkedExample(tuple(sentence.split()), d_model=8, n_heads=4)
    named = ("kind", "does", "where", "")
    assert example.head_names == named
    assert tuple(example.question_of(head) for head in range(4)) == named
    found = [example.words[int(example.bottleneck.favourites.values[head])] for head in range(3)]
    assert found == (["tired", "sat", "mat"] if sentence.isascii() else ["疲惫", "坐", "垫子"])


def test_a_head_answers_no_question_that_is_not_asked() -> None:
    bare = WorkedExample(("The", "cat", "sat"), d_model=8, n_heads=4)
    assert bare.head_names[0] == "kind" and bare.question_of(0) == ""
    drawn = WorkedExample(("The", "qwertz", "sat"), d_model=8, n_heads=4)
    assert drawn.head_names == ("", "", "", "") and drawn.question_of(0) == ""
