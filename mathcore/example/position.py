"""Chapter 3, position: the encoding as waves and as the hands of clocks."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mathcore.encoding import LaneTrace, lanes
from mathcore.experiments import PAPER_D_MODEL
from mathcore.named import NamedArray, located
from mathcore.numerics import first_largest
from mathcore.position import (
    BASE,
    COSINE,
    PAIR,
    angular_frequencies,
    closest_pair,
    shift_matrix,
    sinusoidal,
    sinusoidal_at,
    wavelengths,
)
from mathcore.rounding import significant

# The positions that the waves and the clock walk through, and how finely their curves are sampled.
LAST_POSITION = 20
SAMPLES_PER_POSITION = 20
# Steps of what moves from one position to another: two decimals say exactly where it is.
MOMENTS_PER_POSITION = 50
# The offset shown by the clock, from two different starting positions.
SHIFT = 3
SHIFT_STARTS = (1, 6)
# A position far beyond every sentence. At every width, the sine and the cosine of each pair are far apart there, so
# that their marks can be told apart.
DISTANT = 2754
# How many positions of the clock's run are shown, from a word to where the next slower hand has come as far.
RUN_MOMENTS = 101
# The clock's uniqueness table: this many positions, and these numbers of hands.
UNIQUE_POSITIONS = 1000
UNIQUE_HANDS = (1, 2, 4)


@dataclass(frozen=True)
class WaveTrace:
    """The encoding as waves: `samples` (t, d_model) at real-valued `times`, `table` at whole positions.

    `between` (moment, d_model) are the values at `moments`, positions in steps of 1 / MOMENTS_PER_POSITION.
    `paper_ratio` is by how much more a pair divides than the one before it at the width of the 2017 paper.
    `drawn_back` are the waves of each pair over so many positions that they bend, `distant` those around a position
    far away.
    """

    positions: NamedArray
    times: NamedArray
    samples: NamedArray
    table: NamedArray
    moments: NamedArray
    between: NamedArray
    pairs: NamedArray
    wavelengths: NamedArray
    divisors: NamedArray
    paper_ratio: NamedArray
    telling: NamedArray
    drawn_back: LaneTrace
    distant: LaneTrace


@dataclass(frozen=True)
class Constants:
    """The digits of the encoding's formulas, 10000^(2i / d_model) and 2 pi, each a named scalar."""

    base: NamedArray
    pair_size: NamedArray
    second: NamedArray
    circle: NamedArray


@dataclass(frozen=True)
class ClockTrace:
    """The encoding as clock hands: angles in degrees, clockwise from twelve.

    `between` (moment, hand) are the angles at positions in steps of 1 / MOMENTS_PER_POSITION.
    `run_positions` (stage, moment) run from the word `telling` on, in each stage as far as takes the next slower hand
    (about) where the fastest stood at first; `run_angles` (stage, moment, hand) are the angles there.
    `unique_pairs` are the closest positions by number of hands; with one hand they are `twin_steps` apart, which makes
    `twin_turns` turns, nearly a whole number.
    """

    positions: NamedArray
    table: NamedArray
    degrees_per_token: NamedArray
    angles: NamedArray
    between: NamedArray
    ratio: NamedArray
    shift: NamedArray
    shift_starts: NamedArray
    shift_ends: NamedArray
    shift_angles: NamedArray
    shift_error: NamedArray
    unique_positions: NamedArray
    unique_hands: NamedArray
    unique_distances: NamedArray
    unique_pairs: NamedArray
    twin_steps: NamedArray
    twin_turns: NamedArray
    telling: NamedArray
    run_positions: NamedArray
    run_angles: NamedArray
    unique_angles: tuple[NamedArray, ...]


def _moments() -> NDArray[np.float64]:
    """Positions (moment,) from 0 to LAST_POSITION in steps of 1 / MOMENTS_PER_POSITION."""
    return np.arange(LAST_POSITION * MOMENTS_PER_POSITION + 1) / MOMENTS_PER_POSITION


def constants() -> Constants:
    """The numbers that stand in the formulas of the encoding."""
    return located(
        Constants(
            base=NamedArray(BASE, "base", ()),
            pair_size=NamedArray(PAIR, "pair_size", ()),
            second=NamedArray(COSINE, "second", ()),
            circle=NamedArray(wavelengths(PAIR)[0] / np.pi, "circle", (), "2 pi is a wavelength of frequency 1"),
        ),
        "constants",
    )


