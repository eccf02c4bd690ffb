"""Manim, loaded without any manim.cfg but its own. Imported before manim is.

When it is loaded, manim reads the files of the working folder and of the home: a broken one would end in a traceback,
one that names plugins would load them, and a user without a home could not load manim at all.
"""

import os
import sys
import tempfile


def _load() -> None:
    with tempfile.TemporaryDirectory() as empty:
        here, home = os.open(".", os.O_RDONLY), os.environ.get("HOME")
        os.chdir(empty)
        os.environ["HOME"] = empty
        try:
            import manim  # noqa: F401
        finally:
            os.fchdir(here)
            os.close(here)
            if home is None:
                del os.environ["HOME"]
            else:
                os.environ["HOME"] = home


if "manim" not in sys.modules:
    _load()
