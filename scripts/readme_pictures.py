"""Make the README's pictures from the English film's posters, which must be rendered and up to date."""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PIL import Image

from scenes.settings import PROJECT
from scripts.studio.console import FAILED, errors, out
from scripts.studio.options import film_options, quality_option, settings_from
from scripts.studio.pieces import Piece, film_folder
from scripts.studio.render import stale_reasons

WIDTH, COLOURS = 640, 128


@click.command()
@quality_option
@film_options
def main(config: Path | None, **options: str | None) -> None:
    """Write docs/pictures/LESSON.png, small and with few colours, one a lesson."""
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
        small.quantize(COLOURS, dither=Image.Dither.NONE).save(folder / f"{lesson}.png", optimize=True)
        out.print(f"{folder / lesson}.png")


if __name__ == "__main__":
    main()
