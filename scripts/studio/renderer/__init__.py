"""The seam to manim's drawing: what replaces its camera and file writer, and nothing else of it."""

import scripts.studio.plain_manim  # noqa: F401 - before manim is loaded
