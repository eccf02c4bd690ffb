"""The gallery: a picture of every verb, mark and figure that a lesson can use, and what draws it."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from manim import RIGHT, Group, Mobject, Square, VGroup

from mathcore.example import WorkedExample
from scenes.cast import held
from scenes.cast.areas import CountedSquare
from scenes.cast.bricks import BrickRow
from scenes.cast.cards import Bubble, Cards, Leaf, tied
from scenes.cast.emblems import emblem
from scenes.cast.figure import Figure
from scenes.cast.notebooks import ClosedNotebook, Shelf
from scenes.cast.paper import ShareBar, Slip
from scenes.cast.pose import GESTURES, HELD, MOODS, Mood, Pose
from scenes.cast.room import Room, daylight, night
from scenes.cast.windows import Window
from scenes.cast.yard import LampLight, WallCards, Yard
from scenes.kit import layout
from scenes.kit.clockwork import Comparison, DialBank, Radian, Reading, Watch
from scenes.kit.encoding import Bar, PairCells, Seats
from scenes.kit.figures import Beam, Detective, Dial, Flashlight, Lamp, Magnifier, Notebook, Thread
from scenes.kit.formula import formula
from scenes.kit.heatmap import HeatMap
from scenes.kit.layout import Stage
from scenes.kit.matrix import Matrix, alike
from scenes.kit.page import Page
from scenes.kit.paragraph import Paragraph
from scenes.kit.text import BODY, Number, TextLine
from scenes.kit.theme import current_theme
from scenes.kit.tokens import TokenRow
from scenes.kit.values import formatted
from scenes.kit.verbs import Verbs
from scenes.kit.waveplot import WavePlot

EXAMPLE = WorkedExample(("The", "tired", "cat", "sat"), d_model=4, n_heads=2)


@dataclass(frozen=True)
class Entry:
    """One picture: what it shows, as its subject's own docstring says it, and what draws it."""

    page: str
    name: str
    subject: Any
    draw: Callable[..., Any]
    moves: bool = False

    @property
    def about(self) -> str:
        """The first paragraph of the subject's docstring."""
        return " ".join((inspect.getdoc(self.subject) or "").split("\n\n")[0].split())


def words(*texts: str) -> list[TextLine]:
    return [TextLine(text, BODY) for text in texts]


def squares(count: int = 3) -> list[Square]:
    return [Square(0.9 + 0.4 * k, color=current_theme().pair(k), fill_opacity=0.4) for k in range(count)]


def matrix(**style: Any) -> Matrix:
    return Matrix(EXAMPLE.attention.x, **{"digits": 2, "places": 1, "rows": EXAMPLE.words, **style})


def operands() -> list[Any]:
    color = current_theme().query
    w = Matrix(EXAMPLE.head_weights[0], above=formula("W_Q", BODY, color), cover="card", color=color)
    q = Matrix(EXAMPLE.heads[0].q, digits=2, fill=color, above=TextLine("Q", BODY), cover="page", color=color)
    return [matrix(above=TextLine("X", BODY)), "×", w, "=", q]


# Arrangements


def said_row(stage: Stage) -> Any:
    return stage.row(*squares())


def said_column(stage: Stage) -> Any:
    return stage.column(*squares(), edge="left")


def said_along(stage: Stage) -> Any:
    return stage.along(*squares())


def said_across(stage: Stage) -> Any:
    parts = [layout.across(square, text) for square, text in zip(squares(2), words("one", "two"), strict=True)]
    return stage.along(*parts)


def said_equation(stage: Stage) -> Any:
    return stage.equation(*operands())


def said_table(stage: Stage) -> Any:
    cell = EXAMPLE.cell
    parts = [
        Matrix(cell.left, digits=0, places=1),
        Matrix(cell.right, digits=0, places=1),
        Matrix(cell.products, digits=0),
    ]
    alike(*parts)
    return stage.table(*zip(words("row", "column", "product"), parts, strict=True))


