"""Export lessons, or single beats, as GIFs for articles."""

import sys
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scenes.settings import LESSONS, Settings
from scenes.words import load_words
from scripts.studio import article
from scripts.studio.console import MISUSED, errors, one_line_for_mistakes, out, progress_of
from scripts.studio.options import film_options, lesson_help, settings_from

EPILOG = """\b
Examples:
  export_gifs.py                        every lesson of the lecture
  export_gifs.py clock                  one lesson
  export_gifs.py qkv:one_cell clock:shift --max-mb 2
  export_gifs.py waves --width 640 --fps 12 --language zh

""" + lesson_help()


def _requests(wanted: tuple[str, ...], settings: Settings) -> dict[str, list[article.Request]]:
    """The requests by lesson. Exits with a line for a lesson or beat that there is not."""
    grouped: dict[str, list[article.Request]] = {}
    for text in wanted or settings.lecture.lessons:
        lesson, _, beat = text.partition(":")
        if lesson not in LESSONS:
            errors.print(f"{text}: there is no lesson {lesson!r}; write one of {', '.join(LESSONS)}")
            sys.exit(MISUSED)
        beats = tuple(load_words(settings.language, lesson).say)
        if beat and beat not in beats:
            errors.print(f"{text}: lesson {lesson} has no beat {beat!r}; write one of {', '.join(beats)}")
            sys.exit(MISUSED)
        grouped.setdefault(lesson, []).append(article.Request(lesson, beat))
    return grouped


@click.command(epilog=EPILOG)
@click.argument("wanted", nargs=-1, metavar="[LESSON[:BEAT] ...]")
@film_options
@click.option("--max-mb", type=float, help="Megabytes (of 1,000,000 bytes) that one GIF may have.")
@click.option("--width", type=int, help="Pixels; the height follows, 16:9.")
@click.option("--fps", type=int, help="Frames a second, 1 to 50.")
@click.option("--force", is_flag=True, help="Export even what is up to date.")
def main(
    wanted: tuple[str, ...],
    config: Path | None,
    max_mb: float | None,
    width: int | None,
    fps: int | None,
    force: bool,
    **options: Any,
) -> None:
    """Export GIFs from raw frames, each with a poster, alternative text in both languages, and what to paste."""
    from scenes.kit.text import FontError

    settings = settings_from(config, max_mb=max_mb, width=width, fps=fps, **options)
    language = settings.language
    grouped = _requests(wanted, settings)
    missing = article.tools_missing()
    if missing:
        errors.print(f"not installed: {', '.join(missing)}; `make setup` installs what is missing")
        sys.exit(1)
    with one_line_for_mistakes(article.ArticleError, FontError, OSError):
        stale = {
            lesson: [r for r in requests if force or article.gif_reasons(r, settings, language)]
            for lesson, requests in grouped.items()
        }
        waiting = {lesson: requests for lesson, requests in stale.items() if requests}
        with progress_of(dict.fromkeys(waiting, 1.0), "drawing") as tell:
            for lesson, requests in waiting.items():
                for gif in article.export(lesson, requests, settings, language, tell):
                    look = gif.look
                    out.print(
                        f"{gif.path}: {gif.size / article.MEGABYTE:.2f} MB, {gif.seconds:.2f} s, "
                        f"{look.width}x{look.height}, {look.fps} fps, {look.colours} colours"
                    )
        if not waiting:
            out.print(f"all up to date in {article.article_folder(settings, language)}")


if __name__ == "__main__":
    main()
