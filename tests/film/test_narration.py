"""Films that speak, through a program that makes tones: where the sound is, and what a changed word makes anew."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from scenes.cache_folder import cache_folder
from scenes.settings import PROJECT, Quality, load_settings
from scripts.studio.pieces import Piece
from scripts.studio.render import make_film, stale_reasons
from scripts.studio.sound.lexicon import load_lexicon
from scripts.studio.sound.track import joined, read_flac, samples_until, write_flac
from scripts.studio.sound.wording import spoken_text
from scripts.studio.video import Mp4Sink, join, probe

pytestmark = pytest.mark.xdist_group("narration")
QUALITY, FPS = "128x72@2", 2
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project that speaks in tones, so that its words can be changed."""
    project = tmp_path_factory.mktemp("a b's 项目") / "project"
    for name in ("mathcore", "scenes", "scripts"):
        shutil.copytree(PROJECT / name, project / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(__file__).with_name("tone.py"), project / "tone.py")
    text = (PROJECT / "media_config.yaml").read_text(encoding="utf-8")
    (project / "media_config.yaml").write_text(text.replace("en: hibari", "en: command"), encoding="utf-8")
    # Lines are spoken anew here, but text that other tests have drawn is not parsed again.
    (project / "cache").mkdir()
    cache_folder().joinpath("outlines").mkdir(parents=True, exist_ok=True)
    (project / "cache" / "outlines").symlink_to(cache_folder() / "outlines")
    return project


def tones(project: Path) -> str:
    """The program of the engine `command`."""
    return f"{shlex.join([sys.executable, str(project / 'tone.py')])} {{wav}}"


@pytest.fixture(scope="module")
def run(project: Path) -> Run:
    """Run one of the copy's scripts, with a cache of its own."""

    def run(
        name: str, *arguments: str, cache: str = "cache", program: str | None = None
    ) -> "subprocess.CompletedProcess[str]":
        spoken_by = tones(project) if program is None else program
        return subprocess.run(
            [sys.executable, str(project / "scripts" / f"{name}.py"), *arguments, "--language", "en"],
            env={**os.environ, "ATTENTION_FILMS_CACHE": str(project / cache), "NARRATION_COMMAND": spoken_by},
            capture_output=True, encoding="utf-8", check=False, timeout=900,
        )  # fmt: skip

    return run


@pytest.fixture(scope="module")
def film(project: Path, run: Run) -> Path:
    """The folder with the film of one lesson, which speaks."""
    done = run("render_lecture", "qkv", "--quality", QUALITY, "--out", str(project / "out"))
    assert done.returncode == 0, done.stderr
    assert re.search(r"^speaking (\d+)/\1 lines$", done.stdout, re.MULTILINE)
    return project / "out" / "en" / "128x72-2"


def said(project: Path) -> list[str]:
    """What the program has said so far."""
    return (project / "said.txt").read_text(encoding="utf-8").splitlines()


def receipt(folder: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / f"{name}.receipt.json").read_text(encoding="utf-8"))
    return found


def heard(path: Path) -> NDArray[np.float64]:
    """A film's sound as a player hears it: (n,) at 48 kHz, from its start to its end."""
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:a", "-ac", "1", "-f", "s16le", "-"]
    raw = subprocess.run(command, capture_output=True, check=True).stdout
    return np.frombuffer(raw, "<i2") / 32768


def sounds_at(samples: NDArray[np.float64], second: float) -> float:
    """How many seconds after `second`, or before it, the sound starts, after silence."""
    at = round(second * 48000)
    window = np.abs(samples[max(0, at - 4800) : at + 4800])
    return float((np.flatnonzero(window > 0.02)[0] - min(at, 4800)) / 48000)


