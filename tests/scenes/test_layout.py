"""The layout vocabulary: it fits what it is given to the room, in either format, and finds ways that are free."""

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
import pytest
from manim import Rectangle, Square, VGroup, VMobject

from mathcore.example import WorkedExample
from scenes.formats import FORMATS, Slot, use_format
from scenes.kit.layout import (
    Panel,
    Stage,
    above,
    aligned,
    along,
    as_high,
    as_wide,
    below,
    beside,
    equation,
    fan,
    free_way,
    is_upright,
    over,
    row,
    sign,
    table,
)
from scenes.kit.matrix import Matrix, alike
from scenes.kit.text import BODY, SMALLEST, TextLine, box_around

EXAMPLE = WorkedExample(("The", "tired", "cat", "sat", "on", "the", "warm", "mat"), d_model=8, n_heads=4)
LONG = WorkedExample(tuple(f"{'extraordinarily' * (k % 2)}word{k}" for k in range(12)), d_model=8, n_heads=1)


@pytest.fixture(params=list(FORMATS))
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    with use_format(request.param) as shape:
        yield Stage.of(shape.stage)


def inside(thing: VGroup, slot: Slot) -> bool:
    left, bottom, right, top = box_around(thing)
    slack = 1e-3
    return (
        left > slot.left - slack
        and right < slot.right + slack
        and bottom > slot.bottom - slack
        and top < slot.top + slack
    )


def matrices(example: WorkedExample) -> tuple[Matrix, Matrix, Matrix]:
    head, color = example.heads[0], "#FFD84D"
    x = Matrix(example.attention.x, digits=2 % len(example.words), places=1, rows=example.words, above=TextLine("X"))
    w = Matrix(example.head_weights[0], above=TextLine("W"), cover="card", color=color)
    page = Matrix(head.q, digits=0, fill=color, above=TextLine("Q: queries", BODY), cover="page", color=color)
    return x, w, page


@pytest.mark.parametrize("example", [EXAMPLE, LONG], ids=["shipped", "long"])
def test_an_equation_fits_the_stage_and_is_legible(stage: Stage, example: WorkedExample) -> None:
    x, w, page = matrices(example)
    stage.equation(x, "×", w, "=", page)
    assert all(inside(each, stage) for each in (x, w, page))
    for one, other in product((x, w, page), repeat=2):
        assert one is other or not _overlap(one, other)
    lines = [
        part for each in (x, w, page) for part in each.get_family() if isinstance(part, TextLine) and len(part.points)
    ]
    assert lines and min(line.drawn_size for line in lines) > SMALLEST * 0.99


def test_rows_of_the_same_words_are_level(stage: Stage) -> None:
    x, w, page = matrices(EXAMPLE)
    x.hush()
    stage.equation(x, "×", w, "=", page)
    for i in range(len(EXAMPLE.words)):
        assert x.cells[i][0].get_y() == pytest.approx(page.cells[i][0].get_y())
        assert x.cells[i][0].get_y() == pytest.approx(x.names[i].get_y(), abs=0.02)


def test_an_equation_breaks_before_a_sign_where_a_line_is_too_narrow() -> None:
    narrow = Stage(-2, -4, 2, 4)
    one, other = (Rectangle(width=3, height=1) for _ in range(2))
    plus = sign("+")
    narrow.equation(one, plus, other)
    assert one.get_bottom()[1] > other.get_top()[1] and one.width == 3
    assert plus.get_right()[0] < other.get_left()[0] and abs(plus.get_y() - other.get_y()) < 0.1


def test_digits_stand_only_where_they_are_asked_for() -> None:
    matrix = Matrix(EXAMPLE.attention.x, digits=2, digit_columns=(0,), places=1)
    shown = {(i, j) for i, line in enumerate(matrix.numbers) for j, number in enumerate(line) if number is not None}
    assert shown == {(2, j) for j in range(8)} | {(i, 0) for i in range(8)}
    for i, j in product(range(8), repeat=2):
        # A value is told once: by its digits, or by its colour.
        number, cell = matrix.numbers[i][j], matrix.cells[i][j]
        provenance = number.provenance if number is not None else cell.provenance
        assert [origin.entry for origin in provenance] == [EXAMPLE.attention.x.entry(i, j)]
        assert number is None or cell.provenance == ()
        assert number is None or number.width < cell.width
    matrix.hush()
    assert [origin.entry for origin in matrix.cells[2][3].provenance] == [EXAMPLE.attention.x.entry(2, 3)]


