"""Parsed text and formulas, kept on disk from one run to the next as bare numbers.

A file holds a checksum, a header and the arrays; one that is damaged, cut or of another time is made again.
What cannot be kept (no font file known, a full or read-only disk) is only parsed again.
"""

import contextlib
import hashlib
import json
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scenes.cache_folder import cache_folder
from scenes.font_file import font_digest
from scenes.whole_file import whole_file

# Counted up when what is kept, or how, changes.
_FORM = 1
_CHECK = hashlib.sha256().digest_size
Outlines = tuple[dict[str, Any], list[NDArray[np.float64]]]


def cached(key: Sequence[object], make: Callable[[], Outlines]) -> Outlines:
    """A header (JSON) and arrays (n, 3), from disk if they are there, else made and put there."""
    font = font_digest()
    if not font:
        return make()
    versions = [version(package) for package in ("manim", "manimpango", "typst")]
    name = hashlib.sha256(json.dumps([_FORM, font, versions, *key]).encode()).hexdigest()
    path = cache_folder() / "outlines" / name[:2] / name
    found = _read(path)
    if found is None:
        found = make()
        with contextlib.suppress(OSError):
            _write(path, *found)
    return found


def _read(path: Path) -> Outlines | None:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if len(data) < _CHECK or hashlib.sha256(data[_CHECK:]).digest() != data[:_CHECK]:
        return None
    head, _, numbers = data[_CHECK:].partition(b"\n")
    told = json.loads(head)
    whole = np.frombuffer(numbers).reshape(-1, 3)
    return told["header"], np.split(whole, np.cumsum(told["lengths"])[:-1]) if told["lengths"] else []


def _write(path: Path, header: dict[str, Any], arrays: list[NDArray[np.float64]]) -> None:
    head = json.dumps({"header": header, "lengths": [len(array) for array in arrays]}).encode()
    data = head + b"\n" + b"".join(np.ascontiguousarray(array, dtype=np.float64).tobytes() for array in arrays)
    with whole_file(path) as stream:
        stream.write(hashlib.sha256(data).digest() + data)