def test_sound_is_exactly_as_long_as_the_picture(film: Path) -> None:
    for name in ("qkv", "cards-qkv/opening", "cards-qkv/closing", "lecture-qkv"):
        frames = receipt(film, name)["frames"]
        found = probe(film / f"{name}.mp4")
        assert found.sound == Fraction(frames, FPS) == found.last + Fraction(1, FPS)
        if name != "lecture-qkv":
            assert len(read_flac(film / f"{name}.flac")) == frames * 48000 // FPS
    with av.open(str(film / "lecture-qkv.mp4")) as container:
        stream = container.streams.audio[0]
        assert (stream.codec_context.name, stream.rate, stream.layout.nb_channels) == ("aac", 48000, 2)


def test_every_line_starts_with_its_beat_in_the_joined_film(film: Path) -> None:
    samples, start, found = heard(film / "lecture-qkv.mp4"), 0, 0
    for part in ("cards-qkv/opening", "cards-qkv/chapter-one_head", "qkv", "cards-qkv/closing"):
        told = receipt(film, part)
        for beat in told["beats"]:
            assert abs(sounds_at(samples, (start + beat["start"]) / FPS)) < 0.04, (part, beat)
            found += 1
        start += told["frames"]
    assert found == 10


def test_a_beat_lasts_as_long_as_its_line_and_a_breath(film: Path, project: Path) -> None:
    told = receipt(film, "qkv")
    for beat in told["beats"]:
        line = spoken_text(told["inputs"]["lines"][f"say.{beat['beat']}"], load_lexicon("en"), "en")
        # A tone of 0.2 s and 0.05 s of silence a word.
        assert (beat["stop"] - beat["start"]) / FPS >= 0.25 * len(line.split()) + 0.4 - 0.01
        assert line in said(project) and not re.search("[0-9]", line)
    assert [cue["start"] for cue in told["cues"]] == sorted({cue["start"] for cue in told["cues"]})


def test_captions_are_one_list_in_every_form(film: Path) -> None:
    told = receipt(film, "qkv")
    body = json.loads((film / "qkv.bcc.json").read_text(encoding="utf-8"))["body"]
    assert [(cue["from"] * FPS, cue["to"] * FPS, cue["content"], cue["location"]) for cue in body] == [
        (cue["start"], cue["stop"], "\n".join(cue["rows"]), 2) for cue in told["cues"]
    ]


def test_the_first_and_the_second_render_sound_the_same(film: Path, project: Path, run: Run) -> None:
    before = len(said(project))
    done = run("render_lecture", "qkv", "--quality", QUALITY, "--out", str(project / "again"))
    assert done.returncode == 0, done.stderr
    for name in ("qkv.flac", "qkv.mp4", "lecture-qkv.mp4", "qkv.srt"):
        assert (project / "again" / "en" / "128x72-2" / name).read_bytes() == (film / name).read_bytes(), name
    assert len(said(project)) == before, "kept lines are not spoken again"


def test_a_gif_is_timed_as_the_film_and_says_that_it_has_no_sound(film: Path, project: Path, run: Run) -> None:
    done = run("export_gifs", "qkv:key", "--width", "160", "--fps", str(FPS), "--hold-last", "0",
               "--out", str(project / "article"))  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("article media have no sound") == 1
    beat = next(beat for beat in receipt(film, "qkv")["beats"] if beat["beat"] == "key")
    assert f"{(beat['stop'] - beat['start']) / FPS:.2f} s" in done.stdout


def test_a_changed_word_speaks_its_line_and_renders_its_lesson_alone(film: Path, project: Path, run: Run) -> None:
    arguments = ("--out", str(project / "out"), "--lessons", "qkv")
    told = run("regenerate", "--explain", *arguments).stdout
    assert told.count("up to date") == 4, told
    lexicon = project / "scenes" / "words" / "en" / "lexicon.yaml"
    lexicon.write_text(lexicon.read_text(encoding="utf-8") + '"asked": "ask ed"\n', encoding="utf-8")
    told = run("regenerate", "--explain", *arguments).stdout
    assert "en/128x72-2/qkv: lexicon (asked: nothing -> ask ed)\n" in told
    # The cards say no such word.
    assert told.count("up to date") == 3
    before, films = len(said(project)), {path: path.stat().st_mtime_ns for path in film.rglob("*.mp4")}
    done = run("regenerate", *arguments)
    assert done.returncode == 0, done.stderr
    (line,) = said(project)[before:]
    assert line.endswith("when ask ed.")
    after = {path.name for path in films if path.stat().st_mtime_ns != films[path]}
    assert after == {"qkv.mp4", "lecture-qkv.mp4"}
    words = project / "scenes" / "words" / "en" / "qkv.yaml"
    words.write_text(words.read_text(encoding="utf-8").replace("the same way", "alike"), encoding="utf-8")
    told = run("regenerate", "--explain", *arguments).stdout
    assert "en/128x72-2/qkv: words (scenes/words/en/qkv.yaml)" in told


