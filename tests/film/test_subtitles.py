"""Caption files: what a player would take for a tag, a time or the end of a cue is not in them."""

from scenes.kit.captions import Cue, cues_of
from scripts.studio.subtitles import srt, vtt

CUES = [Cue(("a --> b & <i>c</i>", "第二行"), 0, 31), Cue(("next",), 31, 40)]


def test_subrip_is_numbered_from_1_and_escapes_what_players_act_on() -> None:
    assert srt(CUES, 15) == (
        "1\n00:00:00,000 --> 00:00:02,067\na → b & ‹i›c‹/i›\n第二行\n\n2\n00:00:02,067 --> 00:00:02,667\nnext\n"
    )


def test_webvtt_escapes_what_players_act_on() -> None:
    assert vtt(CUES, 15).startswith(
        "WEBVTT\n\n00:00:00.000 --> 00:00:02.067\na --&gt; b &amp; &lt;i&gt;c&lt;/i&gt;\n第二行\n\n00:00:02.067"
    )


def test_no_cue_holds_a_blank_line_whatever_is_said() -> None:
    for line in ("one\n\ntwo.  \n three", "  ", "\n", "词\n\n\n词。", "a" * 400):
        blocks = srt(cues_of(line, 3.0, 0, 15), 15).strip().split("\n\n")
        assert all(len(block.split("\n")) in (3, 4) or block == "" for block in blocks)
