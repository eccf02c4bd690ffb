"""The seam to manim's drawing: what replaces its camera and file writer, and nothing else of it."""
