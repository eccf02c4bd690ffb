"""Tasks side by side: manim is loaded once, then each task has a process of its own, the longest first.

A task that fails is told with its log and stops no other. An interruption ends every process, and each
removes what it has not finished.
"""

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NoReturn

from scenes.cache_folder import cache_folder
from scripts.studio.console import progress_of
from scripts.studio.files import in_a_line, sweep

# A fork shares the loaded manim; elsewhere (macOS's frameworks, Windows) a forked process is not safe.
METHOD = "fork" if sys.platform == "linux" else "spawn"
_GRACE = 10.0
_REFRESH = 0.2


@dataclass(frozen=True)
class Task:
    """A call `run(*arguments, progress)` of a function at a module's top; `weight` is the work expected."""

    name: str
    weight: float
    run: Callable[..., Any]
    arguments: tuple[Any, ...]
    log: Path
    steps: int = 0
    """How many equal steps it has, if progress is counted in them."""


@dataclass(frozen=True)
class Failure:
    """A task that failed: what it said, and where its log is."""

    name: str
    message: str
    log: Path

    def __str__(self) -> str:
        return f"{self.name}: {self.message}" + (f" (log: {self.log})" if self.log.is_file() else "")


@dataclass
class Outcome:
    """Results by name, and what failed."""

    results: dict[str, Any] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)


@dataclass
class _Running:
    task: Task
    process: Any
    pipe: Connection


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_tasks(tasks: Sequence[Task], jobs: int, what: str, unit: str = "") -> Outcome:
    """Run every task, at most `jobs` at a time. With a `unit`, progress is reported in the tasks' steps."""
    outcome = Outcome()
    if not tasks:
        return outcome
    # Where it cannot be written, that is reported here, once for all.
    cache_folder()
    if METHOD == "fork":
        import scripts.studio.stage  # noqa: F401 - loaded here once, for all
    context = multiprocessing.get_context(METHOD)
    waiting = sorted(tasks, key=lambda task: -task.weight)
    running: list[_Running] = []
    steps = {task.name: task.steps for task in tasks} if unit else None
    with progress_of({task.name: task.weight for task in tasks}, what, steps, unit) as tell:
        try:
            while waiting or running:
                while waiting and len(running) < max(1, jobs):
                    running.append(_start(context, waiting.pop(0)))
                ready = wait([one.pipe for one in running], timeout=_REFRESH)
                tell("", 0.0)
                for one in [one for one in running if one.pipe in ready]:
                    if _heard(one, outcome, tell):
                        running.remove(one)
        finally:
            _end(running)
    return outcome


def _start(context: Any, task: Task) -> _Running:
    task.log.parent.mkdir(parents=True, exist_ok=True)
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(task, theirs, os.getpid()))
    process.start()
    theirs.close()
    return _Running(task, process, ours)


def _heard(one: _Running, outcome: Outcome, tell: Callable[[str, float], None]) -> bool:
    """Take one message of a task; returns whether it was its last."""
    try:
        kind, value = one.pipe.recv()
    except (EOFError, OSError):
        one.process.join()
        kind, value = "failed", _ended(one.process.exitcode)
    if kind == "share":
        tell(one.task.name, min(value, 0.999))
        return False
    one.process.join()
    one.pipe.close()
    tell(one.task.name, 1.0)
    if kind == "done":
        outcome.results[one.task.name] = value
        one.task.log.unlink(missing_ok=True)
    else:
        outcome.failures.append(Failure(one.task.name, value, one.task.log))
    return True


def _ended(code: int) -> str:
    """Why a process said nothing more, by its exit code."""
    if code == -signal.SIGKILL:
        return "its process was killed, as systems do when memory runs out; fewer at a time (--jobs) need less"
    return f"its process ended with {f'signal {-code}' if code < 0 else f'exit code {code}'}"


def _end(running: list[_Running]) -> None:
    """End what still runs: politely, so that it removes its files, and then for good."""
    for one in running:
        one.process.terminate()
    deadline = time.monotonic() + _GRACE
    for one in running:
        one.process.join(max(0.0, deadline - time.monotonic()))
        if one.process.is_alive():
            one.process.kill()
            one.process.join()
        one.task.log.unlink(missing_ok=True)
        sweep(one.task.log.parent)


def _child(task: Task, pipe: Connection, parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    _end_with_parent(parent)
    try:
        log = task.log.open("w", encoding="utf-8")
    except OSError as problem:
        with contextlib.suppress(OSError):
            pipe.send(("failed", in_a_line(problem)))
        return
    with log:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        sys.stdout = sys.stderr = log
        try:
            message = ("done", task.run(*task.arguments, lambda name, share: pipe.send(("share", share))))
        except Exception as problem:
            traceback.print_exc()
            message = ("failed", in_a_line(problem))
        except KeyboardInterrupt:
            return
        with contextlib.suppress(OSError):
            pipe.send(message)


def _leave(number: int, frame: Any) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def _end_with_parent(parent: int) -> None:
    """Have the kernel send the polite signal when the parent is killed; elsewhere the broken pipe ends it."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGTERM)
        if os.getppid() != parent:
            raise SystemExit(1)
