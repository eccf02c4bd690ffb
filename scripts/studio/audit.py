"""Faults of a lesson's pictures, measured on the last frames of its beats and on frames between.

Contrast is measured against what is really behind a text: the same frame, drawn without its texts.
"""

import scripts.studio.plain_manim  # noqa: F401 - before manim is loaded

# isort: split
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from manim import ManimColor, Mobject, VMobject
from numpy.typing import NDArray
from PIL import Image

from scenes.formats import FORMATS, LANDSCAPE, PHONE, Canvas, Slot, current_format
from scenes.kit.captions import ROWS, display_width
from scenes.kit.faults import faults_of, lines_of
from scenes.kit.formula import Formula
from scenes.kit.lesson import Lesson
from scenes.kit.text import CAPTION, Box, Number, TextLine
from scenes.kit.theme import THEMES, Theme
from scenes.settings import NAMED_QUALITIES, Quality, load_settings
from scripts.studio.flashing import FLASHES, Light
from scripts.studio.renderer.camera import WholePathCamera
from scripts.studio.renderer.film import caption_lines
from scripts.studio.stage import manim_configured, play_lesson

Frame = NDArray[np.uint8]
Levels = NDArray[np.float64]

SENTENCES: Mapping[str, Mapping[int, str]] = {
    "en": {
        2: "Hello internationalization",
        8: "The tired cat sat on the warm mat",
        12: "Extraordinarily conscientious investigators nevertheless consistently underestimated "
        "the thoroughness of well documented misunderstandings",
    },
    "zh": {
        2: "狗 叫",
        8: "疲惫 的 猫 坐 在 温暖 的 垫子",
        12: "小心翼翼 的 侦探 把 整本 厚厚 的 卷宗 从头到尾 仔细 读完 了",
    },
}
"""Sentences to try, by language and number of words."""


@dataclass(frozen=True)
class Limit:
    """How much of something is too much, or too little, and why."""

    value: float
    unit: str
    why: str


LIMITS: Mapping[str, Limit] = {
    "safe frame": Limit(0, "units outside", "screens and players cut edges"),
    "caption band": Limit(0, "units inside", "captions stand there"),
    "text over text": Limit(0, "units", "neither can be read"),
    "text size": Limit(
        LANDSCAPE.sizes.smallest,
        f"px of 1080 lines, at least ({PHONE.sizes.smallest:g} of a phone's 1080 columns)",
        "still legible in a window a quarter as large",
    ),
    "contrast": Limit(4.5, "to 1, at least", "WCAG 2.2, 1.4.3"),
    "contrast at rest": Limit(1.5, "to 1, at least", "dimmed text is not read, but must not look like dirt"),
    "covered text": Limit(0.15, "of its ink", "a letter that loses more can be taken for another"),
    "ink behind text": Limit(0.05, "of its ground", "a line through a word reads as a crossing-out"),
    "cut text": Limit(8, "columns", "only a longer word may end in an ellipsis; a Chinese character has two columns"),
    "colours": Limit(10, "CIEDE2000, at least", "of one group in one picture, as seen with any colour vision"),
    "flashes": Limit(FLASHES, "in a second", "WCAG 2.2, 2.3.1"),
    "idle": Limit(3, "s", "nothing moves and no line is left to read"),
    "words": Limit(34, "lines of text", "more is a page, not a picture; numbers in grids are not counted"),
    "crowding": Limit(0.9, "of the stage", "has something on it; without free ground nothing stands out"),
}
# Text fainter than this rests while something else speaks.
_RESTING = 0.6
# Colours fainter than this tell nothing.
_DIM = 0.3
# Colour vision: all of us, and a hundred per cent of each dichromacy (Machado et al. 2009).
VISIONS = ("normal", "protan", "deutan", "tritan")
_RATE, _DRAWN = 15, 180
# The shorter side of a still, and by how much the one of a contact sheet is smaller.
STILL, SMALLER = 1080, 4


@dataclass(frozen=True)
class Finding:
    """One thing beyond its limit: at which beat, what it is, how much it measures, and where in the frame."""

    kind: str
    beat: str
    said: str
    measured: float
    box: Box | None = None


@dataclass
class Audit:
    """A lesson in one language, theme and length of sentence: measures by beat, and what is beyond its limit."""

    lesson: str
    language: str
    theme: str
    words: int
    format: str = LANDSCAPE.name
    beats: dict[str, dict[str, float]] = field(default_factory=dict)
    whole: dict[str, float] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.lesson}-{self.language}-{self.theme}-{self.words}-{self.format}"

    def told(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)

    def judge(self, kind: str, beat: str, measured: float, said: str, box: Box | None = None) -> None:
        """Note a measure that is beyond its limit."""
        limit = LIMITS[kind]
        wrong = measured < limit.value if limit.unit.endswith("at least") else measured > limit.value
        if wrong:
            self.findings.append(Finding(kind, beat, said, round(measured, 3), box))


