"""What turns a line into sound: hibari (English), Kokoro (Chinese), or any program. Each is loaded when first used."""

import hashlib
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scenes.cache_folder import cache_folder
from scenes.kit.speech import Word
from scenes.strict_yaml import unknown
from scripts.studio.sound.lexicon import SpeechError
from scripts.studio.sound.voice import COMMAND, KOKORO_PARTS, VOICES, Voice, voice_file
from scripts.studio.sound.wording import spoken_text

Samples = NDArray[np.float32]
"""(n,), mono, in -1 to 1."""

KOKORO = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
"""SHA-256 of Kokoro-82M, int8, whose parts are joined."""
_RATE = 24000
# The models' unit of time, in samples, and the outputs of their graphs that hold each phoneme's length in it.
_UNIT = 600
_LENGTHS = {"hibari": "/Clip_output_0", "kokoro": "/encoder/Clip_output_0"}
# Seconds of silence between sentences, and what is kept of it before and after each.
_PAUSE, _BEFORE, _AFTER = 0.3, 0.03, 0.1
# As loud as this, of the loudest sample, is no silence.
_AUDIBLE = 0.01


@dataclass(frozen=True)
class Spoken:
    """A line as sound, (n,) mono samples at `rate`, and when its words are heard."""

    samples: Samples
    rate: int
    words: tuple[Word, ...]


def speak(text: str, voice: Voice, lexicon: Mapping[str, str]) -> Spoken:
    """A line as sound.  Raises: SpeechError."""
    if voice.engine == "command":
        return _by_command(text, voice, lexicon)
    from scripts.studio.sound import phonemes

    runs = phonemes.runs_of(text, voice.language, lexicon)
    say = _hibari(voice) if voice.engine == "hibari" else _kokoro(voice)
    return _joined([_sentence(stretch, say) for stretch in phonemes.stretches(text, runs)])


Say = Callable[[str], tuple[Samples, NDArray[np.float32]]]
"""Phonemes to samples, and the length in units of each sign, with one for the silence at either end."""


def _sentence(runs: Sequence[Any], say: Say) -> Spoken:
    from scripts.studio.sound.phonemes import hibari

    known = hibari().vocab
    texts = ["".join(sign for sign in run.phonemes if sign in known) for run in runs]
    gaps = [" " if run.spaced and n < len(runs) - 1 else "" for n, run in enumerate(runs)]
    samples, lengths = say("".join(text + gap for text, gap in zip(texts, gaps, strict=True)))
    ends = np.cumsum(lengths) * _UNIT / _RATE
    begin, end = _audible(samples)
    words: list[Word] = []
    at = 0
    for run, text, gap in zip(runs, texts, gaps, strict=True):
        # Marks at a word's end are pauses.
        voiced = len(text.rstrip(",.;:!?—…”“ "))
        if voiced:
            first, last = float(ends[at]) - begin, float(ends[at + voiced]) - begin
            words.append(Word(run.start, run.stop, max(0.0, first), min(max(0.0, last), end - begin)))
        at += len(text) + len(gap)
    return Spoken(samples[round(begin * _RATE) : round(end * _RATE)], _RATE, tuple(words))


def _audible(samples: Samples) -> tuple[float, float]:
    """The seconds between which something is heard, with a little silence on both sides."""
    loud = np.flatnonzero(np.abs(samples) > _AUDIBLE * np.abs(samples).max(initial=0.0))
    if len(loud) == 0:
        return 0.0, len(samples) / _RATE
    begin = max(0, int(loud[0]) - round(_BEFORE * _RATE))
    return begin / _RATE, min(len(samples), int(loud[-1]) + round(_AFTER * _RATE)) / _RATE


def _joined(sentences: Sequence[Spoken]) -> Spoken:
    pause = np.zeros(round(_PAUSE * _RATE), np.float32)
    parts: list[Samples] = []
    words: list[Word] = []
    for spoken in sentences:
        if parts:
            parts.append(pause)
        at = sum(map(len, parts)) / _RATE
        words += [Word(word.start, word.stop, word.begin + at, word.end + at) for word in spoken.words]
        parts.append(spoken.samples)
    if not parts:
        raise SpeechError("the line has no word that can be spoken; add one")
    return Spoken(np.concatenate(parts), _RATE, tuple(words))


def _hibari(voice: Voice) -> Say:
    from scripts.studio.sound.phonemes import hibari

    if voice.language != "en":
        raise SpeechError(f"hibari speaks English only; set narration.engine.{voice.language} to kokoro")
    session = _hibari_session(voice.voice)

    def say(text: str) -> tuple[Samples, NDArray[np.float32]]:
        from hibari import dsp

        ids = np.asarray([hibari().ids(text)], np.int64)
        *spectra, lengths = session.run(None, {"ids": ids, "speed": np.asarray([voice.speed], np.float32)})
        # The same noise for the same line.
        samples = dsp.synth(*(output[0] for output in spectra), np.random.default_rng(0))
        return samples, lengths

    return say


