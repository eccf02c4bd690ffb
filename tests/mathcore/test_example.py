"""The worked example: reproducible, exact on paper, and whole, so that no number shown escapes its digest."""

import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from mathcore.attention import MultiHeadAttention
from mathcore.cost import attention_parameters
from mathcore.example import WorkedExample
from mathcore.example.illustrative import embedding
from mathcore.named import Entry, NamedArray, resolve
from mathcore.position import shift_matrix, sinusoidal, sinusoidal_at
from mathcore.rounding import MINUS

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = ("The", "tired", "cat", "sat", "on", "the", "warm", "mat")
CHINESE = ("疲惫", "的", "猫", "坐", "在", "温暖", "的", "垫子", "上")
# Words that no vocabulary has: their parameters are drawn.
TWELVE = tuple("bcdefghijklm")
# Every width and head count that media_config.yaml accepts, and some that only the code does.
COMBINATIONS = [
    (d_model, n_heads) for d_model in (2, 4, 6, 8, 16) for n_heads in range(1, d_model + 1) if not d_model % n_heads
]


@pytest.fixture(scope="module", params=[(SENTENCE, 25900), (CHINESE, 25900), (TWELVE, 0)], ids=["en", "zh", "twelve"])
def example(request: pytest.FixtureRequest) -> WorkedExample:
    words, seed = request.param
    return WorkedExample(words, d_model=8, n_heads=4, seed=seed)


# --- The same every time ----------------------------------------------------------------------------------------------


def test_the_same_choices_give_the_same_digest() -> None:
    one, same = (WorkedExample(SENTENCE, d_model=8, n_heads=4, seed=7) for _ in range(2))
    assert one.digest() == same.digest() == one.digest()
    assert len(one.digest()) == 64


def test_the_order_in_which_lessons_ask_does_not_matter() -> None:
    asked = WorkedExample(SENTENCE, seed=7)
    for named in reversed(asked.arrays()):
        resolve(asked, named.path)
    late = WorkedExample(SENTENCE, seed=7)
    assert (late.clock, late.report) and asked.digest() == late.digest()


@pytest.mark.parametrize(
    "other",
    [
        WorkedExample(SENTENCE, seed=8),
        WorkedExample(SENTENCE[::-1], seed=7),
        WorkedExample(SENTENCE[:-1], seed=7),
        WorkedExample(SENTENCE, n_heads=2, seed=7),
        WorkedExample(SENTENCE, d_model=4, seed=7),
    ],
    ids=["seed", "order", "words", "heads", "width"],
)
def test_another_choice_gives_another_digest(other: WorkedExample) -> None:
    assert other.digest() != WorkedExample(SENTENCE, seed=7).digest()


