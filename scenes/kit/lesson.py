"""A lesson: named beats over the worked example, timed in whole frames, with a ledger of every number shown.

It is made of parts with one task each: `Pace` counts frames, `Wording` sets its words, `Cues` are its captions,
`Ledger` notes what it shows; `Verbs` are its animations.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import ceil
from typing import Any, ClassVar, SupportsIndex, cast

import numpy as np
from manim import Animation, Camera, FadeIn, FadeOut, ManimColor, Mobject, VGroup, Wait, config
from tqdm import tqdm

from mathcore.example import WorkedExample
from scenes.formats import FORMATS, LANDSCAPE, Slot, current_format, use_format
from scenes.kit.captions import Cue
from scenes.kit.cues import Cues
from scenes.kit.layout.stage import Stage, is_upright
from scenes.kit.ledger import Ledger, Row, visible
from scenes.kit.lines import SlotValue
from scenes.kit.literals import literals
from scenes.kit.pace import Pace
from scenes.kit.paragraph import Paragraph
from scenes.kit.speech import LineTimes
from scenes.kit.text import SMALL, TITLE, Rolling, TextLine
from scenes.kit.theme import Theme, current_theme, use_theme
from scenes.kit.values import Value
from scenes.kit.verbs import Verbs
from scenes.kit.wording import Wording
from scenes.settings import NAMED_QUALITIES, Settings, load_settings
from scenes.words import WordsError, load_words

# Seconds for which the picture rests after the last word of a line.
_BREATH = 0.4
# What rests while something else speaks.
DIMMED = 0.35


@dataclass(frozen=True)
class Readout:
    """Digits and what they are read from: in every frame that shows both, the digits are the rounded `value`.

    `value` measures the `marker` as it is drawn, in the units of the digits; with `turn`, only up to whole turns.
    """

    digits: TextLine
    marker: Mobject
    value: Callable[[], float]
    turn: float | None = None


@dataclass(frozen=True)
class Span:
    """The frames of a beat: from `start` (included) to `stop` (not included)."""

    beat: str
    start: int
    stop: int


class Lesson(Verbs):
    """Base of every lesson. A subclass names its `beats` and has a method for each.

    The lesson's name is its module's; its words come from `scenes/words/<language>/<name>.yaml`. It draws
    in `self.stage`, shows numbers through the kit, and leaves the caption band free.
    """

    beats: tuple[str, ...] = ()
    formats: ClassVar[tuple[str, ...]] = tuple(FORMATS)
    """The formats that it has a layout for."""
    speech: Mapping[str, LineTimes] | None = None
    """When the words of each beat's line are heard; None for a silent film, which goes by reading time."""

    def __init__(
        self,
        renderer: Any = None,
        *,
        settings: Settings | None = None,
        language: str | None = None,
        **manim_options: Any,
    ) -> None:
        super().__init__(renderer=renderer, **manim_options)
        # By itself, manim films in landscape.
        self.settings = settings or load_settings().with_overrides(format=LANDSCAPE.name, quality=NAMED_QUALITIES[0])
        self.language = language or self.settings.language
        self.name = type(self).__module__.rsplit(".", 1)[-1]
        self.example: WorkedExample = self.settings.example_for(self.language)
        self.words = load_words(self.language, self.name).told_of(self.example)
        self._pace, self._cues = Pace(round(config.frame_rate)), Cues()
        self._wording = Wording(self.name, self.language, self.words)
        self._ledger = Ledger(self.name, lambda: literals(self.settings, self.language, self.name, self.example))
        self.spans: list[Span] = []
        self.beat = ""
        self.watchers: list[Callable[[Lesson], None]] = []
        # Called with every frame that is computed; and which frames of a play of so many are.
        self.frame_watchers: list[Callable[[Lesson], None]] = []
        self.frames_of: Callable[[int], Sequence[int]] = range
        self.readouts: list[Readout] = []
        self._moments: dict[str, int] = {}

    # What it has shown

    @property
    def fps(self) -> int:
        """Frames a second."""
        return self._pace.fps

    @property
    def frame(self) -> int:
        """Frames so far."""
        return self._pace.frame

    @property
    def ledger(self) -> list[Row]:
        """A row for every number shown so far."""
        return self._ledger.rows

    @property
    def cues(self) -> list[Cue]:
        """The captions of the beats that are finished."""
        return self._cues.shown

    @property
    def pending_cues(self) -> list[Cue]:
        """The captions of the beat that is running, for the sink that draws them over its frames."""
        return self._cues.pending

    # What a lesson uses

    @property
    def theme(self) -> Theme:
        """The colours in force."""
        return current_theme()

    @property
    def stage(self) -> Stage:
        """Where lessons draw."""
        return Stage.of(current_format().stage)

    @property
    def title_slot(self) -> Slot:
        """Where the title stands, with what the numbers are at its right."""
        return current_format().title

    def slots(self) -> Mapping[str, SlotValue]:
        """Values of the `{slots}` in this lesson's words: values of the worked example, or words of the sentence."""
        return {}

    def token(self, i: SupportsIndex) -> str:
        """Word number i of the sentence."""
        return self.example.words[i]

    def label(
        self,
        key: str,
        size: float = SMALL,
        color: str | None = None,
        *,
        bold: bool = False,
        width: float | None = None,
        **values: SlotValue,
    ) -> TextLine:
        """A line of the lesson's words; its slots come from `values`, then from `slots()`.

        With `width` it is made smaller, and cut at last, to fit.
        """
        return self._wording.label(key, {**self.slots(), **values}, size, color, bold, width)

    def paragraph(
        self, key: str, size: float = SMALL, color: str | None = None, *, rows: int = 1, upright: int = 0,
        bold: bool = False, edge: str = "middle", **values: SlotValue,
    ) -> Paragraph:  # fmt: skip
        """A text of the lesson's words in at most so many rows, in a format that is upright `upright` ones."""
        count = upright if upright and is_upright() else rows
        return self._wording.paragraph(key, {**self.slots(), **values}, size, color, count, bold=bold, edge=edge)

    def rolling(
        self, key: str, size: float = SMALL, color: str | None = None, *, bold: bool = False, **slot: Value
    ) -> Rolling:
        """A line of the lesson's words around one number that is going to change; its one slot comes from `slot`."""
        return self._wording.rolling(key, self.slots(), slot, size, color, bold)

    def title(
        self, note: str | None = None, *, text: str = "", size: float = TITLE, color: str | None = None
    ) -> VGroup:
        """The title, or another `text`, in its slot; small at its right, or below it on a phone, the label `note`."""
        said = text or self._wording.filled("title", self.words.title, self.slots()).text
        return self._wording.title(said, None if note is None else self.label(note), self.title_slot, size, color)

    def show(self, *mobjects: Mobject, seconds: float = 0.8, shift: Any = (0.0, 0.0, 0.0), lag: float = 0.0) -> None:
        """Fade things in, one after the other with `lag`."""
        self.play(*(FadeIn(m, shift=np.array(shift)) for m in mobjects), run_time=seconds, lag_ratio=lag)

    def hide(self, *mobjects: Mobject, seconds: float = 0.5) -> None:
        """Fade things out and remove them."""
        self.play(*(FadeOut(m) for m in mobjects), run_time=seconds)

    def until(self, mark: str) -> None:
        """Hold the picture until the word after `{@mark}` in the beat's line is spoken, if that is yet to come.

        In a silent film nothing is waited for. Raises: WordsError when the line has no such mark.
        """
        if mark not in self._moments:
            raise WordsError(
                f"{self.language}/{self.name}.yaml: say.{self.beat}: the beat waits for the mark {{@{mark}}}, "
                "which its line does not have; put it before that word"
            )
        place = self._moments.pop(mark)
        if self.speech is not None:
            start = self.spans[-1].stop if self.spans else 0
            self._hold_until(start + round(self.speech[self.beat].at(place) * self.fps))

    def follow(
        self, digits: TextLine, marker: Mobject, value: Callable[[], float], *, turn: float | None = None
    ) -> None:
        """Declare that digits say where a marker stands; tests compare them frame by frame. See `Readout`."""
        self.readouts.append(Readout(digits, marker, value, turn))

    def dim(self, *mobjects: Mobject, opacity: float = DIMMED) -> list[Any]:
        """Animations that let things rest in the background."""
        return [m.animate.set_opacity(opacity) for m in mobjects]

    # How beats run

    def construct(self) -> None:
        with ExitStack() as stack:
            stack.enter_context(use_format(self.settings.render.format))
            theme = stack.enter_context(use_theme(self.settings.render.theme))
            cast(Camera, self.camera).background_color = ManimColor(theme.background)
            self._wording.check_glyphs(self.example.words)
            for beat in self.beats:
                self._run(beat)
            self._ledger.close(self.frame)

    def _run(self, beat: str) -> None:
        self.beat, start = beat, self.frame
        self.next_section(beat)
        line = self._wording.said(beat, self.slots())
        self._moments = dict(line.moments)
        speed = getattr(self.settings.render.reading_speed, self.language)
        times = None if self.speech is None else self.speech[beat]
        for cue in self._cues.begin(line.text, start, self.fps, speed, times):
            self.add_subcaption(
                cue.text.replace("\n", " "), (cue.stop - cue.start) / self.fps, (cue.start - start) / self.fps
            )
        getattr(self, beat)()
        if self._moments:
            raise WordsError(
                f"{self.language}/{self.name}.yaml: say.{beat}: the beat does not wait for the mark "
                f"{{@{next(iter(self._moments))}}}; delete it"
            )
        spoken = (self._cues.stop - self.frame) / self.fps
        rest = max(self.settings.render.hold, spoken + _BREATH)
        if self.speech is None:
            self.wait(rest)
        else:
            self._hold_until(self.frame + ceil(rest * self.fps))
        self._cues.end(self.frame)
        self.spans.append(Span(beat, start, self.frame))
        self._ledger.speak(beat, start, self.frame, line.provenance, self.language)
        for watcher in self.watchers:
            watcher(self)

    def play(self, *args: Any, **kwargs: Any) -> None:
        """As manim's, in whole frames: what rounding takes or gives is carried to the next call."""
        start = self.frame
        self._pace.begin()
        super().play(*args, **kwargs)
        self._pace.end()
        self._ledger.move(self.beat, start, self.frame)

    def begin_animations(self) -> None:
        """As manim's; what is on screen now, in the order in which it will be drawn, is noted."""
        animations = self.animations or ()
        self._ledger.record(self.beat, self.frame, self.visible(), animations)
        self._ledger.begin(animations)
        super().begin_animations()
        self._ledger.begun()

    def wait(self, duration: float = 1.0, stop_condition: Any = None, frozen_frame: bool | None = True) -> None:
        """Hold the picture; too short a wait for a whole frame is carried over."""
        if not self._pace.too_short(duration):
            self.play(Wait(run_time=duration, stop_condition=stop_condition, frozen_frame=frozen_frame))

    def _hold_until(self, frame: int) -> None:
        """Hold the picture until frame number `frame`, if that is yet to come."""
        if frame > self.frame:
            self.wait(self._pace.until(frame))

    def get_run_time(self, animations: list[Animation]) -> float:
        """Seconds of a whole number of frames."""
        return self._pace.planned(max(animation.run_time for animation in animations))

    def get_time_progression(
        self,
        run_time: float,
        description: str,
        n_iterations: int | None = None,
        override_skip_animations: bool = False,
    ) -> tqdm:
        """The exact frame times; manim's own may come out one frame longer."""
        if self.renderer.skip_animations and not override_skip_animations:
            return super().get_time_progression(run_time, description, n_iterations, override_skip_animations)
        times = np.array(self.frames_of(self._pace.plan or 1)) / self.fps
        return tqdm(times, desc=description, disable=config["progress_bar"] == "none", leave=False)

    def update_to_time(self, t: float) -> None:
        super().update_to_time(t)
        for watcher in self.frame_watchers:
            watcher(self)

    def lines(self) -> dict[str, str]:
        """What is said, a line a beat, with its slots filled."""
        return {beat: self._wording.said(beat, self.slots()).text for beat in self.beats}

    def visible(self) -> list[Mobject]:
        """Every shape on screen that shows text or a number, and is not transparent."""
        return list(visible(self.mobjects))
