"""The five of the cast: a captain and a detective for each of four heads, told apart by their outlines.

A person is painted from back to front on a sheet, in units of its own: feet at y = 0, the middle at x = 0, about three
heads tall. Outlines are plain numbers: change them here and look at `make gallery`. The one thing that differs with the
head is the hat-band's colour (and the beret's, which is all band).
"""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from scenes.cast.held import HELD, MIDDLES
from scenes.cast.pose import Hold, Mood, Point, Pose
from scenes.kit.sheet import (
    Floats,
    Light,
    Shape,
    Sheet,
    blended,
    blob,
    box,
    curve,
    disc,
    ellipse,
    limb,
    mirrored,
    moved,
    slab,
)

_TROUSERS, _SHOES, _EYE, _WHITE, _MOUTH, _TONGUE = "#3A3040", "#241D2C", "#1E1A26", "#FFFDF6", "#5A2630", "#E0705C"
_LINEN, _BRASS = "#F3EADB", "#E8D9B0"


@dataclass(frozen=True)
class Build:
    """Where a person's shoulders, hem and head are, half-widths first, and how long the arms are."""

    shoulder: Point
    hem: Point
    head: Point
    radii: Point
    arm: float
    legs: float


class Person:
    """Base of everybody: legs, coat, arms and head; a subclass paints coat, hair and hat."""

    name: ClassVar[str]
    build: ClassVar[Build]
    skin: ClassVar[str]
    hair: ClassVar[str]
    coat: ClassVar[str]
    outline: ClassVar[Shape]

    # What a subclass paints

    def wear_coat(self, sheet: Sheet, light: Light, band: str) -> None:
        """What is on the coat."""

    def hair_behind(self, sheet: Sheet, light: Light) -> None:
        """Hair behind the head."""

    def beard(self, sheet: Sheet, light: Light, x: float) -> None:
        """What is over the face; `x` is how far its middle has moved with the glance."""

    def hat(self, sheet: Sheet, light: Light, band: str, x: float) -> None:
        """What is on the head; `x` is how far it has moved with the glance."""

    # The whole person

    def paint(self, sheet: Sheet, pose: Pose, light: Light, band: str) -> None:
        """Paint the whole person."""
        self._legs(sheet, light)
        with self._head_turned(sheet, pose):
            self.hair_behind(sheet, light)
        self._neck(sheet, light)
        sheet.lit(self.outline, self.coat, light, shade=0.2)
        self.wear_coat(sheet, light, band)
        raised = [side for side in (-1, 1) if self._before_face(pose, side)]
        for side in (-1, 1):
            if side not in raised:
                self._arm(sheet, pose, light, band, side)
        with self._head_turned(sheet, pose):
            self._head(sheet, pose, light, band)
        for side in raised:
            self._arm(sheet, pose, light, band, side)

    def shoulder(self, side: int) -> Point:
        """Where an arm begins; `side` is -1 for the left of the picture and 1 for the right."""
        half, y = self.build.shoulder
        return side * half, y

    def hand(self, pose: Pose, side: int) -> Point:
        """Where a hand is."""
        (x, y), (out, up) = self.shoulder(side), pose.left if side < 0 else pose.right
        return x + side * out * self.build.arm, y + up * self.build.arm

    def held(self, pose: Pose, side: int) -> Point:
        """The middle of what a hand holds; the hand itself if it holds nothing."""
        hold, (x, y) = pose.holds_left if side < 0 else pose.holds_right, self.hand(pose, side)
        if hold is None:
            return x, y
        across, up = MIDDLES[hold.name]
        across *= -1 if hold.name in _SIDED and side < 0 else 1
        cos, sin = np.cos(hold.angle), np.sin(hold.angle)
        return x + hold.size * float(cos * across - sin * up), y + hold.size * float(sin * across + cos * up)

    @property
    def eyes(self) -> Point:
        """The middle between the eyes."""
        return self.build.head

    # Parts

    def _legs(self, sheet: Sheet, light: Light) -> None:
        for side in (-1, 1):
            x, top = side * self.build.legs, self.build.hem[1] + 0.22
            sheet.fill(box(x - 0.15, 0.07, x + 0.15, top, 0.03), light.base(_TROUSERS))
            sheet.lit(
                blob((x - 0.17, 0), (x - 0.17, 0.15), (x, 0.2), (x + 0.17, 0.14), (x + 0.25, 0.04), (x + 0.22, 0)),
                _SHOES, light, rim=0.03, shade=0,
            )  # fmt: skip

    def _neck(self, sheet: Sheet, light: Light) -> None:
        (_, y), (_, shoulder) = self.build.head, self.build.shoulder
        sheet.fill(box(-0.17, shoulder - 0.05, 0.17, y - 0.15), light.shade(self.skin))

    def _arm(self, sheet: Sheet, pose: Pose, light: Light, band: str, side: int) -> None:
        start, hand = np.array(self.shoulder(side)), np.array(self.hand(pose, side))
        line = curve(_point(start), _point(self._elbow(start, hand, side)), _point(hand))
        sheet.lit(limb(line, 0.3, 0.25), self.coat, light, rim=0.04, shade=0.07)
        sheet.fill(limb(line[-7:-3], 0.27, blunt=True), light.shade(self.coat))
        hold = pose.holds_left if side < 0 else pose.holds_right
        if hold is not None and hold.size > 0.02:
            self._hold(sheet, hold, light, band, hand, side)
        sheet.lit(disc(*_point(hand), 0.155), self.skin, light, rim=0.03, shade=0.05)
        thumb = hand + np.array([-side * 0.06, 0.1])
        sheet.lit(limb(curve(_point(hand), _point(thumb)), 0.1), self.skin, light, rim=0.02, shade=0)

    def _hold(self, sheet: Sheet, hold: Hold, light: Light, band: str, hand: Floats, side: int) -> None:
        with sheet.at(*_point(hand), hold.size, hold.angle):
            if hold.name in _SIDED and side < 0:
                with sheet.flipped():
                    HELD[hold.name](sheet, light, band)
            else:
                HELD[hold.name](sheet, light, band)

    def _elbow(self, start: Floats, hand: Floats, side: int) -> Floats:
        """What leads the sleeve: outwards and down of the straight way, as far as the arm is longer than that."""
        way = hand - start
        reach = float(np.hypot(*way))
        slack = np.sqrt(max(self.build.arm**2 - reach**2, 0.0)) * 0.62
        aside = np.array([way[1], -way[0]]) / max(reach, 1e-9)
        # The elbow of a hand that is raised or brought in points down or out, never to the body.
        outwards = aside if aside @ np.array([side * 0.75, -0.66]) >= 0 else -aside
        middle: Floats = (start + hand) / 2 + outwards * slack
        return middle

    def _before_face(self, pose: Pose, side: int) -> bool:
        (x, y), (head_x, head_y), (across, up) = self.hand(pose, side), self.build.head, self.build.radii
        return abs(x - head_x) < across + 0.1 and abs(y - head_y) < up + 0.25

    def _head_turned(self, sheet: Sheet, pose: Pose) -> AbstractContextManager[None]:
        pivot = (0.0, self.build.shoulder[1])
        return sheet.at(*pivot, 1.0, pose.tilt, about=pivot)

    def _head(self, sheet: Sheet, pose: Pose, light: Light, band: str) -> None:
        (_, y), (across, up) = self.build.head, self.build.radii
        gx, gy = pose.glance
        self.ears(sheet, light, gx)
        skull = mirrored(
            (0, y + up), (across * 0.84, y + up * 0.56), (across, y - 0.04), (across * 0.76, y - up * 0.7), (0, y - up)
        )
        sheet.lit(skull, self.skin, light, shade=0.13)
        x = gx * 0.11 * across / 0.55
        with sheet.within(skull):
            self._face(sheet, pose.mood, light, (x, y + gy * 0.07), (gx, gy))
        self.beard(sheet, light, x)
        self.hat(sheet, light, band, gx * 0.05)

    def ears(self, sheet: Sheet, light: Light, gx: float) -> None:
        """Ears, if they are to be seen."""

    def _face(self, sheet: Sheet, mood: Mood, light: Light, middle: Point, glance: Point) -> None:
        (x, y), gx, up = middle, glance[0], self.build.radii[1]
        for side in (-1, 1):
            self._eye(sheet, mood, light, (x + side * self.build.radii[0] * 0.4, y + 0.02), glance, side)
        self._mouth(sheet, mood, light, x + gx * 0.03, y - up * 0.57 - self.low_mouth)
        nose = curve(
            (x + gx * 0.07 - 0.02, y - 0.12), (x + gx * 0.12 + 0.05, y - 0.2), (x + gx * 0.07 - 0.03, y - 0.21)
        )
        sheet.fill(limb(nose, 0.042), _blend(light, self.skin, "#7A3F3A", 0.45))

    low_mouth: ClassVar[float] = 0.0
    """How much lower a mouth is below a moustache."""
    brow: ClassVar[str] = ""

    def _eye(self, sheet: Sheet, mood: Mood, light: Light, at: Point, glance: Point, side: int) -> None:
        (x, y), (gx, gy) = at, glance
        width, height = 0.225 + 0.05 * mood.wide, 0.285 + 0.06 * mood.wide
        if mood.blush:
            cheek = ellipse(x + side * 0.12, y - 0.25, 0.18, 0.11)
            sheet.fill(cheek, _blend(light, self.skin, _TONGUE, 0.45), mood.blush)
        opened = 1 - mood.shut
        if opened > 0.25:
            white = ellipse(x, y, width, height * opened)
            sheet.fill(white, light.base(_WHITE))
            radius = 0.092 + 0.012 * mood.wide
            px, py = x + gx * (width / 2 - radius * 0.82), y + gy * (height / 2 - radius * 0.82)
            with sheet.within(white):
                sheet.fill(disc(px, py, radius), light.base(_EYE))
                sheet.fill(disc(px - 0.03, py + 0.035, 0.028), light.base("#FFFFFF"))
        else:
            bow = curve((x - 0.12, y - 0.03), (x, y + 0.16), (x + 0.12, y - 0.03))
            sheet.fill(limb(bow, 0.055), light.base(_EYE))
        # One brow goes up where somebody thinks: that on the side of the glance.
        lift = 0.1 * mood.lift * (1.0 if mood.slant <= 0 or side * (gx or 1) > 0 else 0.1)
        high, slope = y + height / 2 + 0.07 + lift, 0.035 * mood.slant * side
        line = curve((x - 0.12, high - slope), (x, high + 0.05), (x + 0.12, high + slope))
        sheet.fill(limb(line, 0.06), light.base(self.brow or self.hair))

    def _mouth(self, sheet: Sheet, mood: Mood, light: Light, x: float, y: float) -> None:
        half, bend = 0.085 + 0.07 * mood.open, 0.07 * mood.bent
        if mood.open > 0.08:
            deep = 0.05 + 0.13 * mood.open
            lips = blob(
                (x - half, y + bend * 0.8), (x, y + 0.02), (x + half, y + bend * 0.8),
                (x + half * 0.62, y - deep * 0.7), (x, y - deep), (x - half * 0.62, y - deep * 0.7),
            )  # fmt: skip
            sheet.fill(lips, light.base(_MOUTH))
            with sheet.within(lips):
                sheet.fill(ellipse(x, y - deep * 0.95, half * 1.3, deep * 0.8), light.base(_TONGUE))
        else:
            line = curve((x - half, y + bend / 2), (x, y - bend), (x + half, y + bend / 2))
            sheet.fill(limb(line, 0.045), light.base(_MOUTH))


