"""The ledger: every number, and every picture of a number, that a film shows: in which frames, and where it stands."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from manim import Animation, Mobject, UpdateFromFunc

from scenes.kit.literals import Literals, literal_ties
from scenes.kit.marks import Mark, SpokenMark
from scenes.kit.text import Box, Drawn, Provenance, TextLine, all_provenance_of, box_around, provenance_of

VERSION = 2
"""Of the format of ledger files."""


@dataclass(frozen=True)
class Row:
    """A number, or a picture of one, in some frames of a beat.

    It is there in the frames from `frame` to before `until`, counted from 0 at the lesson's start. If it `moves`, it is
    on its way there, changing, appearing or going, within `box`; else it stands in `box`, drawn as `mark`. Boxes are
    left, bottom, right, top in frame units (8 high, origin in the middle); None for what is spoken in a caption. Rows
    with the same `id` are of one mark of the picture, in turn. Of those that stand in a frame, a higher `layer` is
    nearer to the front.
    """

    id: int
    lesson: str
    beat: str
    frame: int
    until: int
    moves: bool
    layer: float
    kind: str
    text: str
    path: str
    index: tuple[int, ...]
    value: float
    box: Box | None
    mark: Mark | None = field(default=None, compare=False)

    def at(self, frame: int) -> bool:
        """Whether it is there in a frame."""
        return self.frame <= frame < self.until

    def rests_at(self, frame: int) -> bool:
        """Whether it stands in the picture of a frame, and does not move."""
        return self.box is not None and not self.moves and self.at(frame)

    def cut(self, start: int, stop: int) -> "Row | None":
        """The same in a part of the frames, counted from its `start`; None where it is not there."""
        first, last = max(self.frame, start), min(self.until, stop)
        return replace(self, frame=first - start, until=last - start) if first < last else None

    def written(self) -> dict[str, Any]:
        """As ledger files have it."""
        found = {**vars(self), "mark": None}
        if self.mark is not None:
            found["mark"] = {"name": self.mark.name, **asdict(self.mark)}
        return found


@dataclass
class _Seen:
    """A mark on screen: its shape (held, so that no other one gets its identity), its id, its state, its open row."""

    shape: Mobject
    id: int
    kind: str
    state: "_State | None"
    row: int | None


# What is on screen, by shape and item of its provenance; and what it shows, and where.
_Key = tuple[int, int]
_State = tuple[str, Box]


@dataclass(frozen=True)
class _Moving:
    """A shape that an animation may change: its provenance and kind of picture before it does, and its places."""

    shape: Mobject
    animation: Animation
    provenance: tuple[Provenance, ...]
    kind: str
    rooms: list[list[Box]]

    def look(self, shape: Mobject) -> None:
        """Note where it is, or a stage of it."""
        for n in range(len(all_provenance_of(shape))):
            if len(self.rooms) <= n:
                self.rooms.append([])
            self.rooms[n] += _rooms(shape, n)

    def room(self, n: int) -> Box | None:
        """Where item n of its provenance comes by."""
        rooms, whole = self.rooms[n] if n < len(self.rooms) else [], getattr(self.animation, "room", None)
        room = _union(rooms if whole is None else [*rooms, whole])
        if room is None or not isinstance(self.shape, TextLine) or not isinstance(self.animation, UpdateFromFunc):
            return room
        # Its digits may change, and be more in between.
        left, bottom, right, top = room
        return left - (top - bottom), bottom, right + (top - bottom), top


class Ledger:
    """The rows of a lesson; `literals` are the texts that it may show as they are written."""

    def __init__(self, lesson: str, literals: Callable[[], Literals]) -> None:
        self.rows: list[Row] = []
        self._lesson, self._literals, self._ids = lesson, literals, 0
        self._seen: dict[_Key, _Seen] = {}
        self._moving: list[_Moving] = []

    def speak(self, beat: str, frame: int, until: int, provenance: Iterable[Provenance], language: str) -> None:
        """Note the numbers of a line that is spoken in some frames."""
        for origin in provenance:
            # How a number is spoken that is not said as its digits.
            mark = SpokenMark(form=origin.form, language=language) if origin.form else None
            self._add(self._new_id(), beat, (frame, until), False, 0.0, "caption", origin, None, mark)

    def record(self, beat: str, frame: int, shapes: Iterable[Mobject], animations: Iterable[Animation] = ()) -> None:
        """Note what stands on screen from a frame on, as far as it is new, changed, or in a new beat.

        What is brought in by `animations`, which begin now, is left to `move`.
        """
        introduced, moved = _introduced(animations), _moved(animations)
        there: dict[_Key, tuple[Mobject, Provenance, Box, Mark | None]] = {}
        layers: dict[_Key, float | None] = {}
        top = -1.0
        for shape in shapes:
            if id(shape) in introduced or (id(shape) in moved and (id(shape), 0) not in self._seen):
                continue
            for n, origin in enumerate(self._provenance(shape)):
                key, box = (id(shape), n), shape.box_of(n) if isinstance(shape, Drawn) else box_around(shape)
                seen = self._seen.get(key)
                row = self.rows[seen.row] if seen and seen.row is not None else None
                if row and row.beat == beat and row.layer > top and seen and seen.state == _state(origin, box):
                    top = layers[key] = row.layer
                    continue
                mark = shape.mark_of(n) if isinstance(shape, Drawn) else None
                if mark is None or mark.opacity > 0:
                    there[key], layers[key] = (shape, origin, box, mark), None
        for key in self._seen.keys() - layers.keys():
            self._end(self._seen.pop(key), frame)
        for key, layer in zip(layers, _between(list(layers.values())), strict=True):
            if key in there:
                self._stand(key, beat, frame, layer, *there[key])

    def _stand(
        self,
        key: "_Key",
        beat: str,
        frame: int,
        layer: float,
        shape: Mobject,
        origin: Provenance,
        box: Box,
        mark: Mark | None,
    ) -> None:
        """Note that something stands on screen from a frame on."""
        before = self._seen.get(key)
        self._end(before, frame)
        kind = mark.kind if mark is not None and origin.kind == "picture" else origin.kind
        number = before.id if before else self._new_id()
        self._seen[key] = _Seen(shape, number, kind, _state(origin, box), len(self.rows))
        self._add(number, beat, (frame, frame), False, layer, kind, origin, box, mark)

    def begin(self, animations: Iterable[Animation]) -> None:
        """Note what animations that are about to begin may change."""
        self._moving = []
        wholes = [seen.shape for (_, n), seen in self._seen.items() if n == 0 and _has_parts(seen.shape)]
        for animation in _leaves(animations):
            parts = list(_family(changed_by(animation)))
            changed = set(map(id, parts))
            # What has a number may be a whole of which only a part is changed.
            parts += [s for s in wholes if id(s) not in changed and any(id(p) in changed for p in _parts(s))]
            self._moving += [
                _Moving(p, animation, self._provenance(p), _picture_kind(p), [])
                for p in parts
                if "provenance" in vars(p)
            ]
        self._look()

    def _look(self) -> None:
        for moving in self._moving:
            moving.look(moving.shape)

    def begun(self) -> None:
        """Note where things are in the first frame of the animations."""
        self._look()

    def move(self, beat: str, start: int, stop: int) -> None:
        """Note what the animations have changed that began at the frame `start`, and are over before `stop`."""
        self._look()
        stages: dict[int, dict[int, Mobject]] = {}
        for moving in self._moving:
            animation = moving.animation
            if id(animation) not in stages:
                stages[id(animation)] = _stages(animation)
            if stage := stages[id(animation)].get(id(moving.shape)):
                moving.look(stage)
            for n, origin in enumerate(moving.provenance or self._provenance(moving.shape)):
                self._move(beat, start, stop, moving, n, origin)
        self._moving = []

    def _move(self, beat: str, start: int, stop: int, moving: _Moving, n: int, origin: Provenance) -> None:
        shape, room = moving.shape, moving.room(n)
        seen = self._seen.get((id(shape), n))
        # In its first frame, an animation has changed nothing yet, and what it introduces is not there.
        late = seen is not None or not moving.provenance or getattr(moving.animation, "introducer", False)
        first = start + 1 if late else start
        self._end(seen, first)
        if seen is None:
            kind = origin.kind if origin.kind != "picture" else moving.kind or _picture_kind(shape)
            seen = self._seen[id(shape), n] = _Seen(shape, self._new_id(), kind, None, None)
        if first < stop and room is not None:
            self._add(seen.id, beat, (first, stop), True, 0.0, seen.kind, origin, room, None)

    def close(self, frame: int) -> None:
        """Whatever is on screen is seen until the lesson's end."""
        for seen in self._seen.values():
            self._end(seen, frame)

    def _provenance(self, shape: Mobject) -> tuple[Provenance, ...]:
        """What a shape shows, if anything of it is to be seen."""
        if isinstance(shape, TextLine):
            if not is_seen(shape):
                return ()
            literal_ties(shape, self._literals)
        return provenance_of(shape)

    def _new_id(self) -> int:
        self._ids += 1
        return self._ids - 1

    def _end(self, seen: _Seen | None, frame: int) -> None:
        """Note in the open row of what was seen until when it was."""
        if seen is not None and seen.row is not None:
            self.rows[seen.row] = replace(self.rows[seen.row], until=frame)
            seen.row = None

    def _add(
        self, number: int, beat: str, frames: tuple[int, int], moves: bool, layer: float, kind: str, origin: Provenance,
        box: Box | None, mark: Mark | None,
    ) -> None:  # fmt: skip
        entry = origin.entry
        self.rows.append(
            Row(number, self._lesson, beat, *frames, moves, layer, kind, origin.text, entry.path, entry.index,
                entry.value, box, mark)
        )  # fmt: skip


