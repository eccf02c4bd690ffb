"""Measure the films: stock manim with one command a lesson, stock manim for all in one process, and the studio.

The three take turns. Each writes H.264 of the same size and rate from the same lessons; the studio's films also have
captions in the picture, title and chapter cards, posters, ledgers, and are joined. It reports and judges nothing.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scenes.lessons import LESSONS
from scenes.settings import PROJECT, Quality, Settings, SettingsError, load_settings
from scripts.bench.attention import Curve
from scripts.bench.plots import PlottingError, check_installed, draw, draw_bars
from scripts.bench.runs import (
    SENTENCE,
    BenchError,
    Run,
    machine,
    markdown,
    measured,
    median,
    stock_command,
    together,
)
from scripts.studio.frame_store import Frame, FrameStore
from scripts.studio.video import Mp4Sink

WAYS = ("stock, a command a lesson", "stock, one process", "studio")
QUALITIES = ("480p15", "1080p30")
WORDS, HEIGHTS = (2, 4, 8, 12), (240, 480, 720, 1080)
# Frames on which the encoder is measured alone.
_ALONE = 150


def measure(lessons: Sequence[str], quality: Quality, repeat: int, ours: Sequence[str], log: Any) -> dict[str, Run]:
    """Medians of every way; they take turns, so that a busy moment of the machine hits all of them."""
    runs: dict[str, list[Run]] = {way: [] for way in WAYS}
    ways: tuple[Callable[[Path], Run], ...] = (
        lambda folder: _stock_each(lessons, quality, folder),
        lambda folder: _stock_all(lessons, quality, folder),
        lambda folder: _studio(lessons, quality, ours, folder),
    )
    for turn in range(repeat):
        for way, run in zip(WAYS, ways, strict=True):
            # A new folder each time, so that no way finds what an earlier turn has made.
            with tempfile.TemporaryDirectory(prefix="bench-film-") as folder:
                found = run(Path(folder) / "media")
            runs[way].append(found)
            log(f"{quality.name}, turn {turn + 1} of {repeat}, {way}: {found.wall:.1f} s wall, {found.cpu:.1f} s CPU")
    return {way: median(found) for way, found in runs.items()}


def _stock_each(lessons: Sequence[str], quality: Quality, folder: Path) -> Run:
    size = (quality.width, quality.height)
    runs = []
    for lesson in lessons:
        (folder / lesson).mkdir(parents=True)
        command = stock_command(lesson, size, quality.fps, folder / lesson)
        runs.append(measured(command, folder / lesson, (".mp4",)))
    return together(runs)


def _stock_all(lessons: Sequence[str], quality: Quality, folder: Path) -> Run:
    folder.mkdir(parents=True)
    own = [sys.executable, str(Path(__file__).resolve()), "--stock-here", str(folder), "--quality", quality.name]
    return measured([*own, "--lessons", ",".join(lessons)], folder, (".mp4",))


def stock_here(lessons: Sequence[str], quality: Quality, folder: Path) -> None:
    """Render lessons with manim's own classes in this process."""
    import manim

    from scripts.studio.stage import lesson_class

    for lesson in lessons:
        how = {
            "pixel_width": quality.width, "pixel_height": quality.height, "frame_rate": quality.fps,
            "media_dir": str(folder / lesson), "progress_bar": "none", "verbosity": "ERROR",
        }  # fmt: skip
        with manim.tempconfig(how):
            lesson_class(lesson)().render()


def _studio(lessons: Sequence[str], quality: Quality, ours: Sequence[str], folder: Path) -> Run:
    folder.mkdir(parents=True)
    script = str(PROJECT / "scripts" / "render_lecture.py")
    # Silent, as stock manim's films are.
    command = [sys.executable, script, *lessons, "--voice", "silent", "--quality", quality.name, "--out", str(folder)]
    command += ours
    run = measured(command, folder, (".mp4",))
    # The joined film holds the lessons once more, and cards are nobody else's.
    only = sum(path.stat().st_size for path in folder.rglob("*.mp4") if path.stem in lessons)
    return Run(run.wall, run.cpu, run.peak, only)


# What a frame costs, in this process


@dataclass(frozen=True)
class Frames:
    """CPU milliseconds a frame in the studio, and how many frames there were of each kind."""

    moving: float
    held: float
    drawing: float
    encoder: float
    moved: int
    rested: int


