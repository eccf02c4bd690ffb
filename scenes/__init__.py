"""The films: what is read from the user, what is said, and how it is drawn."""
