"""A small recurrent net, and how much of its first input is left in its last state.

Source: Elman 1990, "Finding Structure in Time"; the product of Jacobians: Bengio, Simard and Frasconi 1994, "Learning
Long-Term Dependencies with Gradient Descent is Difficult". Gated nets (LSTM, GRU) forget at other rates.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mathcore.arguments import as_finite, count, real
from mathcore.named import NamedArray, located
from mathcore.numerics import in_range

Array = NDArray[Any]


@dataclass(frozen=True)
class RecurrenceTrace:
    """A pass over x (n, d_in), and what is left of its first token after every step, 1 to n.

    `jacobian` (d, d_in) is the derivative of the LAST state by the first input, `sensitivity` (n,) the largest factor
    by which a small change of the first input is felt in each state, `share` the same relative to the first state, and
    `rate` the factor from one step to the next (geometric mean over the n - 1 steps after the first). `illustration`
    is not measured: it is what one fixed rate leaves of the first state after each step, 1 at the first like `share`.
    """

    x: NamedArray
    w_x: NamedArray
    w_h: NamedArray
    b: NamedArray
    states: NamedArray
    steps: NamedArray
    jacobian: NamedArray
    sensitivity: NamedArray
    share: NamedArray
    last_share: NamedArray
    rate: NamedArray
    illustrated_rate: NamedArray
    illustration: NamedArray


def elman(
    x: ArrayLike, w_x: ArrayLike, w_h: ArrayLike, b: ArrayLike, *, illustrated_rate: float = 0.9
) -> RecurrenceTrace:
    """h_t = tanh(x_t W_x + h_(t-1) W_h + b) from h_0 = 0, for x (n, d_in), w_x (d_in, d), w_h (d, d), b (d,).

    The sensitivity is the exact product of the steps' Jacobians; no differences are taken. Raises ValueError for shapes
    that do not fit, values that are not finite, a w_x of zeros, which lets no input in, and a first state so saturated
    that no change of the input is felt in it.
    """
    parts = {name: as_finite(part, name) for name, part in (("x", x), ("w_x", w_x), ("w_h", w_h), ("b", b))}
    x, w_x, w_h, b = parts.values()
    if x.ndim != 2 or len(x) < 1:
        raise ValueError(f"x must be (n, d_in) with at least one token, got {x.shape}")
    d_in, d = x.shape[1], b.shape[-1] if b.ndim else 0
    if w_x.shape != (d_in, d) or w_h.shape != (d, d) or b.shape != (d,) or d < 1:
        raise ValueError(f"w_x, w_h, b must be ({d_in}, d), (d, d), (d,), got {w_x.shape}, {w_h.shape}, {b.shape}")
    if not w_x.any():
        raise ValueError("w_x must not be all zeros: no input would reach a state")
    if not 0 <= real(illustrated_rate, "illustrated_rate") <= 1:
        raise ValueError(f"illustrated_rate must be 0 to 1, got {illustrated_rate}")

    def driven(token: Array, state: Array) -> Array:
        return in_range("x_t W_x + h_(t-1) W_h + b", lambda: token @ w_x + state @ w_h + b)  # (d,)

    states = np.empty((len(x), d), dtype=np.result_type(*parts.values()))
    # Each Jacobian is kept as `jacobian` times 2^exponent, so that what many steps leave is not lost to underflow.
    state, jacobian, exponent = np.zeros(d, dtype=states.dtype), w_x.T, 0
    norms, exponents = np.empty(len(x), dtype=states.dtype), np.empty(len(x), dtype=int)
    for t, token in enumerate(x):
        before = driven(token, state)
        state = states[t] = np.tanh(before)  # (d,)
        jacobian = _slope(before)[:, None] * (jacobian if t == 0 else w_h.T @ jacobian)  # (d, d_in)
        shift = int(np.frexp(np.abs(jacobian).max())[1])
        jacobian, exponent = np.ldexp(jacobian, -shift), exponent + shift
        norms[t], exponents[t] = np.linalg.norm(jacobian, ord=2), exponent
    if not norms[0]:
        raise ValueError("the first state is saturated: no change of the first input is felt in it")
    relative = norms / norms[0], exponents - exponents[0]
    sensitivity = in_range("the sensitivity", lambda: np.ldexp(norms, exponents))  # (n,)
    share = in_range("the share", lambda: np.ldexp(*relative))  # (n,)
    later = len(x) - 1
    rate = float(share[-1]) ** (1 / later) if later else 1.0
    if later and relative[0][-1] and share[-1] < np.finfo(share.dtype).tiny:
        rate = 2.0 ** ((math.log2(relative[0][-1]) + float(relative[1][-1])) / later)
    step = ("step",)
    return RecurrenceTrace(
        x=NamedArray(x, "x", ("token", "feature")),
        w_x=NamedArray(w_x, "w_x", ("feature", "state")),
        w_h=NamedArray(w_h, "w_h", ("state", "next_state")),
        b=NamedArray(b, "b", ("state",)),
        states=NamedArray(states, "states", ("step", "state"), "tanh(x_t W_x + h_(t-1) W_h + b)"),
        steps=NamedArray(np.arange(1, len(x) + 1), "steps", step),
        jacobian=NamedArray(np.ldexp(jacobian, exponent), "jacobian", ("state", "feature"), "d h_n / d x_1"),
        sensitivity=NamedArray(sensitivity, "sensitivity", step, "largest singular value of d h_t / d x_1"),
        share=NamedArray(share, "share", step, "sensitivity / sensitivity of h_1"),
        last_share=NamedArray(share[-1], "last_share", (), "sensitivity of h_n / sensitivity of h_1"),
        rate=NamedArray(rate, "rate", (), "last_share^(1 / (n - 1))"),
        illustrated_rate=NamedArray(illustrated_rate, "illustrated_rate", ()),
        illustration=NamedArray(illustrated_rate ** np.arange(len(x)), "illustration", step, "rate^(t - 1)"),
    )


def _slope(x: Array) -> Array:
    """The derivative of tanh, 1 / cosh^2, which is not 0 where tanh is rounded to 1."""
    e = np.exp(-np.abs(x)) ** 2
    return np.asarray(4 * e / (1 + e) ** 2)


@dataclass(frozen=True)
class RecurrenceDraws:
    """Random nets by how loudly their inputs drive them: `rates` (scales, draws), sorted in each row.

    `shown` is the draw in the middle of the last row.
    """

    scales: NamedArray
    rates: NamedArray
    shown: RecurrenceTrace


def recurrent_draws(n: int, d: int, scales: Sequence[float], seeds: Sequence[int]) -> RecurrenceDraws:
    """Untrained nets of width d over n random tokens of variance 1: one for each input scale and each seed.

    W_h is orthogonal, which by itself loses nothing: what is forgotten, tanh has flattened. Entries of W_x have a
    standard deviation of scale / sqrt(d); b is 0. Raises ValueError for no scales or no seeds, or a scale that is 0.
    """
    n, d = count(n, "n"), count(d, "d")
    scales, seeds = [real(scale, "a scale") for scale in scales], [count(seed, "a seed", least=0) for seed in seeds]
    if not scales or not seeds:
        raise ValueError("at least one scale and one seed are needed")

    def draw(scale: float, seed: int) -> RecurrenceTrace:
        rng = np.random.default_rng([1990, seed])
        w_h = np.linalg.qr(rng.standard_normal((d, d)))[0]
        w_x = rng.standard_normal((d, d)) * scale / math.sqrt(d)
        return elman(rng.standard_normal((n, d)), w_x, w_h, np.zeros(d))

    def rate(trace: RecurrenceTrace) -> float:
        return trace.rate.entry().value

    rows = [sorted((draw(scale, seed) for seed in seeds), key=rate) for scale in scales]
    return RecurrenceDraws(
        scales=NamedArray(np.array(scales), "scales", ("case",)),
        rates=NamedArray(
            np.array([[rate(trace) for trace in row] for row in rows]), "rates", ("case", "draw"), "rates, sorted"
        ),
        shown=located(rows[-1][len(seeds) // 2], "shown"),
    )
