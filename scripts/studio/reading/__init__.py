"""Reading finished films: their numbers and pictures of numbers, compared with a freshly built worked example."""

import scripts.studio.plain_manim  # noqa: F401 - before manim is loaded
