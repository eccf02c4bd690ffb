"""Make the README's pictures: posters of the English film, which must be rendered and up to date, and two GIFs."""

import shutil
import sys
import tempfile
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PIL import Image

from scenes.settings import PROJECT, Settings
from scripts.studio import article
from scripts.studio.console import FAILED, errors, one_line_for_mistakes, out
from scripts.studio.options import film_options, quality_option, settings_from
from scripts.studio.pieces import Piece, film_folder
from scripts.studio.render import stale_reasons

WIDTH, COLOURS = 640, 256
# The beats that are shown moving, and what one of them may weigh.
MOVING = (article.Request("briefing", "match"), article.Request("clock", "shift"))
FPS, MAX_MB = 15, 0.6


@click.command()
@quality_option
@film_options
def main(config: Path | None, **options: str | None) -> None:
    """Write docs/pictures/LESSON.png, small and with few colours, one a lesson, and LESSON-BEAT.gif of two beats."""
    settings = settings_from(config, **options)
    folder = PROJECT / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for lesson in settings.lecture.lessons:
        reasons = stale_reasons(Piece(lesson), settings, settings.language)
        if reasons:
            errors.print(f"{lesson}: {'; '.join(reasons)}; first run make lecture with the same options")
            sys.exit(FAILED)
        with Image.open(film_folder(settings, settings.language) / f"{lesson}.png") as poster:
            small = poster.convert("RGB").resize((WIDTH, WIDTH * 9 // 16), Image.Resampling.LANCZOS)
        # Rare colours, such as those of a hat-band, are kept.
        palette = small.quantize(COLOURS, Image.Quantize.MAXCOVERAGE)
        small.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(
            folder / f"{lesson}.png", optimize=True
        )
        out.print(f"{folder / lesson}.png")
    with one_line_for_mistakes(article.ArticleError, OSError):
        _export_gifs(settings, folder)


def _export_gifs(settings: Settings, folder: Path) -> None:
    """Export the moving beats as `export_gifs.py` does, and put the GIFs alone into a folder."""
    with tempfile.TemporaryDirectory() as scratch:
        small = settings.with_overrides(width=WIDTH, fps=FPS, max_mb=MAX_MB, kinds=["gif"], voice="silent", out=scratch)
        for request in MOVING:
            for media in article.export(request.lesson, [request], small, small.language):
                target = folder / f"{request.lesson}-{request.beat}.gif"
                shutil.copyfile(media.path, target)
                out.print(f"{target}: {media.size / article.MEGABYTE:.2f} MB")


if __name__ == "__main__":
    main()
