"""The pieces of the lessons on positions stand where their values say."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from mathcore.example import WorkedExample
from mathcore.named import NamedArray
from scenes.formats import FORMATS, use_format
from scenes.kit.clockwork import Comparison, DialBank, Radian, Reading, Watch
from scenes.kit.encoding import (
    Definition,
    HungCards,
    PairCells,
    Seats,
    hung_rows,
    moment,
    place_at,
    power,
    row_at,
)
from scenes.kit.layout import Stage, grid
from scenes.kit.text import SMALLEST, Rolling, TextLine, box_around, provenance_of
from scenes.kit.values import formatted, places_for, whole_or_two
from scenes.kit.waveplot import WavePlot
from scenes.settings import Quality
from scripts.studio.stage import manim_configured

EXAMPLE = WorkedExample(("The", "tired", "cat", "sat"), d_model=8, n_heads=4)
WAVES, CLOCK = EXAMPLE.waves, EXAMPLE.clock


@pytest.fixture(autouse=True)
def configured(tmp_path: Path) -> Iterator[None]:
    with manim_configured(Quality("draft", 854, 480, 15), tmp_path):
        yield


@pytest.fixture(params=list(FORMATS))
def plot(request: pytest.FixtureRequest) -> Iterator[WavePlot]:
    with use_format(request.param) as shape:
        yield WavePlot(WAVES, EXAMPLE.words, shape.stage)


def test_a_plot_fits_its_room_and_lanes_stand_apart(plot: WavePlot) -> None:
    for shown in (plot.with_words, lambda pair: plot.drawn_back(pair, pair)):
        slots = [shown(pair).slot for pair in range(4)]
        assert slots[0].top < plot.room.top and slots[-1].bottom > plot.room.bottom - 1e-9
        assert all(one.bottom > other.top for one, other in pairwise(slots))
    hung = plot.hung
    assert hung.get_bottom()[1] > plot.room.bottom - 1e-9
    assert (
        hung.get_left()[0] > plot.room.left and plot.cells(WAVES.table.row(0)).get_right()[0] < plot.room.right + 0.03
    )


def test_a_curve_runs_through_its_samples_and_is_tied_to_whole_positions(plot: WavePlot) -> None:
    for lane in plot.lanes:
        for wave in lane.waves:
            for position in (0, 7, 20):
                value, x = WAVES.table.values[position, wave.feature], lane.view.x(position)
                assert np.allclose(wave.at(x), [x, wave.zero + wave.unit * value, 0], atol=1e-3)
                mark = wave.mark_of(position)
                assert (mark.x, mark.zero, mark.unit) == pytest.approx((x, wave.zero, wave.unit))
            tied = [tie.entry.value for tie in wave.provenance]
            assert tied == pytest.approx(WAVES.table.values[:, wave.feature], abs=1e-12)


def test_drawn_back_every_lane_looks_like_the_first_and_names_its_own_values(plot: WavePlot) -> None:
    for pair, lane in enumerate(plot.lanes):
        lane.lay(plot.drawn_back(pair, pair))
        for one, other in zip(plot.lanes[0].waves, lane.waves, strict=True):
            for share in (0.1, 0.5, 0.9):
                x = lane.view.slot.left + share * lane.view.slot.width
                assert one.at(x)[1] - one.zero == pytest.approx(other.at(x)[1] - other.zero, abs=2e-3)
            assert {tie.entry.path for tie in other.provenance} == {"waves.drawn_back.samples"}
            assert other.provenance[1].entry.value == pytest.approx(WAVES.table.values[1, one.feature], abs=1e-9)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_on_the_way_between_two_views_a_curve_is_that_of_its_window(plot: WavePlot, share: float) -> None:
    lane = plot.lanes[3]
    near, far = plot.drawn_back(3, 0), plot.drawn_back(3, 3)
    view = near.towards(far, share)
    # Each step back is by the same factor.
    assert view.stop == pytest.approx(20 * 1000**share)
    lane.lay(view, tied=False)
    for wave, value in zip(lane.waves, (np.sin(view.stop / 2000), np.cos(view.stop / 2000)), strict=True):
        middle = (view.slot.left + view.slot.right) / 2
        assert wave.at(middle)[1] == pytest.approx(wave.zero + wave.unit * value, abs=2e-3)
        assert wave.provenance == ()


@pytest.mark.parametrize("position", [0, 5, 5.5, 19.98])
def test_the_dots_of_a_reader_stand_on_the_curves_and_name_what_they_show(plot: WavePlot, position: float) -> None:
    reader = plot.reader().read(position)
    assert reader.drawn_at() == pytest.approx(position)
    waves = [wave for lane in plot.lanes for wave in lane.waves]
    for wave, dot in zip(waves, reader.dots, strict=True):
        angle = position / 10000 ** (wave.feature // 2 * 2 / 8)
        value = np.cos(angle) if wave.feature % 2 else np.sin(angle)
        # The curve between two samples is a straight line.
        assert np.allclose(dot.get_center(), wave.at(plot.lanes[0].view.x(position)), atol=1e-3)
        assert dot.drawn_at() == pytest.approx(value, abs=1e-9) == dot.provenance[0].entry.value


def test_a_far_position_is_read_where_it_lies_in_each_window(plot: WavePlot) -> None:
    far = WAVES.distant
    for pair, lane in enumerate(plot.lanes):
        lane.lay(plot.around(far, pair))
    reader = plot.reader(far)
    assert reader.drawn_at() == pytest.approx(2754)
    for pair, lane in enumerate(plot.lanes):
        for wave, dot in zip(lane.waves, reader.dots[2 * pair : 2 * pair + 2], strict=True):
            assert np.allclose(dot.get_center(), wave.at(lane.view.x(2754)), atol=2e-3)
            assert dot.provenance[0].entry == far.row.entry(wave.feature)
    # The frame of a window lies in the next lane where the window's positions do.
    frame, lane = plot.zoom(0), plot.lanes[1]
    low = frame.points[np.isclose(frame.points[:, 1], lane.view.slot.bottom)]
    assert sorted({round(float(x), 6) for x in low[:, 0]})[0] == pytest.approx(lane.view.x(2740), abs=1e-5)
    assert low[:, 0].max() == pytest.approx(lane.view.x(2760))


def test_a_reader_has_a_ring_around_a_number_and_none_where_none_stands(plot: WavePlot) -> None:
    reader = plot.reader()
    for position in (0, 0.5, 1, 1.98, 2):
        ring = reader.read(position).ring
        assert float(ring.get_stroke_opacity()) == (position in plot.numbers)
        if position in plot.numbers:
            assert np.allclose(ring.get_center(), plot.numbers[int(position)].get_center())
    every = sorted(plot.numbers)
    assert every == list(range(0, 21, every[1])) and every[1] in (1, 2)


def test_what_glides_stops_where_the_worked_example_has_values() -> None:
    assert [moment(position) for position in (0, 2.994, 3.009, 3.011, 20)] == [0, 3.0, 3.0, 3.02, 20]
    whole, between = row_at(3, WAVES.table, WAVES.between), row_at(2.98, WAVES.table, WAVES.between)
    assert (whole.entry(0).address, between.entry(0).address) == ("waves.table[3, 0]", "waves.between[149, 0]")
    assert between.entry(0).value == pytest.approx(np.sin(2.98))
    assert [place_at(p, WAVES.positions, WAVES.moments).text() for p in (3, 2.98)] == ["3", "2.98"]


def test_what_is_shaded_is_one_wave_long(plot: WavePlot) -> None:
    lane, length = plot.lanes[0], WAVES.wavelengths.values[0]
    lane.shade(length)
    assert lane.turn.get_left()[0] == pytest.approx(lane.view.x(0))
    assert lane.turn.get_right()[0] == pytest.approx(lane.view.x(length))
    assert lane.waves[0].at(lane.view.x(length))[1] == pytest.approx(lane.waves[0].zero, abs=2e-3)


def test_a_scale_names_the_extremes_of_its_waves(plot: WavePlot) -> None:
    lane = plot.lanes[0]
    lane.lay(plot.magnified(0))
    marks = plot.scale(lane)
    assert [mark.text for mark in marks] == ["1", "0", "\N{MINUS SIGN}1"]
    heights = [(mark.get_y() - lane.waves[0].zero) / lane.waves[0].unit for mark in marks]
    assert heights == pytest.approx([1, 0, -1], abs=1e-3)


def test_a_fork_leads_to_the_cells_with_the_marks_of_their_waves(plot: WavePlot) -> None:
    cells = plot.cells(WAVES.table.row(0))
    for pair, lane in enumerate(plot.lanes):
        boxes = cells.boxes[2 * pair : 2 * pair + 2]
        assert (boxes[0].get_y() + boxes[1].get_y()) / 2 == pytest.approx(lane.view.slot.centre[1])
        sine, cosine = plot.fork(pair, boxes)[1::2]
        assert [sine.get_y(), cosine.get_y()] == pytest.approx([box.get_y() for box in boxes])
        assert sine.get_fill_color() == sine.get_stroke_color() != cosine.get_fill_color()


def test_a_power_says_by_how_much_more_a_pair_divides() -> None:
    here = power(EXAMPLE.constants, EXAMPLE.sizes.d_model, CLOCK.ratio)
    there = power(EXAMPLE.constants, EXAMPLE.head_parameters.d_model, WAVES.paper_ratio)
    for written, digits, ratio in ((here, "8", "10"), (there, "512", "1.04")):
        texts = [tie.text for part in written.get_family() for tie in provenance_of(part)]
        assert texts == ["10000", "2", digits, ratio]


def test_pos_stands_below_pos_and_equals_below_equals() -> None:
    rules = Definition(EXAMPLE.constants).rules
    for key in ("posA", "iA", "eq"):
        upper, lower = (rule.select(key).get_x() for rule in rules)
        assert upper == pytest.approx(lower, abs=0.01), key


def test_cells_change_in_place() -> None:
    cells = PairCells(WAVES.table.row(0), 1.0, 0.4, pitches=(0.5, 0.5), upright=True)
    centres = [number.get_center() for number in cells.numbers]
    cells.read(WAVES.table.row(3))
    assert [number.text for number in cells.numbers] == [entry.text(2) for entry in WAVES.table.row(3).entries()]
    assert np.allclose([number.get_center() for number in cells.numbers], centres)


@pytest.fixture(params=list(FORMATS))
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    with use_format(request.param) as shape:
        yield Stage.of(shape.stage)


def bank() -> DialBank:
    return DialBank(CLOCK.angles, CLOCK.between)


def test_the_tip_of_a_hand_is_sine_and_cosine(stage: Stage) -> None:
    dials, row = bank().turn_to(4).dials, CLOCK.table.row(4)
    cells, readings = PairCells(row), []
    for i, dial in enumerate(dials):
        two = slice(2 * i, 2 * i + 2)
        names = [TextLine("sin", SMALLEST), TextLine("cos", SMALLEST)]
        readings.append(Reading(dial, row, i, cells.boxes[two], cells.numbers[two], names))
    stage.place(grid(*readings))
    for i, (dial, reading) in enumerate(zip(dials, readings, strict=True)):
        tip = (dial.hand.tip.get_center() - dial.centre)[:2] / (dial.radius * 0.82)
        assert np.allclose(tip, CLOCK.table.values[4, 2 * i : 2 * i + 2], atol=1e-6)
        assert dial.hand.provenance[0].entry.value == CLOCK.angles.values[4, i]
        for axis, feature in ((0, 2 * i), (1, 2 * i + 1)):
            bar = reading.bars[axis]
            measured = (bar.get_end() - bar.get_start())[axis] / (dial.radius * 0.82)
            assert measured == pytest.approx(CLOCK.table.values[4, feature], abs=1e-6)
            assert provenance_of(bar)[0].entry.value == CLOCK.table.values[4, feature]
            # What is read lies straight below the tip, or straight beside it.
            assert reading.dots[axis].get_center()[axis] == pytest.approx(dial.hand.tip.get_center()[axis])
            # And a line leads to its cell.
            assert reading.links[axis].get_end()[1] == pytest.approx(cells.boxes[feature].get_y())


def test_dials_are_as_large_as_there_is_room_for_and_keep_their_angles(stage: Stage) -> None:
    dials = bank().turn_to(2).dials
    stage.place(grid(*dials))
    large = dials[0].radius
    stage.rows(1, 3)[0].place(grid(*dials))
    assert dials[0].radius < large
    for i, dial in enumerate(dials):
        degrees = np.degrees(2 / 10000 ** (2 * i / 8))
        assert dial.drawn_at() == pytest.approx(degrees)
        assert dial.hand.provenance[0].entry == CLOCK.angles.entry(2, i)
        assert np.linalg.norm(dial.hand.tip.get_center() - dial.centre) == pytest.approx(0.82 * dial.radius)
    for one, other in pairwise(dials):
        assert np.linalg.norm(one.centre - other.centre) > 2 * one.radius


def test_a_radian_is_bent_without_being_stretched() -> None:
    dial = bank().dials[0]
    dial.resize(1.3).move_to((1, 2, 0))
    radian, length = Radian(dial), dial.hand.length
    for share in (0.0, 0.5, 1.0):
        points = radian.bend(share).get_anchors()
        along = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
        assert along == pytest.approx(length, rel=1e-3)
    # On the circle of the hand's tip, from twelve to where one step takes the fastest hand.
    assert np.allclose(np.linalg.norm(points - dial.centre, axis=1), length, atol=1e-6)
    assert np.allclose(points[-1], dial.tip_at(CLOCK.degrees_per_token.values[0]), atol=1e-6)


def test_a_run_says_where_it_is_by_the_hand_that_comes_round() -> None:
    hands, said = bank(), Rolling("", CLOCK.run_positions.entry(-1, -1), "")
    for stage in range(3):
        run = hands.run(CLOCK.run_positions.row(stage), CLOCK.run_angles.row(stage), stage + 1, said)
        for share in (0.0, 0.37, 1.0):
            run.update_function(run.mobject, share)
            entry = said.provenance[0].entry
            assert hands.reached(stage + 1) == pytest.approx(entry.value)
            assert hands.dials[0].degrees == pytest.approx(np.degrees(entry.value))


def test_a_hand_is_tied_to_its_angle_wherever_it_stands() -> None:
    hands = bank().turn_to(2).turn_to(2.503)
    assert hands.position == 2.5
    for i, dial in enumerate(hands.dials):
        angle = np.degrees(2.5 / 10000 ** (2 * i / 8))
        assert dial.degrees == pytest.approx(angle) == hands.degrees(i, 2.5)
        assert dial.drawn_at() == pytest.approx((angle + 180) % 360 - 180)
        assert (dial.hand.provenance[0].entry.path, dial.hand.provenance[0].entry.index) == ("clock.between", (125, i))
    assert hands.dials[0].turn_to(90).hand.provenance == ()


def test_the_dials_of_a_watch_show_its_hands_and_owe_nothing_to_a_position() -> None:
    hands = bank().set_to(Watch.degrees(10 * 3600 + 10 * 60 + 20))
    assert [dial.degrees for dial in hands.dials] == pytest.approx([120, 62, 305 + 1 / 6, 0])
    assert all(dial.hand.provenance == () for dial in hands.dials)
    home = hands.home()
    home.update_function(home.mobject, 0.5)
    assert [dial.degrees for dial in hands.dials] == pytest.approx([240, 211, 332 + 7 / 12, 0])
    assert provenance_of(hands.dials[0].hand) == ()
    home.update_function(home.mobject, 1)
    assert [dial.drawn_at() for dial in hands.dials] == pytest.approx([0] * 4) and hands.position == 0
    assert provenance_of(hands.dials[0].hand)[0].entry == CLOCK.angles.entry(0, 0)


def test_a_trail_winds_once_a_turn_and_is_cleared() -> None:
    hands = bank().turn_to(7)
    hands.wind()
    dial = hands.dials[0]
    trail = dial.swept[0]
    ends = [np.linalg.norm(point - dial.centre) for point in (trail.get_start(), trail.get_end())]
    assert (ends[1] - ends[0]) / 0.15 == pytest.approx(CLOCK.angles.values[7, 0] / 360, abs=1e-3)
    assert provenance_of(trail)[0].entry.value == CLOCK.angles.values[7, 0]
    hands.clear()
    assert not len(trail.points) and provenance_of(trail) == ()


def test_compared_hands_stand_at_both_positions(stage: Stage) -> None:
    panels = []
    for case, angles in enumerate(CLOCK.unique_angles):
        pair, distance = CLOCK.unique_pairs.row(case), formatted(CLOCK.unique_distances[case], 5)
        panels.append(Comparison(TextLine("hands"), angles, pair, distance, TextLine("distance")))
    stage.along(*panels)
    for panel, angles in zip(panels, CLOCK.unique_angles, strict=True):
        for i, (dial, other) in enumerate(zip(panel.box.dials, panel.box.others(), strict=True)):
            for hand, end in ((dial.hand, 0), (other, 1)):
                degrees = np.radians(angles.values[end, i])
                way = (hand.tip.get_center() - dial.centre)[:2] / hand.length
                assert np.allclose(way, [np.sin(degrees), np.cos(degrees)], atol=1e-6)
                assert hand.provenance[0].entry == angles.entry(end, i)
        for one, next_one in pairwise(panel.box.dials):
            assert np.linalg.norm(one.centre - next_one.centre) > 2.1 * one.radius
        sheet = box_around(panel.sheet)
        for part in (*panel.box.dials, panel.facts):
            left, bottom, right, top = box_around(part)
            assert sheet[0] < left and sheet[1] < bottom and right < sheet[2] and top < sheet[3]


def test_a_watch_keeps_time() -> None:
    watch = Watch(("#FFFFFF",) * 3).show_time(3 * 3600 + 15 * 60 + 30)
    ways = [hand.points[np.argmax(np.linalg.norm(hand.points, axis=1))] for hand in watch.hands]
    degrees = [float(np.degrees(np.arctan2(way[0], way[1])) % 360) for way in ways]
    assert degrees == pytest.approx([180, 93, 97.75], abs=4)


def test_hung_cards_of_one_row_never_touch() -> None:
    for words in (("a", "b", "c", "d"), ("The", "tired", "cat", "sat"), ("Extraordinarily", "conscientious") * 6):
        marks = [(0.4 * i, 0.0, 0.0) for i in range(len(words))]
        rows = hung_rows(words, 0.4)
        hung = HungCards(words, marks, rows=rows)
        for i, card in enumerate(hung.cards):
            assert card.get_x() == pytest.approx(marks[i][0], abs=1e-6)
            text = card[1]
            assert isinstance(text, TextLine) and text.drawn_size >= SMALLEST * 0.99
            if i + rows < len(words):
                assert card.get_right()[0] < hung.cards[i + rows].get_left()[0]


@pytest.mark.parametrize("words", [EXAMPLE.words, ("Extraordinarily", "conscientious") * 6, ("one",)])
def test_the_ring_goes_from_seat_to_seat(stage: Stage, words: tuple[str, ...]) -> None:
    example = WorkedExample(words, d_model=8, n_heads=1)
    seats = Seats(words, example.sizes.word_places, stage.width)
    assert seats.width <= stage.width
    for seat, card in enumerate(seats.cards):
        seats.ride(seat)
        assert np.allclose(seats.ring.get_center(), card.get_center())
        assert seats.ridden() == pytest.approx(seat)
    if len(words) > 1:
        seats.ride(len(words) - 1.75)
        assert seats.ridden() == pytest.approx(len(words) - 1.75)


def test_on_a_phone_words_stand_whole_in_as_many_rows_as_that_takes() -> None:
    words = ("The", "tired", "cat", "sat", "on", "the", "warm", "mat")
    for shape, rows in (("landscape", 1), ("phone", 2)):
        with use_format(shape) as made:
            seats = Seats(words, WorkedExample(words).sizes.word_places, made.stage.width)
            assert len({round(float(card.get_y()), 3) for card in seats.cards}) == rows
            texts = {part.text for part in seats.get_family() if isinstance(part, TextLine)}
            assert set(words) <= texts


@pytest.mark.parametrize(
    ("values", "places"),
    [([57.3, 0.0573], 2), ([0.65, 0.00006], 5), ([0.001, -12.0], 3), ([0.0, 1e-9], 6), ([0.0], 2)],
)
def test_a_table_has_the_decimals_that_its_smallest_number_needs(values: list[float], places: int) -> None:
    assert places_for(NamedArray(values, "table", ("case",))) == places


@pytest.mark.parametrize(("values", "texts"), [([1.0, 10.0 + 1e-12], ["1", "10"]), ([1.0, 21.544], ["1.00", "21.54"])])
def test_divisors_are_shown_whole_or_with_two_decimals_all_of_them(values: list[float], texts: list[str]) -> None:
    named = NamedArray(values, "divisors", ("pair",))
    assert [whole_or_two(named, i).text for i in range(2)] == texts
