"""The worked example: for one configuration, every number that the films show.

Embeddings and weights have ONE decimal, so that each product on screen can be checked with pencil
and paper. They are illustrative, not trained: a word's vector is drawn from its spelling and the seed.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mathcore.attention import AttentionTrace, MultiHeadAttention, MultiHeadTrace, check_heads
from mathcore.cost import attention_parameters
from mathcore.named import Named, located, named_arrays
from mathcore.position import (
    angular_frequencies,
    check_even,
    closest_pair,
    shift_matrix,
    sinusoidal,
    sinusoidal_at,
    wavelengths,
)

# The positions that the waves and the clock walk through, and how finely their curves are sampled.
LAST_POSITION = 20
SAMPLES_PER_POSITION = 20
# The offset shown by the clock, from two different starting positions.
SHIFT = 3
SHIFT_STARTS = (1, 6)
# A position of the waves, its neighbour, and one far away at which the fastest wave is nearly back.
COMPARED = (1, 2, 20)
# The clock's uniqueness table: this many positions, and these numbers of hands.
UNIQUE_POSITIONS = 1000
UNIQUE_HANDS = (1, 2, 4)
# The head count and width of the 2017 paper's base model, for the parameter ledger.
PAPER_D_MODEL, PAPER_HEADS = 512, 8


def one_decimal(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Values -1.0, -0.9, ..., 1.0, all equally likely."""
    return rng.integers(-10, 11, size=shape) / 10


def embedding(word: str, d_model: int, seed: int) -> NDArray[np.float64]:
    """The vector (d_model,) of a word: the same for every place it stands in, upper and lower case alike."""
    digest = hashlib.sha256(f"{seed}\0{word.casefold()}".encode()).digest()
    return one_decimal(np.random.default_rng(int.from_bytes(digest[:16], "big")), (d_model,))


@dataclass(frozen=True)
class Sizes:
    """The whole numbers of the example, each a named scalar or row so that labels can show them."""

    words: Named
    d_model: Named
    heads: Named
    d_head: Named
    pairs: Named
    cells: Named
    word_places: Named
    head_numbers: Named
    feature_numbers: Named


@dataclass(frozen=True)
class Product:
    """One cell of X W, counted out: products[i] = left[i] * right[i], running sums, and the result."""

    left: Named
    right: Named
    products: Named
    running: Named
    result: Named


@dataclass(frozen=True)
class Report:
    """One word's attention in one head, counted out.

    `matches` (m, d_head) holds q[i] * k[j, i], so that a row sums to the score; `shares` (m, d_head)
    holds weights[j] * v[j, i], so that a column sums to the output.
    """

    q: Named
    matches: Named
    scores: Named
    scaled: Named
    weights: Named
    shares: Named
    output: Named
    weight_sum: Named
    strongest: Named
    scale: Named


@dataclass(frozen=True)
class Waves:
    """The encoding as waves: `samples` (t, d_model) at real-valued `times`, `table` at whole positions."""

    positions: Named
    times: Named
    samples: Named
    table: Named
    pairs: Named
    frequencies: Named
    wavelengths: Named
    limit: Named
    divisors: Named
    compared: Named
    gaps: Named
    telling: Named


@dataclass(frozen=True)
class Clock:
    """The encoding as clock hands: angles in degrees, clockwise from twelve."""

    positions: Named
    table: Named
    degrees_per_token: Named
    angles: Named
    ratio: Named
    dial_numbers: Named
    shift: Named
    shift_starts: Named
    shift_ends: Named
    shift_angles: Named
    shift_error: Named
    unique_positions: Named
    unique_hands: Named
    unique_distances: Named
    unique_pairs: Named
    telling: Named
    unique_angles: tuple[Named, ...]


@dataclass(frozen=True)
class Budget:
    """Parameters of multi-head attention at the width of the 2017 paper, for 1 head and for 8."""

    d_model: Named
    heads: Named
    d_heads: Named
    projections: Named
    output: Named
    totals: Named


