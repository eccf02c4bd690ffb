"""Films of pieces, and the joined lecture: each made under a temporary name, checked, and only then put in place."""

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scenes.kit.captions import Cue
from scenes.settings import Settings
from scenes.words import load_words
from scripts.studio import inputs
from scripts.studio.files import digest, read_json, sweep, work_folder, write_json, write_text
from scripts.studio.pieces import Piece, film_folder, lecture_name, lecture_pieces, piece_folder
from scripts.studio.sound.loudness import RATE
from scripts.studio.sound.narrator import Narration
from scripts.studio.sound.track import Track, joined, read_flac, track_of, write_flac
from scripts.studio.subtitles import bcc, chapter_list, srt, vtt
from scripts.studio.video import ChapterMark, LastFrame, Mp4Sink, Probe, VideoError, join, probe
from scripts.studio.workers import Task

if TYPE_CHECKING:
    from scenes.kit.ledger import Row
    from scenes.kit.lesson import Lesson
Progress = Callable[[str, float], None]
"""Called with a piece's name and the share of its beats that are done."""


@dataclass(frozen=True)
class RenderOptions:
    """Options that do not change the picture.

    `stock` draws with manim's own camera; `variable` writes a held picture as one long frame.
    """

    stock: bool = False
    variable: bool = False

    @property
    def frame_rate(self) -> str:
        return "variable" if self.variable else "constant"


DEFAULT_OPTIONS = RenderOptions()


@dataclass(frozen=True)
class Film:
    """A finished piece: its files and its receipt."""

    piece: Piece
    folder: Path
    receipt: dict[str, Any]

    @property
    def path(self) -> Path:
        return self.folder / f"{self.piece.name}.mp4"

    @property
    def frames(self) -> int:
        return int(self.receipt["frames"])

    @property
    def speaks(self) -> bool:
        """Whether it has sound, which is then kept without loss beside it."""
        return f"{self.piece.name}.flac" in self.receipt["outputs"]

    @property
    def cues(self) -> list[Cue]:
        return [Cue(tuple(c["rows"]), c["start"], c["stop"]) for c in self.receipt["cues"]]


def sweep_folders(pieces: Iterable[Piece], settings: Settings, language: str) -> None:
    """Remove what killed runs have left beside these pieces' films, also where nothing will be made again."""
    for folder in {piece_folder(piece, settings, language) for piece in pieces}:
        sweep(folder)


def receipt_path(piece: Piece, settings: Settings, language: str) -> Path:
    return piece_folder(piece, settings, language) / f"{piece.name}.receipt.json"


def stale_reasons(piece: Piece, settings: Settings, language: str, options: RenderOptions | None = None) -> list[str]:
    """Return why a piece's film is stale; empty if current.

    Without options, any that the film in place was made with will do.
    """
    folder = piece_folder(piece, settings, language)
    receipt = read_json(receipt_path(piece, settings, language))
    if not isinstance(receipt, dict) or not isinstance(receipt.get("outputs"), dict):
        return ["missing output (never rendered)"]
    before = receipt.get("inputs", {})
    reasons = inputs.differences(before, inputs.film_inputs_now(piece, settings, language, before))
    rate = receipt.get("frame_rate")
    if options is not None and rate != options.frame_rate:
        reasons.append(f"frame rate ({rate} -> {options.frame_rate})")
    return reasons + inputs.output_reasons(folder, receipt["outputs"])


def existing_film(piece: Piece, settings: Settings, language: str) -> Film:
    """The film that is in place. Raises VideoError when there is none."""
    receipt = read_json(receipt_path(piece, settings, language))
    if not isinstance(receipt, dict):
        raise VideoError(f"{piece.name} has not been rendered in {language}")
    return Film(piece, piece_folder(piece, settings, language), receipt)


def expected_work(piece: Piece, settings: Settings, language: str) -> float:
    """Seconds of work that a piece's film may take: what it took last time, or a guess from what is read in it."""
    receipt = read_json(receipt_path(piece, settings, language))
    if isinstance(receipt, dict) and isinstance(receipt.get("work"), float | int):
        return max(0.1, float(receipt["work"]))
    return max(0.1, sum(map(len, load_words(language, piece.lesson).say.values())) / 100)


def render_options_of(piece: Piece, settings: Settings, language: str) -> RenderOptions:
    """The options that the film in place was made with."""
    receipt = read_json(receipt_path(piece, settings, language))
    return RenderOptions(variable=isinstance(receipt, dict) and receipt.get("frame_rate") == "variable")