def test_the_digest_is_the_same_in_every_process() -> None:
    code = f"from mathcore.example import WorkedExample\nprint(WorkedExample({CHINESE!r}, seed=7).digest())"
    found = {
        subprocess.run(
            [sys.executable, "-X", "utf8", "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
            text=True,
            encoding="utf-8",
        ).stdout.strip()
        for hash_seed in ("0", "1", "12345")
    }
    assert found == {WorkedExample(CHINESE, seed=7).digest()}


def test_the_global_random_generator_is_neither_read_nor_moved() -> None:
    np.random.seed(1)
    before = WorkedExample(SENTENCE, seed=7).digest()
    state = np.random.get_state(legacy=False)
    np.random.seed(2)
    assert WorkedExample(SENTENCE, seed=7).digest() == before
    np.random.seed(1)
    assert str(np.random.get_state(legacy=False)) == str(state)


def test_the_key_says_what_it_is_made_from() -> None:
    made = WorkedExample(("a", "b"), d_model=4, n_heads=2, seed=3)
    assert made.key() == {"words": ["a", "b"], "d_model": 4, "n_heads": 2, "seed": 3}


# --- Words ------------------------------------------------------------------------------------------------------------


def test_the_same_word_has_the_same_embedding() -> None:
    for other in ("cats", "dog"):
        made = WorkedExample(("The", "cat", "the", "THE", other), seed=5)
        assert made.parameter_source.trained == (other == "dog")
        x = made.attention.x.values
        assert (x[0] == x[2]).all() and (x[0] == x[3]).all()
        assert (x[1] != x[4]).any() and (x[0] != x[1]).any()


def test_an_embedding_depends_on_word_and_seed_alone() -> None:
    alone = WorkedExample(("walrus",), seed=5).attention.x.values[0]
    among = WorkedExample(("The", "tired", "walrus", "sat"), seed=5).attention.x.values[2]
    assert (alone == among).all()
    assert (embedding("walrus", 8, 5) == alone).all()
    assert (embedding("walrus", 8, 6) != alone).any()
    # Seed 1 and word "2a" must not be mistaken for seed 12 and word "a".
    assert (embedding("2a", 8, 1) != embedding("a", 8, 12)).any()


def test_different_words_have_different_embeddings() -> None:
    words = {*(word.casefold() for word in SENTENCE), *CHINESE, *TWELVE}
    assert len({embedding(word, 8, 0).tobytes() for word in words}) == len(words)


# --- Exact on paper ---------------------------------------------------------------------------------------------------


def paper(entry: Entry, places: int) -> Decimal:
    """The digits that the film would show, as a number."""
    return Decimal(entry.text(places).replace(MINUS, "-"))


def exact(named: NamedArray, places: int) -> list[list[Decimal]]:
    """A matrix as decimals, after checking that its digits end after `places`: six more are all 0."""
    rows = []
    for i in range(len(named)):
        row = [paper(entry, places) for entry in named.row(i).entries()]
        assert row == [paper(entry, places + 6) for entry in named.row(i).entries()]
        rows.append(row)
    return rows


def times(left: list[list[Decimal]], right: list[list[Decimal]]) -> list[list[Decimal]]:
    columns = list(zip(*right, strict=True))
    return [[sum((a * b for a, b in zip(row, column, strict=True)), Decimal(0)) for column in columns] for row in left]


def test_embeddings_and_weights_have_one_decimal_and_are_small(example: WorkedExample) -> None:
    attention, limit = example.attention, 3 if example.has_trained_parameters else 1
    for named in (attention.x, attention.w_q, attention.w_k, attention.w_v, attention.w_o, *example.head_weights):
        for row in exact(named, 1):
            assert all(abs(value) <= limit for value in row)


def test_projections_are_exact_on_paper(example: WorkedExample) -> None:
    attention = example.attention
    x = exact(attention.x, 1)
    for w, projected in (
        (attention.w_q, attention.q),
        (attention.w_k, attention.k),
        (attention.w_v, attention.v),
    ):
        assert exact(projected, 2) == times(x, exact(w, 1))


def test_every_head_s_scores_are_exact_on_paper(example: WorkedExample) -> None:
    for head in example.heads:
        transposed = [list(column) for column in zip(*exact(head.k, 2), strict=True)]
        assert exact(head.scores, 4) == times(exact(head.q, 2), transposed)


def test_the_counted_out_cell_is_exact_on_paper(example: WorkedExample) -> None:
    cell = example.cell
    left, right = ([paper(entry, 1) for entry in part.entries()] for part in (cell.left, cell.right))
    products = [a * b for a, b in zip(left, right, strict=True)]
    assert [paper(entry, 2) for entry in cell.products.entries()] == products
    assert paper(cell.result.entry(), 2) == sum(products)
    assert paper(cell.result.entry(), 2) == paper(example.heads[0].q.entry(example.focus, 0), 2)
    assert left == [paper(entry, 1) for entry in example.attention.x.row(example.focus).entries()]
    assert right == [paper(example.attention.w_q.entry(i, 0), 1) for i in range(example.d_model)]


def test_the_report_is_exact_on_paper(example: WorkedExample) -> None:
    report = example.report
    q, k = [paper(entry, 2) for entry in report.q.entries()], exact(example.heads[0].k, 2)
    matches = exact(report.query_key_products, 4)
    assert matches == [[a * b for a, b in zip(q, row, strict=True)] for row in k]
    assert [paper(entry, 4) for entry in report.scores.entries()] == [sum(row) for row in matches]


# --- Parts that must agree --------------------------------------------------------------------------------------------


def test_the_report_is_head_0_s_row_of_the_focus_word(example: WorkedExample) -> None:
    report, head, i = example.report, example.heads[0], example.focus
    for name in ("q", "scores", "scaled", "weights", "output"):
        np.testing.assert_array_equal(getattr(report, name).values, getattr(head, name).values[i])
    np.testing.assert_allclose(report.query_key_products.values.sum(axis=1), report.scores.values, atol=1e-14)
    np.testing.assert_allclose(report.weighted_values.values.sum(axis=0), report.output.values, atol=1e-14)
    assert report.scale.entry().value == pytest.approx((example.d_model / example.n_heads) ** 0.5)
    assert report.weight_sum.entry().value == pytest.approx(1, abs=1e-15)
    strongest = int(report.strongest.entry().value)
    assert report.weights.values[strongest] == pytest.approx(report.weights.values.max(), rel=1e-9)


def test_head_weights_are_columns_of_the_layer_s(example: WorkedExample) -> None:
    for named, whole in zip(example.head_weights, ("w_q", "w_k", "w_v"), strict=True):
        d_head = example.d_model // example.n_heads
        np.testing.assert_array_equal(named.values, getattr(example.attention, whole).values[:, :d_head])


def test_the_trace_is_that_of_the_layer(example: WorkedExample) -> None:
    made = example.attention
    layer = MultiHeadAttention(made.w_q, made.w_k, made.w_v, made.w_o, n_heads=example.n_heads)
    np.testing.assert_array_equal(layer(made.x).output.values, made.output.values)


def test_sizes_count_what_is_there(example: WorkedExample) -> None:
    sizes = example.sizes
    n = len(example.words)
    assert (
        (sizes.words.entry().value, sizes.pairs.entry().value)
        == (n, n * n)
        == (n, example.heads[0].weights.values.size)
    )
    assert sizes.d_model.entry().value == example.attention.x.shape[1]
    assert sizes.heads.entry().value == len(example.heads)
    assert sizes.d_head.entry().value == example.heads[0].q.shape[1]
    assert sizes.cells.entry().value == len(example.waves.wavelengths)


def test_waves_pass_through_the_table(example: WorkedExample) -> None:
    waves = example.waves
    whole = np.flatnonzero(waves.times.values == np.round(waves.times.values))
    np.testing.assert_array_equal(waves.times.values[whole], waves.positions.values)
    np.testing.assert_array_equal(waves.samples.values[whole], waves.table.values)
    np.testing.assert_array_equal(waves.table.values, sinusoidal(len(waves.positions), example.d_model))
    assert waves.wavelengths.values.max() < 2 * np.pi * 10_000


def test_the_clock_shows_the_table(example: WorkedExample) -> None:
    clock = example.clock
    angles = np.radians(clock.angles.values)
    tips = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)
    np.testing.assert_allclose(clock.table.values, tips, atol=1e-13)
    degrees = clock.degrees_per_token.values
    assert degrees[0] == pytest.approx(57.2958, abs=5e-5)
    np.testing.assert_allclose(degrees[:-1] / degrees[1:], clock.ratio.entry().value)
    np.testing.assert_array_equal(clock.angles.values[1], degrees)


