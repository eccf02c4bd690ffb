"""Trained attention: a tiny transformer that trains itself, and the heads of MiniLM-L6."""
