"""Parts of scenes that rooms and yards share: a window on a town at night, shelves, lamps, and what is far away."""

from math import atan2, pi
from random import Random

from scenes.kit.sheet import Light, Point, Sheet, box, curve, disc, ellipse, limb, mirrored, moved, slab
from scenes.kit.theme import mix

# The night: walls, sky from the top to the horizon, and what the lamp makes of them.
WALL, SKY_HIGH, SKY_LOW, TOWN, PANE = "#1E1932", "#16264E", "#2F4C7C", "#121A36", "#E8C58A"
WALL_GLOW, LAMP_LIGHT, CONE = "#8A5646", "#FFF4DC", "#FFE3B3"
WOOD, WOOD_LIT, WOOD_EDGE, MOON = "#3A2622", "#D8935A", "#4B2F28", "#DDE6F2"
DEEP, COLD = "#0B0B18", "#6F9AD6"


def stars(sheet: Sheet, left: float, bottom: float, right: float, top: float, count: int, seed: int) -> None:
    """So many stars, the same ones each time."""
    random = Random(seed)
    for _ in range(count):
        x, y = random.uniform(left, right), random.uniform(bottom, top)
        sheet.fill(disc(x, y, random.uniform(0.012, 0.03)), "#C9D8EE", random.uniform(0.35, 0.9))


def moon(sheet: Sheet, x: float, y: float, radius: float, sky: str) -> None:
    """A crescent; `sky` is the colour behind it."""
    sheet.glow(x, y, 3.2 * radius, 3.2 * radius, MOON, 0.22)
    with sheet.within(disc(x, y, radius)):
        sheet.fill(disc(x, y, radius), MOON)
        sheet.fill(disc(x - 0.38 * radius, y + 0.2 * radius, 0.92 * radius), sky)


def houses(sheet: Sheet, left: float, right: float, floor: float, low: float, high: float, seed: int) -> None:
    """Roofs in front of the sky, some with a light."""
    random, x, k = Random(seed), left, 0
    while x < right:
        width, height = random.uniform(0.36, 0.78), random.uniform(low, high)
        sheet.fill(box(x, floor, min(x + width, right), floor + height), TOWN)
        if k % 2 == 0 and x + 0.3 < right:
            pane = box(x + 0.12, floor + height - 0.3, x + 0.22, floor + height - 0.16)
            sheet.fill(pane, PANE, 0.75)
        x, k = x + width, k + 1


def window(sheet: Sheet, x: float, y: float, width: float, height: float) -> None:
    """A window around (x, y): sky, moon, town and a sill."""
    frame, half, up = "#2C2136", width / 2, height / 2
    sheet.fill(box(x - half - 0.14, y - up - 0.14, x + half + 0.14, y + up + 0.14, 0.05), frame)
    pane = box(x - half, y - up, x + half, y + up)
    with sheet.within(pane):
        sheet.graded(pane, (0, SKY_HIGH, 1), (1, SKY_LOW, 1), start=(x, y + up), stop=(x, y - up))
        stars(sheet, x - half, y - 0.1 * up, x + half, y + up, 12, 4)
        moon(sheet, x + 0.24 * width, y + 0.22 * height, 0.15 * height, mix(SKY_HIGH, SKY_LOW, 0.28))
        houses(sheet, x - half, x + half, y - up, 0.2 * height, 0.44 * height, 9)
    sheet.fill(box(x - 0.05, y - up, x + 0.05, y + up), frame)
    sheet.fill(box(x - half, y - 0.05, x + half, y + 0.05), frame)
    sheet.fill(box(x - half - 0.3, y - up - 0.26, x + half + 0.3, y - up - 0.1, 0.04), "#3A2C42")


def shelf(sheet: Sheet, x: float, y: float, width: float, dark: float = 0.5) -> None:
    """Files on a board that begins at (x, y)."""
    random, at = Random(2), x
    spines = ("#6B4A44", "#544058", "#7A5A48", "#463A58", "#5E4450", "#80644E")
    while at < x + width - 0.2:
        wide, high = random.uniform(0.16, 0.3), random.uniform(0.55, 0.85)
        colour = mix(random.choice(spines), WALL, dark)
        sheet.fill(box(at, y, at + wide, y + high, 0.02), colour)
        sheet.fill(box(at + 0.03, y + high - 0.2, at + wide - 0.03, y + high - 0.13), mix(colour, CONE, 0.25))
        at += wide + 0.025
    sheet.fill(box(x - 0.15, y - 0.12, x + width + 0.15, y, 0.02), mix("#4A3440", WALL, dark))


