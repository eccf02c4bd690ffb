"""What is stale, why, and that nothing else is made again."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scenes.settings import Settings, load_settings
from scenes.words import Words, load_words
from scripts.studio import inputs, render
from scripts.studio.pieces import Piece, film_folder, lecture_pieces
from scripts.studio.reads import trace_digests

pytestmark = pytest.mark.xdist_group("film")
QKV = Piece("qkv")


@pytest.fixture
def settings(out: Path, tmp_path: Path) -> Settings:
    """The small film's settings, over a copy of its files that a test may spoil."""
    shutil.copytree(out, tmp_path / "out")
    return load_settings().with_overrides(
        language="en", quality="320x180@5", lessons=["qkv", "clock"], out=tmp_path / "out"
    )


def edit_receipt(settings: Settings, change: Callable[[dict[str, Any]], None]) -> None:
    path = render.receipt_path(QKV, settings, "en")
    receipt = json.loads(path.read_text(encoding="utf-8"))
    change(receipt)
    path.write_text(json.dumps(receipt), encoding="utf-8")


def test_a_fresh_film_is_not_stale(settings: Settings) -> None:
    for piece in lecture_pieces(settings.lecture.lessons):
        assert render.stale_reasons(piece, settings, "en") == []
    assert render.lecture_reasons(settings, "en") == []


def test_code(settings: Settings) -> None:
    edit_receipt(settings, lambda r: r["inputs"]["code"].update({"scenes/kit/grid.py": "0"}))
    assert render.stale_reasons(QKV, settings, "en") == ["code (scenes/kit/grid.py)"]


def test_code_of_another_lesson_or_of_the_numbers_does_not_matter(settings: Settings) -> None:
    told = json.loads(render.receipt_path(QKV, settings, "en").read_text(encoding="utf-8"))
    assert "scenes/one_head/qkv.py" in told["inputs"]["code"]
    assert "mathcore/named.py" in told["inputs"]["code"]
    # What is computed is compared itself.
    assert "mathcore/position.py" not in told["inputs"]["code"]
    assert not [path for path in told["inputs"]["code"] if path.startswith("mathcore/example")]
    assert "scenes/position/clock.py" not in told["inputs"]["code"]
    assert "scripts/studio/workers.py" not in told["inputs"]["code"]


def test_words(settings: Settings) -> None:
    edit_receipt(settings, lambda r: r["inputs"]["words"].update({"scenes/words/en/qkv.yaml": "0"}))
    assert render.stale_reasons(QKV, settings, "en") == ["words (scenes/words/en/qkv.yaml)"]


