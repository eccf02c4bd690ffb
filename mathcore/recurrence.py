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

from mathcore.attention import as_float
from mathcore.named import Named, located

Array = NDArray[Any]


@dataclass(frozen=True)
class RecurrenceTrace:
    """A pass over x (n, d_in), and what is left of its first token after every step, 1 to n.

    `jacobian` (d, d_in) is the derivative of the LAST state by the first input, `sensitivity` (n,) the largest factor
    by which a small change of the first input is felt in each state, `share` the same relative to the first state, and
    `rate` the factor from one step to the next (geometric mean over the n - 1 steps after the first). `illustration`
    is not measured: it is what one fixed rate leaves after each step.
    """

    x: Named
    w_x: Named
    w_h: Named
    b: Named
    states: Named
    steps: Named
    jacobian: Named
    sensitivity: Named
    share: Named
    last_share: Named
    rate: Named
    illustrated_rate: Named
    illustration: Named


def elman(
    x: ArrayLike, w_x: ArrayLike, w_h: ArrayLike, b: ArrayLike, *, illustrated_rate: float = 0.9
) -> RecurrenceTrace:
    """h_t = tanh(x_t W_x + h_(t-1) W_h + b) from h_0 = 0, for x (n, d_in), w_x (d_in, d), w_h (d, d), b (d,).

    The sensitivity is the exact product of the steps' Jacobians; no differences are taken. Raises ValueError for shapes
    that do not fit, values that are not finite, or a w_x of zeros, which lets no input in.
    """
    parts = {name: as_float(part, name) for name, part in (("x", x), ("w_x", w_x), ("w_h", w_h), ("b", b))}
    x, w_x, w_h, b = parts.values()
    if x.ndim != 2 or len(x) < 1:
        raise ValueError(f"x must be (n, d_in) with at least one token, got {x.shape}")
    d_in, d = x.shape[1], b.shape[-1] if b.ndim else 0
    if w_x.shape != (d_in, d) or w_h.shape != (d, d) or b.shape != (d,) or d < 1:
        raise ValueError(f"w_x, w_h, b must be ({d_in}, d), (d, d), (d,), got {w_x.shape}, {w_h.shape}, {b.shape}")
    if not all(np.isfinite(part).all() for part in parts.values()):
        raise ValueError("x, w_x, w_h and b must be finite, but hold NaN or infinity")
    if not w_x.any():
        raise ValueError("w_x must not be all zeros: no input would reach a state")
    states = np.empty((len(x), d), dtype=np.result_type(*parts.values()))
    jacobians: list[Array] = []
    state = np.zeros(d, dtype=states.dtype)
    for t, token in enumerate(x):
        state = states[t] = np.tanh(token @ w_x + state @ w_h + b)  # (d,)
        slope = (1 - state**2)[:, None]  # (d, 1), of tanh
        jacobians.append(slope * (w_x.T if t == 0 else w_h.T @ jacobians[-1]))  # (d, d_in)
    sensitivity = np.linalg.norm(np.array(jacobians), ord=2, axis=(-2, -1))  # (n,)
    share = sensitivity / sensitivity[0]
    later = len(x) - 1
    step = ("step",)
    return RecurrenceTrace(
        x=Named(x, "x", ("token", "feature")),
        w_x=Named(w_x, "w_x", ("feature", "state")),
        w_h=Named(w_h, "w_h", ("state", "next_state")),
        b=Named(b, "b", ("state",)),
        states=Named(states, "states", ("step", "state"), "tanh(x_t W_x + h_(t-1) W_h + b)"),
        steps=Named(np.arange(1, len(x) + 1), "steps", step),
        jacobian=Named(jacobians[-1], "jacobian", ("state", "feature"), "d h_n / d x_1"),
        sensitivity=Named(sensitivity, "sensitivity", step, "largest singular value of d h_t / d x_1"),
        share=Named(share, "share", step, "sensitivity / sensitivity of h_1"),
        last_share=Named(share[-1], "last_share", (), "sensitivity of h_n / sensitivity of h_1"),
        rate=Named(share[-1] ** (1 / later) if later else 1.0, "rate", (), "last_share^(1 / (n - 1))"),
        illustrated_rate=Named(illustrated_rate, "illustrated_rate", ()),
        illustration=Named(illustrated_rate ** np.arange(1, len(x) + 1), "illustration", step, "rate^t"),
    )


@dataclass(frozen=True)
class RecurrenceDraws:
    """Random nets by how loudly their inputs drive them: `rates` (scales, draws), sorted in each row.

    `shown` is the draw in the middle of the last row.
    """

    scales: Named
    rates: Named
    shown: RecurrenceTrace


def recurrent_draws(n: int, d: int, scales: Sequence[float], seeds: Sequence[int]) -> RecurrenceDraws:
    """Untrained nets of width d over n random tokens of variance 1: one for each input scale and each seed.

    W_h is orthogonal, which by itself loses nothing: what is forgotten, tanh has flattened. Entries of W_x have a
    standard deviation of scale / sqrt(d); b is 0. Raises ValueError for no scales or no seeds.
    """
    if not len(scales) or not len(seeds):
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
        scales=Named(np.array(scales), "scales", ("case",)),
        rates=Named(
            np.array([[rate(trace) for trace in row] for row in rows]), "rates", ("case", "draw"), "rates, sorted"
        ),
        shown=located(rows[-1][len(seeds) // 2], "shown"),
    )
