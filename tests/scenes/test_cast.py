"""The cast: persons who differ in outline, glance with the face alone, stay within their reach, and cost little."""

from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from manim import Scene, config, tempconfig
from numpy.typing import NDArray

from mathcore.example import WorkedExample
from mathcore.named import NamedArray
from scenes.cast.cards import Cards, tied
from scenes.cast.figure import Figure, paint, reach_of
from scenes.cast.people import CAPTAIN, DETECTIVES, PEOPLE, Person
from scenes.cast.pose import GESTURES, HELD, MOODS, Hold, between, pose
from scenes.cast.room import Room, night
from scenes.cast.yard import CARD_LIGHT, LampLight, WallCards, Yard
from scenes.formats import FORMATS, Slot, use_format
from scenes.kit import picture
from scenes.kit.sheet import Light, Sheet, extent
from scenes.kit.theme import LIGHT, THEMES, contrast, rgb, text_on, use_theme
from scripts.studio.renderer import camera as camera_module
from scripts.studio.renderer import images
from scripts.studio.renderer.film import StudioRenderer

Pixels = NDArray[np.uint8]
GROUND = Slot(-3.4, -0.4, 3.4, 5.2)
BAND = "#56B4E9"
# Two persons of one size who share more of their outline than this could be taken for each other.
ALIKE = 0.8
EXAMPLE = WorkedExample(("The", "tired", "cat", "sat", "on", "the", "warm", "mat"), d_model=8, n_heads=4)


@pytest.fixture(autouse=True)
def dark() -> Iterator[None]:
    with night(), tempconfig({"pixel_width": 854, "pixel_height": 480, "frame_rate": 15}):
        yield


def painted(person: Person, density: float = 60.0, light: Light | None = None, **changes: Any) -> Pixels:
    sheet = Sheet(GROUND, density)
    paint(sheet, person, pose(**changes), light or Light(), BAND)
    return sheet.rgba()


def silhouette(person: Person, rows: int) -> NDArray[np.bool_]:
    """The outline of a person so many pixels high, feet on the last row."""
    slot = reach_of(person, pose())
    sheet = Sheet(Slot(-1.6, slot.bottom, 1.6, slot.top), rows / slot.height)
    paint(sheet, person, pose(), Light(), BAND)
    return sheet.rgba()[..., 3] > 127


