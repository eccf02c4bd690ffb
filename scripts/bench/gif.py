"""Measure article media: manim's own GIF against the studio's GIF, AVIF, WebP and MP4, in bytes, time and likeness.

All show the same lessons at the same size and rate, without captions and without a longer last frame. Likeness is
SSIM (ffmpeg's filter, mean of red, green and blue, mean of all frames) against the raw frames of the lesson, at the
times at which these are shown. It reports and judges nothing.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import av
import numpy as np
from av.filter import Graph

from scenes.formats import LANDSCAPE
from scenes.lessons import LESSONS
from scenes.settings import CONFIG, PROJECT, Quality, Settings, SettingsError, load_settings
from scripts.bench.attention import Curve
from scripts.bench.plots import PlottingError, check_installed, draw, draw_bars
from scripts.bench.runs import (
    SENTENCE,
    BenchError,
    Run,
    machine,
    markdown,
    measured,
    stock_command,
)
from scripts.studio.budget import Budget, Part, fit
from scripts.studio.frame_store import Frame, FrameStore
from scripts.studio.media_kinds import KINDS, Look, frames_in, lowered_details

STOCK = "manim --format gif"
WORDS, WIDTHS = (2, 4, 8, 12), (320, 480, 640, 800)
_LARGE = 1000.0


@dataclass(frozen=True)
class Found:
    """A file that was made, how, and how like the raw frames it is."""

    run: Run
    ssim: float


def raw_frames(lesson: str, settings: Settings, quality: Quality, folder: Path) -> FrameStore:
    """The lesson's frames as they are drawn, without captions."""
    from scripts.studio.stage import manim_configured, play_lesson

    store = FrameStore(folder)
    with manim_configured(quality, folder / "manim"):
        play_lesson(lesson, settings, settings.language, (store,), captions=False)
    return store


def shown_at(path: Path, times: Sequence[float]) -> Iterator[Frame]:
    """The frames of a file that are seen at the times (seconds, rising)."""
    frames, until, frame = frames_in(path), 0.0, None
    for time in times:
        while until <= time:
            following = next(frames, None)
            if following is None:
                break
            frame = following[0]
            until += following[1]
        assert frame is not None
        yield frame


def likeness(path: Path, store: FrameStore, fps: int) -> float:
    """Mean SSIM of a file's frames, in the middle of the time of each raw frame, against the raw frames."""
    tick = Fraction(1, fps)
    graph = Graph()
    gbrp = av.VideoFormat("gbrp")
    sources = [graph.add_buffer(width=store.width, height=store.height, format=gbrp, time_base=tick) for _ in range(2)]
    judge, end = graph.add("ssim"), graph.add("buffersink")
    for number, source in enumerate(sources):
        source.link_to(judge, 0, number)
    judge.link_to(end)
    graph.configure()
    total = 0.0
    for number, frame in enumerate(shown_at(path, [(n + 0.5) / fps for n in range(store.frames)])):
        for source, pixels in zip(sources, (frame, store.still(store.still_at(number))), strict=True):
            picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24").reformat(format="gbrp")
            picture.pts, picture.time_base = number, tick
            source.push(picture)
        judged: Any = end.pull()
        total += float(judged.metadata["lavfi.ssim.All"])
    return total / store.frames


def _configuration(folder: Path) -> Path:
    """A copy of media_config.yaml without captions in GIFs, which manim has not either."""
    text = re.sub(r"(?m)^(  captions: )true", r"\1false", CONFIG.read_text(encoding="utf-8"))
    path = folder / "media_config.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def measure(lesson: str, settings: Settings, width: int, fps: int, kinds: Sequence[str], log: Any) -> dict[str, Found]:
    """Manim's GIF and the studio's files of a lesson."""
    size = (width, LANDSCAPE.height_of(width))
    found: dict[str, Found] = {}
    with tempfile.TemporaryDirectory(prefix="bench-gif-") as name:
        folder = Path(name)
        quality = Quality(f"{size[0]}x{size[1]}@{fps}", *size, fps)
        store = raw_frames(lesson, settings, quality, folder)
        with store:
            stock = folder / "stock"
            stock.mkdir()
            run = measured(stock_command(lesson, size, fps, stock, "gif"), stock, (".gif",))
            found[STOCK] = Found(run, likeness(next(stock.rglob("*.gif")), store, fps))
            log(_line(lesson, STOCK, found[STOCK]))
            configuration = _configuration(folder)
            for kind in kinds:
                own = folder / kind
                own.mkdir()
                command = [
                    sys.executable, str(PROJECT / "scripts" / "export_gifs.py"), lesson, "--format", kind,
                    "--config", str(configuration), "--width", str(width), "--fps", str(fps), "--max-mb", "100",
                    "--hold-last", "0", "--language", settings.language, "--voice", "silent", "--out", str(own),
                ]  # fmt: skip
                run = measured(command, own, (f".{kind}",))
                found[kind] = Found(run, likeness(next(own.rglob(f"*.{kind}")), store, fps))
                log(_line(lesson, kind, found[kind]))
    return found


def _line(lesson: str, name: str, found: Found) -> str:
    run = found.run
    return f"{lesson}, {name}: {run.written / 1e3:.0f} kB, SSIM {found.ssim:.4f}, {run.wall:.1f} s, {run.cpu:.1f} s CPU"


