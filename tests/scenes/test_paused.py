"""No picture is wrong when the film is paused: frames between the ends of beats, of every lesson.

What moves is compared with what is written; no text is torn, too small, over other text or under a frame; no line is
drawn as a dot. A lesson that has a moving thing with a reading declares it with `Lesson.follow`. The ledger has what is
there in these frames, and nothing else.
"""

import functools
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from manim import (
    RIGHT,
    UP,
    FadeIn,
    Line,
    Mobject,
    RoundedRectangle,
    Square,
    Transform,
    UpdateFromAlphaFunc,
    VGroup,
)
from manim.animation.creation import Create
from manim.constants import CapStyleType

from scenes.formats import FORMATS
from scenes.kit import lesson as lesson_module
from scenes.kit.figures import Dial
from scenes.kit.ledger import Row
from scenes.kit.lesson import Lesson
from scenes.kit.marks import Box, DrawnMark
from scenes.kit.motion import Carry, Draw
from scenes.kit.paused import paused
from scenes.kit.text import Drawn, Number, TextLine, provenance_of
from scenes.lessons import CARDS, LESSONS
from scenes.settings import LANGUAGES, NAMED_QUALITIES, Quality, load_settings
from scenes.words import Words
from scripts.studio.audit import SENTENCES
from scripts.studio.renderer.film import StudioRenderer
from scripts.studio.stage import lesson_class, manim_configured, play_lesson

DRAFTS = {each.name: Quality("draft", *each.size(480), 15, each.name) for each in FORMATS.values()}
DRAFT = DRAFTS["landscape"]
# Which frames of a play are looked at, as shares of the way from its first to its last.
SHARES = (0.0, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 1.0)
# The shipped sentence in both languages, and the shortest and the longest one.
PLAYS = (("en", 0), ("zh", 0), ("en", 2), ("zh", 12))
# On a phone, lessons that have a layout for it.
UPRIGHT = [name for name in LESSONS if "phone" in lesson_class(name).formats]
# Lessons in which digits follow something that moves, and how many different digits the one that changes most shows.
MOVING = {"waves": 20, "clock": 20}


def some(frames: int) -> list[int]:
    return sorted({round((frames - 1) * share) for share in SHARES})


@dataclass(frozen=True)
class There:
    """A number or a picture of one that is drawn in a frame."""

    address: str
    text: str
    box: Box
    mark: DrawnMark


@dataclass
class Looked:
    """Faults of the frames that were looked at, what each declared reading said in them, and what was there."""

    frames: int
    faults: list[str]
    said: dict[int, set[str]]
    there: dict[int, list[There]]
    ledger: list[Row]


@functools.cache
def looked_at(name: str, language: str, size: int = 0, shape: str = "landscape") -> Looked:
    found = Looked(0, [], defaultdict(set), {}, [])

    def look(lesson: Lesson) -> None:
        found.frames += 1
        found.faults += [str(fault) for fault in paused(lesson)]
        for number, readout in enumerate(lesson.readouts):
            found.said[number].add(readout.digits.text)
        found.there[lesson.frame + round(lesson.last_t * lesson.fps)] = list(there(lesson))

    sentence = SENTENCES[language][size] if size else None
    settings = load_settings().with_overrides(
        language=language, sentence=sentence, format=shape, quality=NAMED_QUALITIES[0]
    )
    with tempfile.TemporaryDirectory() as scratch, manim_configured(DRAFTS[shape], Path(scratch)):
        found.ledger = play_lesson(name, settings, language, frame_watchers=(look,), frames_of=some).ledger
    return found


def there(lesson: Lesson) -> Iterator[There]:
    """What is drawn at this moment, from back to front."""
    for shape in lesson.visible():
        for n, origin in enumerate(provenance_of(shape)):
            assert isinstance(shape, Drawn)
            mark = shape.mark_of(n)
            if mark.opacity > 0:
                yield There(origin.entry.address, origin.text, shape.box_of(n), mark)


@pytest.mark.parametrize(
    ("name", "language", "size", "shape"),
    [(name, *play, "landscape") for name in LESSONS for play in PLAYS]
    + [(name, *play, "phone") for name in UPRIGHT for play in PLAYS[:2]],
)
def test_no_frame_of_a_lesson_is_wrong(name: str, language: str, size: int, shape: str) -> None:
    looked = looked_at(name, language, size, shape)
    assert looked.frames > 50
    assert looked.faults == []
    most = max(map(len, looked.said.values()), default=0)
    assert most >= (MOVING.get(name, 0) if size != 2 else 0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CARDS)
def test_no_frame_of_a_card_is_wrong(name: str, language: str) -> None:
    assert looked_at(name, language).faults == []


# Of waves and clock, what rolls between positions stands in the ledger where it began, and where it ends.
EXACT = [name for name in LESSONS if name not in ("waves", "clock")]