def test_the_clock_s_shift_is_the_same_from_both_starts(example: WorkedExample) -> None:
    clock = example.clock
    k = int(clock.shift.entry().value)
    starts, ends = clock.shift_starts.values, clock.shift_ends.values
    np.testing.assert_array_equal(ends - starts, k)
    for start, end in zip(starts, ends, strict=True):
        turned = clock.angles.values[end] - clock.angles.values[start]
        np.testing.assert_allclose(turned, clock.shift_angles.values, atol=1e-12)
        moved = shift_matrix(example.d_model, k) @ sinusoidal_at([start], example.d_model)[0]
        np.testing.assert_allclose(moved, sinusoidal_at([end], example.d_model)[0], atol=1e-14)
    assert 0 <= clock.shift_error.entry().value < 1e-14


def test_the_clock_s_near_collisions_are_where_it_says(example: WorkedExample) -> None:
    clock = example.clock
    distances = clock.unique_distances.values
    for hands, distance, pair in zip(clock.unique_hands.values, distances, clock.unique_pairs.values, strict=True):
        one, other = sinusoidal_at(pair, 2 * int(hands))
        assert np.linalg.norm(one - other) == pytest.approx(distance, rel=1e-12)
        assert pair.max() < clock.unique_positions.entry().value
    assert (np.diff(distances) > 0).all()  # more hands, fewer mistakes


def test_the_budget_is_that_of_the_formula(example: WorkedExample) -> None:
    found = example.head_parameters
    d_model = int(found.d_model.entry().value)
    for n_heads, d_head, projection, output, total in zip(
        found.heads.values,
        found.d_heads.values,
        found.projections.values,
        found.output.values,
        found.totals.values,
        strict=True,
    ):
        assert n_heads * d_head == d_model
        assert 3 * projection + output == total == attention_parameters(d_model, int(n_heads)) == 1_048_576