def _state(origin: Provenance, box: Box) -> _State:
    return origin.entry.address + origin.text, box


def _between(layers: Sequence[float | None]) -> list[float]:
    """Layers from back to front, with numbers for those that have none yet, between those of their neighbours."""
    known = [(k, layer) for k, layer in enumerate(layers) if layer is not None]
    last, top = known[-1] if known else (-1, -1.0)
    ends = (-1, -1.0), *known, (len(layers), top + len(layers) - last)
    places, numbers = np.array(ends).T
    found: list[float] = np.interp(np.arange(len(layers)), places, numbers).tolist()
    return found


def is_seen(line: TextLine) -> bool:
    """Whether a text is not transparent, and has any letters."""
    return bool(line.get_fill_opacity() > 0 and len(line.points))


def visible(tops: Iterable[Mobject]) -> Iterator[Mobject]:
    """Every shape of these and below them that shows text or a number, and is not transparent."""
    for shape in _family(tops):
        if is_seen(shape) if isinstance(shape, TextLine) else provenance_of(shape):
            yield shape


def _introduced(animations: Iterable[Animation]) -> set[int]:
    """The ids of all parts that these animations introduce: in their first frame, nothing of them is seen."""
    brought: list[Any] = [each.mobject for each in _leaves(animations) if getattr(each, "introducer", False)]
    return {id(part) for part in _family(brought)}