def said_fan(stage: Stage) -> Any:
    theme, source, ends = current_theme(), matrix(), [Notebook(c, 0.9, 1.2) for c in ("#FFD84D", "#FF8A66", "#B9A3FF")]
    stage.fan(source, ends)
    return VGroup(source, *ends, *layout.fan(source, ends, [theme.query, theme.key, theme.value]))


def said_fill(stage: Stage) -> Any:
    return stage.fill(VGroup(*squares(2)).arrange(RIGHT))


def said_place(stage: Stage) -> Any:
    return stage.place(matrix())


def said_rows(stage: Stage) -> Any:
    upper, lower = stage.rows(2, 1)
    return VGroup(upper.place(matrix()), lower.row(*words("the", "other", "third")))


def said_columns(stage: Stage) -> Any:
    left, right = stage.columns(2, 1)
    return VGroup(left.place(matrix()), right.column(*words("the", "other", "third")))


def said_parts(stage: Stage) -> Any:
    first, second = stage.parts(2, 1)
    return VGroup(first.place(matrix()), second.column(*words("the", "other", "third")))


def said_above(stage: Stage) -> Any:
    lower = Stage(stage.left, stage.bottom, stage.right, stage.centre[1]).row(*words("what", "stands", "there"))
    return VGroup(lower, stage.above(lower).place(matrix()))


def said_below(stage: Stage) -> Any:
    upper = stage.row(*words("what", "stands", "there"), align=("middle", "top"))
    return VGroup(upper, stage.below(upper).place(matrix()))


def said_right_of(stage: Stage) -> Any:
    left = stage.column(*words("what", "stands", "there"), align=("left", "middle"))
    return VGroup(left, stage.right_of(left).place(matrix()))


# Relations


def _related(relate: Callable[[Mobject, Mobject], Mobject]) -> Callable[[Stage], Any]:
    def draw(stage: Stage) -> Any:
        other = Square(2, color=current_theme().muted).move_to(stage.centre)
        corner = (stage.left + 1, stage.bottom + 1, 0)
        thing = Square(0.9, color=current_theme().query, fill_opacity=0.5).move_to(corner)
        return layout.grouped(other, relate(thing, other))

    return draw


# Blocks and text


def said_matrix(stage: Stage) -> Any:
    return stage.row(matrix(), matrix(digits=(), rows=(), heads=2), matrix(digits="all", rows=(), cover="card"))


def said_panel(stage: Stage) -> Any:
    return stage.row(layout.Panel(*words("one", "two"), above=TextLine("head", BODY), cover="card"),
                     layout.Panel(*words("one", "two"), cover="page", color=current_theme().value))  # fmt: skip


def said_measured(stage: Stage) -> Any:
    return stage.along(
        layout.Measured(lambda size: emblem("one_head", EXAMPLE, size), 0.4, 1.6), *words("as large", "as may be")
    )


def said_paragraph(stage: Stage) -> Any:
    return stage.place(Paragraph(("a text in rows that is", "laid out as one thing"), BODY))


def said_sign(stage: Stage) -> Any:
    return stage.row(*(layout.sign(text) for text in "×=+≈"))


# Ways


def _two(stage: Stage) -> tuple[Any, Any, Any]:
    one, other = Square(0.9).move_to((stage.left + 0.6, 0, 0)), Square(0.9).move_to((stage.right - 0.6, 0, 0))
    return one, other, Square(2, color=current_theme().muted, fill_opacity=0.3).move_to(stage.centre)


def said_link(stage: Stage) -> Any:
    one, other, wall = _two(stage)
    return VGroup(one, other, wall, layout.link(one, other, [wall], current_theme().key))


def said_free_way(stage: Stage) -> Any:
    one, other, wall = _two(stage)
    corners = layout.free_way(one, other, [wall], sides=("top", "top")) or []
    return VGroup(one, other, wall, layout.Link(corners, current_theme().query))


