"""Article media from raw frames: GIF, AVIF, WebP and MP4 of one pass, posters, alternative text, and what to paste.

Frames are drawn at the media's own size and kept losslessly, so that nothing of a film's compression gets in.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from scenes.formats import FORMATS
from scenes.settings import LANGUAGES, PROJECT, Quality, Settings
from scenes.words import Words, load_words
from scripts.studio import inputs
from scripts.studio.budget import MEGABYTE, Budget, OverBudget, Part, fit
from scripts.studio.files import digest, read_json, work_folder, write_json, write_text
from scripts.studio.flashing import FLASHES, Light
from scripts.studio.frame_store import FrameStore, Seam, chroma_lost, seam
from scripts.studio.media_kinds import FormatError, Look, delays_of, lowered_details, seconds_of, tools_missing
from scripts.studio.pieces import Piece, film_kind
from scripts.studio.reads import Reads
from scripts.studio.render import Progress, ledger_file
from scripts.studio.snippets import alternative_text, embed_texts
from scripts.studio.sound.narrator import Narration

__all__ = ["MEGABYTE", "ArticleError", "Media", "Request", "article_folder", "delays_of", "export", "exported",
           "gif_reasons", "tools_missing"]  # fmt: skip
if TYPE_CHECKING:
    from scenes.kit.lesson import Lesson
# The modules that turn raw frames into files.
_OWN = ("article", "budget", "snippets", "flashing", "media_kinds", "frame_store")
# More than this share of the pixels with another colour is said.
_CHROMA = 0.02


class ArticleError(RuntimeError):
    """Media could not be made as asked."""


@dataclass(frozen=True)
class Request:
    """A lesson, or one beat of it, as article media."""

    lesson: str
    beat: str = ""

    @property
    def name(self) -> str:
        return f"{self.lesson}.{self.beat}" if self.beat else self.lesson

    @property
    def asked(self) -> str:
        """As a command line says it."""
        return f"{self.lesson}:{self.beat}" if self.beat else self.lesson


@dataclass(frozen=True)
class Media:
    """A finished file."""

    path: Path
    kind: str
    look: Look
    lowered: bool
    size: int
    seconds: float
    frames: int
    seam: Seam
    notes: tuple[str, ...] = field(default=())

    def told(self) -> str:
        """What it is, and what was chosen."""
        chosen = "lowered to " if self.lowered else ""
        return (
            f"{self.path}: {self.size / MEGABYTE:.2f} MB, {self.seconds:.2f} s, {self.frames} frames, "
            f"{chosen}{self.look.told(self.kind)}"
        )


def article_folder(settings: Settings, language: str) -> Path:
    return settings.folder() / language / film_kind("article", settings)


def export(
    lesson: str,
    requests: list[Request],
    settings: Settings,
    language: str,
    progress: Progress = lambda name, share: None,
) -> Iterator[Media]:
    """Render a lesson once and make media of it, or of each beat asked for; yields each file once it is in place.

    What is over budget or flashes is left out, and named in the ArticleError that is raised when the rest is done.
    """
    from scripts.studio.stage import manim_configured, play_lesson

    gif = settings.gif
    height = FORMATS[settings.render.format].height_of(gif.width)
    quality = Quality(f"{gif.width}x{height}@{gif.fps}", gif.width, height, gif.fps, settings.render.format)
    folder, reads = article_folder(settings, language), Reads(settings)
    made_from = GifInputs(lesson, settings, language)
    narration = None if made_from.voice is None else Narration(made_from.voice)
    refused: list[str] = []
    with work_folder(folder) as work, FrameStore(work, language) as store:
        light = Light(gif.fps)

        def tell(played: Any) -> None:
            progress(lesson, len(played.spans) / len(played.beats))

        with manim_configured(quality, work / "manim"):
            played = play_lesson(
                lesson, reads.settings, language, (store, light), captions=gif.captions, watchers=(tell,),
                speech=narration,
            )  # fmt: skip
        # Timed as the film is, though nothing is heard.
        said = {} if narration is None else narration.said
        found_inputs = made_from.with_reads(reads.keys, reads.traces, said)
        spans = {span.beat: (span.start, span.stop) for span in played.spans}
        for request in requests:
            start, stop = spans[request.beat] if request.beat else (0, played.frame)
            worst = light.worst(start, stop)
            if worst.harmful:
                refused.append(
                    f"{request.asked}: {worst.flashes:g} flashes in the second before {worst.frame / gif.fps:.1f} s, "
                    f"over more than a quarter of the picture; more than {FLASHES} can harm, so nothing was exported"
                )
                continue
            part = Part(store, start, stop, gif.fps, gif.hold_last)
            made, over = _made(work, request, part, settings)
            refused += over.values()
            if made:
                rows = filter(None, (row.cut(start, stop) for row in played.ledger))
                write_json(work / f"{request.name}.ledger.json", ledger_file(played, rows))
                told = {**_timing(played, start, stop), "refused": over, "inputs": found_inputs}
                yield from _put_in_place(work, folder, request, made, told, settings, language)
    if refused:
        raise ArticleError("\n".join(refused))


def _made(work: Path, request: Request, part: Part, settings: Settings) -> tuple[list[Media], dict[str, str]]:
    """The files of a request in the work folder, with the poster; and the refusals by kind."""
    gif, store, shape = settings.gif, part.store, FORMATS[settings.render.format]
    first, last = store.still(store.still_at(part.start)), store.still(store.still_at(part.stop - 1))
    # The last frame is the beat's or lesson's finished picture.
    Image.fromarray(last).save(work / f"{request.name}.png", optimize=True)
    budget, joint = Budget(gif.max_mb * MEGABYTE, gif.max_frames), seam(last, first)
    found: list[Media] = []
    over: dict[str, str] = {}
    for kind in gif.kinds:
        target = work / f"{request.name}.{kind}"
        look = Look(gif.width, shape.height_of(gif.width), gif.fps, lowered_details(kind, gif.colours)[0])
        try:
            fitting = fit(kind, target, part, look, budget, gif.loops)
        except OverBudget as problem:
            over[kind] = f"{request.asked}: {kind}: {problem}, or export single beats ({request.lesson}:BEAT)"
            continue
        except FormatError as problem:
            over[kind] = f"{request.asked}: {problem}"
            continue
        seconds = _checked_seconds(target, fitting.shown.total / 100, 1 / fitting.look.fps)
        notes = _notes(kind, gif.loops, last)
        if kind != "mp4" and gif.loops != 1 and not any(media.kind != "mp4" for media in found):
            notes += (_seam_told(joint),)
        found.append(
            Media(target, kind, fitting.look, fitting.look != look, fitting.size, seconds, len(fitting.shown.stills),
                  joint, notes)
        )  # fmt: skip
    return found, over


def _seam_told(joint: Seam) -> str:
    told = f"the loop's seam: mean difference {joint.mean:.1f} of 255, {joint.share:.0%} of the picture changes"
    return f"{told}; it jumps (--loops 1 stops at the end)" if joint.jumps else told


def _notes(kind: str, loops: int, last: Any) -> tuple[str, ...]:
    if kind == "mp4" and (lost := chroma_lost([last])) > _CHROMA:
        return (f"yuv420p changes the colour of {lost:.0%} of the finished picture; webp and avif keep it",)
    if kind == "avif" and loops:
        return (f"plays for ever, as its writer has no number of loops ({loops} were asked for)",)
    return ()


def _put_in_place(
    work: Path,
    folder: Path,
    request: Request,
    made: list[Media],
    told: dict[str, Any],
    settings: Settings,
    language: str,
) -> Iterator[Media]:
    name = request.name
    sizes = {media.kind: (media.look.width, media.look.height) for media in made}
    texts = embed_texts(name, _alternative_texts(request, settings), sizes, settings.gif.loops)
    for ending, text in texts.items():
        write_text(work / f"{name}{ending}", text)
    endings = (*(f".{media.kind}" for media in made), ".png", ".ledger.json", *texts)
    receipt = {
        "lesson": request.lesson, "beat": request.beat, "language": language,
        "media": {
            media.kind: {"look": asdict(media.look), "bytes": media.size, "seconds": media.seconds,
                         "frames": media.frames}
            for media in made
        },
        "seam": asdict(made[0].seam), **told,
        "outputs": {f"{name}{e}": digest(work / f"{name}{e}") for e in endings},
    }  # fmt: skip
    write_json(work / f"{name}.receipt.json", receipt)
    before = read_json(folder / f"{name}.receipt.json")
    for ending in (*endings, ".receipt.json"):
        os.replace(work / f"{name}{ending}", folder / f"{name}{ending}")
    # What an earlier export made, and this one does not, would be out of date without anybody knowing.
    old = before.get("outputs") if isinstance(before, dict) else None
    for leftover in {*(old if isinstance(old, dict) else ())} - {*receipt["outputs"]}:
        if Path(leftover).name == leftover and leftover.startswith(f"{name}."):
            (folder / leftover).unlink(missing_ok=True)
    for media in made:
        yield Media(**{**vars(media), "path": folder / media.path.name})


def _alternative_texts(request: Request, settings: Settings) -> dict[str, str]:
    """What the picture of a lesson or beat shows, in both languages."""
    from scripts.studio.stage import lines_of

    lesson, lines = request.lesson, dict.fromkeys(LANGUAGES, "")
    if request.beat:
        lines = {each: lines_of(Piece(lesson), settings, each)[request.beat] for each in LANGUAGES}
    return {each: alternative_text(_told(lesson, settings, each), each, line) for each, line in lines.items()}


def _timing(played: "Lesson", start: int, stop: int) -> dict[str, Any]:
    """Rate, length, beats and captions of a part of a lesson, counted from its start."""
    inside = [span for span in played.spans if start <= span.start < stop]
    cues = [cue for cue in played.cues if start <= cue.start < stop]
    return {
        "fps": played.fps, "frames": stop - start,
        "beats": [{"beat": span.beat, "start": span.start - start, "stop": span.stop - start} for span in inside],
        "cues": [{"rows": cue.rows, "start": cue.start - start, "stop": cue.stop - start} for cue in cues],
    }  # fmt: skip


class GifInputs(inputs.FilmInputs):
    """What exported media of a lesson depend on: as a film, the settings of GIFs, and words of every language."""

    def __init__(self, lesson: str, settings: Settings, language: str) -> None:
        super().__init__(Piece(lesson), settings, language)
        own = (Path(__file__).resolve().with_name(f"{name}.py") for name in _OWN)
        self.code |= {path.relative_to(PROJECT).as_posix(): digest(path) for path in own}
        # The alternative text is there in every language.
        self.words |= {
            f"alternative text ({other})": _digest_of_words(lesson, settings, other)
            for other in LANGUAGES if other != language
        }  # fmt: skip

    def _configuration(self, keys: Iterable[str]) -> dict[str, Any]:
        film = super()._configuration(keys)
        gif = {key: value for key, value in self._settings.flat().items() if key.startswith("gif.")}
        return {k: v for k, v in film.items() if k not in ("render.quality", "render.captions")} | gif


def _told(lesson: str, settings: Settings, language: str) -> Words:
    """A lesson's words for the example of these settings."""
    return load_words(language, lesson).told_of(settings.example_for(language))


