"""The results that are kept beside this module, and the rounding that keeps them the same on every machine.

Which command made which file, and each file's SHA-256, stand in README.md here.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FOLDER = Path(__file__).resolve().parent
UNIT = 1_000_000


def read(name: str, folder: Path = FOLDER) -> dict[str, NDArray[Any]]:
    """Every array of a stored file, read-only. Raises OSError when it is not there."""
    with np.load(folder / name, allow_pickle=False) as file:
        arrays = {key: np.asarray(file[key]) for key in file.files}
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def write(name: str, arrays: Mapping[str, NDArray[Any]], folder: Path = FOLDER) -> str:
    """Stores arrays; returns the file's SHA-256. Equal arrays give equal files, as NumPy writes no date into them."""
    np.savez_compressed(folder / name, allow_pickle=False, **arrays)
    return hashlib.sha256((folder / name).read_bytes()).hexdigest()


def millionths(weights: ArrayLike) -> NDArray[np.int64]:
    """Rows that sum to 1 as whole millionths that sum to a million: each is cut down, what is missing goes to those
    that lost most. Raises ValueError for rows that do not sum to 1.

    BLAS libraries differ in a float64's last digits; what the films show should not.
    """
    exact = np.asarray(weights, dtype=np.float64) * UNIT
    whole = np.floor(exact)
    missing = np.round(UNIT - whole.sum(axis=-1, keepdims=True))
    if not ((missing >= 0) & (missing <= exact.shape[-1])).all():
        raise ValueError("only rows that sum to 1 can be rounded together")
    order = np.argsort(whole - exact, axis=-1, kind="stable")
    place = np.argsort(order, axis=-1, kind="stable")
    return np.asarray(whole + (place < missing), dtype=np.int64)


def rounded(weights: ArrayLike) -> NDArray[np.float64]:
    """Rows that sum to 1, with six decimals."""
    return millionths(weights) / UNIT