@pytest.mark.parametrize(("one", "other"), list(combinations(PEOPLE, 2)), ids=lambda p: p.name)
def test_outlines_differ_at_160_pixels(one: Person, other: Person) -> None:
    # As high as each other: without the difference in height, which a frame may cut off.
    a, b = silhouette(one, 160), silhouette(other, 160)
    rows, columns = (min(x, y) for x, y in zip(a.shape, b.shape, strict=True))
    a, b = (
        shape[-rows:, (shape.shape[1] - columns) // 2 : (shape.shape[1] - columns) // 2 + columns] for shape in (a, b)
    )
    assert (a & b).sum() / (a | b).sum() < ALIKE


@pytest.mark.parametrize("person", PEOPLE, ids=lambda p: p.name)
def test_a_glance_changes_the_face_and_nothing_below_it(person: Person) -> None:
    ahead = painted(person)
    (_, y), (across, up) = person.build.head, person.build.radii
    chin, density = y - up - 0.02, 60.0
    for glance in product((-1.0, 0.0, 1.0), repeat=2):
        if glance == (0.0, 0.0):
            continue
        changed = (painted(person, glance=glance) != ahead).any(axis=2)
        rows, columns = np.nonzero(changed)
        heights, places = GROUND.top - rows / density, GROUND.left + columns / density
        assert heights.min() > chin
        # Pupils, features and the hat, whose brim reaches beyond the face.
        assert abs(places).max() < across + 0.6
        eyes = (abs(heights - y) < 0.3) & (abs(places) < across)
        assert eyes.sum() > 60


@pytest.mark.parametrize("person", PEOPLE, ids=lambda p: p.name)
def test_pupils_move_to_where_the_glance_goes(person: Person) -> None:
    left, right = (painted(person, glance=(x, 0.0))[..., :3].astype(int).sum(axis=2) for x in (-1.0, 1.0))
    (_, y), (across, _) = person.build.head, person.build.radii
    row = slice(round((GROUND.top - y - 0.12) * 60), round((GROUND.top - y + 0.1) * 60))
    columns = np.arange(left.shape[1])
    inside = abs(GROUND.left + columns / 60 - 0) < across * 0.75
    middles = [np.average(columns[inside], weights=(view[row] < 160).sum(axis=0)[inside]) for view in (left, right)]
    assert middles[1] - middles[0] > 4


@pytest.mark.parametrize("person", PEOPLE, ids=lambda p: p.name)
@pytest.mark.parametrize("held", [None, *HELD])
def test_figures_stay_inside_the_reach_they_state(person: Person, held: str | None) -> None:
    hold = None if held is None else Hold(held, 0.4)
    for mood, gesture in zip([*MOODS] * 2, GESTURES, strict=False):
        one = pose(mood=mood, left=gesture, right=gesture, holds_left=hold, holds_right=hold, tilt=0.1)
        reach = reach_of(person, one)
        sheet = Sheet(GROUND, 90)
        paint(sheet, person, one, Light(), BAND)
        found = extent(sheet.rgba())
        assert found is not None
        left, top, right, bottom = (value / 90 for value in found)
        assert GROUND.left + left >= reach.left and GROUND.left + right <= reach.right
        assert GROUND.top - bottom >= reach.bottom and GROUND.top - top <= reach.top
        # It states no more than it needs, to a tenth of a unit.
        assert reach.width - (right - left) < 0.2 and reach.height - (bottom - top) < 0.2


def test_a_figure_is_laid_out_by_the_reach_it_states() -> None:
    figure = Figure(0, left="up", right="points")
    figure.breadth = 0.5
    stated, scale = figure.reach(1.0), 0.65
    figure.settle(1.0)
    slot = reach_of(figure.person, figure.pose)
    assert stated.width == pytest.approx(slot.width * scale) == pytest.approx(figure.width)
    assert stated.height == pytest.approx(slot.height * scale) == pytest.approx(figure.height)
    assert figure.get_left()[0] == pytest.approx(figure.anchor[0] - stated.left)


@pytest.mark.parametrize("side", ["left", "right"])
def test_hands_are_where_they_are_said_to_be(side: str) -> None:
    figure = Figure(0).stand(1.0, -2.0, 0.8)
    target = np.array([1.0 + (-1 if side == "left" else 1) * 0.9, 0.0, 0.0])
    figure.be(**{side: figure.reaches(side, target)})
    assert figure.hand(side) == pytest.approx(target)
    figure.be(**{f"holds_{side}": "magnifier"})
    x, y, _ = (figure.held(side) - figure.points[0]) * [1, -1, 0]
    pixels = figure.pixel_array
    density = pixels.shape[1] / figure.width
    # In the middle of the glass there is glass.
    assert pixels[round(y * density), round(x * density), :3] == pytest.approx(rgb("#CFE3EE") * 255, abs=2)


@pytest.mark.parametrize("way", [-1.0, 1.0])
def test_light_comes_from_the_lamp(way: float) -> None:
    for person in PEOPLE:
        pixels = painted(person, light=Light((way, 0.2)))
        ink = pixels[..., 3] == 255
        rows = slice(
            round((GROUND.top - person.build.shoulder[1]) * 60), round((GROUND.top - person.build.hem[1]) * 60)
        )
        luma = pixels.astype(float) @ [0.2126, 0.7152, 0.0722, 0]
        edges: dict[int, list[float]] = {-1: [], 1: []}
        for row, inked in zip(luma[rows], ink[rows], strict=True):
            columns = np.flatnonzero(inked)
            edges[-1].append(row[columns[1]])
            edges[1].append(row[columns[-2]])
        toward, away = np.mean(edges[int(way)]), np.mean(edges[int(-way)])
        assert toward > 1.25 * away, person.name


def test_half_light_is_darker_and_the_rim_stays() -> None:
    bright, half = (painted(CAPTAIN, light=Light(level=level)).astype(float) for level in (1.0, 0.5))
    ink = bright[..., 3] == 255
    assert half[ink][:, :3].mean() < 0.7 * bright[ink][:, :3].mean()


def test_a_hat_band_has_its_heads_colour() -> None:
    for head, color in enumerate(THEMES["dark"].heads):
        figure = Figure(head).stand(0, 0, 1.0)
        colours = figure.pixel_array[..., :3].reshape(-1, 3)
        own = (abs(colours.astype(int) - rgb(color) * 255).max(axis=1) < 3).sum()
        assert own > 150
    assert [figure.person for figure in (Figure(4), Figure(None))] == [DETECTIVES[0], CAPTAIN]


@pytest.mark.parametrize("format", FORMATS)
def test_a_night_room_is_the_same_on_both_pages_and_its_words_can_be_read(format: str) -> None:
    seen = []
    for theme in THEMES:
        with use_theme(theme), use_format(format), night():
            room = Room(1.5)
            seen.append((room.back.pixel_array.tobytes(), room.worker(1).pixel_array.tobytes()))
            cards = Cards(EXAMPLE.words, room.table, 2, room.at_desk[0])
            for i in range(len(EXAMPLE.words)):
                paper, word = cards.face(i), cards.card(i)[-1]
                assert contrast(word.get_fill_color().to_hex(), paper.get_fill_color().to_hex()) >= 4.5
            tag = cards.ear("tag", 0, EXAMPLE.report.scaled.entry(0))
            color = tag.paper.get_fill_color().to_hex()
            assert tag.number is not None and contrast(text_on(color), color) >= 4.5
    assert seen[0] == seen[1]


@pytest.mark.parametrize("theme", THEMES)
def test_every_figure_stands_out_from_the_page(theme: str) -> None:
    page = THEMES[theme].background
    for person in PEOPLE:
        pixels = painted(person)
        colours = pixels[pixels[..., 3] == 255][:, :3]
        some = colours[:: max(1, len(colours) // 400)]
        told = [contrast("#" + "".join(f"{c:02X}" for c in colour), page) for colour in some]
        # Light clothes on a light page, and dark ones at night, are held by what is beside them.
        assert np.mean(np.array(told) >= 1.6) > 0.6, (person.name, theme)
    assert LIGHT.name in THEMES


@pytest.mark.parametrize("words", range(2, 13))
@pytest.mark.parametrize("format", FORMATS)
def test_threads_come_down_between_cards(format: str, words: int) -> None:
    sentence = [*EXAMPLE.words, "and", "a", "dog", "ran"][:words]
    longer = WorkedExample(tuple(sentence), d_model=8, n_heads=4)
    with use_format(format):
        room = Room(1.5 if format == "landscape" else 2.7)
        cards = Cards(sentence, room.table, 1, 0.0)
        for i, (ear, entry) in enumerate(zip(cards.ears("tag"), longer.heads[0].weights.row(1).entries(), strict=True)):
            thread = tied((*room.spool, 0.0), ear, cards, entry, BAND)
            assert thread.points[-1] == pytest.approx(ear.hole)
            path = np.array([thread.point_from_proportion(float(t)) for t in np.linspace(0, 1, 60)])
            for j in range(words):
                if j == i:
                    continue
                face = cards.face(j)
                (left, low), (right, high) = face.get_corner((-1, -1, 0))[:2], face.get_corner((1, 1, 0))[:2]
                inside = (path[:, 0] > left) & (path[:, 0] < right) & (path[:, 1] > low) & (path[:, 1] < high)
                assert not inside.any(), (i, j)


def lamps_of_a_wall(format: str, words: int) -> tuple[WallCards, list[tuple[Figure, LampLight, NamedArray]]]:
    sentence = [*EXAMPLE.words, "and", "a", "dog", "ran"][:words]
    example = WorkedExample(tuple(sentence), d_model=8, n_heads=4)
    with use_format(format):
        yard = Yard()
        wall = WallCards(sentence, example.focus, yard.wall.width)
        yard.wall.place(wall)
        found = []
        for i in range(4):
            weights = example.bottleneck.rows.row(i)
            figure = Figure(i, light=yard.light()).stand(2.0 * i - 3, yard.ground.bottom, 0.4)
            card = wall.each_card[int(weights.values.argmax())]
            lens = figure.aim("lamp", card.get_bottom())
            found.append((figure, LampLight(lens, wall, weights, LIGHT.head(i)), weights))
        return wall, found


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("words", [2, 5, 8, 12])
def test_light_on_a_card_is_its_weight(format: str, words: int) -> None:
    wall, lamps = lamps_of_a_wall(format, words)
    for _, light, weights in lamps:
        shown = [float(patch.get_fill_opacity()) / CARD_LIGHT for patch in light.lit]
        assert shown == pytest.approx(list(weights.values)) and sum(shown) == pytest.approx(1.0)
        for patch, card in zip(light.lit, wall.each_card, strict=True):
            assert patch.get_center() == pytest.approx(card.get_center())


def test_a_lamp_points_at_the_card_that_it_lights_most() -> None:
    wall, lamps = lamps_of_a_wall("landscape", 8)
    for figure, _, weights in lamps:
        side = "left" if figure.pose.holds_left is not None else "right"
        hand, lens = figure.hand(side)[:2], figure.held(side)[:2]
        aim = wall.each_card[int(weights.values.argmax())].get_bottom()[:2] - hand
        assert float(aim @ (lens - hand)) / float(np.hypot(*aim) * np.hypot(*(lens - hand))) > 0.99


def test_light_in_the_air_is_brighter_for_a_larger_weight() -> None:
    with use_format("landscape"):
        wall, lamps = lamps_of_a_wall("landscape", 8)
        for _, light, weights in lamps:
            pixels, beams = light.beams.pixel_array, light.beams
            density = pixels.shape[1] / beams.width
            bright = []
            for card in wall.each_card:
                x, y, _ = (card.get_bottom() - beams.points[0]) * [1, -1, 0] * density
                bright.append(int(pixels[round(y) + 3, round(x), 3]))
            # Halos of neighbours overlap: weights that are nearly alike cannot be told apart here, but on the cards.
            for (one, high), (other, low) in permutations(zip(bright, weights.values, strict=True), 2):
                if high - low > 0.12:
                    assert one > other


def test_between_two_poses() -> None:
    one, other = pose(glance=(-1, 0), holds_left="tag"), pose(mood="found", right="up", holds_left="pen")
    assert between(one, other, 0.0) == one and between(one, other, 1.0) == other
    middle = between(one, other, 0.5)
    assert middle.glance == (-0.5, 0.0) and middle.mood.open == pytest.approx(0.5)
    sizes = [held.size for share in (0.25, 0.75) if (held := between(one, other, share).holds_left)]
    assert sizes == pytest.approx([0.5, 0.5])
    kept = between(pose(holds_right=Hold("lamp", 0.0)), pose(holds_right=Hold("lamp", 1.0)), 0.5)
    assert kept.holds_right == Hold("lamp", 0.5)


@pytest.mark.parametrize(
    ("changes", "told"),
    [({"mood": "grim"}, 'mood: there is no "grim"; there are calm'),
     ({"left": "salutes"}, 'left: there is no "salutes"; there are hangs'),
     ({"holds_right": "axe"}, 'holds_right: there is no "axe"; there are magnifier')],
)  # fmt: skip
def test_names_that_there_are_not(changes: dict[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        pose(**changes)


class Counting:
    """Frames, and how often each is shown."""

    def __init__(self) -> None:
        self.frames: list[int] = []

    def write(self, frame: Pixels, repeat: int) -> None:
        self.frames.append(repeat)


def test_what_rests_costs_nothing_and_what_moves_its_own_box(monkeypatch: pytest.MonkeyPatch) -> None:
    painted_keys: list[Any] = []
    covered: list[int] = []
    real_make, real_lay = picture.Picture._painted, images.lay_over

    def make(self: picture.Picture, density: float) -> Pixels:
        painted_keys.append(self.key)
        return real_make(self, density)

    def lay(frame: Pixels, image: Any, left: int, top: int) -> None:
        covered.append(image.width * image.height)
        real_lay(frame, image, left, top)

    monkeypatch.setattr(picture.Picture, "_painted", make)
    monkeypatch.setattr(camera_module, "lay_over", lay)
    picture.forget()
    sink = Counting()

    class Held(Scene):
        def construct(self) -> None:
            room = Room(1.5)
            figure = room.worker(0)
            self.add(room.back, *room.onlookers([1, None, 2]), figure)
            self.wait(2)
            self.drawn_held = len(covered)
            self.play(figure.acts(look=(3, 0), mood="found"), run_time=1)

    scene = Held(StudioRenderer((sink,)))
    scene.render()
    # Two seconds are one frame, drawn once: wall, three who look on, one at the desk.
    assert sink.frames[0] == 30 and scene.drawn_held == 5
    assert len(painted_keys) == len(set(painted_keys))
    # While one moves, the rest is one picture below; what is drawn anew each frame is that one's own box.
    frames = len(sink.frames) - 1
    still, moving = 4, covered[scene.drawn_held + 4 :]
    assert frames == 15 and len(covered) == scene.drawn_held + still + frames
    assert max(moving) < 0.12 * config.pixel_width * config.pixel_height
