"""Digits that stand in a picture and that no row of the ledger accounts for."""

from collections.abc import Sequence

from scenes.kit.lesson import Row
from scripts.studio.reading.frames import Picture


def strays(picture: Picture, known: Sequence[Row]) -> list[tuple[str, tuple[float, float, float, float]]]:
    return []
