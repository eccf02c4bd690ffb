"""Lessons side by side: longest first, failures named, nothing left by an interruption."""

import io
import os
import re
import signal
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from scenes.settings import load_settings
from scripts.studio import console, workers
from scripts.studio.pieces import Piece, lecture_pieces
from scripts.studio.render import existing_film, expected_work, film_tasks
from scripts.studio.workers import Task, run_tasks
from tests.waiting import wait_until

pytestmark = pytest.mark.xdist_group("workers")


def noted(folder: Path, name: str, progress: Any) -> int:
    """Write down that the task has begun."""
    with (folder / "begun").open("a", encoding="utf-8") as file:
        file.write(f"{name}\n")
    return os.getpid()


def waiting(folder: Path, name: str, file: str, progress: Any) -> None:
    """Half of the task is done, and the other half waits for a file."""
    noted(folder, name, progress)
    progress(name, 0.5)
    wait_until((folder / file).exists, f"{name}: there was no {file}")


def meeting(folder: Path, name: str, progress: Any) -> None:
    """Wait for another task that has begun."""
    noted(folder, name, progress)
    wait_until(lambda: len(begun(folder)) >= 2, f"{name}: no other task was begun beside it")


def failing(progress: Any) -> None:
    print("what the lesson printed")
    raise ValueError("no such\nnumber")


