"""Captions, compared with the words filled in afresh."""

import re
from collections.abc import Sequence
from pathlib import Path

from scenes.kit.captions import split_line
from scenes.kit.lesson import Lesson
from scripts.studio.reading.ledgers import Record
from scripts.studio.renderer.film import StudioRenderer
from scripts.studio.stage import lesson_class
from scripts.studio.subtitles import srt_text, vtt_text

_BREAK = re.compile(r"\s+")


def fresh_lines(record: Record) -> dict[str, str]:
    """What every beat of a lesson says, slots filled from a worked example computed now. Manim must be configured."""
    options = {"chapter": record.receipt["chapter"]} if record.lesson == "chapter" else {}
    lesson: Lesson = lesson_class(record.lesson)(
        StudioRenderer(), settings=record.settings, language=record.language, **options
    )
    return lesson.lines()


def caption_faults(record: Record, lines: dict[str, str]) -> list[tuple[str, int, str]]:
    """(beat, frame, fault) where cues, or the caption files, are not what is to be said."""
    faults = []
    cues = record.receipt["cues"]
    for span in record.receipt["beats"]:
        beat, start, stop = span["beat"], span["start"], span["stop"]
        told = [tuple(cue["rows"]) for cue in cues if start <= cue["start"] < stop]
        wanted = split_line(lines.get(beat, ""))
        if _plain(told) != _plain(wanted):
            faults.append((beat, start, f"the captions say {_plain(told)!r}; the words say {_plain(wanted)!r}"))
    wanted_rows = [row for cue in cues for row in cue["rows"]]
    for ending, first, written in ((".srt", 2, srt_text), (".vtt", 1, vtt_text)):
        path = record.path.with_suffix(ending)
        if path.name not in record.receipt["outputs"]:
            continue
        rows = caption_rows(path, first) if path.is_file() else []
        if rows != [written(row) for row in wanted_rows]:
            faults.append(("", 0, f"{path.name} does not have the captions of the receipt"))
    return faults


def caption_rows(path: Path, first: int) -> list[str]:
    """The rows of text of a caption file, whose cues have `first` lines before their text."""
    blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    return [row for block in blocks if not block.startswith("WEBVTT") for row in block.split("\n")[first:]]


def _plain(cues: Sequence[Sequence[str]]) -> str:
    return _BREAK.sub("", "".join(row for cue in cues for row in cue))
