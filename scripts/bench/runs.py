"""What benchmarks share: programs measured with all their children, and tables."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scenes.lessons import LESSONS
from scenes.settings import PROJECT

# Of which sentences of other lengths are the beginnings.
SENTENCE = ("The", "tired", "cat", "sat", "on", "the", "warm", "mat", "and", "slept", "till", "noon")


class BenchError(RuntimeError):
    """A program that was to be measured failed."""


@dataclass(frozen=True)
class Run:
    """One or more programs: seconds, bytes of memory of the largest process, bytes written."""

    wall: float
    cpu: float
    peak: float
    written: int


def measured(command: Sequence[str], folder: Path, endings: tuple[str, ...]) -> Run:
    """Run a program; CPU seconds are those of all its processes. Counts bytes of files with `endings` in `folder`.

    A program is started as a copy of this process, whose own memory is the least that can be read as its peak.
    Raises BenchError with the last line that a failing program said.
    """
    log = folder.with_name(f"{folder.name}.log")
    with log.open("wb") as stream:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=PROJECT, stdout=stream, stderr=stream, env=_environment())
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() or ["nothing"]
        raise BenchError(f"{' '.join(command)}: exit code {process.returncode}, said: {said[-1]}")
    # Linux counts kibibytes, macOS bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * unit, written(folder, endings))


def _environment() -> dict[str, str]:
    # Stock manim writes subtitles and logs in the locale's encoding.
    return {**os.environ, "PYTHONUTF8": "1"}


def written(folder: Path, endings: tuple[str, ...]) -> int:
    """Bytes of the finished films or pictures in a folder; manim's segments are not counted."""
    found = (path for path in folder.rglob("*") if path.suffix in endings and "partial_movie_files" not in path.parts)
    return sum(path.stat().st_size for path in found)


def together(runs: Sequence[Run]) -> Run:
    """Programs that ran one after the other, as one."""
    return Run(
        sum(r.wall for r in runs), sum(r.cpu for r in runs), max(r.peak for r in runs), sum(r.written for r in runs)
    )


def median(runs: Sequence[Run]) -> Run:
    """The median of each figure."""
    walls, cpus, peaks = ([getattr(run, name) for run in runs] for name in ("wall", "cpu", "peak"))
    return Run(statistics.median(walls), statistics.median(cpus), statistics.median(peaks), runs[-1].written)


def machine() -> str:
    """What was measured on."""
    from importlib.metadata import version

    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores; Python {platform.python_version()}, "
        f"manim {version('manim')}"
    )


def lesson_file(lesson: str) -> str:
    """A lesson's file, as stock manim is given it."""
    return str(Path("scenes") / LESSONS[lesson] / f"{lesson}.py")


def stock_command(lesson: str, size: tuple[int, int], fps: int, media: Path, kind: str = "mp4") -> list[str]:
    """Stock manim for one lesson, without its progress bars."""
    how = ["-r", f"{size[0]},{size[1]}", "--fps", str(fps), "--format", kind, "--media_dir", str(media)]
    return [
        sys.executable, "-m", "manim", "render", "--progress_bar", "none", "-v", "ERROR", *how, lesson_file(lesson),
    ]  # fmt: skip


def markdown(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; the first column is text, the others are figures."""
    lines = [heading, ["---", *["--:"] * (len(heading) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