def report(all_found: dict[str, dict[str, Found]], width: int, fps: int) -> str:
    """The figures of every lesson, in Markdown."""
    rows = []
    for lesson, found in all_found.items():
        stock = found[STOCK].run
        for name, one in found.items():
            run = one.run
            rows.append(
                [f"{lesson}, {name}", f"{run.written / 1e3:.0f}", f"{run.written / stock.written:.1%}",
                 f"{one.ssim:.4f}", f"{run.wall:.1f}", f"{run.cpu:.1f}", f"{run.peak / 1e6:.0f}"]
            )  # fmt: skip
    heading = ("", "kB", "of manim's", "SSIM", "wall s", "CPU s", "peak MB")
    return (
        f"# Article media at {width}x{LANDSCAPE.height_of(width)}, {fps} fps\n\n{machine()}. The same pictures without "
        f"captions; each file in a run of its own, drawing included.\n\n{markdown(heading, rows)}"
    )


def picture(path: Path, all_found: dict[str, dict[str, Found]]) -> None:
    """Bytes of every lesson's files as bars."""
    groups = []
    for lesson, found in all_found.items():
        bars = [
            (name, one.run.written / 1e3, f"{one.run.written / 1e3:.0f} kB, SSIM {one.ssim:.4f}")
            for name, one in found.items()
        ]
        groups.append((lesson, bars))
    draw_bars(path, "Article media from raw frames against manim's GIF", groups)


def grow(lesson: str, settings: Settings, kinds: Sequence[str], log: Any) -> tuple[list[Curve], list[Curve]]:
    """Wall seconds a still of each kind of file, drawing not included, as sentence and size grow."""
    import time

    def curves(cases: Sequence[tuple[int, Settings, int]]) -> list[Curve]:
        found = {kind: Curve(kind, [], []) for kind in kinds}
        for size, chosen, width in cases:
            look = Look(width, LANDSCAPE.height_of(width), 15, 0)
            quality = Quality("growth", look.width, look.height, look.fps)
            with tempfile.TemporaryDirectory(prefix="bench-gif-") as name:
                folder = Path(name)
                with raw_frames(lesson, chosen, quality, folder) as store:
                    part = Part(store, 0, store.frames, 15, 0)
                    for kind in kinds:
                        one = Look(look.width, look.height, 15, lowered_details(kind, chosen.gif.colours)[0])
                        start = time.perf_counter()
                        fitting = fit(kind, folder / f"a.{kind}", part, one, Budget(_LARGE * 1e6), 0)
                        found[kind].sizes.append(size)
                        found[kind].seconds.append((time.perf_counter() - start) / len(fitting.shown.stills))
                        log(f"{lesson}, {size}, {kind}: {1e3 * found[kind].seconds[-1]:.1f} ms a still")
        return list(found.values())

    english = settings.with_overrides(language="en")
    by_words = curves([(n, english.with_overrides(sentence=" ".join(SENTENCE[:n])), 640) for n in WORDS])
    return by_words, curves([(width, english, width) for width in WIDTHS])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; write it and the plot."""
    assert __doc__
    parser = argparse.ArgumentParser(prog="make bench-gif", description=__doc__.splitlines()[0])
    parser.add_argument("--lessons", default=",".join(LESSONS), help="lessons, with commas (all six)")
    parser.add_argument("--kinds", default=",".join(KINDS), help="the studio's kinds of file, with commas (all)")
    parser.add_argument("--width", type=int, default=854, help="pixels (854)")
    parser.add_argument("--fps", type=int, default=15, help="frames a second (15)")
    parser.add_argument("--out", type=Path, default=PROJECT / "docs" / "bench", help="folder (docs/bench)")
    parser.add_argument("--growth", action="store_true", help="only: growth with sentence length and size")
    options = parser.parse_args(arguments)
    try:
        settings = load_settings().with_overrides(
            lessons=options.lessons, kinds=options.kinds, width=options.width, fps=options.fps
        )
    except SettingsError as mistake:
        parser.error(str(mistake))
    lessons, kinds = settings.lecture.lessons, settings.gif.kinds

    def log(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    try:
        check_installed()
        options.out.mkdir(parents=True, exist_ok=True)
        if options.growth:
            _growth(lessons[0], settings, kinds, options.out, log)
            return 0
        found = {lesson: measure(lesson, settings, options.width, options.fps, kinds, log) for lesson in lessons}
    except (BenchError, PlottingError) as problem:
        log(str(problem))
        return 1
    target = options.out / "gif.md"
    target.write_text(report(found, options.width, options.fps), encoding="utf-8")
    picture(target.with_suffix(".png"), found)
    print(f"{target.read_text(encoding='utf-8')}\n{target}\n{target.with_suffix('.png')}")
    return 0


def _growth(lesson: str, settings: Settings, kinds: Sequence[str], out: Path, log: Any) -> None:
    by_words, by_width = grow(lesson, settings, kinds, log)
    text = f"# Growth of a still's cost in article media: {lesson}, wall ms\n\n{machine()}\n"
    for title, curves in (("words", by_words), ("width", by_width)):
        rows = [[str(n), *(f"{1e3 * c.seconds[i]:.2f}" for c in curves)] for i, n in enumerate(curves[0].sizes)]
        text += f"\n{markdown((title, *(curve.name for curve in curves)), rows)}"
    target = out / "gif-growth.md"
    target.write_text(text, encoding="utf-8")
    draw(
        target.with_suffix(".png"),
        ("words of the sentence, 640 pixels wide", by_words),
        ("width in pixels, 8 words", by_width),
        heading=f"{lesson}: time of a still in article media, drawing not included",
    )
    print(f"{text}\n{target}\n{target.with_suffix('.png')}")


if __name__ == "__main__":
    sys.exit(main())