def test_films_become_silent_and_speak_again(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATTENTION_FILMS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NARRATION_COMMAND", tones(project))
    speaking = load_settings(project / "media_config.yaml").with_overrides(quality=QUALITY, out=tmp_path, language="en")
    silent, piece = speaking.with_overrides(voice="silent"), Piece("closing")
    told = make_film(piece, speaking, "en").receipt
    assert stale_reasons(piece, speaking, "en") == []
    (reason,) = (r for r in stale_reasons(piece, silent, "en") if not r.startswith("code"))
    assert reason.startswith("voice (command: ") and "nothing" in reason
    film = make_film(piece, silent, "en")
    assert probe(film.path).sound is None
    assert not film.path.with_suffix(".flac").exists()
    again = make_film(piece, speaking, "en").receipt
    assert again["outputs"] == told["outputs"] and "closing.flac" in told["outputs"]


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("no-such-program {wav}", "NARRATION_COMMAND: cannot run no-such-program: No such file or directory"),
        ("", "narration.engine.en is command, so NARRATION_COMMAND in the environment must hold a program"),
    ],
)
def test_a_program_that_does_not_speak_is_one_line(project: Path, run: Run, program: str, told: str) -> None:
    how = ("qkv", "--quality", QUALITY, "--out", str(project / "broken"), "--jobs", "1")
    done = run("render_lecture", *how, program=program)
    assert done.returncode == 1
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert list((project / "broken").rglob("*.mp4")) == []


def test_what_no_voice_can_say_is_named_before_anything_is_drawn(project: Path, run: Run) -> None:
    done = run("render_lecture", "qkv", "--sentence", "мир и мир", "--quality", QUALITY, "--out", str(project / "mir"))
    assert done.returncode == 1
    assert done.stderr.strip() == (
        'en/qkv.yaml: say.one_cell: the voice cannot say "мир"; add how it is said to '
        'scenes/words/en/lexicon.yaml: "мир": "..."'
    )
    assert list((project / "mir").rglob("*.mp4")) == []


@pytest.mark.parametrize("fps", [7, 15])
def test_sound_does_not_drift_over_many_clips(fps: int, tmp_path: Path) -> None:
    quality, frames = Quality("tiny", 128, 72, fps), 13
    parts, tracks, clicks = [], [], []
    for clip in range(20):
        path = tmp_path / f"{clip}.mp4"
        sink = Mp4Sink(path, quality, "en")
        sink.write(np.zeros((72, 128, 4), np.uint8), frames)
        sink.close()
        track = np.zeros(samples_until(frames, fps), np.int16)
        # A click on the clip's fourth frame; every third clip is silent.
        if clip % 3:
            track[samples_until(3, fps)] = 20000
            clicks.append((clip * frames + 3) / fps)
        write_flac(path.with_suffix(".flac"), track)
        parts.append((path, frames))
        tracks.append(read_flac(path.with_suffix(".flac")) if clip % 3 else None)
    whole = joined(tracks, [frames] * 20, fps)
    join(parts, tmp_path / "joined.mp4", fps, "en", track=whole)
    assert probe(tmp_path / "joined.mp4").sound == Fraction(len(whole), 48000)
    samples = heard(tmp_path / "joined.mp4")
    assert all(abs(sounds_at(samples, click)) < 0.005 for click in clicks)
