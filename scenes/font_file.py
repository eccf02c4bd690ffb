"""The film's font as a file, and its digest. Only the standard library is needed here."""

import hashlib
import shutil
import subprocess
from functools import cache
from pathlib import Path

# One design under the names of its two packagings, the one with all of CJK first.
FONTS = ("Noto Sans CJK SC", "Noto Sans SC")


@cache
def font_files() -> tuple[Path, ...]:
    """The regular and the bold file of the film's font; nothing where that cannot be told."""
    program = shutil.which("fc-match")
    if program is None:
        return ()
    found: list[Path] = []
    for weight in ("regular", "bold"):
        for family in FONTS:
            command = [program, "-f", "%{family}\n%{file}", f"{family}:{weight}"]
            told = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False).stdout
            named, _, file = told.partition("\n")
            if family in named.split(",") and Path(file).is_file():
                found.append(Path(file))
                break
        else:
            return ()
    return tuple(found)


@cache
def font_digest() -> str:
    """SHA-256 of the font's files; empty where they cannot be told."""
    if not font_files():
        return ""
    whole = hashlib.sha256()
    for path in font_files():
        with path.open("rb") as stream:
            whole.update(hashlib.file_digest(stream, "sha256").digest())
    return whole.hexdigest()
