"""Several lectures in one folder: each has its own file and cards, and lessons are shared."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from scenes.kit.contents import sources
from scenes.lessons import LESSONS
from scenes.settings import CONFIG, load_settings
from scenes.words import Words, load_words
from scripts import render_lecture
from scripts.studio.pieces import Piece, lecture_name, lecture_pieces, piece_folder
from scripts.studio.stage import manim_configured, play_lesson
from scripts.studio.workers import Failure, Outcome, Task

pytestmark = pytest.mark.xdist_group("lectures")


def test_a_lecture_of_chosen_lessons_is_named_after_them() -> None:
    whole = load_settings()
    assert lecture_name(whole) == lecture_name(whole.with_overrides(theme="light")) == "lecture"
    assert lecture_name(whole.with_overrides(lessons=whole.lecture.lessons)) == "lecture"
    chosen = whole.with_overrides(lessons=["qkv", "clock"])
    assert lecture_name(chosen) == lecture_name(chosen.with_overrides(quality="720p30")) == "lecture-qkv-clock"
    assert lecture_name(chosen.with_overrides(lessons=whole.lecture.lessons)) == "lecture"
    for language in ("en", "zh"):
        assert piece_folder(Piece("opening"), chosen, language) != piece_folder(Piece("opening"), whole, language)
        assert piece_folder(Piece("qkv"), chosen, language) == piece_folder(Piece("qkv"), whole, language)


def test_a_name_of_many_lessons_stays_short_and_its_own() -> None:
    whole = load_settings().with_overrides(lessons=[*LESSONS])
    names = {
        lecture_name(whole.with_overrides(lessons=lessons))
        for lessons in ([*LESSONS][::-1], [*LESSONS][1:] + [*LESSONS][:1], [*LESSONS][2:] + [*LESSONS][:2])
    }
    assert len(names) == 3 and all(name.startswith("lecture-") and len(name) <= 80 for name in names)


def test_a_lecture_of_other_lessons_replaces_none_and_regenerate_knows_both(tmp_path: Path, run: Any) -> None:
    config = tmp_path / "mine.yaml"
    text = CONFIG.read_text(encoding="utf-8")
    lessons = next(line for line in text.splitlines() if line.startswith("  lessons: "))
    config.write_text(text.replace(lessons, "  lessons: [waves]"), encoding="utf-8")
    asked = ("--config", str(config), "--language", "en", "--out", str(tmp_path / "out"))
    folder = tmp_path / "out" / "en" / "128x72-2"

    def rendered(*more: str) -> "subprocess.CompletedProcess[str]":
        done: subprocess.CompletedProcess[str] = run("render_lecture", *more, *asked, "--quality", "128x72@2")
        assert done.returncode == 0, done.stderr
        return done

    def files() -> Mapping[str, int]:
        found = (path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.stat().st_mtime_ns for path in found}

    assert rendered().stdout.rstrip().endswith(f"film: {folder / 'lecture.mp4'}")
    before = files()
    done = rendered("clock", "waves")
    assert done.stdout.rstrip().endswith(f"film: {folder / 'lecture-clock-waves.mp4'}")
    assert before.items() <= files().items() and "replacing" not in done.stdout
    # Both lectures show the chapter's card once, with other lessons on it.
    assert {name for name in files() if name.endswith("chapter-position.mp4")} == {
        "cards/chapter-position.mp4",
        "cards-clock-waves/chapter-position.mp4",
    }
    told = json.loads((folder / "lecture-clock-waves.receipt.json").read_text(encoding="utf-8"))
    assert told["lessons"] == ["clock", "waves"]

    assert run("regenerate", *asked).stdout == "nothing is stale\n"
    (folder / "lecture-clock-waves.mp4").write_bytes(b"broken")
    (folder / "cards-clock-waves" / "opening.png").unlink()
    shown = run("regenerate", *asked, "--dry-run").stdout.splitlines()
    assert shown == ["en/128x72-2/cards-clock-waves/opening: missing output (opening.png)"]
    whole = files()
    assert run("regenerate", *asked).returncode == 0
    changed = {name for name, time in files().items() if whole.get(name) != time and name.endswith(".mp4")}
    assert changed == {"cards-clock-waves/opening.mp4", "lecture-clock-waves.mp4"}

    done = rendered("--sentence", "dogs bark")
    assert f"replacing films in {folder} (--out keeps both): example.sentence.en: The tired" in done.stdout


def test_a_chapter_that_comes_twice_has_its_card_rendered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lecture_pieces(["qkv", "waves", "briefing"]).count(Piece("chapter", "one_head")) == 2
    asked: list[Task] = []

    def refuse(tasks: list[Task], jobs: int, what: str) -> Outcome:
        asked.extend(tasks)
        return Outcome(failures=[Failure("qkv", "no", tmp_path / "log")])

    monkeypatch.setattr(render_lecture, "run_tasks", refuse)
    done = CliRunner().invoke(render_lecture.main, ["qkv", "waves", "briefing", "--out", str(tmp_path / "out")])
    assert done.exit_code == 1
    names = [task.name for task in asked]
    assert sorted(names) == ["briefing", "chapter-one_head", "chapter-position", "closing", "opening", "qkv", "waves"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_lecture_without_sources_ends_with_its_message(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_sources(language: str, lesson: str) -> Words:
        words = load_words(language, lesson)
        return Words(words.title, words.alt, words.say, words.labels, ())

    settings = load_settings().with_overrides(language=language, lessons=["qkv"], quality="128x72@2")
    assert sources(settings, language)
    monkeypatch.setattr("scenes.kit.contents.load_words", without_sources)
    with manim_configured(settings.render.quality, tmp_path):
        played = play_lesson("closing", settings, language)
    assert [span.beat for span in played.spans] == ["join"] == list(played.lines())
