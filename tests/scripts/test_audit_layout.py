"""The audit of layouts: each kind of fault is found where it is made, and a good picture has none."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from manim import LEFT, UP, Circle, Dot, Line, Mobject, Rectangle, Square, VGroup
from PIL import Image

from scenes.kit import lesson as lesson_module
from scenes.kit.lesson import Lesson
from scenes.kit.text import TextLine, fitted
from scenes.kit.theme import DARK, THEMES, luminance
from scenes.settings import PROJECT, Quality, load_settings
from scenes.words import Words
from scripts.studio.audit import (
    LIMITS,
    Audit,
    Finding,
    Stillness,
    distance,
    judge_motion,
    judge_picture,
    light_of,
    ratio,
)
from scripts.studio.flashing import Light
from scripts.studio.renderer.film import StudioRenderer
from scripts.studio.sheets import cell, contact_sheet
from scripts.studio.stage import manim_configured

pytestmark = pytest.mark.xdist_group("audit")
Draw = Callable[[Lesson], object]


def audited(draw: Draw, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> Audit:
    """A lesson of one beat, measured."""
    words = Words(title="Audit", alt="A picture.", say={"only": "One line."}, labels={}, sources=())
    monkeypatch.setattr(lesson_module, "load_words", lambda language, name: words)

    class Drawn(Lesson):
        beats = ("only",)

        def only(self) -> None:
            draw(self)

    audit, light, stillness = Audit("drawn", "en", "dark", 8), Light(15), Stillness()
    cues: list[tuple[int, int]] = []

    def watch(lesson: Lesson) -> None:
        cues.extend((cue.start, cue.stop) for cue in lesson.pending_cues)
        judge_picture(audit, lesson)

    with manim_configured(Quality("tiny", 160, 90, 15), scratch):
        lesson = Drawn(StudioRenderer((light, stillness)), settings=load_settings().with_overrides(theme="dark"))
        lesson.watchers.append(watch)
        lesson.render()
        judge_motion(audit, lesson, light, stillness, cues)
    return audit


def kinds(audit: Audit) -> set[str]:
    return {finding.kind for finding in audit.findings}


def good(lesson: Lesson) -> None:
    card = Rectangle(width=4, height=1, fill_opacity=1, stroke_width=0, fill_color=lesson.theme.paper)
    resting = TextLine("resting").set_opacity(0.35).shift(2 * UP)
    lesson.add(card, TextLine("on a card", color=lesson.theme.ink), resting)


def boxed(lesson: Lesson, *over: Mobject, color: str | None = None) -> None:
    lesson.add(TextLine("a word of text", color=color), *over)


def flash(lesson: Lesson) -> None:
    page = Rectangle(width=15, height=9, fill_opacity=1, fill_color="#FFFFFF")
    for _ in range(20):
        lesson.add(page)
        lesson.wait(0.1)
        lesson.remove(page)
        lesson.wait(0.1)


FAULTS: dict[str, Draw] = {
    "safe frame": lambda lesson: lesson.add(TextLine("gone").shift(7 * LEFT)),
    "caption band": lambda lesson: lesson.add(Square(1, fill_opacity=1).shift(-3 * UP)),
    "text over text": lambda lesson: lesson.add(TextLine("one"), TextLine("two")),
    "text size": lambda lesson: lesson.add(TextLine("small").scale(0.5)),
    "contrast": lambda lesson: boxed(lesson, color="#4A5880"),
    "contrast at rest": lambda lesson: lesson.add(TextLine("a word").set_opacity(0.05)),
    "covered text": lambda lesson: boxed(
        lesson, Rectangle(width=1, height=1, fill_opacity=1, stroke_width=0, fill_color=lesson.theme.background)
    ),
    "ink behind text": lambda lesson: lesson.add(
        Line((-3, 0.1, 0), (3, 0.1, 0), stroke_width=14, color="#B04020"), TextLine("crossed out")
    ),
    "cut text": lambda lesson: lesson.add(fitted("detector", 0.6)),
    "colours": lambda lesson: lesson.add(
        Dot(color=lesson.theme.query), Dot((1, 0, 0), color=lesson.theme.key), Dot((2, 0, 0), color=lesson.theme.value)
    ),
    "flashes": flash,
    "idle": lambda lesson: lesson.wait(8),
    "words": lambda lesson: lesson.add(
        VGroup(
            *(TextLine(f"line {chr(97 + i)}", 24) for i in range(26)), *(TextLine(f"row {i}", 24) for i in "abcdefghi")
        ).arrange_in_grid(7, 5)
    ),
    "crowding": lambda lesson: lesson.add(
        *(
            Circle(0.12, stroke_width=3).move_to((x, y, 0))
            for x in np.arange(-7, 7, 0.28)
            for y in np.arange(-2.5, 2.8, 0.28)
        )
    ),
}


def test_a_good_picture_has_no_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    audit = audited(good, tmp_path, monkeypatch)
    assert audit.findings == []
    assert audit.beats["only"]["contrast"] > 10 and audit.beats["only"]["words"] == 3


def test_every_limit_is_tried() -> None:
    assert set(FAULTS) == set(LIMITS)


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_is_found(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if kind == "colours":
        assert kind not in kinds(audited(FAULTS[kind], tmp_path, monkeypatch))
        # As different as red and green, for those who see both.
        monkeypatch.setitem(THEMES, "dark", replace(DARK, query="#C0504D", key="#6E7B3A"))
    audit = audited(FAULTS[kind], tmp_path, monkeypatch)
    (said,) = {finding.said for finding in audit.findings if finding.kind == kind}
    assert said and all(finding.beat == "only" for finding in audit.findings)


def test_colours_are_seen_as_colour_blind_viewers_see_them() -> None:
    red, green = "#C0504D", "#6E7B3A"
    assert distance(red, green) > 40 and distance(red, green, "tritan") > 20
    assert distance(red, green, "deutan") < 10
    assert distance(red, red, "protan") == 0


def test_contrast_is_that_of_wcag() -> None:
    assert ratio(1.0, 0.0) == pytest.approx(21)
    assert light_of(np.full((1, 1, 4), 119, np.uint8))[0, 0] == pytest.approx(luminance("#777777"))


def test_idle_time_is_what_no_reading_fills() -> None:
    stillness = Stillness()
    for number, repeat in ((1, 10), (2, 5), (2, 5), (3, 1)):
        stillness.write(np.full((2, 2, 4), number, np.uint8), repeat)
    assert stillness.stretches == [(0, 10), (10, 20), (20, 21)] and stillness.longest == 10
    assert stillness.idle([]) == (0, 10)
    assert stillness.idle([(0, 7), (12, 15)]) == (15, 5)
    assert stillness.idle([(0, 30)]) == (0, 0)


def test_the_command_writes_a_report_and_a_sheet(tmp_path: Path) -> None:
    script = PROJECT / "scripts" / "bench" / "audit_layout.py"
    command = [sys.executable, str(script), "--lessons", "waves", "--language", "en",
               "--theme", "light", "--format", "landscape", "--words", "2", "--out", str(tmp_path)]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 pictures measured; all within their limits" in done.stdout
    report = json.loads((tmp_path / "audit" / "report.json").read_text(encoding="utf-8"))
    assert set(report["limits"]) == set(LIMITS) and all(limit["why"] for limit in report["limits"].values())
    (audit,) = report["audits"]
    assert len(audit["beats"]) == 6 and audit["findings"] == [] and audit["whole"]["seconds"] > 30
    with Image.open(tmp_path / "audit" / "waves.png") as sheet:
        assert sheet.size == (6 * 480, 270 + 20)
    assert sorted(p.name for p in (tmp_path / "audit").iterdir()) == ["report.json", "waves.png"]


def test_findings_are_drawn_into_the_sheet(tmp_path: Path) -> None:
    audits = [Audit("a", "en", "dark", 8, shape, beats={"one": {}, "two": {}}) for shape in ("landscape", "phone")]
    for audit in audits:
        # The lower half of the frame's middle: below the middle of a picture, however high it is.
        audit.findings.append(Finding("contrast", "two", "faint", 2.0, (-1.0, -2.0, 1.0, 0.0)))
        for beat in audit.beats:
            Image.new("RGB", (cell(audit).columns, cell(audit).rows)).save(tmp_path / f"{audit.name}-{beat}.png")
    contact_sheet(audits, tmp_path, tmp_path / "sheet.png")
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.size == (2 * 480, 270 + 337 + 2 * 20)
        marked = (np.asarray(sheet.convert("RGB")).astype(int) == (255, 45, 45)).all(axis=2)
    rows, columns = np.nonzero(marked[20:290])
    assert (rows.min(), rows.max()) == (133, 204) and abs(columns.mean() - 720) < 1
    rows, columns = np.nonzero(marked[310:])
    assert abs(rows.min() - 166) <= 1 and abs(rows.max() - 238) <= 1 and abs(columns.mean() - 405) < 1
