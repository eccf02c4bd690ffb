"""The gallery: whatever a lesson can say has a picture and says what it is for."""

import inspect
from pathlib import Path

import numpy as np
import pytest

from scenes.kit import layout
from scenes.kit.layout import Stage
from scenes.kit.verbs import Verbs
from scripts.gallery import page, pictures_of
from scripts.studio.gallery import GALLERY, STAGE, VERBS

# What arrangements and blocks are made of, and where a stage comes from: no lesson draws these by themselves.
PARTS = {"Arrangement", "Block", "Flexible", "Link", "Reach", "Slot", "Stage", "grouped", "is_upright"}
# Arrangements within arrangements: their pictures are those of the stage's verbs.
INNER = {"along", "column", "equation", "grid", "row", "table"}


def own_names(kind: type) -> set[str]:
    return {name for name, value in vars(kind).items() if callable(value) and not name.startswith("_")}


def test_every_verb_has_a_picture() -> None:
    shown = {entry.name for entry in GALLERY}
    assert {f"stage.{name}" for name in own_names(Stage)} <= shown
    assert {f"self.{name}" for name in own_names(Verbs) - {"obstacles"}} <= shown
    assert set(layout.__all__) - PARTS - INNER <= shown


def test_every_entry_says_what_it_is_for_in_a_sentence() -> None:
    for entry in GALLERY:
        assert len(entry.about) > 15 and entry.about.rstrip("`")[-1] in ".;:", entry.name


@pytest.mark.filterwarnings("ignore:'mode' parameter:DeprecationWarning:manim.camera")
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_picture_shows_something(theme: str) -> None:
    for entry in GALLERY:
        pictures = pictures_of(entry, "phone" if entry.page == STAGE else "landscape", theme)
        assert len(pictures) == (3 if entry.moves else 1)
        assert max(float(np.ptp(picture.astype(int), axis=(0, 1)).max()) for picture in pictures) > 60, entry.name


def test_what_moves_is_shown_moving() -> None:
    for entry in (each for each in GALLERY if each.page == VERBS and each.name not in ("self.veil", "self.wake")):
        first, *_, last = pictures_of(entry, "landscape", "dark")
        assert (first != last).any(), entry.name
        assert first.shape == last.shape


def test_the_page_names_every_entry_and_its_pictures(tmp_path: Path) -> None:
    text = page({STAGE: [(GALLERY[0], ["a.png", "b.png"])], VERBS: [(GALLERY[-1], ["c.png"])]})
    assert text.count("<img") == 3 and "stage.place" in text and inspect.getdoc(Stage.place) is not None
    assert GALLERY[0].about.split(",")[0] in text
