"""Render again what is stale, and say why."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.studio.unchanged import nothing_changed, remember

# Before anything else is loaded: mostly, nothing is stale.
if __name__ == "__main__" and "--explain" not in sys.argv and nothing_changed(sys.argv[1:]):
    print("nothing is stale")
    raise SystemExit(0)

from itertools import product
from typing import Any

import click

from scenes.font_file import font_files
from scenes.formats import FORMATS
from scenes.settings import LANGUAGES, NAMED_QUALITIES, Settings, SettingsError
from scripts.studio import article, render
from scripts.studio.console import FAILED, errors, leave, one_line_for_mistakes, out
from scripts.studio.exports import export_tasks
from scripts.studio.files import read_json
from scripts.studio.options import film_options, jobs_option, quality_option, settings_from, voice_option
from scripts.studio.pieces import LayoutError, Piece, film_folder, laid_out, lecture_name, lecture_pieces, told_drawn
from scripts.studio.sound.lexicon import SpeechError
from scripts.studio.sound.narrator import speak_first
from scripts.studio.sound.voice import why_silent
from scripts.studio.video import VideoError
from scripts.studio.workers import cores, run_tasks

EPILOG = """\b
Examples:
  regenerate.py              everything that was rendered or exported before and is stale now
  regenerate.py --dry-run    only say what is stale, and why
  regenerate.py --explain    say of every film and GIF why it is stale, or that it is up to date; compares all bytes
  regenerate.py --language zh
"""


def rendered_before(settings: Settings, languages: tuple[str, ...]) -> list[tuple[Settings, str]]:
    """The settings and language of every kind of film that stands in the output folder."""
    found = []
    for language in languages:
        for folder in sorted((settings.folder() / language).glob("*")):
            if not any(folder.glob("*.receipt.json")):
                continue
            shape = "phone" if folder.name.startswith("phone-") else "landscape"
            theme = "light" if folder.name.endswith("-light") else "dark"
            quality = folder.name.removeprefix(f"{shape}-").removesuffix(f"-{theme}")
            asked = quality if "x" not in quality else quality.replace("-", "@")
            try:
                kind = settings.with_overrides(format=shape, quality=asked, theme=theme)
            except SettingsError:
                # Article media, or a folder of the user's.
                continue
            if film_folder(kind, language) == folder:
                found.append((kind, language))
    return found


def lectures_before(settings: Settings, language: str) -> list[Settings]:
    """The settings of every lecture that was joined in their folder; without one, of the whole lecture."""
    found = []
    for path in sorted(film_folder(settings, language).glob("lecture*.receipt.json")):
        receipt = read_json(path)
        lessons = receipt.get("lessons") if isinstance(receipt, dict) else None
        if not isinstance(lessons, list):
            continue
        try:
            lecture = settings if path.name == "lecture.receipt.json" else settings.with_overrides(lessons=lessons)
        except SettingsError:
            # Of a lesson that there is no more.
            continue
        if path.name == f"{lecture_name(lecture)}.receipt.json":
            found.append(lecture)
    return found or [settings]


@click.command(epilog=EPILOG)
@click.option("--dry-run", is_flag=True, help="Say what is stale and why; render nothing.")
@click.option("--explain", is_flag=True, help="Say of each whether and why it is stale; render nothing.")
@quality_option
@film_options
@voice_option
@jobs_option
def main(dry_run: bool, explain: bool, config: Path | None, jobs: int | None, **options: Any) -> None:
    """Render again the films and GIFs that are stale: their code, words, numbers, configuration or versions
    changed, or an output is missing or damaged."""
    begun = time.time_ns()
    settings = settings_from(config, **options)
    languages = (settings.language,) if options.get("language") else LANGUAGES
    with one_line_for_mistakes(VideoError, LayoutError, SpeechError, article.ArticleError, OSError):
        films = rendered_before(settings, languages) or [(settings, settings.language)]
        stale, only_told, jobs = 0, dry_run or explain, jobs or cores()
        for kind, language in films:
            seen: set[Path] = set()
            for lecture in [kind] if options.get("lessons") else lectures_before(kind, language):
                stale += _films(laid_out(lecture)[0], language, only_told, explain, jobs, seen)
        for language, shape, theme in product(languages, FORMATS, ("dark", "light")):
            # Media have a size of their own, which any quality leaves alone.
            kind = settings.with_overrides(format=shape, quality=NAMED_QUALITIES[0], theme=theme)
            stale += _gifs(kind, language, only_told, explain, jobs)
        if not stale:
            out.print("nothing is stale")
        if not stale or not only_told:
            asked = [argument for argument in sys.argv[1:] if argument != "--explain"]
            remember(asked, settings.folder(), [*font_files(), *([config] if config else [])], begun)


def _films(settings: Settings, language: str, only_told: bool, explain: bool, jobs: int, seen: set[Path]) -> int:
    """Render a lecture's stale pieces and join it; returns how much was stale.

    `seen` are the receipts of pieces that were looked at before.
    """
    kind = film_folder(settings, language).relative_to(settings.folder()).as_posix()
    pieces, waiting = dict.fromkeys(lecture_pieces(settings.lecture.lessons)), []
    for piece in pieces:
        receipt = render.receipt_path(piece, settings, language)
        if receipt in seen:
            continue
        seen.add(receipt)
        reasons = render.stale_reasons(piece, settings, language)
        if reasons:
            waiting.append(piece)
        if reasons or explain:
            place = f"{receipt.parent.name}/" if piece.is_card and settings.lessons_chosen else ""
            out.print(f"{kind}/{place}{piece.name}: {'; '.join(reasons) or 'up to date'}")
    if not only_told:
        render.sweep_folders(pieces, settings, language)
    joining = [] if waiting else render.lecture_reasons(settings, language)
    for reason in joining:
        out.print(f"{kind}/{lecture_name(settings)}: {reason}")
    if not only_told and (waiting or joining):
        if waiting and (drawn := told_drawn(settings, language)):
            out.print(drawn)
        if waiting and (silent := why_silent(settings, language)):
            out.print(silent)
        speak_first(waiting, settings, language, jobs)
        outcome = run_tasks(render.film_tasks(waiting, settings, language), jobs, "rendering")
        if outcome.failures:
            for failure in outcome.failures:
                errors.print(str(failure))
            leave(FAILED)
        out.print(f"film: {render.make_lecture(settings, language)}")
    return len(waiting) + len(joining)


def _gifs(settings: Settings, language: str, only_told: bool, explain: bool, jobs: int) -> int:
    waiting: dict[str, list[article.Request]] = {}
    folder = article.article_folder(settings, language)
    for request in article.exported(settings, language):
        reasons = article.gif_reasons(request, settings, language)
        if reasons:
            waiting.setdefault(request.lesson, []).append(request)
        if reasons or explain:
            out.print(f"{folder.relative_to(settings.folder())}/{request.name}: {'; '.join(reasons) or 'up to date'}")
    if not only_told and waiting:
        speak_first(map(Piece, waiting), settings, language, jobs)
        outcome = run_tasks(export_tasks(waiting, settings, language), jobs, "drawing")
        for exported in outcome.results.values():
            for media in exported.media:
                out.print(media.told())
        refused = [exported.refused for exported in outcome.results.values() if exported.refused]
        refused += map(str, outcome.failures)
        if refused:
            raise article.ArticleError("\n".join(refused))
    return sum(map(len, waiting.values()))


if __name__ == "__main__":
    main()
