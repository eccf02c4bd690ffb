"""Which lessons exist: chapters in the order of the whole film, each with its lessons in theirs.

This is the only list. A chapter's name is a folder of `scenes/`; a lesson's name is a module in it. Nothing of it
reaches a picture by itself, so that no film is made anew when it grows.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Chapter:
    """A chapter: a folder of `scenes/`, and the modules in it that are its lessons."""

    folder: str
    lessons: tuple[str, ...]


CHAPTERS = (
    Chapter("one_head", ("briefing", "qkv")),
    Chapter("many_heads", ("split_concat", "searchlights")),
    Chapter("position", ("seat_number", "waves", "clock")),
)
# The cards of the joined lecture, modules of scenes/cards; "chapter" is made once for each chapter.
CARDS = ("opening", "chapter", "closing")
# Every lesson in its order, and its chapter's folder.
LESSONS = {lesson: chapter.folder for chapter in CHAPTERS for lesson in chapter.lessons}


def module_of(name: str) -> str:
    """The module of a lesson or card, such as `scenes.one_head.qkv`."""
    return f"scenes.{'cards' if name in CARDS else LESSONS[name]}.{name}"
