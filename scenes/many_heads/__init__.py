"""Chapter 2: many heads."""
