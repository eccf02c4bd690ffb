"""Named arrays: they know where they come from, cannot be changed, and are found again by their path."""

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathcore.attention import MultiHeadAttention, attend
from mathcore.encoding import add_positions
from mathcore.example import WorkedExample
from mathcore.layers import feed_forward, layer_norm, mlp
from mathcore.named import Entry, NamedArray, digest, located, named_arrays, resolve
from mathcore.recurrence import elman

relaxed = settings(deadline=None, max_examples=100, derandomize=True)


@dataclass(frozen=True)
class Leaf:
    """A trace without parts."""

    values: NamedArray
    note: str = "no array"


@dataclass(frozen=True)
class Branch:
    """A trace with every kind of part."""

    first: NamedArray
    leaf: Leaf
    leaves: tuple[Leaf, ...]
    rows: tuple[NamedArray, ...]
    empty: tuple[NamedArray, ...]
    count: int
    labels: tuple[str, ...]


def array(path: str = "table", axes: tuple[str, ...] = ("row", "column")) -> NamedArray:
    return NamedArray(np.arange(6.0).reshape(2, 3), path, axes)


def leaf(path: str = "values") -> Leaf:
    return Leaf(NamedArray([1.0, 2.0], path, ("item",)))


def branch() -> Branch:
    rows = tuple(NamedArray([float(i)], f"rows[{i}]", ("item",)) for i in range(2))
    leaves = tuple(located(leaf(), f"leaves[{i}]") for i in range(2))
    return Branch(array("first"), located(leaf(), "leaf"), leaves, rows, (), 3, ("a", "b"))


# --- Read only --------------------------------------------------------------------------------------------------------


def test_writing_is_refused() -> None:
    named = array()
    for part in (named, named.row(0), named.located("more")):
        with pytest.raises(ValueError, match="read-only"):
            part.values[0] = 1.0
        with pytest.raises(ValueError, match="read-only"):
            part.values.sort()
    with pytest.raises(TypeError):
        named[0, 0] = 1.0  # type: ignore[index]
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(named)[0, 0] = 1.0


def test_the_write_protection_cannot_be_lifted() -> None:
    with pytest.raises(ValueError, match="WRITEABLE"):
        array().values.flags.writeable = True


def test_the_original_stays_writeable_and_apart() -> None:
    original = np.zeros((2, 2))
    named, part = NamedArray(original, "x", ("a", "b")), NamedArray(original[0], "y", ("b",))
    original[:] = 7
    assert not named.values.any() and not part.values.any()


def test_a_read_only_view_of_what_can_be_written_stays_apart() -> None:
    original = np.zeros((2, 2))
    view = original.view()
    view.flags.writeable = False
    owner = np.zeros((2, 2))
    owner.flags.writeable = False
    one, other = NamedArray(view, "x", ("a", "b")), NamedArray(owner, "y", ("a", "b"))
    original[:] = 7
    owner.flags.writeable = True
    owner[:] = 7
    assert not one.values.any() and not other.values.any()


def test_what_a_trace_is_given_stays_apart_from_it() -> None:
    x = np.eye(4)
    traces: list[object] = [attend(x, x, x), MultiHeadAttention(x, x, x, x, n_heads=2)(x), layer_norm(x)]
    traces += [
        feed_forward(x, x, x),
        mlp(x[0], [(x, x[0])]),
        elman(x, x, x, x[0]),
        add_positions(x, ["a", "b", "c", "d"]),
    ]
    before = [digest(named_arrays(trace)) for trace in traces]
    x[:] = 7
    assert [digest(named_arrays(trace)) for trace in traces] == before


@pytest.mark.parametrize("values", ["word", ["a", "b"], [None], [1j], [10**30]])
def test_only_numbers_and_truth_values_are_named(values: Any) -> None:
    with pytest.raises(TypeError, match="x: a named array holds numbers or booleans, got"):
        NamedArray(values, "x", ("item",))