# Verbs: what moves


def moves_enter(scene: Verbs, stage: Stage) -> None:
    stage.row(*(things := squares()))
    scene.enter(*things, lag=0.5, shift=(0, 0.3))


def moves_leave(scene: Verbs, stage: Stage) -> None:
    stage.row(*(things := squares()))
    scene.add(*things)
    scene.leave(*things[1:])


def moves_conceal(scene: Verbs, stage: Stage) -> None:
    stage.row(*(things := squares()))
    scene.add(*things)
    scene.conceal(things[1])


def moves_leave_all(scene: Verbs, stage: Stage) -> None:
    stage.row(*(things := squares()))
    scene.add(*things)
    scene.leave_all(things[1])


def moves_veil(scene: Verbs, stage: Stage) -> None:
    stage.place(whole := matrix())
    scene.veil(whole.inside)
    scene.add(whole)
    scene.wait(0.3)


def moves_unveil(scene: Verbs, stage: Stage) -> None:
    stage.place(whole := matrix())
    scene.veil(whole.inside)
    scene.add(whole)
    scene.unveil(whole, *whole.each_row())


def moves_rest(scene: Verbs, stage: Stage) -> None:
    stage.row(*(things := squares()))
    scene.add(*things)
    scene.rest(*things[:2])


def moves_wake(scene: Verbs, stage: Stage) -> None:
    moves_rest(scene, stage)
    scene.wake(*scene.mobjects)


def moves_hush(scene: Verbs, stage: Stage) -> None:
    stage.place(whole := matrix(digits="all"))
    scene.add(whole)
    scene.hush(whole)


def moves_gliding(scene: Verbs, stage: Stage) -> None:
    stage.place(whole := matrix())
    scene.add(whole)
    with scene.gliding():
        stage.columns(1, 3)[0].place(whole, align=("left", "top"))


def moves_together(scene: Verbs, stage: Stage) -> None:
    stage.row(*(things := squares()))
    scene.add(things[0])
    with scene.together():
        scene.leave(things[0])
        scene.enter(*things[1:])


def moves_swap(scene: Verbs, stage: Stage) -> None:
    old, new = words("what was", "what is")
    stage.place(old)
    scene.add(old)
    scene.swap(old, layout.over(new, old))


def moves_link(scene: Verbs, stage: Stage) -> None:
    scene.add(*(things := _two(stage)))
    scene.link(things[0], things[1], current_theme().key)


def moves_draw(scene: Verbs, stage: Stage) -> None:
    scene.add(*(things := _two(stage)))
    scene.draw(layout.link(things[0], things[1], [things[2]], current_theme().value))


def moves_fan(scene: Verbs, stage: Stage) -> None:
    theme, source, ends = current_theme(), matrix(), squares()
    stage.fan(source, ends)
    scene.add(source, *ends)
    with scene.together():
        scene.fan(source, ends, [theme.query, theme.key, theme.value])


def moves_trace(scene: Verbs, stage: Stage) -> None:
    whole, strip = matrix(), Matrix(EXAMPLE.attention.x.row(2), digits=0, places=1)
    stage.column(whole, strip)
    scene.veil(strip.inside)
    scene.add(whole, strip)
    scene.trace(whole.row_cells(2), strip.row_cells(0))


# Marks: pictures of one number


def mark_number(stage: Stage) -> Any:
    return stage.place(Number(EXAMPLE.cell.result, 2 * BODY))


def mark_thread(stage: Stage) -> Any:
    weights = EXAMPLE.heads[0].weights
    return VGroup(
        *(Thread((0, 2, 0), (j - 1.5, -2, 0), weights.entry(2, j), current_theme().head(0)) for j in range(4))
    )


def mark_beam(stage: Stage) -> Any:
    theme, lamp = current_theme(), Lamp((0, 2, 0), (0, -2, 0), current_theme().head(0))
    weights = EXAMPLE.heads[0].weights
    beams = (Beam(lamp.mouth, (j - 2, -2, 0), (j - 1.2, -2, 0), weights.entry(2, j), theme.head(0), theme.background)
             for j in range(4))  # fmt: skip
    return VGroup(*beams, lamp)


