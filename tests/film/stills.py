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
from scripts.studio.encode import Mp4Sink
from scripts.studio.reading.ledgers import Record
from scripts.studio.renderer.camera import WholePathCamera, framed
from scripts.studio.renderer.film import CaptionBand
from scripts.studio.stage import manim_configured, play_lesson

_HELD = 3
_FPS = 30


@dataclass(frozen=True)
class _Film:
    quality: Quality
    sink: Mp4Sink


def stills(
    name: str,
    settings: Settings,
    qualities: Sequence[Quality],
    folder: Path,
    before: Callable[[Lesson], None] = lambda lesson: None,
) -> dict[str, Record]:
    """The films by quality, with these pictures' rows; `before` may change what is on screen before it is drawn."""
    language, theme = settings.language, THEMES[settings.render.theme]
    films = {}
    for quality in qualities:
        path = folder / quality.name / f"{name}.mp4"
        path.parent.mkdir(parents=True, exist_ok=True)
        films[quality.name] = _Film(quality, Mp4Sink(path, replace(quality, fps=_FPS), language))

    def draw(lesson: Lesson) -> None:
        before(lesson)
        for film in films.values():
            with manim_configured(film.quality, Path(scratch)):
                camera = framed(WholePathCamera(background_color=theme.background))
                camera.capture_mobjects(lesson.mobjects)
                frame = np.ascontiguousarray(camera.pixel_array, dtype=np.uint8)
                CaptionBand(lesson).lay(frame, lesson.frame - 1, 1)
            if not film.sink.frames:
                # Films begin at 0.
                film.sink.write(frame, 1)
            film.sink.frames = lesson.frame - _HELD
            film.sink.write(frame, _HELD)

    with tempfile.TemporaryDirectory() as scratch, manim_configured(replace(qualities[0], fps=_FPS), Path(scratch)):
        lesson = play_lesson(name, settings, language, fast_forward=True, watchers=(draw,))
    for film in films.values():
        film.sink.close()
    last = {span.stop - 1 for span in lesson.spans}
    receipt = {
        "lesson": name, "chapter": None, "language": language, "fps": _FPS, "frames": lesson.frame,
        "beats": [asdict(span) for span in lesson.spans], "cues": [asdict(cue) for cue in lesson.cues], "outputs": {},
        "inputs": {"configuration": {"render.theme": theme.name, "render.format": settings.render.format}},
    }  # fmt: skip
    rows = tuple(row for row in lesson.ledger if row.frame in last and row.box is not None)
    return {key: Record(film.sink.path, receipt, dict(lesson.example.key()), rows) for key, film in films.items()}
