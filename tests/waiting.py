"""Waiting for what another process does. The time that it takes decides nothing; only never is a failure."""

import time
from collections.abc import Callable

_LOOK_EVERY = 0.05


def wait_until(condition: Callable[[], object], what: str, seconds: float = 60.0) -> None:
    """Wait until a condition holds; AssertionError with `what` never came, after so many seconds without."""
    for _ in range(round(seconds / _LOOK_EVERY)):
        if condition():
            return
        time.sleep(_LOOK_EVERY)
    raise AssertionError(f"{what}, within {seconds:g} s")