# Things that point away from the body: in the left hand they are mirrored.
_SIDED = ("slip", "lamp", "ticket")


def _point(at: Floats) -> Point:
    return float(at[0]), float(at[1])


def _blend(light: Light, one: str, other: str, share: float) -> str:
    return light.base(blended(one, other, share))


def _both(sheet: Sheet, shape: Shape, colour: str, light: Light, *, rim: float = 0.03, shade: float = 0.04) -> None:
    """A shape at the right, and its mirror image at the left."""
    sheet.lit(shape, colour, light, rim=rim, shade=shade)
    sheet.lit((shape * [-1, 1])[::-1, ::-1], colour, light, rim=rim, shade=shade)


def _lapels(sheet: Sheet, light: Light, coat: str, *corners: Point) -> None:
    """Both lapels: the one towards the lamp is lighter."""
    for side in (-1, 1):
        colour = light.edge(coat) if side * light.unit[0] > 0 else light.shade(coat)
        sheet.fill(slab(*((side * x, y) for x, y in corners), radius=0.04), colour, 0.55)


class Fedora(Person):
    """A trench coat that widens to its hem, a bob, and a hat with a pinched crown."""

    name = "fedora"
    build = Build((0.5, 1.5), (0.97, 0.3), (0.0, 2.06), (0.6, 0.58), 1.2, 0.4)
    skin, hair, coat = "#F2C49C", "#4A2A22", "#CFAE7C"
    outline = mirrored(
        (0, 1.75),
        (0.37, 1.7),
        (0.55, 1.5),
        (0.6, 1.2),
        (0.79, 0.76),
        (0.98, 0.42),
        (0.94, 0.32),
        (0.5, 0.29),
        (0, 0.28),
    )

    def wear_coat(self, sheet: Sheet, light: Light, band: str) -> None:
        sheet.fill(slab((-0.02, 1.5), (0.04, 1.5), (0.06, 0.3), (0.01, 0.3)), light.shade(self.coat))
        sheet.fill(slab((-0.21, 1.76), (0.21, 1.76), (0.01, 1.26), radius=0.02), light.base(_LINEN))
        _lapels(sheet, light, self.coat, (0, 1.2), (0.12, 1.74), (0.45, 1.66), (0.37, 1.36))
        sheet.lit(slab((-0.7, 0.84), (0.7, 0.84), (0.66, 0.98), (-0.66, 0.98)), "#7B5638", light, rim=0, shade=0.1)
        sheet.ring(box(-0.13, 0.79, 0.13, 1.03, 0.03), box(-0.07, 0.86, 0.07, 0.96), light.base(_BRASS))
        for x in (-0.2, 0.2):
            sheet.fill(disc(x, 0.6, 0.045), light.shade(self.coat))
            sheet.fill(disc(x, 1.14, 0.04), light.shade(self.coat))

    def hair_behind(self, sheet: Sheet, light: Light) -> None:
        bob = mirrored((0, 2.68), (0.5, 2.56), (0.68, 2.2), (0.72, 1.78), (0.55, 1.55), (0.2, 1.62), (0, 1.63))
        sheet.lit(bob, self.hair, light, shade=0.1)

    def hat(self, sheet: Sheet, light: Light, band: str, x: float) -> None:
        felt, y = "#8A6244", 2.36
        fringe = blob((-0.64, y - 0.5), (-0.63, y), (0, y + 0.2), (0.63, y), (0.64, y - 0.5), (0.52, y - 0.2),
                      (0.28, y - 0.06), (-0.12, y - 0.03), (-0.44, y - 0.13), (-0.55, y - 0.28))  # fmt: skip
        sheet.fill(fringe, light.base(self.hair))
        crown = blob((-0.52, y + 0.04), (-0.47, y + 0.42), (-0.35, y + 0.74), (-0.17, y + 0.8), (0.0, y + 0.7),
                     (0.18, y + 0.8), (0.36, y + 0.72), (0.47, y + 0.42), (0.52, y + 0.04), (0, y - 0.03))  # fmt: skip
        sheet.lit(moved(crown, x, 0), felt, light)
        sheet.fill(
            limb(curve((x - 0.02, y + 0.7), (x + 0.03, y + 0.52), (x - 0.01, y + 0.36)), 0.05), light.shade(felt)
        )
        ribbon = blob((-0.52, y + 0.06), (-0.5, y + 0.27), (0, y + 0.22), (0.5, y + 0.27), (0.52, y + 0.06), (0, y))
        sheet.lit(moved(ribbon, x, 0), band, light, rim=0.04, shade=0.1)
        brim = blob((-1.0, y + 0.14), (-0.7, y - 0.02), (0, y - 0.11), (0.7, y - 0.02), (1.0, y + 0.14),
                    (0.6, y + 0.13), (0, y + 0.07), (-0.6, y + 0.13))  # fmt: skip
        sheet.lit(moved(brim, x, 0), felt, light, rim=0.045, shade=0.05)