def audit_lesson(
    lesson: str,
    language: str,
    theme: str,
    words: int,
    format: str = LANDSCAPE.name,
    pictures: Path | None = None,
    progress: Callable[[str, float], None] = lambda name, share: None,
) -> Audit:
    """Play a lesson and measure it; with a folder for `pictures`, save each beat's last frame there, small."""
    settings = load_settings().with_overrides(
        language=language, theme=theme, sentence=SENTENCES[language][words], format=format, quality=NAMED_QUALITIES[0]
    )
    audit = Audit(lesson, language, theme, words, format)
    light, stillness = Light(_RATE), Stillness()
    cues: list[tuple[int, int]] = []

    def watch(played: Lesson) -> None:
        cues.extend((cue.start, cue.stop) for cue in played.pending_cues)
        picture = judge_picture(audit, played)
        if pictures is not None:
            size = picture.shape[1] // SMALLER, picture.shape[0] // SMALLER
            small = Image.fromarray(picture[..., :3]).resize(size, Image.Resampling.LANCZOS)
            small.save(pictures / f"{audit.name}-{played.beat}.png")
        progress(audit.name, len(played.spans) / len(played.beats))

    pictures_folder = pictures or Path()
    with manim_configured(Quality("audit", *FORMATS[format].size(_DRAWN), _RATE, format), pictures_folder):
        played = play_lesson(lesson, settings, language, (light, stillness), captions=False, watchers=(watch,))
    judge_motion(audit, played, light, stillness, cues)
    return audit


# Still pictures


def judge_picture(audit: Audit, lesson: Lesson) -> Frame:
    """Measure the picture that a lesson shows now, with its caption; returns it, 1080 pixels high or wide."""
    theme, beat = THEMES[audit.theme], lesson.beat
    for fault in faults_of(lesson):
        audit.findings.append(Finding(fault.kind, beat, fault.said.partition(": ")[2], 0, fault.box))
    captions = caption_lines(lesson.pending_cues[-1]) if lesson.pending_cues else []
    texts: list[Mobject] = [*lines_of(lesson), *_formulas(lesson), *captions]
    everything = [*lesson.mobjects, *captions]
    whole, bare = _captured(everything, theme), _captured(everything, theme, without=texts)
    alone = _captured([*(t for t in texts if isinstance(t, TextLine)), *_formulas(lesson)], None)[..., 3]
    seen = Seen(light_of(whole), light_of(bare), alone, np.abs(whole.astype(int) - bare)[..., :3].max(axis=2))
    faintest = 21.0
    for text in texts:
        faintest = min(faintest, _judge_text(audit, beat, text, seen))
    lines = [line for line in texts if isinstance(line, TextLine)]
    for line in lines:
        if line.text.endswith("…") and display_width(line.whole) <= LIMITS["cut text"].value:
            said = f'"{line.whole}" is cut to "{line.text}"'
            audit.findings.append(Finding("cut text", beat, said, display_width(line.text), line.ink_box))
    words = len({line.text for line in lines if not isinstance(line, Number)})
    frame = current_format()
    share = crowding(seen.whole[_pixels(_box_of(frame.stage))])
    audit.judge("words", beat, words, f"{words} lines of text")
    audit.judge("crowding", beat, share, f"{share:.0%} of the stage has something on it")
    strayed = ink_in(bare, theme, frame.caption)
    audit.judge("caption band", beat, round(strayed, 3), "a shape is in the caption band", _box_of(frame.caption))
    if len(captions) > ROWS or any(line.drawn_size < CAPTION * 0.975 for line in captions):
        said = f'the caption "{captions[0].text}" does not fit'
        audit.findings.append(Finding("text size", beat, said, captions[0].drawn_size, _box_of(frame.caption)))
    distance = _judge_colours(audit, beat, lesson, theme)
    audit.beats[beat] = {
        "contrast": round(faintest, 2),
        "smallest text": round(min((line.drawn_size for line in lines), default=0), 1),
        "words": words,
        "crowding": round(share, 3),
        "colours": round(distance, 1),
    }
    return whole


@dataclass(frozen=True)
class Seen:
    """A picture in numbers: relative luminance with and without its texts, the ink of texts alone, the difference."""

    whole: Levels
    bare: Levels
    alone: Frame
    difference: NDArray[np.int64]


