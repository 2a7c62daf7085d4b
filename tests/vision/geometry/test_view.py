"""Views refuse what cannot be: each with the facelet at fault."""

import pytest

from cube.facelets import facelet_index, facelet_name
from cube.orientation import Orientation, facelet_places
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


def test_a_view_names_what_is_where_it_looks():
    quad = ((10.0, 10.0), (20.0, 10.0), (20.0, 20.0), (10.0, 20.0))
    view = View(
        (640, 480), (FaceletPatches("U1", (quad,)), FaceletPatches("F3", (quad,))), {"U": "white"}
    )
    places = list(facelet_places(Orientation().turned("x")))
    there = view.showing(places)
    assert [entry.name for entry in there.facelet] == [
        facelet_name(places[facelet_index(name)]) for name in ("U1", "F3")
    ]
    assert {entry.name[0] for entry in there.facelet} == {"F", "D"}
    assert there.centres == {"F": "white"}
    assert [entry.polygons for entry in there.facelet] == [entry.polygons for entry in view.facelet]
