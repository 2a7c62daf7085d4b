"""Small stored pictures of the renderer and of an annotation: a change of look is seen in review.

After a wanted change: ``python tests/vision/virtual/test_golden_pictures.py`` writes them anew.
"""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from vision.annotate import annotate_reading
from vision.frame import Frame
from vision.geometry.scene import STICKERLESS, Turn
from vision.reading import CubeReading, ReadingState, StickerReading
from vision.virtual.render import Viewpoint
from vision.virtual.viewpoints import corner_viewpoint, default_views, hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

FOLDER = Path(__file__).parent / "golden"
STATE = SOLVED.apply(MoveSequence.parse("R U F2 D' L B2 U R' F"))
SMALL = 0.375


def small(viewpoint: Viewpoint) -> Viewpoint:
    """Return the same view in a smaller picture."""
    pinhole = viewpoint.pinhole
    size = (round(pinhole.size[0] * SMALL), round(pinhole.size[1] * SMALL))
    return replace(
        viewpoint, pinhole=replace(pinhole, size=size, focal_px=pinhole.focal_px * SMALL)
    )


def rig_corner(name):
    return VirtualCamera(lambda: STATE, small(corner_viewpoint(name)), seed=4).read().image


def rig_corner_askew():
    viewpoint = small(corner_viewpoint("A"))
    turn = Turn("F", 30.0)
    camera = VirtualCamera(lambda: STATE, viewpoint, seed=4, style=STICKERLESS, turn=lambda: turn)
    return camera.read().image


def hand_held():
    viewpoint = small(hand_held_viewpoint("F", roll_deg=15.0, tilt_deg=20.0, pan_deg=20.0))
    return VirtualCamera(lambda: STATE, viewpoint, seed=4, covered=lambda: ("F3",)).read().image


def annotated():
    view = default_views()[0]
    frame = Frame(np.full((480, 640, 3), 70, dtype=np.uint8), "grey")
    places = {entry.name: entry.polygons for entry in view.facelet}
    facelets = STATE.to_facelets()
    names = [f"{face}{number}" for face in "URFDLB" for number in range(1, 10)]
    stickers = tuple(
        StickerReading(
            index,
            places.get(name, ()),
            (50.0, 0.0, 0.0),
            facelets.text[index],
            0.8 if name in {"F2", "R4"} else 1.0,
        )
        for index, name in enumerate(names)
    )
    reading = CubeReading(
        ReadingState.ASK_AGAIN, facelets, 3.1, ("F",), (), stickers, 1.0, facelets
    )
    (image,) = annotate_reading([frame], reading)
    return image


PICTURES = {
    "rig-a": lambda: rig_corner("A"),
    "rig-b": lambda: rig_corner("B"),
    "rig-a-askew": rig_corner_askew,
    "hand-held": hand_held,
    "annotated": annotated,
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_look_as_they_did(name):
    stored = cv2.imread(str(FOLDER / f"{name}.png"))
    assert stored is not None
    drawn = PICTURES[name]()
    assert drawn.shape == stored.shape
    # Other builds of OpenCV round edges and compress JPEG a little differently.
    difference = np.abs(cv2.blur(drawn, (3, 3)).astype(int) - cv2.blur(stored, (3, 3)))
    assert difference.mean() < 1.5
    assert (difference.max(axis=2) > 30).mean() < 0.005
    other = cv2.imread(str(FOLDER / f"{'rig-a' if name == 'rig-a-askew' else 'rig-a-askew'}.png"))
    if other.shape == stored.shape:  # the tolerance is not so wide that anything passes
        assert np.abs(drawn.astype(int) - other).mean() > 5.0


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for picture_name, draw in PICTURES.items():
        cv2.imwrite(str(FOLDER / f"{picture_name}.png"), draw())
