"""Render lessons and join them into the lecture film."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scenes.settings import Settings
from scripts.studio.cluster import ClusterError, run_on_cluster
from scripts.studio.console import FAILED, errors, leave, one_line_for_mistakes, out
from scripts.studio.files import read_json
from scripts.studio.options import (
    burn_option,
    film_options,
    jobs_option,
    lesson_help,
    manner_options,
    quality_option,
    scheduler_option,
    settings_from,
    voice_option,
)
from scripts.studio.pieces import (
    LayoutError,
    Piece,
    film_folder,
    laid_out,
    lecture_name,
    lecture_pieces,
    told_drawn,
    told_left_out,
)
from scripts.studio.render import RenderOptions, film_tasks, lecture_reasons, make_lecture, stale_reasons, sweep_folders
from scripts.studio.sound.lexicon import SpeechError
from scripts.studio.sound.narrator import speak_first
from scripts.studio.sound.voice import why_silent
from scripts.studio.video import VideoError
from scripts.studio.workers import cores, run_tasks

# Settings that change a film, and not where it is put.
_SEEN = ("example.", "narration.", "render.captions", "render.hold", "render.reading_speed", "lecture.title")
EPILOG = """\b
Examples:
  render_lecture.py                                 the whole film, as media_config.yaml says
  render_lecture.py --language zh --quality 1080p30
  render_lecture.py --format phone --quality 1080p30
  render_lecture.py --voice silent                  a draft that goes by reading time
  render_lecture.py --scheduler tcp://host:8786     on other machines
  render_lecture.py qkv clock                       a film of two lessons, lecture-qkv-clock.mp4
  render_lecture.py --sentence "dog bites man" --out /tmp/mine

""" + lesson_help()


@click.command(epilog=EPILOG)
@click.argument("chosen", nargs=-1, metavar="[LESSON ...]")
@quality_option
@film_options
@voice_option
@burn_option
@jobs_option
@scheduler_option
@manner_options
@click.option("--force", is_flag=True, help="Render even what is up to date.")
def main(
    chosen: tuple[str, ...],
    config: Path | None,
    force: bool,
    jobs: int | None,
    scheduler: str | None,
    patience: float,
    stock: bool,
    variable_frame_rate: bool,
    **options: Any,
) -> None:
    """Render lesson films with captions, poster and ledger, and the joined lecture with chapters.

    What is up to date is kept, so an interrupted run goes on where it stopped.
    """
    if chosen:
        options["lessons"] = ",".join((options["lessons"] or "", *chosen))
    settings = settings_from(config, **options)
    language, shape = settings.language, settings.render.format
    render_options = RenderOptions(stock=stock, variable=variable_frame_rate)
    with one_line_for_mistakes(ClusterError, VideoError, LayoutError, SpeechError, OSError):
        settings, left_out = laid_out(settings)
        if left_out:
            out.print(told_left_out(left_out, shape))
        # A chapter's card may be shown several times.
        pieces = list(dict.fromkeys(lecture_pieces(settings.lecture.lessons)))
        sweep_folders(pieces, settings, language)
        waiting = [piece for piece in pieces if force or stale_reasons(piece, settings, language, render_options)]
        if replaced := _made_otherwise(waiting, settings, language):
            out.print(f"replacing films in {film_folder(settings, language)} (--out keeps both): {replaced}")
        if waiting and (drawn := told_drawn(settings, language)):
            out.print(drawn)
        if waiting and (silent := why_silent(settings, language)):
            out.print(silent)
        if not scheduler:
            speak_first(waiting, settings, language, jobs or cores())
        if scheduler:
            outcome = run_on_cluster(scheduler, waiting, settings, language, render_options, patience=patience)
        else:
            outcome = run_tasks(film_tasks(waiting, settings, language, render_options), jobs or cores(), "rendering")
        if outcome.failures:
            for failure in outcome.failures:
                errors.print(str(failure))
            leave(FAILED)
        if lecture_reasons(settings, language):
            make_lecture(settings, language)
        out.print(f"{len(waiting)} of {len(pieces)} pieces rendered, {len(pieces) - len(waiting)} were up to date")
        out.print(f"film: {film_folder(settings, language) / lecture_name(settings)}.mp4")


def _made_otherwise(waiting: Iterable[Piece], settings: Settings, language: str) -> str:
    """How the settings differ that the lectures in place of these pieces were made with; empty if they do not."""
    lessons, now = {piece.lesson for piece in waiting}, settings.flat()
    for path in sorted(film_folder(settings, language).glob("lecture*.receipt.json")):
        receipt = read_json(path)
        before = receipt.get("configuration") if isinstance(receipt, dict) else None
        if isinstance(before, dict) and lessons.intersection(receipt.get("lessons") or ()):
            kept = (key for key in before.keys() & now if key.startswith(_SEEN) and before[key] != now[key])
            if told := ", ".join(f"{key}: {before[key]} -> {now[key]}" for key in sorted(kept)):
                return told
    return ""


if __name__ == "__main__":
    main()
