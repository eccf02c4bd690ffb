"""Files that are either whole or not there: temporary name, check, rename."""

import errno
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scenes.whole_file import whole_file

_WORK = ".work-"


def in_a_line(problem: BaseException) -> str:
    """A problem as one line; of files that cannot be read or written, with what to do about it."""
    if not isinstance(problem, OSError) or problem.strerror is None:
        return " ".join(str(problem).split()) or type(problem).__name__
    name = problem.filename
    if problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        where = f" while writing {name}" if name else ""
        return f"disk full or file-size limit reached{where}; free space and retry"
    if name is None:
        return " ".join(problem.strerror.split())
    if problem.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        if os.path.isfile(name) and not os.access(name, os.R_OK):
            return f"cannot read {name}: {problem.strerror.lower()}"
        reason = f"cannot write {name}: {problem.strerror.lower()}"
        return f"{reason}; make its folder writable, or choose another with --out"
    return f"{name}: {problem.strerror.lower()}"


def digest(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 text under a temporary name, then rename."""
    with whole_file(path, f"{_WORK}{os.getpid()}-") as stream:
        stream.write(text.encode("utf-8"))


def write_json(path: Path, value: Any) -> None:
    """Write JSON, readable, under a temporary name, then rename."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def read_json(path: Path) -> Any:
    """The file's value, or None when it is missing or not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


@contextmanager
def work_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder inside `folder`, on its disk so that renames are whole; gone afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    sweep(folder)
    work = Path(tempfile.mkdtemp(prefix=f"{_WORK}{os.getpid()}-", dir=folder))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove what killed runs have left in `folder`."""
    for leftover in folder.glob(f"{_WORK}*"):
        owner = leftover.name.removeprefix(_WORK).partition("-")[0]
        if owner.isdigit() and not _runs(int(owner)):
            if leftover.is_dir():
                shutil.rmtree(leftover, ignore_errors=True)
            else:
                leftover.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OSError):
        return True
    # A killed process that nobody has asked about is still listed: a zombie, which will write nothing any more.
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state != "Z"
