"""Reads the safetensors format: 8 bytes of length (little-endian), a JSON header, raw arrays.

Source: the format's description at https://github.com/huggingface/safetensors. A file is data from elsewhere, so every
length and offset is checked before it is used.
"""

import json
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

# bfloat16 and smaller have no type in NumPy.
_TYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "<i1",
    "U64": "<u8",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "<u1",
    "BOOL": "|b1",
}
# The format's own limit.
_LONGEST_HEADER = 100_000_000


class SafetensorsError(ValueError):
    """The bytes are not a sound safetensors file; the message says which part is not."""


def parse_safetensors(content: bytes) -> dict[str, NDArray[Any]]:
    """Every array in the bytes of a file, as read-only views. Raises SafetensorsError."""
    if len(content) < 8:
        raise SafetensorsError(f"{len(content)} bytes are too few: a header's length alone has 8")
    length = int.from_bytes(content[:8], "little")
    if length > min(len(content) - 8, _LONGEST_HEADER):
        raise SafetensorsError(f"the header would have {length} bytes, but {len(content) - 8} follow")
    data = memoryview(content)[8 + length :]
    arrays, spans = {}, []
    for name, entry in _header(content[8 : 8 + length]).items():
        if name != "__metadata__":
            arrays[name], span = _array(name, entry, data)
            spans.append(span)
    end = 0
    for start, stop in sorted(spans):
        if start != end:
            raise SafetensorsError(f"bytes {min(start, end)} to {max(start, end)} belong to no array, or to two")
        end = stop
    if end != len(data):
        raise SafetensorsError(f"the arrays end at byte {end}, but the data has {len(data)}")
    return arrays


def _header(text: bytes) -> dict[str, Any]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise SafetensorsError("a name stands twice in the header")
        return dict(pairs)

    try:
        header = json.loads(text.decode("utf-8"), object_pairs_hook=unique)
    # A number of thousands of digits is a ValueError, nesting of thousands of levels a RecursionError.
    except (ValueError, RecursionError) as error:
        if isinstance(error, SafetensorsError):
            raise
        raise SafetensorsError("the header is not JSON") from None
    if not isinstance(header, dict):
        raise SafetensorsError("the header is not a JSON object")
    return header


def _array(name: str, entry: Any, data: memoryview) -> tuple[NDArray[Any], tuple[int, int]]:
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise SafetensorsError(f"{name!r} must have dtype, shape and data_offsets")
    kind, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(kind, str) or kind not in _TYPES:
        raise SafetensorsError(f"{name!r} has the type {kind!r}, which is not one of {', '.join(_TYPES)}")
    if not _whole_numbers(shape):
        raise SafetensorsError(f"{name!r} has the shape {shape!r}")
    if not _whole_numbers(offsets) or len(offsets) != 2 or not offsets[0] <= offsets[1] <= len(data):
        raise SafetensorsError(f"{name!r} has the offsets {offsets!r} in {len(data)} bytes")
    dtype, (start, stop) = np.dtype(_TYPES[kind]), offsets
    if math.prod(shape) * dtype.itemsize != stop - start:
        raise SafetensorsError(f"{name!r} has {stop - start} bytes, but its shape {shape} and {kind} need others")
    try:
        array = np.frombuffer(data[start:stop], dtype=dtype).reshape(shape)
    except ValueError as error:
        raise SafetensorsError(f"{name!r} has the shape {shape!r}: {error}") from None
    return array, (start, stop)


def _whole_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(type(item) is int and item >= 0 for item in value)