def mark_hand(stage: Stage) -> Any:
    entry = EXAMPLE.clock.angles.entry(1, 0)
    return Dial(current_theme().pair(0), 1.8).move_to(stage.centre).turn_to(entry.value, entry).sweep(0, entry.value)


def mark_wave(stage: Stage) -> Any:
    plot, row = WavePlot(EXAMPLE.waves, EXAMPLE.words, stage), EXAMPLE.waves.table.row(3)
    return VGroup(*plot.lanes, plot.axis, *plot.numbers.values(), plot.hung, plot.reader().read(3), plot.cells(row))


def mark_window(stage: Stage) -> Any:
    far = EXAMPLE.waves.distant
    plot = WavePlot(EXAMPLE.waves, EXAMPLE.words, stage)
    for pair, lane in enumerate(plot.lanes):
        lane.lay(plot.around(far, pair))
    return VGroup(*plot.lanes, plot.zoom(0), plot.reader(far), plot.cells(far.row))


def mark_bar(stage: Stage) -> Any:
    weights = EXAMPLE.heads[0].weights.row(2)
    bars = (Bar((-2, 1.2 - 0.8 * j, 0), RIGHT * 4, weights.entry(j), current_theme().value, width=24) for j in range(4))
    return VGroup(*bars)


def mark_share(stage: Stage) -> Any:
    return ShareBar(EXAMPLE.heads[0].weights.row(2), EXAMPLE.words, min(7, stage.width), 0.6, current_theme().value)


def mark_heatmap(stage: Stage) -> Any:
    return HeatMap(EXAMPLE.heads[0].weights, 4, 4)


# Figures


def figure_detective(stage: Stage) -> Any:
    theme = current_theme()
    return stage.row(
        Detective(theme.head(0), captain=True).scale(1.6), Detective(theme.head(1), magnifier=True).scale(1.6)
    )


def figure_props(stage: Stage) -> Any:
    theme = current_theme()
    head = EXAMPLE.heads[0]
    slips = Slip(head.q.row(2), 1.6, theme.value), Slip(head.k.row(2), 1.6, theme.key, tag=True)
    props = Notebook(theme.query, 1.0, 1.3), Magnifier(theme.query, 1.3), *slips, Page(1.4, 1.8, theme.query)
    return stage.row(*props)


def figure_lights(stage: Stage) -> Any:
    theme = current_theme()
    return stage.row(
        Lamp((0, 0, 0), (0, -2, 0), theme.head(2), scale=1.6), Flashlight((0, 0, 0), (1, -2, 0), theme.glow)
    )


def figure_dials(stage: Stage) -> Any:
    clock = EXAMPLE.clock
    bank = DialBank(clock.angles, clock.between).turn_to(2)
    stage.place(layout.grid(*bank.dials))
    return bank


def figure_watch(stage: Stage) -> Any:
    theme = current_theme()
    return stage.place(Watch([theme.pair(i) for i in range(3)]).show_time(36580))


def figure_reading(stage: Stage) -> Any:
    clock, row = EXAMPLE.clock, EXAMPLE.clock.table.row(1)
    dial, cells = DialBank(clock.angles, clock.between).turn_to(1).dials[0], PairCells(row)
    reading = Reading(dial, row, 0, cells.boxes[:2], cells.numbers[:2], words("sin", "cos"), words("right", "up"))
    stage.place(reading)
    dial.swept.add(*reading.guides)
    return Group(*reading.things(), reading.scales, reading.bars, reading.dots, reading.links)


def figure_comparison(stage: Stage) -> Any:
    clock, (name, title) = EXAMPLE.clock, words("distance", "hands")
    pair, distance = clock.unique_pairs.row(1), formatted(clock.unique_distances[1])
    panel = Comparison(title, clock.unique_angles[1], pair, distance, name)
    return VGroup(stage.place(panel), *panel.box.others())


