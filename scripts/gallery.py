"""Draw every verb, mark and figure that a lesson can use, each with what it is for, on a page of pictures."""

import html
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import click
import numpy as np
from manim import ManimColor
from numpy.typing import NDArray
from PIL import Image

from scenes.formats import FORMATS, LANDSCAPE
from scenes.kit.layout import Stage
from scenes.kit.theme import use_theme
from scenes.kit.verbs import Verbs
from scenes.settings import Quality
from scripts.studio import console
from scripts.studio.files import work_folder, write_text
from scripts.studio.gallery import GALLERY, STAGE, THINGS, WAYS, Entry
from scripts.studio.options import settings_from
from scripts.studio.renderer.camera import WholePathCamera, framed
from scripts.studio.renderer.film import StudioRenderer
from scripts.studio.stage import manim_configured

Frame = NDArray[np.uint8]
# The shorter side of a picture, and frames a second and pictures of what moves.
SIDE, RATE, MOMENTS = 270, 10, 3


class _Moments:
    """A sink that keeps every frame."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def write(self, frame: Frame, repeat: int) -> None:
        self.frames.append(np.array(frame[..., :3]))


def pictures_of(entry: Entry, shape: str, theme: str) -> list[Frame]:
    """The picture of an entry in a format and theme; of what moves, a few from its first to its last."""
    quality = Quality("gallery", *FORMATS[shape].size(SIDE), RATE, shape)
    with (
        tempfile.TemporaryDirectory() as scratch,
        manim_configured(quality, Path(scratch)),
        use_theme(theme) as colours,
    ):
        stage = Stage.of(FORMATS[shape].stage)
        if not entry.moves:
            camera = framed(WholePathCamera(background_color=colours.background))
            camera.capture_mobjects([entry.draw(stage)])
            return [np.array(camera.pixel_array[..., :3])]
        moments = _Moments()
        renderer = StudioRenderer((moments,))
        renderer.camera.background_color = ManimColor(colours.background)
        entry.draw(Verbs(renderer=renderer), stage)
        last = len(moments.frames) - 1
        return [moments.frames[round(last * k / (MOMENTS - 1))] for k in range(MOMENTS)]


def page(entries: dict[str, list[tuple[Entry, list[str]]]]) -> str:
    """The page: a section for each group, and for each entry its name, what it is for, and its pictures."""
    sections = []
    for title, listed in entries.items():
        items = "".join(
            f"<article><h3><code>{html.escape(entry.name)}</code></h3><p>{html.escape(entry.about)}</p>"
            + "".join(f'<img src="{name}" alt="" loading="lazy">' for name in names)
            + "</article>\n"
            for entry, names in listed
        )
        sections.append(f"<section><h2>{html.escape(title)}</h2>\n{items}</section>\n")
    style = (
        "body{font:16px/1.4 sans-serif;margin:2em;max-width:110em}"
        "img{height:170px;margin:0 6px 6px 0;vertical-align:top}"
        "section{display:grid;grid-template-columns:repeat(auto-fill,minmax(34em,1fr));gap:1em 2em}"
        "h2{grid-column:1/-1;margin-bottom:0}h3{margin:.6em 0 0}p{margin:.2em 0 .5em}"
    )
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Gallery of the kit</title>\n'
        f"<style>{style}</style>\n<h1>What a lesson can use</h1>\n{''.join(sections)}</html>\n"
    )


@click.command()
@click.option("--out", metavar="DIR", help="The output folder; the gallery goes into gallery/ inside it.")
@click.option("--theme", type=click.Choice(["dark", "light"]), default="dark", show_default=True, help="The colours.")
def main(out: str | None, theme: str) -> None:
    """Write a picture of every verb, mark and figure in each format, and an index.html that shows them."""
    folder = settings_from(None, out=out).folder() / "gallery"
    with console.one_line_for_mistakes(OSError), work_folder(folder) as work:
        listed: dict[str, list[tuple[Entry, list[str]]]] = {}
        for number, entry in enumerate(GALLERY):
            names = []
            for shape in FORMATS if entry.page in (STAGE, THINGS, WAYS) else (LANDSCAPE.name,):
                for k, picture in enumerate(pictures_of(entry, shape, theme)):
                    names.append(f"{number:02}-{shape}-{k}.png")
                    Image.fromarray(picture).save(work / names[-1], optimize=True)
            listed.setdefault(entry.page, []).append((entry, names))
        for old in folder.glob("*.png"):
            old.unlink()
        for path in work.glob("*.png"):
            path.replace(folder / path.name)
        write_text(folder / "index.html", page(listed))
    console.out.print(f"{len(GALLERY)} entries: {folder / 'index.html'}")


if __name__ == "__main__":
    main()
