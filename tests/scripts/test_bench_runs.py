"""The benchmarks of films and article media: what they count and write; speed itself is not tested."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageColor

from scenes.lessons import LESSONS
from scenes.settings import PROJECT, Quality
from scripts.bench import film as bench_film
from scripts.bench import gif as bench_gif
from scripts.bench.film import WAYS, Frames
from scripts.bench.gif import STOCK, Found, likeness, shown_at
from scripts.bench.plots import COLORS, draw_bars
from scripts.bench.runs import BenchError, Run, markdown, measured, median, stock_command, together
from scripts.studio.frame_store import FrameStore, showing
from scripts.studio.media_kinds import Look, encode

BUSY = "import time\nend = time.process_time() + {seconds}\nwhile time.process_time() < end: pass\n"

NOT_RUN = "NOT RUN: the benchmarks' pictures; make plots"


def test_cpu_of_grandchildren_and_memory_of_the_largest_process_count(tmp_path: Path) -> None:
    folder = tmp_path / "media"
    (folder / "partial_movie_files").mkdir(parents=True)
    program = (
        f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BUSY.format(seconds=0.4)!r}], check=True)\n"
        f"subprocess.run([sys.executable, '-c', 'x = bytearray(150_000_000)'], check=True)\n"
        f"open({str(folder / 'a.mp4')!r}, 'wb').write(bytes(70))\n"
        f"open({str(folder / 'partial_movie_files' / 'b.mp4')!r}, 'wb').write(bytes(9))\n"
    )
    # From a small process, as the tests' own memory would count as the program's.
    ask = (
        "from pathlib import Path; import sys; from scripts.bench.runs import measured;"
        f"run = measured([sys.executable, '-c', {program!r}], Path({str(folder)!r}), ('.mp4',));"
        "print(run.cpu, run.wall, run.peak, run.written)"
    )
    done = subprocess.run([sys.executable, "-c", ask], cwd=PROJECT, capture_output=True, text=True, check=True)
    cpu, wall, peak, size = map(float, done.stdout.split())
    assert cpu >= 0.4 and wall > 0
    assert 150e6 < peak < 400e6
    assert size == 70


def test_a_program_that_fails_is_named_with_what_it_said(tmp_path: Path) -> None:
    (tmp_path / "media").mkdir()
    with pytest.raises(BenchError, match=r"exit code 3, said: no such thing$"):
        measured([sys.executable, "-c", "print('no such thing'); exit(3)"], tmp_path / "media", ())


def test_runs_add_up_and_have_medians() -> None:
    runs = [Run(1, 2, 300, 4), Run(3, 1, 200, 4), Run(2, 9, 250, 4)]
    assert together(runs) == Run(6, 12, 300, 12)
    assert median(runs) == Run(2, 2, 250, 4)


def test_stock_is_given_the_same_size_rate_and_lesson() -> None:
    for lesson in LESSONS:
        command = stock_command(lesson, (854, 480), 15, Path("media"))
        assert (PROJECT / command[-1]).is_file() and command[1:4] == ["-m", "manim", "render"]
        assert command[command.index("-r") + 1] == "854,480" and command[command.index("--fps") + 1] == "15"


def test_the_three_ways_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []

    def way(name: str) -> object:
        def run(*_: object) -> Run:
            taken.append(name)
            return Run(1, 1, 1, 1)

        return run

    for name in ("_stock_each", "_stock_all", "_studio"):
        monkeypatch.setattr(bench_film, name, way(name))
    found = bench_film.measure(["qkv"], Quality("480p15", 854, 480, 15), 2, (), lambda line: None)
    assert taken == ["_stock_each", "_stock_all", "_studio"] * 2
    assert tuple(found) == WAYS


def test_the_film_s_table_and_plot_have_every_figure(tmp_path: Path) -> None:
    quality, runs = (
        Quality("480p15", 854, 480, 15),
        (Run(80, 60, 4e8, 10**6), Run(40, 50, 3e8, 10**6), Run(10, 12, 2e8, 10**6)),
    )
    found = dict(zip(WAYS, runs, strict=True))
    text = bench_film.report(quality, ["qkv"], found, {"qkv": Frames(6, 0.5, 4, 3, 500, 200)}, 3)
    assert "| studio | 10.0 | 8.00 | 12.0 | 5.00 | 200 | 1.00 |" in text
    assert "| qkv | 6.0 | 0.50 | 4.0 | 3.0 | 2.00 | 500 | 200 |" in text
    pytest.importorskip("matplotlib", reason=NOT_RUN)
    bench_film.picture(tmp_path / "a.png", quality, ["qkv"], found)
    # Every figure is a group of its own, and each bar as long as its share: 80 s, 40 s, 10 s of wall time.
    with Image.open(tmp_path / "a.png") as image:
        pixels = np.asarray(image.convert("RGB"), dtype=float)
    top = pixels[: len(pixels) // 4]
    widths = [(np.abs(top - ImageColor.getrgb(c)).max(axis=-1) < 2).sum(axis=1).max() for c in COLORS[:3]]
    assert widths[1] / widths[0] == pytest.approx(0.5, abs=0.02)
    assert widths[2] / widths[0] == pytest.approx(0.125, abs=0.02)


def test_the_media_s_table_has_shares(tmp_path: Path) -> None:
    found = {"qkv": {STOCK: Found(Run(9, 9, 1e8, 2000), 0.9), "gif": Found(Run(5, 4, 1e8, 100), 0.9991)}}
    assert "| qkv, gif | 0 | 5.0% | 0.9991 | 5.0 | 4.0 | 100 |" in bench_gif.report(found, 854, 15)
    pytest.importorskip("matplotlib", reason=NOT_RUN)
    bench_gif.picture(tmp_path / "a.png", found)
    assert (tmp_path / "a.png").stat().st_size > 1000


def test_tables_and_bars_take_any_number_of_rows(tmp_path: Path) -> None:
    assert markdown(("a", "b"), [("c", "1")]) == "| a | b |\n| --- | --: |\n| c | 1 |\n"
    pytest.importorskip("matplotlib", reason=NOT_RUN)
    draw_bars(tmp_path / "none.png", "nothing", [("empty", []), ("zero", [("a", 0, "0")])])


def test_likeness_is_one_for_the_same_frames_and_sees_wrong_ones(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    with FrameStore(tmp_path) as store, FrameStore(tmp_path) as other:
        for number in range(12):
            frame = random.integers(0, 255, (72, 128, 4)).astype(np.uint8)
            store.write(frame, 1 + number % 3)
            other.write(frame if number != 5 else frame[::-1].copy(), 1 + number % 3)
        for name, source in (("same", store), ("wrong", other)):
            shown = showing(source, 0, source.frames, drawn=15, fps=15, hold=0)
            encode("webp", tmp_path / f"{name}.webp", source, shown, Look(128, 72, 15, 0), 0)
        assert likeness(tmp_path / "same.webp", store, 15) == 1
        assert 0.8 < likeness(tmp_path / "wrong.webp", store, 15) < 0.95
        frames = list(shown_at(tmp_path / "same.webp", [0.01, 0.02, 99]))
    np.testing.assert_array_equal(frames[0], frames[1])
    assert (frames[2] != frames[1]).any()


@pytest.mark.parametrize("script", ["train.py", "bench/measure_heads.py"])
def test_a_folder_that_is_not_there_is_named_before_the_work(script: str, tmp_path: Path) -> None:
    command = [sys.executable, str(PROJECT / "scripts" / script), str(tmp_path / "gone")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2 and done.stderr.endswith(f"error: no such folder: {tmp_path / 'gone'}\n")


@pytest.mark.parametrize("script", ["film", "gif"])
def test_without_matplotlib_a_benchmark_says_so_before_it_measures(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("scripts.bench.plots.find_spec", lambda name: None)
    assert {"film": bench_film, "gif": bench_gif}[script].main(["--out", str(tmp_path / "out")]) == 1
    said = "the picture needs Matplotlib, which is not installed; install it: make plots\n"
    assert capsys.readouterr().err == said and not (tmp_path / "out").exists()