def test_parts_share_the_memory_of_the_whole() -> None:
    named = array()
    assert np.shares_memory(named.row(1).values, named.values)
    assert np.shares_memory(named.located("more").values, named.values)
    assert np.shares_memory(np.asarray(named), named.values)


def test_copies_for_others_may_be_written() -> None:
    named = array()
    mine = np.array(named)
    mine[0, 0] = 99
    assert named.entry(0, 0).value == 0
    assert np.asarray(named, dtype=np.float32).dtype == np.float32
    assert np.array(named, copy=None) is named.values
    with pytest.raises(ValueError, match="copy"):
        np.array(named, dtype=np.float32, copy=False)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda named: pickle.loads(pickle.dumps(named))])
def test_copies_and_what_another_process_is_sent_are_read_only_too(again: Any) -> None:
    named = NamedArray([[1.0, 2.0]], "x", ("row", "column"), "f").row(0)
    same = again(named)
    assert (same.values == named.values).all() and same.entry(1) == named.entry(1)
    assert (same.path, same.axes, same.formula) == ("x", ("column",), "f")
    with pytest.raises(ValueError, match="WRITEABLE"):
        same.values.flags.writeable = True


def test_an_entry_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        array().entry(0, 0).value = 1.0  # type: ignore[misc]


def test_there_is_no_room_for_other_attributes() -> None:
    with pytest.raises(AttributeError):
        array().colour = "red"  # type: ignore[attr-defined]


# --- Shape and axes ---------------------------------------------------------------------------------------------------


def test_leading_axes_need_no_name() -> None:
    named = NamedArray(np.zeros((4, 5, 2, 3)), "x", ("row", "column"))
    assert named.axes == ("batch", "batch", "row", "column")
    assert named.row(1, 2).axes == ("row", "column")


@pytest.mark.parametrize("values", [[1.0], 1.0])
def test_more_axes_than_dimensions_are_refused(values: Any) -> None:
    with pytest.raises(ValueError, match=r"x: \d dimensions but axes"):
        NamedArray(values, "x", ("row", "column"))


def test_it_has_the_shape_and_length_of_its_array() -> None:
    assert array().shape == (2, 3) and len(array()) == 2
    assert repr(array()) == "NamedArray(table, axes=('row', 'column'), shape=(2, 3))"


# --- Rows, entries, addresses -----------------------------------------------------------------------------------------


def test_entries_come_in_reading_order_with_addresses() -> None:
    entries = list(array().entries())
    assert [entry.value for entry in entries] == [0, 1, 2, 3, 4, 5]
    assert [entry.index for entry in entries] == list(np.ndindex(2, 3))
    assert entries[5] == Entry("table", (1, 2), 5.0)
    assert entries[5].address == "table[1, 2]"
    assert all(type(entry.value) is float for entry in entries)


def test_a_row_remembers_its_place() -> None:
    row = array().row(1)
    assert (row.path, row.axes, row.shape) == ("table", ("column",), (3,))
    assert row.entry(2) == array().entry(1, 2)
    assert [entry.address for entry in row.entries()] == ["table[1, 0]", "table[1, 1]", "table[1, 2]"]
    assert row.located("trace").entry(2).address == "trace.table[1, 2]"


def test_square_brackets_give_rows_and_entries() -> None:
    named = array()
    row, value = named[1], named[1, 2]
    assert isinstance(row, NamedArray) and isinstance(value, Entry)
    assert row[2] == value == named[-1, -1] == named.entry(*np.array([1, 2]))
    assert value.index == (1, 2)  # never negative


def test_a_scalar_is_one_entry() -> None:
    scalar = NamedArray(7, "count", ())
    assert scalar.entry() == Entry("count", (), 7.0, whole=True)
    assert scalar.entry().address == "count"
    assert [entry.value for entry in scalar.entries()] == [7.0]
    with pytest.raises(IndexError):
        scalar.entry(0)


