"""Views refuse what cannot be: each with the facelet at fault."""

import pytest

from vision.errors import ViewError, VisionError
from vision.geometry.view import FaceletPatches, View, merge_views

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


def test_merged_views_keep_each_camera_apart():
    both = merge_views((view("U1", centres={"U": "white"}), view("U1", "D1")))
    assert [(entry.name, entry.camera) for entry in both.facelet] == [
        ("U1", 0),
        ("U1", 1),
        ("D1", 1),
    ]
    assert both.centres == {"U": "white"}


def test_views_that_do_not_fit_together_are_refused():
    with pytest.raises(ViewError, match="no view to merge"):
        merge_views(())
    with pytest.raises(ViewError, match="same size"):
        merge_views((view("U1"), view("D1", size=(32, 32))))
    with pytest.raises(ViewError, match="centre of U is white in one view, red in another"):
        merge_views((view("U1", centres={"U": "white"}), view("D1", centres={"U": "red"})))
