"""A lesson: named beats over the worked example, timed in whole frames, with a ledger of every number shown."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, ClassVar, cast

import numpy as np
from manim import DOWN, LEFT, UP, Animation, Camera, FadeIn, FadeOut, ManimColor, Mobject, VGroup, Wait, config
from tqdm import tqdm

from mathcore.example import WorkedExample
from scenes.formats import FORMATS, LANDSCAPE, Slot, current_format, use_format
from scenes.kit.captions import Cue, cues_of, spoken_cues
from scenes.kit.layout.stage import Stage, is_upright
from scenes.kit.lines import Line, SlotValue, fill
from scenes.kit.literals import Literals, literal_ties, literals
from scenes.kit.paragraph import Paragraph, in_rows
from scenes.kit.sentences import bare_word
from scenes.kit.speech import LineTimes
from scenes.kit.text import (
    SMALL,
    SMALLEST,
    TITLE,
    Box,
    Drawn,
    FontError,
    Rolling,
    Shown,
    TextLine,
    Tie,
    box_around,
    fitted,
    missing_glyphs,
    ties_of,
)
from scenes.kit.theme import Theme, current_theme, use_theme
from scenes.kit.verbs import Verbs
from scenes.settings import NAMED_QUALITIES, Settings, load_settings
from scenes.words import Words, WordsError, load_words

# Keeps int(duration * fps) from losing a frame to binary fractions.
_EPSILON = 1e-6
# Seconds for which the picture rests after the last word of a line.
_BREATH = 0.4
# What rests while something else speaks.
DIMMED = 0.35


@dataclass(frozen=True)
class Row:
    """One number, or one picture of a number, at one moment: a row of the ledger.

    `frame` counts from 0 at the lesson's start; `box` is left, bottom, right, top in frame units (8 high,
    origin in the middle), or None for digits that are spoken in a caption. `drawn` says how the value is drawn, for
    whoever reads it back from the picture. In the frames before `until` it is on screen, unless it is on its way to
    the place of the row that follows; 0 for captions.
    """

    lesson: str
    beat: str
    frame: int
    kind: str
    text: str
    path: str
    index: tuple[int, ...]
    value: float
    box: Box | None
    drawn: dict[str, Any] = field(default_factory=dict, compare=False)
    until: int = 0


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
        self.words: Words = load_words(self.language, self.name)
        self.example: WorkedExample = self.settings.example_for(self.language)
        self.fps = round(config.frame_rate)
        self.frame = 0
        self.ledger: list[Row] = []
        self.spans: list[Span] = []
        self.cues: list[Cue] = []
        # The cues of the beat that is running, for whoever draws captions over its frames.
        self.pending_cues: list[Cue] = []
        self.beat = ""
        self.watchers: list[Callable[[Lesson], None]] = []
        # Called with every frame that is computed; and which frames of a play of so many are.
        self.frame_watchers: list[Callable[[Lesson], None]] = []
        self.frames_of: Callable[[int], Sequence[int]] = range
        self.readouts: list[Readout] = []
        self._moments: dict[str, int] = {}
        self._clock = 0.0
        self._plan: int | None = None
        # Of what is on screen, by shape and number of its tie: what it showed last, and the row that says so.
        self._seen: dict[tuple[int, int], tuple[tuple[str, Box | None], int]] = {}

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
        """Values of the `{slots}` in this lesson's words: entries with their places, or words of the sentence."""
        return {}

    def token(self, i: int) -> str:
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
        said = self._filled(f"labels.{key}", self.words.labels[key], values)
        if width is None:
            return TextLine(said.text, size, color, bold=bold, ties=said.ties)
        line = fitted(said.text, width, size, color, bold=bold)
        # What was cut off is not shown.
        line.ties = tuple(tie for tie in said.ties if tie.span and line.text[slice(*tie.span)] == tie.text)
        return line

    def paragraph(
        self, key: str, size: float = SMALL, color: str | None = None, *, rows: int = 1, upright: int = 0,
        bold: bool = False, edge: str = "middle", **values: SlotValue,
    ) -> Paragraph:  # fmt: skip
        """A text of the lesson's words in at most so many rows, in a format that is upright `upright` ones."""
        said = self._filled(f"labels.{key}", self.words.labels[key], values)
        count = upright if upright and is_upright() else rows
        return Paragraph(in_rows(said.text, count), size, color, bold=bold, edge=edge, ties=said.ties)

    def rolling(
        self, key: str, size: float = SMALL, color: str | None = None, *, bold: bool = False, **slot: Shown
    ) -> Rolling:
        """A line of the lesson's words around one number that is going to change; its one slot comes from `slot`."""
        said = self._filled(f"labels.{key}", self.words.labels[key], slot)
        (shown,), (tie,) = slot.values(), said.ties
        start, stop = tie.span or (0, 0)
        return Rolling(said.text[:start], shown, said.text[stop:], size, color, bold=bold)

    def title(
        self, note: str | None = None, *, text: str = "", size: float = TITLE, color: str | None = None
    ) -> VGroup:
        """The title, or another `text`, in its slot; small at its right, or below it on a phone, the label `note`."""
        said = text or self._filled("title", self.words.title, {}).text
        if is_upright():
            return self._upright_title(said, note, size, color)
        line = fitted(said, self.title_slot.width * 0.72, size, color, bold=True)
        line.move_to(self.title_slot.centre).shift((self.title_slot.left - line.get_left()[0], 0, 0))
        whole = VGroup(line)
        if note is not None:
            small = self.label(note, SMALL, self.theme.muted, width=self.title_slot.width - line.width - 0.5)
            small.move_to(line).shift((self.title_slot.right - small.get_right()[0], 0, 0))
            whole.add(small)
        return whole

    def _upright_title(self, text: str, note: str | None, size: float, color: str | None) -> VGroup:
        slot = self.title_slot
        rows = (text,) if TextLine(text, size, bold=True).width <= slot.width else in_rows(text, 2)
        line = Paragraph(rows, size, color, bold=True, edge="left")
        line.scale(min(1.0, slot.width / line.width))
        whole = VGroup(line.align_to((slot.left, slot.top, 0), UP + LEFT))
        if note is not None:
            small = self.label(note, SMALLEST, self.theme.muted, width=slot.width)
            whole.add(small.next_to(line, DOWN, buff=0.08, aligned_edge=LEFT))
        return whole

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
            self._check_glyphs()
            for beat in self.beats:
                self._run(beat)
            for seen in self._seen.values():
                self._end(seen, self.frame)

    def _run(self, beat: str) -> None:
        self.beat, start = beat, self.frame
        self.next_section(beat)
        line = self._filled(f"say.{beat}", self.words.say[beat], {})
        self.ledger += [self._row("caption", tie, None, start, self._told(tie)) for tie in line.ties]
        self._moments = dict(line.moments)
        if self.speech is None:
            speed = getattr(self.settings.render.reading_speed, self.language)
            cues = cues_of(line.text, speed, start, self.fps)
        else:
            cues = spoken_cues(self.speech[beat], start, self.fps)
        self.pending_cues = cues
        for cue in cues:
            self.add_subcaption(
                cue.text.replace("\n", " "), (cue.stop - cue.start) / self.fps, (cue.start - start) / self.fps
            )
        getattr(self, beat)()
        if self._moments:
            raise WordsError(
                f"{self.language}/{self.name}.yaml: say.{beat}: the beat does not wait for the mark "
                f"{{@{next(iter(self._moments))}}}; delete it"
            )
        spoken = (cues[-1].stop - self.frame) / self.fps if cues else 0.0
        rest = max(self.settings.render.hold, spoken + _BREATH)
        if self.speech is None:
            self.wait(rest)
        else:
            self._hold_until(self.frame + ceil(rest * self.fps))
        # Captions stay until the beat ends, so that a slow reader is not left without.
        self.cues += cues[:-1] + ([Cue(cues[-1].rows, cues[-1].start, self.frame)] if cues else [])
        self.spans.append(Span(beat, start, self.frame))
        self._record(self.frame - 1, every=True)
        for watcher in self.watchers:
            watcher(self)

    def play(self, *args: Any, **kwargs: Any) -> None:
        """As manim's, in whole frames: what rounding takes or gives is carried to the next call."""
        self._record(self.frame, unseen=_introduced(args))
        self._plan = None
        super().play(*args, **kwargs)
        self.frame += self._plan or 0

    def wait(self, duration: float = 1.0, stop_condition: Any = None, frozen_frame: bool | None = True) -> None:
        """Hold the picture; too short a wait for a whole frame is carried over."""
        if round((self._clock + duration) * self.fps) <= self.frame:
            self._clock += duration
            return
        self.play(Wait(run_time=duration, stop_condition=stop_condition, frozen_frame=frozen_frame))

    def _hold_until(self, frame: int) -> None:
        """Hold the picture until frame number `frame`, if that is yet to come: sound knows of no carrying over."""
        if frame > self.frame:
            self._clock = self.frame / self.fps
            self.wait((frame - self.frame) / self.fps)

    def get_run_time(self, animations: list[Animation]) -> float:
        """Seconds of a whole number of frames, planned once a call of `play`."""
        if self._plan is None:
            self._clock += max(animation.run_time for animation in animations)
            self._plan = max(1, round(self._clock * self.fps) - self.frame)
        return self._plan / self.fps + _EPSILON

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
        times = np.array(self.frames_of(self._plan or 1)) / self.fps
        return tqdm(times, desc=description, disable=config["progress_bar"] == "none", leave=False)

    def update_to_time(self, t: float) -> None:
        super().update_to_time(t)
        for watcher in self.frame_watchers:
            watcher(self)

    # Words and ledger

    def lines(self) -> dict[str, str]:
        """What is said, a line a beat, with its slots filled."""
        return {beat: self._filled(f"say.{beat}", self.words.say[beat], {}).text for beat in self.beats}

    def _values(self, text: str, values: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
        """The values of a line's slots. Within a line, a word of the sentence does not bring its own punctuation."""
        known = {**self.slots(), **values}
        return {
            name: bare_word(value) if isinstance(value, str) and not text.endswith(f"{{{name}}}") else value
            for name, value in known.items()
        }

    def _filled(self, key: str, text: str, values: Mapping[str, SlotValue]) -> Line:
        where = f"{self.language}/{self.name}.yaml: {key}"
        return fill(text, self._values(text, values), self.language, where)

    def _told(self, tie: Tie) -> dict[str, Any]:
        """How a number is spoken that is not said as its digits."""
        return {"form": tie.form, "language": self.language} if tie.form else {}

    def _check_glyphs(self) -> None:
        spoken = [self.words.title, *self.words.say.values(), *self.words.labels.values(), *self.example.words]
        missing = missing_glyphs("".join(spoken))
        if missing:
            named = ", ".join(f"{c} (U+{ord(c):04X})" for c in missing)
            raise FontError(
                f"lesson {self.name}, {self.language}: the film's font has no {named}; use other characters"
            )

    def visible(self) -> Iterator[Mobject]:
        """Every shape on screen that is not transparent."""
        for top in self.mobjects:
            for mobject in top.get_family():
                if isinstance(mobject, TextLine):
                    if mobject.get_fill_opacity() > 0 and len(mobject.points):
                        yield mobject
                elif ties_of(mobject):
                    yield mobject

    def _record(self, frame: int, *, every: bool = False, unseen: Collection[int] = ()) -> None:
        """Write ledger rows for what is on screen: all of it, or what is new or changed since last time.

        `unseen` are the ids of what an animation that starts now has yet to show.
        """
        present = set()
        for mobject in self.visible():
            if id(mobject) in unseen:
                continue
            if isinstance(mobject, TextLine):
                literal_ties(mobject, self._literals)
            for n, tie in enumerate(ties_of(mobject)):
                box = mobject.box_of(n) if isinstance(mobject, Drawn) else box_around(mobject)
                key, state = (id(mobject), n), (tie.entry.address + tie.text, box)
                present.add(key)
                before = self._seen.get(key)
                if every or before is None or before[0] != state:
                    self._end(before, frame)
                    told = mobject.told(n) if isinstance(mobject, Drawn) else {}
                    self._seen[key] = state, len(self.ledger)
                    self.ledger.append(self._row(tie.kind, tie, box, frame, told))
        for key in self._seen.keys() - present:
            self._end(self._seen.pop(key), frame)

    def _end(self, seen: tuple[object, int] | None, frame: int) -> None:
        """Note in the row of what was seen until when it was."""
        if seen is not None:
            self.ledger[seen[1]] = replace(self.ledger[seen[1]], until=frame)

    def _literals(self) -> Literals:
        return literals(self.settings, self.language, self.name, self.example.words)

    def _row(self, kind: str, tie: Tie, box: Box | None, frame: int, told: dict[str, Any] | None = None) -> Row:
        entry = tie.entry
        return Row(self.name, self.beat, frame, kind, tie.text, entry.path, entry.index, entry.value, box, told or {})


def _introduced(animations: Iterable[Any]) -> set[int]:
    """The ids of all parts that these animations bring in: in their first frame, nothing of them is seen."""
    found: set[int] = set()
    for animation in animations:
        found |= _introduced(getattr(animation, "animations", ()))
        if getattr(animation, "introducer", False):
            found |= {id(part) for part in animation.mobject.get_family()}
    return found
