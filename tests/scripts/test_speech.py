"""Lines as they are said, and as loud as they are to be; no voice is needed here."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from scenes.kit.captions import Cue
from scenes.kit.speech import Word
from scenes.settings import load_settings
from scripts.studio.sound.engines import Samples, Spoken, speak, spread
from scripts.studio.sound.lexicon import Part, SpeechError, entries_used, load_lexicon, parts_of, readings_of
from scripts.studio.sound.loudness import RATE, TARGET, levelled, limited
from scripts.studio.sound.track import read_flac, samples_until, track_of, write_flac
from scripts.studio.sound.voice import Voice, missing_packages, voice_of, why_silent
from scripts.studio.subtitles import bcc

LEXICON = {"softmax": "soft max", "soft": "SOFT", "W_O": "W O", "词都会": "ci2 dou1 hui4", "√": "root of "}


def test_a_line_is_its_parts_and_the_longest_entry_wins() -> None:
    text = "softmax of W_O, not W_Ox; √n"
    parts = parts_of(text, LEXICON)
    assert "".join(text[part.start : part.stop] for part in parts) == text
    assert [part.said for part in parts] == ["soft max", " of ", "W O", ", not W_Ox; ", "root of ", "n"]
    assert [part.given for part in parts] == [True, False, True, False, True, False]
    assert parts_of(text, {}) == [Part(0, len(text), text)] and parts_of("", LEXICON) == []


def test_a_reading_is_given_to_characters_and_the_longest_entry_wins() -> None:
    lexicon = {"词都会": "ci2 dou1 hui4", "都会": "du1 hui4", "#行": "hang2", "行": "xing2", "长#": "chang2"}
    assert readings_of("每个词都会", lexicon) == {2: "ci2", 3: "dou1", 4: "hui4"}
    assert readings_of("都会", lexicon) == {0: "du1", 1: "hui4"}
    assert readings_of("两行，8 行，进行，长 512", lexicon) == {1: "hang2", 5: "hang2", 10: "chang2"}
    assert readings_of("长一点", lexicon) == {}
    assert entries_used(["两行"], lexicon) == {"#行": "hang2", "行": "xing2"}
    assert parts_of("词都会", lexicon) == [Part(0, 3, "词都会")], "how it is read is no other text"


def test_only_entries_that_are_said_count() -> None:
    assert entries_used(["the softmax", "soft"], LEXICON) == {"soft": "SOFT", "softmax": "soft max"}
    assert entries_used(["nothing"], LEXICON) == {}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_shipped_lexicon_is_valid(language: str) -> None:
    assert len(load_lexicon(language)) > 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('"a": 3', "words/en/lexicon.yaml:2: a: expected how it is said, in quotes such as"),
        ('"a": ""', 'words/en/lexicon.yaml:2: a: expected how it is said, in quotes such as "soft max", found ""'),
        (
            '"a": "/ʘ/"',
            'words/en/lexicon.yaml:2: a: expected phonemes between slashes, such as /sˈɔftmæks/, found "/ʘ/"',
        ),
        (
            '"每一行": "mei3 hang2"',
            "words/en/lexicon.yaml:2: 每一行: expected a syllable for each of the 3 characters, found 2",
        ),
        (
            '"#行": "yi1 hang2"',
            "words/en/lexicon.yaml:2: #行: expected a syllable for each of the 1 characters, found 2",
        ),
        ('"a": "b"\n"a": "c"', "words/en/lexicon.yaml:3: a: duplicate key; it is already set in line 2"),
    ],
)
def test_a_wrong_entry_names_file_line_and_what_to_write(tmp_path: Path, text: str, told: str) -> None:
    folder = tmp_path / "words"
    (folder / "en").mkdir(parents=True)
    (folder / "en" / "lexicon.yaml").write_text(f"# said\n{text}\n", encoding="utf-8")
    with pytest.raises(SpeechError) as caught:
        load_lexicon("en", folder)
    assert str(caught.value).startswith(told) and str(caught.value).isprintable()


def test_words_are_spread_over_a_sound_that_tells_none() -> None:
    words = spread("one three 两个", 4.2)
    assert [word.start for word in words] == [0, 4, 10, 11] and words[-1].stop == 12
    assert words[0].begin == 0 and words[-1].end == pytest.approx(4.2)
    assert all(a.end == b.begin for a, b in pairwise(words))
    assert words[1].end - words[1].begin > words[0].end - words[0].begin


def voice_like(seconds: float, peak: float) -> Samples:
    """Syllables of noise with pauses, of 24 kHz, and one much louder click."""
    times = np.arange(round(seconds * 24000)) / 24000
    noise = np.random.default_rng(1).standard_normal(len(times)) * np.maximum(0, np.sin(2 * np.pi * 3 * times))
    noise[len(noise) // 2] = peak
    return np.asarray(0.01 * noise, np.float32)


def measured(path: Path) -> tuple[float, float]:
    """Integrated loudness (LUFS) and true peak (dBTP) of a file, by ffmpeg's own meter."""
    command = ["ffmpeg", "-hide_banner", "-i", str(path), "-af", "ebur128=peak=true", "-f", "null", "-"]
    summary = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stderr.split("Summary:")[1]
    told = dict(line.strip().split(":", 1) for line in summary.splitlines() if line.strip().endswith(("LUFS", "dBFS")))
    return float(told["I"].split()[0]), float(told["Peak"].split()[0])


