"""Chapter 2, many heads: the word that they disagree about, head 0's part of the weights, and what heads cost."""

from dataclasses import dataclass

import numpy as np

from mathcore.attention import MultiHeadTrace
from mathcore.cost import attention_parameters
from mathcore.experiments import PAPER_D_MODEL, PAPER_HEADS
from mathcore.named import NamedArray, located
from mathcore.numerics import first_largest


@dataclass(frozen=True)
class HeadParameters:
    """Parameters of multi-head attention at the width of the 2017 paper, for 1 head and for 8."""

    d_model: NamedArray
    heads: NamedArray
    d_heads: NamedArray
    projections: NamedArray
    output: NamedArray
    totals: NamedArray


def focus(attention: MultiHeadTrace) -> int:
    """The word (its row) whose heads disagree most: the best query to follow through the films.

    Counted as the number of different favourite keys, ties broken by the mean distance between rows, then the first
    word is taken.
    """
    rows = np.array([head.weights.values for head in attention.heads])  # (h, n, n)
    favourites = first_largest(rows)  # (h, n)
    different = np.array([len(set(favourites[:, i])) for i in range(rows.shape[1])])  # (n,)
    spread = np.abs(rows[:, None] - rows[None, :]).sum(axis=(0, 1, 3))  # (n,)
    return int(first_largest(np.where(different == different.max(), spread, -1.0)))


def head_weights(attention: MultiHeadTrace) -> tuple[NamedArray, ...]:
    """The columns of W_Q, W_K, W_V that belong to head 0, in that order: (d_model, d_head) each."""
    d_head = attention.heads[0].q.shape[-1]
    whole = (("w_q", attention.w_q), ("w_k", attention.w_k), ("w_v", attention.w_v))
    return tuple(
        NamedArray(w.values[:, :d_head], f"head_weights[{i}]", w.axes, name.upper())
        for i, (name, w) in enumerate(whole)
    )


def head_parameters() -> HeadParameters:
    """The parameters at the paper's width: they do not depend on the number of heads."""
    heads = np.array([1, PAPER_HEADS])
    totals = np.array([attention_parameters(PAPER_D_MODEL, int(h)) for h in heads])
    square = np.array([PAPER_D_MODEL * PAPER_D_MODEL] * 2)
    return located(
        HeadParameters(
            d_model=NamedArray(PAPER_D_MODEL, "d_model", ()),
            heads=NamedArray(heads, "heads", ("case",)),
            d_heads=NamedArray(PAPER_D_MODEL // heads, "d_heads", ("case",), "d_model / heads"),
            projections=NamedArray(square, "projections", ("case",), "d_model^2"),
            output=NamedArray(square, "output", ("case",), "d_model^2"),
            totals=NamedArray(totals, "totals", ("case",), "4 d_model^2"),
        ),
        "head_parameters",
    )
