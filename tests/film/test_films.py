"""Finished films, read back with ffprobe."""

import json
import re
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from scenes.settings import Quality
from scripts.studio.sound.loudness import RATE
from scripts.studio.video import ChapterMark, Mp4Sink, VideoError, join, probe

pytestmark = pytest.mark.xdist_group("film")


def ffprobe(path: Path) -> dict[str, Any]:
    command = [
        "ffprobe",
        "-v",
        "error",
        "-of",
        "json",
        "-count_packets",
        "-show_streams",
        "-show_format",
        "-show_chapters",
        str(path),
    ]
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def receipt(folder: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / f"{name}.receipt.json").read_text(encoding="utf-8"))
    return found


def boxes(path: Path) -> list[str]:
    """The kinds of an MP4's top-level boxes, in order."""
    data, found, at = path.read_bytes(), [], 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        found.append(data[at + 4 : at + 8].decode("ascii"))
        at += size
    return found


@pytest.mark.parametrize("name", ["qkv", "clock", "lecture-qkv-clock"])
def test_h264_yuv420p_bt709_even_sides_index_first(film: Path, name: str) -> None:
    # Chapters are a stream of their own in an MP4.
    (video,) = [s for s in ffprobe(film / f"{name}.mp4")["streams"] if s["codec_type"] == "video"]
    assert (video["codec_name"], video["pix_fmt"], video["color_range"]) == ("h264", "yuv420p", "tv")
    assert video["color_space"] == video["color_transfer"] == video["color_primaries"] == "bt709"
    assert (video["width"], video["height"], video["r_frame_rate"]) == (320, 180, "5/1")
    assert int(video["nb_read_packets"]) == receipt(film, name)["frames"]
    order = boxes(film / f"{name}.mp4")
    assert order.index("moov") < order.index("mdat")


def test_chapters_captions_and_picture_agree_within_a_frame(film: Path) -> None:
    told = receipt(film, "lecture-qkv-clock")
    found = ffprobe(film / "lecture-qkv-clock.mp4")
    frame = 1 / 5
    assert abs(float(found["format"]["duration"]) - told["seconds"]) <= frame
    chapters = [(float(c["start_time"]), float(c["end_time"]), c["tags"]["title"]) for c in found["chapters"]]
    planned = [(c["start"] / 5, c["stop"] / 5, c["title"]) for c in told["chapters"]]
    assert len(chapters) == len(planned) == 4
    for real, wanted in zip(chapters, planned, strict=True):
        assert real[2] == wanted[2]
        assert abs(real[0] - wanted[0]) <= 0.002 and abs(real[1] - wanted[1]) <= 0.002
    assert chapters[-1][1] == pytest.approx(told["seconds"], abs=0.002)
    listed = (film / "lecture-qkv-clock.chapters.txt").read_text(encoding="utf-8").splitlines()
    stamps = [60 * int(line[:2]) + int(line[3:5]) for line in listed]
    assert stamps[0] == 0 and all(b - a >= 10 for a, b in pairwise([*stamps, told["seconds"]]))


def test_picture_and_sound_name_their_language(film: Path, tmp_path: Path) -> None:
    for name in ("qkv", "lecture-qkv-clock"):
        assert {s["tags"]["language"] for s in ffprobe(film / f"{name}.mp4")["streams"]} == {"eng"}, name
    track = np.zeros(RATE * 2, np.int16)
    for language, tag in (("en", "eng"), ("zh", "zho")):
        sink = Mp4Sink(tmp_path / "picture.mp4", Quality("tiny", 128, 72, 5), language)
        sink.write(np.zeros((72, 128, 4), np.uint8), 10)
        sink.close()
        marks = [ChapterMark("一", 0, 5), ChapterMark("二", 5, 10)]
        join([(tmp_path / "picture.mp4", 10)], tmp_path / "joined.mp4", 5, language, marks, track=track)
        kinds = {s["codec_type"]: s["tags"]["language"] for s in ffprobe(tmp_path / "joined.mp4")["streams"]}
        # The writer of MP4 calls its own stream, the chapters, English in every film.
        assert kinds == {"video": tag, "audio": tag, "data": "eng"}


def seconds(stamp: str) -> float:
    hours, minutes, rest = stamp.replace(",", ".").split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)


