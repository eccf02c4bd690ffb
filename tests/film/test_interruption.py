"""Killed, interrupted or broken runs leave whole files or none under final names, and the next run heals."""

import ctypes
import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scenes.settings import PROJECT
from scripts.bench.torture import outputs, torture
from scripts.studio.files import in_a_line, sweep, work_folder, write_text
from scripts.studio.video import probe
from tests.waiting import wait_until

pytestmark = pytest.mark.xdist_group("interruption")
FINAL = (".mp4", ".png", ".srt", ".vtt", ".json")


def start(out: Path, *arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, str(PROJECT / "scripts" / "render_lecture.py"), "qkv", "--quality", "1280x720@15",
               "--out", str(out), "--language", "en", *arguments]  # fmt: skip
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for_partial_film(out: Path, process: "subprocess.Popen[str]") -> None:
    """Until frames of the lesson are being written."""

    def begun() -> bool:
        assert process.poll() is None, process.communicate()
        return any(path.stat().st_size > 48 for path in out.rglob(".work-*/qkv.mp4"))

    wait_until(begun, "the lesson was never begun")


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
    assert probe(folder / "lecture-qkv.mp4").frames > 0
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
    wait_until(lambda: not list(tmp_path.rglob(".work-*")), "the lessons' processes went on")
    assert not any(p.name.startswith("qkv") for p in finals(tmp_path))


def rendered(out: Path, prepare: Callable[[], object], *more: str) -> "subprocess.CompletedProcess[str]":
    """A small film, with what its process may do reduced by `prepare`."""
    command = [sys.executable, str(PROJECT / "scripts" / "render_lecture.py"), "waves", "--quality", "128x72@2",
               "--out", str(out), "--language", "en", *more]  # fmt: skip
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=300, preexec_fn=prepare
    )


def test_six_kills_leave_no_damage_and_the_film_is_that_of_an_undisturbed_run(tmp_path: Path) -> None:
    result = torture(tmp_path, "waves", "128x72@2", kills=6, seed=3)
    assert (result.damaged, result.different) == ([], []), result.said
    assert result.rounds == 6 and result.under_way >= 2


def test_a_full_disk_is_a_line_for_each_lesson_and_leaves_whole_files_only(small: Path) -> None:
    whole = outputs(small)
    (small / "en" / "128x72-2" / "waves.mp4").unlink()

    def shrink() -> None:
        # As a full disk, this takes a part of a file and then no more; it needs no rights.
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    done = rendered(small, shrink)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("waves: disk full or file-size limit reached") and "; free space and retry" in line
    left = outputs(small)
    assert "en/128x72-2/waves.mp4" not in left and left.items() <= whole.items()
    assert list(small.rglob(".work-*")) == []
    assert rendered(small, lambda: None).returncode == 0 and outputs(small) == whole


def test_a_read_only_output_folder_is_a_line_and_stays_as_it_is(small: Path, tmp_path: Path) -> None:
    whole = outputs(small)
    folders = [small, *(path for path in small.rglob("*") if path.is_dir())]
    (tmp_path / "empty").mkdir()
    for folder in (*folders, tmp_path / "empty"):
        folder.chmod(0o555)

    def without_rights() -> None:
        # Root may write anywhere, unless it gives that right away (CAP_DAC_OVERRIDE).
        if os.geteuid() == 0:
            assert ctypes.CDLL(None).prctl(24, 1, 0, 0, 0) == 0

    try:
        for done in (rendered(small, without_rights, "--force"), rendered(tmp_path / "empty", without_rights)):
            assert done.returncode == 1 and "Traceback" not in done.stderr
            lines = done.stderr.strip().splitlines()
            assert len(lines) in (1, 4) and all(
                "cannot write " in line and line.endswith("; make its folder writable, or choose another with --out")
                for line in lines
            )
    finally:
        for folder in (*folders, tmp_path / "empty"):
            folder.chmod(0o755)
    assert outputs(small) == whole and list((tmp_path / "empty").iterdir()) == []


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    assert rendered(folder, lambda: None).returncode == 0
    return folder


@pytest.fixture
def small(made: Path, tmp_path: Path) -> Path:
    """A copy of a small film, which a test may spoil."""
    return Path(shutil.copytree(made, tmp_path / "small"))


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/out/a.mp4"),
         "disk full or file-size limit reached while writing /out/a.mp4; free space and retry"),
        (OSError(errno.EFBIG, "File too large"), "disk full or file-size limit reached; free space and retry"),
        (PermissionError(errno.EACCES, "Permission denied", "/out/a"),
         "cannot write /out/a: permission denied; make its folder writable, or choose another with --out"),
        (NotADirectoryError(errno.ENOTDIR, "Not a directory", "/out/a"), "/out/a: not a directory"),
        (FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']"),
         "No usable temporary directory found in ['/tmp']"),
        (ValueError("two\nlines"), "two lines"),
        (ValueError(), "ValueError"),
    ],
)  # fmt: skip
def test_a_problem_is_one_line_with_what_to_do(problem: Exception, said: str) -> None:
    assert in_a_line(problem) == said


def test_what_cannot_be_read_is_not_said_to_be_unwritable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "words.yaml").touch()
    # Root may read anything.
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.R_OK)
    said = in_a_line(PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "words.yaml")))
    assert said == f"cannot read {tmp_path / 'words.yaml'}: permission denied"


def test_a_killed_runs_leftovers_are_swept_and_a_living_ones_kept(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left, living = tmp_path / f".work-{dead.pid}-x", tmp_path / f".work-{os.getpid()}-y"
    left.mkdir()
    living.mkdir()
    sweep(tmp_path)
    assert not left.exists() and living.exists()


def test_a_killed_process_that_nobody_has_asked_about_is_dead(tmp_path: Path) -> None:
    killed = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    killed.kill()
    os.waitid(os.P_PID, killed.pid, os.WEXITED | os.WNOWAIT)
    left = tmp_path / f".work-{killed.pid}-x"
    left.mkdir()
    sweep(tmp_path)
    # Elsewhere the system does not tell, and the next run removes it.
    assert left.exists() == (sys.platform != "linux")
    killed.communicate()


def test_nothing_of_a_killed_run_is_left_when_all_is_up_to_date(small: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = [small / "en" / "128x72-2" / part / f".work-{dead.pid}-x" for part in (".", "cards-waves")]
    for folder in left:
        folder.mkdir()
    assert rendered(small, lambda: None).returncode == 0
    assert not any(folder.exists() for folder in left)


def test_a_failure_inside_a_work_folder_leaves_the_old_file(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "old")
    with pytest.raises(RuntimeError), work_folder(tmp_path) as work:
        write_text(work / "a.txt", "new")
        raise RuntimeError
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
