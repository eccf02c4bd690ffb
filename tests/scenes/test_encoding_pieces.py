"""The pieces of the lessons on positions stand where their values say."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mathcore.example import WorkedExample
from scenes.kit.clockwork import DialBank, Watch, projections
from scenes.kit.encoding import HungCards, PairCells, Seats, hung_rows
from scenes.kit.text import SMALLEST, TextLine, places_for
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


def test_the_dots_of_a_reader_stand_on_the_curves_and_name_what_they_show() -> None:
    drawn = plot()
    reader = Reader(drawn, targets=[(4.0, 0.0, 0.0)] * 8, bend=3.5).read(5, WAVES.table)
    for wave, dot, link in zip(drawn.waves, reader.dots, reader.links, strict=True):
        assert np.allclose(dot.get_center(), wave.at(5), atol=1e-9)
        assert dot.ties[0].entry.value == WAVES.table.values[5, wave.feature]
        assert np.allclose(link.get_end(), [4.0, 0.0, 0.0])


def test_one_wavelength_ends_where_the_wave_is_back() -> None:
    drawn = plot()
    length = WAVES.wavelengths.values[0]
    turn = drawn.turn(0, length)
    assert turn[0].width == pytest.approx(length * 0.4)
    assert drawn.waves[0].at(length)[1] == pytest.approx(drawn.waves[0].at(0)[1], abs=2e-3)


def test_cells_change_in_place() -> None:
    cells = PairCells(WAVES.table.row(0), 1.0, 0.4, pitches=(0.5, 0.5), upright=True)
    centres = [number.get_center() for number in cells.numbers]
    cells.read(WAVES.table.row(3))
    assert [number.text for number in cells.numbers] == [entry.text(2) for entry in WAVES.table.row(3).entries()]
    assert np.allclose([number.get_center() for number in cells.numbers], centres)


def test_the_tip_of_a_hand_is_sine_and_cosine() -> None:
    bank = DialBank(CLOCK.degrees_per_token, CLOCK.angles, (-3.0, -1.0, 1.0, 3.0), 1.0, 0.8).turn_to(4)
    for i, dial in enumerate(bank.dials):
        tip = (dial.hand.tip.get_center() - dial.centre)[:2] / (0.8 * 0.82)
        assert np.allclose(tip, CLOCK.table.values[4, 2 * i : 2 * i + 2], atol=1e-6)
        assert dial.hand.ties[0].entry.value == CLOCK.angles.values[4, i]
        cells = PairCells(CLOCK.table.row(4), 0.9, 0.4, pitches=(1.0, 1.0)).shift((0, -1, 0))
        parts = projections(dial, CLOCK.table.row(4), i, cells.boxes[2 * i : 2 * i + 2], 0.0)
        for (bar, line), feature in zip(parts, (2 * i, 2 * i + 1), strict=True):
            assert bar.get_length() / (0.8 * 0.82) == pytest.approx(abs(CLOCK.table.values[4, feature]), abs=1e-6)
            assert line.get_end()[1] == pytest.approx(cells.boxes[feature].get_top()[1])


def test_between_whole_positions_a_hand_is_tied_to_nothing_new() -> None:
    bank = DialBank(CLOCK.degrees_per_token, CLOCK.angles, (0.0,) * 4, 0.0, 1.0).turn_to(2).turn_to(2.5)
    assert bank.dials[0].degrees == pytest.approx(2.5 * CLOCK.degrees_per_token.values[0])
    assert bank.dials[0].hand.ties[0].entry.index == (2, 0)


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


@pytest.mark.parametrize(("hand", "places"), [(0, 2), (1, 2), (2, 3), (3, 4)])
def test_small_angles_get_more_decimals(hand: int, places: int) -> None:
    assert places_for(CLOCK.degrees_per_token.entry(hand)) == places
