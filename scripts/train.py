"""Trains the worked example's model and the tiny transformer, and stores what became of every run.

    make train        (or: python scripts/train.py [folder] [--only example|tiny])

Takes about six minutes. Another machine's results differ in digits, not in what was learnt.
"""

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mathcore.trained.runs import Task


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make train", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="where to store them; default: mathcore/trained")
    parser.add_argument("--only", choices=("example", "tiny"), help="train one of the two; default: both")
    options = parser.parse_args(arguments)
    chosen: Path | None = options.folder
    if chosen is not None and not chosen.is_dir():
        parser.error(f"no such folder: {chosen}")
    # Matrices this small only lose by a second thread; the library reads this when NumPy is first imported.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from mathcore.trained import stored
    from mathcore.trained.runs import RECALL, ROLES

    folder = chosen or stored.FOLDER
    if options.only != "tiny":
        train_example(folder)
    if options.only != "example":
        for task in (ROLES, RECALL):
            train_tiny(task, folder)
    return 0


def train_example(folder: Path) -> None:
    """All runs of the worked example's model."""
    from mathcore.trained import stored
    from mathcore.trained.toy_training import RUNS, STORED, collect, train_run, worst

    results = []
    for run in RUNS:
        start = time.process_time()
        results.append(train_run(run))
        shape = run.shape
        size = f"d_model {shape.d_model}, {shape.n_heads} heads{', positions' * shape.positions}"
        print(
            f"example: {size}, seed {run.seed}: {worst(results[-1]['accuracy'][-1]):.3f} in the worst question, "
            f"{time.process_time() - start:.1f} CPU s",
            flush=True,
        )
    print(f"{STORED}: {stored.write(STORED, collect(RUNS, results), folder)}")


def train_tiny(task: "Task", folder: Path) -> None:
    """All runs of one task of the tiny transformer."""
    from mathcore.trained import stored
    from mathcore.trained.runs import collect, train_run

    results = []
    for run in task.runs:
        start = time.process_time()
        results.append(train_run(task, run))
        last = results[-1]
        print(
            f"{task.name}: {run.n_layers} layers, {run.n_heads} heads, seed {run.seed}, {run.steps} steps: "
            f"accuracy {' '.join(f'{value:.3f}' for value in last['accuracy'])}, best heads "
            f"{' '.join(f'{value:.2f}' for value in last['scores'].max(axis=(0, 1)))}, "
            f"{time.process_time() - start:.1f} CPU s",
            flush=True,
        )
    name = f"tiny_{task.name}.npz"
    print(f"{name}: {stored.write(name, collect(task, results), folder)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
