"""Who and what appears in several lessons."""
