"""The virtual camera shows the state that it is given, in its light, and always the same way."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.facelets import Facelets, facelet_index
from cube.moves import Move
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from vision.cameras.camera import Camera
from vision.colours.colour_space import srgb_to_lab
from vision.colours.palette import SKIN_SRGB, STICKER_SRGB
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.errors import CameraError, VisionError
from vision.geometry.light import EVEN_LIGHT, PERFECT_OPTICS, WEBCAM, Light, Optics
from vision.geometry.sampling import sample_polygon, sample_view
from vision.geometry.scene import STICKERED, STICKERLESS, Couplers, Turn, facelet_point
from vision.virtual.background import Background
from vision.virtual.viewpoints import corner_viewpoint, default_views, hand_held_viewpoint
from vision.virtual.virtual_camera import FRAME_TIME_S, VirtualCamera

STATE = random_state(np.random.default_rng(8))
SHOWN = STATE.to_facelets()
SMALL = (160, 120)


def camera(viewpoint=None, state=STATE, **options):
    return VirtualCamera(lambda: state, viewpoint or corner_viewpoint("A"), **options)


def true_lab(letter):
    return srgb_to_lab(STICKER_SRGB[WESTERN_SCHEME[letter]])


def lab_at(image, viewpoint, facelet, across=0.0, down=0.0):
    corners = [
        facelet_point(facelet, across + 0.3 * x, down + 0.3 * y)
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return sample_polygon(image, viewpoint.pinhole.project(corners)).lab


@cache
def pair(style, optics, light):
    shown = [SOLVED]
    return shown, [
        VirtualCamera(
            lambda: shown[0], corner_viewpoint(name), style=style, optics=optics, light=light
        )
        for name in "AB"
    ]


@pytest.mark.parametrize("style", [STICKERED, STICKERLESS])
@pytest.mark.parametrize("face", "URFDLB")
def test_a_face_held_straight_shows_its_stickers_in_their_own_colours(face, style):
    viewpoint = hand_held_viewpoint(face)
    image = camera(viewpoint, light=EVEN_LIGHT, optics=PERFECT_OPTICS, style=style).read().image
    for number, letter in enumerate(SHOWN.face(face), start=1):
        lab = lab_at(image, viewpoint, facelet_index(f"{face}{number}"))
        assert np.linalg.norm(lab - true_lab(letter)) < 1.0


@pytest.mark.parametrize("name", "AB")
def test_corner_views_without_couplers_show_all_27_stickers(name):
    viewpoint = corner_viewpoint(name, Couplers.NONE)
    image = camera(viewpoint, light=EVEN_LIGHT, optics=PERFECT_OPTICS).read().image
    for face in {"A": "URF", "B": "DLB"}[name]:
        for number, letter in enumerate(SHOWN.face(face), start=1):
            lab = lab_at(image, viewpoint, facelet_index(f"{face}{number}"))
            assert np.linalg.norm(lab - true_lab(letter)) < 2.0


@pytest.mark.parametrize(
    "ways",
    [
        {"roll_deg": 35.0},
        {"tilt_deg": 30.0, "pan_deg": -25.0},
        {"distance_mm": 400.0, "shift_mm": (40.0, -30.0)},
        {"size": SMALL, "background": Background.RIG},
    ],
)
def test_a_face_held_anyhow_is_where_the_pinhole_says(ways):
    viewpoint = hand_held_viewpoint("L", **ways)
    image = camera(viewpoint, light=EVEN_LIGHT, optics=PERFECT_OPTICS).read().image
    assert image.shape[1::-1] == viewpoint.pinhole.size
    for number, letter in enumerate(SHOWN.face("L"), start=1):
        lab = lab_at(image, viewpoint, facelet_index(f"L{number}"))
        assert np.linalg.norm(lab - true_lab(letter)) < 2.0


def test_positive_angles_turn_the_face_the_way_that_is_promised():
    def place(name, **ways):
        return hand_held_viewpoint("F", **ways).pinhole.project(
            [facelet_point(facelet_index(name), 0.0, 0.0)]
        )[0]

    straight = place("F2")
    assert place("F2", roll_deg=20.0)[0] > straight[0] + 5.0  # the top leans right
    assert place("F2", shift_mm=(10.0, 0.0))[0] > straight[0] + 5.0
    assert place("F2", shift_mm=(0.0, 10.0))[1] > straight[1] + 5.0
    eye = np.array(hand_held_viewpoint("F", tilt_deg=20.0).pinhole.position_mm)
    assert eye[1] > 30.0  # looks down on U
    assert np.array(hand_held_viewpoint("F", pan_deg=20.0).pinhole.position_mm)[0] > 30.0  # R


def test_the_same_seed_gives_the_same_pictures_and_another_seed_others():
    first, again, other = (camera(seed=seed) for seed in (1, 1, 2))
    one, two = first.read(), first.read()
    np.testing.assert_array_equal(one.image, again.read().image)
    np.testing.assert_array_equal(two.image, again.read().image)
    assert (one.image != two.image).any()  # noise goes on
    assert np.abs(one.image.astype(int) - other.read().image).mean() > 10.0  # another background
    assert two.time_s > one.time_s


def test_the_two_cameras_stand_before_different_surroundings():
    backgrounds = [
        camera(corner_viewpoint(name), light=EVEN_LIGHT, optics=PERFECT_OPTICS).read().image[:40]
        for name in "AB"
    ]
    assert np.abs(backgrounds[0].astype(int) - backgrounds[1]).mean() > 5.0


def test_every_picture_asks_for_the_state_anew():
    states = iter([SOLVED, STATE])
    moving = VirtualCamera(
        lambda: next(states), hand_held_viewpoint("F"), light=EVEN_LIGHT, optics=PERFECT_OPTICS
    )
    with moving as opened:
        assert isinstance(opened, Camera)
        assert opened.light is None
        assert opened.name == "virtual webcam at F"
        first, second = opened.read(), opened.read()
    assert (first.image != second.image).any()
    with pytest.raises(CameraError, match="virtual webcam at F is closed"):
        moving.read()


def test_a_cube_that_does_not_exist_can_be_shown():
    facelets = Facelets("U" * 18 + "F" * 36)
    viewpoint = hand_held_viewpoint("R")
    image = camera(viewpoint, facelets, light=EVEN_LIGHT, optics=PERFECT_OPTICS).read().image
    assert np.linalg.norm(lab_at(image, viewpoint, facelet_index("R1")) - true_lab("U")) < 1.0


def test_a_finger_hides_what_it_covers():
    viewpoint = hand_held_viewpoint("F")
    image = (
        camera(viewpoint, light=EVEN_LIGHT, optics=PERFECT_OPTICS, covered=lambda: ("F3",))
        .read()
        .image
    )
    lab = lab_at(image, viewpoint, facelet_index("F3"))
    assert np.linalg.norm(lab - srgb_to_lab(SKIN_SRGB)) < 1.0
    unhidden = lab_at(image, viewpoint, facelet_index("F7"))
    assert np.linalg.norm(unhidden - true_lab(SHOWN.face("F")[6])) < 1.0


def test_a_face_between_detents_moves_its_stickers_and_no_others():
    viewpoint = corner_viewpoint("A", Couplers.NONE)
    still, askew = (
        camera(viewpoint, SOLVED, light=EVEN_LIGHT, optics=PERFECT_OPTICS, turn=lambda t=t: t)
        .read()
        .image
        for t in (None, Turn("U", 20.0))
    )
    for name in ("F4", "F5", "R8", "F9"):
        np.testing.assert_allclose(
            *(lab_at(image, viewpoint, facelet_index(name)) for image in (still, askew)), atol=0.5
        )
    assert np.linalg.norm(lab_at(askew, viewpoint, facelet_index("U5")) - true_lab("U")) < 1.0
    assert (still != askew).any(axis=2).mean() > 0.02


def test_a_layer_turned_by_a_quarter_looks_like_the_cube_after_the_move():
    viewpoint = corner_viewpoint("A", Couplers.NONE)
    before, after = STATE, STATE.apply(Move("R", 1))
    turning = camera(
        viewpoint, before, light=EVEN_LIGHT, optics=PERFECT_OPTICS, turn=lambda: Turn("R", 90.0)
    )
    arrived = camera(viewpoint, after, light=EVEN_LIGHT, optics=PERFECT_OPTICS)
    difference = np.abs(turning.read().image.astype(int) - arrived.read().image)
    assert (difference.max(axis=2) > 8).mean() < 0.002  # but for rounding along edges


def test_optics_do_what_they_say():
    viewpoint = hand_held_viewpoint("U", size=SMALL, background=Background.PLAIN)

    def shot(**optics):
        return camera(viewpoint, light=EVEN_LIGHT, optics=Optics(**optics)).read().image.astype(int)

    plain = shot()
    assert (shot(exposure=0.5) <= plain).all()
    assert shot(exposure=0.5).mean() < 0.8 * plain.mean()
    blue, _, red = (shot(white_balance=(1.3, 1.0, 0.7)) - plain).mean(axis=(0, 1))
    assert red > 2.0
    assert blue < -2.0
    rough = shot(noise_levels=6.0)[:20, :40] - plain[:20, :40]
    assert rough.std() == pytest.approx(6.0, rel=0.1)
    edges = [np.abs(np.diff(image, axis=1)).max() for image in (plain, shot(blur_px=3.0))]
    assert edges[1] < 0.5 * edges[0]
    corner = shot(vignette=0.4)[0, 0].mean()
    assert corner < 0.9 * plain[0, 0].mean()
    assert (shot(jpeg_quality=30) != plain).any()
    assert np.abs(shot(jpeg_quality=95) - plain).mean() < 3.0


def test_drift_wanders_from_picture_to_picture():
    viewpoint = hand_held_viewpoint("U", size=SMALL, background=Background.PLAIN)
    drifting = camera(viewpoint, light=EVEN_LIGHT, optics=Optics(drift=0.05))
    means = np.array([drifting.read().image[:10, :10].mean(axis=(0, 1)) for _ in range(8)])
    assert (means.std(axis=0) > 0.5).all()
    assert means.std() < 12.0


def test_light_makes_faces_differ_and_gloss_only_adds_light():
    viewpoint = corner_viewpoint("A", Couplers.NONE)
    matt, glossy = (
        camera(viewpoint, SOLVED, light=Light(gloss=gloss), optics=PERFECT_OPTICS)
        .read()
        .image.astype(int)
        for gloss in (0.0, 0.5)
    )
    assert (glossy - matt).min() >= -1
    assert (glossy - matt).max() > 40
    corners = [lab_at(matt, viewpoint, facelet_index(name))[0] for name in ("U3", "U7")]
    assert abs(corners[0] - corners[1]) > 0.5  # a gradient over the face


@pytest.mark.parametrize(
    ("style", "optics", "light"),
    [
        (STICKERED, WEBCAM, None),
        (STICKERLESS, WEBCAM, None),
        (
            STICKERED,
            Optics(white_balance=(1.15, 1.0, 0.85), noise_levels=5.0, blur_px=1.0, jpeg_quality=75),
            Light(ambient=0.5, direct=0.8, gradient=0.2, gloss=0.22),
        ),
    ],
)
def test_the_default_views_read_the_cube_from_the_rendered_pictures(style, optics, light):
    shown, cameras = pair(style, optics, light)
    views = default_views()
    centres = {**views[0].centres, **views[1].centres}
    rng = np.random.default_rng(3)
    for _ in range(3):
        shown[0] = random_state(rng)
        labs = sample_view([one.read() for one in cameras], views)
        reading = decode(StickerColours.of_lab(labs), None, centres)
        assert reading.accepted
        assert reading.facelets == shown[0].to_facelets()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Optics(exposure=0.0),
        lambda: Optics(noise_levels=-1.0),
        lambda: Optics(drift=1.0),
        lambda: Optics(jpeg_quality=0),
        lambda: Light(ambient=-0.1),
        lambda: Light(lamp_mm=(1.0, 2.0, 3.0)),
        lambda: corner_viewpoint("C"),
        lambda: hand_held_viewpoint("X"),
        lambda: hand_held_viewpoint("U", tilt_deg=85.0),
    ],
)
def test_impossible_settings_are_refused(make):
    with pytest.raises(VisionError):
        make()


class Waited:
    """A clock that jumps ahead when somebody waits."""

    def __init__(self, now_s: float) -> None:
        self.time_s = now_s

    def now_s(self) -> float:
        return self.time_s

    def sleep(self, duration_s: float) -> None:
        self.time_s += duration_s


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=4), st.integers(0, 9))
@settings(max_examples=10)
def test_a_picture_begins_after_it_is_asked_for_and_comes_one_frame_later(
    pauses_s: list[float], seed: int
) -> None:
    clock = Waited(5.0)
    exposed_s: list[float] = []

    def state() -> CubeState:
        exposed_s.append(clock.now_s())
        return SOLVED

    camera = VirtualCamera(state, corner_viewpoint("A"), seed=seed, clock=clock)
    for pause_s in pauses_s:
        clock.sleep(pause_s)
        asked_s = clock.now_s()
        camera.read()
        assert asked_s <= exposed_s[-1] <= asked_s + FRAME_TIME_S
        assert clock.now_s() == pytest.approx(exposed_s[-1] + FRAME_TIME_S)
        pictures = (exposed_s[-1] - exposed_s[0]) / FRAME_TIME_S
        assert pictures == pytest.approx(round(pictures), abs=1e-6)


def test_cameras_that_are_asked_together_take_their_pictures_at_the_same_time():
    clock = Waited(5.0)
    cameras = [camera(corner_viewpoint(place), clock=clock, seed=place == "A") for place in "AB"]
    began_s = clock.now_s()
    pictures = [each.ask() for each in cameras]
    together = [picture().image for picture in pictures]
    assert clock.now_s() - began_s <= 2 * FRAME_TIME_S
    alone = [camera(corner_viewpoint(place), seed=place == "A").read().image for place in "AB"]
    assert all(np.array_equal(*pair) for pair in zip(together, alone, strict=True))
