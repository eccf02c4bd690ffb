"""Narration: lines to sound with the times of their words, and sound to tracks. No lesson knows of it."""
