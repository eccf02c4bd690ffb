"""Cues as caption files, and chapters as text."""

from collections.abc import Sequence
from typing import Any

from scenes.kit.captions import Cue
from scripts.studio.encode import Chapter


def _stamp(frame: int, fps: int, mark: str) -> str:
    milliseconds = round(1000 * frame / fps)
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{mark}{rest:03}"


def _escaped(text: str) -> str:
    # Players read <...> as a tag and --> as a time line, also in SubRip.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _plain(text: str) -> str:
    # SubRip knows no entities: take away what could be read as a tag or a time line.
    return text.replace("-->", "→").replace("<", "‹").replace(">", "›")


def srt(cues: Sequence[Cue], fps: int) -> str:
    """SubRip: numbered from 1, comma milliseconds, no blank line within a cue."""
    blocks = (
        f"{n}\n{_stamp(cue.start, fps, ',')} --> {_stamp(cue.stop, fps, ',')}\n{_plain(cue.text)}\n"
        for n, cue in enumerate(cues, 1)
    )
    return "\n".join(blocks)


def vtt(cues: Sequence[Cue], fps: int) -> str:
    """WebVTT."""
    blocks = (f"{_stamp(cue.start, fps, '.')} --> {_stamp(cue.stop, fps, '.')}\n{_escaped(cue.text)}\n" for cue in cues)
    return "WEBVTT\n\n" + "\n".join(blocks)


def bcc(cues: Sequence[Cue], fps: int) -> dict[str, Any]:
    """Bilibili's captions: seconds, at the bottom of the picture (2)."""
    body = [{"from": round(cue.start / fps, 3), "to": round(cue.stop / fps, 3), "location": 2, "content": cue.text}
            for cue in cues]  # fmt: skip
    return {
        "font_size": 0.4, "font_color": "#FFFFFF", "background_alpha": 0.5, "background_color": "#9C27B0",
        "Stroke": "none", "body": body,
    }  # fmt: skip


def chapter_list(chapters: Sequence[Chapter], fps: int) -> str:
    """One line a chapter, as video sites read them from a description: `0:00 Title`."""
    lines = []
    for chapter in chapters:
        seconds = chapter.start // fps
        clock = f"{seconds // 60 % 60:02}:{seconds % 60:02}"
        lines.append(f"{seconds // 3600}:{clock} {chapter.title}" if seconds >= 3600 else f"{clock} {chapter.title}")
    return "\n".join(lines) + "\n"
