"""What the commands say: progress with remaining time on a terminal, plain lines when piped; one line for a mistake."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper
from math import ceil
from typing import NoReturn

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from scripts.studio.files import in_a_line

OK, FAILED, MISUSED = 0, 1, 2
# Paths and titles are printed as they are: no markup, no colours of guessed meaning, no folding.
out = Console(highlight=False, markup=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


# A pipe gets a line after this many seconds without one.
_QUIET = 10.0
Tell = Callable[[str, float], None]
"""Called with the name of a piece and the share of it that is done."""


class Progress:
    """How far a piece of work is, and how long the rest will take at the pace so far.

    `weights` are the pieces with the work expected of each; `counted` says how many lines, say, a piece has.
    """

    def __init__(
        self, weights: Mapping[str, float], what: str, counted: Mapping[str, int], unit: str, clock: Callable[[], float]
    ) -> None:
        self.weights, self.what, self.counted, self.unit = weights, what, counted, unit
        self.shares = dict.fromkeys(weights, 0.0)
        self._clock, self._begun = clock, clock()

    @property
    def completed(self) -> float:
        return sum(self.weights[name] * share for name, share in self.shares.items())

    def told(self) -> str:
        """What is done of what: `speaking 3/40 lines`, or `rendering 1/6`."""
        if self.counted:
            done = sum(round(self.shares[name] * number) for name, number in self.counted.items())
            return f"{self.what} {done}/{sum(self.counted.values())} {self.unit}"
        return f"{self.what} {sum(share >= 1 for share in self.shares.values())}/{len(self.shares)}"

    def under_way(self) -> str:
        """The pieces that are begun, and how far each is."""
        shares = self.shares.items()
        return "" if self.counted else ", ".join(f"{name} {share:.0%}" for name, share in shares if 0 < share < 1)

    def left(self) -> str:
        """The time that is left: `about 2 min left`; empty before anything is done, and at the end."""
        total, elapsed = sum(self.weights.values()), self._clock() - self._begun
        if not 0 < self.completed < total:
            return ""
        seconds = elapsed * (total - self.completed) / self.completed
        return f"about {round(seconds / 60)} min left" if seconds > 90 else f"about {5 * ceil(seconds / 5)} s left"


@contextmanager
def progress_of(
    pieces: dict[str, float],
    what: str,
    counted: Mapping[str, int] | None = None,
    unit: str = "",
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Tell]:
    """Progress over pieces, each with a weight; yields what to call with a piece and its share done.

    A terminal shows it as it goes on; a pipe gets a line for each piece, or for what is counted every ten seconds, and
    every ten seconds of silence. A call without a name only lets the clock go on: no thread does, so that processes can
    be forked meanwhile.
    """
    progress = Progress(pieces, what, counted or {}, unit, clock)
    if not out.is_terminal:
        yield _plain(progress, clock)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Bars(*columns, console=out, transient=True, auto_refresh=False) as bars:
        task = bars.add_task(what, total=sum(pieces.values()), left="")

        def live(name: str, share: float) -> None:
            if name:
                progress.shares[name] = share
            described = progress.told() if progress.counted else f"{what} {progress.under_way()}".rstrip()
            bars.update(task, description=described, completed=progress.completed, left=progress.left())
            bars.refresh()

        live("", 0.0)
        yield live


def _plain(progress: Progress, clock: Callable[[], float]) -> Tell:
    last = clock()

    def plain(name: str, share: float) -> None:
        nonlocal last
        finished = bool(name) and share >= 1 > progress.shares[name]
        if name:
            progress.shares[name] = share
        over = all(done >= 1 for done in progress.shares.values())
        if finished and not progress.counted:
            out.print(f"{progress.told()}: {name}")
        elif clock() - last >= _QUIET or (finished and over):
            out.print("; ".join(filter(None, (progress.told(), progress.under_way(), progress.left()))))
        else:
            return
        last = clock()

    return plain


def leave(code: int) -> NoReturn:
    """End the process with an exit code, output flushed."""
    sys.stdout.flush()
    sys.stderr.flush()
    raise SystemExit(code)


@contextmanager
def one_line_for_mistakes(*known: type[Exception]) -> Iterator[None]:
    """Known mistakes become a line on stderr and exit code 1; an interruption says what is kept."""
    # Paths and sentences may have characters that the terminal's encoding has not.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # A polite end (docker stop, a closing terminal) is treated as Ctrl-C is: temporary files are removed.
    before = signal.signal(signal.SIGTERM, lambda number, frame: signal.raise_signal(signal.SIGINT))
    try:
        yield
    except KeyboardInterrupt:
        errors.print("interrupted; finished films are kept, and the next run goes on from there")
        leave(FAILED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(FAILED) from None
    except known as mistake:
        errors.print(in_a_line(mistake) if isinstance(mistake, OSError) else str(mistake))
        leave(FAILED)
    finally:
        signal.signal(signal.SIGTERM, before)
