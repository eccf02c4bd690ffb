"""What figures hold, painted around the hand at (0, 0): each stands for one thing, and has its colour.

A magnifier or notebook asks (query), a tag is what a word is found by (key), a slip is what it tells (value).
"""

from collections.abc import Callable

from scenes.kit.sheet import Light, Sheet, box, curve, disc, limb, slab
from scenes.kit.theme import DARK

Painter = Callable[[Sheet, Light, str], None]
_WOOD, _METAL, _PAPER, _INK = "#6B4632", "#C9C3B4", "#F6EDD8", "#2A2335"


def _magnifier(sheet: Sheet, light: Light, band: str) -> None:
    sheet.lit(limb(curve((0, -0.2), (0, 0.3)), 0.15), _WOOD, light, rim=0.03, shade=0.05)
    sheet.lit(disc(0, 0.66, 0.38), DARK.query, light, rim=0.04, shade=0.06)
    sheet.fill(disc(0, 0.66, 0.29), light.base("#CFE3EE"))
    sheet.fill(limb(curve((-0.17, 0.7), (-0.12, 0.83), (0.03, 0.86)), 0.05), "#FFFFFF", 0.9)


def _notebook(sheet: Sheet, light: Light, band: str) -> None:
    sheet.fill(box(-0.33, -0.5, 0.43, 0.46, 0.07), light.shade(band))
    sheet.lit(box(-0.38, -0.45, 0.38, 0.51, 0.07), band, light, rim=0.04, shade=0.08)
    sheet.fill(box(-0.38, -0.45, -0.24, 0.51, 0.05), light.shade(band))
    sheet.fill(box(-0.12, 0.14, 0.26, 0.34, 0.03), light.base(_PAPER))


def _tag(sheet: Sheet, light: Light, band: str) -> None:
    sheet.ring(disc(0, 0.06, 0.19), disc(0, 0.06, 0.13), light.base(_METAL))
    sheet.lit(
        slab((-0.3, -1.06), (0.3, -1.06), (0.3, -0.3), (0.14, -0.06), (-0.14, -0.06), (-0.3, -0.3), radius=0.06),
        DARK.key, light, rim=0.04, shade=0.07,
    )  # fmt: skip
    sheet.fill(disc(0, -0.22, 0.075), light.base(_INK))
    for y, x in ((-0.54, 0.17), (-0.76, 0.06)):
        sheet.fill(limb(curve((-0.17, y), (x, y)), 0.06), light.shade("#7A2E1C"))


def _slip(sheet: Sheet, light: Light, band: str) -> None:
    paper = slab((-0.12, -0.16), (0.92, -0.16), (0.92, 0.3), (0.76, 0.46), (-0.12, 0.46), radius=0.04)
    sheet.lit(paper, DARK.value, light, rim=0.04, shade=0.06)
    sheet.fill(slab((0.92, 0.3), (0.76, 0.46), (0.76, 0.3)), light.shade(DARK.value))
    for y, x in ((0.27, 0.56), (0.1, 0.72), (-0.04, 0.4)):
        sheet.fill(limb(curve((0.06, y), (x, y)), 0.055), light.shade("#4B3A92"))


def _lamp(sheet: Sheet, light: Light, band: str) -> None:
    sheet.lit(limb(curve((-0.42, 0), (0.42, 0)), 0.22), "#4A5270", light, rim=0.03, shade=0.06)
    sheet.lit(slab((0.34, -0.13), (0.34, 0.13), (0.74, 0.27), (0.74, -0.27), radius=0.03), "#5B6486", light, shade=0.08)
    sheet.fill(box(0.7, -0.29, 0.82, 0.29, 0.05), light.base(band))
    sheet.fill(disc(-0.06, 0.11, 0.06), light.base(band))


def _ticket(sheet: Sheet, light: Light, band: str) -> None:
    sheet.lit(box(-0.1, -0.24, 0.86, 0.28, 0.05), _PAPER, light, rim=0.03, shade=0.05)
    for x in (-0.1, 0.86):
        sheet.fill(disc(x, 0.02, 0.08), light.shade("#6E5A52"))
    for y in (-0.16, -0.04, 0.08, 0.2):
        sheet.fill(disc(0.56, y, 0.025), light.shade(_PAPER))
    for y, x in ((0.12, 0.42), (-0.06, 0.3)):
        sheet.fill(limb(curve((0.08, y), (x, y)), 0.06), light.base(_INK))


def _pen(sheet: Sheet, light: Light, band: str) -> None:
    sheet.lit(limb(curve((0.05, 0.5), (0, -0.1)), 0.1, 0.09), "#3A4266", light, rim=0.03, shade=0.03)
    sheet.fill(slab((-0.05, -0.1), (0.05, -0.1), (-0.02, -0.3)), light.base(_PAPER))


HELD: dict[str, Painter] = {
    "magnifier": _magnifier, "notebook": _notebook, "tag": _tag, "slip": _slip, "lamp": _lamp, "ticket": _ticket,
    "pen": _pen,
}  # fmt: skip
# The middle of what is looked at through, read from or shown, from the hand that holds it.
MIDDLES = {"magnifier": (0.0, 0.66), "notebook": (0.0, 0.03), "tag": (0.0, -0.56), "slip": (0.4, 0.15),
           "lamp": (0.82, 0.0), "ticket": (0.36, 0.02), "pen": (-0.02, -0.3)}  # fmt: skip
# The radius of a magnifier's glass.
GLASS = 0.29
