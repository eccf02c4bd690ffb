"""The worked example: for one configuration, every number that the films show.

Embeddings and weights have ONE decimal, so that each product on screen can be checked with pencil
and paper. They are illustrative, not trained: a word's vector is drawn from its spelling and the seed.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from itertools import count as numbers
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mathcore import experiments
from mathcore.arguments import count
from mathcore.attention import AttentionTrace, MultiHeadAttention, MultiHeadTrace, attend, causal_mask, check_heads
from mathcore.comparisons import ArrowTrace, BottleneckTrace, DiagonalTrace, arrows, bottleneck, diagonal
from mathcore.cost import CostTrace, ParameterTrace, PatternTrace, attention_parameters
from mathcore.demo import DemoTrace
from mathcore.encoding import MapTrace, SeatTrace, SimilarityTrace, seated
from mathcore.experiments import PAPER_D_MODEL, PAPER_HEADS
from mathcore.layers import EncoderLayerTrace, MLPTrace, encoder_layer, mlp
from mathcore.named import NamedArray, digest, located, named_arrays
from mathcore.numerics import first_largest
from mathcore.order import OrderTrace, order_experiment
from mathcore.position import (
    BASE,
    COSINE,
    PAIR,
    angular_frequencies,
    check_even,
    closest_pair,
    shift_matrix,
    sinusoidal,
    sinusoidal_at,
    wavelengths,
)
from mathcore.recurrence import RecurrenceDraws
from mathcore.roles import AblationTrace, ablation
from mathcore.saturation import SaturationTrace
from mathcore.trained.gallery import Gallery, gallery
from mathcore.trained.minilm import ModelMissing
from mathcore.trained.wordpiece import VocabularyError

# The positions that the waves and the clock walk through, and how finely their curves are sampled.
LAST_POSITION = 20
SAMPLES_PER_POSITION = 20
# Steps of what moves from one position to another: two decimals say exactly where it is.
MOMENTS_PER_POSITION = 50
# The offset shown by the clock, from two different starting positions.
SHIFT = 3
SHIFT_STARTS = (1, 6)
# A position of the waves, its neighbour, and one far away at which the fastest wave is nearly back.
COMPARED = (1, 2, 20)
# The clock's uniqueness table: this many positions, and these numbers of hands.
UNIQUE_POSITIONS = 1000
UNIQUE_HANDS = (1, 2, 4)
# The feed-forward is as many times as wide as the model as in the 2017 paper.
FEED_FORWARD_FACTOR = 4
# Neurons a layer of the small network.
MLP_WIDTHS = (4, 5, 5, 3)
# Three words whose order matters, and the order that turns the sentence round. They stand for the same three words in
# every language of the films, so that the numbers are the same too.
CARDS, CARDS_SHUFFLED = ("dog", "bites", "man"), (2, 1, 0)
# Translation: each word of the cards looks at the words of this sentence.
SOURCE = ("the", "dog", "bites", "the", "man")
# An image cut into 4 x 4 patches, for words that look at a picture.
PATCHES = 16
# Each of these draws has a stream of its own, beside the seed.
MLP_STREAM, FEED_FORWARD_STREAM, PATCH_STREAM = 1, 2, 3


def _moments() -> NDArray[np.float64]:
    """Positions (moment,) from 0 to LAST_POSITION in steps of 1 / MOMENTS_PER_POSITION."""
    return np.arange(LAST_POSITION * MOMENTS_PER_POSITION + 1) / MOMENTS_PER_POSITION


def one_decimal(
    rng: np.random.Generator, shape: tuple[int, ...], lowest: float = -1.0, highest: float = 1.0
) -> NDArray[np.float64]:
    """Values lowest, lowest + 0.1, ..., highest, all equally likely."""
    return rng.integers(round(10 * lowest), round(10 * highest) + 1, size=shape) / 10


def embedding(word: str, d_model: int, seed: int) -> NDArray[np.float64]:
    """The vector (d_model,) of a word: the same for every place it stands in, upper and lower case alike."""
    digest = hashlib.sha256(f"{seed}\0{word.casefold()}".encode()).digest()
    return one_decimal(np.random.default_rng(int.from_bytes(digest[:16], "big")), (d_model,))


def _tell_two_stories(one: MLPTrace, other: MLPTrace) -> bool:
    hidden = zip(one.layers[:-1], other.layers[:-1], strict=True)
    firing = [tuple(layer.activation.values > 0 for layer in pair) for pair in hidden]
    if not all((a != b).any() and all(2 <= neurons.sum() < len(neurons) for neurons in (a, b)) for a, b in firing):
        return False
    return bool(one.output.values.argmax() != other.output.values.argmax())


@dataclass(frozen=True)
class Sizes:
    """The whole numbers of the example, each a named scalar or row so that labels can show them."""

    words: NamedArray
    d_model: NamedArray
    heads: NamedArray
    d_head: NamedArray
    pairs: NamedArray
    cells: NamedArray
    word_places: NamedArray
    head_numbers: NamedArray
    feature_numbers: NamedArray


@dataclass(frozen=True)
class Product:
    """One cell of X W, counted out: products[i] = left[i] * right[i], and their sum, the result."""

    left: NamedArray
    right: NamedArray
    products: NamedArray
    result: NamedArray


@dataclass(frozen=True)
class Report:
    """One word's attention in one head, counted out.

    `matches` (m, d_head) holds q[i] * k[j, i], so that a row sums to the score; `shares` (m, d_head)
    holds weights[j] * v[j, i], so that a column sums to the output.
    """

    q: NamedArray
    matches: NamedArray
    scores: NamedArray
    scaled: NamedArray
    weights: NamedArray
    shares: NamedArray
    output: NamedArray
    weight_sum: NamedArray
    strongest: NamedArray
    scale: NamedArray


@dataclass(frozen=True)
class Waves:
    """The encoding as waves: `samples` (t, d_model) at real-valued `times`, `table` at whole positions.

    `between` (moment, d_model) are the values at `moments`, positions in steps of 1 / MOMENTS_PER_POSITION.
    `paper_pace` is how fast a pair's waves run at the width of the 2017 paper, the pair before it being 1.
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
    paper_pace: NamedArray
    compared: NamedArray
    gaps: NamedArray
    telling: NamedArray


