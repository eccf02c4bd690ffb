"""The safetensors reader: sound files are read exactly, everything else is refused."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mathcore.trained.safetensors import SafetensorsError, parse_safetensors

NAMES = {"<f8": "F64", "<f4": "F32", "<i8": "I64", "|u1": "U8", "<f2": "F16"}


def written(arrays: dict[str, NDArray[Any]]) -> bytes:
    header: dict[str, object] = {"__metadata__": {"format": "np"}}
    data = b""
    for name, array in arrays.items():
        content = np.ascontiguousarray(array).tobytes()
        offsets = [len(data), len(data) + len(content)]
        header[name] = {"dtype": NAMES[array.dtype.str], "shape": list(array.shape), "data_offsets": offsets}
        data += content
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def with_header(header: object, data: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


SAMPLE = {
    "weight": np.arange(6, dtype=np.float32).reshape(2, 3) / 7,
    "bias": np.array([1.5, -2.5]),
    "empty": np.zeros((0, 4), dtype=np.float32),
    "scalar": np.array(3, dtype=np.int64),
    "bytes": np.array([0, 255], dtype=np.uint8),
}


def test_arrays_come_back_exactly_and_read_only() -> None:
    read = parse_safetensors(written(SAMPLE))
    assert read.keys() == SAMPLE.keys()
    for name, array in SAMPLE.items():
        assert read[name].dtype == array.dtype
        assert read[name].shape == array.shape
        np.testing.assert_array_equal(read[name], array)
        with pytest.raises(ValueError, match="read-only"):
            read[name][...] = 0


def entry(**changes: object) -> dict[str, object]:
    return {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]} | changes


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "too few"),
        (b"1234567", "too few"),
        ((100).to_bytes(8, "little") + b"{}", "would have 100 bytes"),
        (b"\xff" * 8 + b"{}", "would have"),
        (with_header(b"[1, 2"), "not JSON"),
        (with_header(b"\xff\xfe"), "not JSON"),
        (with_header(b"[" * 100_000), "not JSON"),
        (with_header(b'{"a": ' + b"9" * 5000 + b"}"), "not JSON"),
        (with_header([]), "not a JSON object"),
        (with_header(b'{"a": 1, "a": 2}'), "stands twice"),
        (with_header({"a": 1}), "dtype, shape and data_offsets"),
        (with_header({"a": entry(more=1)}, bytes(8)), "dtype, shape and data_offsets"),
        (with_header({"a": entry(dtype="BF16")}, bytes(8)), "'BF16'"),
        (with_header({"a": entry(dtype=["F32"])}, bytes(8)), r"\['F32'\]"),
        (with_header({"a": entry(shape=[-2])}, bytes(8)), "shape"),
        (with_header({"a": entry(shape=[2.0])}, bytes(8)), "shape"),
        (with_header({"a": entry(shape=[True, 2])}, bytes(8)), "shape"),
        (with_header({"a": entry(shape=2)}, bytes(8)), "shape"),
        (with_header({"a": entry(shape=[0, 10**30], data_offsets=[0, 0])}), "shape"),
        (with_header({"a": entry(data_offsets=[0, 8])}, bytes(4)), "offsets"),
        (with_header({"a": entry(data_offsets=[8, 0])}, bytes(8)), "offsets"),
        (with_header({"a": entry(data_offsets=[-8, 0])}, bytes(8)), "offsets"),
        (with_header({"a": entry(data_offsets=[0])}, bytes(8)), "offsets"),
        (with_header({"a": entry(shape=[3])}, bytes(8)), "need others"),
        (with_header({"a": entry(), "b": entry()}, bytes(8)), "no array, or to two"),
        (with_header({"a": entry(data_offsets=[4, 12])}, bytes(12)), "no array, or to two"),
        (with_header({"a": entry()}, bytes(9)), "the data has 9"),
    ],
)
def test_a_file_that_is_not_sound_is_refused(content: bytes, complaint: str) -> None:
    with pytest.raises(SafetensorsError, match=complaint):
        parse_safetensors(content)


@given(st.data())
def test_damage_anywhere_is_refused_or_harmless(data: st.DataObject) -> None:
    content = bytearray(written(SAMPLE))
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    for damaged in (bytes(content), bytes(content[:cut])):
        try:
            arrays = parse_safetensors(damaged)
        except SafetensorsError:
            continue
        assert sum(array.nbytes for array in arrays.values()) <= len(damaged)
