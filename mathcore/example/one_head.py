"""Chapter 1, one head: the example's sizes, a cell of a projection and one word's attention, counted out."""

from dataclasses import dataclass

import numpy as np

from mathcore.attention import AttentionTrace
from mathcore.named import NamedArray, located
from mathcore.numerics import first_largest


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

    `query_key_products` (m, d_head) holds q[i] * k[j, i], so that a row sums to the score; `weighted_values`
    (m, d_head) holds weights[j] * v[j, i], so that a column sums to the output.
    """

    q: NamedArray
    query_key_products: NamedArray
    scores: NamedArray
    scaled: NamedArray
    weights: NamedArray
    weighted_values: NamedArray
    output: NamedArray
    weight_sum: NamedArray
    strongest: NamedArray
    scale: NamedArray


def sizes(n: int, d_model: int, n_heads: int) -> Sizes:
    """The sizes for a sentence of n words."""
    return located(
        Sizes(
            words=NamedArray(n, "words", ()),
            d_model=NamedArray(d_model, "d_model", ()),
            heads=NamedArray(n_heads, "heads", ()),
            d_head=NamedArray(d_model // n_heads, "d_head", ()),
            pairs=NamedArray(n * n, "pairs", (), "words x words"),
            cells=NamedArray(d_model // 2, "cells", (), "sine/cosine pairs"),
            word_places=NamedArray(np.arange(n), "word_places", ("token",)),
            head_numbers=NamedArray(np.arange(1, n_heads + 1), "head_numbers", ("head",)),
            feature_numbers=NamedArray(np.arange(d_model), "feature_numbers", ("feature",)),
        ),
        "sizes",
    )


def product(x: NamedArray, w: NamedArray, row: int) -> Product:
    """The first cell of row `row` of X W, for X (n, d_model) and W (d_model, d_head)."""
    left, right = x.values[row], w.values[:, 0]
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


def report(head: AttentionTrace, query: int) -> Report:
    """The attention of one `query` (its row) in a head."""
    weights, values = head.weights.values[query], head.v.values
    q = head.q.values[query]
    return located(
        Report(
            q=NamedArray(q, "q", ("feature",)),
            query_key_products=NamedArray(q * head.k.values, "query_key_products", ("key", "feature"), "q k"),
            scores=NamedArray(head.scores.values[query], "scores", ("key",), "q . k"),
            scaled=NamedArray(head.scaled.values[query], "scaled", ("key",), "q . k / sqrt(d_head)"),
            weights=NamedArray(weights, "weights", ("key",), "softmax"),
            weighted_values=NamedArray(
                weights[:, None] * values, "weighted_values", ("key", "feature"), "weight x value"
            ),
            output=NamedArray(head.output.values[query], "output", ("feature",), "sum of weight x value"),
            weight_sum=NamedArray(weights.sum(), "weight_sum", (), "sum of weights"),
            strongest=NamedArray(first_largest(weights), "strongest", (), "key with the largest weight"),
            scale=NamedArray(np.sqrt(head.q.shape[-1]), "scale", (), "sqrt(d_head)"),
        ),
        "report",
    )
