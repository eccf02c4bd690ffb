"""A camera that hands cairo whole paths: the pixels of manim's own, in a fraction of the time.

Manim emits each curve of a path through a call of its own, and asks for each colour through several. Anything
unusual (non-finite points, gradients, background images, another cairo binding) goes through manim's methods.
"""

from collections.abc import Iterable
from typing import Any, Self, TypeVar
from weakref import WeakKeyDictionary

import cairo
import numpy as np
from manim import Camera, Mobject, VMobject
from manim.mobject.types.image_mobject import AbstractImageMobject
from numpy.typing import NDArray

from scenes.formats import current_format
from scripts.studio.renderer.families import members
from scripts.studio.renderer.images import Placed, lay_over, transformed
from scripts.studio.renderer.paths import Path, appender, laid_out

Rgbas = NDArray[np.float64]
Seeing = TypeVar("Seeing", bound=Camera)


class WholePathCamera(Camera):
    """Manim's camera, with paths appended whole and kept while a shape stands, and invisible paint left out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._images: WeakKeyDictionary[AbstractImageMobject, tuple[Any, Any, Placed | None]] = WeakKeyDictionary()
        self._laid: WeakKeyDictionary[VMobject, tuple[NDArray[np.float64], Path]] = WeakKeyDictionary()

    def get_mobjects_to_display(
        self,
        mobjects: Iterable[Mobject],
        include_submobjects: bool = True,
        excluded_mobjects: list[Mobject] | None = None,
    ) -> list[Mobject]:
        if not include_submobjects or excluded_mobjects:
            return super().get_mobjects_to_display(mobjects, include_submobjects, excluded_mobjects)
        shown = [mobject for mobject in members(mobjects) if len(mobject.points)]
        return sorted(shown, key=lambda mobject: mobject.z_index) if self.use_z_index else shown

    def type_or_raise(self, mobject: Mobject) -> Any:
        # The first call of manim's makes the table of kinds.
        ready = isinstance(mobject, VMobject) and hasattr(self, "display_funcs")
        return VMobject if ready else super().type_or_raise(mobject)

    def display_vectorized(self, vmobject: VMobject, ctx: "cairo.Context[Any]") -> Self:
        behind = vmobject.get_stroke_width(True) > 0 and _visible(vmobject.get_stroke_rgbas(True))
        inside = _visible(vmobject.get_fill_rgbas())
        above = vmobject.get_stroke_width() > 0 and _visible(vmobject.get_stroke_rgbas())
        if behind or inside or above:
            self.set_cairo_context_path(ctx, vmobject)
        if behind:
            self.apply_stroke(ctx, vmobject, background=True)
        if inside:
            self.apply_fill(ctx, vmobject)
        if above:
            self.apply_stroke(ctx, vmobject)
        return self

    def display_image_mobject(self, image_mobject: AbstractImageMobject, pixel_array: NDArray[np.uint8]) -> None:
        placed = self._transformed(image_mobject)
        if placed is not None:
            lay_over(pixel_array, *placed)

    def _transformed(self, image: AbstractImageMobject) -> Placed | None:
        """An image as it is seen, kept while it stands."""
        pixels: Any = image.get_pixel_array()
        # What cannot be written to has not changed; of other pixels the content is compared.
        content = pixels if not pixels.flags.writeable else pixels.tobytes()
        state = image.points.tobytes(), image.resampling_algorithm
        known = self._images.get(image)
        same = known is not None and (known[0] is content or (isinstance(content, bytes) and known[0] == content))
        if known is None or not same or known[1] != state:
            corners = self.points_to_subpixel_coords(image, image.points)
            known = self._images[image] = content, state, transformed(pixels, corners, image.resampling_algorithm)
        return known[2]

    def set_cairo_context_color(self, ctx: "cairo.Context[Any]", rgbas: Any, vmobject: VMobject) -> Self:
        if len(rgbas) != 1:
            return super().set_cairo_context_color(ctx, rgbas, vmobject)
        red, green, blue, alpha = rgbas[0].tolist()
        # The canvas is RGBA, and cairo's is BGRA.
        ctx.set_source_rgba(blue, green, red, alpha)
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
        if known is not None and known[0].shape == points.shape and bool((known[0] == points).all()):
            return known[1]
        if len(points) == 0 or len(points) % 4 or not np.isfinite(points).all():
            return None
        path = Path(laid_out(points, vmobject.tolerance_for_point_equality))
        self._laid[vmobject] = (points.copy(), path)
        return path


def framed(camera: Seeing) -> Seeing:
    """Let a camera look at where the format's frame stands in a picture of its size; returns the camera."""
    canvas = current_format().canvas(camera.pixel_width, camera.pixel_height)
    camera.frame_center = np.array([*canvas.centre, 0.0])
    return camera


def _visible(rgbas: Rgbas) -> bool:
    return bool(rgbas[0, 3] if len(rgbas) == 1 else rgbas[:, 3].any())
