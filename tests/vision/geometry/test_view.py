"""Views refuse what cannot be: each with the facelet at fault."""

import pytest

from vision.errors import ViewError, VisionError
from vision.geometry.view import FaceletPatches, View

SQUARE = ((1.0, 1.0), (9.0, 1.0), (9.0, 9.0), (1.0, 9.0))
SIZE = (64, 48)


def view(*names, centres=None, size=SIZE):
    return View(size, tuple(FaceletPatches(name, (SQUARE,)) for name in names), centres or {})


def test_patches_and_views_that_contradict_themselves_are_refused():
    assert issubclass(ViewError, VisionError)
    for named, *corners in (
        ("U1 ", (1.0, 1.0), (9.0, 1.0), (9.0, 1.0), (1.0, 1.0)),
        ("U1 ", (1.0, 1.0), (9.0, float("nan")), (9.0, 9.0), (1.0, 9.0)),
        ("U1 ", (1.0, 1.0), (9.0, 9.0), (9.0, 1.0), (1.0, 9.0)),
        ("U1 .* 90, 1", (1.0, 1.0), (90.0, 1.0), (9.0, 9.0), (1.0, 9.0)),
    ):
        with pytest.raises(ViewError, match=named):
            View(SIZE, (FaceletPatches("U1", (tuple(corners),)),))
    for make, named in (
        (lambda: view("U0"), "'U0'"),
        (lambda: view("U1", "U1"), "U1"),
        (lambda: view("U1", centres={"X": "red"}), "'X'"),
        (lambda: view("U1", size=(0, 48)), "0.*48"),
        (lambda: FaceletPatches("U1", ()), "U1"),
        (lambda: FaceletPatches("U1", (SQUARE,), -1), "U1"),
    ):
        with pytest.raises(ViewError, match=named):
            make()
    corners = ((-0.5, -0.5), (63.5, -0.5), (63.5, 47.5), (-0.5, 47.5))
    assert View(SIZE, (FaceletPatches("U1", (corners,)),)).names() == {"U1"}
