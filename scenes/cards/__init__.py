"""Title, chapter and closing cards of the joined lecture."""
