"""What the commands say: progress with remaining time on a terminal, plain lines when piped; one line for a mistake."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from scripts.studio.files import in_a_line

OK, FAILED, MISUSED = 0, 1, 2
# Paths and titles are printed as they are: no markup, no colours of guessed meaning, no folding.
out = Console(highlight=False, markup=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


@contextmanager
def progress_of(pieces: dict[str, float], what: str) -> Iterator[Callable[[str, float], None]]:
    """Progress over pieces, each with a weight; yields what to call with a piece and its share done.

    A call without a name only lets the clock go on: no thread does, so that processes can be forked meanwhile.
    """
    done = dict.fromkeys(pieces, 0.0)
    if not out.is_terminal:

        def plain(name: str, share: float) -> None:
            if name and share >= 1 > done[name]:
                out.print(f"{what} {sum(v >= 1 for v in done.values()) + 1}/{len(pieces)}: {name}")
            if name:
                done[name] = share

        yield plain
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=out, transient=True, auto_refresh=False) as bars:
        task = bars.add_task(what, total=sum(pieces.values()))

        def live(name: str, share: float) -> None:
            if name:
                done[name] = share
            under_way = ", ".join(f"{n} {s:.0%}" for n, s in done.items() if 0 < s < 1)
            completed = sum(pieces[n] * s for n, s in done.items())
            bars.update(task, description=f"{what} {under_way}".rstrip(), completed=completed)
            bars.refresh()

        yield live


def leave(code: int) -> NoReturn:
    """End the process with an exit code, output flushed."""
    sys.stdout.flush()
    sys.stderr.flush()
    raise SystemExit(code)


@contextmanager
def one_line_for_mistakes(*known: type[Exception]) -> Iterator[None]:
    """Known mistakes become a line on stderr and exit code 1; an interruption says what is kept."""
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