def waves(n: int, d_model: int) -> WaveTrace:
    """The encoding of width d_model as waves, for a sentence of n words."""
    times = np.arange(LAST_POSITION * SAMPLES_PER_POSITION + 1) / SAMPLES_PER_POSITION
    lengths = wavelengths(d_model)
    fast = sinusoidal_at(np.arange(1, max(n, 2)), d_model)[:, :2]
    spread = 1 + first_largest(np.abs(fast[:, 0] - fast[:, 1]))
    return located(
        WaveTrace(
            positions=NamedArray(np.arange(LAST_POSITION + 1), "positions", ("position",)),
            times=NamedArray(times, "times", ("time",)),
            samples=NamedArray(sinusoidal_at(times, d_model), "samples", ("time", "feature"), "PE(pos)"),
            table=NamedArray(sinusoidal(LAST_POSITION + 1, d_model), "table", ("position", "feature"), "PE(pos)"),
            moments=NamedArray(_moments(), "moments", ("moment",)),
            between=NamedArray(sinusoidal_at(_moments(), d_model), "between", ("moment", "feature"), "PE(pos)"),
            pairs=NamedArray(np.arange(d_model // 2), "pairs", ("pair",)),
            wavelengths=NamedArray(lengths, "wavelengths", ("pair",), "2 pi 10000^(2i/d_model)"),
            divisors=NamedArray(1 / angular_frequencies(d_model), "divisors", ("pair",), "10000^(2i/d_model)"),
            paper_ratio=NamedArray(np.power(BASE, PAIR / PAPER_D_MODEL), "paper_ratio", (), "10000^(2/512)"),
            telling=NamedArray(spread, "telling", (), "the word with the most different fast sine and cosine"),
            drawn_back=located(lanes(d_model, LAST_POSITION, 0), "drawn_back"),
            distant=located(lanes(d_model, LAST_POSITION, DISTANT), "distant"),
        ),
        "waves",
    )


def clock(n: int, d_model: int) -> ClockTrace:
    """The encoding of width d_model as clock hands, for a sentence of n words."""
    omega = angular_frequencies(d_model)
    positions = np.arange(LAST_POSITION + 1)
    table = sinusoidal(LAST_POSITION + 1, d_model)
    starts = np.array(SHIFT_STARTS)
    moved = table[starts] @ shift_matrix(d_model, SHIFT).T
    found = [closest_pair(UNIQUE_POSITIONS, 2 * hands) for hands in UNIQUE_HANDS]
    twin_steps = found[0][2] - found[0][1]
    hands_at = ("end", "hand")
    telling = _clock_telling(n, omega)
    run = _run(telling, omega)
    return located(
        ClockTrace(
            positions=NamedArray(positions, "positions", ("position",)),
            table=NamedArray(table, "table", ("position", "feature"), "(sin, cos) of every hand"),
            degrees_per_token=NamedArray(np.degrees(omega), "degrees_per_token", ("hand",), "omega_i in degrees"),
            angles=NamedArray(np.degrees(positions[:, None] * omega), "angles", ("position", "hand"), "omega_i pos"),
            between=NamedArray(np.degrees(_moments()[:, None] * omega), "between", ("moment", "hand"), "omega_i pos"),
            ratio=NamedArray(np.power(10000.0, 2 / d_model), "ratio", (), "10000^(2/d_model)"),
            shift=NamedArray(SHIFT, "shift", ()),
            shift_starts=NamedArray(starts, "shift_starts", ("case",)),
            shift_ends=NamedArray(starts + SHIFT, "shift_ends", ("case",)),
            shift_angles=NamedArray(np.degrees(SHIFT * omega), "shift_angles", ("hand",), "omega_i k"),
            shift_error=NamedArray(np.abs(moved - table[starts + SHIFT]).max(), "shift_error", ()),
            unique_positions=NamedArray(UNIQUE_POSITIONS, "unique_positions", ()),
            unique_hands=NamedArray(np.array(UNIQUE_HANDS), "unique_hands", ("case",)),
            unique_distances=NamedArray(np.array([d for d, _, _ in found]), "unique_distances", ("case",)),
            unique_pairs=NamedArray(np.array([pair for _, *pair in found]), "unique_pairs", ("case", "end")),
            twin_steps=NamedArray(twin_steps, "twin_steps", (), "second - first of unique_pairs[0]"),
            twin_turns=NamedArray(twin_steps / wavelengths(PAIR)[0], "twin_turns", (), "twin_steps / (2 pi)"),
            telling=NamedArray(telling, "telling", (), "a word whose hands are easy to tell apart"),
            run_positions=NamedArray(run, "run_positions", ("stage", "moment")),
            run_angles=NamedArray(
                np.degrees(run[..., None] * omega), "run_angles", ("stage", "moment", "hand"), "omega_i pos"
            ),
            unique_angles=tuple(
                NamedArray(
                    np.degrees(np.outer(ends, angular_frequencies(2 * hands))),
                    f"unique_angles[{case}]",
                    hands_at,
                    "omega_i pos",
                )
                for case, (hands, (_, *ends)) in enumerate(zip(UNIQUE_HANDS, found, strict=True))
            ),
        ),
        "clock",
    )


def _clock_telling(n: int, omega: NDArray[np.float64]) -> int:
    """The word (not the first) whose fastest hand has two large coordinates and is far from the slowest hand."""
    angle = np.arange(1, max(n, 2))[:, None] * omega
    askew = np.minimum(np.abs(np.sin(angle[:, 0])), np.abs(np.cos(angle[:, 0])))
    return 1 + int(first_largest(askew * (1 - np.cos(angle[:, 0] - angle[:, -1]))))


def _run(start: int, omega: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole positions (stage, moment) from a word to start / omega_1, from there to start / omega_2, and so on."""
    stops = [start, *(significant(start / slow, 2) for slow in omega[1:])]
    stages = [np.rint(np.linspace(one, other, RUN_MOMENTS)) for one, other in pairwise(stops)]
    return np.array(stages, dtype=np.int64).reshape(-1, RUN_MOMENTS)