def light_of(frame: Frame) -> Levels:
    """Relative luminance (WCAG 2) of every pixel, 0 to 1."""
    value = np.arange(256) / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear[frame[..., :3]] @ np.array([0.2126, 0.7152, 0.0722]))


def ratio(one: Levels | float, other: Levels | float) -> Levels:
    """Contrast of two luminances, 1 to 21 (WCAG 2)."""
    return np.asarray((np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05))


def _judge_text(audit: Audit, beat: str, text: Mobject, seen: Seen) -> float:
    """Judge a text's contrast, and what is behind and over it; returns the contrast of a text that does not rest."""
    box = text.ink_box if isinstance(text, TextLine) else _bounds(text)
    part = _pixels(box)
    own = seen.alone[part] > 127 * _opacity(text)
    if not own.any():
        return 21.0
    name = f'"{text.text}"' if isinstance(text, TextLine) else "a formula"
    ground, inked = seen.bare[part], seen.difference[part]
    core = own & (inked >= 0.8 * np.percentile(inked[own], 95)) & (inked > 3)
    shade = float(np.median(seen.whole[part][core])) if core.any() else float(np.median(ground[own]))
    near = _grown(own, 2)
    contrast = float(np.percentile(ratio(shade, ground[near]), 10))
    resting = _opacity(text) < _RESTING
    audit.judge(
        "contrast at rest" if resting else "contrast", beat, contrast, f"{name} has a contrast of {contrast:.2f}", box
    )
    covered = 1 - float((inked[own] > 0.25 * np.percentile(inked[own], 95)).mean()) if core.any() else 1.0
    audit.judge("covered text", beat, covered, f"{covered:.0%} of {name} is covered", box)
    crossed = float((ratio(ground[near], float(np.median(ground[near]))) > 1.5).mean())
    audit.judge("ink behind text", beat, crossed, f"other ink is behind {crossed:.0%} of {name}", box)
    return 21.0 if resting else contrast


_TILE, _EDGE = 40, 1.15