def figure_radian(stage: Stage) -> Any:
    entry = EXAMPLE.clock.angles.entry(1, 0)
    dial = Dial(current_theme().pair(0), 1.8).move_to(stage.centre).turn_to(entry.value, entry).sweep(0, entry.value)
    return VGroup(dial, Radian(dial).bend(1.0))


def figure_seats(stage: Stage) -> Any:
    return stage.place(Seats(EXAMPLE.words, EXAMPLE.sizes.word_places, stage.width))


def said_grid(stage: Stage) -> Any:
    return stage.grid(*squares(), *squares(2))


def figure_cards(stage: Stage) -> Any:
    return stage.place(TokenRow(EXAMPLE.words, 0.9 * stage.width))


def figure_shelf(stage: Stage) -> Any:
    theme = current_theme()
    books = [ClosedNotebook(c, TextLine(letter, BODY, theme.background, bold=True), TextLine(letter, BODY))
             for letter, c in (("Q", theme.query), ("K", theme.key), ("V", theme.value))]  # fmt: skip
    return stage.place(Shelf(books, stage.width))


def figure_windows(stage: Stage) -> Any:
    theme, words = current_theme(), EXAMPLE.words
    weights = [head.weights.row(EXAMPLE.focus) for head in EXAMPLE.heads]
    return stage.row(
        *(Window(row, words, theme.head(i), TextLine(name, BODY), stage.width / 3)
          for i, (row, name) in enumerate(zip(weights, ("one", "other"), strict=True)))
    )  # fmt: skip


def figure_bricks(stage: Stage) -> Any:
    rows = [BrickRow([head.output.row(EXAMPLE.focus) for head in EXAMPLE.heads]) for _ in range(2)]
    rows[1].joined = True
    return stage.column(*rows)


def figure_areas(stage: Stage) -> Any:
    theme, count = current_theme(), EXAMPLE.head_parameters.projections.entry(0)
    squares = [CountedSquare(count, theme.query, 1), CountedSquare(count, theme.query, 8)]
    placed = stage.row(*squares)
    squares[1].strips.set_stroke(theme.background, 4)
    return placed


def figure_emblems(stage: Stage) -> Any:
    return stage.row(*(emblem(chapter, EXAMPLE, 0.6) for chapter in ("one_head", "many_heads", "position")))


# The cast


def cast_figures(stage: Stage) -> Any:
    return stage.row(*(Figure(head, stands=True) for head in (None, 0, 1, 2, 3)), level="bottom", gap=0.1)


def cast_holding(stage: Stage) -> Any:
    left = [Figure(k % 4, left="holds", holds_left=held) for k, held in enumerate(HELD[:4])]
    right = [Figure((k + 1) % 4, right="holds", holds_right=held) for k, held in enumerate(HELD[4:])]
    return stage.row(*left, *right, level="bottom", gap=0.05)


def cast_moods(stage: Stage) -> Any:
    return stage.row(*(Figure(0, mood=mood) for mood in MOODS), gap=0.05)


def cast_gestures(stage: Stage) -> Any:
    return stage.row(*(Figure(k % 4, right=gesture) for k, gesture in enumerate(GESTURES)), level="bottom", gap=0.05)


def moves_act(lesson: Verbs, stage: Stage) -> None:
    word, figure = TextLine("cat", BODY, bold=True), Figure(0, left="holds", holds_left="magnifier", most=0.8)
    stage.row(word, figure)
    lesson.add(word, figure)
    lesson.perform(figure.acts(look=word, mood="found", right="up"))


