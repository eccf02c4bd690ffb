"""Every beat of every lesson and card, without pixels: legible, inside the frame, and every number traceable."""

import functools
import tempfile
from dataclasses import astuple, dataclass, replace
from itertools import combinations, product
from pathlib import Path

import pytest

from mathcore.named import resolve
from scenes.formats import FORMATS
from scenes.kit.faults import faults_of
from scenes.kit.ledger import Row
from scenes.kit.lesson import Lesson
from scenes.kit.literals import literals
from scenes.kit.marks import SpokenMark
from scenes.lessons import CARDS, LESSONS
from scenes.settings import LANGUAGES, Quality, Settings, load_settings
from scenes.words.numerals import numeral
from scripts.studio.audit import SENTENCES
from scripts.studio.stage import lesson_class, manim_configured, play_lesson
from tests.pairwise import pairwise_cases

DRAFTS = {each.name: Quality("draft", *each.size(480), 15, each.name) for each in FORMATS.values()}
DRAFT = DRAFTS["landscape"]
# d_model and n_heads: as shipped, one head, an odd number of heads, heads of a single number.
SHAPES = ((8, 4), (8, 1), (6, 3), (4, 4))
# Words of the sentence; 0 is the shipped one.
SIZES = (2, 0, 12)
# Words that a lesson in this many seconds can be followed by; cards are short.
LENGTH = (35, 70)


@dataclass(frozen=True)
class Played:
    """What a run left: faults and ledger rows by beat, seconds, words that the sentence has."""

    faults: dict[str, list[str]]
    rows: dict[str, list[Row]]
    seconds: float
    settings: Settings


@dataclass(frozen=True)
class Variant:
    """How a lesson is played: language, number of words (0: as shipped), theme, d_model and n_heads, format."""

    language: str
    size: int = 0
    theme: str = "dark"
    shape: tuple[int, int] = (8, 4)
    format: str = "landscape"

    def __str__(self) -> str:
        shape = f"{self.shape[0]}x{self.shape[1]}"
        return "-".join(
            (self.language, str(self.size), self.theme, shape, *([] if self.format == "landscape" else [self.format]))
        )

    def settings(self) -> Settings:
        sentence = SENTENCES[self.language][self.size] if self.size else None
        found = load_settings().with_overrides(
            language=self.language, theme=self.theme, sentence=sentence, format=self.format, quality="480p15"
        )
        example = found.example.model_copy(update={"d_model": self.shape[0], "n_heads": self.shape[1]})
        return found.model_copy(update={"example": example})


SHIPPED = {language: Variant(language) for language in LANGUAGES}
VARIANTS = [
    Variant(*case)  # type: ignore[arg-type]
    for case in pairwise_cases(
        LANGUAGES, SIZES, ("dark", "light"), SHAPES, ("landscape",), first=[astuple(s) for s in SHIPPED.values()]
    )
]
# Themes have no part in where things stand, so that they are tried in one format only.
PHONE = {language: Variant(language, format="phone") for language in LANGUAGES}
PHONE_VARIANTS = [
    Variant(*case)  # type: ignore[arg-type]
    for case in pairwise_cases(
        LANGUAGES, SIZES, ("dark",), SHAPES, ("phone",), first=[astuple(phone) for phone in PHONE.values()]
    )
]


@functools.cache
def played(name: str, variant: Variant) -> Played:
    settings = variant.settings()
    faults: dict[str, list[str]] = {}

    def watch(lesson: Lesson) -> None:
        faults[lesson.beat] = [str(fault) for fault in faults_of(lesson)]

    with tempfile.TemporaryDirectory() as scratch, manim_configured(DRAFTS[variant.format], Path(scratch)):
        lesson = play_lesson(name, settings, variant.language, fast_forward=True, watchers=(watch,))
    rows = {beat: [row for row in lesson.ledger if row.beat == beat] for beat in lesson.beats}
    return Played(faults, rows, lesson.frame / DRAFT.fps, settings)


def cases() -> list[object]:
    """One case a beat; all beats of one run stay on one worker."""
    return [
        pytest.param(name, beat, variant, id=f"{name}-{beat}-{variant}", marks=_together(name, variant))
        for name in LESSONS
        for variant in (*VARIANTS, *PHONE_VARIANTS)
        if variant.format in lesson_class(name).formats
        for beat in lesson_class(name).beats
    ]


def _together(name: str, variant: Variant) -> pytest.MarkDecorator:
    return pytest.mark.xdist_group(f"{name}-{variant}")