def test_indices_up_to_the_length_give_rows() -> None:
    rows = [array()[i] for i in range(len(array()))]
    assert [row.values.tolist() for row in rows if isinstance(row, NamedArray)] == [[0, 1, 2], [3, 4, 5]]


def test_a_row_is_no_entry_and_an_entry_no_row() -> None:
    with pytest.raises(IndexError, match=r"table\[1, 2\] is a single value, not a row"):
        array().row(1, 2)
    with pytest.raises(IndexError, match=r"table\[1\] is not a single value: axes \('column',\) are left"):
        array().entry(1)
    with pytest.raises(IndexError, match="not a single value"):
        array().entry()
    assert array().row().values.tolist() == array().values.tolist()


@pytest.mark.parametrize(
    ("index", "message"),
    [
        ((2, 0), "row index 2 is outside 0..1"),
        ((0, 3), "column index 3 is outside 0..2"),
        ((0, -4), "column index -4 is outside"),
        ((-3, 0), "row index -3 is outside"),
        ((0, 0, 0), "has 2 axes"),
    ],
)
def test_an_index_outside_names_the_axis(index: tuple[int, ...], message: str) -> None:
    with pytest.raises(IndexError, match=f"table.*{message}"):
        array()[index]


@pytest.mark.parametrize("index", [1.0, 0.5, "0", None, slice(0, 1), [0, 1]])
def test_an_index_must_be_whole(index: Any) -> None:
    with pytest.raises(TypeError):
        array()[index]


# --- Digits -----------------------------------------------------------------------------------------------------------


def test_digits_follow_the_one_policy() -> None:
    named = NamedArray([-0.615, 0.0, 1234.5], "x", ("item",))
    assert [entry.text() for entry in named.entries()] == ["−0.62", "0.00", "1234.50"]
    assert [entry.text(1, signed=True) for entry in named.entries()] == ["−0.6", "0.0", "+1234.5"]
    assert named.entry(2).text(1, grouped=True) == "1,234.5"


def test_integers_have_no_decimals_and_may_be_an_index() -> None:
    counts, values = NamedArray(np.array([2, 8]), "counts", ("case",)), NamedArray([2.0], "values", ("case",))
    assert [entry.text() for entry in counts.entries()] == ["2", "8"] and values.entry(0).text() == "2.00"
    assert NamedArray(True, "flag", ()).entry().text() == "1"
    assert "abc"[counts.entry(0)] == "c" and range(9)[NamedArray(8, "n", ())] == 8
    with pytest.raises(TypeError, match=r"values\[0\] is no integer"):
        range(9)[values.entry(0)]
    with pytest.raises(IndexError, match=r"counts.* is not a single value"):
        range(9)[counts]


# --- Traces -----------------------------------------------------------------------------------------------------------


def test_located_moves_every_part() -> None:
    moved = located(branch(), "trace")
    assert [part.path for part in named_arrays(moved)] == [
        "trace.first",
        "trace.leaf.values",
        "trace.leaves[0].values",
        "trace.leaves[1].values",
        "trace.rows[0]",
        "trace.rows[1]",
    ]
    assert (moved.count, moved.labels, moved.leaf.note) == (3, ("a", "b"), "no array")
    assert branch().first.path == "first"  # the original is as it was


def test_located_keeps_axes_and_formula() -> None:
    named = NamedArray([[0.5, 0.5]], "weights", ("query", "key"), "softmax")
    moved = named.located("head")
    assert (moved.axes, moved.formula) == (named.axes, "softmax")


def test_named_arrays_finds_every_array_once_in_field_order() -> None:
    paths = [part.path for part in named_arrays(branch())]
    assert paths == ["first", "leaf.values", "leaves[0].values", "leaves[1].values", "rows[0]", "rows[1]"]
    assert list(named_arrays("text")) == list(named_arrays(None)) == list(named_arrays(Leaf)) == []
    one = array()
    assert list(named_arrays(one)) == [one]