def cast_yard(stage: Stage) -> Any:
    with night():
        yard, wall = Yard(), WallCards(EXAMPLE.words, EXAMPLE.focus, stage.width)
        figure = Figure(0, most=0.8)
    yard.wall.place(wall)
    yard.ground.place(figure, align=("middle", "bottom"))
    lens = figure.aim("lamp", wall.cards[0].get_bottom())
    light = LampLight(lens, wall, EXAMPLE.heads[0].weights.row(EXAMPLE.focus), current_theme().head(0))
    return Group(yard.back, light.beams, wall.cards, light.lit, wall.words, wall.frame, figure)


def cast_wall(stage: Stage) -> Any:
    with night():
        return stage.place(WallCards(EXAMPLE.words, EXAMPLE.focus, stage.width))


def cast_room(stage: Stage) -> Any:
    with night():
        room = Room(1.5)
        worker = room.worker(0, mood="found", left="holds", holds_left="magnifier")
        return Group(room.back, *room.onlookers([1, None, 2, 3]), worker, room.front)


def cast_dark(stage: Stage) -> Any:
    room = Room(1.5)
    return Group(room.back, room.front, room.dark)


def cast_cards(stage: Stage) -> Any:
    with night():
        room = Room(2.2 if layout.is_upright() else 1.5)
        cards = Cards(EXAMPLE.words, room.table, 2, room.at_desk[0])
        return Group(room.back, room.front, *cards.ears("tag", EXAMPLE.report.scaled), cards)


def cast_thread(stage: Stage) -> Any:
    color, weights = current_theme().head(0), EXAMPLE.report.weights
    with night():
        room = Room(2.2 if layout.is_upright() else 1.5)
        cards = Cards(EXAMPLE.words, room.table, 2, room.at_desk[0])
        ears, hand = cards.ears("slip"), (*room.spool, 0)
        threads = [tied(hand, ear, cards, e, color) for ear, e in zip(ears, weights.entries(), strict=True)]
        return Group(room.back, room.front, *ears, cards, *threads)


def cast_bubble(stage: Stage) -> Any:
    figure, says = Figure(0, mood="speaks", most=0.7), TextLine("what am I looking for?", BODY, "#2A2335", bold=True)
    stage.column(says, figure, gap=0.5)
    return Group(figure, Bubble(says, figure.top))


def cast_leaf(stage: Stage) -> Any:
    leaf = Leaf(stage, current_theme().query)
    with daylight():
        return Group(leaf, leaf.stage.place(Matrix(EXAMPLE.heads[0].q, digits=2, rows=EXAMPLE.words)))


STAGE = "The stage: layout"
THINGS = "Things that are laid out"
RELATIONS = "Where a thing stands to another"
WAYS = "Free ways"
VERBS = "The lesson: animations"
MARKS = "Pictures of one number"
FIGURES = "Figures and props"
CAST = "The cast, and where it works"

