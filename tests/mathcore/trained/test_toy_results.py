"""What is stored of the worked example's training, and what the films say of it."""

from dataclasses import replace

import numpy as np
import pytest

from mathcore.trained import stored
from mathcore.trained.toy_heads import ASKS, measured, names, served
from mathcore.trained.toy_model import SHOWN, ToyModel, ToyShape
from mathcore.trained.toy_results import head_roles, toy_model, toy_results
from mathcore.trained.toy_sentences import (
    ANSWERS,
    BY_DETERMINER,
    BY_SUBJECT,
    BY_WORDS,
    LANGUAGES,
    QUESTIONS,
    WHO,
    asked,
    questions,
)
from mathcore.trained.toy_training import (
    FORMS,
    GOOD,
    LARGEST,
    RUNS,
    SPLITS,
    ToyRun,
    ToySchedule,
    accuracies,
    collect,
    held_out_sentences,
    train_run,
    worst,
)
from mathcore.trained.vocabulary import WORDS, row_of

README = (stored.FOLDER / "README.md").read_text(encoding="utf-8")
KEPT = [run for run in RUNS if run.kept]
SHIPPED = {"en": "The tired cat sat on the warm mat", "zh": "疲惫 的 猫 坐 在 温暖 的 垫子 上"}
FOUR = ToyShape(8, 4)


def kept(shape: ToyShape) -> ToyModel:
    model = toy_model(shape)
    assert model is not None
    return model


def rows_of(text: str) -> tuple[int, ...]:
    return tuple(row for word in text.split() if (row := row_of(word)) is not None)


def test_every_run_is_stored_failed_ones_too() -> None:
    results = toy_results()
    columns = (getattr(results, name).values.tolist() for name in ("d_model", "n_heads", "positions", "seeds"))
    assert list(zip(*columns, strict=True)) == [(*vars(run.shape).values(), run.seed) for run in RUNS]
    assert results.accuracy.shape == (len(RUNS), len(FORMS), len(LANGUAGES), len(SPLITS), 3, len(QUESTIONS))
    assert np.isfinite(results.accuracy.values[..., BY_WORDS, :]).all()
    assert {(run.shape.d_model, run.shape.n_heads) for run in RUNS} == {
        (d, h) for d in (4, 6, 8) for h in (1, 2, 3, 4) if d % h == 0
    }


def test_parameters_are_kept_where_a_run_is_good_enough_and_nowhere_else() -> None:
    trained = toy_results().worst.values[:, FORMS.index("trained rounded")]
    for shape in {run.shape for run in RUNS}:
        good = [i for i, run in enumerate(RUNS) if run.shape == shape and trained[i] >= GOOD]
        stored_runs = [i for i, run in enumerate(RUNS) if run.shape == shape and run.kept]
        assert len(stored_runs) == bool(good), shape
        assert set(stored_runs) <= set(good)
        assert (toy_model(shape) is None) == (not good)
    assert toy_model(ToyShape(4, 4)) is None
    assert toy_model(FOUR) is not None is not toy_model(replace(FOUR, positions=True))


@pytest.mark.parametrize("run", KEPT)
def test_stored_parameters_give_the_stored_figures(run: ToyRun) -> None:
    model, i = kept(run.shape), RUNS.index(run)
    # Readouts are stored in float32: an answer on the edge may fall to the other side.
    np.testing.assert_allclose(accuracies(model), toy_results().accuracy.values[i, -1], atol=2e-3)


@pytest.mark.parametrize("run", KEPT)
def test_what_is_shown_has_one_decimal(run: ToyRun) -> None:
    for name in SHOWN:
        values = kept(run.shape).parameters[name]
        np.testing.assert_array_equal(values, np.round(values, 1))
        assert np.abs(values).max() <= LARGEST


def test_the_shown_parameters_have_few_zeros() -> None:
    for name in SHOWN:
        assert (kept(FOUR).parameters[name] == 0).mean() < 0.2, name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("run", KEPT)
def test_the_shipped_sentence_is_answered(run: ToyRun, language: str) -> None:
    """Every question of it that words decide; its determiners get one answer, so that one of two is right."""
    sentence, model = rows_of(SHIPPED[language]), kept(run.shape)
    output = model.forward(np.array([sentence])).output[0]
    guesses, wrong = [], []
    for one in questions(sentence):
        share = model.probabilities(output[one.place], one.question)
        right = bool(ANSWERS[one.question][share.argmax()] == sentence[one.answer])
        if one.group == BY_DETERMINER:
            guesses.append(right)
        elif not right:
            wrong.append((WORDS[sentence[one.place]].name, QUESTIONS[one.question]))
    # Two heads without positions miss one.
    assert wrong == ([("cat", "where")] if run.shape == ToyShape(8, 2) else [])
    assert len(guesses) == 2
    assert sum(guesses) == (2 if run.shape.positions else 1)


