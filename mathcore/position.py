"""Sinusoidal positional encoding: waves, clock hands, and rotation by an offset.

Source: Vaswani et al. 2017, section 3.5. Sine and cosine are interleaved: columns 2i and 2i + 1 hold
the sine and the cosine of pair i. Angles are computed in float64.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mathcore.arguments import count, real, whole
from mathcore.numerics import TIE

Array = NDArray[np.float64]

# Frequencies fall from 1 towards 1 / BASE; a sine and a cosine are a PAIR, the cosine in its place 1.
BASE, PAIR, COSINE = 10000.0, 2, 1
# Beyond, float64 does not tell one position from the next.
_FARTHEST = 2**53


def check_even(d_model: int) -> int:
    """Number of sine/cosine pairs; raises ValueError for an odd d_model or one below 2."""
    d_model = whole(d_model, "d_model")
    if d_model < 2 or d_model % 2:
        near = " or ".join(str(d) for d in (d_model - 1, d_model + 1) if d >= 2 and d % 2 == 0) or "2"
        raise ValueError(f"d_model must be even and at least 2, got {d_model}; nearest valid: {near}")
    return d_model // 2


def angular_frequencies(d_model: int) -> Array:
    """omega_i = 10000^(-2i / d_model), radians a token; shape (d_model / 2,), i the PAIR index."""
    n_pairs = check_even(d_model)
    return np.power(BASE, -np.arange(n_pairs) / n_pairs)


def wavelengths(d_model: int) -> Array:
    """2 pi / omega_i, tokens for a full turn; shape (d_model / 2,)."""
    return 2 * np.pi / angular_frequencies(d_model)


def sinusoidal_at(positions: ArrayLike, d_model: int) -> Array:
    """The encoding at any real positions (p,): shape (p, d_model).

    Raises TypeError for what is no real number, ValueError for NaN, infinity, and positions beyond 2^53, which float64
    does not tell apart.
    """
    where = np.asarray(positions)
    if where.dtype.kind not in "iuf":
        raise TypeError(f"positions must be real numbers, got {where.dtype}")
    where = where.astype(np.float64)
    if where.ndim != 1 or not np.isfinite(where).all():
        raise ValueError(f"positions must be one finite row, got shape {where.shape}")
    if np.abs(where).max(initial=0) > _FARTHEST:
        raise ValueError(f"positions must lie within 2^53 of 0, got {where[np.abs(where).argmax()]:g}")
    angle = where[:, None] * angular_frequencies(d_model)[None, :]  # (p, d_model / 2)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(len(where), d_model)


def sinusoidal(n_positions: int, d_model: int, *, start: int = 0) -> Array:
    """The encoding of positions start, start + 1, ...: shape (n_positions, d_model)."""
    n_positions, start = count(n_positions, "n_positions"), whole(start, "start")
    if max(-start, start + n_positions) > _FARTHEST:
        raise ValueError(f"positions must lie within 2^53 of 0, got {start} to {start + n_positions - 1}")
    return sinusoidal_at(np.arange(start, start + n_positions), d_model)


def shift_matrix(d_model: int, offset: float) -> Array:
    """M with PE(p + offset) = M PE(p) for every p: one 2 x 2 rotation a pair; shape (d_model, d_model)."""
    angle = real(offset, "offset") * angular_frequencies(d_model)
    matrix = np.zeros((d_model, d_model))
    even = PAIR * np.arange(len(angle))
    matrix[even, even] = matrix[even + 1, even + 1] = np.cos(angle)
    matrix[even, even + 1] = np.sin(angle)
    matrix[even + 1, even] = -np.sin(angle)
    return matrix


def clock_hands(position: float, d_model: int) -> Array:
    """Tips (x, y) = (sin, cos) of the hands at `position`: they start at twelve and run clockwise; (d_model / 2, 2)."""
    return sinusoidal_at([position], d_model).reshape(-1, 2)


def offset_products(d_model: int, n_offsets: int) -> Array:
    """PE(p) . PE(p + k) for k = 0, 1, ..., the same for every p: sum over i of cos(omega_i k); shape (n_offsets,)."""
    angle = np.arange(count(n_offsets, "n_offsets"))[:, None] * angular_frequencies(d_model)  # (n_offsets, d_model / 2)
    return np.asarray(np.cos(angle).sum(axis=-1))


def first_rise(d_model: int) -> int:
    """The smallest k with PE(p) . PE(p + k) < PE(p) . PE(p + k + 1): up to there similarity falls with distance."""
    n_offsets = 64
    while True:
        rising = np.flatnonzero(np.diff(offset_products(d_model, n_offsets)) > 0)
        if len(rising):
            return int(rising[0])
        n_offsets *= 2


def closest_pair(n_positions: int, d_model: int) -> tuple[float, int, int]:
    """The two positions in 0..n-1 whose encodings are nearest: (distance, first, second).

    The distance depends on the offset alone, so that all pairs of one offset are equally near: the one named is the
    first, which begins at 0. Of offsets whose distances differ by less than 1e-9 of themselves, it is the smallest, so
    that every machine names the same pair. Raises ValueError for fewer than two positions.
    """
    n_positions = whole(n_positions, "n_positions")
    if n_positions < 2:
        raise ValueError(f"a pair needs at least 2 positions, got {n_positions}")
    # |PE(p + k) - PE(p)|^2 = sum over i of 4 sin^2(omega_i k / 2), which loses no digits where the two are close.
    half = np.arange(1, n_positions)[:, None] * angular_frequencies(d_model) / 2  # (n - 1, d_model / 2)
    distances = 2 * np.linalg.norm(np.sin(half), axis=-1)  # (n - 1,)
    nearest = int(np.argmax(distances <= distances.min() * (1 + TIE)))
    return float(distances[nearest]), 0, nearest + 1
