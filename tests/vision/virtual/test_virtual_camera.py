"""The virtual camera shows the state that it is given, in its light, and always the same way."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.vision.hand_held import hand_held_viewpoint
from cube.facelets import facelet_index, facelet_name
from cube.moves import Move
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.ports.port import SimulatedClock
from vision.cameras.camera import Camera
from vision.colours.colour_spaces import srgb_to_lab
from vision.colours.palette import SKIN_SRGB, STICKER_SRGB
from vision.errors import CameraError, VisionError
from vision.geometry import scene
from vision.geometry.light import EVEN_LIGHT, Optics
from vision.geometry.sampling import sample_polygons
from vision.geometry.scene import TurningFace
from vision.geometry.view_geometry import view_from
from vision.virtual.viewpoints import (
    CORNER_CAMERAS,
    corner_viewpoint,
    default_views,
    straight_viewpoint,
)
from vision.virtual.virtual_camera import FRAME_TIME_S, VirtualCamera

STATE = random_state(np.random.default_rng(8))
SHOWN = STATE.to_facelets()
SMALL = (160, 120)
PLAIN = {"light": EVEN_LIGHT, "optics": Optics()}
NO_COUPLERS = corner_viewpoint("A", coupled=False)


def camera(viewpoint=None, state=STATE, **options):
    return VirtualCamera(lambda: state, viewpoint or corner_viewpoint("A"), **options)


def shot(viewpoint, state=STATE, **options):
    return camera(viewpoint, state, **(PLAIN | options)).read().image


def off(image, viewpoint, facelet, colour):
    """How far the colour that a sticker shows is from a colour by its sRGB values, ΔE."""
    corners = [
        scene.facelet_point(facelet_index(facelet), 0.3 * x, 0.3 * y)
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    (lab,) = sample_polygons(image, viewpoint.pinhole.project(corners)[None])
    return np.linalg.norm(lab - srgb_to_lab(colour))


def test_the_same_seed_gives_the_same_pictures_and_another_seed_others():
    first, again, other = (camera(seed=seed) for seed in (1, 1, 2))
    one, two = first.read(), first.read()
    np.testing.assert_array_equal(one.image, again.read().image)
    np.testing.assert_array_equal(two.image, again.read().image)
    assert (one.image != two.image).any()  # noise goes on
    assert np.abs(one.image.astype(int) - other.read().image).mean() > 10.0  # another background
    assert two.time_s > one.time_s
    sides = [shot(corner_viewpoint(name))[:40].astype(int) for name in "AB"]
    assert np.abs(sides[0] - sides[1]).mean() > 5.0  # the two look at different surroundings


def test_every_picture_asks_for_the_state_again():
    states = iter([SOLVED, STATE])
    moving = VirtualCamera(lambda: next(states), hand_held_viewpoint("F"), **PLAIN)
    with moving as opened:
        assert isinstance(opened, Camera)
        assert opened.light is None
        assert opened.name.endswith(" F")
        first, second = opened.read(), opened.read()
    assert (first.image != second.image).any()
    with pytest.raises(CameraError, match=" F "):
        moving.read()


def test_a_finger_hides_what_it_covers():
    viewpoint = hand_held_viewpoint("F")
    image = shot(viewpoint, covered=lambda: ("F3",))
    assert off(image, viewpoint, "F3", SKIN_SRGB) < 1.0
    assert off(image, viewpoint, "F7", STICKER_SRGB[WESTERN_SCHEME[SHOWN.face("F")[6]]]) < 1.0


def test_a_turning_face_moves_its_stickers_and_no_others_and_arrives_where_the_move_leads():
    still, askew = (
        shot(NO_COUPLERS, SOLVED, turn=lambda turn=turn: turn)
        for turn in (None, TurningFace("U", 20.0))
    )
    for name in ("F4", "F5", "R8", "F9", "U5"):
        colour = STICKER_SRGB[WESTERN_SCHEME[name[0]]]
        before, after = (off(image, NO_COUPLERS, name, colour) for image in (still, askew))
        assert before == pytest.approx(after, abs=0.5)
        assert after < 1.0 or name != "U5"
    assert (still != askew).any(axis=2).mean() > 0.02
    turning = shot(NO_COUPLERS, turn=lambda: TurningFace("R", 90.0)).astype(int)
    difference = np.abs(turning - shot(NO_COUPLERS, STATE.apply(Move("R", 1))))
    assert (difference.max(axis=2) > 8).mean() < 0.002  # but for rounding along edges


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=3), st.integers(0, 9))
@settings(max_examples=8)
def test_a_picture_begins_after_it_is_asked_for_and_comes_one_frame_later(
    pauses_s: list[float], seed: int
) -> None:
    clock = SimulatedClock(5.0)
    exposed_s: list[float] = []

    def state() -> CubeState:
        exposed_s.append(clock.now_s())
        return SOLVED

    camera = VirtualCamera(
        state, hand_held_viewpoint("F", size=SMALL), seed=seed, clock=clock, **PLAIN
    )
    for pause_s in pauses_s:
        clock.sleep(pause_s)
        asked_s = clock.now_s()
        camera.read()
        assert asked_s <= exposed_s[-1] <= asked_s + FRAME_TIME_S
        assert clock.now_s() == pytest.approx(exposed_s[-1] + FRAME_TIME_S)
        pictures = (exposed_s[-1] - exposed_s[0]) / FRAME_TIME_S
        assert pictures == pytest.approx(round(pictures), abs=1e-6)


def test_cameras_that_are_asked_together_take_their_pictures_at_the_same_time():
    clock = SimulatedClock(5.0)
    cameras = [camera(corner_viewpoint(place), clock=clock, seed=place == "A") for place in "AB"]
    began_s = clock.now_s()
    pictures = [each.ask() for each in cameras]
    together = [picture().image for picture in pictures]
    assert clock.now_s() - began_s <= 2 * FRAME_TIME_S
    alone = [camera(corner_viewpoint(place), seed=place == "A").read().image for place in "AB"]
    assert all(np.array_equal(*pair) for pair in zip(together, alone, strict=True))


VIEWS = dict(zip("AB", default_views(), strict=True))
FACES = {"A": "URF", "B": "DLB"}


def test_each_camera_sees_all_but_the_centres_of_its_three_faces():
    for name in "AB":
        visible = {
            facelet_name(facelet)
            for side in scene.blocks()[0].sides
            if side.seen_from(CORNER_CAMERAS[name].position_mm)
            for facelet in side.facelets
            if facelet % 9 != 4
        }
        assert VIEWS[name].names() == visible
        assert len(visible) == 24
        assert {facelet[0] for facelet in visible} == set(FACES[name])
        assert VIEWS[name].centres == {face: WESTERN_SCHEME[face] for face in FACES[name]}
        assert VIEWS[name].image_size == (640, 480)
    japanese = {**WESTERN_SCHEME, "D": "blue", "B": "yellow"}
    assert default_views(japanese)[1].centres == {"D": "blue", "L": "orange", "B": "yellow"}


def test_a_camera_straight_ahead_sees_just_its_faces_and_a_single_one_upright():
    edges = [each for each in combinations("URFDLB", 2) if "".join(each) not in "UD RL FB"]
    corners = [("U", "R", "F"), ("U", "L", "B"), ("D", "L", "B"), ("D", "F", "R")]
    for faces in [*"URFDLB", *edges, *corners]:
        view = view_from(straight_viewpoint(tuple(faces), "ahead").pinhole, {}, ())
        assert view.names() == {f"{face}{cell}" for face in faces for cell in range(1, 10)}
        if len(faces) == 1:
            middle = {entry.name: np.mean(entry.polygons, axis=(0, 1)) for entry in view.facelet}
            assert middle[f"{faces}1"][0] < middle[f"{faces}3"][0]
            assert middle[f"{faces}1"][1] < middle[f"{faces}7"][1]
            position_mm = hand_held_viewpoint(faces).pinhole.position_mm  # 16 cm before the webcam
            assert np.allclose(
                position_mm, (scene.HALF_MM + 160.0) * np.array(scene.FACE_AXES[faces].normal)
            )
    for faces in ((), ("U", "D"), ("U", "U"), ("R", "F", "L")):  # no camera sees opposite faces
        with pytest.raises(VisionError):
            straight_viewpoint(faces, "ahead")
