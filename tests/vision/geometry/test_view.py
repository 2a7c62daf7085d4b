"""Views refuse what cannot be: each with the facelet at fault."""

import pytest

from vision.errors import ViewError, VisionError
from vision.geometry.view import FaceletPatches, View

SQUARE = ((1.0, 1.0), (9.0, 1.0), (9.0, 9.0), (1.0, 9.0))
SIZE = (64, 48)


def view(*names, centres=None, size=SIZE):
    return View(size, tuple(FaceletPatches(name, (SQUARE,)) for name in names), centres or {})


def test_a_view_knows_which_facelets_it_shows():
    assert view("U1", "R9").names() == {"U1", "R9"}


@pytest.mark.parametrize(
    ("polygon", "text"),
    [
        (((1.0, 1.0), (9.0, 1.0), (9.0, 1.0), (1.0, 1.0)), "covers less than a pixel"),
        (((1.0, 1.0), (9.0, float("nan")), (9.0, 9.0), (1.0, 9.0)), "covers less than a pixel"),
        (((1.0, 1.0), (9.0, 9.0), (9.0, 1.0), (1.0, 9.0)), "four corners in order"),
        (((1.0, 1.0), (90.0, 1.0), (9.0, 9.0), (1.0, 9.0)), "at 90, 1, outside the picture"),
    ],
)
def test_patches_that_are_none_are_refused(polygon, text):
    with pytest.raises(ViewError, match=f"U1 .*{text}"):
        View(SIZE, (FaceletPatches("U1", (polygon,)),))


def test_patches_may_reach_to_the_edge_of_the_first_and_last_pixel():
    corners = ((-0.5, -0.5), (63.5, -0.5), (63.5, 47.5), (-0.5, 47.5))
    assert View(SIZE, (FaceletPatches("U1", (corners,)),)).names() == {"U1"}


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: view("U0"), "'U0' is no facelet"),
        (lambda: view("U1", "U1"), "U1 comes twice"),
        (lambda: view("U1", centres={"X": "red"}), "'X' is no face"),
        (lambda: view("U1", size=(0, 48)), "no size of a picture"),
        (lambda: FaceletPatches("U1", ()), "U1 has no polygon"),
        (lambda: FaceletPatches("U1", (SQUARE,), -1), "numbered from 0"),
    ],
)
def test_views_that_contradict_themselves_are_refused(make, text):
    with pytest.raises(ViewError, match=text) as caught:
        make()
    assert isinstance(caught.value, VisionError)
