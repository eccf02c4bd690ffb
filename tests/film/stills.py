"""The last pictures of a lesson's beats as small films, at several sizes: drawn and coded as films are.

A lesson is played once, without the frames between its states. Where a beat ends, the camera of films draws what is on
screen at each size, captions are laid over it, and it is coded as a film of that size is, held for three frames.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from scenes.kit.lesson import Lesson
from scenes.kit.theme import THEMES
from scenes.settings import Quality, Settings
from scripts.studio.reading.ledgers import Record
from scripts.studio.renderer.camera import WholePathCamera, framed
from scripts.studio.renderer.film import CaptionBand
from scripts.studio.stage import manim_configured, play_lesson
from scripts.studio.video import Mp4Sink

_HELD = 3
_FPS = 30


Change = Callable[[Lesson], Callable[[], None]]
"""Changes what is on screen; returns what takes the changes back."""


@dataclass(frozen=True)
class _Film:
    quality: Quality
    sink: Mp4Sink

    def add(self, lesson: Lesson, background: str, scratch: Path) -> None:
        """Draw and code what is on screen, as the last frames of a beat."""
        with manim_configured(self.quality, scratch):
            camera = framed(WholePathCamera(background_color=background))
            camera.capture_mobjects(lesson.mobjects)
            frame = np.ascontiguousarray(camera.pixel_array, dtype=np.uint8)
            CaptionBand(lesson).lay(frame, lesson.frame - 1, 1)
        if not self.sink.frames:
            # Films begin at 0.
            self.sink.write(frame, 1)
        self.sink.frames = lesson.frame - _HELD
        self.sink.write(frame, _HELD)


def stills(
    name: str, settings: Settings, qualities: Sequence[Quality], folder: Path, change: Change | None = None
) -> tuple[dict[str, Record], dict[str, Record]]:
    """The films by quality, with these pictures' rows; and the same ones after a `change`, with the same rows."""
    language, theme = settings.language, THEMES[settings.render.theme]
    films: tuple[list[_Film], list[_Film]] = ([], [])
    for quality in qualities:
        for changed, group in enumerate(films):
            path = folder / ("changed" if changed else "right") / quality.name / f"{name}.mp4"
            path.parent.mkdir(parents=True, exist_ok=True)
            group.append(_Film(quality, Mp4Sink(path, replace(quality, fps=_FPS), language)))

    def draw(lesson: Lesson) -> None:
        for film in films[0]:
            film.add(lesson, theme.background, Path(scratch))
        if change is not None:
            restore = change(lesson)
            for film in films[1]:
                film.add(lesson, theme.background, Path(scratch))
            restore()

    with tempfile.TemporaryDirectory() as scratch, manim_configured(replace(qualities[0], fps=_FPS), Path(scratch)):
        lesson = play_lesson(name, settings, language, fast_forward=True, watchers=(draw,))
    for film in (*films[0], *films[1]):
        film.sink.close()
    last = {span.stop - 1 for span in lesson.spans}
    receipt = {
        "lesson": name, "chapter": None, "language": language, "fps": _FPS, "frames": lesson.frame,
        "beats": [asdict(span) for span in lesson.spans], "cues": [asdict(cue) for cue in lesson.cues], "outputs": {},
        "inputs": {"configuration": {"render.theme": theme.name, "render.format": settings.render.format}},
    }  # fmt: skip
    rows = tuple(row for row in lesson.ledger if row.until - 1 in last and not row.moves and row.box is not None)
    made_from = dict(lesson.example.key())
    right, changed_films = (
        {film.quality.name: Record(film.sink.path, receipt, made_from, rows) for film in group} for group in films
    )
    return right, changed_films
