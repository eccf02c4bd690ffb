"""Whether anything has changed since nothing was stale: known from files' times and sizes, without reading them.

A snapshot is taken when a full check has found nothing stale. It holds, for one command line, every file that the
check depends on, the folders in which new ones could appear, and where packages are installed. A file whose time
has changed is compared by its bytes. Only the standard library is needed here.
"""

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from scenes.cache_folder import cache_folder
from scripts.studio.files import digest, read_json, write_json

_PROJECT = Path(__file__).resolve().parent.parent.parent
_FORM = 2


def _place(arguments: Sequence[str]) -> Path:
    voice = [os.environ.get(name, "") for name in ("ATTENTION_FILMS_VOICE", "NARRATION_COMMAND")]
    key = [_FORM, str(_PROJECT), sys.executable, sys.version, os.getcwd(), *voice, *arguments]
    return cache_folder() / "unchanged" / f"{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:32]}.json"


def _sources() -> Iterator[Path]:
    """Every file of the project that a film or a GIF can depend on, and the configuration."""
    yield _PROJECT / "media_config.yaml"
    for package in ("mathcore", "scenes", "scripts"):
        for folder, folders, names in os.walk(_PROJECT / package):
            folders[:] = [name for name in folders if name != "__pycache__"]
            for name in names:
                yield Path(folder) / name


def _outputs(out: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(out):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("."):
                yield Path(folder) / name


def _installed() -> dict[str, int]:
    """The folders in which packages are installed, and when one was last added, removed or replaced."""
    found = {}
    for name in sys.path:
        with contextlib.suppress(OSError):
            if name.endswith("-packages"):
                found[name] = os.stat(name).st_mtime_ns
    return found


def _stamp(path: Path) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size


def remember(arguments: Sequence[str], out: Path, more: Iterable[Path], begun: int) -> None:
    """Note that nothing is stale in `out`, for a command line that also depends on the files in `more`.

    Nothing is noted if one of these was written after the check had `begun` (nanoseconds since 1970).
    """
    others = [str(path.absolute()) for path in more]
    files = {}
    try:
        if any(_stamp(path)[0] >= begun for path in (*_sources(), *map(Path, others))):
            return
        for path in (*_sources(), *_outputs(out), *map(Path, others)):
            files[str(path)] = (*_stamp(path), digest(path))
        write_json(_place(arguments), {"out": str(out), "more": others, "files": files, "installed": _installed()})
    except OSError:
        # Without a snapshot the next check is a full one, that is all.
        return


def nothing_changed(arguments: Sequence[str]) -> bool:
    """Whether all is as it was when `remember` was called for this command line."""
    told = read_json(_place(arguments))
    try:
        files = told["files"]
        current = {str(path) for path in (*_sources(), *_outputs(Path(told["out"])), *map(Path, told["more"]))}
        return (
            told["installed"] == _installed()
            and current == files.keys()
            and all(_same(Path(name), *known) for name, known in files.items())
        )
    except (KeyError, TypeError, ValueError, OSError):
        return False


def _same(path: Path, time: int, size: int, known: str) -> bool:
    now = _stamp(path)
    return now == (time, size) or (now[1] == size and digest(path) == known)