def _moved(animations: Iterable[Animation]) -> set[int]:
    """The ids of all parts that these animations may change."""
    return {id(part) for each in _leaves(animations) for part in _family(changed_by(each))}


def changed_by(animation: Animation) -> Sequence[Mobject]:
    """What an animation may change: what it says that it `changes`, or else its mobject."""
    changes: Sequence[Mobject] | None = getattr(animation, "changes", None)
    whole: Any = animation.mobject
    return [whole] if changes is None else changes


def _leaves(animations: Iterable[Animation]) -> Iterator[Animation]:
    """Animations, and in place of groups of them their members."""
    for animation in animations:
        members: Sequence[Animation] = getattr(animation, "animations", ())
        yield from _leaves(members) if members else (animation,)


def _family(tops: Iterable[Mobject]) -> Iterator[Mobject]:
    for top in tops:
        yield from top.get_family()


def _has_parts(shape: Mobject) -> bool:
    return bool(shape.submobjects or vars(shape).get("others"))


def _parts(shape: Mobject) -> Iterator[Mobject]:
    """The parts of a shape, and the other glyphs of a number in a formula."""
    yield from _family([*shape.submobjects, *vars(shape).get("others", ())])


def _stages(animation: Animation) -> dict[int, Mobject]:
    """By part of its mobject, what an animation turns it into, which is never shown itself."""
    stage, parts = vars(animation).get("target_copy"), animation.mobject.get_family()
    members = stage.get_family() if isinstance(stage, Mobject) else []
    return {id(part): m for part, m in zip(parts, members, strict=True)} if len(parts) == len(members) else {}


def _rooms(shape: Mobject, n: int) -> Iterator[Box]:
    """Where a shape is, and may come by: a text as a whole, of others what belongs to item n of its provenance."""
    if not isinstance(shape, TextLine) and isinstance(shape, Drawn) and n < len(provenance_of(shape)):
        if shape.has_points() or shape.submobjects:
            yield shape.box_of(n)
            if (room := shape.mark_of(n).room) is not None:
                yield room
    elif len(shape.points):
        yield box_around(shape)


def _picture_kind(shape: Mobject) -> str:
    """The kind of picture that a shape is; empty for digits, and while it shows nothing."""
    shown = provenance_of(shape)
    return str(shape.mark_of(0).kind) if shown and shown[0].kind == "picture" and isinstance(shape, Drawn) else ""


def _union(boxes: Sequence[Box]) -> Box | None:
    if not boxes:
        return None
    left, bottom, right, top = zip(*boxes, strict=True)
    return min(left), min(bottom), max(right), max(top)