@pytest.mark.parametrize(
    ("name", "language", "size", "shape"),
    [(name, language, 0, "landscape") for name in EXACT for language in LANGUAGES]
    + [(name, *play, "phone") for name in EXACT for play in PLAYS[:2]],
)
def test_the_ledger_has_what_is_there_in_any_frame(name: str, language: str, size: int, shape: str) -> None:
    looked = looked_at(name, language, size, shape)
    resting = moving = 0
    for frame, here in looked.there.items():
        standing = sorted((row for row in looked.ledger if row.rests_at(frame)), key=lambda row: row.layer)
        # What an animation brings in is known from its second frame on.
        on_their_way = [row for row in looked.ledger if row.moves and (row.at(frame) or row.frame == frame + 1)]
        resting, moving = resting + len(standing), moving + len(on_their_way)
        for seen in here:
            if standing and is_of(standing[0], seen):
                standing.pop(0)
            else:
                assert any(within(seen.box, row.box) for row in on_their_way), (frame, seen, standing[:1])
        assert standing == [], frame
    assert resting > 1000 and moving > 100


def is_of(row: Row, seen: There) -> bool:
    """Whether a row says what is seen, where it stands and how it is drawn."""
    assert row.box is not None and row.mark is not None
    address = f"{row.path}{list(row.index)}" if row.index else row.path
    if (address, row.text, type(row.mark)) != (seen.address, seen.text, type(seen.mark)):
        return False
    told, drawn = (list(parts(each)) for each in ((row.box, asdict(row.mark)), (seen.box, asdict(seen.mark))))
    return len(told) == len(drawn) and all(
        one == other if isinstance(one, str) else abs(one - other) < 1e-6
        for one, other in zip(told, drawn, strict=True)
    )


def parts(value: Any) -> Iterator[Any]:
    """The numbers and words that something is made of."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else None
    yield from (value,) if inner is None else (part for each in inner for part in parts(each))


def within(box: Box, room: Box | None) -> bool:
    """Whether a box lies in another, but for a hair."""
    assert room is not None
    return all(box[k] >= room[k] - 0.02 and box[k + 2] <= room[k + 2] + 0.02 for k in (0, 1))


# What is wrong is found.

WORDS = Words(title="Pause", alt="A square.", say={"only": "One."}, labels={}, sources=())


def kinds(act: Callable[[Lesson], None], scratch: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How many faults of which kind a lesson has that does this."""
    monkeypatch.setattr(lesson_module, "load_words", lambda language, name: WORDS)

    class Only(Lesson):
        beats = ("only",)

        def only(self) -> None:
            act(self)

    found: dict[str, int] = {}

    def look(lesson: Lesson) -> None:
        for fault in paused(lesson):
            found[fault.kind] = found.get(fault.kind, 0) + 1

    with manim_configured(DRAFT, scratch):
        lesson = Only(StudioRenderer(), settings=load_settings(), language="en")
        lesson.frame_watchers.append(look)
        lesson.render()
    return found


def digits(lesson: Lesson, position: int) -> Number:
    return Number(lesson.example.waves.positions.entry(position))


def glide(late: Callable[[float], float]) -> Callable[[Lesson], None]:
    """A line goes from position 0 to 3; what it passed is written beside it, and changes when `late` says so."""

    def act(lesson: Lesson) -> None:
        line, number = Line(UP, 2 * UP), digits(lesson, 0).shift(3 * RIGHT)
        lesson.follow(number, line, lambda: float(line.get_x()))
        lesson.add(line, number)

        def move(_: Mobject, share: float) -> None:
            line.set_x(3 * share)
            number.change_to(lesson.example.waves.positions.entry(int(late(3 * share))))

        lesson.play(UpdateFromAlphaFunc(VGroup(line, number), move), run_time=2)

    return act


def test_digits_of_a_position_that_is_not_reached_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kinds(glide(round), tmp_path, monkeypatch) == {}
    # As the films once had it: the last position reached, however far the line has gone on.
    assert kinds(glide(int), tmp_path, monkeypatch)["reading"] > 5
    assert kinds(glide(lambda position: 0), tmp_path, monkeypatch)["reading"] > 10


def test_angles_are_compared_up_to_whole_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def turned(degrees: float) -> Callable[[Lesson], None]:
        def act(lesson: Lesson) -> None:
            dial, angle = Dial("#FFFFFF"), Number(lesson.example.clock.angles.entry(7, 0)).shift(2 * UP)
            lesson.follow(angle, dial.hand, dial.drawn_at, turn=360)
            lesson.add(dial.turn_to(degrees), angle)
            lesson.play(FadeIn(Square()))

        return act

    assert kinds(turned(401.0705), tmp_path, monkeypatch) == {}
    assert kinds(turned(343.77), tmp_path, monkeypatch)["reading"] > 5


