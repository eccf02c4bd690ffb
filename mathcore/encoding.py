"""Positions as the films show them: a seat number added to a word, the map of all cells, and which seats are alike."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mathcore.arguments import as_finite, count, real
from mathcore.named import NamedArray
from mathcore.numerics import in_range
from mathcore.position import angular_frequencies, check_even, first_rise, offset_products, sinusoidal, wavelengths
from mathcore.rounding import significant

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SeatTrace:
    """Words and their seats, added cell by cell, and one word at two seats.

    `sums` is embedding + encoding, which the worked example goes on with: its embeddings are as large as the encoding.
    The 2017 paper starts from smaller ones and multiplies them by `factor` first: `scaled`, `scaled_sums`. `seats` are
    the two seats of the word `word` (its place in the sentence); it stands at both (`repeated` is 1), or is imagined at
    the second.

    `seat_words` (case, feature) is the word's embedding at each of the two seats, twice the same: `word_distance` is 0.
    `cosines` and `scaled_cosines` (case,) say how much of the word is left at each seat: the cosine of its embedding
    with the sum, as it is and multiplied by `factor` first; 0 where a sum is the zero vector. `projected` (case,
    projected) is the sum times a matrix; it is `word_part` plus `seat_parts`, the word and the seat times that matrix,
    up to rounding (`split_error`, the largest difference).
    """

    embeddings: NamedArray
    positions: NamedArray
    sums: NamedArray
    factor: NamedArray
    scaled: NamedArray
    scaled_sums: NamedArray
    word: NamedArray
    seats: NamedArray
    repeated: NamedArray
    seat_encodings: NamedArray
    seat_sums: NamedArray
    difference: NamedArray
    distance: NamedArray
    seat_words: NamedArray
    word_distance: NamedArray
    cosines: NamedArray
    scaled_cosines: NamedArray
    word_part: NamedArray
    seat_parts: NamedArray
    projected: NamedArray
    split_error: NamedArray


def _unit(vectors: Array) -> Array:
    """Vectors (..., d) of length 1, however large they were; zero vectors stay as they are."""
    largest = np.abs(vectors).max(axis=-1, keepdims=True)
    near = np.divide(vectors, largest, out=np.zeros_like(vectors), where=largest > 0)
    length = np.linalg.norm(near, axis=-1, keepdims=True)
    return np.asarray(np.divide(near, length, out=near, where=length > 0))


def _cosines(word: Array, sums: Array) -> Array:
    """The cosine of a vector (d,) with each of some others (n, d); 0 where one of the two is zero."""
    return np.asarray(_unit(sums) @ _unit(word))


def add_positions(embeddings: ArrayLike, words: Sequence[str], projection: ArrayLike | None = None) -> SeatTrace:
    """Give embeddings (n, d_model) of `words` their seats 0, 1, ..., and project the sums.

    The `projection` is (d_model, projected), by default the identity.

    The word shown twice is the first that occurs again (upper and lower case alike), or else the first word, imagined
    at the last seat. Raises ValueError for no words, words that do not fit the embeddings, embeddings that are not
    finite or too large to be scaled, or an odd d_model.
    """
    if isinstance(words, str) or not all(isinstance(word, str) for word in words):
        raise TypeError(f"words must be a sequence of words, got {words!r}")
    x = as_finite(embeddings, "embeddings")
    if x.ndim != 2 or not len(words) or len(x) != len(words):
        raise ValueError(f"embeddings must be (n, d_model), n = {len(words)} words and at least 1, got {x.shape}")
    n, d_model = x.shape
    plain = [word.casefold() for word in words]
    twice = [(i, plain.index(word, i + 1)) for i, word in enumerate(plain) if word in plain[i + 1 :]]
    first, second = twice[0] if twice else (0, max(1, n - 1))
    table = sinusoidal(max(n, second + 1), d_model)
    ends = table[[first, second]]  # (2, d_model)
    scaled = in_range("sqrt(d_model) embedding", lambda: x * math.sqrt(d_model))
    w = np.eye(d_model) if projection is None else as_finite(projection, "projection")
    if w.ndim != 2 or w.shape[0] != d_model:
        raise ValueError(f"projection must be (d_model, projected) with d_model {d_model}, got {w.shape}")
    twin = np.stack([x[first], x[first]])  # (2, d_model)
    word_part = in_range("x W", lambda: x[first] @ w)  # (projected,)
    seat_parts, projected = ends @ w, in_range("(x + PE(seat)) W", lambda: (twin + ends) @ w)  # (2, projected)
    tokens, cases = ("token", "feature"), ("case", "feature")
    return SeatTrace(
        embeddings=NamedArray(x, "embeddings", tokens, "embedding"),
        positions=NamedArray(table[:n], "positions", tokens, "PE(pos)"),
        sums=NamedArray(x + table[:n], "sums", tokens, "embedding + PE(pos)"),
        factor=NamedArray(np.sqrt(d_model), "factor", (), "sqrt(d_model)"),
        scaled=NamedArray(scaled, "scaled", tokens, "sqrt(d_model) embedding"),
        scaled_sums=NamedArray(scaled + table[:n], "scaled_sums", tokens, "sqrt(d_model) embedding + PE(pos)"),
        word=NamedArray(first, "word", ()),
        seats=NamedArray(np.array([first, second]), "seats", ("case",)),
        repeated=NamedArray(int(bool(twice)), "repeated", ()),
        seat_encodings=NamedArray(ends, "seat_encodings", cases, "PE(seat)"),
        seat_sums=NamedArray(x[first] + ends, "seat_sums", cases, "embedding + PE(seat)"),
        difference=NamedArray(ends[1] - ends[0], "difference", ("feature",), "PE(second seat) - PE(first seat)"),
        distance=NamedArray(np.linalg.norm(ends[1] - ends[0]), "distance", (), "|difference|"),
        seat_words=NamedArray(twin, "seat_words", cases, "embedding"),
        word_distance=NamedArray(np.linalg.norm(twin[1] - twin[0]), "word_distance", (), "|embedding - embedding|"),
        cosines=NamedArray(_cosines(x[first], twin + ends), "cosines", ("case",), "cos(x, x + PE(seat))"),
        scaled_cosines=NamedArray(
            _cosines(x[first], scaled[first] + ends), "scaled_cosines", ("case",), "cos(x, sqrt(d_model) x + PE(seat))"
        ),
        word_part=NamedArray(word_part, "word_part", ("projected",), "x W"),
        seat_parts=NamedArray(seat_parts, "seat_parts", ("case", "projected"), "PE(seat) W"),
        projected=NamedArray(projected, "projected", ("case", "projected"), "(x + PE(seat)) W"),
        split_error=NamedArray(
            np.abs(projected - word_part - seat_parts).max(), "split_error", (), "largest |(x + p) W - x W - p W|"
        ),
    )


@dataclass(frozen=True)
class LaneTrace:
    """Each pair's waves in a window of its own: `starts[i]` to `stops[i]`, positions (pair,), with `position` in it.

    `times` (pair, time) are evenly spaced positions from a window's start to its stop, a whole one every
    `MARK`-th; `samples` (pair, time, part) are the sine and the cosine there. `row` (d_model,) is the encoding of
    `position`.
    """

    position: NamedArray
    starts: NamedArray
    stops: NamedArray
    times: NamedArray
    samples: NamedArray
    row: NamedArray

    MARK: ClassVar[int] = 20


def lanes(d_model: int, span: int, position: int) -> LaneTrace:
    """The waves around a position, from 0 on, in windows that grow with the wavelengths.

    The first window is `span` positions long, a multiple of LaneTrace.MARK; the others are so much longer as their
    waves, to one significant digit of their lengths. Each window begins at a multiple of its length.
    """
    position, span = count(position, "position", least=0), count(span, "span")
    if span % LaneTrace.MARK:
        raise ValueError(f"span must be a multiple of {LaneTrace.MARK}, got {span}")
    omega = angular_frequencies(d_model)
    lengths = np.array([int(significant(span / slow, 1)) for slow in omega])
    starts = position // lengths * lengths
    steps = LaneTrace.MARK**2
    times = starts[:, None] + lengths[:, None] * np.arange(steps + 1) / steps
    angle = times * omega[:, None]  # (pair, time)
    return LaneTrace(
        position=NamedArray(position, "position", ()),
        starts=NamedArray(starts, "starts", ("pair",)),
        stops=NamedArray(starts + lengths, "stops", ("pair",)),
        times=NamedArray(times, "times", ("pair", "time")),
        samples=NamedArray(
            np.stack([np.sin(angle), np.cos(angle)], axis=-1), "samples", ("pair", "time", "part"), "PE(time)"
        ),
        row=NamedArray(sinusoidal(1, d_model, start=position)[0], "row", ("feature",), "PE(position)"),
    )


@dataclass(frozen=True)
class MapTrace:
    """The encoding as a map (positions, d_model), every cell real.

    `turning[i]` counts the pairs whose wavelength is at most `spans[i]` tokens, of `pairs` in all. `flicker` (d_model,)
    is how much a column changes from one position to the next, on average.
    """

    table: NamedArray
    positions: NamedArray
    d_model: NamedArray
    pairs: NamedArray
    wavelengths: NamedArray
    spans: NamedArray
    turning: NamedArray
    flicker: NamedArray


def encoding_map(n_positions: int, d_model: int, spans: Sequence[float]) -> MapTrace:
    """The encoding of `n_positions` (at least 2) positions. Raises ValueError for fewer, or an odd d_model."""
    if count(n_positions, "n_positions") < 2:
        raise ValueError(f"a map needs at least 2 positions, got {n_positions}")
    for span in spans:
        real(span, "a span")
    table, lengths = sinusoidal(n_positions, d_model), wavelengths(d_model)
    turning = np.array([(lengths <= span).sum() for span in spans])
    flicker = np.abs(np.diff(table, axis=0)).mean(axis=0)
    return MapTrace(
        table=NamedArray(table, "table", ("position", "feature"), "PE(pos)"),
        positions=NamedArray(np.arange(n_positions), "positions", ("position",)),
        d_model=NamedArray(d_model, "d_model", ()),
        pairs=NamedArray(check_even(d_model), "pairs", (), "d_model / 2"),
        wavelengths=NamedArray(lengths, "wavelengths", ("pair",), "2 pi 10000^(2i/d_model)"),
        spans=NamedArray(np.array(spans), "spans", ("case",)),
        turning=NamedArray(turning, "turning", ("case",), "pairs with a wavelength of at most the span"),
        flicker=NamedArray(flicker, "flicker", ("feature",), "mean |PE(pos + 1) - PE(pos)|"),
    )


@dataclass(frozen=True)
class SimilarityTrace:
    """How alike the encodings of two positions are: a question of their distance k alone, and not a falling one.

    `products[k]` is PE(p) . PE(p + k) for every p, `cosines` the same over `square`, the squared length of every row.
    `rise` is the first distance k at which the next one is MORE alike, (k, k + 1), `rise_products` its products, and
    `rises[i]` the same for `widths[i]`. `spread` is the largest difference that was found between pairs of the same
    distance. `far_row` is the encoding of `far`, beyond the `trained` positions: the values exist, which does not mean
    that a model can use them.
    """

    d_model: NamedArray
    distances: NamedArray
    products: NamedArray
    cosines: NamedArray
    square: NamedArray
    spread: NamedArray
    compared: NamedArray
    compared_cosines: NamedArray
    rise: NamedArray
    rise_products: NamedArray
    widths: NamedArray
    rises: NamedArray
    trained: NamedArray
    far: NamedArray
    far_row: NamedArray
    far_square: NamedArray


def similarity(
    d_model: int,
    n_distances: int,
    compared: Sequence[tuple[int, int]],
    widths: Sequence[int],
    *,
    trained: int,
    far: int,
) -> SimilarityTrace:
    """Similarities at distances 0 to n_distances - 1 and of the `compared` pairs of positions.

    Raises ValueError for no pairs or widths, a pair that is not two positions from 0 on, or an odd width.
    """
    if not len(compared) or not len(widths):
        raise ValueError("at least one pair and one width are needed")
    if any(len(pair) != 2 for pair in compared):
        raise ValueError(f"compared must be pairs of positions, got {list(compared)}")
    compared = [(count(a, "a position", least=0), count(b, "a position", least=0)) for a, b in compared]
    trained, far = count(trained, "trained"), count(far, "far", least=0)
    products = offset_products(d_model, n_distances)
    table = sinusoidal(max(2 * n_distances, *(max(pair) + 1 for pair in compared)), d_model)
    # Row p times rows p, p + 1, ...: the k-th diagonal of the table's own products belongs to distance k.
    own = table @ table.T
    spread = max(np.abs(np.diagonal(own, k) - products[k]).max() for k in range(n_distances))
    cosines = [own[a, b] / np.sqrt(own[a, a] * own[b, b]) for a, b in compared]
    k = first_rise(d_model)
    far_row = sinusoidal(1, d_model, start=far)[0]
    return SimilarityTrace(
        d_model=NamedArray(d_model, "d_model", ()),
        distances=NamedArray(np.arange(n_distances), "distances", ("distance",)),
        products=NamedArray(products, "products", ("distance",), "sum over i of cos(omega_i k)"),
        cosines=NamedArray(products / products[0], "cosines", ("distance",), "products / square"),
        square=NamedArray(products[0], "square", (), "PE(p) . PE(p) = d_model / 2"),
        spread=NamedArray(spread, "spread", (), "largest |PE(p) . PE(p + k) - products[k]|"),
        compared=NamedArray(np.array(compared), "compared", ("case", "end")),
        compared_cosines=NamedArray(np.array(cosines), "compared_cosines", ("case",), "cosine of PE(a) and PE(b)"),
        rise=NamedArray(np.array([k, k + 1]), "rise", ("end",), "first k with products[k] < products[k + 1]"),
        rise_products=NamedArray(
            offset_products(d_model, k + 2)[k:], "rise_products", ("end",), "products at the rise"
        ),
        widths=NamedArray(np.array(widths), "widths", ("case",)),
        rises=NamedArray(
            np.array([[r, r + 1] for r in map(first_rise, widths)]), "rises", ("case", "end"), "first rise"
        ),
        trained=NamedArray(trained, "trained", ()),
        far=NamedArray(far, "far", ()),
        far_row=NamedArray(far_row, "far_row", ("feature",), "PE(far)"),
        far_square=NamedArray(far_row @ far_row, "far_square", (), "PE(far) . PE(far)"),
    )
