"""Where a lesson is played: manim set up from our settings alone, and a renderer that hands frames to sinks."""

from collections.abc import Callable, Iterator
from configparser import ConfigParser
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import manim
import numpy as np
from manim import CairoRenderer, Scene, config, tempconfig
from manim.scene.scene_file_writer import SceneFileWriter
from numpy.typing import NDArray

from scenes.kit.captions import Cue
from scenes.kit.layout import CAPTION_SLOT, FRAME_HEIGHT, FRAME_WIDTH
from scenes.kit.lesson import Lesson
from scenes.kit.text import TextLine
from scenes.kit.theme import use_theme
from scenes.settings import LESSONS, Quality, Settings

Frame = NDArray[np.uint8]

CARDS = ("opening", "chapter", "closing")
CAPTION_SIZE = 36


class Sink(Protocol):
    """Something that takes finished frames, (height, width, 4) uint8, each shown `repeat` times."""

    def write(self, frame: Frame, repeat: int) -> None: ...


class _NoFiles(SceneFileWriter):
    """Manim's writer without its files: sections are kept, segments are not."""

    def begin_animation(self, *args: Any, **kwargs: Any) -> None: ...

    def end_animation(self, allow_write: bool = False) -> None: ...

    def finish(self) -> None: ...


class StudioRenderer(CairoRenderer):
    """Draws frames and hands them to `sinks`; with no sinks it draws nothing and only keeps time.

    `captions` gives the cues known so far; they are laid over finished frames, so that what moves
    below them need not be drawn again.
    """

    def __init__(self, sinks: tuple[Sink, ...] = (), captions: "CaptionBand | None" = None) -> None:
        super().__init__(file_writer_class=_NoFiles)
        self.sinks, self.captions = sinks, captions
        self.frames = 0

    def play(self, scene: Scene, *args: Any, **kwargs: Any) -> None:
        scene.compile_animation_data(*args, **kwargs)
        scene.begin_animations()
        self.save_static_frame_data(scene, scene.static_mobjects)
        if scene.is_current_animation_frozen_frame():
            self.update_frame(scene, mobjects=scene.moving_mobjects)
            self.freeze_current_frame(scene.duration)
        else:
            scene.play_internal()
        self.num_plays += 1

    def update_frame(self, *args: Any, **kwargs: Any) -> None:
        if self.sinks:
            super().update_frame(*args, **kwargs)

    def add_frame(self, frame: Any, num_frames: int = 1) -> None:
        self.time += num_frames / self.camera.frame_rate
        while num_frames > 0:
            shown, count = frame, num_frames
            if self.captions is not None and self.sinks:
                shown, count = self.captions.over(frame, self.frames, num_frames)
            for sink in self.sinks:
                sink.write(shown, count)
            self.frames += count
            num_frames -= count

    def scene_finished(self, scene: Scene) -> None: ...


class CaptionBand:
    """Draws cues over frames in the caption slot."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self._drawn: dict[tuple[str, ...], Frame] = {}

    def over(self, frame: Frame, number: int, count: int) -> tuple[Frame, int]:
        """The frame with the cue of frame `number`, and how many of the next `count` frames look the same."""
        cues = self.lesson.pending_cues
        cue = next((c for c in reversed(cues) if c.start <= number), None)
        following = next((c.start for c in cues if c.start > number), number + count)
        count = min(count, following - number)
        if cue is None:
            return frame, count
        overlay = self._drawn.get(cue.rows)
        if overlay is None:
            overlay = self._drawn[cue.rows] = self._draw(cue, frame.shape)
        alpha = overlay[..., 3:].astype(np.uint16)
        top = frame.shape[0] - overlay.shape[0]
        shown = frame.copy()
        band = shown[top:, :, :3].astype(np.uint16)
        # The overlay is premultiplied, as cairo draws it.
        shown[top:, :, :3] = (overlay[..., :3] + (band * (255 - alpha) + 127) // 255).astype(np.uint8)
        return shown, count

    def _draw(self, cue: Cue, shape: tuple[int, ...]) -> Frame:
        with use_theme(self.lesson.settings.render.theme):
            lines = caption_lines(cue)
        camera = manim.Camera(background_opacity=0, background_color="#000000")
        camera.capture_mobjects(lines)
        top = round(shape[0] * (FRAME_HEIGHT / 2 - CAPTION_SLOT.top) / FRAME_HEIGHT)
        return np.array(camera.pixel_array[top:])


def caption_lines(cue: Cue) -> list[TextLine]:
    """A cue's rows where they stand in the caption slot."""
    lines = [TextLine(row, CAPTION_SIZE) for row in cue.rows]
    step = 1.3 * CAPTION_SIZE / 135
    middle = CAPTION_SLOT.centre[1] + step * (len(lines) - 1) / 2
    for i, line in enumerate(lines):
        line.move_to((0, middle - i * step, 0))
        if line.width > CAPTION_SLOT.width:
            line.scale_to_fit_width(CAPTION_SLOT.width)
    return lines


@contextmanager
def manim_configured(quality: Quality, scratch: Path) -> Iterator[None]:
    """Manim with its shipped defaults and our sizes: a manim.cfg in the folder or the home changes nothing."""
    with tempconfig({}):
        shipped = ConfigParser()
        shipped.read(Path(manim.__file__).parent / "_config" / "default.cfg", encoding="utf-8")
        config.digest_parser(shipped)
        config.update(
            {
                "pixel_width": quality.width,
                "pixel_height": quality.height,
                "frame_rate": quality.fps,
                "frame_height": FRAME_HEIGHT,
                "frame_width": FRAME_WIDTH,
                "disable_caching": True,
                "progress_bar": "none",
                "verbosity": "ERROR",
                "media_dir": str(scratch),
            }
        )
        yield


def lesson_class(name: str) -> type[Lesson]:
    """The lesson's class, from its module."""
    folder = "cards" if name in CARDS else LESSONS[name]
    module = import_module(f"scenes.{folder}.{name}")
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Lesson) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise LookupError(f"{module.__name__} must have exactly one lesson class, it has {len(found)}")
    return found[0]


def play_lesson(
    name: str,
    settings: Settings,
    language: str,
    sinks: tuple[Sink, ...] = (),
    *,
    captions: bool = True,
    watchers: tuple[Callable[[Lesson], None], ...] = (),
    **options: Any,
) -> Lesson:
    """Play a lesson into `sinks` (none: keep time and ledger only) and return it. Manim must be configured."""
    renderer = StudioRenderer(sinks)
    lesson = lesson_class(name)(renderer, settings=settings, language=language, **options)
    if captions:
        renderer.captions = CaptionBand(lesson)
    lesson.watchers += watchers
    lesson.render()
    return lesson
