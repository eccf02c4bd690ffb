"""Trains the tiny transformer: every run that is reported, one after the other, and stores what became of them.

    make train        (or: python scripts/train_tiny.py [folder])

Takes about two minutes. Another machine's results differ in digits, not in what was learnt.
"""

import argparse
import os
import sys
import time
from pathlib import Path


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make train", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="where to store them; default: mathcore/trained")
    chosen: Path | None = parser.parse_args(arguments).folder
    if chosen is not None and not chosen.is_dir():
        parser.error(f"no such folder: {chosen}")
    # Matrices this small only lose by a second thread; the library reads this when NumPy is first imported.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from mathcore.trained import stored
    from mathcore.trained.runs import RECALL, ROLES, collect, train_run

    folder = chosen or stored.FOLDER
    for task in (ROLES, RECALL):
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
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