def test_where_there_is_no_room_for_digits_colours_stay() -> None:
    with use_format("phone") as shape:
        matrix = Matrix(LONG.heads[0].q, digits=0, rows=LONG.words)
        Stage(-1.0, -1.0, 1.0, 1.0).place(matrix)
        assert inside(matrix, Slot(-1.0, -1.0, 1.0, 1.0))
        assert not any(len(number.points) for number in matrix.numbers[0] if number is not None)
        assert all(cell.provenance for cell in matrix.cells[0])
        Stage.of(shape.stage).place(matrix)
        assert all(len(number.points) for number in matrix.numbers[0] if number is not None)
        assert not any(cell.provenance for cell in matrix.cells[0])


def test_a_matrix_in_the_place_of_another_stands_where_it_stood(stage: Stage) -> None:
    _, _, page = matrices(EXAMPLE)
    stage.row(page, Square(), Square())
    other = Matrix(EXAMPLE.heads[0].q, digits=0, above=TextLine("K", BODY), cover="page").in_place_of(page)
    assert np.allclose(other.anchor, page.anchor)
    assert box_around(other.bed) == pytest.approx(box_around(page.bed))


def test_heads_have_groups_of_columns_in_their_colours() -> None:
    matrix = Matrix(EXAMPLE.attention.q, heads=4)
    gaps = [right.get_left()[0] - left.get_right()[0] for left, right in pairwise(matrix.cells[0])]
    assert min(gaps[1::2]) > 2 * max(gaps[0::2])
    assert len({cell.ramp.high for cell in matrix.cells[0]}) == 4
    assert len(matrix.head(1)) == 2 * len(EXAMPLE.words)


def test_along_is_a_row_in_landscape_and_a_column_on_a_phone(stage: Stage) -> None:
    one, other = Square(), Square()
    stage.along(one, other)
    beside_each_other = abs(one.get_y() - other.get_y()) < 1e-6
    assert beside_each_other != is_upright()


def test_columns_of_a_table_are_in_line_and_names_end_in_line() -> None:
    parts = [Matrix(EXAMPLE.cell.left, digits=0, places=1), Matrix(EXAMPLE.cell.products, digits=0)]
    alike(*parts)
    names = [TextLine("row"), TextLine("a longer name")]
    wide = Stage(-7, -3, 7, 3)
    wide.table((names[0], parts[0]), (names[1], parts[1]))
    assert names[0].get_right()[0] == pytest.approx(names[1].get_right()[0])
    for one, other in zip(parts[0].cells[0], parts[1].cells[0], strict=True):
        assert one.get_x() == pytest.approx(other.get_x())
    # Where names leave too little room beside the rows, they stand above them.
    narrow = Stage(-3, -3, 3, 3)
    narrow.table((names[0], parts[0]), (names[1], parts[1]))
    assert names[1].get_bottom()[1] > parts[1].bed.get_top()[1] > parts[1].bed.get_bottom()[1]
    assert all(inside(part, narrow) for part in parts)


def test_arrangements_of_arrangements_share_the_room(stage: Stage) -> None:
    x, w, page = matrices(EXAMPLE)
    lines = [TextLine("one"), TextLine("two")]
    rows = table((lines[0], Square(0.4)), (lines[1], Square(0.4)))
    stage.column(equation(x, "×", w, "=", page), along(rows, row(Square(0.4))))
    assert inside(VGroup(x, w, page, *lines), stage)


def test_a_thing_too_large_at_its_least_is_made_smaller_as_a_whole() -> None:
    small = Stage(-1, -1, 1, 1)
    long = TextLine("a line that is far too long for a stage as small as this one", BODY)
    small.place(long)
    assert inside(VGroup(long), small)


def test_parts_of_a_stage_share_it(stage: Stage) -> None:
    upper, lower = stage.rows(3, 1, gap=0.2)
    assert upper.top == stage.top and lower.bottom == pytest.approx(stage.bottom)
    assert upper.height == pytest.approx(3 * lower.height)
    left, right = stage.columns(1, 1)
    assert left.width == pytest.approx(right.width) and right.right == pytest.approx(stage.right)
    first, second = stage.parts(1, 1)
    assert (first.top == second.top) != is_upright()


def test_relations_put_a_thing_where_they_say() -> None:
    other, thing = Square(2).shift((1, 1, 0)), Rectangle(width=1, height=0.5)
    assert beside(thing, other, "left", 0.3).get_right()[0] == pytest.approx(other.get_left()[0] - 0.3)
    assert above(thing, other, 0.1).get_bottom()[1] == pytest.approx(other.get_top()[1] + 0.1)
    assert below(thing, other, 0.1, "left").get_left()[0] == pytest.approx(other.get_left()[0])
    assert np.allclose(over(thing, other).get_center(), other.get_center())
    assert aligned(thing, other, "top").get_top()[1] == pytest.approx(other.get_top()[1])
    assert as_wide(thing, other).width == pytest.approx(2) and as_high(thing, other).height == pytest.approx(2)