class Bowler(Person):
    """Tall and straight, the collar up, round glasses, and a bowler hat."""

    name = "bowler"
    build = Build((0.42, 2.2), (0.5, 0.78), (0.0, 3.06), (0.45, 0.58), 1.36, 0.26)
    skin, hair, coat = "#E3AE86", "#22202C", "#6C7288"
    outline = mirrored(
        (0, 2.54), (0.3, 2.48), (0.47, 2.24), (0.45, 1.7), (0.5, 1.1), (0.52, 0.86), (0.47, 0.78), (0, 0.76)
    )

    def wear_coat(self, sheet: Sheet, light: Light, band: str) -> None:
        sheet.fill(slab((-0.01, 2.0), (0.03, 2.0), (0.05, 0.78), (0.02, 0.78)), light.shade(self.coat))
        for y in (1.8, 1.46, 1.12):
            sheet.fill(disc(0.14, y, 0.042), light.shade("#3A3E50"))
        for x in (-0.34, 0.22):
            sheet.fill(box(x, 1.28, x + 0.14, 1.33, 0.02), light.shade(self.coat))
        sheet.fill(slab((-0.16, 2.6), (0.16, 2.6), (0.0, 2.16)), light.base(_LINEN))
        for side in (-1, 1):
            toward = side * light.unit[0] > 0
            collar = slab(*((side * x, y) for x, y in ((0, 2.1), (0.34, 2.28), (0.42, 2.68), (0.2, 2.74))), radius=0.05)
            sheet.lit(collar, self.coat, light, rim=0.05 if toward else 0.0, shade=0.03 if toward else 0.3)

    def ears(self, sheet: Sheet, light: Light, gx: float) -> None:
        for side in (-1, 1):
            sheet.lit(ellipse(side * 0.46 - gx * 0.04, 3.02, 0.18, 0.25), self.skin, light, rim=0.03, shade=0.04)

    def hat(self, sheet: Sheet, light: Light, band: str, x: float) -> None:
        felt, y, face = "#353043", 3.4, x / 0.05 * 0.09
        for side in (-1, 1):
            sheet.ring(
                disc(face + side * 0.19, 3.07, 0.2), disc(face + side * 0.19, 3.07, 0.162), light.base("#2A2230")
            )
        crown = mirrored((0, y + 0.66), (0.29, y + 0.58), (0.45, y + 0.3), (0.46, y), (0, y - 0.02))
        sheet.lit(moved(crown, x, 0), felt, light)
        ribbon = mirrored((0, y + 0.17), (0.455, y + 0.22), (0.46, y + 0.03), (0, y - 0.02))
        sheet.lit(moved(ribbon, x, 0), band, light, rim=0.04, shade=0.08)
        brim = mirrored((0, y + 0.05), (0.5, y + 0.09), (0.7, y + 0.13), (0.62, y - 0.01), (0, y - 0.08))
        sheet.lit(moved(brim, x, 0), felt, light, rim=0.04, shade=0.04)


