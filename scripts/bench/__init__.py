"""Measurements: films, article media, attention, narration, pictures, heads. No film needs any of it."""
