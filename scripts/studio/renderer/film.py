"""A renderer that hands frames to sinks, without files of manim's and without copies of whole frames."""

from typing import Any, Protocol

import cairo
import manim
import numpy as np
from manim import CairoRenderer, Camera, Scene
from manim.scene.scene_file_writer import SceneFileWriter
from numpy.typing import NDArray

from scenes.formats import UNIT_PX, current_format, use_format
from scenes.kit.captions import Cue
from scenes.kit.lesson import Lesson
from scenes.kit.text import CAPTION, TextLine
from scenes.kit.theme import use_theme
from scripts.studio.renderer.camera import WholePathCamera, framed

Frame = NDArray[np.uint8]


class Sink(Protocol):
    """Something that takes finished frames, (height, width, 4) uint8, each shown `repeat` times.

    A frame is the canvas itself, valid until the next one is drawn.
    """

    def write(self, frame: Frame, repeat: int) -> None: ...


class _NoFiles(SceneFileWriter):
    """Manim's writer without its files: sections are kept, segments are not."""

    def begin_animation(self, *args: Any, **kwargs: Any) -> None: ...

    def end_animation(self, allow_write: bool = False) -> None: ...

    def finish(self) -> None: ...


class StudioRenderer(CairoRenderer):
    """Draws frames and hands them to `sinks`; with no sinks it draws nothing and only keeps time.

    `captions` gives the cues known so far; they are laid over finished frames, so that what moves
    below them need not be drawn again. With `fast_forward`, which needs an empty `sinks`, an animation goes from its
    first state to its last without the frames between them.
    """

    def __init__(
        self,
        sinks: tuple[Sink, ...] = (),
        captions: "CaptionBand | None" = None,
        *,
        camera: type[Camera] = WholePathCamera,
        fast_forward: bool = False,
    ) -> None:
        super().__init__(file_writer_class=_NoFiles, camera_class=camera)
        if sinks and fast_forward:
            raise ValueError("frames are wanted, which fast-forward leaves out")
        self.fast_forward = fast_forward
        framed(self.camera)
        self.sinks, self.captions = sinks, captions
        self.frames = 0

    def play(self, scene: Scene, *args: Any, **kwargs: Any) -> None:
        scene.compile_animation_data(*args, **kwargs)
        scene.begin_animations()
        self.save_static_frame_data(scene, scene.static_mobjects)
        if scene.is_current_animation_frozen_frame():
            self.update_frame(scene, mobjects=scene.moving_mobjects)
            self.freeze_current_frame(scene.duration)
        elif self.fast_forward:
            self._skip_to_end(scene)
        else:
            scene.play_internal()
        self.num_plays += 1

    def _skip_to_end(self, scene: Scene) -> None:
        """What manim's `play_internal` does before and after its frames; updaters get the whole time at once."""
        scene.update_mobjects(scene.duration)
        for animation in scene.animations or []:
            animation.finish()
            animation.clean_up_from_scene(scene)
        scene.update_mobjects(0)
        self.static_image = None
        self.freeze_current_frame(scene.duration)

    def update_frame(self, *args: Any, **kwargs: Any) -> None:
        if self.sinks:
            super().update_frame(*args, **kwargs)

    def render(self, scene: Scene, time: float, moving_mobjects: Any = None) -> None:
        self.update_frame(scene, moving_mobjects)
        self.add_frame(self.camera.pixel_array)

    def freeze_current_frame(self, duration: float) -> None:
        self.add_frame(self.camera.pixel_array, int(duration * self.camera.frame_rate))

    def add_frame(self, frame: NDArray[Any], num_frames: int = 1) -> None:
        """Hand over a frame; the last caption drawn stays on it."""
        self.time += num_frames / self.camera.frame_rate
        if not self.sinks:
            self.frames += num_frames
            return
        while num_frames > 0:
            count = num_frames if self.captions is None else self.captions.lay(frame, self.frames, num_frames)
            for sink in self.sinks:
                sink.write(frame, count)
            self.frames += count
            num_frames -= count
            if self.captions is not None and num_frames:
                self.captions.lift(frame)

    def scene_finished(self, scene: Scene) -> None: ...


class CaptionBand:
    """Draws cues over frames in the caption slot."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self._drawn: dict[tuple[str, ...], tuple[Frame, int, int]] = {}
        self._below: tuple[Frame, int, int] | None = None

    def lay(self, frame: Frame, number: int, count: int) -> int:
        """Draw the cue of frame `number` on the frame; returns how many of the next `count` frames look the same."""
        cues = self.lesson.pending_cues
        cue = next((c for c in reversed(cues) if c.start <= number), None)
        following = next((c.start for c in cues if c.start > number), number + count)
        self._below = None
        if cue is not None:
            if cue.rows not in self._drawn:
                self._drawn[cue.rows] = self._draw(cue, frame.shape)
            overlay, top, left = self._drawn[cue.rows]
            height, width, _ = overlay.shape
            self._below = frame[top : top + height, left : left + width].copy(), top, left
            context = cairo.Context(_surface(frame))
            context.set_source_surface(_surface(overlay), left, top)
            context.paint()
        return min(count, following - number)

    def lift(self, frame: Frame) -> None:
        """Take the last cue off the frame that it was drawn on."""
        if self._below is not None:
            below, top, left = self._below
            frame[top : top + below.shape[0], left : left + below.shape[1]] = below

    def _draw(self, cue: Cue, shape: tuple[int, ...]) -> tuple[Frame, int, int]:
        """A cue's ink, cut out, premultiplied as cairo draws it, and its upper left corner in the frame."""
        render = self.lesson.settings.render
        with use_theme(render.theme), use_format(render.format):
            lines = caption_lines(cue)
        camera = framed(manim.Camera(background_opacity=0, background_color="#000000"))
        camera.capture_mobjects(lines)
        ink = np.argwhere(camera.pixel_array[..., 3])
        if len(ink) == 0:
            return np.zeros((1, 1, 4), dtype=np.uint8), 0, 0
        (top, left), (bottom, right) = ink.min(axis=0), ink.max(axis=0) + 1
        return np.ascontiguousarray(camera.pixel_array[top:bottom, left:right]), int(top), int(left)


def _surface(pixels: Frame) -> cairo.ImageSurface:
    """Pixels as a surface of cairo's, in place."""
    data: Any = pixels.data
    return cairo.ImageSurface.create_for_data(data, cairo.FORMAT_ARGB32, pixels.shape[1], pixels.shape[0])


def caption_lines(cue: Cue) -> list[TextLine]:
    """A cue's rows where they stand in the caption slot."""
    slot = current_format().caption
    lines = [TextLine(row, CAPTION) for row in cue.rows]
    step = 1.3 * CAPTION / UNIT_PX
    middle = slot.centre[1] + step * (len(lines) - 1) / 2
    for i, line in enumerate(lines):
        line.move_to((0, middle - i * step, 0))
        if line.width > slot.width:
            line.scale_to_fit_width(slot.width)
    return lines
