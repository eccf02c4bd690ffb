"""Lines that are drawn, lights that run along them, and digits that travel."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from manim import RIGHT, UP, Line, Rectangle, ReplacementTransform, Square, Succession, VGroup, VMobject
from manim.constants import CapStyleType

from mathcore.example import WorkedExample
from scenes.kit.grid import Grid
from scenes.kit.motion import Carry, Draw, Pulse, become
from scenes.kit.text import Number, TextLine, box_around, provenance_of
from scenes.settings import Quality
from scripts.studio.stage import manim_configured

WEIGHTS = WorkedExample(("cat", "sat", "on"), d_model=4, n_heads=2).heads[0].weights


@pytest.fixture(autouse=True)
def configured(tmp_path: Path) -> Iterator[None]:
    with manim_configured(Quality("draft", 854, 480, 15), tmp_path):
        yield


def round_line(length: float, width: float) -> Line:
    line = Line((0, 0, 0), (length, 0, 0), stroke_width=width)
    line.set_cap_style(CapStyleType.ROUND)
    return line


@pytest.mark.parametrize(("length", "width"), [(2.0, 6.0), (0.03, 9.0)])
def test_a_drawn_line_has_round_ends_once_it_is_no_dot(length: float, width: float) -> None:
    line = round_line(length, width)
    draw = Draw(line, rate_func=lambda share: share)
    draw.begin()
    for share in np.linspace(0, 1, 101):
        draw.interpolate(float(share))
        seen = float(np.ptp(line.points[:, 0]))
        assert (line.cap_style == CapStyleType.ROUND) == (seen >= min(width / 100, length / 2))
    draw.finish()
    assert line.cap_style == CapStyleType.ROUND and np.allclose(line.points, round_line(length, width).points)


def test_a_light_runs_from_one_end_to_the_other_and_leaves_the_line_alone() -> None:
    line = round_line(4.0, 3.0)
    points = line.points.copy()
    middles = {}
    for back in (False, True):
        pulse = Pulse(line, "#FF0000", width=8, back=back, share=0.2, rate_func=lambda share: share)
        pulse.begin()
        places = []
        for share in (0.25, 0.5, 0.75):
            pulse.interpolate(share)
            places.append(float(pulse.mobject.get_x()))
        middles[back] = places
        light = pulse.mobject
        assert isinstance(light, VMobject) and light.get_stroke_width() == 8 and provenance_of(light) == ()
    assert middles[False] == sorted(middles[False]) == pytest.approx(middles[True][::-1])
    assert np.array_equal(line.points, points)


def carried(across_first: bool) -> tuple[Carry, Number, Grid]:
    grid = Grid(WEIGHTS.row(0), 2).move_to((4, -2, 0))
    source = Number(WEIGHTS.entry(0, 0), 34).move_to((0, 1, 0))
    target, cell = grid.numbers[0][0], grid.boxes[0][0]
    return Carry(source, target, cell, across_first=across_first, rate_func=lambda share: share), source, grid


def parts(carry: Carry) -> tuple[Rectangle, Number]:
    """The card that travels, and the digits on it."""
    card, digits = carry.mobject.get_family()[1:]
    assert isinstance(card, Rectangle) and isinstance(digits, Number)
    return card, digits


@pytest.mark.parametrize("across_first", [False, True])
def test_digits_travel_on_a_card_and_land_on_theirs(across_first: bool) -> None:
    carry, source, grid = carried(across_first)
    target, there = grid.numbers[0][0], grid.numbers[0][0].get_center()
    landed = target.points.copy()
    carry.begin()
    card, digits = parts(carry)
    assert all(len(part.points) == 0 for part in carry.mobject.get_family()), "before it sets out, nothing is seen"
    carry.interpolate(1e-9)
    assert digits.drawn_size == pytest.approx(source.drawn_size)
    assert np.allclose(digits.get_center(), source.get_center(), atol=1e-6)
    carry.interpolate(0.5)
    between = (source.get_center() + there) / 2
    assert np.allclose(digits.get_center(), [there[0], source.get_y(), 0] if across_first else between)
    assert card.get_fill_opacity() == 1 and card.width > digits.width
    assert provenance_of(digits) == provenance_of(target), "what is on its way is known to the ledger"
    left, bottom, right, top = box_around(digits)
    assert carry.room[0] <= left < right <= carry.room[2] and carry.room[1] <= bottom < top <= carry.room[3]
    carry.finish()
    assert np.allclose(digits.points, landed)
    assert provenance_of(target) and np.array_equal(target.points, landed), "the target itself has not moved"


def test_cards_of_a_column_that_becomes_a_row_do_not_touch() -> None:
    column = [Number(entry).move_to((0, -0.4 * k, 0)) for k, entry in enumerate(WEIGHTS.row(0).entries())]
    row = Grid(WEIGHTS.row(0), 2, cell=(0.8, 0.36)).move_to((1, -3, 0))
    carries = [
        Carry(source, number, box, across_first=True, rate_func=lambda share: share)
        for source, number, box in zip(column, row.numbers[0], row.boxes[0], strict=True)
    ]
    for carry in carries:
        carry.begin()
    for share in np.linspace(0.01, 1, 50):
        for carry in carries:
            carry.interpolate(float(share))
        cards = [parts(carry)[0] for carry in carries]
        for one, other in pairwise(cards):
            apart = np.abs(one.get_center() - other.get_center())
            assert apart[0] >= one.width - 1e-6 or apart[1] >= one.height - 1e-6


def test_what_says_the_same_moves_and_what_does_not_leaves_first() -> None:
    def card(text: str) -> VGroup:
        return VGroup(Square(), TextLine(text))

    assert isinstance(become(card("cat"), card("cat").shift(RIGHT)), ReplacementTransform)
    other = become(card("international"), card("intern…").shift(UP))
    assert isinstance(other, Succession)
    assert [type(step).__name__ for step in other.animations] == ["FadeOut", "FadeIn"]