def dying(progress: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def task(folder: Path, name: str, weight: float, run: Any, *arguments: Any) -> Task:
    return Task(name, weight, run, arguments, folder / f"{name}.log")


def begun(folder: Path) -> list[str]:
    """The tasks that have begun, in their order."""
    return (folder / "begun").read_text(encoding="utf-8").split()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_longest_first_each_in_a_process_of_its_own(
    tmp_path: Path, method: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workers, "METHOD", method)
    weights = {"short": 1.0, "long": 9.0, "middle": 4.0}
    tasks = [task(tmp_path, name, weight, noted, tmp_path, name) for name, weight in weights.items()]
    outcome = run_tasks(tasks, 1, "testing")
    assert outcome.failures == [] and set(outcome.results) == set(weights)
    assert len({*outcome.results.values(), os.getpid()}) == 4
    assert begun(tmp_path) == ["long", "middle", "short"]
    assert capsys.readouterr().out.splitlines() == ["testing 1/3: long", "testing 2/3: middle", "testing 3/3: short"]
    assert not list(tmp_path.glob("*.log"))


def test_two_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start, alive = BaseProcess.start, []

    def counted(process: BaseProcess) -> None:
        start(process)
        alive.append(len(active_children()))

    monkeypatch.setattr(BaseProcess, "start", counted)
    outcome = run_tasks([task(tmp_path, name, 1.0, meeting, tmp_path, name) for name in "abc"], 2, "testing")
    assert outcome.failures == [] and sorted(begun(tmp_path)) == ["a", "b", "c"]
    assert len(alive) == 3 and max(alive) == 2


def test_a_failure_is_named_with_its_log_and_stops_no_other(tmp_path: Path) -> None:
    tasks = [
        task(tmp_path, "failing", 9.0, failing),
        task(tmp_path, "dying", 8.0, dying),
        task(tmp_path, "good", 1.0, noted, tmp_path, "good"),
    ]
    outcome = run_tasks(tasks, 1, "testing")
    assert set(outcome.results) == {"good"}
    told = {failure.name: failure for failure in outcome.failures}
    assert str(told["failing"]) == f"failing: no such number (log: {tmp_path / 'failing.log'})"
    assert told["dying"].message.startswith("its process was killed, ")
    log = (tmp_path / "failing.log").read_text(encoding="utf-8")
    assert "what the lesson printed" in log and "Traceback" in log and "ValueError" in log


def test_a_lesson_that_fails_leaves_the_others_and_exit_code_1(tmp_path: Path, run: Any) -> None:
    folder = tmp_path / "en" / "128x72-2"
    # A folder where the film should go cannot be replaced by it.
    (folder / "clock.mp4" / "inside").mkdir(parents=True)
    done = run("render_lecture", "qkv", "clock", "--quality", "128x72@2", "--language", "en", "--out", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("clock: ") and f"(log: {folder / 'clock.log'})" in done.stderr
    assert "Traceback" not in done.stderr and "Traceback" in (folder / "clock.log").read_text(encoding="utf-8")
    assert (folder / "qkv.mp4").is_file() and not (folder / "lecture-qkv-clock.mp4").exists()


def test_what_a_lesson_took_last_time_is_what_is_expected(film: Path) -> None:
    settings = load_settings().with_overrides(quality="320x180@5", lessons=["qkv", "clock"], out=film.parent.parent)
    found = existing_film(Piece("qkv"), settings, "en")
    assert expected_work(Piece("qkv"), settings, "en") == found.receipt["work"] > 0.1
    tasks = film_tasks(lecture_pieces(settings.lecture.lessons), settings, "en")
    cards = [t.weight for t in tasks if "/cards-qkv-clock/" in t.log.as_posix()]
    assert max(cards) < min(t.weight for t in tasks if "/cards-qkv-clock/" not in t.log.as_posix())


def test_a_variable_frame_rate_has_the_same_length_and_fewer_packets(film: Path, tmp_path: Path, run: Any) -> None:
    from scripts.studio.video import probe

    arguments = ("qkv", "clock", "--quality", "320x180@5", "--language", "en", "--out", str(tmp_path))
    done = run("render_lecture", *arguments, "--variable-frame-rate")
    assert done.returncode == 0, done.stderr
    for name in ("qkv", "clock", "lecture-qkv-clock"):
        constant, variable = probe(film / f"{name}.mp4"), probe(tmp_path / "en" / "320x180-5" / f"{name}.mp4")
        assert variable.length(5) == constant.length(5) == constant.frames
        assert variable.frames < constant.frames
    again = run("render_lecture", *arguments)
    assert "6 of 6 pieces rendered" in again.stdout
    assert probe(tmp_path / "en" / "320x180-5" / "qkv.mp4").frames == probe(film / "qkv.mp4").frames


def test_stock_and_any_number_of_jobs_give_the_same_bytes(film: Path, tmp_path: Path, run: Any) -> None:
    done = run("render_lecture", "qkv", "clock", "--quality", "320x180@5", "--language", "en", "--out", str(tmp_path),
               "--stock", "--jobs", "1")  # fmt: skip
    assert done.returncode == 0, done.stderr
    for name in ("qkv.mp4", "clock.mp4", "lecture-qkv-clock.mp4", "qkv.png"):
        assert (tmp_path / "en" / "320x180-5" / name).read_bytes() == (film / name).read_bytes()


def test_on_a_terminal_one_line_shows_all_jobs_and_the_time_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    class Screen(io.StringIO):
        def write(self, text: str) -> int:
            if "one 50%" in text and "two 50%" in text:
                (tmp_path / "shown").touch()
            return super().write(text)

    written = Screen()
    monkeypatch.setattr(console, "out", Console(file=written, force_terminal=True, width=120, highlight=False))
    tasks = [task(tmp_path, name, 1.0, waiting, tmp_path, name, "shown") for name in ("one", "two")]
    assert run_tasks(tasks, 2, "rendering").failures == []
    plain = re.sub(r"\x1b\[[0-9;]*m", "", written.getvalue())
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "\n", plain).splitlines()
    both = [line for line in shown if "one 50%" in line and "two 50%" in line]
    assert both and all(line.startswith("rendering ") and " 50%" in line and "left" in line for line in both)


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_pipe_hears_of_a_long_wait_every_ten_seconds_with_the_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    # 40 lines in two shares, 5 s a line: 100 s in all.
    with console.progress_of(
        {"lines 1": 300.0, "lines 2": 300.0}, "speaking", {"lines 1": 20, "lines 2": 20}, "lines", clock
    ) as tell:
        for second in range(1, 101):
            clock.now = float(second)
            if second % 5 == 0:
                for share in ("lines 1", "lines 2"):
                    tell(share, second / 100)
            else:
                tell("", 0.0)
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "speaking 3/40 lines; about 2 min left"
    assert "speaking 19/40 lines; about 60 s left" in told and told[-1] == "speaking 40/40 lines"
    assert 8 <= len(told) <= 11


def test_a_wait_before_anything_is_done_is_told_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with console.progress_of({"qkv": 9.0, "clock": 1.0}, "rendering", clock=clock) as tell:
        for second, (name, share) in enumerate([("", 0.0), ("qkv", 0.25), ("", 0.0), ("clock", 1.0), ("qkv", 1.0)], 1):
            clock.now = 11.0 * second
            tell(name, share)
    assert capsys.readouterr().out.splitlines() == [
        "rendering 0/2", "rendering 0/2; qkv 25%; about 80 s left", "rendering 0/2; qkv 25%; about 2 min left",
        "rendering 1/2: clock", "rendering 2/2: qkv",
    ]  # fmt: skip


def test_lines_that_are_spoken_are_counted_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    written, clock = io.StringIO(), Clock()
    monkeypatch.setattr(console, "out", Console(file=written, force_terminal=True, width=120, highlight=False))
    with console.progress_of(
        {"lines 1": 1.0, "lines 2": 1.0}, "speaking", {"lines 1": 4, "lines 2": 3}, "lines", clock
    ) as tell:
        clock.now = 30.0
        tell("lines 1", 0.5)
    assert "speaking 0/7 lines" in written.getvalue() and "speaking 2/7 lines" in written.getvalue()
    assert "about 90 s left" in written.getvalue()
