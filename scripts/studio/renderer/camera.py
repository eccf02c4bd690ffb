"""A camera that hands cairo whole paths: the pixels of manim's own, in a fraction of the time.

Manim emits each curve of a path through a call of its own. Anything unusual (non-finite points, another
cairo binding) goes through manim's methods, and so do colours, gradients and strokes.
"""

from typing import Any, Self
from weakref import WeakKeyDictionary

import cairo
import numpy as np
from manim import Camera, VMobject
from numpy.typing import NDArray

from scripts.studio.renderer.paths import Path, appender, laid_out


class WholePathCamera(Camera):
    """Manim's camera, with paths appended whole and kept while a shape stands, and invisible paint left out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._laid: WeakKeyDictionary[VMobject, tuple[NDArray[np.float64], Path]] = WeakKeyDictionary()

    def display_vectorized(self, vmobject: VMobject, ctx: "cairo.Context[Any]") -> Self:
        behind = vmobject.get_stroke_width(True) > 0 and _visible(self.get_stroke_rgbas(vmobject, background=True))
        inside = _visible(self.get_fill_rgbas(vmobject))
        above = vmobject.get_stroke_width() > 0 and _visible(self.get_stroke_rgbas(vmobject))
        if behind or inside or above:
            self.set_cairo_context_path(ctx, vmobject)
        if behind:
            self.apply_stroke(ctx, vmobject, background=True)
        if inside:
            self.apply_fill(ctx, vmobject)
        if above:
            self.apply_stroke(ctx, vmobject)
        return self

    def set_cairo_context_path(self, ctx: "cairo.Context[Any]", vmobject: VMobject) -> Self:
        append = appender()
        path = None if append is None else self._path(vmobject)
        if append is None or path is None:
            return super().set_cairo_context_path(ctx, vmobject)
        ctx.new_path()
        append(ctx, path)
        return self

    def _path(self, vmobject: VMobject) -> Path | None:
        """The shape's path, or None for one that is left to manim."""
        points = vmobject.points
        known = self._laid.get(vmobject)
        if known is not None and np.array_equal(known[0], points):
            return known[1]
        if len(points) == 0 or len(points) % 4 or not np.isfinite(points).all():
            return None
        path = Path(laid_out(points, vmobject.tolerance_for_point_equality))
        self._laid[vmobject] = (points.copy(), path)
        return path


def _visible(rgbas: NDArray[np.float64]) -> bool:
    return bool(rgbas[0, 3] if len(rgbas) == 1 else rgbas[:, 3].any())