def film_tasks(
    pieces: Iterable[Piece], settings: Settings, language: str, options: RenderOptions | None = None
) -> list[Task]:
    """A task a piece; without options, each keeps those of the film in place."""
    return [
        Task(
            piece.name,
            expected_work(piece, settings, language),
            make_film,
            (piece, settings, language, options or render_options_of(piece, settings, language)),
            piece_folder(piece, settings, language) / f"{piece.name}.log",
        )
        for piece in pieces
    ]


def make_film(
    piece: Piece,
    settings: Settings,
    language: str,
    options: RenderOptions = DEFAULT_OPTIONS,
    progress: Progress = lambda name, share: None,
) -> Film:
    """Render a piece: film, poster, captions, ledger, receipt.

    The receipt is put in place last; an interrupted run leaves the old files and receipt, or files that
    the old receipt does not match, which the next run notices.
    """
    from scripts.studio.reads import Reads
    from scripts.studio.stage import manim_configured, options_of, play_lesson

    quality, folder = settings.render.quality, piece_folder(piece, settings, language)
    made_from, reads = inputs.FilmInputs(piece, settings, language), Reads(settings)
    name, begun = piece.name, time.process_time()
    narration = None if made_from.voice is None else Narration(made_from.voice)
    with work_folder(folder) as work:
        drawn = work / (f"{name}.mp4" if narration is None else "picture.mp4")
        film, last = Mp4Sink(drawn, quality, language, variable=options.variable), LastFrame()

        def tell(lesson: Any) -> None:
            progress(name, len(lesson.spans) / len(lesson.beats))

        with manim_configured(quality, work / "manim"):
            lesson = play_lesson(
                piece.lesson,
                reads.settings,
                language,
                (film, last),
                captions=settings.render.captions == "drawn",
                stock=options.stock,
                watchers=(tell,),
                speech=narration,
                **options_of(piece),
            )
        film.close()
        said = {} if narration is None else narration.said
        # Here, as what is written below reads the example too.
        found_inputs = made_from.with_reads(reads.keys, reads.traces, said)
        sound = None
        if narration is not None:
            starts = {span.beat: span.start for span in lesson.spans}
            lines = ((starts[beat], line.track) for beat, line in narration.lines.items())
            sound = track_of(lines, lesson.frame, quality.fps)
            write_flac(work / f"{name}.flac", sound)
            join([(drawn, lesson.frame)], work / f"{name}.mp4", quality.fps, language, track=sound)
        found = probe(work / f"{name}.mp4")
        told = (lesson.frame, quality.width, quality.height, film.written)
        if (found.length(quality.fps), found.width, found.height, found.frames) != told:
            raise VideoError(
                f"{name}.mp4: expected {lesson.frame} frames of {quality.width}x{quality.height}, "
                f"found {found.length(quality.fps)} of {found.width}x{found.height}"
            )
        _check_sound(f"{name}.mp4", found, sound)
        _save_png(last, work / f"{name}.png")
        write_text(work / f"{name}.srt", srt(lesson.cues, quality.fps))
        write_text(work / f"{name}.vtt", vtt(lesson.cues, quality.fps, language))
        write_json(work / f"{name}.bcc.json", bcc(lesson.cues, quality.fps))
        write_json(work / f"{name}.ledger.json", ledger_file(lesson, lesson.ledger))
        endings = [".mp4", ".png", ".srt", ".vtt", ".bcc.json", ".ledger.json", *([] if sound is None else [".flac"])]
        receipt = {
            "lesson": piece.lesson,
            "chapter": piece.chapter,
            "language": language,
            "title": lesson.words.title,
            "alt": lesson.words.alt,
            "quality": quality.name,
            "fps": quality.fps,
            "frames": lesson.frame,
            "seconds": lesson.frame / quality.fps,
            "beats": [asdict(span) for span in lesson.spans],
            "cues": [asdict(cue) for cue in lesson.cues],
            "seed": settings.example.seed,
            "frame_rate": options.frame_rate,
            "work": round(time.process_time() - begun, 1),
            "inputs": found_inputs,
            "outputs": {f"{name}{ending}": digest(work / f"{name}{ending}") for ending in endings},
        }
        write_json(work / f"{name}.receipt.json", receipt)
        for ending in (*endings, ".receipt.json"):
            os.replace(work / f"{name}{ending}", folder / f"{name}{ending}")
        if sound is None:
            (folder / f"{name}.flac").unlink(missing_ok=True)
    return Film(piece, folder, receipt)


def ledger_file(lesson: "Lesson", rows: Iterable["Row"]) -> dict[str, Any]:
    """What a ledger file holds: the rows, and what they are of."""
    from scenes.kit.ledger import VERSION

    return {"version": VERSION, "lesson": lesson.name, "language": lesson.language, "fps": lesson.fps,
            "example": lesson.example.key(), "rows": [row.written() for row in rows]}  # fmt: skip