class _Timed:
    """Hands frames on and notes the CPU time of drawing, between writes, and of writing."""

    def __init__(self, sink: Mp4Sink, store: FrameStore) -> None:
        self.sink, self.store = sink, store
        self.spent = {"moving": 0.0, "held": 0.0, "drawing": 0.0}
        self.moved = self.rested = 0
        self._since = time.process_time()

    def write(self, frame: Frame, repeat: int) -> None:
        start = time.process_time()
        self.sink.write(frame, repeat)
        end = time.process_time()
        kind = "moving" if repeat == 1 else "held"
        self.spent[kind] += end - self._since
        if repeat == 1:
            self.spent["drawing"] += start - self._since
            self.moved += 1
            if self.moved <= _ALONE:
                self.store.write(frame, 1)
        else:
            self.rested += repeat
        self._since = time.process_time()


def frame_costs(lesson: str, settings: Settings, quality: Quality) -> Frames:
    """Play a lesson into a film here, then encode its first moving frames again, alone."""
    import numpy as np

    from scripts.studio.stage import manim_configured, play_lesson

    with tempfile.TemporaryDirectory(prefix="bench-film-") as name, FrameStore(Path(name)) as store:
        work = Path(name)
        with manim_configured(quality, work / "manim"):
            film = Mp4Sink(work / "a.mp4", quality, "en")
            timed = _Timed(film, store)
            play_lesson(lesson, settings, settings.language, (timed,))
            film.close()
        alone = Mp4Sink(work / "alone.mp4", quality, "en")
        spent = 0.0
        for number in range(store.stills):
            opaque = np.full((store.height, store.width, 1), 255, np.uint8)
            frame = np.concatenate([store.still(number), opaque], axis=2)
            start = time.process_time()
            alone.write(frame, 1)
            spent += time.process_time() - start
        start = time.process_time()
        alone.close()
        spent += time.process_time() - start
    each = {kind: 1e3 * timed.spent[kind] / max(timed.moved, 1) for kind in ("moving", "drawing")}
    held = 1e3 * timed.spent["held"] / max(timed.rested, 1)
    return Frames(each["moving"], held, each["drawing"], 1e3 * spent / max(store.stills, 1), timed.moved, timed.rested)


def report(
    quality: Quality, lessons: Sequence[str], found: dict[str, Run], frames: dict[str, Frames], repeat: int
) -> str:
    """The figures of one quality, in Markdown."""
    first = found[WAYS[0]]
    rows = [
        [
            way, f"{run.wall:.1f}", f"{first.wall / run.wall:.2f}", f"{run.cpu:.1f}", f"{first.cpu / run.cpu:.2f}",
            f"{run.peak / 1e6:.0f}", f"{run.written / 1e6:.2f}",
        ]
        for way, run in found.items()
    ]  # fmt: skip
    heading: tuple[str, ...] = ("", "wall s", "times as fast", "CPU s", "times less CPU", "peak MB", "film MB")
    text = (
        f"# Films at {quality.name}\n\n{', '.join(lessons)}. {machine()}. Medians of {repeat} interleaved runs; CPU of "
        "all processes; peak memory of the largest one.\nThe studio's time includes captions in the picture, cards and "
        f"joining, which the others have not.\n\n{markdown(heading, rows)}"
    )
    if frames:
        each = [
            [lesson, f"{f.moving:.1f}", f"{f.held:.2f}", f"{f.drawing:.1f}", f"{f.encoder:.1f}",
             f"{f.moving / f.encoder:.2f}", str(f.moved), str(f.rested)]
            for lesson, f in frames.items()
        ]  # fmt: skip
        heading = ("the studio, CPU ms", "a moving frame", "a held frame", "drawing", "encoder alone",
                   "moving / encoder", "moving frames", "held frames")  # fmt: skip
        text += f"\n{markdown(heading, each)}"
    return text


def picture(path: Path, quality: Quality, lessons: Sequence[str], found: dict[str, Run]) -> None:
    """Wall, CPU, memory and bytes of the three ways as bars."""
    figures: tuple[tuple[str, Callable[[Run], float], str], ...] = (
        ("Wall time", lambda run: run.wall, "s"),
        ("CPU time", lambda run: run.cpu, "s"),
        ("Peak memory of the largest process", lambda run: run.peak / 1e6, "MB"),
        ("Bytes of the lessons' films", lambda run: run.written / 1e6, "MB"),
    )
    groups = []
    for title, figure, unit in figures:
        first = figure(found[WAYS[0]])
        bars = [
            (way, figure(run), f"{figure(run):.1f} {unit}, {figure(run) / first:.0%}") for way, run in found.items()
        ]
        groups.append((title, bars))
    draw_bars(path, f"{len(lessons)} lesson{'s' if len(lessons) > 1 else ''} at {quality.name}", groups)