def test_a_hand_that_has_left_its_value_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(lesson: Lesson) -> None:
        dial = Dial("#FFFFFF")
        entry = lesson.example.clock.angles.entry(1, 0)
        lesson.add(dial.turn_to(entry.value, entry))
        turn = UpdateFromAlphaFunc(dial, lambda _, share: dial.hand.point(dial.centre, entry.value + 90 * share))
        lesson.play(turn)

    assert set(kinds(act, tmp_path, monkeypatch)) == {"drawing"}


@pytest.mark.parametrize(("animation", "found"), [(Create, 1), (Draw, 0)])
def test_a_line_that_begins_as_a_dot_is_found(
    animation: type[Create], found: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def act(lesson: Lesson) -> None:
        line = Line(UP, RIGHT, stroke_width=6)
        line.set_cap_style(CapStyleType.ROUND)
        lesson.play(animation(line))
        assert line.cap_style == CapStyleType.ROUND

    assert bool(kinds(act, tmp_path, monkeypatch).get("dot")) == bool(found)


def test_letters_that_become_other_letters_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(lesson: Lesson) -> None:
        old, new = TextLine("who?"), TextLine("the cat")
        lesson.add(old)
        lesson.play(Transform(old, new))

    assert set(kinds(act, tmp_path, monkeypatch)) == {"scrap"}


def test_digits_that_shrink_away_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(lesson: Lesson) -> None:
        number = digits(lesson, 4)
        lesson.add(number)
        lesson.play(number.animate.scale(0.2))

    assert set(kinds(act, tmp_path, monkeypatch)) == {"scrap"}


def test_digits_that_pass_over_others_are_found_unless_a_card_is_below_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bare(lesson: Lesson) -> None:
        here, there = digits(lesson, 8), digits(lesson, 8)
        lesson.add(here, digits(lesson, 9).shift(2 * RIGHT))
        lesson.play(there.animate.shift(4 * RIGHT))

    def carried(lesson: Lesson) -> None:
        here, there = digits(lesson, 8), digits(lesson, 8)
        cell = RoundedRectangle(width=1, height=0.5, fill_opacity=1).move_to(4 * RIGHT)
        lesson.add(here, digits(lesson, 9).shift(2 * RIGHT), cell)
        lesson.play(Carry(here, there.move_to(cell), cell))
        assert there in lesson.mobjects

    assert set(kinds(bare, tmp_path, monkeypatch)) == {"overprint"}
    assert kinds(carried, tmp_path, monkeypatch) == {}


def sliding(order: Sequence[int]) -> Callable[[Lesson], None]:
    """A ring slides past a word on a card; `order` says what lies below what: ring 0, card 1, word 2."""

    def act(lesson: Lesson) -> None:
        ring = RoundedRectangle(width=1.4, height=0.8)
        card, word = RoundedRectangle(width=1.2, height=0.6, stroke_width=0, fill_opacity=1), TextLine("cat")
        things: list[Mobject] = [ring, card, word]
        lesson.add(*(things[k] for k in order))
        lesson.play(ring.animate.shift(2 * RIGHT))

    return act


def test_a_frame_across_a_word_is_found_unless_it_passes_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(kinds(sliding((1, 2, 0)), tmp_path, monkeypatch)) == {"crossing"}
    assert kinds(sliding((0, 1, 2)), tmp_path, monkeypatch) == {}


def test_a_word_that_is_hidden_when_a_play_begins_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(lesson: Lesson) -> None:
        panel, word = RoundedRectangle(width=3, height=2, fill_opacity=1), TextLine("cat")
        lesson.add(panel, word)
        # A group is brought to the front, and its panel with it.
        lesson.play(VGroup(panel, Square()).animate.set_stroke(width=2))

    assert kinds(act, tmp_path, monkeypatch) == {"buried": 1}


def test_what_cannot_be_seen_is_not_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(lesson: Lesson) -> None:
        line, number = Line(UP, 2 * UP).set_x(0.4), digits(lesson, 7).set_opacity(0)
        lesson.follow(number, line, lambda: float(line.get_x()))
        lesson.add(line, number, TextLine("cat").set_opacity(0.05), TextLine("sat"))
        lesson.play(FadeIn(Square().shift(3 * RIGHT)))

    assert kinds(act, tmp_path, monkeypatch) == {}


def test_only_the_frames_that_are_asked_for_are_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson_module, "load_words", lambda language, name: replace(WORDS))
    times: list[float] = []

    class Only(Lesson):
        beats = ("only",)

        def only(self) -> None:
            square = Square()
            self.play(FadeIn(square), run_time=2)
            assert square.get_stroke_opacity() == 1

    with manim_configured(DRAFT, tmp_path):
        lesson = Only(StudioRenderer(), settings=load_settings(), language="en")
        lesson.frames_of = lambda frames: (0, frames // 2, frames - 1)
        lesson.frame_watchers.append(lambda lesson: times.append(lesson.last_t))
        lesson.render()
    assert times[:3] == [0, 1, 29 / 15]
    assert lesson.spans[-1].stop == lesson.frame >= 30