@pytest.mark.parametrize(("seconds", "peak"), [(4.0, 3.0), (4.0, 60.0), (1.0, 3.0)])
def test_every_line_has_one_loudness_and_no_peak(seconds: float, peak: float, tmp_path: Path) -> None:
    line = levelled(Spoken(voice_like(seconds, peak), 24000, ()))
    assert len(line) == seconds * RATE
    write_flac(tmp_path / "line.flac", track_of([(0, np.asarray(line * 32767, np.int16))], round(seconds * 30), 30))
    loudness, highest = measured(tmp_path / "line.flac")
    assert abs(loudness - TARGET) <= 1
    assert highest <= -1


def test_what_needs_no_limit_is_left_as_it_is() -> None:
    quiet = np.full(1000, 0.1, np.float32)
    assert limited(quiet) is quiet
    assert not levelled(Spoken(np.zeros(24000, np.float32), 24000, ())).any(), "silence stays silence"


def test_a_track_is_as_long_as_its_picture_and_kept_without_loss(tmp_path: Path) -> None:
    line = np.arange(1, 30001, dtype=np.int16)
    track = track_of([(3, line), (100, line)], 103, 7)
    assert len(track) == samples_until(103, 7) == round(103 * 48000 / 7)
    start = samples_until(3, 7)
    assert not track[:start].any() and (track[start : start + 30000] == line).all()
    write_flac(tmp_path / "track.flac", track)
    assert (read_flac(tmp_path / "track.flac") == track).all()


def test_a_program_reads_what_the_lexicon_says() -> None:
    program = "import sys, wave; w = wave.open(sys.argv[1], 'wb'); w.setparams((1, 2, 8000, 0, 'NONE', ''));"
    program += " w.writeframes(b'\\0\\1' * 800 * len(sys.argv[2]))"
    voice = Voice("command", "x", "en", 1.0, f'"{sys.executable}" -c "{program}" {{wav}} {{text}}')
    spoken = speak("softmax", voice, LEXICON)
    assert spoken.rate == 8000 and len(spoken.samples) == 800 * len("soft max")
    assert spoken.words == (Word(0, 7, 0.0, 0.8),)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("no-such-program {wav}", "NARRATION_COMMAND: cannot run no-such-program: No such file or directory"),
        ("false {wav}", "NARRATION_COMMAND: false failed: no audio file and no message"),
        ("cp /dev/null {wav}", "NARRATION_COMMAND: the file it wrote is not audio"),
    ],
)
def test_a_program_that_does_not_speak_is_named(command: str, told: str) -> None:
    with pytest.raises(SpeechError, match=told):
        speak("one", Voice("command", "x", "en", 1.0, command), {})


def test_who_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings().with_overrides(voice="hibari")
    assert voice_of(settings, "en") is None and why_silent(settings, "en") == "", "the tests are silent"
    monkeypatch.delenv("ATTENTION_FILMS_VOICE")
    monkeypatch.setattr("scripts.studio.sound.voice.missing_packages", lambda engine: ["hibari-tts"])
    assert voice_of(settings, "en") is None
    assert why_silent(settings, "en") == (
        "no narration: hibari-tts not installed; install the English voice: make voice LANGUAGE=en"
    )
    monkeypatch.setattr("scripts.studio.sound.voice.missing_packages", lambda engine: [])
    assert voice_of(settings, "en") == Voice("hibari", "heart", "en", 1.0)
    assert voice_of(settings.with_overrides(voice="silent"), "en") is None
    assert missing_packages("silent") == missing_packages("command") == []


def test_bilibilis_captions() -> None:
    told = bcc([Cue(("one", "two"), 15, 40)], 30)
    assert told["body"] == [{"from": 0.5, "to": 1.333, "location": 2, "content": "one\ntwo"}]