def test_without_positions_order_is_guessed_and_with_them_four_heads_know_it() -> None:
    accuracy = toy_results().accuracy.values[:, -1]
    for i, run in enumerate(RUNS):
        determiner, subject = accuracy[i, :, :, BY_DETERMINER, WHO], accuracy[i, :, 0, BY_SUBJECT, WHO]
        if not run.shape.positions or run.shape.n_heads == 1:
            assert determiner.max() < 0.75
            assert subject.max() < 0.5
        elif run.shape.n_heads == 4:
            assert determiner.min() > 0.85
            assert subject.min() > 0.65
        if run.kept and run.shape == replace(FOUR, positions=True):
            assert determiner.min() > 0.88
            assert subject.min() > 0.8


def test_three_heads_of_the_shown_run_have_a_name() -> None:
    roles = head_roles(FOUR)
    assert roles.names == ("kind", "does", "where", "")
    assert roles.asks == ASKS
    for head, name in enumerate(roles.names[:3]):
        ask = ASKS.index((name, "living"))
        # Only this one is needed for it, and it looks at the answer.
        assert roles.costs.values[head, ask] > 0.75
        assert np.delete(roles.costs.values[:, ask], head).max() < 0.5
        assert roles.links.values[head, ask] > 0.9
    assert roles.served("living") == (("kind",), ("does",), ("where",), ())
    np.testing.assert_allclose(roles.costs.values, roles.accuracy.values - roles.without.values)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("split", SPLITS)
def test_heads_have_the_same_names_wherever_they_are_measured(language: str, split: str) -> None:
    found = measured(kept(FOUR), held_out_sentences(language, split))
    assert names(found) == head_roles(FOUR).names
    assert served(found, "living") == head_roles(FOUR).served("living")


def test_a_head_that_must_do_everything_has_no_name() -> None:
    for shape in {run.shape for run in KEPT if run.shape.n_heads == 1}:
        assert head_roles(shape).names == ("",)
    with pytest.raises(ValueError, match="no parameters are kept"):
        head_roles(ToyShape(4, 4))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cat_looks_at_what_its_heads_are_named_after(language: str) -> None:
    sentence = rows_of(SHIPPED[language])
    weights = kept(FOUR).forward(np.array([sentence])).weights[0]
    cat = sentence.index(rows_of("cat")[0])
    for head, word in enumerate(("tired", "sat", "mat")):
        assert weights[head, cat, sentence.index(rows_of(word)[0])] > 0.95


def _readme_row(shape: ToyShape) -> str:
    """A line of the README's table: what became of a size's runs."""
    runs = [i for i, run in enumerate(RUNS) if run.shape == shape]
    results = toy_results()

    def span(values: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> str:
        low, high = (f"{value:.3f}".replace("0.", ".") for value in (values.min(), values.max()))
        return low if low == high else f"{low}-{high}"

    worsts = [span(results.worst.values[runs, form]) for form in range(len(FORMS))]
    order = results.accuracy.values[runs, -1]
    kept_run = next((i for i in runs if RUNS[i].kept), None)
    chosen = "none" if kept_run is None else f"seed {RUNS[kept_run].seed}, {span(results.worst.values[kept_run, -1])}"
    cells = (
        f"{shape.d_model}, {shape.n_heads}{' with positions' * shape.positions}",
        str(len(runs)),
        *worsts,
        span(order[:, :, :, BY_DETERMINER, WHO]),
        span(order[:, :, 0, BY_SUBJECT, WHO]),
        chosen,
    )
    return f"| {' | '.join(cells)} |"


@pytest.mark.parametrize("shape", dict.fromkeys(run.shape for run in RUNS))
def test_the_readme_has_a_line_for_every_size(shape: ToyShape) -> None:
    assert _readme_row(shape) in README.splitlines()


def test_results_become_one_file() -> None:
    runs = [ToyRun(ToyShape(4, h), 0, ToySchedule(steps=(3, 2, 1), batch=8), kept=h == 2) for h in (1, 2)]
    results = [train_run(run) for run in runs]
    data = collect(runs, results)
    assert data["n_heads"].tolist() == [1, 2]
    assert data["accuracy"].shape == (2, 3, 2, 2, 3, 4)
    assert {name.split(".")[0] for name in data if "." in name} == {"run1"}
    assert data["run1.parameters.embedding"].dtype == np.int8
    assert worst(data["accuracy"][1]) == data["accuracy"][1, ..., BY_WORDS, :].min()
    assert len(asked([rows_of("the cat sat")])) == 1
