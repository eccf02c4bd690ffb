"""Chapter 3: order."""
