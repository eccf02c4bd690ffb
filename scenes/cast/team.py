"""The detective team: the captain with his plan, one detective a word, and the page on which one of them writes."""

from collections.abc import Sequence

from manim import DOWN, RIGHT, UP, Animation, ApplyMethod, Transform, VGroup, smooth, squish_rate_func

from scenes.cast.casefile import CaseFile
from scenes.cast.paper import Board, Note
from scenes.kit.figures import Detective, in_shade, pointer, ranks, stand
from scenes.kit.layout import Slot
from scenes.kit.page import Page
from scenes.kit.text import TextLine

# How high a detective may be in a column of a given width.
_SLENDER = 1.36
# How much of a detective the table hides, standing (in units) and seated besides (of his height).
_BEHIND, _SEATED = 0.14, 0.3
# Where the team stands when it has stepped back from the table.
FEET_BACK = 1.05
# The page: how far it stands from the one who asks, its least and greatest width, and its least height.
_GAP, _PAGE, _WIDEST_PAGE, _HIGH_PAGE = 0.85, 6.3, 9.0, 1.6


class Plan(VGroup):
    """A pinboard in the upper right of `stage` with a note for each step: icon, name, hint, colour."""

    def __init__(self, steps: Sequence[tuple[VGroup, TextLine, TextLine, str]], stage: Slot) -> None:
        super().__init__()
        self.notes = VGroup()
        for icon, name, hint, color in steps:
            note, top = Note(2.45, 1.6, color), VGroup(icon, name).arrange(RIGHT, buff=0.2)
            self.notes.add(VGroup(note, top.move_to(UP * 0.22), hint.move_to(DOWN * 0.42)))
        self.notes.arrange(RIGHT, buff=0.28)
        board = Board(self.notes.width + 0.6, self.notes.height + 0.55)
        self.add(board, self.notes)
        self.move_to((stage.right - board.width / 2, stage.top - board.height / 2, 0))


class Team:
    """A captain, and a detective for each column of a case file; `focus` is the one whom a lesson follows."""

    def __init__(self, file: CaseFile, focus: int, color: str, stage: Slot) -> None:
        self.file, self.focus, self.color, self.stage = file, focus, color, stage
        self.captain = Detective(color, captain=True)
        self.captain.flip()
        self.members = [Detective(color, magnifier=i == focus) for i in range(len(file.xs))]
        self.asker = self.members[focus]
        # In the row there is no elbow-room for it.
        self.asker.magnifier.set_opacity(0)
        # The feet of the one who asks leave room for threads above the table, wherever it stands.
        self.feet = max(0.9, file.high + file.back_edge - file.on_floor + 0.55)

    def gather(self, plan: Plan) -> VGroup:
        """The team, seated behind the table, the captain beside the plan; returns the arm that points at it."""
        height = min(1.95, _SLENDER * self.file.pitch)
        for one, x in zip(self.members, self.file.xs, strict=True):
            stand(one, x, self.file.back_edge - _BEHIND - _SEATED * height, height)
        bottom, left = float(plan.get_bottom()[1]), float(plan.get_left()[0])
        stand(self.captain, (self.stage.left + left) / 2 - 0.1, bottom, 2.1)
        shoulder = self.captain.get_center() + RIGHT * 0.42 + DOWN * 0.12
        return pointer(shoulder, plan.notes[0].get_left() + RIGHT * 0.12)

    def rise(self) -> list[Animation]:
        """Everybody gets up, one after the other."""
        n = len(self.members)
        return [
            ApplyMethod(
                m.shift, UP * _SEATED * m.height, rate_func=squish_rate_func(smooth, 0.6 * i / n, 0.4 + 0.6 * i / n)
            )
            for i, m in enumerate(self.members)
        ]

    def step_back(self) -> list[Animation]:
        """Everybody leaves room for threads."""
        height = min(1.5, _SLENDER * self.file.pitch)
        back = [stand(m.copy(), x, FEET_BACK, height) for m, x in zip(self.members, self.file.xs, strict=True)]
        return [Transform(m, there) for m, there in zip(self.members, back, strict=True)]

    def step_aside(self, says: TextLine) -> tuple[list[Animation], Page]:
        """The one who asks comes forward, and beside him is room for a page; the others gather below `says`."""
        x = self.file.xs[self.focus]
        page, self.side = self._page(x)
        self.others = [m for m in self.members if m is not self.asker]
        rest = [in_shade(m, 0.12) for m in self.others]
        aside = VGroup(*ranks(rest, self.side.left, self.side.right, self.side.bottom, self.side.top - 0.35))
        VGroup(says, aside).arrange(DOWN, buff=0.15).move_to(self.side.centre)
        front = stand(Detective(self.color, magnifier=True), x, self.feet, min(1.85, self.stage.top - 0.05 - self.feet))
        moves = [Transform(m, there) for m, there in zip([*self.others, self.asker], [*aside, front], strict=True)]
        return [*moves], page

    def _page(self, x: float) -> tuple[Page, Slot]:
        """The page on the wider side of the one who asks at `x`, and what is left for the others."""
        edge, way = self.stage.right, (1 if x < 0 else -1)
        opposite, beyond = edge - abs(x) - _GAP, edge + abs(x) - _GAP - _PAGE
        width = min(edge + abs(x) - _GAP, _WIDEST_PAGE) if opposite > beyond else _PAGE
        top = self.stage.top - 0.05
        bottom = min(self.feet + 0.1, top - _HIGH_PAGE)
        page = Page(width, top - bottom, self.color)
        page.shift((x + way * (_GAP + width / 2), (top + bottom) / 2, 0))
        near, far = (
            (x - way * (_GAP + 0.15), -way * edge)
            if opposite > beyond
            else (x + way * (_GAP + width + 0.2), way * edge)
        )
        return page, Slot(min(near, far), bottom, max(near, far), top)
