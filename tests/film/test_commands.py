"""The commands as a user meets them: help, mistakes, foreign configuration, plain manim."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scenes.settings import CONFIG, PROJECT

pytestmark = pytest.mark.xdist_group("commands")


@pytest.mark.parametrize("name", ["render_lecture", "export_gifs", "regenerate"])
def test_help_has_examples(name: str, run: Any) -> None:
    done = run(name, "--help")
    assert done.returncode == 0 and "Examples:" in done.stdout and f"{name}.py" in done.stdout


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("render_lecture", ("nope",), '--lessons: read "nope"'),
        ("render_lecture", ("--quality", "853x481@15"), "854x480"),
        ("render_lecture", ("--language", "fr"), "--language"),
        ("render_lecture", ("--sentence", "alone"), "--sentence"),
        ("render_lecture", ("--config", "no such file.yaml"), "no such file.yaml"),
        ("export_gifs", ("qkv:nope",), "case_file"),
        ("export_gifs", ("qkv", "--fps", "60"), "--fps"),
        ("export_gifs", ("qkv", "--width", "321"), "--width"),
        ("regenerate", ("--theme", "pink"), "--theme"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(name: str, arguments: tuple[str, ...], told: str, run: Any) -> None:
    done = run(name, *arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


def test_an_unknown_option_is_exit_code_2(run: Any) -> None:
    assert run("render_lecture", "--nope").returncode == 2


def test_a_wrong_configuration_names_file_line_and_key(tmp_path: Path, run: Any) -> None:
    text = CONFIG.read_text(encoding="utf-8").replace("theme: dark", "theme: pink")
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "theme: pink" in row)
    done = run("render_lecture", "--config", str(tmp_path / "mine.yaml"))
    assert done.returncode == 2
    assert f"mine.yaml:{line}: render.theme: read" in done.stderr


def test_a_character_that_the_font_lacks_is_named(tmp_path: Path, run: Any) -> None:
    done = run("render_lecture", "qkv", "--sentence", "my 🐱 sleeps", "--quality", "320x180@5", "--out", str(tmp_path))
    assert done.returncode == 1
    assert "🐱 (U+1F431)" in done.stderr and "Traceback" not in done.stderr


def test_markup_characters_in_a_sentence_are_only_text(tmp_path: Path, run: Any) -> None:
    done = run("render_lecture", "qkv", "--sentence", "<b>a & b</b> 'it' \"so\" --> {x} %s", "--quality", "128x72@2",
               "--language", "en", "--out", str(tmp_path))  # fmt: skip
    assert done.returncode == 0, done.stderr
    cues = (tmp_path / "en" / "128x72-2" / "lecture.srt").read_text(encoding="utf-8")
    assert all(line.count("-->") == 0 or line[2] == ":" for line in cues.splitlines())


def digest_with(folder: Path, out: Path) -> str:
    """The digest of a small film rendered with `folder` as working folder and home."""
    command = [sys.executable, str(PROJECT / "scripts" / "render_lecture.py"), "qkv", "--quality", "128x72@2",
               "--language", "en", "--out", str(out)]  # fmt: skip
    import os

    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "HOME": str(folder)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return hashlib.sha256((out / "en" / "128x72-2" / "qkv.mp4").read_bytes()).hexdigest()


def test_a_manim_cfg_changes_nothing(tmp_path: Path) -> None:
    plain, foreign = tmp_path / "plain", tmp_path / "foreign"
    text = "[CLI]\nframe_rate = 7\npixel_width = 400\npixel_height = 300\nbackground_color = RED\nframe_width = 9\n"
    for folder in (plain, foreign, foreign / ".config" / "manim"):
        folder.mkdir(parents=True)
    (foreign / "manim.cfg").write_text(text, encoding="utf-8")
    (foreign / ".config" / "manim" / "manim.cfg").write_text(text, encoding="utf-8")
    assert digest_with(plain, tmp_path / "a") == digest_with(foreign, tmp_path / "b")


def test_languages_do_not_overwrite_each_other(tmp_path: Path, run: Any) -> None:
    for language in ("en", "zh"):
        done = run("render_lecture", "qkv", "--quality", "128x72@2", "--language", language, "--out", str(tmp_path))
        assert done.returncode == 0, done.stderr
    titles = [
        json.loads((tmp_path / language / "128x72-2" / "qkv.receipt.json").read_text(encoding="utf-8"))["title"]
        for language in ("en", "zh")
    ]
    assert titles[0].isascii() and not titles[1].isascii()


def test_plain_manim_renders_a_lesson_too(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "manim", "scenes/one_head/qkv.py", "-r", "160,90", "--fps", "2", "--media_dir",
               str(tmp_path), "--progress_bar", "none"]  # fmt: skip
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [path.name for path in tmp_path.rglob("QKV.mp4")] == ["QKV.mp4"]
