"""The pieces of the lessons on positions stand where their values say."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mathcore.example import WorkedExample
from mathcore.named import NamedArray
from scenes.kit.clockwork import Comparison, DialBank, Reading, Watch
from scenes.kit.encoding import Definition, HungCards, PairCells, Seats, hung_rows, moment, place_at, row_at
from scenes.kit.text import SMALLEST, TextLine, ties_of
from scenes.kit.values import formatted, places_for, whole_or_two
from scenes.kit.waveplot import Reader, WavePlot
from scenes.settings import Quality
from scripts.studio.stage import manim_configured

EXAMPLE = WorkedExample(("The", "tired", "cat", "sat"), d_model=8, n_heads=4)
WAVES, CLOCK = EXAMPLE.waves, EXAMPLE.clock


@pytest.fixture(autouse=True)
def configured(tmp_path: Path) -> Iterator[None]:
    with manim_configured(Quality("draft", 854, 480, 15), tmp_path):
        yield


def plot() -> WavePlot:
    return WavePlot(WAVES.samples, WAVES.times, WAVES.positions, left=-5.0, step=0.4, top=2.0, bottom=-2.0)


def test_a_curve_runs_through_its_samples_and_is_tied_to_whole_positions() -> None:
    drawn = plot()
    for wave in drawn.waves:
        middle, height = drawn.y(wave.feature // 2), 0.41 * drawn.lane_height
        for position in (0, 7, 20):
            value = WAVES.table.values[position, wave.feature]
            assert np.allclose(wave.at(position), [drawn.x(position), middle + height * value, 0], atol=1e-12)
        assert [tie.entry.value for tie in wave.ties] == pytest.approx(WAVES.table.values[:, wave.feature], abs=1e-12)


@pytest.mark.parametrize("position", [0, 5, 5.5, 19.98])
def test_the_dots_of_a_reader_stand_on_the_curves_and_name_what_they_show(position: float) -> None:
    drawn = plot()
    reader = Reader(drawn, WAVES.table, WAVES.between).read(position)
    assert reader.drawn_at() == pytest.approx(position)
    for wave, dot in zip(drawn.waves, reader.dots, strict=True):
        angle = position / 10000 ** (wave.feature // 2 * 2 / 8)
        value = np.cos(angle) if wave.feature % 2 else np.sin(angle)
        # The curve between two samples is a straight line.
        assert np.allclose(dot.get_center(), wave.at(position), atol=2e-4)
        assert dot.drawn_at() == pytest.approx(value, abs=1e-9) == dot.ties[0].entry.value


def test_a_reader_has_a_ring_around_a_number_and_none_between_two() -> None:
    reader = Reader(plot(), WAVES.table, WAVES.between)
    shown = [float(reader.read(position).ring.get_stroke_opacity()) for position in (0, 0.5, 1, 1.98, 2)]
    assert shown == [1, 0, 1, 0, 1]


def test_what_glides_stops_where_the_worked_example_has_values() -> None:
    assert [moment(position) for position in (0, 2.994, 3.009, 3.011, 20)] == [0, 3.0, 3.0, 3.02, 20]
    whole, between = row_at(3, WAVES.table, WAVES.between), row_at(2.98, WAVES.table, WAVES.between)
    assert (whole.entry(0).address, between.entry(0).address) == ("waves.table[3, 0]", "waves.between[149, 0]")
    assert between.entry(0).value == pytest.approx(np.sin(2.98))
    assert [place_at(p, WAVES.positions, WAVES.moments).text() for p in (3, 2.98)] == ["3", "2.98"]


def test_one_wavelength_ends_where_the_wave_is_back() -> None:
    drawn = plot()
    length = WAVES.wavelengths.values[0]
    turn = drawn.turn(0, length)
    assert turn.width == pytest.approx(length * 0.4)
    assert drawn.measure(0, length, 2.2).get_right()[0] == pytest.approx(drawn.x(length))
    assert drawn.waves[0].at(length)[1] == pytest.approx(drawn.waves[0].at(0)[1], abs=2e-3)


def test_a_wave_too_long_for_its_lane_goes_on_beyond_it() -> None:
    drawn = plot()
    length = WAVES.wavelengths.values[2]
    assert drawn.turn(2, length).get_right()[0] == pytest.approx(drawn.right)
    assert drawn.measure(2, length, 2.2).get_left()[0] > drawn.right


def test_a_scale_names_the_extremes_of_its_waves() -> None:
    drawn = plot()
    marks = drawn.scale(*drawn.waves[:2])
    assert [mark.text for mark in marks] == ["1", "0", "\N{MINUS SIGN}1"]
    heights = [(mark.get_y() - drawn.y(0)) / (0.41 * drawn.lane_height) for mark in marks]
    assert heights == pytest.approx([1, 0, -1], abs=1e-3)


def test_a_fork_leads_to_the_cells_with_the_marks_of_their_waves() -> None:
    drawn = plot()
    cells = PairCells(WAVES.table.row(0), 0.9, 0.4, pitches=(0.45, 0.55), upright=True).move_to((4.5, 0, 0))
    for pair in range(4):
        boxes = cells.boxes[2 * pair : 2 * pair + 2]
        sine, cosine = drawn.fork(pair, boxes)[1::2]
        assert [sine.get_y(), cosine.get_y()] == pytest.approx([box.get_y() for box in boxes])
        assert sine.get_fill_color() == sine.get_stroke_color() != cosine.get_fill_color()


def test_pos_stands_below_pos_and_equals_below_equals() -> None:
    rules = Definition(64, EXAMPLE.constants).rules
    for key in ("posA", "iA", "eq"):
        upper, lower = (rule.select(key).get_x() for rule in rules)
        assert upper == pytest.approx(lower, abs=0.01), key


def test_cells_change_in_place() -> None:
    cells = PairCells(WAVES.table.row(0), 1.0, 0.4, pitches=(0.5, 0.5), upright=True)
    centres = [number.get_center() for number in cells.numbers]
    cells.read(WAVES.table.row(3))
    assert [number.text for number in cells.numbers] == [entry.text(2) for entry in WAVES.table.row(3).entries()]
    assert np.allclose([number.get_center() for number in cells.numbers], centres)


def test_the_tip_of_a_hand_is_sine_and_cosine() -> None:
    bank = DialBank(CLOCK.angles, CLOCK.between, (-3.0, -1.0, 1.0, 3.0), 1.0, 0.8).turn_to(4)
    for i, dial in enumerate(bank.dials):
        tip = (dial.hand.tip.get_center() - dial.centre)[:2] / (0.8 * 0.82)
        assert np.allclose(tip, CLOCK.table.values[4, 2 * i : 2 * i + 2], atol=1e-6)
        assert dial.hand.ties[0].entry.value == CLOCK.angles.values[4, i]
        reading = Reading(dial, CLOCK.table.row(4), i)
        ways = ((0, reading.bars[0]), (1, reading.bars[1]))
        for (axis, bar), feature in zip(ways, (2 * i, 2 * i + 1), strict=True):
            measured = (bar.get_end() - bar.get_start())[axis] / (0.8 * 0.82)
            assert measured == pytest.approx(CLOCK.table.values[4, feature], abs=1e-6)
            assert ties_of(bar)[0].entry.value == CLOCK.table.values[4, feature]
            # What is read lies straight below the tip, or straight beside it.
            assert reading.dots[axis].get_center()[axis] == pytest.approx(dial.hand.tip.get_center()[axis])


def test_a_hand_is_tied_to_its_angle_wherever_it_stands() -> None:
    bank = DialBank(CLOCK.angles, CLOCK.between, (0.0,) * 4, 0.0, 1.0).turn_to(2).turn_to(2.503)
    assert bank.position == 2.5
    for i, dial in enumerate(bank.dials):
        angle = np.degrees(2.5 / 10000 ** (2 * i / 8))
        assert dial.degrees == pytest.approx(angle) == bank.degrees(i, 2.5)
        assert dial.drawn_at() == pytest.approx((angle + 180) % 360 - 180)
        assert (dial.hand.ties[0].entry.path, dial.hand.ties[0].entry.index) == ("clock.between", (125, i))
    assert bank.dials[0].turn_to(90).hand.ties == ()


def test_the_dials_of_a_watch_show_its_hands_and_owe_nothing_to_a_position() -> None:
    bank = DialBank(CLOCK.angles, CLOCK.between, (-3.0, -1.0, 1.0, 3.0), 0.0, 1.0)
    bank.set_to(Watch.degrees(10 * 3600 + 10 * 60 + 20))
    assert [dial.degrees for dial in bank.dials] == pytest.approx([120, 62, 305 + 1 / 6, 0])
    assert all(dial.hand.ties == () for dial in bank.dials)
    start = [dial.degrees for dial in bank.dials]
    assert [dial.degrees % 360 for dial in bank.to_twelve(1, start).dials] == pytest.approx([0] * 4)


def test_a_trail_winds_once_a_turn_and_is_cleared() -> None:
    bank = DialBank(CLOCK.angles, CLOCK.between, (-3.0, -1.0, 1.0, 3.0), 0.0, 1.0).turn_to(7)
    bank.wind()
    dial = bank.dials[0]
    trail = dial.swept[0]
    ends = [np.linalg.norm(point - dial.centre) for point in (trail.get_start(), trail.get_end())]
    assert (ends[1] - ends[0]) / 0.15 == pytest.approx(CLOCK.angles.values[7, 0] / 360, abs=1e-3)
    assert ties_of(trail)[0].entry.value == CLOCK.angles.values[7, 0]
    bank.clear()
    assert not len(trail.points) and ties_of(trail) == ()


def test_compared_hands_stand_at_both_positions() -> None:
    for case, angles in enumerate(CLOCK.unique_angles):
        pair, distance = CLOCK.unique_pairs.row(case), formatted(CLOCK.unique_distances[case], 5)
        panel = Comparison(0.0, TextLine("hands"), angles, pair, distance, TextLine("distance"))
        for i, (dial, other) in enumerate(zip(panel.dials, panel.others, strict=True)):
            for hand, end in ((dial.hand, 0), (other, 1)):
                degrees = np.radians(angles.values[end, i])
                way = (hand.tip.get_center() - dial.centre)[:2] / hand.length
                assert np.allclose(way, [np.sin(degrees), np.cos(degrees)], atol=1e-6)
        for one, next_one in zip(panel.dials, panel.dials[1:], strict=False):
            assert np.linalg.norm(one.centre - next_one.centre) > 2.1 * one.radius


def test_a_watch_keeps_time() -> None:
    watch = Watch(1.0, ("#FFFFFF",) * 3).show_time(3 * 3600 + 15 * 60 + 30)
    ways = [hand.points[np.argmax(np.linalg.norm(hand.points, axis=1))] for hand in watch.hands]
    degrees = [float(np.degrees(np.arctan2(way[0], way[1])) % 360) for way in ways]
    assert degrees == pytest.approx([180, 93, 97.75], abs=4)


def test_hung_cards_of_one_row_never_touch() -> None:
    for words in (("a", "b", "c", "d"), ("The", "tired", "cat", "sat"), ("Extraordinarily", "conscientious") * 6):
        marks = [(0.4 * i, 0.0, 0.0) for i in range(len(words))]
        hung, rows = HungCards(words, marks), hung_rows(words, 0.4)
        for i, card in enumerate(hung.cards):
            assert card.get_x() == pytest.approx(marks[i][0], abs=1e-6)
            text = card[1]
            assert isinstance(text, TextLine) and text.drawn_size >= SMALLEST * 0.99
            if i + rows < len(words):
                assert card.get_right()[0] < hung.cards[i + rows].get_left()[0]


def test_the_ring_goes_from_seat_to_seat() -> None:
    seats = Seats(EXAMPLE.words, EXAMPLE.sizes.word_places, 12.0, -2.0)
    for seat, card in enumerate(seats.row.cards):
        seats.ride(seat)
        assert seats.ring.get_x() == pytest.approx(card.get_x())
    seats.ride(1.25)
    assert seats.ridden() == pytest.approx(1.25)


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
