"""Killed, interrupted or broken runs leave whole files or none under final names, and the next run heals."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from scenes.settings import PROJECT
from scripts.studio.encode import probe
from scripts.studio.files import sweep, work_folder, write_text

pytestmark = pytest.mark.xdist_group("interruption")
FINAL = (".mp4", ".png", ".srt", ".vtt", ".json")


def start(out: Path, *arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, str(PROJECT / "scripts" / "render_lecture.py"), "qkv", "--quality", "1280x720@15",
               "--out", str(out), "--language", "en", *arguments]  # fmt: skip
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for_partial_film(out: Path, process: "subprocess.Popen[str]") -> None:
    """Until frames of the lesson are being written."""
    for _ in range(1200):
        if any(path.stat().st_size > 48 for path in out.rglob(".work-*/qkv.mp4")):
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    raise AssertionError("the lesson was never begun")


def finals(out: Path) -> list[Path]:
    return [p for p in out.rglob("*") if p.suffix in FINAL and ".work-" not in str(p)]


def finished(out: Path) -> dict[str, int]:
    """Films in place, and when they were written."""
    return {p.name: p.stat().st_mtime_ns for p in finals(out) if p.suffix == ".mp4"}


def test_sigkill_leaves_no_partial_file_and_the_next_run_heals(tmp_path: Path, run: Any) -> None:
    process = start(tmp_path)
    wait_for_partial_film(tmp_path, process)
    kept = finished(tmp_path)
    # As when the machine goes down: the command and its lessons' processes at once.
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    folder = tmp_path / "en" / "1280x720-15"
    assert not any(p.name.startswith("qkv") for p in finals(tmp_path))
    assert list(folder.glob(".work-*"))
    for film in (p for p in finals(tmp_path) if p.suffix == ".mp4"):
        assert probe(film).frames > 0
    done = run("render_lecture", "qkv", "--quality", "1280x720@15", "--out", str(tmp_path), "--language", "en")
    assert done.returncode == 0, done.stderr
    assert kept.items() <= finished(tmp_path).items()
    assert probe(folder / "lecture.mp4").frames > 0
    assert list(tmp_path.rglob(".work-*")) == []


def test_ctrl_c_says_so_in_a_line_and_cleans_up(tmp_path: Path) -> None:
    process = start(tmp_path)
    wait_for_partial_film(tmp_path, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors.strip() == "interrupted; finished films are kept, and the next run goes on from there"
    assert list(tmp_path.rglob(".work-*")) == []
    assert not any(p.name.startswith("qkv") for p in finals(tmp_path))


def test_a_killed_commands_lessons_end_by_themselves(tmp_path: Path) -> None:
    process = start(tmp_path)
    wait_for_partial_film(tmp_path, process)
    process.kill()
    process.communicate()
    for _ in range(200):
        if not list(tmp_path.rglob(".work-*")):
            break
        time.sleep(0.05)
    assert list(tmp_path.rglob(".work-*")) == []
    assert not any(p.name.startswith("qkv") for p in finals(tmp_path))


def test_a_read_only_output_folder_is_a_line(tmp_path: Path, run: Any) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run("render_lecture", "qkv", "--out", str(tmp_path / "file" / "inside"), "--quality", "320x180@5")
    assert done.returncode in (1, 2)
    assert len(done.stderr.strip().splitlines()) == 1 and "Traceback" not in done.stderr


def test_a_killed_runs_leftovers_are_swept_and_a_living_ones_kept(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left, living = tmp_path / f".work-{dead.pid}-x", tmp_path / f".work-{os.getpid()}-y"
    left.mkdir()
    living.mkdir()
    sweep(tmp_path)
    assert not left.exists() and living.exists()


def test_a_failure_inside_a_work_folder_leaves_the_old_file(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "old")
    with pytest.raises(RuntimeError), work_folder(tmp_path) as work:
        write_text(work / "a.txt", "new")
        raise RuntimeError
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
