"""The commands as a user meets them: help, mistakes, foreign configuration, plain manim."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scenes.settings import CONFIG, PROJECT

pytestmark = pytest.mark.xdist_group("commands")
# The smallest films.
DRAFT = {"render_lecture": ("--quality", "128x72@5"), "export_gifs": ("--width", "320", "--fps", "5")}


@pytest.mark.parametrize("name", ["render_lecture", "export_gifs", "regenerate"])
def test_help_has_examples(name: str, run: Any) -> None:
    done = run(name, "--help")
    assert done.returncode == 0 and "Examples:" in done.stdout and f"{name}.py" in done.stdout


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("render_lecture", ("nope",), '--lessons: unknown lesson "nope"'),
        ("render_lecture", ("--quality", "853x481@15"), "854x480"),
        ("render_lecture", ("--language", "fr"), "--language"),
        ("render_lecture", ("--sentence", "alone"), "--sentence"),
        ("render_lecture", ("--config", "no such file.yaml"), "no such file.yaml"),
        ("export_gifs", ("qkv:nope",), "case_file"),
        ("export_gifs", ("qkv", "--fps", "60"), "--fps"),
        ("export_gifs", ("qkv", "--width", "321"), "--width"),
        ("render_lecture", ("--format", "gif"), "a kind of file, which belongs into gif.kinds"),
        ("render_lecture", ("--format", "phone", "--quality", "1280x720@30"), "is not 4:5 or 9:16, which the"),
        ("regenerate", ("--theme", "pink"), "--theme"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(name: str, arguments: tuple[str, ...], told: str, run: Any) -> None:
    done = run(name, *arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


def test_a_word_without_trained_parameters_is_named_before_the_work(tmp_path: Path, run: Any) -> None:
    """In one line, and how to print those that have them."""
    said = 'illustrative parameters, not trained: "walrus" is not in the vocabulary (make words prints it)'
    for name, sentence, told in (("render_lecture", "A walrus sat", True), ("export_gifs", "The cat sat", False)):
        lesson = "waves" if name == "render_lecture" else "waves:formula"
        done = run(name, lesson, "--sentence", sentence, "--voice", "silent", "--out", str(tmp_path), *DRAFT[name])
        assert done.returncode == 0, done.stderr
        assert (said in done.stdout.splitlines()) == told
        assert done.stdout.count("illustrative") == told


def test_the_vocabulary_is_printed_in_both_languages_or_in_one(run: Any) -> None:
    both, chinese = run("words"), run("words", "--language", "zh")
    assert "cat 猫, dog 狗" in both.stdout and "sat/sits 坐/坐着" in both.stdout
    assert "猫, 狗" in chinese.stdout and "cat" not in chinese.stdout
    assert both.stdout.count("\n\n") == chinese.stdout.count("\n\n") + 1  # Chinese has no determiner of its own.


def test_an_unknown_option_is_exit_code_2(run: Any) -> None:
    assert run("render_lecture", "--nope").returncode == 2


def test_a_wrong_configuration_names_file_line_and_key(tmp_path: Path, run: Any) -> None:
    text = CONFIG.read_text(encoding="utf-8").replace("theme: dark", "theme: pink")
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "theme: pink" in row)
    done = run("render_lecture", "--config", str(tmp_path / "mine.yaml"))
    assert done.returncode == 2
    assert f"mine.yaml:{line}: render.theme: expected dark or light" in done.stderr


def test_a_character_that_the_font_lacks_is_named(tmp_path: Path, run: Any) -> None:
    done = run("render_lecture", "qkv", "--sentence", "my 🐱 sleeps", "--quality", "320x180@5", "--out", str(tmp_path))
    assert done.returncode == 1
    assert "🐱 (U+1F431)" in done.stderr and "Traceback" not in done.stderr


def test_markup_characters_in_a_sentence_are_only_text(tmp_path: Path, run: Any) -> None:
    done = run("render_lecture", "qkv", "--sentence", "<b>a & b</b> 'it' \"so\" --> {x} %s", "--quality", "128x72@2",
               "--language", "en", "--out", str(tmp_path))  # fmt: skip
    assert done.returncode == 0, done.stderr
    cues = (tmp_path / "en" / "128x72-2" / "lecture-qkv.srt").read_text(encoding="utf-8")
    assert all(line.count("-->") == 0 or line[2] == ":" for line in cues.splitlines())


def digest_with(folder: Path, out: Path) -> str:
    """The digest of a small film rendered with `folder` as working folder and home."""
    command = [sys.executable, str(PROJECT / "scripts" / "render_lecture.py"), "qkv", "--quality", "128x72@2",
               "--language", "en", "--out", str(out)]  # fmt: skip
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


def test_commands_that_share_an_output_folder_do_not_disturb_each_other(tmp_path: Path) -> None:
    command = [sys.executable, str(PROJECT / "scripts" / "render_lecture.py"), "waves", "--quality", "128x72@2",
               "--out", str(tmp_path), "--language", "en", "--jobs", "1"]  # fmt: skip
    others = [subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) for _ in range(2)]
    for other in others:
        _, said = other.communicate(timeout=300)
        assert other.returncode == 0, said.decode()
    assert list(tmp_path.rglob(".work-*")) == []
    receipts = list(tmp_path.rglob("*.receipt.json"))
    assert len(receipts) == 5
    for path in receipts:
        for name, known in json.loads(path.read_text(encoding="utf-8"))["outputs"].items():
            assert hashlib.sha256((path.parent / name).read_bytes()).hexdigest() == known, name


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("language: en", "language: !!python/object/apply:os.system ['touch MARK']", "is a tag in YAML"),
        ("language: en", "language: &a [x, x]\nmore: [*a, *a]", "&a is a reference"),
        ('out: "media"', 'out: "../MARK"', "outside the project's folder"),
        ('out: "media"', 'out: "FOLDER/MARK"', "outside the project's folder"),
        ('out: "media"', 'out: "scenes/MARK"', "holds files of the project"),
        ("theme: dark", 'theme: "$(touch MARK)"', "expected dark or light"),
        ("[briefing,", "[../MARK, briefing,", "unknown lesson"),
        ("[briefing,", '["{x.__class__}", briefing,', "unknown lesson"),
    ],
)
def test_a_hostile_configuration_runs_nothing_and_writes_nothing(
    old: str, new: str, told: str, tmp_path: Path, run: Any
) -> None:
    text = CONFIG.read_text(encoding="utf-8")
    assert old in text
    for sign, path in (("FOLDER", tmp_path), ("MARK", tmp_path / "mark")):
        new = new.replace(sign, str(path) if "touch" in new or sign == "FOLDER" else path.name)
    (tmp_path / "hostile.yaml").write_text(text.replace(old, new), encoding="utf-8")
    done = run("render_lecture", "--config", str(tmp_path / "hostile.yaml"), cwd=tmp_path)
    assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["hostile.yaml"]
    assert not any((folder / "mark").exists() for folder in (PROJECT, PROJECT.parent, PROJECT / "scenes"))


def test_no_latex_is_called(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("latex", "pdflatex", "xelatex", "lualatex", "dvisvgm", "tex"):
        (tools / name).write_text(f"#!/bin/sh\ntouch '{tmp_path / 'called'}'\nexit 1\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    # What was parsed before is not parsed again, so it starts with an empty cache.
    monkeypatch.setenv("ATTENTION_FILMS_CACHE", str(tmp_path / "cache"))
    done = run("render_lecture", "qkv", "--quality", "128x72@2", "--language", "en", "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "cache").rglob("*")) and not (tmp_path / "called").exists()
