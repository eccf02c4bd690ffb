"""Caption files without what a player would take for a tag, a time or the end of a cue; chapters as sites take them."""

import re
import subprocess
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes.kit.captions import Cue, cues_of
from scripts.studio.subtitles import chapter_list, listed_chapters, srt, srt_text, vtt, vtt_text
from scripts.studio.video import ChapterMark

CUES = [Cue(("a --> b & <i>c</i>", "第二行"), 0, 31), Cue(("next",), 31, 40)]


def test_subrip_is_numbered_from_1_and_escapes_what_players_act_on() -> None:
    assert srt(CUES, 15) == (
        "1\n00:00:00,000 --> 00:00:02,067\na → b & ‹i›c‹/i›\n第二行\n\n2\n00:00:02,067 --> 00:00:02,667\nnext\n"
    )


def test_webvtt_escapes_what_players_act_on() -> None:
    assert vtt(CUES, 15, "zh").startswith(
        "WEBVTT\nKind: captions\nLanguage: zh\n\n"
        "00:00:00.000 --> 00:00:02.067\na --&gt; b &amp; &lt;i&gt;c&lt;/i&gt;\n第二行\n\n00:00:02.067"
    )


def test_no_cue_holds_a_blank_line_whatever_is_said() -> None:
    for line in ("one\n\ntwo.  \n three", "  ", "\n", "词\n\n\n词。", "a" * 400):
        blocks = srt(cues_of(line, 3.0, 0, 15), 15).strip().split("\n\n")
        assert all(len(block.split("\n")) in (3, 4) or block == "" for block in blocks)


@pytest.mark.parametrize(
    "row", [r"d_{\rm model} is 8", "a set {1, 2}", r"\N and \an8", r"{\an8}top {y:i}x", "<b>x</b> < y", "a } b {"]
)
def test_a_player_shows_braces_and_backslashes(row: str, tmp_path: Path) -> None:
    """FFmpeg, whose reader of captions many players have, gives the text to its renderer whole."""
    cues = [Cue((row, "second"), 0, 30)]
    for name, text, written in (("a.srt", srt(cues, 15), srt_text), ("a.vtt", vtt(cues, 15, "en"), vtt_text)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        command = ["ffmpeg", "-v", "error", "-i", str(tmp_path / name), "-f", "ass", "-"]
        shown = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.strip()
        event = shown.splitlines()[-1].split(",", 9)[9]
        # What is not escaped in the renderer's own language, it acts on.
        assert not re.search(r"(?<!\\)[{}]", event)
        plain = written(row).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        assert re.sub(r"\\([{}])", r"\1", event) == rf"{plain}\Nsecond", name
    assert "{" not in srt_text(row) and len(srt_text(row)) == len(row)


def chapters_of(seconds: list[float], fps: int) -> list[ChapterMark]:
    edges = [0, *accumulate(max(1, round(length * fps)) for length in seconds)]
    return [ChapterMark(f"part {n}", a, b) for n, (a, b) in enumerate(pairwise(edges))]


def test_short_chapters_join_their_neighbours() -> None:
    chapters = chapters_of([7, 61.5, 70, 8.2, 9.9, 5], 15)
    assert chapter_list(chapters, 15) == "00:00 part 1\n01:08 part 2\n02:18 part 4\n"
    whole = chapters_of([12, 3590, 20], 15)
    assert chapter_list(whole, 15) == "00:00 part 0\n00:12 part 1\n1:00:02 part 2\n"


@given(st.lists(st.floats(0.2, 40), min_size=1, max_size=12), st.sampled_from([5, 15, 30]))
def test_every_listed_chapter_lasts_ten_seconds_from_0_to_the_end(seconds: list[float], fps: int) -> None:
    chapters = chapters_of(seconds, fps)
    listed = listed_chapters(chapters, fps)
    assert listed[0].start == 0 and listed[-1].stop == chapters[-1].stop
    assert all(a.stop == b.start for a, b in pairwise(listed))
    stamps = [chapter.start // fps for chapter in listed] + [chapters[-1].stop / fps]
    assert len(listed) == 1 or all(b - a >= 10 for a, b in pairwise(stamps))
    # Nothing that could stand alone is joined to what could as well, and names are those of the longest part.
    for chapter in listed:
        parts = [part for part in chapters if chapter.start <= part.start < chapter.stop]
        assert chapter.title in [p.title for p in parts if p.stop - p.start == max(q.stop - q.start for q in parts)]
    if all(chapter.stop // fps - chapter.start // fps >= 10 for chapter in chapters):
        assert listed == chapters