def grow(lesson: str, settings: Settings, log: Any) -> tuple[list[Curve], list[Curve]]:
    """CPU seconds a moving and a held frame, and of the encoder, as sentence and frame grow."""

    def curves(cases: Sequence[tuple[int, Settings, Quality]]) -> list[Curve]:
        found = {name: Curve(name, [], []) for name in ("moving", "encoder alone", "held")}
        for size, chosen, quality in cases:
            cost = frame_costs(lesson, chosen, quality)
            for name, value in (("moving", cost.moving), ("encoder alone", cost.encoder), ("held", cost.held)):
                found[name].sizes.append(size)
                found[name].seconds.append(max(value, 1e-3) / 1e3)
            log(f"{lesson}, {size}: {cost.moving:.1f} ms moving, {cost.encoder:.1f} encoder, {cost.held:.2f} held")
        return list(found.values())

    english = settings.with_overrides(language="en")
    small = english.with_overrides(quality="480p15").render.quality
    by_words = curves([(n, english.with_overrides(sentence=" ".join(SENTENCE[:n])), small) for n in WORDS])
    sizes = [english.with_overrides(quality=f"{2 * round(h * 8 / 9)}x{h}@15").render.quality for h in HEIGHTS]
    return by_words, curves([(quality.height, english, quality) for quality in sizes])


def growth_table(lesson: str, by_words: Sequence[Curve], by_height: Sequence[Curve]) -> str:
    """The growth in Markdown."""
    text = f"# Growth of a frame's cost: {lesson}, the studio, CPU ms\n\n{machine()}\n"
    for title, curves in (("words", by_words), ("frame height", by_height)):
        rows = [[str(n), *(f"{1e3 * c.seconds[i]:.2f}" for c in curves)] for i, n in enumerate(curves[0].sizes)]
        text += f"\n{markdown((title, *(curve.name for curve in curves)), rows)}"
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; write them and the plots."""
    assert __doc__
    parser = argparse.ArgumentParser(prog="make bench-film", description=__doc__.splitlines()[0])
    parser.add_argument("--lessons", default=",".join(LESSONS), help="lessons, with commas (all six)")
    parser.add_argument("--quality", default=",".join(QUALITIES), help="qualities, with commas (480p15,1080p30)")
    parser.add_argument("--repeat", type=int, default=3, help="turns of every way (3)")
    parser.add_argument("--ours", default="", help='further options of render_lecture.py, such as "--jobs 2"')
    parser.add_argument("--out", type=Path, default=PROJECT / "docs" / "bench", help="folder (docs/bench)")
    parser.add_argument("--no-frames", action="store_true", help="leave out what a frame costs")
    parser.add_argument("--growth", action="store_true", help="only: growth with sentence length and frame size")
    parser.add_argument("--stock-here", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.repeat < 1:
        parser.error(f"--repeat must be at least 1, got {options.repeat}")
    try:
        settings = load_settings().with_overrides(lessons=options.lessons)
        qualities = [settings.with_overrides(quality=name).render.quality for name in options.quality.split(",")]
    except SettingsError as mistake:
        parser.error(str(mistake))
    lessons = settings.lecture.lessons
    if options.stock_here:
        stock_here(lessons, qualities[0], options.stock_here)
        return 0

    def log(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    try:
        check_installed()
        options.out.mkdir(parents=True, exist_ok=True)
        if options.growth:
            _growth(lessons[0], settings, options.out, log)
            return 0
        for quality in qualities:
            found = measure(lessons, quality, options.repeat, shlex.split(options.ours), log)
            frames = {} if options.no_frames else {name: frame_costs(name, settings, quality) for name in lessons}
            text = report(quality, lessons, found, frames, options.repeat)
            target = options.out / f"film-{quality.name.replace('@', '-')}.md"
            target.write_text(text, encoding="utf-8")
            picture(target.with_suffix(".png"), quality, lessons, found)
            print(f"{text}\n{target}\n{target.with_suffix('.png')}")
    except (BenchError, PlottingError) as problem:
        log(str(problem))
        return 1
    return 0


def _growth(lesson: str, settings: Settings, out: Path, log: Any) -> None:
    by_words, by_height = grow(lesson, settings, log)
    target = out / "film-growth.md"
    target.write_text(growth_table(lesson, by_words, by_height), encoding="utf-8")
    draw(
        target.with_suffix(".png"),
        ("words of the sentence, 480p", by_words),
        ("frame height in pixels, 8 words", by_height),
        heading=f"{lesson}: CPU time of a frame in the studio",
    )
    print(f"{target.read_text(encoding='utf-8')}\n{target}\n{target.with_suffix('.png')}")


if __name__ == "__main__":
    sys.exit(main())
