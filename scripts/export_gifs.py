"""Export lessons, or single beats, as GIF, AVIF, WebP and MP4 for articles."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scenes.lessons import LESSONS
from scenes.settings import Settings
from scenes.strict_yaml import unknown
from scenes.words import load_words
from scripts.studio import article
from scripts.studio.console import FAILED, MISUSED, errors, one_line_for_mistakes, out
from scripts.studio.exports import export_tasks
from scripts.studio.options import film_options, jobs_option, lesson_help, settings_from, voice_option
from scripts.studio.pieces import LayoutError, Piece, laid_out, told_drawn, told_left_out
from scripts.studio.sound.lexicon import SpeechError
from scripts.studio.sound.narrator import speak_first
from scripts.studio.sound.voice import voice_of
from scripts.studio.workers import cores, run_tasks


@dataclass(frozen=True)
class Preset:
    """Settings for a place where the media are to stand, and what must be known there."""

    settings: dict[str, Any]
    about: str
    # Bytes above which a file is said to be shown only in some places.
    said_above: float = 0


PRESETS = {
    "github": Preset(
        {"max_mb": 10}, "10 MB, the limit of an upload; above 5 MB image proxies show nothing", 5 * article.MEGABYTE
    ),
    "wechat": Preset({"max_mb": 5, "max_frames": 300, "width": 640, "fps": 12}, "5 MB, 300 frames, 640 px, 12 fps"),
    "bilibili": Preset({"max_mb": 5, "width": 640, "fps": 15}, "5 MB, 640 px, 15 fps"),
    "blog": Preset({"max_mb": 2, "kinds": "gif,avif,mp4"}, "GIF, AVIF and MP4 of 2 MB each"),
}

EPILOG = f"""\b
Examples:
  export_gifs.py                        every lesson of the lecture
  export_gifs.py clock                  one lesson
  export_gifs.py qkv:one_cell clock:shift --max-mb 2
  export_gifs.py waves --width 640 --fps 12 --language zh
  export_gifs.py waves --kinds gif,avif,webp,mp4
  export_gifs.py clock --preset wechat --fps 10
  export_gifs.py qkv --format phone

\b
Kinds:
  gif   one palette over all frames, no dither; every browser and app
  avif  full colour resolution, animated; browsers since 2022 to 2024; plays for ever
  webp  lossless, every pixel as drawn; browsers since 2020
  mp4   H.264, yuv420p, its index first, with the poster beside it; colours have half the resolution, so
        columns of one or two pixels keep theirs only in the other kinds

\b
Presets (an option on the command line wins):
{chr(10).join(f"  {name:<10}{preset.about}" for name, preset in PRESETS.items())}

Over the budget, frame rate is lowered first, then size, then colours (or quality); what was chosen is printed.

{lesson_help()}"""


def _requests(wanted: tuple[str, ...], settings: Settings) -> dict[str, list[article.Request]]:
    """The requests by lesson. Exits with a line for a lesson or beat that there is not."""
    grouped: dict[str, list[article.Request]] = {}
    for text in wanted or settings.lecture.lessons:
        lesson, _, beat = text.partition(":")
        if lesson not in LESSONS:
            errors.print(f"{text}: {unknown('lesson', lesson, LESSONS)}")
            sys.exit(MISUSED)
        beats = tuple(load_words(settings.language, lesson).say)
        if beat and beat not in beats:
            errors.print(f"{text}: {unknown(f'beat of {lesson}', beat, beats)}")
            sys.exit(MISUSED)
        grouped.setdefault(lesson, []).append(article.Request(lesson, beat))
    return grouped


def _tell(media: article.Media, preset: Preset | None) -> None:
    out.print(media.told())
    notes = list(media.notes)
    if preset and preset.said_above and media.size > preset.said_above and media.kind != "mp4":
        notes.append(f"above {preset.said_above / article.MEGABYTE:g} MB: {preset.about}")
    for note in notes:
        out.print(f"  {note}")


@click.command(epilog=EPILOG)
@click.argument("wanted", nargs=-1, metavar="[LESSON[:BEAT] ...]")
@film_options
@voice_option
@jobs_option
@click.option("--kinds", metavar="A,B", help="gif, webp, avif, mp4: one or more; default: media_config.yaml.")
@click.option("--preset", type=click.Choice(list(PRESETS)), help="Limits of a place; see below.")
@click.option("--max-mb", type=float, help="Megabytes (of 1,000,000 bytes) that one file may have.")
@click.option("--max-frames", type=int, help="Frames that one file may have; 0: any number.")
@click.option("--width", type=int, help="Pixels; the height follows from the format.")
@click.option("--fps", type=int, help="Frames a second, 1 to 50.")
@click.option("--hold-last", type=float, metavar="SECONDS", help="How long the finished picture stays, in addition.")
@click.option("--loops", type=int, help="How often it plays; 0: for ever.")
@click.option("--force", is_flag=True, help="Export even what is up to date.")
def main(
    wanted: tuple[str, ...],
    config: Path | None,
    kinds: str | None,
    preset: str | None,
    force: bool,
    jobs: int | None,
    **options: Any,
) -> None:
    """Export article media from raw frames, each with a poster, alternative text in both languages, and snippets."""
    said = {key: value for key, value in {**options, "kinds": kinds}.items() if value is not None}
    chosen = PRESETS[preset] if preset else None
    settings = settings_from(config, **{**(chosen.settings if chosen else {}), **said})
    language = settings.language
    missing = article.tools_missing(settings.gif.kinds)
    if missing:
        errors.print(f"not installed: {', '.join(missing)}; install what is missing: make setup")
        sys.exit(FAILED)
    with one_line_for_mistakes(article.ArticleError, LayoutError, SpeechError, OSError):
        requested = _requests(wanted, settings)
        chosen_lessons, left_out = laid_out(settings.with_overrides(lessons=list(requested)))
        if left_out:
            out.print(told_left_out(left_out, settings.render.format))
        grouped = {lesson: requested[lesson] for lesson in chosen_lessons.lecture.lessons}
        stale = {
            lesson: [r for r in requests if force or article.gif_reasons(r, settings, language)]
            for lesson, requests in grouped.items()
        }
        waiting = {lesson: requests for lesson, requests in stale.items() if requests}
        if waiting and (drawn := told_drawn(settings, language)):
            out.print(drawn)
        if waiting and voice_of(settings, language) is not None:
            out.print("timed as the narrated film; article media have no sound")
            speak_first(map(Piece, waiting), settings, language, jobs or cores())
        outcome = run_tasks(export_tasks(waiting, settings, language), jobs or cores(), "drawing")
        for exported in outcome.results.values():
            for media in exported.media:
                _tell(media, chosen)
        refused = [exported.refused for exported in outcome.results.values() if exported.refused]
        refused += map(str, outcome.failures)
        if refused:
            raise article.ArticleError("\n".join(refused))
        if not waiting:
            out.print(f"all up to date in {article.article_folder(settings, language)}")


if __name__ == "__main__":
    main()