def test_srt_is_utf8_without_bom_numbered_from_1_and_never_overlaps(film: Path) -> None:
    raw = (film / "lecture-qkv-clock.srt").read_bytes()
    assert not raw.startswith(b"\xef\xbb\xbf") and b"\r" not in raw
    blocks = raw.decode("utf-8").strip().split("\n\n")
    before = 0.0
    for number, block in enumerate(blocks, 1):
        head, times, *rows = block.split("\n")
        match = re.fullmatch(r"(\d\d:\d\d:\d\d,\d{3}) --> (\d\d:\d\d:\d\d,\d{3})", times)
        assert head == str(number) and match and 1 <= len(rows) <= 2 and all(row.strip() for row in rows)
        start, stop = map(seconds, match.groups())
        assert before <= start < stop
        before = stop
    assert before <= receipt(film, "lecture-qkv-clock")["seconds"]


def test_a_lessons_captions_move_with_it_into_the_joined_film(film: Path) -> None:
    stamps = re.findall(r"(\S+) --> ", (film / "lecture-qkv-clock.srt").read_text(encoding="utf-8"))
    joined = [seconds(stamp) for stamp in stamps]
    cards = "cards-qkv-clock"
    parts = [
        f"{cards}/opening",
        f"{cards}/chapter-one_head",
        "qkv",
        f"{cards}/chapter-position",
        "clock",
        f"{cards}/closing",
    ]
    planned, start = [], 0
    for part in parts:
        told = receipt(film, part)
        planned += [(start + cue["start"]) / 5 for cue in told["cues"]]
        start += told["frames"]
    assert joined == pytest.approx(planned, abs=0.001)
    assert start == receipt(film, "lecture-qkv-clock")["frames"]


def test_vtt_has_the_same_cues(film: Path) -> None:
    vtt = (film / "lecture-qkv-clock.vtt").read_text(encoding="utf-8")
    srt = (film / "lecture-qkv-clock.srt").read_text(encoding="utf-8")
    assert vtt.startswith("WEBVTT\nKind: captions\nLanguage: en\n\n00:00:00.000 --> ")
    assert vtt.count(" --> ") == srt.count(" --> ") > 10


def test_the_ledger_tells_a_frame_of_the_film_for_every_number(film: Path) -> None:
    ledger = json.loads((film / "qkv.ledger.json").read_text(encoding="utf-8"))
    frames = receipt(film, "qkv")["frames"]
    assert len(ledger["rows"]) > 300
    assert all(0 <= row["frame"] < frames for row in ledger["rows"])
    assert all(row["path"] and isinstance(row["value"], float) for row in ledger["rows"])


def test_the_receipt_names_versions_seed_configuration_and_outputs(film: Path) -> None:
    found = receipt(film, "qkv")
    assert found["inputs"]["versions"]["manim"] == "0.22.0"
    assert found["inputs"]["configuration"]["render.theme"] == "dark"
    assert isinstance(found["seed"], int)
    assert set(found["outputs"]) == {f"qkv{e}" for e in (".mp4", ".png", ".srt", ".vtt", ".bcc.json", ".ledger.json")}
    assert all(re.fullmatch(r"[0-9a-f]{64}", d) for d in found["outputs"].values())


def test_the_poster_is_the_last_frame(film: Path, tmp_path: Path) -> None:
    last = tmp_path / "last.png"
    frames = receipt(film, "clock")["frames"]
    choose = f"select=eq(n\\,{frames - 1})"
    command = ["ffmpeg", "-v", "error", "-i", str(film / "clock.mp4"), "-vf", choose, "-frames:v", "1", str(last)]
    subprocess.run(command, check=True)
    with Image.open(film / "clock.png") as poster, Image.open(last) as frame:
        assert poster.size == frame.size == (320, 180)
        grey = [np.asarray(image.convert("L"), dtype=float) for image in (poster, frame)]
    different = float(np.abs(grey[0] - grey[1]).mean())
    # What is left is the film's compression.
    assert different < 3


def test_nothing_temporary_is_left(out: Path) -> None:
    assert [path for path in out.rglob(".work-*")] == []


def test_odd_sizes_are_refused_before_drawing(tmp_path: Path) -> None:
    with pytest.raises(VideoError, match="853x481"):
        Mp4Sink(tmp_path / "odd.mp4", Quality("odd", 853, 481, 15), "en")


def test_a_truncated_film_is_not_a_film(film: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes((film / "qkv.mp4").read_bytes()[:48])
    with pytest.raises(VideoError, match=r"broken\.mp4 is not a video file"):
        probe(broken)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk"])
def test_a_terminal_of_another_encoding_costs_no_film(
    film: Path, encoding: str, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", f"{encoding}:strict")
    monkeypatch.setenv("PYTHONUTF8", "0")
    done = run("render_lecture", "qkv", "clock", "--quality", "320x180@5", "--language", "en", "--out",
               str(film.parent.parent), encoding=encoding)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    told = str(film).encode(encoding, "backslashreplace").decode(encoding)
    assert done.stdout.splitlines()[-1] == f"film: {told}/lecture-qkv-clock.mp4"
