"""Our camera draws what manim's own draws, to the last bit; parsed text comes back from disk as it was."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cairo
import numpy as np
import pytest
from manim import (
    BLUE,
    LEFT,
    RED,
    RIGHT,
    UP,
    Annulus,
    Arc,
    Camera,
    Circle,
    Dot,
    Line,
    MathTypst,
    Mobject,
    Rectangle,
    RoundedRectangle,
    Square,
    Star,
    VGroup,
    VMobject,
    tempconfig,
)

from scenes.kit import outline_cache
from scenes.kit.formula import formula
from scenes.kit.text import TextLine, _outline
from scenes.lessons import LESSONS
from scenes.settings import Quality, load_settings
from scripts.studio.renderer import camera as camera_module
from scripts.studio.renderer import paths
from scripts.studio.renderer.camera import WholePathCamera
from scripts.studio.stage import manim_configured, play_lesson

pytestmark = [
    pytest.mark.xdist_group("renderer"),
    # Manim's own way of drawing images; Pillow is kept below the version that drops it.
    pytest.mark.filterwarnings("ignore:'mode' parameter:DeprecationWarning:manim.camera"),
]
Pixels = np.ndarray[Any, np.dtype[np.uint8]]


@pytest.fixture(autouse=True)
def configured(tmp_path: Path) -> Iterator[None]:
    with manim_configured(Quality("small", 320, 180, 2), tmp_path):
        yield


class Digests:
    """A digest for each drawn frame."""

    def __init__(self) -> None:
        self.found: list[tuple[str, int]] = []

    def write(self, frame: Pixels, repeat: int) -> None:
        self.found.append((hashlib.sha256(frame.data).hexdigest(), repeat))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", [*LESSONS, "opening", "closing"])
def test_every_frame_of_a_lesson_is_that_of_manims_own_camera(name: str, language: str) -> None:
    ours, stock = Digests(), Digests()
    settings = load_settings().with_overrides(language=language)
    play_lesson(name, settings, language, (ours,))
    play_lesson(name, settings, language, (stock,), stock=True)
    assert len(set(ours.found)) > 5
    assert ours.found == stock.found


def drawn(camera: Camera, *shapes: Mobject) -> Pixels:
    camera.reset()
    camera.capture_mobjects(shapes)
    return np.array(camera.pixel_array)


def shapes() -> list[VMobject]:
    broken = Square(fill_opacity=1)
    broken.points[3] = np.nan
    several: Any = [RED, BLUE]
    gradient = Circle(radius=2, fill_opacity=0.8).set_fill(several).set_stroke(several, 8)
    glow = Star(fill_opacity=0.5, color=RED).set_stroke(BLUE, 12, background=True)
    return [
        Square(), Circle(fill_opacity=1), RoundedRectangle(), Line(LEFT, RIGHT), Star(fill_opacity=0.3), Dot(), Arc(),
        Annulus(), Rectangle(stroke_width=0), VMobject(), gradient, glow, broken, TextLine("Ag %8i 注意"),
        *formula('op("softmax")(Q K^T / sqrt(d_k)) V', 64).submobjects,
    ]  # fmt: skip


def path_of(camera: Camera, shape: VMobject) -> list[tuple[int, tuple[float, ...]]]:
    context = cairo.Context(cairo.ImageSurface(cairo.FORMAT_ARGB32, 4, 4))
    camera.set_cairo_context_path(context, shape)
    return [(kind, tuple(numbers)) for kind, numbers in context.copy_path()]


def test_every_kind_of_shape_has_the_same_path_and_pixels() -> None:
    assert paths.appender() is not None, "whole paths cannot be handed to this cairo: films are rendered slowly"
    ours, stock = WholePathCamera(), Camera()
    for shape in shapes():
        for _ in range(2):
            assert path_of(ours, shape) == path_of(stock, shape)
            assert np.array_equal(drawn(ours, shape), drawn(stock, shape))
        shape.shift(UP * 0.3)
        assert np.array_equal(drawn(ours, shape), drawn(stock, shape))


def test_paths_with_every_sort_of_break_are_the_same() -> None:
    ours, stock, random = WholePathCamera(), Camera(), np.random.default_rng(1)
    for size in range(1, 300):
        corners = random.integers(-1, 2, size=(size, 3)).astype(float)
        shape = VMobject(fill_opacity=1)
        shape.points = np.repeat(corners, random.integers(1, 5, size=size), axis=0)
        assert path_of(ours, shape) == path_of(stock, shape)


def test_nearly_meeting_curves_meet_as_manim_decides() -> None:
    ours, stock = WholePathCamera(), Camera()
    for gap in (0.0, 9e-7, 1.1e-6, 1.09e-5, 1.2e-5, 1e-3):
        shape = Square(fill_opacity=1)
        shape.points[-1] += gap
        shape.points[4] -= gap
        assert path_of(ours, shape) == path_of(stock, shape)


def test_without_the_c_interface_manims_own_way_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_module, "appender", lambda: None)
    assert np.array_equal(drawn(WholePathCamera(), *shapes()), drawn(Camera(), *shapes()))


def test_another_cairo_than_the_bindings_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cairo, "cairo_version_string", lambda: "0.0.0")
    paths.appender.cache_clear()
    try:
        assert paths.appender() is None
    finally:
        monkeypatch.undo()
        paths.appender.cache_clear()


def test_what_cannot_be_seen_is_not_laid_out() -> None:
    camera = WholePathCamera()
    drawn(camera, VGroup(Square(stroke_opacity=0), Square(stroke_width=0)))
    assert len(camera._laid) == 0


@pytest.mark.parametrize("source", ["Q = X W_Q", 'op("softmax")(Q K^T / sqrt(d_k)) V', "{{ a + b : sum }} / c"])
def test_a_formula_is_the_picture_that_typst_sets(source: str) -> None:
    with tempconfig({"pixel_width": 1920}):
        typst = (
            MathTypst(source, font_size=48, color="#FFFFFF", use_svg_cache=False).scale(64 / 90).set_color("#FF8800")
        )
        larger = typst.copy().scale(2)
    ours = formula(source, 64, "#FF8800")
    for one, other in ((ours, typst), (ours.copy().scale(2), larger)):
        difference = drawn(Camera(), one).astype(int) - drawn(Camera(), other)
        # A bar's width is multiplied in another order.
        assert np.abs(difference).max() <= 1
    if "sum" in source:
        assert ours.select("sum").width == pytest.approx(typst.select("sum").width)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ATTENTION_FILMS_CACHE", str(tmp_path / "cache"))
    _outline.cache_clear()
    return tmp_path / "cache"


def test_parsed_text_is_kept_and_a_damaged_file_heals(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, em = _outline("Attention 注意", False)
    files = [p for p in own_cache.rglob("*") if p.is_file()]
    if not files:
        pytest.fail("the font's file is not known here (fc-match), so nothing is kept")
    whole = [path.read_bytes() for path in files]
    for damage in (lambda data: data[:40], lambda data: b"", lambda data: data[:-1] + bytes([data[-1] ^ 1])):
        for path, data in zip(files, whole, strict=True):
            path.write_bytes(damage(data))
        _outline.cache_clear()
        again, em_again = _outline("Attention 注意", False)
        assert np.array_equal(first, again) and em == em_again
        assert [path.read_bytes() for path in files] == whole
    monkeypatch.setattr("scenes.kit.text._parse", lambda text, bold: pytest.fail("parsed again"))
    _outline.cache_clear()
    again, em_again = _outline("Attention 注意", False)
    assert np.array_equal(first, again) and em == em_again


def test_a_disk_that_takes_nothing_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("ATTENTION_FILMS_CACHE", str(tmp_path / "file" / "inside"))
    header, (points,) = outline_cache.cached(["x"], lambda: ({"a": 1}, [np.ones((4, 3))]))
    assert header == {"a": 1} and points.shape == (4, 3)
