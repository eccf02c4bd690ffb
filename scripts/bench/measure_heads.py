"""Measures the heads of MiniLM-L6 and stores their scores, and their weights on the sentences that the films show.

    make measure        (or: python scripts/bench/measure_heads.py [folder]; needs `make model`)

Takes about ten seconds.
"""

import argparse
import os
import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make measure", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="where to store them; default: mathcore/trained")
    chosen: Path | None = parser.parse_args(arguments).folder
    if chosen is not None and not chosen.is_dir():
        parser.error(f"no such folder: {chosen}")
    # A sentence is small work, which threads only slow down; the library reads this when NumPy is first imported.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from mathcore.trained import gallery, heads, sentences, stored
    from mathcore.trained.evaluation import evaluate
    from mathcore.trained.minilm import MiniLM, ModelMissing

    folder = chosen or stored.FOLDER
    try:
        model = MiniLM.load()
    except ModelMissing as error:
        print(error, file=sys.stderr)
        return 1
    runs = [(sentences.RUNNING, True), *gallery.SHOWN.values()]
    print(f"{heads.SENTENCES}: {stored.write(heads.SENTENCES, heads.store_sentences(model, runs), folder)}")
    print(f"{heads.SCORES}: {stored.write(heads.SCORES, evaluate(model), folder)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