class WorkedExample:
    """Every trace of the films for `words`, `d_model`, `n_heads` and `seed`.

    Raises ValueError for no words, an odd d_model, or heads that do not divide it.
    """

    def __init__(self, words: tuple[str, ...], *, d_model: int = 8, n_heads: int = 4, seed: int = 0) -> None:
        if not words:
            raise ValueError("the worked example needs at least one word")
        check_even(d_model)
        check_heads(d_model, n_heads)
        self.words, self.d_model, self.n_heads, self.seed = tuple(words), d_model, n_heads, seed

    def key(self) -> dict[str, object]:
        """What the example is made from, for receipts."""
        return {"words": list(self.words), "d_model": self.d_model, "n_heads": self.n_heads, "seed": self.seed}

    def digest(self) -> str:
        """SHA-256 over every array, its path and its shape: changes when any number of the films does."""
        total = hashlib.sha256()
        for array in self.arrays():
            total.update(f"{array.path}{array.shape}{array.values.dtype}".encode())
            total.update(np.ascontiguousarray(array.values).tobytes())
        return total.hexdigest()

    def arrays(self) -> list[Named]:
        """Every named array, so that a ledger's path can be checked against all that exist."""
        roots = (self.sizes, self.attention, self.mean_weights, self.weight_sums, self.cell, self.report)
        rest = (self.mean_sums, self.waves, self.clock, self.budget)
        return [array for root in (*roots, self.head_weights, *rest) for array in named_arrays(root)]

    @cached_property
    def attention(self) -> MultiHeadTrace:
        """The multi-head attention over the sentence's embeddings (no positions added)."""
        x = np.array([embedding(word, self.d_model, self.seed) for word in self.words])
        rng = np.random.default_rng(self.seed)
        w_q, w_k, w_v, w_o = (one_decimal(rng, (self.d_model, self.d_model)) for _ in range(4))
        return located(MultiHeadAttention(w_q, w_k, w_v, w_o, n_heads=self.n_heads)(x), "attention")

    @property
    def heads(self) -> tuple[AttentionTrace, ...]:
        return self.attention.heads

    @cached_property
    def head_weights(self) -> tuple[Named, ...]:
        """The columns of W_Q, W_K, W_V that belong to head 0, in that order: (d_model, d_head) each."""
        d_head = self.d_model // self.n_heads
        whole = (("w_q", self.attention.w_q), ("w_k", self.attention.w_k), ("w_v", self.attention.w_v))
        return tuple(
            Named(w.values[:, :d_head], f"head_weights[{i}]", w.axes, name.upper()) for i, (name, w) in enumerate(whole)
        )

    @cached_property
    def mean_weights(self) -> Named:
        """(n, n): the heads' weights averaged, which is all that one pattern could say of them."""
        mean = np.mean([head.weights.values for head in self.heads], axis=0)
        return Named(mean, "mean_weights", ("query", "key"), "mean over heads of weights", rows_sum_to_one=True)

    @cached_property
    def weight_sums(self) -> Named:
        """(n_heads, n): the sum of every head's every row of weights."""
        sums = np.array([head.weights.values.sum(axis=-1) for head in self.heads])
        return Named(sums, "weight_sums", ("head", "query"), "sum over keys of weights")

    @cached_property
    def mean_sums(self) -> Named:
        """(n,): the sum of every row of the averaged weights."""
        return Named(self.mean_weights.values.sum(axis=-1), "mean_sums", ("query",), "sum over keys of mean_weights")

    @cached_property
    def focus(self) -> int:
        """The word whose heads disagree most: the best query to follow through the films.

        Counted as the number of different favourite keys, ties broken by the mean distance between rows.
        """
        rows = np.array([head.weights.values for head in self.heads])  # (h, n, n)
        favourites = rows.argmax(axis=-1)  # (h, n)
        different = np.array([len(set(favourites[:, i])) for i in range(len(self.words))])
        spread = np.abs(rows[:, None] - rows[None, :]).sum(axis=(0, 1, 3))
        return int(np.lexsort((-spread, -different))[0])

    @cached_property
    def cell(self) -> Product:
        """The focus word's first query feature in head 0: one row of X times one column of W_Q."""
        left, right = self.attention.x.values[self.focus], self.head_weights[0].values[:, 0]
        products = left * right
        return located(
            Product(
                left=Named(left, "left", ("feature",), "a row of X"),
                right=Named(right, "right", ("feature",), "a column of W_Q"),
                products=Named(products, "products", ("feature",), "x w"),
                running=Named(np.cumsum(products), "running", ("feature",), "sum so far"),
                result=Named(products.sum(), "result", (), "sum of x w"),
            ),
            "cell",
        )

    @cached_property
    def report(self) -> Report:
        """The focus word's attention in head 0."""
        head, i = self.heads[0], self.focus
        weights, values = head.weights.values[i], head.v.values
        return located(
            Report(
                q=Named(head.q.values[i], "q", ("feature",)),
                matches=Named(head.q.values[i] * head.k.values, "matches", ("key", "feature"), "q k"),
                scores=Named(head.scores.values[i], "scores", ("key",), "q . k"),
                scaled=Named(head.scaled.values[i], "scaled", ("key",), "q . k / sqrt(d_head)"),
                weights=Named(weights, "weights", ("key",), "softmax", rows_sum_to_one=True),
                shares=Named(weights[:, None] * values, "shares", ("key", "feature"), "weight x value"),
                output=Named(head.output.values[i], "output", ("feature",), "sum of weight x value"),
                weight_sum=Named(weights.sum(), "weight_sum", (), "sum of weights"),
                strongest=Named(weights.argmax(), "strongest", (), "key with the largest weight"),
                scale=Named(np.sqrt(head.q.shape[-1]), "scale", (), "sqrt(d_head)"),
            ),
            "report",
        )

    @cached_property
    def sizes(self) -> Sizes:
        d_head, n = self.d_model // self.n_heads, len(self.words)
        return located(
            Sizes(
                words=Named(n, "words", ()),
                d_model=Named(self.d_model, "d_model", ()),
                heads=Named(self.n_heads, "heads", ()),
                d_head=Named(d_head, "d_head", ()),
                pairs=Named(n * n, "pairs", (), "words x words"),
                cells=Named(self.d_model // 2, "cells", (), "sine/cosine pairs"),
                word_places=Named(np.arange(n), "word_places", ("token",)),
                head_numbers=Named(np.arange(1, self.n_heads + 1), "head_numbers", ("head",)),
                feature_numbers=Named(np.arange(self.d_model), "feature_numbers", ("feature",)),
            ),
            "sizes",
        )

    @cached_property
    def waves(self) -> Waves:
        times = np.arange(LAST_POSITION * SAMPLES_PER_POSITION + 1) / SAMPLES_PER_POSITION
        lengths = wavelengths(self.d_model)
        compared = sinusoidal_at(COMPARED, self.d_model).reshape(len(COMPARED), -1, 2)
        fast = sinusoidal_at(np.arange(1, max(len(self.words), 2)), self.d_model)[:, :2]
        spread = 1 + np.argmax(np.abs(fast[:, 0] - fast[:, 1]))
        gaps = np.linalg.norm(compared[1:] - compared[0], axis=-1)
        return located(
            Waves(
                positions=Named(np.arange(LAST_POSITION + 1), "positions", ("position",)),
                times=Named(times, "times", ("time",)),
                samples=Named(sinusoidal_at(times, self.d_model), "samples", ("time", "feature"), "PE(pos)"),
                table=Named(sinusoidal(LAST_POSITION + 1, self.d_model), "table", ("position", "feature"), "PE(pos)"),
                pairs=Named(np.arange(self.d_model // 2), "pairs", ("pair",)),
                frequencies=Named(angular_frequencies(self.d_model), "frequencies", ("pair",), "10000^(-2i/d_model)"),
                wavelengths=Named(lengths, "wavelengths", ("pair",), "2 pi 10000^(2i/d_model)"),
                limit=Named(2 * np.pi * 10000, "limit", (), "2 pi 10000, not reached"),
                divisors=Named(1 / angular_frequencies(self.d_model), "divisors", ("pair",), "10000^(2i/d_model)"),
                compared=Named(np.array(COMPARED), "compared", ("case",)),
                gaps=Named(gaps, "gaps", ("case", "pair"), "|pair of compared[0] - pair of compared[case + 1]|"),
                telling=Named(spread, "telling", (), "the word with the most different fast sine and cosine"),
            ),
            "waves",
        )

    @cached_property
    def clock(self) -> Clock:
        omega = angular_frequencies(self.d_model)
        positions = np.arange(LAST_POSITION + 1)
        table = sinusoidal(LAST_POSITION + 1, self.d_model)
        starts = np.array(SHIFT_STARTS)
        moved = table[starts] @ shift_matrix(self.d_model, SHIFT).T
        found = [closest_pair(UNIQUE_POSITIONS, 2 * hands) for hands in UNIQUE_HANDS]
        hands_at = ("end", "hand")
        return located(
            Clock(
                positions=Named(positions, "positions", ("position",)),
                table=Named(table, "table", ("position", "feature"), "(sin, cos) of every hand"),
                degrees_per_token=Named(np.degrees(omega), "degrees_per_token", ("hand",), "omega_i in degrees"),
                angles=Named(np.degrees(positions[:, None] * omega), "angles", ("position", "hand"), "omega_i pos"),
                ratio=Named(np.power(10000.0, 2 / self.d_model), "ratio", (), "10000^(2/d_model)"),
                dial_numbers=Named(np.arange(1, self.d_model // 2 + 1), "dial_numbers", ("hand",)),
                shift=Named(SHIFT, "shift", ()),
                shift_starts=Named(starts, "shift_starts", ("case",)),
                shift_ends=Named(starts + SHIFT, "shift_ends", ("case",)),
                shift_angles=Named(np.degrees(SHIFT * omega), "shift_angles", ("hand",), "omega_i k"),
                shift_error=Named(np.abs(moved - table[starts + SHIFT]).max(), "shift_error", ()),
                unique_positions=Named(UNIQUE_POSITIONS, "unique_positions", ()),
                unique_hands=Named(np.array(UNIQUE_HANDS), "unique_hands", ("case",)),
                unique_distances=Named(np.array([d for d, _, _ in found]), "unique_distances", ("case",)),
                unique_pairs=Named(np.array([pair for _, *pair in found]), "unique_pairs", ("case", "end")),
                telling=Named(self._telling(omega), "telling", (), "a word whose hands are easy to tell apart"),
                unique_angles=tuple(
                    Named(
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

    def _telling(self, omega: NDArray[np.float64]) -> int:
        """The word (not the first) whose fastest hand has two large coordinates and is far from the slowest hand."""
        angle = np.arange(1, max(len(self.words), 2))[:, None] * omega
        askew = np.minimum(np.abs(np.sin(angle[:, 0])), np.abs(np.cos(angle[:, 0])))
        return 1 + int(np.argmax(askew * (1 - np.cos(angle[:, 0] - angle[:, -1]))))

    @cached_property
    def budget(self) -> Budget:
        heads = np.array([1, PAPER_HEADS])
        totals = np.array([attention_parameters(PAPER_D_MODEL, int(h)) for h in heads])
        return located(
            Budget(
                d_model=Named(PAPER_D_MODEL, "d_model", ()),
                heads=Named(heads, "heads", ("case",)),
                d_heads=Named(PAPER_D_MODEL // heads, "d_heads", ("case",), "d_model / heads"),
                projections=Named(np.array([PAPER_D_MODEL * PAPER_D_MODEL] * 2), "projections", ("case",), "d_model^2"),
                output=Named(np.array([PAPER_D_MODEL * PAPER_D_MODEL] * 2), "output", ("case",), "d_model^2"),
                totals=Named(totals, "totals", ("case",), "4 d_model^2"),
            ),
            "budget",
        )
