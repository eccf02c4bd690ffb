"""Measure multi-head attention: mathcore against the article's einsum program and, if it is installed, PyTorch.

Every contender computes the same thing from the same weights, in turns, in one process and with the same number of
threads. It reports and judges nothing. mathcore keeps every intermediate; so does "torch steps", which is the same
computation written out in PyTorch. "torch weights" is its nn.MultiheadAttention when asked for the heads' weights,
"torch fused" the same module when it need not keep them.

PyTorch is not in the lock. To have it measured, let Python find it, for example in another environment:

    PYTHONPATH=other-venv/lib/python3.11/site-packages make bench-math
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZES = ((8, 8, 4), (128, 512, 8), (1024, 512, 8))
PRECISIONS = ("float64", "float32")
# What the picture of growth shows: n at d_model 512, then d_model at n = 256, eight heads.
GROWING_N, GROWING_D, AT_D, AT_N, AT_HEADS = (32, 64, 128, 256, 512, 1024), (64, 128, 256, 512, 1024), 512, 256, 8
# Seconds that one contender may take for one case, and how often it runs at least and at most.
BUDGET, FEWEST, MOST = 1.5, 9, 400

Contenders = dict[str, Callable[[], Any]]
Output = dict[str, Callable[[Any], Any]]


@dataclass(frozen=True)
class Curve:
    """Median seconds of one contender at growing sizes."""

    name: str
    sizes: list[int]
    seconds: list[float]


def choose_threads(threads: int) -> None:
    """Must run before NumPy is loaded, as its OpenBLAS reads the environment once."""
    for name in ("OPENBLAS", "OMP", "MKL"):
        os.environ[f"{name}_NUM_THREADS"] = str(threads)
    os.environ["VECLIB_MAXIMUM_THREADS"] = str(threads)
    # Idle threads of one contender must sleep, not keep a core from the next: OpenBLAS's after 2^4 ticks of the clock.
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    os.environ["OPENBLAS_THREAD_TIMEOUT"] = "4"
    # A forced kernel or cache size would be measured instead of this machine.
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        os.environ.pop(name, None)


def find_torch(threads: int) -> Any:
    """The module, or None when it is not installed."""
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return None
    torch.set_num_threads(threads)
    return torch


class EinsumAttention:
    """The article's way: weights (d_model, h, d_k), heads as the middle axis, NumPy's einsum for every product."""

    def __init__(self, h: int, *weights: NDArray[Any]) -> None:
        self.split = [w.reshape(len(w), h, -1).copy() for w in weights[:3]]
        self.w_o = weights[3]

    def __call__(self, x: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        q, k, v = (np.einsum("nd,dhk->nhk", x, w) for w in self.split)  # (n, h, d_k)
        scores = np.einsum("nhk,mhk->nhm", q, k) / x.dtype.type(np.sqrt(q.shape[-1]))
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)  # (n, h, n)
        context = np.einsum("nhm,mhv->nhv", weights, v)
        return np.asarray(context.reshape(len(x), -1) @ self.w_o)


def contenders(n: int, d_model: int, h: int, dtype: str, torch: Any) -> tuple[Contenders, dict[str, NDArray[Any]]]:
    """What is measured, by name, and each one's output (n, d_model) for comparison."""
    import numpy as np

    from mathcore.attention import MultiHeadAttention

    drawn = MultiHeadAttention.from_seed(d_model, h, 0)
    weights = [w.astype(dtype) for w in (drawn.w_q, drawn.w_k, drawn.w_v, drawn.w_o)]
    ours, einsum = MultiHeadAttention(*weights, n_heads=h), EinsumAttention(h, *weights)
    x = np.random.default_rng(1).standard_normal((n, d_model)).astype(dtype)
    runs: Contenders = {"mathcore": lambda: ours(x), "einsum": lambda: einsum(x)}
    outputs = {"mathcore": ours(x).output.values, "einsum": einsum(x)}
    if torch is None:
        return runs, outputs

    tx = torch.from_numpy(x)[None]
    w_q, w_k, w_v, w_o = (torch.from_numpy(w) for w in weights)
    module = torch.nn.MultiheadAttention(d_model, h, bias=False, batch_first=True, dtype=getattr(torch, dtype)).eval()
    module.load_state_dict({"in_proj_weight": torch.cat([w_q.T, w_k.T, w_v.T]), "out_proj.weight": w_o.T})

    def steps() -> Any:
        q, k, v = ((tx @ w).view(1, n, h, -1).transpose(1, 2) for w in (w_q, w_k, w_v))  # (1, h, n, d_head)
        scores = q @ k.transpose(-1, -2)
        scaled = scores / (d_model // h) ** 0.5
        softened = scaled.softmax(-1)
        heads = softened @ v
        concat = heads.transpose(1, 2).reshape(1, n, d_model)
        return q, k, v, scores, scaled, softened, heads, concat, concat @ w_o

    runs["torch steps"] = steps
    runs["torch weights"] = lambda: module(tx, tx, tx, average_attn_weights=False)
    runs["torch fused"] = lambda: module(tx, tx, tx, need_weights=False)
    with torch.inference_mode():
        outputs |= {"torch steps": steps()[-1][0].numpy()}
        outputs |= {name: runs[name]()[0][0].numpy() for name in ("torch weights", "torch fused")}
    return runs, outputs


def measure(runs: Contenders, clock: Callable[[], float], torch: Any, budget: float = BUDGET) -> dict[str, float]:
    """Median seconds of every contender. They take turns, so that a busy moment of the machine hits all of them."""

    def once(run: Callable[[], Any]) -> float:
        start = clock()
        kept = run()
        taken = clock() - start
        del kept
        return taken

    def rounds() -> dict[str, float]:
        slowest = max(once(run) for run in runs.values())
        slowest = max(slowest, *(once(run) for run in runs.values()))
        repeats = min(MOST, max(FEWEST, int(budget / max(slowest, 1e-6))))
        taken: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(repeats):
            for name, run in runs.items():
                taken[name].append(once(run))
        return {name: statistics.median(times) for name, times in taken.items()}

    if torch is None:
        return rounds()
    with torch.inference_mode():
        return rounds()


def table(torch: Any, clock: Callable[[], float]) -> None:
    """Print medians in milliseconds, ratios, and how far the outputs are apart."""
    import numpy as np

    heading = ("mathcore", "einsum", "torch steps", "torch weights", "torch fused")
    names = heading if torch is not None else heading[:2]
    print(f"{'n, d_model, h':<16}{'type':<9}" + "".join(f"{name + ' ms':>18}" for name in names))
    rows = []
    for n, d_model, h in SIZES:
        for dtype in PRECISIONS:
            runs, outputs = contenders(n, d_model, h, dtype, torch)
            medians = measure(runs, clock, torch)
            apart = max(float(np.abs(out - outputs["mathcore"]).max()) for out in outputs.values())
            label = f"{f'{n}, {d_model}, {h}':<16}{dtype:<9}"
            print(label + "".join(f"{1e3 * medians[name]:>18.3f}" for name in names), flush=True)
            rows.append((label, medians, apart))
    print(
        f"\n{'mathcore divided by':<25}" + "".join(f"{name:>18}" for name in names[1:]) + f"{'outputs differ by':>20}"
    )
    for label, medians, apart in rows:
        ratios = "".join(f"{medians['mathcore'] / medians[name]:>18.2f}" for name in names[1:])
        print(f"{label}{ratios}{apart:>20.1e}")


def grow(torch: Any, clock: Callable[[], float]) -> tuple[list[Curve], list[Curve]]:
    """Medians as n grows, and as d_model grows, in float64."""

    def curves(cases: Sequence[tuple[int, int, int]]) -> list[Curve]:
        found: dict[str, Curve] = {}
        for size, n, d_model in cases:
            runs, _ = contenders(n, d_model, AT_HEADS, "float64", torch)
            shown = {name: run for name, run in runs.items() if name not in ("torch steps", "torch fused")}
            for name, seconds in measure(shown, clock, torch, BUDGET / 3).items():
                curve = found.setdefault(name, Curve(name, [], []))
                curve.sizes.append(size)
                curve.seconds.append(seconds)
        return list(found.values())

    return curves([(n, n, AT_D) for n in GROWING_N]), curves([(d, AT_N, d) for d in GROWING_D])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and write the picture."""
    parser = argparse.ArgumentParser(prog="make bench-math", description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1, help="threads of every contender (1)")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="what is counted (wall)")
    parser.add_argument("--out", type=Path, default=Path("build/bench_math.png"), help="the picture of growth")
    parser.add_argument("--no-picture", action="store_true", help="print the table only")
    options = parser.parse_args(arguments)
    if options.threads < 1:
        parser.error(f"--threads must be at least 1, got {options.threads}")
    if "numpy" in sys.modules:
        parser.error("NumPy is already loaded, so its threads cannot be chosen any more: run this as a program")
    if not options.no_picture:
        from scripts.bench.plots import PlottingError, check_installed, draw

        try:
            check_installed()
        except PlottingError as problem:
            parser.error(str(problem))
    choose_threads(options.threads)
    import numpy as np

    torch = find_torch(options.threads)
    clock = time.perf_counter if options.clock == "wall" else time.process_time
    version = "not installed, left out" if torch is None else torch.__version__
    print(f"{platform.machine()}, {os.cpu_count()} cores; Python {platform.python_version()}; NumPy {np.__version__}")
    print(
        f"PyTorch {version}; {options.threads} thread(s) each; medians of {options.clock} time, contenders in turns\n"
    )
    table(torch, clock)
    if not options.no_picture:
        by_n, by_d = grow(torch, clock)
        draw(
            options.out,
            (f"n tokens (d_model {AT_D}, {AT_HEADS} heads)", by_n),
            (f"d_model (n = {AT_N}, {AT_HEADS} heads)", by_d),
        )
        print(f"\ngrowth with n and with d_model: {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