# --- Every choice works -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d_model", "n_heads"), COMBINATIONS)
def test_every_width_and_head_count_works(d_model: int, n_heads: int) -> None:
    made = WorkedExample(SENTENCE[:4], d_model=d_model, n_heads=n_heads, seed=1)
    arrays = made.arrays()
    assert all(np.isfinite(named.values).all() for named in arrays)
    assert len(made.heads) == n_heads and made.heads[0].q.shape == (4, d_model // n_heads)
    for named in arrays:
        assert all(entry.text(2) for entry in itertools.islice(named.entries(), 50))


@pytest.mark.parametrize("n", range(1, 13))
def test_the_focus_is_a_word_of_the_sentence_whose_heads_disagree_most(n: int) -> None:
    for seed in range(5):
        made = WorkedExample(TWELVE[:n], seed=seed)
        assert 0 <= made.focus < n
        favourites = [
            len({max(range(n), key=head.weights.values[i].__getitem__) for head in made.heads}) for i in range(n)
        ]
        assert favourites[made.focus] == max(favourites)
        assert all(0 <= named.values.min() < n for named in (made.report.strongest,))


@pytest.mark.parametrize("n", range(1, 13))
def test_every_length_of_sentence_works(n: int) -> None:
    made = WorkedExample(TWELVE[:n], seed=2)
    assert len(made.digest()) == 64
    assert all(head.weights.shape == (n, n) for head in made.heads)
    assert made.sizes.word_places.values.tolist() == list(range(n))


@pytest.mark.parametrize("seed", [0, 1, 25900, 2**32 - 1])
def test_every_seed_works(seed: int) -> None:
    assert WorkedExample(("a", "b"), seed=seed).arrays()


@pytest.mark.parametrize(
    ("words", "d_model", "n_heads", "message"),
    [
        ((), 8, 4, "at least one word"),
        (("a",), 7, 1, "d_model must be even and at least 2, got 7; nearest valid: 6 or 8"),
        (("a",), 0, 1, "d_model must be even and at least 2"),
        (("a",), 8, 3, "n_heads = 3 does not divide d_model = 8; nearest valid: 2 or 4"),
        (("a",), 8, 0, "nearest valid: 1 or 2"),
    ],
)
def test_choices_that_cannot_be_are_refused(words: tuple[str, ...], d_model: int, n_heads: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        WorkedExample(words, d_model=d_model, n_heads=n_heads)


# --- Nothing escapes --------------------------------------------------------------------------------------------------


def reachable(root: object) -> Iterator[NamedArray]:
    """Every array below `root`, found without the project's own search."""
    if isinstance(root, NamedArray):
        yield root
    elif isinstance(root, dict):
        yield from reachable(tuple(root.values()))
    elif isinstance(root, (tuple, list, set, frozenset)):
        for item in root:
            yield from reachable(item)
    elif is_dataclass(root) and not isinstance(root, type):
        for field in fields(root):
            yield from reachable(getattr(root, field.name))


def public_arrays(example: WorkedExample) -> dict[str, NamedArray]:
    names = [name for name in dir(example) if not name.startswith("_")]
    return {named.path: named for name in names for named in reachable(getattr(example, name))}


def test_every_array_that_can_be_shown_is_listed(example: WorkedExample) -> None:
    """A lesson reaches arrays through public attributes: all of them must count in the digest."""
    listed = {named.path: named for named in example.arrays()}
    assert public_arrays(example).keys() == listed.keys()
    assert len(listed) > 50


def test_no_two_arrays_share_a_path_and_each_is_found_by_its_own(example: WorkedExample) -> None:
    arrays = example.arrays()
    paths = [named.path for named in arrays]
    assert len(set(paths)) == len(paths)
    for named in arrays:
        assert resolve(example, named.path) is named


def test_the_digest_covers_every_array(example: WorkedExample, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change any one number, and the digest changes."""
    before, arrays = example.digest(), example.arrays()
    for i, named in enumerate(arrays):
        values = named.values.copy()
        values.flat[-1] = not values.flat[-1] if values.dtype == bool else values.flat[-1] + 1
        changed = [*arrays[:i], NamedArray(values, named.path, named.axes), *arrays[i + 1 :]]
        with monkeypatch.context() as patch:
            patch.setattr(WorkedExample, "arrays", lambda _, changed=changed: changed)
            assert example.digest() != before, named.path


def test_every_array_is_read_only(example: WorkedExample) -> None:
    for named in example.arrays():
        assert not named.values.flags.writeable, named.path
