"""Formats: what a frame of each holds, how pictures show it, and sizes of type that follow the format."""

import pickle

import numpy as np
import pytest

from scenes.formats import FORMATS, LANDSCAPE, PHONE, SAFE, Format, current_format, use_format
from scenes.kit.captions import display_width, split_line
from scenes.kit.text import BODY, CAPTION, SMALLEST, TITLE, TextLine
from scenes.lessons import LESSONS
from scenes.settings import LANGUAGES
from scenes.words import load_words


@pytest.mark.parametrize("each", FORMATS.values(), ids=list(FORMATS))
def test_slots_lie_one_over_the_other_inside_the_safe_frame(each: Format) -> None:
    heights = [
        each.caption.bottom,
        each.caption.top,
        each.stage.bottom,
        each.stage.top,
        each.title.bottom,
        each.title.top,
    ]
    assert heights == sorted(heights)
    assert each.caption.bottom == pytest.approx(SAFE - each.height / 2)
    assert each.title.top == pytest.approx(each.height / 2 - SAFE)
    for slot in (each.title, each.stage, each.caption):
        assert -slot.left == slot.right == pytest.approx(each.width / 2 - SAFE)


def test_a_phone_s_film_360_pixels_wide_has_captions_of_15_and_digits_of_12() -> None:
    a_pixel = PHONE.width / 360
    assert PHONE.sizes.caption / 135 >= 15 * a_pixel
    assert PHONE.sizes.smallest / 135 >= 12 * a_pixel
    # Two rows of captions have room in their slot.
    assert 2 * 1.3 * PHONE.sizes.caption / 135 <= PHONE.caption.height


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("each", FORMATS.values(), ids=list(FORMATS))
def test_rows_of_captions_fit_their_slot_at_full_size(each: Format, language: str) -> None:
    rows = {
        row for lesson in LESSONS for line in load_words(language, lesson).say.values() for row in _rows(line, each)
    }
    assert len(rows) > 50
    with use_format(each.name):
        too_wide = [row for row in rows if TextLine(row, CAPTION).width > each.caption.width]
    assert too_wide == []


def _rows(line: str, each: Format) -> list[str]:
    with use_format(each.name):
        rows = [row for cue in split_line(line) for row in cue]
    assert all(display_width(row) <= each.caption_columns for row in rows)
    return rows


@pytest.mark.parametrize(("columns", "rows"), [(1920, 1080), (854, 480), (320, 180)])
def test_a_landscape_picture_is_filled_by_its_frame(columns: int, rows: int) -> None:
    canvas = LANDSCAPE.canvas(columns, rows)
    assert canvas.at(-64 / 9, 4) == pytest.approx((0, 0))
    assert canvas.at(64 / 9, -4) == pytest.approx((columns, rows))
    assert canvas.unit == rows / 8


def test_an_upright_picture_has_the_phone_s_frame_where_platforms_leave_it_free() -> None:
    canvas = PHONE.canvas(1080, 1920)
    assert canvas.at(-4, 5) == pytest.approx((120, 288))
    assert canvas.at(4, -5) == pytest.approx((888, 1248))
    assert canvas.place(504, 768) == pytest.approx((0, 0))
    whole = PHONE.canvas(1080, 1350)
    assert whole.at(-4, 5) == pytest.approx((0, 0)) and whole.at(4, -5) == pytest.approx((1080, 1350))


@pytest.mark.parametrize("shorter", [270, 480, 720, 1080, 2160])
def test_sizes_are_even_and_of_the_ratio(shorter: int) -> None:
    for each in FORMATS.values():
        width, height = each.size(shorter)
        assert min(width, height) == shorter and width % 2 == height % 2 == 0 and each.fits(width, height)


def test_a_size_of_type_is_that_of_the_format_in_force() -> None:
    assert current_format() is LANDSCAPE
    for each in FORMATS.values():
        with use_format(each.name):
            assert float(BODY) == each.sizes.body
            assert 2 * BODY == BODY * 2.0 == np.float64(2) * BODY == 2 * each.sizes.body
            assert (
                BODY + 1 == 1 + BODY == each.sizes.body + 1 and each.sizes.body - each.sizes.smallest == BODY - SMALLEST
            )
            assert max(1.0, BODY) == BODY and min(BODY, 1000) == BODY and BODY < TITLE and not BODY >= 1000
            assert f"{BODY:.1f} {BODY}" == f"{each.sizes.body:.1f} {each.sizes.body:g}"
            assert pickle.loads(pickle.dumps(BODY)) == BODY
            assert TextLine("x", BODY).drawn_size == pytest.approx(each.sizes.body)
