"""Pictures: what is painted on a sheet once and then shown, moved and faded as one image.

Nothing is painted before a frame is drawn, and nothing twice that has not changed.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Self

import numpy as np
from manim import ImageMobject, Mobject, config, interpolate
from manim.constants import RESAMPLING_ALGORITHMS
from manim.mobject.types.image_mobject import AbstractImageMobject
from numpy.typing import NDArray

from scenes.formats import Slot, current_format
from scenes.kit.sheet import Sheet

Pixels = NDArray[np.uint8]
# Bytes of pictures that are kept.
_KEPT = 256_000_000
_pictures: OrderedDict[Hashable, Pixels] = OrderedDict()


def pixels_of(key: Hashable, make: Callable[[], Pixels]) -> Pixels:
    """The pixels of a picture, made once for a key; those used longest ago make room for others."""
    if key in _pictures:
        _pictures.move_to_end(key)
        return _pictures[key]
    made = make()
    made.setflags(write=False)
    _pictures[key] = made
    while len(_pictures) > 1 and sum(kept.nbytes for kept in _pictures.values()) > _KEPT:
        _pictures.popitem(last=False)
    return made


class Picture(ImageMobject):
    """A painted rectangle. `paint` paints its `slot` of the frame on a sheet; `key` says what is painted there.

    Its pixels are as fine as the film's where it stands. A `solid` picture hides what lies below it.
    """

    def __init__(self, slot: Slot, key: Hashable, paint: Callable[[Sheet], None], *, solid: bool = False) -> None:
        self.slot, self.key, self.paint, self.solid = slot, key, paint, solid
        self.opacity = 1.0
        self.fill_opacity = self.stroke_opacity = 1.0
        AbstractImageMobject.__init__(self, 0, resampling_algorithm=RESAMPLING_ALGORITHMS["linear"])

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # What is painted does not change: a copy shares it.
        copy = object.__new__(type(self))
        memo[id(self)] = copy
        vars(copy).update(vars(self))
        copy.points = self.points.copy()
        copy.submobjects, copy.updaters = [], list(self.updaters)
        return copy

    def reset_points(self) -> Self:
        self.points = corners(self.slot)
        return self

    @property
    def unit(self) -> float:
        """Units of the frame that one of its own is long, as it stands."""
        return float(np.linalg.norm(self.points[1] - self.points[0])) / self.slot.width

    @property
    def pixel_array(self) -> Pixels:  # type: ignore[override]
        """Its pixels (rows, columns, 4) in the film that is made."""
        density = config.pixel_height / config.frame_height * self.unit
        # Pictures that grow or shrink are not painted anew for each hundredth.
        density = round(density, 1) if density > 20 else max(density, 1.0)
        painted = pixels_of((self.key, density), lambda: self._painted(density))
        if self.opacity >= 1:
            return painted
        share = round(self.opacity, 4)
        return pixels_of((self.key, density, share), lambda: _faded(painted, share))

    def get_pixel_array(self) -> Any:
        return self.pixel_array

    def _painted(self, density: float) -> Pixels:
        sheet = Sheet(self.slot, density)
        self.paint(sheet)
        return sheet.rgba()

    def set_opacity(self, alpha: float, family: bool = True) -> Self:
        self.opacity = self.stroke_opacity = self.fill_opacity = float(alpha)
        return self

    def fade(self, darkness: float = 0.5, family: bool = True) -> Self:
        return self.set_opacity(self.opacity * (1 - darkness))

    def interpolate_color(self, mobject1: Mobject, mobject2: Mobject, alpha: float) -> Self:
        ends = [m.opacity for m in (mobject1, mobject2) if isinstance(m, Picture)]
        return self.set_opacity(interpolate(ends[0], ends[1], alpha))


def corners(slot: Slot) -> NDArray[np.float64]:
    """The corners of a rectangle, as images have them."""
    left, bottom, right, top = slot.left, slot.bottom, slot.right, slot.top
    return np.array([[left, top, 0], [right, top, 0], [left, bottom, 0], [right, bottom, 0]], dtype=float)


def opacity_of_image(image: ImageMobject) -> float:
    """How opaque the most opaque pixel of an image is."""
    return image.opacity if isinstance(image, Picture) else float(image.pixel_array[..., 3].max()) / 255


def _faded(pixels: Pixels, share: float) -> Pixels:
    faded = pixels.copy()
    faded[..., 3] = np.rint(faded[..., 3] * share)
    return faded


def full_width(bottom: float, top: float) -> Slot:
    """A rectangle from one edge of the frame to the other."""
    half = current_format().width / 2
    return Slot(-half, bottom, half, top)


def forget() -> None:
    """Paint everything anew from now on."""
    _pictures.clear()
