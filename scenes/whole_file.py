"""Files that are either whole or not there. Only the standard library is needed here."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path, prefix: str = ".") -> Iterator[BinaryIO]:
    """A stream into a temporary file beside `path`, which replaces `path` when the block ends without an error.

    Permissions are those that the umask leaves; nothing is asked for that a network folder refuses (chmod).
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{prefix}{secrets.token_hex(6)}")
    try:
        with part.open("xb") as stream:
            yield stream
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