GALLERY = (
    *(
        Entry(STAGE, f"stage.{name}", getattr(Stage, name), draw)
        for name, draw in (
            ("place", said_place), ("row", said_row), ("column", said_column), ("along", said_along),
            ("grid", said_grid), ("equation", said_equation), ("table", said_table), ("fan", said_fan),
            ("fill", said_fill),
            ("rows", said_rows), ("columns", said_columns), ("parts", said_parts), ("above", said_above),
            ("below", said_below), ("right_of", said_right_of),
        )
    ),
    Entry(STAGE, "across", layout.across, said_across),
    Entry(THINGS, "Matrix", Matrix, said_matrix),
    Entry(THINGS, "Panel", layout.Panel, said_panel),
    Entry(THINGS, "Measured", layout.Measured, said_measured),
    Entry(THINGS, "Paragraph", Paragraph, said_paragraph),
    Entry(THINGS, "sign", layout.sign, said_sign),
    Entry(RELATIONS, "beside", layout.beside, _related(layout.beside)),
    Entry(RELATIONS, "above", layout.above, _related(layout.above)),
    Entry(RELATIONS, "below", layout.below, _related(layout.below)),
    Entry(RELATIONS, "over", layout.over, _related(layout.over)),
    Entry(RELATIONS, "aligned", layout.aligned, _related(lambda thing, other: layout.aligned(thing, other, "top"))),
    Entry(RELATIONS, "as_wide", layout.as_wide, _related(layout.as_wide)),
    Entry(RELATIONS, "as_high", layout.as_high, _related(layout.as_high)),
    Entry(WAYS, "link", layout.link, said_link),
    Entry(WAYS, "free_way", layout.free_way, said_free_way),
    Entry(WAYS, "fan", layout.fan, said_fan),
    *(
        Entry(VERBS, f"self.{name}", getattr(Verbs, name), draw, moves=True)
        for name, draw in (
            ("perform", moves_act), ("enter", moves_enter), ("leave", moves_leave), ("leave_all", moves_leave_all),
            ("conceal", moves_conceal), ("veil", moves_veil), ("unveil", moves_unveil),
            ("rest", moves_rest), ("wake", moves_wake), ("hush", moves_hush), ("gliding", moves_gliding),
            ("together", moves_together), ("swap", moves_swap), ("link", moves_link), ("draw", moves_draw),
            ("fan", moves_fan), ("trace", moves_trace),
        )
    ),
    Entry(MARKS, "Number", Number, mark_number),
    Entry(MARKS, "Thread", Thread, mark_thread),
    Entry(MARKS, "Beam", Beam, mark_beam),
    Entry(MARKS, "Dial", Dial, mark_hand),
    Entry(MARKS, "WavePlot", WavePlot, mark_wave),
    Entry(MARKS, "plot.zoom", WavePlot.zoom, mark_window),
    Entry(MARKS, "Bar", Bar, mark_bar),
    Entry(MARKS, "ShareBar", ShareBar, mark_share),
    Entry(MARKS, "HeatMap", HeatMap, mark_heatmap),
    Entry(FIGURES, "Detective", Detective, figure_detective),
    Entry(FIGURES, "Notebook, Magnifier, Slip, Page", Slip, figure_props),
    Entry(FIGURES, "Lamp, Flashlight", Lamp, figure_lights),
    Entry(FIGURES, "DialBank", DialBank, figure_dials),
    Entry(FIGURES, "Watch", Watch, figure_watch),
    Entry(FIGURES, "Reading", Reading, figure_reading),
    Entry(FIGURES, "Comparison", Comparison, figure_comparison),
    Entry(FIGURES, "Radian", Radian, figure_radian),
    Entry(FIGURES, "Seats", Seats, figure_seats),
    Entry(FIGURES, "TokenRow", TokenRow, figure_cards),
    Entry(FIGURES, "Shelf", Shelf, figure_shelf),
    Entry(FIGURES, "Window", Window, figure_windows),
    Entry(FIGURES, "BrickRow", BrickRow, figure_bricks),
    Entry(FIGURES, "CountedSquare", CountedSquare, figure_areas),
    Entry(FIGURES, "emblem", emblem, figure_emblems),
    Entry(CAST, "Figure: the captain, and a detective for each head", Figure, cast_figures),
    Entry(CAST, "Figure: what is held", held, cast_holding),
    Entry(CAST, "Figure: moods", Mood, cast_moods),
    Entry(CAST, "Figure: gestures", Pose, cast_gestures),
    Entry(CAST, "figure.acts", Figure.acts, moves_act, moves=True),
    Entry(CAST, "Room", Room, cast_room),
    Entry(CAST, "Room: before the lamp is switched on", Room.switch_on, cast_dark),
    Entry(CAST, "Yard, LampLight", LampLight, cast_yard),
    Entry(CAST, "WallCards", WallCards, cast_wall),
    Entry(CAST, "Cards, Ear", Cards, cast_cards),
    Entry(CAST, "tied", tied, cast_thread),
    Entry(CAST, "Bubble", Bubble, cast_bubble),
    Entry(CAST, "Leaf", Leaf, cast_leaf),
)  # fmt: skip
