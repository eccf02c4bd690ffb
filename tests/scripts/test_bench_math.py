"""The benchmark: its contenders compute the same, it takes turns, and it reports; speed itself is not tested."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageColor

from scripts.bench import attention as bench_math
from scripts.bench.attention import EinsumAttention, choose_threads, contenders, grow, main, measure, table
from scripts.bench.plots import COLORS, draw

ROOT = Path(__file__).resolve().parents[2]


class Ticks:
    """A clock that moves on by what a contender is said to take."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Slowing(Ticks):
    """A clock by which each run takes a millisecond longer than the one before."""

    step = 0.0

    def __call__(self) -> float:
        self.step += 0.001
        self.now += self.step
        return self.now


@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-13), ("float32", 1e-5)])
@pytest.mark.parametrize("size", [(8, 8, 4), (5, 12, 3)])
def test_contenders_compute_the_same(size: tuple[int, int, int], dtype: str, tolerance: float) -> None:
    runs, outputs = contenders(*size, dtype, None)
    assert list(runs) == list(outputs) == ["mathcore", "einsum"]
    assert outputs["einsum"].dtype == outputs["mathcore"].dtype == np.dtype(dtype)
    np.testing.assert_allclose(outputs["einsum"], outputs["mathcore"], atol=tolerance)


def test_the_einsum_program_keeps_heads_apart() -> None:
    """Two heads of width 1 on paper: see the hand-worked example of the attention tests."""
    l2, l3 = np.log(2), np.log(3)
    w_q, w_o = np.array([[l2, 0], [0, l3]]), np.array([[1.0, 2.0], [0.0, 1.0]])
    out = EinsumAttention(2, w_q, np.eye(2), np.array([[3.0, 0], [0, 4.0]]), w_o)(np.eye(2))
    np.testing.assert_allclose(out, [[2.0, 6.0], [1.5, 6.0]])


def test_contenders_take_turns_and_medians_are_reported() -> None:
    clock, order = Ticks(), []
    costs = {"slow": iter([9, 9, *[2.0, 100.0, 3.0] * 3]), "fast": iter([1, 1, *[0.5] * 9])}

    def contender(name: str) -> None:
        order.append(name)
        clock.now += next(costs[name])

    medians = measure({name: lambda name=name: contender(name) for name in costs}, clock, None)  # type: ignore[misc]
    assert order[:6] == ["slow", "fast", "slow", "fast", "slow", "fast"]
    assert len(order) == 2 * (2 + bench_math.FEWEST)
    assert medians == {"slow": 3.0, "fast": 0.5}


def test_the_table_has_every_case_and_its_ratio(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench_math, "SIZES", ((4, 4, 2), (6, 8, 2)))
    monkeypatch.setattr(bench_math, "BUDGET", 0.0)
    table(None, Slowing())
    lines = capsys.readouterr().out.splitlines()
    assert [line[:25].split() for line in lines[1:5]] == [
        [f"{n},", f"{d},", f"{h}", dtype] for n, d, h in ((4, 4, 2), (6, 8, 2)) for dtype in ("float64", "float32")
    ]
    milliseconds = [[float(word) for word in line[25:].split()] for line in lines[1:5]]
    ratios = [float(line[25:].split()[0]) for line in lines[7:11]]
    assert ratios == pytest.approx([ours / einsum for ours, einsum in milliseconds], abs=0.006)
    assert all(ours != einsum for ours, einsum in milliseconds)
    assert all(float(line.split()[-1]) < 1e-5 for line in lines[7:11])


def test_growth_becomes_a_picture(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {"GROWING_N": (2, 4, 8), "GROWING_D": (8, 16), "AT_D": 8, "AT_N": 4, "BUDGET": 0.0}.items():
        monkeypatch.setattr(bench_math, name, value)
    by_n, by_d = grow(None, Slowing())
    assert [curve.name for curve in by_n] == ["mathcore", "einsum"]
    assert [curve.sizes for curve in by_n + by_d] == [[2, 4, 8]] * 2 + [[8, 16]] * 2
    assert all(second > 0 for curve in by_n + by_d for second in curve.seconds)
    pytest.importorskip("matplotlib", reason="NOT RUN: the benchmarks' pictures; make plots")
    path = tmp_path / "a folder" / "growth.png"
    draw(path, ("n", by_n), ("d_model", by_d))
    with Image.open(path) as image:
        assert image.size == (1800, 860)
        pixels = np.asarray(image.convert("RGB"), dtype=float)
    for color in COLORS[:2]:
        # In both panels.
        for half in np.split(pixels, 2, axis=1):
            assert (np.abs(half - ImageColor.getrgb(color)).max(axis=-1) < 2).sum() > 100


def test_threads_are_chosen_and_forced_kernels_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
    for name in (*chosen, "OMP_WAIT_POLICY", "OPENBLAS_THREAD_TIMEOUT"):
        monkeypatch.setenv(name, "7")
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("OPENBLAS_L2_SIZE", "512")
    choose_threads(2)
    assert {os.environ[name] for name in chosen} == {"2"}
    assert (os.environ["OMP_WAIT_POLICY"], os.environ["OPENBLAS_THREAD_TIMEOUT"]) == ("PASSIVE", "4")
    assert not {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"} & set(os.environ)


def test_it_must_be_run_as_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "NumPy is already loaded" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--threads", "0"])
    assert "--threads must be at least 1, got 0" in capsys.readouterr().err


def test_loading_it_does_not_load_numpy() -> None:
    """Or the number of threads could not be chosen."""
    code = "import sys, scripts.bench.attention; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_make_knows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    # Options of the make that runs the tests are none of this one's.
    for name in ("MAKEFLAGS", "MAKEOVERRIDES"):
        monkeypatch.delenv(name, raising=False)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "\nbench-math: .venv/.ready ## " in makefile and "scripts/bench/attention.py $(ARGS)" in makefile
    shown = subprocess.run(["make", "help"], cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout
    assert "make bench-math" in shown
