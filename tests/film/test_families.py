"""Families and copies as manim makes them."""

from typing import Any

import numpy as np
import pytest
from manim import Camera, Circle, Group, Line, Mobject, Square, VGroup, tempconfig

from scripts.studio.renderer.camera import WholePathCamera
from scripts.studio.renderer.families import members, shortcuts


def family_of(*tops: Mobject) -> list[Mobject]:
    """Manim's own list for its camera, without order by height."""
    from manim.utils.family import extract_mobject_family_members

    return extract_mobject_family_members(tops)


def nested() -> list[Mobject]:
    shared, other = Square(), Circle()
    inner = VGroup(shared, other)
    return [VGroup(inner, Line(), shared), Group(other, inner), shared]


def test_a_family_has_manims_order_with_what_occurs_twice_last() -> None:
    tops = nested()
    assert members(tops) == family_of(*tops)
    assert [m for top in tops for m in members([top])] == [m for top in tops for m in top.get_family()]


def test_a_mobject_below_itself_is_walked_once() -> None:
    outer, inner, leaf = VGroup(), VGroup(), Square()
    outer.add(inner, leaf)
    # Manim refuses this by add, but its own walk is guarded against it.
    inner.submobjects.append(outer)
    assert members([outer]) == family_of(outer)


def test_the_camera_shows_what_manims_shows_in_the_same_order() -> None:
    tops = nested()
    tops[0].submobjects[1].set_z_index(-1)
    with tempconfig({"pixel_width": 32, "pixel_height": 18}):
        ours, stock = WholePathCamera(), Camera()
    assert ours.get_mobjects_to_display(tops) == stock.get_mobjects_to_display(tops)
    hidden = [tops[2]]
    wanted = stock.get_mobjects_to_display(tops, excluded_mobjects=hidden)
    assert ours.get_mobjects_to_display(tops, excluded_mobjects=hidden) == wanted


def state(mobject: Mobject) -> dict[str, Any]:
    return {name: value for name, value in vars(mobject).items() if name not in ("submobjects", "original_id")}


def test_a_copy_has_every_attribute_of_manims_and_shares_nothing_that_changes() -> None:
    original = VGroup(Square(fill_opacity=0.5), VGroup(Circle(), Line()))
    original.add_updater(lambda mobject: mobject)
    vars(original)["notes"] = {"points": original[0].points}
    stock = original.copy()
    with shortcuts():
        ours = original.copy()
    for one, other, source in zip(ours.get_family(), stock.get_family(), original.get_family(), strict=True):
        assert type(one) is type(other) and one is not source
        assert state(one).keys() == state(other).keys()
        for name, value in state(other).items():
            found = state(one)[name]
            if isinstance(value, np.ndarray):
                assert np.array_equal(found, value) and not np.shares_memory(found, vars(source)[name])
            elif name not in ("animate", "notes", "always"):
                assert type(found) is type(value)
        assert one.original_id == str(id(source))
    # What one attribute shares with another is shared in the copy as well.
    assert vars(ours)["notes"]["points"] is ours[0].points
    ours[0].points[:] = 7
    assert not (original[0].points == 7).any()


def test_manims_functions_come_back_even_after_a_failure() -> None:
    before = Mobject.__dict__["get_family"], Mobject.__dict__["__deepcopy__"]
    with pytest.raises(ZeroDivisionError), shortcuts():
        assert Mobject.__dict__["get_family"] is not before[0]
        raise ZeroDivisionError
    assert (Mobject.__dict__["get_family"], Mobject.__dict__["__deepcopy__"]) == before
