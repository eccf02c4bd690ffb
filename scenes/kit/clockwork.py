"""An ordinary watch, and banks of dials whose hands show a position."""

from collections.abc import Sequence

import numpy as np
from manim import Circle, Line, Polygon, VGroup, VMobject
from manim.constants import LineJointType

from mathcore.named import Named
from scenes.kit.encoding import Bar, elbow, feature_colour, path
from scenes.kit.figures import Dial
from scenes.kit.theme import current_theme


class Watch(VGroup):
    """An ordinary clock of `radius` with a second, a minute and an hour hand in `colors`, in this order."""

    def __init__(self, radius: float, colors: Sequence[str]) -> None:
        super().__init__()
        theme = current_theme()
        self.rim = Circle(radius=radius * 1.08, stroke_color=theme.line, stroke_width=10, fill_opacity=1)
        self.rim.set_fill(theme.panel)
        face = Circle(radius=radius, stroke_color=theme.muted, stroke_width=2)
        marks = VGroup()
        for k in range(60):
            angle, hour = 2 * np.pi * k / 60, k % 5 == 0
            way = radius * np.array([np.sin(angle), np.cos(angle), 0.0])
            mark = Line(way * (0.86 if hour else 0.92), way * 0.96)
            marks.add(mark.set_stroke(theme.text if hour else theme.muted, 5 if hour else 2))
        self.hands: list[Polygon] = []
        # Length, half the width and tail of each hand, in radii.
        for (length, half, tail), color in zip(
            ((0.84, 0.022, 0.16), (0.78, 0.045, 0.1), (0.52, 0.06, 0.08)), colors, strict=True
        ):
            shape = ((-half, -tail, 0), (half, -tail, 0), (half * 0.45, length, 0), (-half * 0.45, length, 0))
            hand = Polygon(*shape, fill_color=color, fill_opacity=1, stroke_color=color, stroke_width=2)
            hand.joint_type = LineJointType.ROUND
            hand.points = hand.points * radius
            self.hands.append(hand)
        self._at_noon = [hand.points.copy() for hand in self.hands]
        hub = Circle(radius=0.07 * radius, fill_color=theme.text, fill_opacity=1, stroke_width=0)
        # The slowest lies lowest, as in a real movement.
        self.add(self.rim, face, marks, *reversed(self.hands), hub)

    def show_time(self, seconds: float) -> "Watch":
        """Set the hands to a time after twelve o'clock, in seconds."""
        for hand, points, turn in zip(self.hands, self._at_noon, (60, 3600, 43200), strict=True):
            angle = 2 * np.pi * (seconds % turn) / turn
            clockwise = [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
            hand.points = points @ np.array(clockwise) + self.rim.get_center()
        return self


class DialBank(VGroup):
    """Dials side by side at the height `y`, one a pair and at its own x of `columns`.

    Their hands turn by `speeds` (hand,) degrees a position; `angles` (position, hand) holds the angles at whole
    positions, to which resting hands are tied.
    """

    def __init__(self, speeds: Named, angles: Named, columns: Sequence[float], y: float, radius: float) -> None:
        super().__init__()
        self.dials = [Dial(current_theme().pair(i), radius).move_to((x, y, 0)) for i, x in enumerate(columns)]
        self._speeds, self._angles = speeds, angles
        self.add(*self.dials)
        self.turn_to(0)

    def turn_to(self, position: float) -> "DialBank":
        """Turn every hand to its angle at a position."""
        self.position = position
        whole = position == round(position)
        for i, dial in enumerate(self.dials):
            dial.turn_to(
                float(self._speeds.values[i]) * position, self._angles.entry(int(position), i) if whole else None
            )
        return self

    def sweep(self, start: float, swept: Named | None = None) -> None:
        """Shade what every hand has swept since a position; `swept` (hand,) names the angles."""
        for i, dial in enumerate(self.dials):
            entry = None if swept is None else swept.entry(i)
            dial.sweep(float(self._speeds.values[i]) * start, dial.degrees, 0.45, entry)


def projections(
    dial: Dial, row: Named, pair: int, cells: Sequence[VMobject], level: float
) -> list[tuple[Bar, VMobject]]:
    """How far right and how far up a hand's tip lies, as bars, and a line from each to its cell in `cells`.

    `row` (d_model,) names the two values; the lines bend at the height `level` and right of the dial.
    """
    centre, tip, side = dial.centre, dial.tip_at(dial.degrees), dial.get_right()[0] + 0.13
    sine, cosine = (cell.get_top() for cell in cells)
    right, up = (feature_colour(2 * pair + part) for part in (0, 1))
    down = elbow((tip[0], max(tip[1], centre[1]), 0), sine, level, right)
    across = path((min(tip[0], centre[0]), tip[1], 0), (side, tip[1], 0), (side, cosine[1], 0), color=up, dashed=True)
    return [
        (Bar(centre, (tip[0], centre[1], 0), right, row.entry(2 * pair), width=6), down),
        (Bar(centre, (centre[0], tip[1], 0), up, row.entry(2 * pair + 1), width=6), across),
    ]
