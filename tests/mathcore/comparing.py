"""Comparing traces stage by stage, so that a failure names the first one that is wrong."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from mathcore.named import named_arrays


def stages(trace: object) -> dict[str, Any]:
    """Every intermediate of a trace by its path, in the order in which the trace lists them."""
    return {array.path: array.values for array in named_arrays(trace)}


def assert_same_stages(actual: Mapping[str, Any], expected: Mapping[str, Any], tolerance: float) -> None:
    """Fails at the FIRST of the expected stages that differs, and names it: what follows is only its consequence."""
    assert expected
    for stage, want in expected.items():
        got, wanted = np.asarray(actual[stage], dtype=float), np.asarray(want, dtype=float)
        assert got.shape == wanted.shape, f"stage {stage!r} has shape {got.shape}, expected {wanted.shape}"
        error = np.abs(got - wanted)
        # Written so that NaN fails.
        if not (error <= tolerance).all():
            worst = np.unravel_index(int(np.nan_to_num(error, nan=np.inf).argmax()), error.shape)
            place = [int(i) for i in worst]
            pytest.fail(f"stage {stage!r} diverged first: at {place} got {got[worst]!r}, expected {wanted[worst]!r}")