@dataclass(frozen=True)
class Constants:
    """The digits of the encoding's formulas, 10000^(2i / d_model) and 2 pi, each a named scalar."""

    base: NamedArray
    pair_size: NamedArray
    second: NamedArray
    circle: NamedArray


@dataclass(frozen=True)
class Clock:
    """The encoding as clock hands: angles in degrees, clockwise from twelve.

    `between` (moment, hand) are the angles at positions in steps of 1 / MOMENTS_PER_POSITION.
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
    unique_angles: tuple[NamedArray, ...]


@dataclass(frozen=True)
class Budget:
    """Parameters of multi-head attention at the width of the 2017 paper, for 1 head and for 8."""

    d_model: NamedArray
    heads: NamedArray
    d_heads: NamedArray
    projections: NamedArray
    output: NamedArray
    totals: NamedArray


@dataclass(frozen=True)
class Applications:
    """The same computation with other masks and shapes, in head 0 (untrained).

    `both_sides` and `causal` are attentions over the sentence, with `everything` or only `earlier` words allowed;
    `translation` is the cards looking at a longer sentence (n x m), `picture` the sentence looking at image patches.
    """

    everything: NamedArray
    earlier: NamedArray
    both_sides: AttentionTrace
    causal: AttentionTrace
    translation: AttentionTrace
    picture: AttentionTrace


class WorkedExample:
    """Every trace of the films for `words`, `d_model`, `n_heads` and `seed`.

    Raises ValueError for no words, an odd d_model, or heads that do not divide it, TypeError for words that are no text
    or sizes that are no whole numbers.
    """

    def __init__(self, words: tuple[str, ...], *, d_model: int = 8, n_heads: int = 4, seed: int = 0) -> None:
        if isinstance(words, str) or not all(isinstance(word, str) for word in words):
            raise TypeError(f"words must be a sequence of words, got {words!r}")
        if not len(words):
            raise ValueError("the worked example needs at least one word")
        check_even(d_model)
        check_heads(d_model, n_heads)
        self.words, self.d_model, self.n_heads = tuple(words), int(d_model), int(n_heads)
        self.seed = count(seed, "seed", least=0)

    def key(self) -> dict[str, object]:
        """What the example is made from, for receipts."""
        return {"words": list(self.words), "d_model": self.d_model, "n_heads": self.n_heads, "seed": self.seed}

    def digest(self) -> str:
        """SHA-256 over every array, its path and its shape: changes when any number of the films does."""
        return digest(self.arrays())

    def arrays(self) -> list[NamedArray]:
        """Every named array that a public property leads to, each once, so that a ledger's path can be checked."""
        members = [
            name for name, member in vars(WorkedExample).items() if isinstance(member, cached_property | property)
        ]
        traces = (getattr(self, name) for name in members if not name.startswith("_"))
        # Some properties lead to parts of others.
        return list({array.path: array for trace in traces for array in named_arrays(trace)}.values())

    @cached_property
    def _trained(self) -> tuple[Gallery, str]:
        """The trained models' gallery for the sentence, or for the stored one, and then why."""
        try:
            return gallery(" ".join(self.words)), ""
        except VocabularyError as reason:
            return gallery(), str(reason)
        except ModelMissing as reason:
            return gallery(), str(reason)

    @cached_property
    def trained(self) -> Gallery:
        """What trained models do: with the example's own sentence where the model can read it, see `trained_reason`."""
        return located(self._trained[0], "trained")

    @property
    def trained_reason(self) -> str:
        """Why the trained heads show the stored English sentence instead of the example's; empty when they do not.

        Chinese is not in the model's vocabulary; an English sentence of one's own needs `make model`.
        """
        return self._trained[1]

    @cached_property
    def attention(self) -> MultiHeadTrace:
        """The multi-head attention over the sentence's embeddings (no positions added)."""
        return located(self._layer(self._embeddings(self.words)), "attention")

    @cached_property
    def _layer(self) -> MultiHeadAttention:
        rng = np.random.default_rng(self.seed)
        w_q, w_k, w_v, w_o = (one_decimal(rng, (self.d_model, self.d_model)) for _ in range(4))
        return MultiHeadAttention(w_q, w_k, w_v, w_o, n_heads=self.n_heads)

    def _embeddings(self, words: tuple[str, ...]) -> NDArray[np.float64]:
        return np.array([embedding(word, self.d_model, self.seed) for word in words])  # (n, d_model)

    @property
    def heads(self) -> tuple[AttentionTrace, ...]:
        return self.attention.heads

    @cached_property
    def head_weights(self) -> tuple[NamedArray, ...]:
        """The columns of W_Q, W_K, W_V that belong to head 0, in that order: (d_model, d_head) each."""
        d_head = self.d_model // self.n_heads
        whole = (("w_q", self.attention.w_q), ("w_k", self.attention.w_k), ("w_v", self.attention.w_v))
        return tuple(
            NamedArray(w.values[:, :d_head], f"head_weights[{i}]", w.axes, name.upper())
            for i, (name, w) in enumerate(whole)
        )

    @cached_property
    def focus(self) -> int:
        """The word whose heads disagree most: the best query to follow through the films.

        Counted as the number of different favourite keys, ties broken by the mean distance between rows, then the first
        word is taken.
        """
        rows = np.array([head.weights.values for head in self.heads])  # (h, n, n)
        favourites = first_largest(rows)  # (h, n)
        different = np.array([len(set(favourites[:, i])) for i in range(len(self.words))])
        spread = np.abs(rows[:, None] - rows[None, :]).sum(axis=(0, 1, 3))
        return int(first_largest(np.where(different == different.max(), spread, -1.0)))

    @cached_property
    def cell(self) -> Product:
        """The focus word's first query feature in head 0: one row of X times one column of W_Q."""
        left, right = self.attention.x.values[self.focus], self.head_weights[0].values[:, 0]
        products = left * right
        return located(
            Product(
                left=NamedArray(left, "left", ("feature",), "a row of X"),
                right=NamedArray(right, "right", ("feature",), "a column of W_Q"),
                products=NamedArray(products, "products", ("feature",), "x w"),
                result=NamedArray(products.sum(), "result", (), "sum of x w"),
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
                q=NamedArray(head.q.values[i], "q", ("feature",)),
                matches=NamedArray(head.q.values[i] * head.k.values, "matches", ("key", "feature"), "q k"),
                scores=NamedArray(head.scores.values[i], "scores", ("key",), "q . k"),
                scaled=NamedArray(head.scaled.values[i], "scaled", ("key",), "q . k / sqrt(d_head)"),
                weights=NamedArray(weights, "weights", ("key",), "softmax"),
                shares=NamedArray(weights[:, None] * values, "shares", ("key", "feature"), "weight x value"),
                output=NamedArray(head.output.values[i], "output", ("feature",), "sum of weight x value"),
                weight_sum=NamedArray(weights.sum(), "weight_sum", (), "sum of weights"),
                strongest=NamedArray(first_largest(weights), "strongest", (), "key with the largest weight"),
                scale=NamedArray(np.sqrt(head.q.shape[-1]), "scale", (), "sqrt(d_head)"),
            ),
            "report",
        )

    @cached_property
    def sizes(self) -> Sizes:
        d_head, n = self.d_model // self.n_heads, len(self.words)
        return located(
            Sizes(
                words=NamedArray(n, "words", ()),
                d_model=NamedArray(self.d_model, "d_model", ()),
                heads=NamedArray(self.n_heads, "heads", ()),
                d_head=NamedArray(d_head, "d_head", ()),
                pairs=NamedArray(n * n, "pairs", (), "words x words"),
                cells=NamedArray(self.d_model // 2, "cells", (), "sine/cosine pairs"),
                word_places=NamedArray(np.arange(n), "word_places", ("token",)),
                head_numbers=NamedArray(np.arange(1, self.n_heads + 1), "head_numbers", ("head",)),
                feature_numbers=NamedArray(np.arange(self.d_model), "feature_numbers", ("feature",)),
            ),
            "sizes",
        )

    @cached_property
    def constants(self) -> Constants:
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

    @cached_property
    def waves(self) -> Waves:
        times = np.arange(LAST_POSITION * SAMPLES_PER_POSITION + 1) / SAMPLES_PER_POSITION
        lengths = wavelengths(self.d_model)
        compared = sinusoidal_at(COMPARED, self.d_model).reshape(len(COMPARED), -1, 2)
        fast = sinusoidal_at(np.arange(1, max(len(self.words), 2)), self.d_model)[:, :2]
        spread = 1 + first_largest(np.abs(fast[:, 0] - fast[:, 1]))
        gaps = np.linalg.norm(compared[1:] - compared[0], axis=-1)
        return located(
            Waves(
                positions=NamedArray(np.arange(LAST_POSITION + 1), "positions", ("position",)),
                times=NamedArray(times, "times", ("time",)),
                samples=NamedArray(sinusoidal_at(times, self.d_model), "samples", ("time", "feature"), "PE(pos)"),
                table=NamedArray(
                    sinusoidal(LAST_POSITION + 1, self.d_model), "table", ("position", "feature"), "PE(pos)"
                ),
                moments=NamedArray(_moments(), "moments", ("moment",)),
                between=NamedArray(
                    sinusoidal_at(_moments(), self.d_model), "between", ("moment", "feature"), "PE(pos)"
                ),
                pairs=NamedArray(np.arange(self.d_model // 2), "pairs", ("pair",)),
                wavelengths=NamedArray(lengths, "wavelengths", ("pair",), "2 pi 10000^(2i/d_model)"),
                divisors=NamedArray(1 / angular_frequencies(self.d_model), "divisors", ("pair",), "10000^(2i/d_model)"),
                paper_pace=NamedArray(angular_frequencies(PAPER_D_MODEL)[1], "paper_pace", (), "10000^(-2/512)"),
                compared=NamedArray(np.array(COMPARED), "compared", ("case",)),
                gaps=NamedArray(gaps, "gaps", ("case", "pair"), "|pair of compared[0] - pair of compared[case + 1]|"),
                telling=NamedArray(spread, "telling", (), "the word with the most different fast sine and cosine"),
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
        twin_steps = found[0][2] - found[0][1]
        hands_at = ("end", "hand")
        return located(
            Clock(
                positions=NamedArray(positions, "positions", ("position",)),
                table=NamedArray(table, "table", ("position", "feature"), "(sin, cos) of every hand"),
                degrees_per_token=NamedArray(np.degrees(omega), "degrees_per_token", ("hand",), "omega_i in degrees"),
                angles=NamedArray(
                    np.degrees(positions[:, None] * omega), "angles", ("position", "hand"), "omega_i pos"
                ),
                between=NamedArray(
                    np.degrees(_moments()[:, None] * omega), "between", ("moment", "hand"), "omega_i pos"
                ),
                ratio=NamedArray(np.power(10000.0, 2 / self.d_model), "ratio", (), "10000^(2/d_model)"),
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
                telling=NamedArray(self._telling(omega), "telling", (), "a word whose hands are easy to tell apart"),
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

    def _telling(self, omega: NDArray[np.float64]) -> int:
        """The word (not the first) whose fastest hand has two large coordinates and is far from the slowest hand."""
        angle = np.arange(1, max(len(self.words), 2))[:, None] * omega
        askew = np.minimum(np.abs(np.sin(angle[:, 0])), np.abs(np.cos(angle[:, 0])))
        return 1 + int(first_largest(askew * (1 - np.cos(angle[:, 0] - angle[:, -1]))))

    @cached_property
    def budget(self) -> Budget:
        heads = np.array([1, PAPER_HEADS])
        totals = np.array([attention_parameters(PAPER_D_MODEL, int(h)) for h in heads])
        return located(
            Budget(
                d_model=NamedArray(PAPER_D_MODEL, "d_model", ()),
                heads=NamedArray(heads, "heads", ("case",)),
                d_heads=NamedArray(PAPER_D_MODEL // heads, "d_heads", ("case",), "d_model / heads"),
                projections=NamedArray(
                    np.array([PAPER_D_MODEL * PAPER_D_MODEL] * 2), "projections", ("case",), "d_model^2"
                ),
                output=NamedArray(np.array([PAPER_D_MODEL * PAPER_D_MODEL] * 2), "output", ("case",), "d_model^2"),
                totals=NamedArray(totals, "totals", ("case",), "4 d_model^2"),
            ),
            "budget",
        )

    @cached_property
    def mlp(self) -> tuple[MLPTrace, MLPTrace]:
        """Two inputs through one small network: the first draw of weights that tells two different stories.

        That is: other outputs win, other neurons fire, and in each hidden layer some fire and some do not.
        """
        one, other = next(pair for pair in map(self._drawn_mlp, numbers()) if _tell_two_stories(*pair))
        return located(one, "mlp[0]"), located(other, "mlp[1]")

    def _drawn_mlp(self, attempt: int) -> tuple[MLPTrace, MLPTrace]:
        rng = np.random.default_rng([self.seed, MLP_STREAM, attempt])
        layers = [(one_decimal(rng, shape), one_decimal(rng, shape[1:], -0.5, 0.5)) for shape in pairwise(MLP_WIDTHS)]
        one, other = one_decimal(rng, (2, MLP_WIDTHS[0]), 0)
        return mlp(one, layers), mlp(other, layers)

    @cached_property
    def arrows(self) -> ArrowTrace:
        """A query and three keys of head 0: aligned, orthogonal, opposed, as nearly as the sentence has them."""
        return located(arrows(self.heads[0]), "arrows")

    @property
    def saturation(self) -> SaturationTrace:
        """Random dot products by width, scaled and not, and what softmax makes of them."""
        return experiments.saturation()

    @cached_property
    def bottleneck(self) -> BottleneckTrace:
        """The focus word's patterns in all heads, and their average."""
        return located(bottleneck(self.attention, self.focus), "bottleneck")

    @property
    def parameters(self) -> ParameterTrace:
        """Parameters of the 2017 paper's base model."""
        return experiments.parameters()

    @cached_property
    def ablation(self) -> AblationTrace:
        """What every head adds to the output, and the output without it."""
        return located(ablation(self.attention), "ablation")

    @property
    def recurrence(self) -> RecurrenceDraws:
        """How a recurrent net forgets its first token."""
        return experiments.recurrence()

    @property
    def costs(self) -> CostTrace:
        """Attention, recurrence, window and strided attention as the text grows."""
        return experiments.costs()

    @property
    def patterns(self) -> PatternTrace:
        """The masks of full, window and strided attention."""
        return experiments.patterns()

    def _positions(self, n: int) -> NDArray[np.float64]:
        return sinusoidal(n, self.d_model)

    @cached_property
    def order(self) -> OrderTrace:
        """The three cards, and the same cards the other way round."""
        x = self._embeddings(CARDS)
        return located(order_experiment(self._layer, x, self._positions(len(x)), CARDS_SHUFFLED), "order")

    @cached_property
    def sentence_order(self) -> OrderTrace:
        """The sentence's words, and the same words from last to first."""
        x = self.attention.x
        back = tuple(reversed(range(len(x))))
        return located(order_experiment(self._layer, x, self._positions(len(x)), back), "sentence_order")

    @cached_property
    def seats(self) -> SeatTrace:
        """The sentence's words with their seat numbers, and one word at two seats."""
        return located(seated(self.attention.x, self.words, self.head_weights[0]), "seats")

    @property
    def encoding_map(self) -> MapTrace:
        """The encoding of 20 positions at the paper's width, every cell."""
        return experiments.encoding_map()

    @property
    def similarity(self) -> SimilarityTrace:
        """Which positions are alike, at the paper's width."""
        return experiments.similarity()

    @cached_property
    def encoder_layer(self) -> EncoderLayerTrace:
        """A whole encoder layer over the seated sentence: the example's own heads, gain 1 and bias 0 in its norms.

        The feed-forward's weights have one decimal from -0.5 to 0.5, so that it does not drown what it is added to.
        """
        rng, d = np.random.default_rng([self.seed, FEED_FORWARD_STREAM]), self.d_model
        f = FEED_FORWARD_FACTOR * d
        w_1, b_1, w_2, b_2 = (one_decimal(rng, shape, -0.5, 0.5) for shape in ((d, f), (f,), (f, d), (d,)))
        trace = encoder_layer(self.seats.sums, self._layer, w_1, w_2, b_1=b_1, b_2=b_2)
        return located(trace, "encoder_layer")

    @cached_property
    def applications(self) -> Applications:
        """Masks and shapes of well-known uses, with the projections of head 0."""
        w_q, w_k, w_v = (w.values for w in self.head_weights)
        x, target, source = self.attention.x.values, self._embeddings(CARDS), self._embeddings(SOURCE)
        patches = one_decimal(np.random.default_rng([self.seed, PATCH_STREAM]), (PATCHES, self.d_model))
        everything, earlier = np.ones((len(x), len(x)), dtype=bool), causal_mask(len(x))
        q, k, v = x @ w_q, x @ w_k, x @ w_v
        pairs = ("query", "key")
        return located(
            Applications(
                everything=NamedArray(everything, "everything", pairs, "True = allowed"),
                earlier=NamedArray(earlier, "earlier", pairs, "True = allowed"),
                both_sides=located(attend(q, k, v, allowed=everything), "both_sides"),
                causal=located(attend(q, k, v, allowed=earlier), "causal"),
                translation=located(attend(target @ w_q, source @ w_k, source @ w_v), "translation"),
                picture=located(attend(q, patches @ w_k, patches @ w_v), "picture"),
            ),
            "applications",
        )

    @property
    def demo(self) -> DemoTrace:
        """The article's program, run line by line."""
        return experiments.demo()

    @cached_property
    def diagonal(self) -> DiagonalTrace:
        """How often a word's strongest key is itself."""
        return located(diagonal(self.attention), "diagonal")