def check_rows(rows: list[Row], settings: Settings, language: str) -> None:
    """Every row of a ledger names a value of a freshly built worked example, and shows its digits.

    Digits that are written, not computed, name the place where they are.
    """
    fresh = settings.example_for(language)
    for row in rows:
        if row.kind == "text":
            written = {place: text for place, text, _ in literals(settings, language, row.lesson, fresh)}
            assert row.text in written[row.path], row
            continue
        entry = resolve(fresh, row.path).entry(*row.index)
        assert entry.value == row.value, row
        if isinstance(row.mark, SpokenMark):
            assert row.text == numeral(entry.value, row.mark.form, language), row
            continue
        shown = row.text.replace(",", "")
        places = len(shown.partition(".")[2])
        assert shown in ("", entry.text(places), entry.text(places, signed=True)), row


def check_decimals(rows: list[Row]) -> None:
    """Numbers of one array that are seen together have the same number of decimals."""
    decimals: dict[tuple[int, str], set[int]] = {}
    digits = [row for row in rows if row.kind in ("number", "label")]
    for frame in {row.until - 1 for row in digits}:
        for row in digits:
            if row.at(frame):
                decimals.setdefault((frame, row.path), set()).add(len(row.text.partition(".")[2]))
    assert [place for place, found in decimals.items() if len(found) > 1] == []


def test_trained_and_drawn_parameters_are_both_played() -> None:
    """In both formats and languages: their words differ, and how long their numbers are."""
    for variants in (VARIANTS, PHONE_VARIANTS):
        found = {(v.language, v.settings().example_for(v.language).has_trained_parameters) for v in variants}
        assert found == {(language, trained) for language in LANGUAGES for trained in (True, False)}


def test_any_two_choices_meet() -> None:
    met = {pair for variant in VARIANTS for pair in combinations(enumerate(astuple(variant)), 2)}
    wanted = product(enumerate(SHAPES), enumerate(SIZES))
    assert all(((1, size), (3, shape)) in met for (_, shape), (_, size) in wanted)
    assert len(VARIANTS) < len(LANGUAGES) * len(SHAPES) * 2 * len(SIZES)


@pytest.mark.parametrize(("name", "beat", "variant"), cases())
def test_beat(name: str, beat: str, variant: Variant) -> None:
    run = played(name, variant)
    assert variant.size in (0, len(run.settings.words(variant.language)))
    assert run.faults[beat] == []
    check_rows(run.rows[beat], run.settings, variant.language)
    check_decimals(run.rows[beat])


@pytest.mark.parametrize(
    ("name", "language"),
    [
        pytest.param(name, language, marks=_together(name, SHIPPED[language]))
        for name in LESSONS
        for language in LANGUAGES
    ],
)
def test_lesson_shows_numbers_and_keeps_its_time(name: str, language: str) -> None:
    run = played(name, SHIPPED[language])
    assert LENGTH[0] <= run.seconds <= LENGTH[1]
    kinds = {row.kind for rows in run.rows.values() for row in rows}
    assert "number" in kinds
    assert sum(map(len, run.rows.values())) > 50


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [n for n in LESSONS if "phone" in lesson_class(n).formats])
def test_a_phone_s_film_shows_no_other_numbers(name: str, language: str) -> None:
    wide, upright = (
        {(row.path, row.index, row.value) for rows in played(name, variant).rows.values() for row in rows}
        for variant in (SHIPPED[language], PHONE[language])
    )
    assert upright <= wide and len(upright) > len(wide) / 4


@pytest.mark.parametrize(
    ("name", "language", "shape"),
    [(name, language, shape) for name in CARDS for language in LANGUAGES for shape in lesson_class(name).formats],
)
def test_card(name: str, language: str, shape: str) -> None:
    run = played(name, Variant(language, format=shape))
    assert [fault for faults in run.faults.values() for fault in faults] == []
    for rows in run.rows.values():
        check_rows(rows, run.settings, language)


@pytest.mark.parametrize("name", [pytest.param(n, marks=_together(n, SHIPPED["en"])) for n in LESSONS])
def test_a_change_of_theme_changes_no_number(name: str) -> None:
    assert played(name, SHIPPED["en"]).rows == played(name, Variant("en", theme="light")).rows


@pytest.mark.parametrize("name", [pytest.param(n, marks=_together(n, SHIPPED["en"])) for n in LESSONS])
def test_fast_forward_leaves_nothing_out_of_the_ledger(name: str) -> None:
    with tempfile.TemporaryDirectory() as scratch, manim_configured(DRAFT, Path(scratch)):
        lesson = play_lesson(name, load_settings(), "en")
    fast = [row for rows in played(name, SHIPPED["en"]).rows.values() for row in rows]
    assert [replace(row, box=None) for row in lesson.ledger] == [replace(row, box=None) for row in fast]
    for one, other in zip(lesson.ledger, fast, strict=True):
        # Many small rotations end where one large one does, but for the last digits.
        assert one.box == pytest.approx(other.box, abs=1e-9)
