"""The films: settings, words, and drawing."""