class Deerstalker(Person):
    """Short and round, with a cape, white whiskers, and a hat with two peaks."""

    name = "deerstalker"
    build = Build((0.76, 1.16), (0.9, 0.28), (0.0, 1.76), (0.6, 0.52), 1.02, 0.36)
    skin, hair, coat = "#F6CFAE", "#D9D2C4", "#8A5F45"
    low_mouth, brow = 0.09, "#B9B0A2"
    outline = mirrored((0, 1.54), (0.58, 1.42), (1.0, 1.04), (1.13, 0.7), (1.0, 0.4), (0.56, 0.27), (0, 0.25))

    def wear_coat(self, sheet: Sheet, light: Light, band: str) -> None:
        cape = mirrored((0, 1.58), (0.64, 1.44), (1.12, 1.0), (0.74, 0.84), (0, 0.96))
        sheet.lit(cape, "#A07552", light, shade=0.12)
        sheet.fill(limb(curve((0, 1.4), (0.02, 0.98)), 0.04), light.shade("#A07552"))
        for y in (0.8, 0.54):
            sheet.lit(disc(0, y, 0.055), _BRASS, light, rim=0.015, shade=0.02)
        sheet.lit(limb(curve((-0.34, 1.44), (0, 1.32), (0.34, 1.44)), 0.13), "#C9B48A", light, rim=0.02, shade=0.04)

    def beard(self, sheet: Sheet, light: Light, x: float) -> None:
        whisker = blob((0.6, 1.92), (0.67, 1.66), (0.62, 1.4), (0.36, 1.3), (0.45, 1.5), (0.5, 1.74))
        _both(sheet, whisker, self.hair, light)
        y = 1.53
        moustache = mirrored((0, y + 0.05), (0.15, y + 0.05), (0.3, y - 0.06), (0.14, y - 0.07), (0, y - 0.02))
        sheet.lit(moved(moustache, x, 0), self.hair, light, rim=0.02, shade=0.02)

    def hat(self, sheet: Sheet, light: Light, band: str, x: float) -> None:
        tweed, y = "#A9906A", 1.98
        crown = mirrored((0, y + 0.66), (0.32, y + 0.6), (0.57, y + 0.34), (0.62, y), (0, y - 0.04))
        sheet.lit(moved(crown, x, 0), tweed, light)
        for k in (-0.32, 0.0, 0.32):
            seam = curve((k * 1.5 + x, y + 0.06), (k * 1.5 + x, y + 0.36), (k * 0.8 + x, y + 0.6))
            sheet.fill(limb(seam, 0.035), light.shade(tweed))
        ribbon = mirrored((0, y + 0.13), (0.61, y + 0.19), (0.63, y + 0.02), (0, y - 0.06))
        sheet.lit(moved(ribbon, x, 0), band, light, rim=0.04, shade=0.08)
        peak = blob((0.42, y + 0.08), (0.72, y + 0.07), (1.02, y - 0.15), (0.8, y - 0.11), (0.5, y - 0.07))
        for shape in (moved(peak, x, 0), moved((peak * [-1, 1])[::-1, ::-1], x, 0)):
            sheet.lit(shape, tweed, light, rim=0.04, shade=0.04)
        bow = blob((-0.06, y + 0.66), (-0.22, y + 0.85), (-0.04, y + 0.79), (0, y + 0.7), (0.04, y + 0.79),
                   (0.22, y + 0.85), (0.06, y + 0.66))  # fmt: skip
        sheet.lit(moved(bow, x, 0), band, light, rim=0.02, shade=0.03)


