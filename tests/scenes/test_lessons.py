"""Every beat of every lesson and card, without pixels: legible, inside the frame, and every number traceable."""

import functools
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from mathcore.named import resolve
from scenes.kit.audit import findings
from scenes.kit.lesson import Lesson, Row
from scenes.kit.literals import literals
from scenes.lessons import CARDS, LESSONS
from scenes.settings import LANGUAGES, Quality, Settings, load_settings
from scripts.studio.audit import SENTENCES
from scripts.studio.stage import lesson_class, manim_configured, play_lesson

DRAFT = Quality("draft", 854, 480, 15)
# d_model and n_heads besides the shipped 8 and 4.
SHAPES = ((8, 1), (8, 2), (6, 3), (4, 4), (4, 2))
# Words that a lesson in this many seconds can be followed by; cards are short.
LENGTH = (35, 70)


@dataclass(frozen=True)
class Played:
    """What a run left: faults and ledger rows by beat, seconds, words that the sentence has."""

    faults: dict[str, list[str]]
    rows: dict[str, list[Row]]
    seconds: float
    settings: Settings


@functools.cache
def played(name: str, language: str, size: int = 0, shape: tuple[int, int] = (0, 0), theme: str = "dark") -> Played:
    settings = load_settings().with_overrides(
        language=language, theme=theme, sentence=SENTENCES[language][size] if size else None
    )
    if shape != (0, 0):
        example = settings.example.model_copy(update={"d_model": shape[0], "n_heads": shape[1]})
        settings = settings.model_copy(update={"example": example})
    faults: dict[str, list[str]] = {}

    def watch(lesson: Lesson) -> None:
        faults[lesson.beat] = [str(fault) for fault in findings(lesson)]

    with tempfile.TemporaryDirectory() as scratch, manim_configured(DRAFT, Path(scratch)):
        lesson = play_lesson(name, settings, language, watchers=(watch,))
    rows = {beat: [row for row in lesson.ledger if row.beat == beat] for beat in lesson.beats}
    return Played(faults, rows, lesson.frame / DRAFT.fps, settings)


def cases() -> list[object]:
    """One case a beat; all beats of one run stay on one worker."""
    return [
        pytest.param(name, beat, language, size, marks=pytest.mark.xdist_group(f"{name}-{language}-{size}"))
        for name in LESSONS
        for language in LANGUAGES
        for size in SENTENCES[language]
        for beat in lesson_class(name).beats
    ]


def check_rows(rows: list[Row], settings: Settings, language: str) -> None:
    """Every row of a ledger names a value of a freshly built worked example, and shows its digits.

    Digits that are written, not computed, name the place where they are.
    """
    fresh = settings.example_for(language)
    for row in rows:
        if row.kind == "text":
            written = {place: text for place, text, _ in literals(settings, language, row.lesson, fresh.words)}
            assert row.text in written[row.path], row
            continue
        entry = resolve(fresh, row.path).entry(*row.index)
        assert entry.value == row.value, row
        shown = row.text.replace(",", "")
        places = len(shown.partition(".")[2])
        assert shown in ("", entry.text(places), entry.text(places, signed=True)), row


@pytest.mark.parametrize(("name", "beat", "language", "size"), cases())
def test_beat(name: str, beat: str, language: str, size: int) -> None:
    run = played(name, language, size)
    assert len(run.settings.words(language)) == size
    assert run.faults[beat] == []
    check_rows(run.rows[beat], run.settings, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", list(LESSONS))
def test_lesson_shows_numbers_and_keeps_its_time(name: str, language: str) -> None:
    run = played(name, language)
    assert LENGTH[0] <= run.seconds <= LENGTH[1]
    kinds = {row.kind for rows in run.rows.values() for row in rows}
    assert "number" in kinds
    assert sum(map(len, run.rows.values())) > 50


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", list(LESSONS))
def test_other_sizes_of_the_example_fit(name: str, shape: tuple[int, int]) -> None:
    run = played(name, "en", 8, shape)
    assert [fault for faults in run.faults.values() for fault in faults] == []
    for rows in run.rows.values():
        check_rows(rows, run.settings, "en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CARDS)
def test_card(name: str, language: str) -> None:
    run = played(name, language)
    assert [fault for faults in run.faults.values() for fault in faults] == []
    for rows in run.rows.values():
        check_rows(rows, run.settings, language)


@pytest.mark.parametrize("name", list(LESSONS))
def test_a_change_of_theme_changes_no_number(name: str) -> None:
    dark, light = played(name, "en"), played(name, "en", theme="light")
    assert [fault for faults in light.faults.values() for fault in faults] == []
    assert dark.rows == light.rows
