"""Pictures of the kit are those that are stored: pixel by pixel where they were drawn with the same versions."""

import json

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from scripts.kit_pictures import FOLDER, PICTURES, SIZE, drawn, made_with

# Manim's own way of drawing images; Pillow is kept below the version that drops it.
pytestmark = pytest.mark.filterwarnings("ignore:'mode' parameter:DeprecationWarning:manim.camera")
# Another cairo, Pango or font places edges otherwise: so many pixels may differ much, and all so much on average.
MUCH, SHARE, MEAN = 48, 0.02, 2.0


def unlike(now: NDArray[np.uint8], stored: NDArray[np.uint8], *, exact: bool) -> str:
    """How two pictures differ, where they differ more than they may."""
    if now.shape != stored.shape:
        return f"has the shape {now.shape}, stored is {stored.shape}"
    apart = np.abs(now.astype(int) - stored).max(axis=2)
    shares = f"{(apart > 0).mean():.2%} of the pixels differ, {(apart > MUCH).mean():.2%} much"
    told = f"{shares}, by {apart.mean():.2f} on average"
    return told if (apart.any() if exact else (apart > MUCH).mean() > SHARE or apart.mean() > MEAN) else ""


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_the_stored_one(name: str) -> None:
    path = FOLDER / f"{name}.png"
    assert path.is_file(), f"{path} is missing; look at what `make pictures-accept` writes, and commit it"
    exact = json.loads((FOLDER / "made_with.json").read_text(encoding="utf-8")) == made_with()
    with Image.open(path) as image:
        stored = np.asarray(image.convert("RGB"))
    different = unlike(drawn(name), stored, exact=exact)
    assert not different, (
        f"{name}: {different}; if it is meant, look at what `make pictures-accept` writes, and commit it"
    )


def test_no_picture_is_stored_that_nothing_draws() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == set(PICTURES)


def test_a_picture_that_differs_is_noticed() -> None:
    page = np.zeros((SIZE.height, SIZE.width, 3), np.uint8)
    moved, faint = page.copy(), page.copy()
    moved[100:140, 100:160], faint[0, 0] = 200, 1
    assert unlike(page, page, exact=True) == ""
    assert unlike(faint, page, exact=True) and not unlike(faint, page, exact=False)
    assert unlike(moved, page, exact=False) and unlike(page[:-1], page, exact=False)