@cache
def _hibari_session(name: str) -> Any:
    # Where it keeps voices that it fetches; for a user without a home it would make a folder named ~.
    os.environ.setdefault("HIBARI_HOME", str(cache_folder() / "hibari"))
    from hibari.voices import VOICES as known
    from hibari.voices import voice_path

    if name not in known:
        raise SpeechError(f"narration.voice.en: {unknown('voice', name, known)}")
    try:
        return _session(Path(voice_path(name)).read_bytes(), "hibari")
    except (OSError, RuntimeError) as problem:
        raise SpeechError(f"narration.voice.en: cannot load {name} ({' '.join(str(problem).split())})") from None


def _kokoro(voice: Voice) -> Say:
    from scripts.studio.sound.phonemes import hibari

    path = voice_file(voice.voice)
    if not path.is_file():
        known = sorted(file.stem for file in VOICES.glob("*.bin"))
        said = unknown("voice", voice.voice, known)
        raise SpeechError(f"narration.voice.{voice.language}: {said} (or name a voice file by its path)")
    styles = np.fromfile(path, "<f4")
    if styles.size != 510 * 256:
        raise SpeechError(f"{path.name} is not a Kokoro voice: expected 510 x 256 numbers, found {styles.size}")
    session = _kokoro_session()

    def say(text: str) -> tuple[Samples, NDArray[np.float32]]:
        ids = hibari().ids(text)
        samples, lengths = session.run(
            None,
            {
                "tokens": np.asarray([ids], np.int64),
                "style": styles.reshape(510, 256)[len(ids) - 3][None],
                "speed": np.asarray([voice.speed], np.float32),
            },
        )
        return samples, lengths[0]

    return say


@cache
def _kokoro_session() -> Any:
    data = b"".join(Path(_folder(name), "part.bin").read_bytes() for name in KOKORO_PARTS)
    if hashlib.sha256(data).hexdigest() != KOKORO:
        raise SpeechError("the checksum of Kokoro's weights is wrong; install them again: make voice LANGUAGE=zh")
    return _session(data, "kokoro")


def _folder(package: str) -> str:
    spec = find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise SpeechError(f"{package} is not installed; install it: make voice LANGUAGE=zh")
    return next(iter(spec.submodule_search_locations))


def _session(model: bytes, kind: str) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model + _output(_LENGTHS[kind]), options, providers=["CPUExecutionProvider"])


def _output(name: str) -> bytes:
    """What, after an ONNX model, makes one more tensor of its graph an output.

    Protocol buffers merge a field that is there twice: ModelProto.graph (7), GraphProto.output (12) and
    ValueInfoProto.name (1), each with its length, which is below 128 here.
    """
    text = name.encode("ascii")
    value = bytes([1 << 3 | 2, len(text)]) + text
    output = bytes([12 << 3 | 2, len(value)]) + value
    return bytes([7 << 3 | 2, len(output)]) + output


def _by_command(text: str, voice: Voice, lexicon: Mapping[str, str]) -> Spoken:
    """What a program makes of the line, its words spread over the sound by their length."""
    said = spoken_text(text, lexicon, voice.language)
    with tempfile.TemporaryDirectory(prefix="attention-films-") as scratch:
        wav = Path(scratch) / "line.wav"
        values = {"text": said, "wav": str(wav), "voice": voice.voice, "language": voice.language,
                  "speed": f"{voice.speed:g}"}  # fmt: skip
        command = [re.sub(r"\{(\w+)\}", lambda m: values[m[1]], part) for part in shlex.split(voice.command)]
        given = b"" if "{text}" in voice.command else said.encode()
        try:
            done = subprocess.run(command, input=given, capture_output=True, check=False)
        except OSError as problem:
            raise SpeechError(f"{COMMAND}: cannot run {command[0]}: {problem.strerror}") from None
        if done.returncode or not wav.is_file():
            told = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no audio file and no message"]
            raise SpeechError(f"{COMMAND}: {command[0]} failed: {told[-1]}")
        samples, rate = _read(wav)
    return Spoken(samples, rate, spread(text, len(samples) / rate))


def _read(path: Path) -> tuple[Samples, int]:
    import av

    try:
        with av.open(str(path)) as container:
            stream = container.streams.audio[0]
            mono = av.AudioResampler(format="fltp", layout="mono")
            frames = [out.to_ndarray()[0] for frame in container.decode(stream) for out in mono.resample(frame)]
            return np.concatenate(frames), int(stream.rate or 0)
    except (av.FFmpegError, IndexError, ValueError) as problem:
        raise SpeechError(f"{COMMAND}: the file it wrote is not audio: {problem}") from None


def spread(text: str, seconds: float) -> tuple[Word, ...]:
    """The words of a line, spread evenly over its seconds: a Chinese character counts two letters."""
    pieces = list(re.finditer(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+", text))
    weights = [2 if len(piece[0]) == 1 and piece[0] > "\u3400" else len(piece[0]) + 1 for piece in pieces]
    edges = np.concatenate([[0.0], np.cumsum(weights)]) * seconds / max(1, sum(weights))
    return tuple(
        Word(piece.start(), piece.end(), float(edges[n]), float(edges[n + 1])) for n, piece in enumerate(pieces)
    )
