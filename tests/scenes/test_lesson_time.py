"""Beats end on whole frames, and nothing is lost to rounding."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from manim import FadeIn, FadeOut, Square

from scenes.kit import lesson as lesson_module
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.speech import LineTimes, Word
from scenes.kit.text import Number
from scenes.settings import Quality, load_settings
from scenes.words import Words, WordsError
from scripts.studio.renderer.film import StudioRenderer
from scripts.studio.stage import manim_configured

SPOKEN = Words(
    title="Time", alt="A square.", say={"only": "One two three. Four {n} five."}, labels={"n": "{n} words"}, sources=()
)


class Count:
    def __init__(self) -> None:
        self.frames = 0

    def write(self, frame: object, repeat: int) -> None:
        self.frames += repeat


def played(
    act: Callable[[Lesson], None],
    fps: int,
    scratch: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    hold: float | None = None,
    say: str = SPOKEN.say["only"],
    seconds: float = 0.0,
) -> tuple[Lesson, int]:
    words = replace(SPOKEN, say={"only": say})
    monkeypatch.setattr(lesson_module, "load_words", lambda language, name: words)

    class Timed(Lesson):
        beats = ("only",)

        def slots(self) -> dict[str, SlotValue]:
            return {"n": self.example.sizes.words}

        def only(self) -> None:
            act(self)

    count = Count()
    settings = load_settings()
    if hold is not None:
        settings = settings.model_copy(update={"render": settings.render.model_copy(update={"hold": hold})})
    with manim_configured(Quality("tiny", 128, 72, fps), scratch):
        timed = Timed(StudioRenderer((count,)), settings=settings, language="en")
        if seconds:
            timed.speech = {"only": spoken(timed.lines()["only"], seconds)}
        timed.render()
    return timed, count.frames


def spoken(text: str, seconds: float) -> LineTimes:
    """A line whose words each take as long as the others."""
    found = list(re.finditer(r"\S+", text))
    step = seconds / len(found)
    words = (Word(word.start(), word.end(), n * step, (n + 1) * step) for n, word in enumerate(found))
    return LineTimes(text, seconds, tuple(words))


@pytest.mark.parametrize("fps", [15, 30, 60])
def test_40_plays_of_031_s_last_12_4_s(fps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frames_at = []

    def act(timed: Lesson) -> None:
        square = Square()
        for n in range(40):
            timed.play(FadeIn(square) if n % 2 == 0 else FadeOut(square), run_time=0.31)
        frames_at.append(timed.frame)

    timed, drawn = played(act, fps, tmp_path, monkeypatch)
    assert abs(frames_at[0] - 12.4 * fps) <= 1
    assert drawn == timed.frame == timed.spans[-1].stop


@pytest.mark.parametrize("fps", [15, 30])
def test_40_waits_of_031_s_last_12_4_s(fps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frames_at = []

    def act(timed: Lesson) -> None:
        for _ in range(40):
            timed.wait(0.31)
        frames_at.append(timed.frame)

    timed, drawn = played(act, fps, tmp_path, monkeypatch)
    assert abs(frames_at[0] - 12.4 * fps) <= 1
    assert drawn == timed.frame


def test_30_waits_of_001_s_last_03_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frames_at = []

    def act(timed: Lesson) -> None:
        for _ in range(30):
            timed.wait(0.01)
        frames_at.append(timed.frame)

    _, drawn = played(act, 15, tmp_path, monkeypatch)
    assert abs(frames_at[0] - 0.3 * 15) <= 1
    assert drawn > frames_at[0]


def test_a_beat_lasts_as_long_as_its_line_and_cues_end_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timed, _ = played(lambda lesson: lesson.wait(0.2), 15, tmp_path, monkeypatch)
    words = 6
    assert timed.frame >= words / timed.settings.render.reading_speed.en * 15
    assert [cue.rows for cue in timed.cues] == [("One two three.",), ("Four 8 five.",)]
    assert timed.cues[0].stop == timed.cues[1].start
    assert timed.cues[-1].stop == timed.frame
    spoken = [row for row in timed.ledger if row.kind == "caption"]
    assert [(row.path, row.text, row.value) for row in spoken] == [("sizes.words", "8", 8.0)]


def test_the_picture_rests_after_the_last_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = []

    def act(timed: Lesson) -> None:
        timed.play(FadeIn(Square()), run_time=9)
        ends.append(timed.frame)

    timed, _ = played(act, 15, tmp_path, monkeypatch, hold=2.0)
    assert timed.frame - ends[0] == 30


def test_the_ledger_says_in_every_frame_where_a_number_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(timed: Lesson) -> None:
        first = Number(timed.example.heads[0].weights.entry(0, 0))
        timed.play(FadeIn(first))
        timed.wait(0.5)
        timed.wait(0.5)
        timed.play(first.animate.shift((1, 0, 0)))

    timed, _ = played(act, 15, tmp_path, monkeypatch)
    rows = [row for row in timed.ledger if row.kind == "number"]
    assert all(row.path == "attention.heads[0].weights" and row.index == (0, 0) for row in rows)
    assert len({row.id for row in rows}) == 1
    # It appears, stands, goes and stands. In a play's first frame everything is as it was before.
    assert [(row.frame, row.until, row.moves) for row in rows] == [
        (1, 15, True), (15, 31, False), (31, 45, True), (45, timed.frame, False),
    ]  # fmt: skip
    appears, stands, goes, at_last = (row.box for row in rows)
    assert appears and stands and goes and at_last
    assert at_last == pytest.approx([stands[0] + 1, stands[1], stands[2] + 1, stands[3]])
    assert goes[0] <= stands[0] < at_last[2] <= goes[2], "its way is between the two"
    assert rows[1].mark == rows[3].mark and rows[0].mark is None


def test_a_new_beat_and_a_new_order_are_new_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(timed: Lesson) -> None:
        weights = timed.example.heads[0].weights
        first, second, third = (Number(weights.entry(0, k)).shift((2 * k, 0, 0)) for k in range(3))
        timed.add(first, third)
        timed.wait(1)
        timed.remove(third)
        timed.add(second, third)
        timed.wait(1)
        timed.bring_to_front(first)
        timed.wait(1)

    timed, _ = played(act, 15, tmp_path, monkeypatch)
    rows = [row for row in timed.ledger if row.kind == "number"]
    for frame, order in ((0, [0, 2]), (20, [0, 1, 2]), (40, [1, 2, 0])):
        there = sorted((row for row in rows if row.rests_at(frame)), key=lambda row: row.layer)
        assert [row.index[1] for row in there] == order


@pytest.mark.parametrize("fps", [2, 7, 15])
def test_a_beat_lasts_as_long_as_its_spoken_line_and_a_breath(
    fps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def act(timed: Lesson) -> None:
        # At a low rate these plays are longer than they say, which the end must not take from the line.
        for _ in range(5):
            timed.play(FadeIn(Square()), run_time=0.2)

    timed, drawn = played(act, fps, tmp_path, monkeypatch, seconds=6.1)
    assert 6.5 <= timed.frame / fps < 6.5 + 2 / fps
    assert drawn == timed.frame
    # The second sentence is spoken from the fourth of six words on.
    assert [cue.rows for cue in timed.cues] == [("One two three.",), ("Four 8 five.",)]
    assert timed.cues[1].start == timed.cues[0].stop == round(3.05 * fps)
    assert timed.cues[1].stop == timed.frame
    rested, _ = played(lambda timed: timed.play(FadeIn(Square()), run_time=9), fps, tmp_path, monkeypatch, seconds=6.1)
    assert rested.frame / fps == pytest.approx(9.8, abs=1 / fps)


def test_a_moment_is_when_its_word_is_spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = []

    def act(timed: Lesson) -> None:
        timed.until("first")
        frames.append(timed.frame)
        timed.until("number")
        frames.append(timed.frame)
        timed.play(FadeIn(Square()), run_time=3)
        timed.until("late")
        frames.append(timed.frame)

    marked = "{@first}One two three. Four {@number}{n} {@late}five."
    timed, _ = played(act, 15, tmp_path, monkeypatch, say=marked, seconds=6.0)
    assert frames == [0, 60, 105], "what is past is not waited for"
    assert [cue.text for cue in timed.cues] == ["One two three.", "Four 8 five."]
    frames.clear()
    silent, _ = played(act, 15, tmp_path, monkeypatch, say=marked)
    assert frames == [0, 0, 45], "a silent film goes by reading time"
    assert [cue.text for cue in silent.cues] == ["One two three.", "Four 8 five."]


@pytest.mark.parametrize(
    ("say", "told"),
    [
        (
            "One two.",
            "say.only: the beat waits for the mark {@here}, which its line does not have; put it before that word",
        ),
        ("One {@here}two {@there}three.", "say.only: the beat does not wait for the mark {@there}; delete"),
    ],
)
def test_marks_and_moments_are_the_same(say: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WordsError) as caught:
        played(lambda timed: timed.until("here"), 15, tmp_path, monkeypatch, say=say)
    assert told in str(caught.value)
