"""Draw a few pictures of the kit; `tests/scenes/test_pictures.py` compares them with those that this writes."""

import platform
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import scripts.studio.plain_manim  # noqa: F401 - before manim is loaded

# isort: split
import cairo
import numpy as np
from manim import DOWN, RIGHT, UP, Group, Mobject, VGroup
from numpy.typing import NDArray
from PIL import Image

from mathcore.example import WorkedExample
from scenes.font_file import font_digest
from scenes.formats import current_format
from scenes.kit.clockwork import DialBank
from scenes.kit.figures import Detective, Lamp, Notebook, Thread
from scenes.kit.formula import formula
from scenes.kit.grid import Grid
from scenes.kit.heatmap import HeatMap
from scenes.kit.layout import Stage
from scenes.kit.text import BODY, TITLE, TextLine
from scenes.kit.theme import current_theme, use_theme
from scenes.kit.tokens import TokenRow
from scenes.kit.waveplot import WavePlot
from scenes.settings import PROJECT, Quality
from scripts.studio.console import out
from scripts.studio.files import write_json
from scripts.studio.renderer.camera import WholePathCamera
from scripts.studio.stage import manim_configured

FOLDER = PROJECT / "tests" / "scenes" / "pictures"
SIZE = Quality("picture", 426, 240, 15)
EXAMPLE = WorkedExample(("The", "tired", "cat", "sat"), d_model=8, n_heads=4)


def text() -> Mobject:
    words = TokenRow(("Hello", "注意", "été", "&<>"), 11)
    lines = VGroup(TextLine("Attention 注意力", TITLE, bold=True), words, TextLine("softmax: 0.12 + 0.88 = 1.00", BODY))
    return lines.arrange(DOWN, buff=0.8)


def formulas() -> Mobject:
    theme = current_theme()
    sources = ('op("softmax")(Q K^T / sqrt(d_"head")) V', "Q = X W_Q", 'd_"model" = sum_i d_i')
    colours = (theme.text, theme.query, theme.value)
    return VGroup(*(formula(s, 64, c) for s, c in zip(sources, colours, strict=True))).arrange(DOWN, buff=0.6)


def numbers() -> Mobject:
    head = EXAMPLE.heads[0]
    return Group(
        Grid(head.weights, fill="weight", size=44),
        Grid(head.q, fill="signed", size=44),
        HeatMap(EXAMPLE.heads[1].weights, 3, 3),
    ).arrange(RIGHT)


def team() -> Mobject:
    theme = current_theme()
    figures = VGroup(
        Detective(theme.head(0), captain=True), Detective(theme.head(1), magnifier=True),
        Notebook(theme.value, 1.4, 1.9), Lamp((0, 1, 0), (1, -2, 0), theme.head(2)),
    ).arrange(RIGHT, buff=0.9)  # fmt: skip
    threads = [
        Thread((-6, -3, 0), (6, -3 + j, 0), EXAMPLE.heads[0].weights.entry(2, j), theme.head(j)) for j in range(4)
    ]
    return VGroup(figures.shift(UP), *threads)


def waves() -> Mobject:
    plot = WavePlot(EXAMPLE.waves, EXAMPLE.words, current_format().stage)
    return VGroup(*plot.lanes, plot.axis, plot.hung, plot.reader().read(3))


def dials() -> Mobject:
    clock = EXAMPLE.clock
    bank = DialBank(clock.angles, clock.between).turn_to(5)
    Stage.of(current_format().stage).row(*bank.dials)
    return bank


PICTURES: dict[str, tuple[Callable[[], Mobject], str]] = {
    "text": (text, "light"),
    "formulas": (formulas, "dark"),
    "numbers": (numbers, "dark"),
    "team": (team, "light"),
    "waves": (waves, "dark"),
    "dials": (dials, "light"),
}
"""What is drawn, and in which theme."""


def drawn(name: str) -> NDArray[np.uint8]:
    """A picture, (height, width, 3)."""
    make, theme = PICTURES[name]
    with tempfile.TemporaryDirectory() as scratch, manim_configured(SIZE, Path(scratch)), use_theme(theme) as colours:
        camera = WholePathCamera(background_color=colours.background)
        camera.capture_mobjects([make()])
    return np.array(camera.pixel_array[..., :3], np.uint8)


def made_with() -> dict[str, str]:
    """Everything besides our code that draws."""
    packages = {name: version(name) for name in ("manim", "manimpango", "numpy", "pillow", "pycairo", "typst")}
    return {**packages, "cairo": cairo.cairo_version_string(), "font": font_digest(), "machine": platform.machine()}


def main() -> None:
    """Write every picture, and what it was drawn with."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    for name in PICTURES:
        Image.fromarray(drawn(name)).save(FOLDER / f"{name}.png", optimize=True)
        out.print(str(FOLDER / f"{name}.png"))
    write_json(FOLDER / "made_with.json", made_with())


if __name__ == "__main__":
    main()
