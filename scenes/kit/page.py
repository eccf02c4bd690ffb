"""A page to write on, as a notebook's."""

from typing import Any

from manim import RIGHT, Dot, Line, RoundedRectangle, VGroup

from scenes.kit.theme import current_theme, mix


class Page(VGroup):
    """A page of a detective's notebook: a panel with rings down its left edge, in the notebook's `color`.

    There are as many `rings` as the height has room for, unless their number is given.
    """

    def __init__(self, width: float, height: float, color: str, *, rings: int | None = None) -> None:
        super().__init__()
        theme = current_theme()
        self.sheet = RoundedRectangle(
            corner_radius=0.1, width=width, height=height, fill_color=mix(theme.background, theme.panel, 0.75),
            fill_opacity=1, stroke_color=color, stroke_width=3,
        )  # fmt: skip
        self.add(self.sheet)
        rings = rings or max(3, round(height / 0.28))
        for k in range(rings):
            y = height / 2 - height * (k + 0.5) / rings
            hole = Dot((0.14 - width / 2, y, 0), radius=0.04, color=theme.background)
            ring = Line((-0.1 - width / 2, y, 0), (0.14 - width / 2, y, 0), stroke_color=color, stroke_width=4)
            self.add(hole, ring)

    @property
    def writing(self) -> Any:
        """The middle of the area to write on, right of the rings."""
        return self.sheet.get_center() + RIGHT * 0.1
