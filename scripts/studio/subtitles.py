"""Cues as caption files, and chapters as text."""

from collections.abc import Sequence
from typing import Any

from scenes.kit.captions import Cue
from scripts.studio.video import ChapterMark

SHORTEST = 10
"""Seconds of a chapter below which a video site shows none of them."""


def _stamp(frame: int, fps: int, mark: str) -> str:
    milliseconds = round(1000 * frame / fps)
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{mark}{rest:03}"


# SubRip has no escapes. Players take <...> and {...} for styles, --> for a time line, and \N for a new row; they are
# written with signs that look alike.
_LOOKALIKES = str.maketrans({"<": "‹", ">": "›", "{": "｛", "}": "｝", "\\": "＼"})


def srt_text(row: str) -> str:
    """A row as a SubRip file has it, so that every player shows all of it."""
    return row.replace("-->", "→").translate(_LOOKALIKES)


def vtt_text(row: str) -> str:
    """A row as a WebVTT file has it. Players that make other captions of it would act on a backslash."""
    return row.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\\", "＼")


def srt(cues: Sequence[Cue], fps: int) -> str:
    """SubRip: numbered from 1, comma milliseconds, no blank line within a cue."""
    blocks = (
        f"{n}\n{_stamp(cue.start, fps, ',')} --> {_stamp(cue.stop, fps, ',')}\n{srt_text(cue.text)}\n"
        for n, cue in enumerate(cues, 1)
    )
    return "\n".join(blocks)


def vtt(cues: Sequence[Cue], fps: int, language: str) -> str:
    """WebVTT, with the language in its header."""
    blocks = (f"{_stamp(cue.start, fps, '.')} --> {_stamp(cue.stop, fps, '.')}\n{vtt_text(cue.text)}\n" for cue in cues)
    return f"WEBVTT\nKind: captions\nLanguage: {language}\n\n" + "\n".join(blocks)


def bcc(cues: Sequence[Cue], fps: int) -> dict[str, Any]:
    """Bilibili's captions: seconds, at the bottom of the picture (2)."""
    body = [{"from": round(cue.start / fps, 3), "to": round(cue.stop / fps, 3), "location": 2, "content": cue.text}
            for cue in cues]  # fmt: skip
    return {
        "font_size": 0.4, "font_color": "#FFFFFF", "background_alpha": 0.5, "background_color": "#9C27B0",
        "Stroke": "none", "body": body,
    }  # fmt: skip


def listed_chapters(chapters: Sequence[ChapterMark], fps: int) -> list[ChapterMark]:
    """Chapters as video sites take them, of ten seconds at least: a short one joins the next, the last the one before.

    Each has the title of its longest part. Sites also want three chapters; a shorter film may have fewer.
    """
    groups: list[list[ChapterMark]] = []
    for chapter in chapters:
        if groups and _seconds(groups[-1], fps) < SHORTEST:
            groups[-1].append(chapter)
        else:
            groups.append([chapter])
    if len(groups) > 1 and groups[-1][-1].stop / fps - groups[-1][0].start // fps < SHORTEST:
        last = groups.pop()
        groups[-1] += last
    longest = [max(group, key=lambda part: part.stop - part.start) for group in groups]
    return [
        ChapterMark(part.title, group[0].start, group[-1].stop) for part, group in zip(longest, groups, strict=True)
    ]


def _seconds(group: Sequence[ChapterMark], fps: int) -> int:
    """How long a chapter lasts by the whole seconds that are written."""
    return group[-1].stop // fps - group[0].start // fps


def chapter_list(chapters: Sequence[ChapterMark], fps: int) -> str:
    """One line a chapter, as video sites read them from a description: `0:00 Title`."""
    lines = []
    for chapter in listed_chapters(chapters, fps):
        seconds = chapter.start // fps
        clock = f"{seconds // 60 % 60:02}:{seconds % 60:02}"
        lines.append(f"{seconds // 3600}:{clock} {chapter.title}" if seconds >= 3600 else f"{clock} {chapter.title}")
    return "\n".join(lines) + "\n"
