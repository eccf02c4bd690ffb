"""Right pictures are read without a mismatch at every named size and theme, and marks that are drawn wrong are named.

The last pictures of all beats are drawn and coded as in films (see `stills`). 480p15 and 854x480@25 have the same
pixels and coding, so each lesson and theme has one of the two. Whole films of few frames are read in `test_verify`.
"""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import pytest

from scenes.lessons import LESSONS
from scenes.settings import LANGUAGES, Quality, Settings, load_settings
from scripts.studio.audit import SENTENCES
from scripts.studio.reading.check import Verdict, address, verify_film
from scripts.studio.reading.ledgers import Record
from scripts.studio.reading.readers import crosses
from scripts.studio.stage import manim_configured
from tests.film.spoiling import Key, Spoiler, key_of
from tests.film.stills import stills

pytestmark = pytest.mark.filterwarnings("ignore:'mode' parameter:DeprecationWarning:manim.camera")
THEMES = ("dark", "light")
QUALITIES = (Quality("720p30", 1280, 720, 30), Quality("1080p30", 1920, 1080, 30))
DRAFTS = (Quality("480p15", 854, 480, 15), Quality("854x480@25", 854, 480, 25))
SHAPES = ((8, 4), (8, 1), (8, 2), (6, 1), (6, 2), (4, 1), (4, 2))
# What each lesson draws. A mark that is no longer drawn anywhere would be tested nowhere.
MARKS = {
    "briefing": {"digit", "cell", "thread", "bar part"},
    "qkv": {"digit", "cell"},
    "split_concat": {"digit", "cell"},
    "searchlights": {"digit", "beam"},
    "waves": {"digit", "wave", "wave dot"},
    "clock": {"digit", "hand", "hand swept", "bar"},
    "seat_number": {"digit", "cell", "bar"},
}


@dataclass(frozen=True)
class Case:
    """A lesson in one theme; language, words and shape are spread so that any two choices meet."""

    lesson: str
    theme: str
    language: str
    size: int
    shape: tuple[int, int]

    def __str__(self) -> str:
        return f"{self.lesson}-{self.theme}-{self.language}-{self.size}-{self.shape[0]}x{self.shape[1]}"

    @property
    def qualities(self) -> tuple[Quality, ...]:
        return DRAFTS[THEMES.index(self.theme)], *QUALITIES

    def settings(self) -> Settings:
        sentence = SENTENCES[self.language][self.size]
        settings = load_settings().with_overrides(
            language=self.language, theme=self.theme, quality=DRAFTS[0].name, sentence=sentence
        )
        d_model, n_heads = self.shape
        example = settings.example.model_copy(update={"d_model": d_model, "n_heads": n_heads})
        return settings.model_copy(update={"example": example})


def _cases() -> list[Case]:
    """Every lesson in both themes; languages, lengths and shapes in turn, in steps that mix them with the themes."""
    others = list(product(LANGUAGES, (2, 8, 12)))
    places = product(LESSONS, THEMES)
    return [Case(*place, *others[5 * k % len(others)], SHAPES[k % len(SHAPES)]) for k, place in enumerate(places)]


CASES = _cases()


def read(record: Record, quality: Quality, scratch: Path) -> Verdict:
    with manim_configured(quality, scratch):
        return verify_film(record)


def test_themes_meet_every_lesson_language_length_and_shape() -> None:
    assert {(case.theme, case.lesson) for case in CASES} == set(product(THEMES, LESSONS))
    assert {(case.theme, case.language) for case in CASES} == set(product(THEMES, LANGUAGES))
    assert {(case.theme, case.size) for case in CASES} == set(product(THEMES, (2, 8, 12)))
    assert {case.shape for case in CASES} == set(SHAPES)
    assert set(MARKS) == set(LESSONS)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_right_pictures_are_read_and_wrong_ones_are_named(case: Case, tmp_path: Path) -> None:
    spoiler = Spoiler()
    right, changed = stills(case.lesson, case.settings(), case.qualities, tmp_path, spoiler)
    for quality in case.qualities:
        verdict = read(right[quality.name], quality, tmp_path)
        assert [str(mismatch) for mismatch in verdict.mismatches] == [], quality.name
        assert verdict.read.total() > 20
        unread = {key_of(row): reason for row, reason in verdict.left}
        rows = changed[quality.name].rows
        wanted = tuple(row for row in rows if key_of(row) in spoiler.spoilt or crosses(row.kind))
        fate = fates(read(replace(changed[quality.name], rows=wanted), quality, tmp_path), spoiler.spoilt, unread)
        check_fates(fate, MARKS[case.lesson], quality)


def fates(verdict: Verdict, spoilt: dict[Key, str], unread: dict[Key, str]) -> Counter[tuple[str, str]]:
    """By kind, what became of spoilt marks: "named", "read as right", or why they are not read.

    Where a mark is not read as it should be drawn either, only that it is too small counts.
    """
    named = {(m.frame, m.path, m.box) for m in verdict.mismatches if m.what.startswith("picture")}
    left = {key_of(row): reason for row, reason in verdict.left}
    found: Counter[tuple[str, str]] = Counter()
    for key, kind in spoilt.items():
        frame, path, index, box = key
        if key not in unread:
            fate = "named" if (frame, address(path, index), box) in named else left.get(key, "read as right")
            found[kind, fate] += 1
        elif unread[key] == "too small":
            found[kind, unread[key]] += 1
    return found


def check_fates(fate: Counter[tuple[str, str]], kinds: set[str], quality: Quality) -> None:
    """None is taken for right, and nearly all are named; a few that were moved below another mark are only unread."""
    assert not any(reason == "read as right" for _, reason in fate), (quality.name, fate)
    for kind in {kind for kind, _ in fate}:
        of_kind = {reason: count for (other, reason), count in fate.items() if other == kind}
        said = of_kind.get("named", 0) + of_kind.get("too small", 0)
        assert said >= 0.6 * sum(of_kind.values()), (quality.name, kind, of_kind)
    assert kinds <= {kind for kind, _ in fate}, (quality.name, fate)