class Beret(Person):
    """The smallest: dungarees, a scarf, a great deal of hair, and a beret."""

    name = "beret"
    build = Build((0.45, 1.18), (0.55, 0.5), (0.0, 1.82), (0.52, 0.52), 1.0, 0.24)
    skin, hair, coat = "#9A6244", "#2B1D22", "#D8D2C6"
    outline = mirrored((0, 1.44), (0.33, 1.4), (0.48, 1.2), (0.5, 0.85), (0.56, 0.58), (0.5, 0.5), (0, 0.48))

    def wear_coat(self, sheet: Sheet, light: Light, band: str) -> None:
        denim = "#5A5F86"
        sheet.lit(box(-0.37, 0.49, 0.37, 1.02, 0.06), denim, light, rim=0.02, shade=0.1)
        for side in (-1, 1):
            sheet.fill(limb(curve((side * 0.28, 0.98), (side * 0.33, 1.32)), 0.1), light.base(denim))
            sheet.fill(disc(side * 0.28, 0.95, 0.05), light.base(_BRASS))
        sheet.fill(box(-0.17, 0.62, 0.17, 0.84, 0.03), light.shade(denim))
        scarf = mirrored((0, 1.5), (0.32, 1.48), (0.47, 1.28), (0.2, 1.16), (0, 1.13))
        sheet.lit(scarf, band, light, rim=0.03, shade=0.06)

    def hair_behind(self, sheet: Sheet, light: Light) -> None:
        turns = np.linspace(0, 2 * np.pi, 18, endpoint=False)
        curls = [(float(np.cos(t)) * (0.82 + 0.05 * (k % 2)), 1.98 + float(np.sin(t)) * (0.72 + 0.05 * (k % 2)))
                 for k, t in enumerate(turns)]  # fmt: skip
        sheet.lit(blob(*curls), self.hair, light, shade=0.14)

    def hat(self, sheet: Sheet, light: Light, band: str, x: float) -> None:
        y = 2.36
        beret = blob((-0.64, y), (-0.52, y + 0.28), (-0.1, y + 0.44), (0.42, y + 0.38), (0.72, y + 0.14),
                     (0.55, y - 0.04), (0, y - 0.1), (-0.46, y - 0.1))  # fmt: skip
        sheet.lit(moved(beret, x, 0), band, light, shade=0.14)
        sheet.fill(limb(curve((x - 0.02, y + 0.4), (x + 0.03, y + 0.55)), 0.075), light.shade(band))