def test_cards_are_stale_by_a_lessons_title_and_not_by_its_sentences(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = Piece("opening")

    def reasons(**changed: Any) -> list[str]:
        def other(language: str, lesson: str) -> Words:
            words = load_words(language, lesson)
            return replace(words, **changed) if lesson == "clock" else words

        monkeypatch.setattr(inputs, "load_words", other)
        return render.stale_reasons(opening, settings, "en")

    assert reasons(say={"watch": "Quite another sentence."}, alt="Another film.") == []
    assert reasons(title="Another clock") == ["words (title and sources of clock)"]


def test_the_sentence_changes_the_numbers_that_a_lesson_reads(settings: Settings) -> None:
    (reason,) = render.stale_reasons(QKV, settings.with_overrides(sentence="dog bites man"), "en")
    assert reason.startswith("numbers (") and "attention" in reason


def test_only_what_a_lesson_has_read_makes_it_stale(settings: Settings) -> None:
    told = json.loads(render.receipt_path(Piece("clock"), settings, "en").read_text(encoding="utf-8"))["inputs"]
    assert "clock" in told["numbers"] and "attention" not in told["numbers"]
    assert set(told["configuration"]) == {
        "language", "render.format", "render.quality", "render.captions", "render.theme", "render.hold",
        "render.reading_speed.en",
    }  # fmt: skip

    def changed(**example: int) -> Settings:
        return settings.model_copy(update={"example": settings.example.model_copy(update=example)})

    # Another seed draws other weights, which the clock does not show; those of known words are trained.
    assert render.stale_reasons(Piece("clock"), changed(seed=1), "en") == []
    assert render.stale_reasons(QKV, changed(seed=1), "en") == []
    unknown, again = (each.with_overrides(sentence="A walrus sat") for each in (settings, changed(seed=1)))
    one, other = (trace_digests(each, "en", ("attention", "clock")) for each in (unknown, again))
    assert one["attention"] != other["attention"] and one["clock"] == other["clock"]
    assert render.stale_reasons(QKV, changed(n_heads=2), "en") != []
    slower = settings.render.reading_speed.model_copy(update={"en": 1.0})
    slow = settings.model_copy(update={"render": settings.render.model_copy(update={"reading_speed": slower})})
    assert render.stale_reasons(QKV, slow, "en") == ["configuration (render.reading_speed.en: 2.6 -> 1.0)"]


def test_a_changed_trace_is_a_reason(settings: Settings) -> None:
    edit_receipt(settings, lambda r: r["inputs"]["numbers"].update(attention="0"))
    assert render.stale_reasons(QKV, settings, "en") == ["numbers (attention)"]


def test_the_other_languages_sentence_does_not_matter(settings: Settings) -> None:
    other = settings.example.model_copy(
        update={"sentence": settings.example.sentence.model_copy(update={"zh": "狗咬人"})}
    )
    assert render.stale_reasons(QKV, settings.model_copy(update={"example": other}), "en") == []


def test_a_gif_setting_renders_no_film(settings: Settings) -> None:
    assert render.stale_reasons(QKV, settings.with_overrides(width=640), "en") == []


def test_versions(settings: Settings) -> None:
    edit_receipt(settings, lambda r: r["inputs"]["versions"].update(numpy="1.0"))
    (reason,) = render.stale_reasons(QKV, settings, "en")
    assert reason.startswith("versions (numpy: 1.0 -> ")


def test_missing_and_damaged_output(settings: Settings) -> None:
    folder = film_folder(settings, "en")
    (folder / "qkv.srt").unlink()
    film = (folder / "qkv.mp4").read_bytes()
    (folder / "qkv.mp4").write_bytes(film[:48])
    assert render.stale_reasons(QKV, settings, "en") == [
        "checksum differs from the receipt (qkv.mp4)",
        "missing output (qkv.srt)",
    ]
    assert [r for r in render.lecture_reasons(settings, "en") if "pieces" in r] == []


def test_never_rendered(settings: Settings) -> None:
    assert render.stale_reasons(Piece("waves"), settings, "en") == ["missing output (never rendered)"]


def test_dry_run_names_the_lesson_and_renders_nothing(settings: Settings, run: Any) -> None:
    folder = film_folder(settings, "en")
    (folder / "clock.png").unlink()
    done = run("regenerate", "--dry-run", "--out", str(settings.folder()), "--lessons", "qkv,clock")
    assert done.returncode == 0, done.stderr
    assert "en/320x180-5/clock: missing output (clock.png)" in done.stdout
    assert "qkv" not in done.stdout
    assert not (folder / "clock.png").exists()


def test_only_what_is_stale_is_rendered_and_the_film_joined_again(settings: Settings, run: Any) -> None:
    folder = film_folder(settings, "en")
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.mp4")}
    (folder / "clock.mp4").write_bytes(b"broken")
    done = run("regenerate", "--out", str(settings.folder()), "--lessons", "qkv,clock")
    assert done.returncode == 0, done.stderr
    assert "clock: checksum differs from the receipt (clock.mp4)" in done.stdout
    after = {path: path.stat().st_mtime_ns for path in folder.rglob("*.mp4")}
    changed = {path.name for path in after if after[path] != before[path]}
    assert changed == {"clock.mp4", "lecture-qkv-clock.mp4"}
    again = run("regenerate", "--out", str(settings.folder()), "--lessons", "qkv,clock")
    assert again.stdout == "nothing is stale\n"


def test_nothing_stale_is_known_without_manim(settings: Settings, tmp_path: Path, run: Any) -> None:
    block = tmp_path / "block"
    block.mkdir()
    (block / "manim.py").write_text("raise ImportError('manim was imported')", encoding="utf-8")
    arguments = ["regenerate.py", "--out", str(settings.folder()), "--lessons", "qkv,clock"]
    program = (
        f"import runpy, sys; sys.path.insert(0, {str(block)!r}); sys.argv = {arguments!r};"
        " runpy.run_path('scripts/regenerate.py', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (0, "nothing is stale\n"), done.stderr


def test_explain_says_of_each_whether_it_is_stale(settings: Settings, run: Any) -> None:
    (film_folder(settings, "en") / "clock.png").unlink()
    done = run("regenerate", "--explain", "--out", str(settings.folder()), "--lessons", "qkv,clock")
    assert done.returncode == 0, done.stderr
    told = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert told["en/320x180-5/clock"] == "missing output (clock.png)"
    assert told["en/320x180-5/qkv"] == told["en/320x180-5/cards-qkv-clock/opening"] == "up to date"


def test_a_changed_font_is_a_reason(settings: Settings) -> None:
    edit_receipt(settings, lambda r: r["inputs"]["versions"].update(font="0"))
    (reason,) = render.stale_reasons(QKV, settings, "en")
    assert reason.startswith("versions (font: 0 -> ")


BLOCKED = ("numpy", "pydantic", "yaml", "click", "rich", "av", "manim")


@pytest.fixture
def quick(settings: Settings, tmp_path: Path) -> Callable[[], "subprocess.CompletedProcess[str]"]:
    """Regenerate with nothing but the standard library to import."""
    block = tmp_path / "block"
    block.mkdir()
    for name in BLOCKED:
        (block / f"{name}.py").write_text(f"raise ImportError('{name} was imported')", encoding="utf-8")
    arguments = ["regenerate.py", "--out", str(settings.folder()), "--lessons", "qkv,clock"]
    program = (
        f"import runpy, sys; sys.path.insert(0, {str(block)!r}); sys.argv = {arguments!r};"
        " runpy.run_path('scripts/regenerate.py', run_name='__main__')"
    )
    command = [sys.executable, "-c", program]
    return lambda: subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_an_unchanged_tree_is_recognised_by_the_standard_library_alone(
    settings: Settings, quick: Any, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTENTION_FILMS_CACHE", str(tmp_path / "cache"))
    arguments = ("regenerate", "--out", str(settings.folder()), "--lessons", "qkv,clock")
    assert "was imported" in quick().stderr
    assert run(*arguments).stdout == "nothing is stale\n"
    done = quick()
    assert (done.returncode, done.stdout) == (0, "nothing is stale\n"), done.stderr
    folder = film_folder(settings, "en")
    (folder / "qkv.png").touch()
    assert quick().returncode == 0, "another time alone is no change"
    whole = (folder / "qkv.png").read_bytes()
    (folder / "qkv.png").write_bytes(whole[:-1] + b"x")
    assert "was imported" in quick().stderr
    (folder / "qkv.png").write_bytes(whole)
    assert quick().returncode == 0
    (folder / "new.receipt.json").write_text("{}", encoding="utf-8")
    assert "was imported" in quick().stderr


@pytest.mark.parametrize("damage", [b"", b"{", b'{"files": 3}', b"\xff"])
def test_a_damaged_snapshot_only_means_a_full_check(
    settings: Settings, damage: bytes, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTENTION_FILMS_CACHE", str(tmp_path / "cache"))
    arguments = ("regenerate", "--out", str(settings.folder()), "--lessons", "qkv,clock")
    for _ in range(2):
        assert run(*arguments).stdout == "nothing is stale\n"
        for path in (tmp_path / "cache" / "unchanged").iterdir():
            path.write_bytes(damage)
