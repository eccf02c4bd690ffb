"""Where a lesson is played: manim set up from our settings alone."""

import scripts.studio.plain_manim  # noqa: F401 - before manim is loaded

# isort: split
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from configparser import ConfigParser
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any

import manim
from manim import config, tempconfig

from scenes.formats import FORMATS, use_format
from scenes.kit.lesson import Lesson
from scenes.kit.speech import LineTimes
from scenes.lessons import module_of
from scenes.settings import Quality, Settings
from scripts.studio.pieces import Piece
from scripts.studio.renderer.camera import WholePathCamera
from scripts.studio.renderer.families import shortcuts
from scripts.studio.renderer.film import CaptionBand, Sink, StudioRenderer

Speech = Callable[[Mapping[str, str]], Mapping[str, LineTimes]]
"""Called with a lesson's lines by beat, says when their words are heard."""


@contextmanager
def manim_configured(quality: Quality, scratch: Path) -> Iterator[None]:
    """Manim with its shipped defaults, our sizes and format: a manim.cfg in the folder or the home changes nothing."""
    canvas = FORMATS[quality.format].canvas(quality.width, quality.height)
    with tempconfig({}), use_format(quality.format):
        shipped = ConfigParser()
        shipped.read(Path(manim.__file__).parent / "_config" / "default.cfg", encoding="utf-8")
        config.digest_parser(shipped)
        config.update(
            {
                "pixel_width": quality.width,
                "pixel_height": quality.height,
                "frame_rate": quality.fps,
                "frame_height": canvas.height,
                "frame_width": canvas.width,
                "disable_caching": True,
                "progress_bar": "none",
                "verbosity": "ERROR",
                "media_dir": str(scratch),
            }
        )
        yield


def lesson_class(name: str) -> type[Lesson]:
    """The lesson's class, from its module."""
    module = import_module(module_of(name))
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Lesson) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise LookupError(f"{module.__name__} must have exactly one lesson class, it has {len(found)}")
    return found[0]


def lines_of(piece: Piece, settings: Settings, language: str) -> dict[str, str]:
    """The lines of a piece by beat, without playing it."""
    with tempfile.TemporaryDirectory() as scratch, manim_configured(settings.render.quality, Path(scratch)):
        lesson = lesson_class(piece.lesson)(StudioRenderer(), settings=settings, language=language, **options_of(piece))
        return lesson.lines()


def options_of(piece: Piece) -> dict[str, Any]:
    """Arguments of a piece's class besides settings and language."""
    return {"chapter": piece.chapter} if piece.lesson == "chapter" else {}


def play_lesson(
    name: str,
    settings: Settings,
    language: str,
    sinks: tuple[Sink, ...] = (),
    *,
    captions: bool = True,
    stock: bool = False,
    fast_forward: bool = False,
    watchers: tuple[Callable[[Lesson], None], ...] = (),
    frame_watchers: tuple[Callable[[Lesson], None], ...] = (),
    frames_of: Callable[[int], Sequence[int]] = range,
    speech: Speech | None = None,
    **options: Any,
) -> Lesson:
    """Play a lesson into `sinks` (none: keep time and ledger only) and return it. Manim must be configured.

    `stock` draws with manim's own camera, families and copies; without `speech` the film goes by reading time;
    `fast_forward` leaves out what is only between two states, where no frames are wanted.
    `watchers` are called at the end of every beat, `frame_watchers` with every frame. Without sinks, `frames_of` may
    choose a few of a play's frames to be computed: given how many there are, their numbers in order.
    """
    renderer = StudioRenderer(sinks, camera=manim.Camera if stock else WholePathCamera, fast_forward=fast_forward)
    with nullcontext() if stock else shortcuts():
        lesson = lesson_class(name)(renderer, settings=settings, language=language, **options)
        if captions:
            renderer.captions = CaptionBand(lesson)
        if speech is not None:
            lesson.speech = speech(lesson.lines())
        lesson.watchers += watchers
        lesson.frame_watchers += frame_watchers
        lesson.frames_of = frames_of
        lesson.render()
    return lesson