# --- Paths ------------------------------------------------------------------------------------------------------------


def test_resolve_finds_every_part_of_a_trace() -> None:
    tree = branch()
    for part in named_arrays(tree):
        assert resolve(tree, part.path) is part
    assert resolve((leaf(), leaf()), "[1].values").values.tolist() == [1.0, 2.0]
    one = array()
    assert resolve(one, "") is one


@pytest.fixture(scope="module")
def example() -> WorkedExample:
    return WorkedExample(("The", "tired", "cat", "sat"), d_model=8, n_heads=4, seed=7)


@pytest.fixture(scope="module")
def twin() -> WorkedExample:
    """Made apart from `example`, as by a test that rebuilds what a film showed."""
    return WorkedExample(("The", "tired", "cat", "sat"), d_model=8, n_heads=4, seed=7)


def test_every_array_of_the_example_resolves_to_itself(example: WorkedExample, twin: WorkedExample) -> None:
    arrays = example.arrays()
    assert arrays
    for named in arrays:
        found = resolve(twin, named.path)
        assert (found.path, found.axes, found.shape, found.formula) == (
            named.path,
            named.axes,
            named.shape,
            named.formula,
        )
        np.testing.assert_array_equal(found.values, named.values)


@relaxed
@given(st.data())
def test_any_entry_s_path_and_index_lead_back_to_its_value(
    example: WorkedExample, twin: WorkedExample, data: st.DataObject
) -> None:
    named = data.draw(st.sampled_from(example.arrays()))
    index = tuple(data.draw(st.integers(-size, size - 1)) for size in named.shape)
    entry = named.entry(*index)
    assert resolve(twin, entry.path).entry(*entry.index) == entry
    assert entry.value == float(named.values[index])


@pytest.mark.parametrize(
    "path",
    [
        "_private",
        "attention._hidden",
        "attention.x._prefix",
        "__class__",
        "attention.__class__",
        "attention.x.__init__.__globals__",
        "digest.__self__.attention.x",
        "digest",
        "digest()",
        "arrays()[0]",
        "arrays",
        "key",
        "words",
        "words[0]",
        "seed",
        "attention",
        "heads",
        "heads[0]",
        "heads[4].weights",
        "heads[-1].weights",
        "heads[00].weights",
        "heads[0x1].weights",
        "heads[1_0].weights",
        "heads[ 0 ].weights",
        "heads[0:1].weights",
        "heads[０].weights",
        "heads['0'].weights",
        "heads[].weights",
        "heads[0.weights",
        "heads0].weights",
        "heads.[0].weights",
        "heads[0]weights",
        "heads[0]..weights",
        ".heads[0].weights",
        "heads[0].weights.",
        "heads[0].weights ",
        " heads[0].weights",
        "heads[0].weights\n",
        "heads[0].weights[0]",
        "heads[0].weights.values",
        "heads[0].weights.T",
        "heads[0].weights.shape[0]",
        "heads[0].weights.row",
        "heads[0].Weights",
        "heads[0].weights;x",
        "heads[0]/weights",
        "../heads",
        "",
        ".",
        "[0]",
        "nothing",
        "attention.nothing",
        "ｈeads[0].weights",
        "heads[" + "9" * 5000 + "].weights",
        "attention." * 2000 + "x",
        "\x00",
        "__import__('os')",
    ],
)
def test_resolve_refuses_everything_else(example: WorkedExample, path: str) -> None:
    with pytest.raises(KeyError):
        resolve(example, path)


@relaxed
@given(st.text(alphabet="ahedsx.[]0123_()' weights", max_size=24))
def test_resolve_gives_an_array_or_a_key_error(example: WorkedExample, path: str) -> None:
    known = {named.path for named in example.arrays()}
    try:
        found = resolve(example, path)
    except KeyError:
        return
    assert found.path in known