def _digest_of_words(lesson: str, settings: Settings, language: str) -> str:
    words = _told(lesson, settings, language)
    told = [words.title, words.alt, dict(words.say), settings.words(language)]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def gif_reasons(request: Request, settings: Settings, language: str) -> list[str]:
    """Why exported media must be made again."""
    folder = article_folder(settings, language)
    receipt = read_json(folder / f"{request.name}.receipt.json")
    if not isinstance(receipt, dict) or not isinstance(receipt.get("outputs"), dict):
        return ["missing output (never exported)"]
    before = receipt.get("inputs", {})
    now = GifInputs(request.lesson, settings, language).with_reads(
        before.get("configuration") or {}, before.get("numbers") or {}, before.get("lines") or {}
    )
    reasons = inputs.differences(before, now)
    if receipt.get("refused"):
        reasons.append(f"missing output (refused before: {', '.join(receipt['refused'])})")
    return reasons + inputs.output_reasons(folder, receipt["outputs"])


def exported(settings: Settings, language: str) -> list[Request]:
    """What has been exported in a language."""
    found = []
    for path in sorted(article_folder(settings, language).glob("*.receipt.json")):
        receipt = read_json(path)
        if isinstance(receipt, dict) and isinstance(receipt.get("lesson"), str):
            found.append(Request(receipt["lesson"], str(receipt.get("beat", ""))))
    return found


def _checked_seconds(path: Path, planned: float, frame: float) -> float:
    """How long a finished file lasts, which must be as planned: within 0.01 s, or half a frame of an MP4."""
    seconds = seconds_of(path)
    if abs(seconds - planned) > (frame / 2 if path.suffix == ".mp4" else 0.01) + 1e-9:
        raise ArticleError(f"{path.name}: expected {planned:.2f} s, found {seconds:.2f} s")
    if path.suffix == ".gif" and min(delays_of(path)) < 2:
        raise ArticleError(f"{path.name}: a frame lasts {min(delays_of(path))} cs, which browsers lengthen to 10 cs")
    return seconds