def desk_lamp(sheet: Sheet, base: Point, elbow: Point, head: Point, aim: Point, *, shining: bool = True) -> Point:
    """A lamp on a jointed arm, its shade turned to `aim`; returns the middle of its mouth."""
    (x, y), light = base, Light((0.6, -0.5))
    sheet.fill(ellipse(x + 0.12, y - 0.09, 1.3, 0.26), "#150C14", 0.6)
    sheet.lit(ellipse(x, y, 1.0, 0.3), "#4A3644", light, rim=0.03, shade=0.05)
    sheet.fill(ellipse(x, y + 0.05, 0.96, 0.25), "#5D4452")
    for start, stop in (((x, y + 0.06), elbow), (elbow, head)):
        sheet.lit(limb(curve(start, stop), 0.1), "#6B5260", light, rim=0.03, shade=0.03)
    sheet.lit(disc(*elbow, 0.12), "#8C6E78", light, rim=0.03, shade=0.04)
    way = (aim[0] - head[0], aim[1] - head[1])
    length = (way[0] ** 2 + way[1] ** 2) ** 0.5
    with sheet.at(*head, 1.0, atan2(way[1], way[0]) + pi / 2):
        shade = mirrored((0, 0.54), (0.2, 0.52), (0.31, 0.38), (0.62, -0.2), (0.6, -0.27), (0, -0.31))
        sheet.lit(shade, "#48506E", Light((0.9, -0.2), rim=0.04), shade=0.2)
        sheet.fill(ellipse(0, -0.26, 1.18, 0.2), "#FFF6E0" if shining else "#6E6878")
        if shining:
            sheet.fill(ellipse(0, -0.27, 0.8, 0.12), "#FFFFFF")
    mouth = head[0] + way[0] / length * 0.27, head[1] + way[1] / length * 0.27
    if shining:
        sheet.glow(*mouth, 1.5, 1.5, LAMP_LIGHT, 0.75)
    return mouth


def cone(sheet: Sheet, mouth: Point, aim: Point, ends: tuple[Point, Point], strength: float = 0.34) -> None:
    """A lamp's light in the air, from its mouth to both `ends`, brightest near the lamp and in the middle."""
    (x, y), way = mouth, (aim[0] - mouth[0], aim[1] - mouth[1])
    length = (way[0] ** 2 + way[1] ** 2) ** 0.5
    side = (-way[1] / length * 0.56, way[0] / length * 0.56)
    near = sorted([(x - side[0], y - side[1]), (x + side[0], y + side[1])])
    far = sorted(ends)
    middle = (far[0][0] + far[1][0]) / 2, (far[0][1] + far[1][1]) / 2
    sides = [
        [(edge, 0.35 * strength), (mouth, strength), (middle, 0.3 * strength), (end, 0.0)]
        for edge, end in zip(near, far, strict=True)
    ]
    sheet.mesh(CONE, *sides)


def sleeping_cat(sheet: Sheet, x: float, y: float, size: float, light: Light) -> None:
    """A cat asleep on a rug."""
    fur = "#5B5468"
    with sheet.at(x, y, size):
        sheet.fill(ellipse(0.1, -0.02, 2.7, 0.34), "#150C14", 0.5)
        sheet.lit(ellipse(0, 0.02, 2.5, 0.28), "#8E5A4A", light, rim=0.03, shade=0.04)
        body = mirrored((0, 0.86), (0.6, 0.74), (0.92, 0.3), (0.8, 0.05), (0, 0.02))
        sheet.lit(moved(body, 0.1, 0.02), fur, light, shade=0.16)
        sheet.lit(limb(curve((0.85, 0.2), (1.2, -0.04), (-0.1, 0.14)), 0.2, 0.15), mix(fur, "#2A2335", 0.2), light,
                  rim=0.03, shade=0.04)  # fmt: skip
        for k in (-1, 1):
            ear = slab((-0.62 + k * 0.36, 0.5), (-0.62 + k * 0.32, 0.93), (-0.62 + k * 0.06, 0.74), radius=0.04)
            sheet.lit(ear, fur, light, rim=0.04, shade=0.05)
        head = mirrored((0, 0.36), (0.3, 0.28), (0.42, 0), (0.3, -0.26), (0, -0.34))
        sheet.lit(moved(head, -0.62, 0.44), fur, light, rim=0.05, shade=0.1)
        sheet.fill(ellipse(-0.62, 0.28, 0.34, 0.22), light.base("#D9CFC4"))
        for k in (-1, 1):
            lid = curve((-0.62 + k * 0.17 - 0.09, 0.5), (-0.62 + k * 0.17, 0.38), (-0.62 + k * 0.17 + 0.09, 0.5))
            sheet.fill(limb(lid, 0.045), "#1B1524")
        sheet.fill(slab((-0.67, 0.34), (-0.57, 0.34), (-0.62, 0.28)), "#3A2430")
