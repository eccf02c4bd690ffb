"""Chapter 1: one head."""