class Captain(Person):
    """Broad shoulders with epaulettes, a moustache, and a peaked cap with a star."""

    name = "captain"
    build = Build((0.88, 1.9), (0.67, 0.62), (0.0, 2.64), (0.54, 0.56), 1.36, 0.34)
    skin, hair, coat = "#EBBB94", "#C8C6CC", "#3F4E7C"
    low_mouth = 0.09
    outline = mirrored((0, 2.28), (0.62, 2.24), (1.03, 2.04), (1.02, 1.78), (0.86, 1.38), (0.73, 1.04), (0.69, 0.7),
                       (0.62, 0.62), (0, 0.6))  # fmt: skip

    def wear_coat(self, sheet: Sheet, light: Light, band: str) -> None:
        sheet.fill(slab((-0.19, 2.3), (0.19, 2.3), (0, 1.66)), light.base(_LINEN))
        sheet.fill(slab((-0.07, 2.26), (0.07, 2.26), (0.055, 1.86), (0, 1.74), (-0.055, 1.86)), light.base("#18203E"))
        _lapels(sheet, light, self.coat, (0, 1.5), (0.12, 2.26), (0.52, 2.2), (0.43, 1.82))
        for x in (-0.2, 0.2):
            for y in (1.36, 1.08, 0.8):
                sheet.lit(disc(x, y, 0.052), "#E9EDF8", light, rim=0.012, shade=0.02)
        _both(sheet, blob((0.62, 2.28), (1.02, 2.18), (1.12, 2.02), (0.68, 2.14)), "#C9CFDF", light)

    def ears(self, sheet: Sheet, light: Light, gx: float) -> None:
        for side in (-1, 1):
            sheet.lit(ellipse(side * 0.55 - gx * 0.04, 2.6, 0.18, 0.25), self.skin, light, rim=0.03, shade=0.04)

    def beard(self, sheet: Sheet, light: Light, x: float) -> None:
        y = 2.38
        moustache = mirrored((0, y + 0.08), (0.2, y + 0.08), (0.43, y - 0.1), (0.2, y - 0.1), (0, y - 0.04))
        sheet.lit(moved(moustache, x, 0), self.hair, light, rim=0.03, shade=0.04)

    def hat(self, sheet: Sheet, light: Light, band: str, x: float) -> None:
        cloth, y = "#2E3A66", 2.98
        crown = mirrored((0, y + 0.6), (0.6, y + 0.51), (0.76, y + 0.34), (0.52, y), (0, y - 0.03))
        sheet.lit(moved(crown, x, 0), cloth, light)
        sheet.lit(moved(mirrored((0, y + 0.14), (0.54, y + 0.17), (0.52, y), (0, y - 0.05)), x, 0), "#18203E", light,
                  rim=0.04, shade=0)  # fmt: skip
        peak = mirrored((0, y - 0.02), (0.52, y + 0.02), (0.43, y - 0.13), (0, y - 0.21))
        sheet.lit(moved(peak, x * 1.8, 0), "#10152A", light, rim=0.04, shade=0)
        turns = np.arange(10) * np.pi / 5
        radii = np.where(np.arange(10) % 2, 0.065, 0.15)
        star = [
            (float(r * np.sin(t)) + 2 * x, float(r * np.cos(t)) + y + 0.34) for r, t in zip(radii, turns, strict=True)
        ]
        sheet.fill(slab(*star), light.base("#E9EDF8"))


CAPTAIN = Captain()
DETECTIVES: tuple[Person, ...] = (Fedora(), Bowler(), Deerstalker(), Beret())
"""One for each of the first four heads; a fifth head has the first one's figure in its own colour."""
PEOPLE: tuple[Person, ...] = (CAPTAIN, *DETECTIVES)


def detective(head: int) -> Person:
    """The person who is a head, in every lesson."""
    return DETECTIVES[head % len(DETECTIVES)]
