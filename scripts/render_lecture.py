"""Render lessons and join them into the lecture film."""

import sys
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scenes.words import load_words
from scripts.studio.console import one_line_for_mistakes, out, progress_of
from scripts.studio.encode import EncodeError
from scripts.studio.inputs import film_folder, lecture_pieces
from scripts.studio.options import film_options, lesson_help, quality_option, settings_from
from scripts.studio.render import lecture_reasons, make_film, make_lecture, stale_reasons

EPILOG = """\b
Examples:
  render_lecture.py                                 the whole film, as media_config.yaml says
  render_lecture.py --language zh --quality 1080p30
  render_lecture.py qkv clock                       a film of two lessons
  render_lecture.py --sentence "dog bites man" --out /tmp/mine

""" + lesson_help()


@click.command(epilog=EPILOG)
@click.argument("chosen", nargs=-1, metavar="[LESSON ...]")
@quality_option
@film_options
@click.option("--force", is_flag=True, help="Render even what is up to date.")
def main(chosen: tuple[str, ...], config: Path | None, force: bool, **options: Any) -> None:
    """Render lesson films with captions, poster and ledger, and the joined lecture with chapters.

    What is up to date is kept, so an interrupted run goes on where it stopped.
    """
    from scenes.kit.text import FontError

    if chosen:
        options["lessons"] = ",".join((options["lessons"] or "", *chosen))
    settings = settings_from(config, **options)
    language = settings.language
    with one_line_for_mistakes(EncodeError, FontError, OSError):
        pieces = lecture_pieces(settings.lecture.lessons)
        waiting = [piece for piece in pieces if force or stale_reasons(piece, settings, language)]
        weights = {p.name: float(sum(map(len, load_words(language, p.lesson).say.values()))) for p in waiting}
        with progress_of(weights, "rendering") as tell:
            for piece in waiting:
                make_film(piece, settings, language, tell)
        if any(piece.lesson == "searchlights" for piece in waiting) and language == "en":
            # In another language the film itself says that the trained model reads English only.
            reason = settings.example_for(language).trained_reason
            if reason:
                out.print(f"searchlights shows the stored sentence: {reason}")
        if lecture_reasons(settings, language):
            make_lecture(settings, language)
        out.print(f"{len(waiting)} of {len(pieces)} pieces rendered, {len(pieces) - len(waiting)} were up to date")
        out.print(f"film: {film_folder(settings, language) / 'lecture.mp4'}")


if __name__ == "__main__":
    main()