def crowding(light: Levels) -> float:
    """The share of tiles, a twenty-seventh of the frame's height wide, in which something begins or ends."""
    rows, columns = (n // _TILE for n in light.shape)
    tiles = light[: rows * _TILE, : columns * _TILE].reshape(rows, _TILE, columns, _TILE)
    return float((ratio(tiles.max(axis=(1, 3)), tiles.min(axis=(1, 3))) > _EDGE).mean())


def ink_in(frame: Frame, theme: Theme, slot: Slot) -> float:
    """The share of a slot's pixels that differ from the page."""
    page = np.array(ManimColor(theme.background).to_int_rgb())
    part = frame[_pixels(_box_of(slot))][..., :3].astype(int)
    return float((np.abs(part - page).max(axis=2) > 8).mean())


def _captured(shapes: Iterable[Mobject], theme: Theme | None, without: Iterable[Mobject] = ()) -> Frame:
    """Shapes on the theme's page, or on nothing."""
    page = {"background_color": theme.background} if theme else {"background_opacity": 0}
    canvas = still_canvas()
    camera = WholePathCamera(
        pixel_width=canvas.columns, pixel_height=canvas.rows, frame_width=canvas.width, frame_height=canvas.height,
        **page,
    )  # fmt: skip
    camera.capture_mobjects(list(shapes), excluded_mobjects=list(without))
    return np.asarray(camera.pixel_array, np.uint8)


def still_canvas() -> Canvas:
    """How a still shows the frame of the format in force."""
    frame = current_format()
    return frame.canvas(*frame.size(STILL))


def _formulas(lesson: Lesson) -> list[Mobject]:
    tops = {id(m): m for top in lesson.mobjects for m in top.get_family() if isinstance(m, Formula)}
    return [m for m in tops.values() if _opacity(m) > 0]


def _opacity(text: Mobject) -> float:
    return max((float(part.get_fill_opacity()) for part in text.get_family() if isinstance(part, VMobject)), default=0)


def _bounds(mobject: Mobject) -> Box:
    low, high = mobject.get_corner((-1, -1, 0)), mobject.get_corner((1, 1, 0))
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _box_of(slot: Slot) -> Box:
    return (slot.left, slot.bottom, slot.right, slot.top)


def _pixels(box: Box) -> tuple[slice, slice]:
    """The pixels of a box in a still, and three around it."""
    (left, top), (right, bottom) = (
        map(round, still_canvas().at(x, y)) for x, y in ((box[0], box[3]), (box[2], box[1]))
    )
    return slice(max(0, top - 3), max(0, bottom + 3)), slice(max(0, left - 3), max(0, right + 3))


def _grown(mask: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
    """A mask with a margin."""
    grown = mask.copy()
    for _ in range(by):
        for axis in (0, 1):
            before = grown.copy()
            for step in (-1, 1):
                moved = np.roll(before, step, axis)
                # What comes in at the other edge does not belong there.
                moved[(slice(None),) * axis + ((0 if step > 0 else -1),)] = False
                grown |= moved
    return grown


# Colours


def groups(theme: Theme) -> dict[str, dict[str, str]]:
    """The theme's colours that are told apart by colour, by group: hexadecimal value to what it stands for.

    Heads' names are written in colours of their own, but a name is text and needs no colour.
    """
    found = {"projections": {"query": theme.query, "key": theme.key, "value": theme.value}}
    found["heads"] = {f"head {i}": colour for i, colour in enumerate(theme.heads)}
    found["pairs"] = {f"pair {i}": colour for i, colour in enumerate(theme.pairs)}
    found["signs"] = {"negative": theme.negative, "positive": theme.positive}
    return {group: {colour.upper(): name for name, colour in named.items()} for group, named in found.items()}


def distance(one: str, other: str, vision: str = "normal") -> float:
    """CIEDE2000 of two colours as seen with a kind of colour vision."""
    from coloraide import Color

    seen = [Color(c) if vision == "normal" else Color(c).filter(vision, method="machado") for c in (one, other)]
    return float(seen[0].delta_e(seen[1], method="2000"))


def _judge_colours(audit: Audit, beat: str, lesson: Lesson, theme: Theme) -> float:
    """Judge the colours that are in the picture together; returns the smallest distance within a group."""
    shown = set(_colours(lesson))
    smallest = 100.0
    for named in groups(theme).values():
        for one, other in combinations([colour for colour in named if colour in shown], 2):
            apart, vision = min((distance(one, other, vision), vision) for vision in VISIONS)
            said = f"{named[one]} and {named[other]} are {apart:.1f} apart ({vision})"
            audit.judge("colours", beat, apart, said)
            smallest = min(smallest, apart)
    return smallest


def _colours(lesson: Lesson) -> Iterator[str]:
    for top in lesson.mobjects:
        for shape in top.get_family():
            if isinstance(shape, VMobject) and len(shape.points):
                inked: list[ManimColor | None] = [shape.get_fill_color()] if shape.get_fill_opacity() > _DIM else []
                if shape.get_stroke_width() > 0 and shape.get_stroke_opacity() > _DIM:
                    inked.append(shape.get_stroke_color())
                yield from (colour.to_hex().upper() for colour in inked if colour is not None)


# Motion


class Stillness:
    """A sink that notes the stretches of frames in which no pixel changes."""

    def __init__(self) -> None:
        self.stretches: list[tuple[int, int]] = []
        self._frames, self._last = 0, b""

    def write(self, frame: Frame, repeat: int) -> None:
        seen = hashlib.sha256(frame.data).digest()
        start = self.stretches.pop()[0] if seen == self._last else self._frames
        self._frames += repeat
        self.stretches.append((start, self._frames))
        self._last = seen

    @property
    def longest(self) -> int:
        """Frames of the longest stretch."""
        return max((stop - start for start, stop in self.stretches), default=0)

    def idle(self, reading: Iterable[tuple[int, int]]) -> tuple[int, int]:
        """The longest part of a stretch (first frame, length) in which nothing is left to read."""
        longest, busy = (0, 0), sorted(reading)
        for start, stop in self.stretches:
            at = start
            for first, last in [*(b for b in busy if b[1] > start and b[0] < stop), (stop, stop)]:
                longest = max(longest, (at, first - at), key=lambda part: part[1])
                at = max(at, last)
        return longest


def judge_motion(
    audit: Audit, lesson: Lesson, light: Light, stillness: Stillness, reading: Iterable[tuple[int, int]]
) -> None:
    """Judge what moves over the whole lesson: flashes, and time in which nothing happens."""

    def beat_at(frame: int) -> str:
        return next((span.beat for span in lesson.spans if span.start <= frame < span.stop), lesson.spans[-1].beat)

    worst, (start, frames) = light.worst(0, lesson.frame), stillness.idle(reading)
    seconds = frames / lesson.fps
    audit.judge("flashes", beat_at(worst.frame), worst.flashes, f"{worst.flashes:g} flashes within a second")
    audit.judge("idle", beat_at(start), seconds, f"nothing moves from {start / lesson.fps:.1f} s for {seconds:.1f} s")
    audit.whole = {
        "seconds": round(lesson.frame / lesson.fps, 2),
        "flashes": worst.flashes,
        "idle": round(seconds, 2),
        "still": round(stillness.longest / lesson.fps, 2),
    }
