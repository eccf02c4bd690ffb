"""What lessons are drawn with."""
