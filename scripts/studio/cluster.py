"""The same one-lesson tasks on the machines of a Dask cluster; films come back as bytes and are checked by digest.

Each worker runs in a copy of this project; one with other sources, versions or fonts is refused. A lesson whose
worker is lost is rendered again by another. Needs the extra `distributed`; the project works without it.
"""

import hashlib
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from scenes.settings import Settings
from scripts.studio import inputs
from scripts.studio.console import errors, progress_of
from scripts.studio.files import in_a_line, work_folder
from scripts.studio.pieces import Piece, piece_folder
from scripts.studio.render import RenderOptions, expected_work, make_film
from scripts.studio.workers import Failure, Outcome

_RETRIES = 2
# Seconds between looks at a scheduler from which nothing comes, until its lack of workers is reported, and until it is
# given up.
_GLANCE, _SOON, PATIENCE = 1.0, 5.0, 120.0
_LAST = ".receipt.json"
# Manim's settings are those of a process, and a worker may have several threads.
_ONE_AT_A_TIME = threading.Lock()


class ClusterError(RuntimeError):
    """The cluster cannot be reached or used."""


def _files(piece: Piece, settings: Settings, language: str, options: RenderOptions) -> dict[str, Any]:
    """Render a piece in a folder of its own, on a worker: its files, their digests, and what they were made from."""
    with _ONE_AT_A_TIME, tempfile.TemporaryDirectory(prefix="attention-films-") as scratch:
        film = make_film(piece, settings.with_overrides(out=scratch), language, options)
        found = {path.name: path.read_bytes() for path in film.folder.iterdir() if path.is_file()}
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in found.items()}
    return {"files": found, "digests": digests, "inputs": film.receipt["inputs"]}


def _put_in_place(result: dict[str, Any], piece: Piece, settings: Settings, language: str) -> None:
    """Check what came back, and put it in place, the receipt last."""
    damaged = [
        name for name, data in result["files"].items() if hashlib.sha256(data).hexdigest() != result["digests"][name]
    ]
    if damaged or f"{piece.name}.mp4" not in result["files"]:
        raise ClusterError(f"damaged on the way ({', '.join(damaged) or 'no film came back'}); render again")
    now = inputs.film_inputs_now(piece, settings, language, result["inputs"])
    other = inputs.differences(result["inputs"], now)
    if other:
        raise ClusterError(f"the sources or versions of its worker differ from this machine's: {'; '.join(other)}")
    folder = piece_folder(piece, settings, language)
    with work_folder(folder) as work:
        for name, data in result["files"].items():
            (work / name).write_bytes(data)
        for name in sorted(result["files"], key=lambda name: name.endswith(_LAST)):
            os.replace(work / name, folder / name)


class _Workers:
    """Watches whether a scheduler has workers, without which it would wait for ever."""

    def __init__(self, scheduler: str, patience: float) -> None:
        self._scheduler, self._patience = scheduler, patience
        self.seen()

    def seen(self) -> None:
        """There is a worker."""
        self._since, self._said = time.monotonic(), False

    def look(self, client: Any) -> None:
        """Report a scheduler without workers after a few seconds. Raises: ClusterError after `patience` seconds."""
        if client.nthreads():
            self.seen()
            return
        alone, start = time.monotonic() - self._since, f"start one with: dask worker {self._scheduler}"
        if alone >= self._patience:
            raise ClusterError(f"{self._scheduler} had no workers for {self._patience:g} s; {start}")
        if alone >= _SOON and not self._said:
            self._said = True
            errors.print(f"waiting for workers, {self._scheduler} has none; {start}")


def run_on_cluster(
    scheduler: str,
    pieces: Iterable[Piece],
    settings: Settings,
    language: str,
    options: RenderOptions,
    begun: Callable[[Any], None] = lambda client: None,
    patience: float = PATIENCE,
) -> Outcome:
    """Render pieces on the cluster of `scheduler` (tcp://host:8786), the longest first.

    `begun` is called with Dask's client once all are handed over. Raises: ClusterError, also when the scheduler has no
    worker for `patience` seconds.
    """
    try:
        import distributed
    except ImportError:
        raise ClusterError("--scheduler needs Dask, which is not installed; install it: make cluster") from None
    # Dask is typed in part.
    dask: Any = distributed
    outcome = Outcome()
    weights = {piece: expected_work(piece, settings, language) for piece in pieces}
    longest_first = sorted(weights, key=lambda piece: -weights[piece])
    try:
        client = dask.Client(scheduler, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as problem:
        raise ClusterError(f"no Dask scheduler answers at {scheduler} ({' '.join(str(problem).split())})") from None
    with (
        client,
        client.as_current(),
        progress_of({piece.name: weight for piece, weight in weights.items()}, "rendering") as tell,
    ):
        futures = {
            client.submit(
                _files, piece, settings, language, options, retries=_RETRIES, pure=False, priority=-rank
            ): piece
            for rank, piece in enumerate(longest_first)
        }
        begun(client)
        waiting, workers = set(futures), _Workers(scheduler, patience)
        try:
            while waiting:
                try:
                    # Futures of a scheduler that is gone are cancelled.
                    done = dask.wait(waiting, timeout=_GLANCE, return_when="FIRST_COMPLETED").done
                    workers.seen()
                except dask.TimeoutError:
                    tell("", 0.0)
                    workers.look(client)
                    continue
                except (dask.CancelledError, OSError):
                    raise ClusterError(f"lost the connection to {scheduler}; run the same command again") from None
                waiting -= done
                for future in done:
                    piece = futures[future]
                    log = piece_folder(piece, settings, language) / f"{piece.name}.log"
                    try:
                        _put_in_place(future.result(), piece, settings, language)
                        outcome.results[piece.name] = piece
                    except Exception as problem:
                        log.parent.mkdir(parents=True, exist_ok=True)
                        log.write_text(f"{type(problem).__name__}: {problem}\n", encoding="utf-8")
                        outcome.failures.append(Failure(piece.name, in_a_line(problem), log))
                    future.release()
                    tell(piece.name, 1.0)
        finally:
            client.cancel(list(futures))
    return outcome
