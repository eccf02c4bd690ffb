"""Where the project keeps what it can make again: a folder of the user's. Only the standard library is needed here."""

import atexit
import os
import shutil
import stat
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

VARIABLE = "ATTENTION_FILMS_CACHE"
"""The environment's variable that names another folder."""


def preferred_folder() -> Path | None:
    """What ATTENTION_FILMS_CACHE names, or the user's cache folder for this project; None for a user without a home."""
    if named := os.environ.get(VARIABLE):
        return Path(named).absolute()
    if sys.platform != "darwin" and (named := os.environ.get("XDG_CACHE_HOME")):
        return Path(named).absolute() / "attention-films"
    home = Path(os.path.expanduser("~"))
    if not home.is_absolute():
        return None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "attention-films"


def why_unwritable(folder: Path) -> str:
    """Why no file can be made in a folder, which is made first where it is missing; empty if one can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # A read-only disk is not seen in the permissions.
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as problem:
        return (problem.strerror or type(problem).__name__).lower()


def cache_folder() -> Path:
    """The preferred folder if it can be written, else a temporary one, which is reported once on stderr."""
    return _usable(preferred_folder())


@cache
def _usable(preferred: Path | None) -> Path:
    if preferred is None:
        problem = "this user has no home folder"
    elif why := why_unwritable(preferred):
        problem = f"cannot write to {preferred} ({why})"
    else:
        return preferred
    found = _temporary()
    # Processes that are started from here use the same one, and do not report it again.
    os.environ[VARIABLE] = str(found)
    print(f"cache: {problem}; using {found}; {VARIABLE} chooses another folder", file=sys.stderr)
    return found


def _temporary() -> Path:
    """A folder for this user alone: the same for every run, or one for this run where its name is taken."""
    stable = Path(tempfile.gettempdir()) / f"attention-films-{os.getuid()}"
    with suppress(OSError):
        stable.mkdir(mode=0o700, exist_ok=True)
        status = stable.lstat()
        # Anybody may make folders and links there: what another user could fill is not read.
        own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022
        if own and not why_unwritable(stable):
            return stable
    fresh = Path(tempfile.mkdtemp(prefix="attention-films-"))
    atexit.register(shutil.rmtree, fresh, ignore_errors=True)
    return fresh