def _check_sound(name: str, found: Probe, track: Track | None) -> None:
    """A film's sound must be as long as its track, which is as long as its picture."""
    wanted = None if track is None else Fraction(len(track), RATE)
    if found.sound != wanted:
        raise VideoError(f"{name}: expected {wanted or 0} s of sound, found {found.sound or 0} s")


def _save_png(last: LastFrame, path: Path) -> None:
    from PIL import Image

    if last.frame is None:
        raise VideoError(f"{path.stem} drew no frame")
    Image.fromarray(last.frame[..., :3]).save(path, optimize=True)


def lecture_reasons(settings: Settings, language: str) -> list[str]:
    """Why the joined film must be joined again."""
    folder = film_folder(settings, language)
    receipt = read_json(folder / f"{lecture_name(settings)}.receipt.json")
    if not isinstance(receipt, dict) or not isinstance(receipt.get("outputs"), dict):
        return ["missing output (never joined)"]
    reasons = []
    if receipt.get("pieces") != _piece_digests(settings, language):
        reasons.append("its lessons or cards changed")
    if receipt.get("title") != getattr(settings.lecture.title, language):
        reasons.append("its title changed")
    return reasons + inputs.output_reasons(folder, receipt["outputs"])


def _piece_digests(settings: Settings, language: str) -> dict[str, str]:
    digests = {}
    for piece in lecture_pieces(settings.lecture.lessons):
        receipt = read_json(receipt_path(piece, settings, language)) or {}
        digests[piece.name] = receipt.get("outputs", {}).get(f"{piece.name}.mp4", "missing")
    return digests


def make_lecture(settings: Settings, language: str) -> Path:
    """Join the pieces' films, which must be in place, into the lecture with chapters and captions; returns its path."""
    folder, fps = film_folder(settings, language), settings.render.quality.fps
    title, name = getattr(settings.lecture.title, language), lecture_name(settings)
    films = [existing_film(piece, settings, language) for piece in lecture_pieces(settings.lecture.lessons)]
    chapters: list[ChapterMark] = []
    cues: list[Cue] = []
    start = 0
    for film in films:
        stop = start + film.frames
        cues += [Cue(cue.rows, cue.start + start, cue.stop + start) for cue in film.cues]
        if film.piece.lesson != "chapter":
            # A chapter card belongs to the lesson that follows it.
            chapters.append(ChapterMark(film.receipt["title"], chapters[-1].stop if chapters else 0, stop))
        start = stop
    with work_folder(folder) as work:
        parts = [(film.path, film.frames) for film in films]
        track = _joined_track(films, fps)
        packets = join(parts, work / f"{name}.mp4", fps, language, chapters, title, track)
        found = probe(work / f"{name}.mp4")
        if (found.frames, found.length(fps)) != (packets, start):
            raise VideoError(f"{name}.mp4: expected {start} frames, found {found.length(fps)}")
        _check_sound(f"{name}.mp4", found, track)
        write_text(work / f"{name}.srt", srt(cues, fps))
        write_text(work / f"{name}.vtt", vtt(cues, fps, language))
        write_json(work / f"{name}.bcc.json", bcc(cues, fps))
        write_text(work / f"{name}.chapters.txt", chapter_list(chapters, fps))
        endings = (".mp4", ".srt", ".vtt", ".bcc.json", ".chapters.txt")
        write_json(
            work / f"{name}.receipt.json",
            {
                "title": title,
                "language": language,
                "quality": settings.render.quality.name,
                "lessons": list(settings.lecture.lessons),
                "frames": start,
                "seconds": start / fps,
                "chapters": [asdict(chapter) for chapter in chapters],
                "seed": settings.example.seed,
                "configuration": settings.flat(),
                "versions": films[0].receipt["inputs"]["versions"],
                "pieces": _piece_digests(settings, language),
                "outputs": {f"{name}{ending}": digest(work / f"{name}{ending}") for ending in endings},
            },
        )
        for ending in (*endings, ".receipt.json"):
            os.replace(work / f"{name}{ending}", folder / f"{name}{ending}")
    return folder / f"{name}.mp4"


def _joined_track(films: list[Film], fps: int) -> Track | None:
    """The sound of all films, one after the other; None when all are silent."""
    tracks = [read_flac(film.folder / f"{film.piece.name}.flac") if film.speaks else None for film in films]
    if all(track is None for track in tracks):
        return None
    return joined(tracks, [film.frames for film in films], fps)