def test_a_panel_holds_its_things_in_order_below_each_other() -> None:
    one, other = TextLine("one"), TextLine("two")
    panel = Panel(one, other, above=TextLine("head"), cover="card")
    tops = [part.get_top()[1] for part in (panel.sheet, panel.outer[0], one, other)]
    assert tops == sorted(tops, reverse=True)
    assert inside(VGroup(one, other, panel.outer), Slot(*box_around(panel.sheet)))


# Ways


def _overlap(one: VGroup, other: VGroup) -> bool:
    a, b = box_around(one), box_around(other)
    slack = 1e-3
    return a[0] < b[2] - slack and b[0] < a[2] - slack and a[1] < b[3] - slack and b[1] < a[3] - slack


def crosses(corners: list[tuple[float, float]], thing: VMobject) -> bool:
    left, bottom, right, top = box_around(thing)
    for start, end in pairwise(corners):
        for share in np.linspace(0, 1, 200):
            x, y = (a + share * (b - a) for a, b in zip(start, end, strict=True))
            if left < x < right and bottom < y < top:
                return True
    return False


def test_a_way_is_straight_where_nothing_is_in_it() -> None:
    one, other = Square(1).shift((-3, 0, 0)), Square(1).shift((3, 0, 0))
    corners = free_way(one, other)
    assert corners is not None and len(corners) == 2
    assert corners[0][0] > -2.5 and corners[1][0] < 2.5 and corners[0][1] == corners[1][1]


def test_a_way_goes_around_what_is_in_it_by_right_angles(stage: Stage) -> None:
    one, other = Square(0.8).shift((-2.5, 0, 0)), Square(0.8).shift((2.5, 0, 0))
    wall = Rectangle(width=0.5, height=2.5)
    corners = free_way(one, other, [wall])
    assert corners is not None and not crosses(corners, wall)
    assert all(min(abs(a[0] - b[0]), abs(a[1] - b[1])) < 1e-6 for a, b in pairwise(corners))
    assert len(corners) <= 6


def test_a_way_leaves_and_arrives_at_the_sides_that_are_asked_for() -> None:
    one, other = Square(1).shift((-2, 1, 0)), Square(1).shift((2, -1, 0))
    corners = free_way(one, other, sides=("bottom", "top"))
    assert corners is not None
    assert corners[0][0] == pytest.approx(-2) and corners[1][1] < corners[0][1]
    assert corners[-1][0] == pytest.approx(2) and corners[-2][1] > corners[-1][1]


def test_there_is_no_way_out_of_a_room_without_a_door() -> None:
    inner, outer = Square(0.4), Square(0.4).shift((3, 0, 0))
    walls = [Rectangle(width=3, height=0.4).shift((0, y, 0)) for y in (-1.4, 1.4)]
    walls += [Rectangle(width=0.4, height=3).shift((x, 0, 0)) for x in (-1.4, 1.4)]
    assert free_way(inner, outer, walls) is None
    assert free_way(inner, outer, walls[:-1]) is not None


def test_what_is_wide_needs_a_wide_way() -> None:
    one, other = Square(0.4).shift((-3, 0, 0)), Square(0.4).shift((3, 0, 0))
    gate = [Rectangle(width=0.4, height=2).shift((0, y, 0)) for y in (-1.4, 1.4)]
    thin, wide = free_way(one, other, gate), free_way(one, other, gate, room=(0.6, 1.4))
    assert thin is not None and len(thin) == 2
    assert wide is not None and len(wide) > 2


def test_lines_of_a_fan_do_not_cross(stage: Stage) -> None:
    source = Rectangle(width=2.5, height=1.5)
    ends = [Rectangle(width=1.2, height=1.2) for _ in range(3)]
    stage.fan(source, ends)
    links = fan(source, ends, ["#FFFFFF"] * 3)
    lines = [[(float(x), float(y)) for x, y, _ in link.line.get_anchors()] for link in links]
    for k, end in enumerate(ends):
        assert lines[k][-1][0] == pytest.approx(end.get_x()) and not any(crosses(lines[k], other) for other in ends)
    for one, other in product(range(3), repeat=2):
        if one < other:
            assert not _cross(lines[one], lines[other])


def _cross(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> bool:
    """Whether two lines of right angles meet."""
    for (a, b), (c, d) in product(pairwise(one), pairwise(other)):
        boxes = [(min(p[0], q[0]), min(p[1], q[1]), max(p[0], q[0]), max(p[1], q[1])) for p, q in ((a, b), (c, d))]
        first, second = boxes
        if first[0] <= second[2] and second[0] <= first[2] and first[1] <= second[3] and second[1] <= first[3]:
            return True
    return False
