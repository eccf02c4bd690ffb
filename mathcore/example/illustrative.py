"""Embeddings and weights of the worked example: drawn from a seed, with ONE decimal, not trained.

One decimal, so that each product on screen can be checked with pencil and paper.
"""

import hashlib

import numpy as np
from numpy.typing import NDArray

from mathcore.attention import MultiHeadAttention


def one_decimal(
    rng: np.random.Generator, shape: tuple[int, ...], lowest: float = -1.0, highest: float = 1.0
) -> NDArray[np.float64]:
    """Values lowest, lowest + 0.1, ..., highest, all equally likely."""
    return rng.integers(round(10 * lowest), round(10 * highest) + 1, size=shape) / 10


def embedding(word: str, d_model: int, seed: int) -> NDArray[np.float64]:
    """The vector (d_model,) of a word: the same for every place it stands in, upper and lower case alike."""
    digest = hashlib.sha256(f"{seed}\0{word.casefold()}".encode()).digest()
    return one_decimal(np.random.default_rng(int.from_bytes(digest[:16], "big")), (d_model,))


def embeddings(words: tuple[str, ...], d_model: int, seed: int) -> NDArray[np.float64]:
    """The vectors (n, d_model) of some words."""
    return np.array([embedding(word, d_model, seed) for word in words])


def attention_layer(d_model: int, n_heads: int, seed: int) -> MultiHeadAttention:
    """Multi-head attention with W_Q, W_K, W_V and W_O (d_model, d_model) each."""
    rng = np.random.default_rng(seed)
    w_q, w_k, w_v, w_o = (one_decimal(rng, (d_model, d_model)) for _ in range(4))
    return MultiHeadAttention(w_q, w_k, w_v, w_o, n_heads=n_heads)
