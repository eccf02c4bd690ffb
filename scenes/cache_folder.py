"""Where the project keeps what it may lose: a folder of the user's. Only the standard library is needed here."""

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The user's cache folder for this project, or what ATTENTION_FILMS_CACHE names."""
    named = os.environ.get("ATTENTION_FILMS_CACHE")
    if named:
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "attention-films"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "attention-films"
