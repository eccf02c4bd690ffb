"""Narration: lines to sound with the times of their words, and sound to tracks. Lessons do not import it."""
