"""Lines spoken once and kept: in the user's cache folder, by text, voice, and the lexicon's entries in it."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from scenes.cache_folder import cache_folder
from scenes.kit.speech import LineTimes, Word
from scenes.settings import PROJECT, Settings
from scripts.studio.files import digest, read_json, work_folder, write_json
from scripts.studio.pieces import Piece, film_folder
from scripts.studio.sound.engines import speak
from scripts.studio.sound.lexicon import SpeechError, entries_used, load_lexicon
from scripts.studio.sound.loudness import RATE, levelled
from scripts.studio.sound.track import Track, read_flac, write_flac
from scripts.studio.sound.voice import Voice, voice_of
from scripts.studio.sound.wording import spoken_text
from scripts.studio.workers import Task, run_tasks

# The modules that make a line's sound.
_SOUND = ("engines", "forms", "lexicon", "loudness", "phonemes", "signs", "wording")
_OWN = (
    *(f"scripts/studio/sound/{name}.py" for name in _SOUND),
    "scenes/kit/sentences.py",
    "scenes/words/cardinals.py",
)


@dataclass(frozen=True)
class Line:
    """A line as it is heard: its sound at 48 kHz, and its times."""

    track: Track
    times: LineTimes


def _place(text: str, voice: Voice) -> Path:
    entries = entries_used([text], load_lexicon(voice.language))
    key = json.dumps([_code(), text, voice.key(), entries], sort_keys=True)
    return cache_folder() / "speech" / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"


@cache
def _code() -> list[str]:
    return [digest(PROJECT / path) for path in _OWN]


def _kept_times(text: str, voice: Voice) -> LineTimes | None:
    """A line's times from the cache; None where the line is not there, or damaged."""
    place = _place(text, voice)
    told = read_json(place)
    try:
        if told["sound"] != digest(place.with_suffix(".flac")):
            return None
        return LineTimes(text, float(told["seconds"]), tuple(Word(**word) for word in told["words"]))
    except (TypeError, KeyError, ValueError, OSError):
        return None


def line_of(text: str, voice: Voice) -> Line:
    """The line from the cache, spoken first where it is not there.  Raises: SpeechError."""
    kept = _kept_times(text, voice)
    if kept is not None:
        return Line(read_flac(_place(text, voice).with_suffix(".flac")), kept)
    spoken = speak(text, voice, load_lexicon(voice.language))
    samples = levelled(spoken)
    track = np.asarray(np.rint(np.clip(samples, -1, 1) * 32767), np.int16)
    line = Line(track, LineTimes(text, len(track) / RATE, spoken.words))
    place = _place(text, voice)
    with work_folder(place.parent) as work:
        write_flac(work / "line.flac", track)
        sound = digest(work / "line.flac")
        os.replace(work / "line.flac", place.with_suffix(".flac"))
    words = [asdict(word) for word in spoken.words]
    write_json(place, {"text": text, "seconds": line.times.seconds, "sound": sound, "words": words})
    return line


class Narration:
    """The narration of a lesson: called with its lines, it returns the times of their words, and keeps their sound."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice
        self.lines: dict[str, Line] = {}

    def __call__(self, texts: Mapping[str, str]) -> dict[str, LineTimes]:
        for beat, text in texts.items():
            try:
                self.lines[beat] = line_of(text, self.voice)
            except SpeechError as problem:
                raise SpeechError(f"say.{beat}: {problem}") from None
        return {beat: line.times for beat, line in self.lines.items()}

    @property
    def said(self) -> dict[str, str]:
        """The lines, by their keys in the words."""
        return {f"say.{beat}": line.times.text for beat, line in self.lines.items()}


def speak_first(pieces: Iterable[Piece], settings: Settings, language: str, jobs: int) -> None:
    """Speak all lines of these pieces that are not kept yet, before anything is drawn.  Raises: SpeechError."""
    voice, waiting = voice_of(settings, language), list(pieces)
    if voice is None or not waiting:
        return
    from scripts.studio.stage import lines_of

    lines: list[str] = []
    for piece in waiting:
        for beat, text in lines_of(piece, settings, language).items():
            try:
                spoken_text(text, load_lexicon(language), language)
            except SpeechError as problem:
                raise SpeechError(f"{language}/{piece.lesson}.yaml: say.{beat}: {problem}") from None
            lines.append(text)
    missing = [text for text in dict.fromkeys(lines) if _kept_times(text, voice) is None]
    shares: list[list[str]] = [missing[n::jobs] for n in range(min(jobs, len(missing)))]
    folder = film_folder(settings, language)
    tasks = [
        Task(f"lines {n}", float(sum(map(len, share))), _speak, (f"lines {n}", share, voice), folder / f"lines-{n}.log",
             steps=len(share))
        for n, share in enumerate(shares, 1)
    ]  # fmt: skip
    outcome = run_tasks(tasks, jobs, "speaking", "lines")
    if outcome.failures:
        raise SpeechError("\n".join(map(str, outcome.failures)))


def _speak(name: str, lines: Sequence[str], voice: Voice, progress: Any) -> None:
    for number, text in enumerate(lines, 1):
        line_of(text, voice)
        progress(name, number / len(lines))
