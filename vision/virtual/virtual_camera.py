"""A camera that renders a virtual cube instead of looking at a real one."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Protocol

import numpy as np

from cube.facelets import Facelets
from cube.net import WESTERN_SCHEME
from cube.state import CubeState
from vision.cameras.camera import Camera
from vision.errors import CameraError
from vision.frame import Frame
from vision.geometry.light import WEBCAM, Light, Optics
from vision.geometry.pinhole import vector
from vision.geometry.scene import STICKERED, CubeStyle, TurningFace
from vision.virtual.render import Renderer, Viewpoint

_Scene = tuple[CubeState | Facelets, TurningFace | None, tuple[str, ...]]
_GLARE, _ASIDE_MM = 1.0, 40.0
"""Gloss of stickers that mirror the windows, and where one window is, seen from the camera."""
FRAME_TIME_S = 1.0 / 30.0
"""Time from the start of one picture to the next; exposure and transmission take equally long."""


class FrameClock(Protocol):
    """The clock of a camera."""

    def now_s(self) -> float:
        """Return seconds since some moment in the past."""

    def sleep(self, duration_s: float) -> None:
        """Wait."""


class _NoTime:
    """A clock for pictures that take no time."""

    def now_s(self) -> float:
        return 0.0

    def sleep(self, duration_s: float) -> None:
        """Return at once."""


class VirtualCamera(Camera):
    """Delivers pictures of a virtual cube; the same seed gives the same pictures.

    It runs freely, like a webcam: a caller waits for the start of the next picture, which is then
    exposed and delivered one `FRAME_TIME_S` later.

    Args:
        state: Called for every picture to get the state of the cube.
        viewpoint: The camera's position, as from `vision.virtual.viewpoints`.
        seed: Seed of background, noise and drift.
        light: The room.
        optics: Lens, sensor and processing.
        style: The appearance of the cube.
        scheme: Colour name of each face.
        turn: Called for every picture to get a face that is not at its detent.
        covered: Called for every picture to get the facelets that a finger hides.
        shining: Called for every picture to get whether the stickers reflect the windows strongly.
        clock: The clock of the pictures; by default they take no time.
    """

    def __init__(
        self,
        state: Callable[[], CubeState | Facelets],
        viewpoint: Viewpoint,
        *,
        seed: int = 0,
        light: Light | None = None,
        optics: Optics = WEBCAM,
        style: CubeStyle = STICKERED,
        scheme: Mapping[str, str] = WESTERN_SCHEME,
        turn: Callable[[], TurningFace | None] = lambda: None,
        covered: Callable[[], tuple[str, ...]] = lambda: (),
        shining: Callable[[], bool] = lambda: False,
        clock: FrameClock | None = None,
    ) -> None:
        self._clock = clock or _NoTime()
        self._first_s = np.random.default_rng(seed).random() * FRAME_TIME_S
        self._state = state
        self._turn = turn
        self._covered = covered
        self._shining = shining
        self._viewpoint = viewpoint
        self._seed = seed
        self._number = 0
        self._closed = False
        self._optics = self._exposed = optics
        self._light = Light() if light is None else light
        self._render_with = partial(Renderer, viewpoint, style=style, scheme=scheme, seed=seed)
        self._renderer = self._render_with(self._light, optics)

    @property
    def name(self) -> str:
        """The viewpoint's name."""
        return self._viewpoint.name

    def read(self) -> Frame:
        """Render the cube at the start of the next picture.

        Raises:
            CameraError: The camera is closed.
        """
        return self._picture(self._next_s())

    def ask(self) -> Callable[[], Frame]:
        """See `Camera.ask`: the next picture begins at a known time."""
        asked = self._state(), self._turn(), self._covered()
        return partial(self._picture, self._next_s(), asked)

    def _next_s(self) -> float:
        now_s = self._clock.now_s()
        return now_s + (self._first_s - now_s) % FRAME_TIME_S

    def read_live(self) -> Frame:
        """Return the picture that is being exposed, when it is complete.

        Raises:
            CameraError: The camera is closed.
        """
        now_s = self._clock.now_s()
        return self._picture(now_s - (now_s - self._first_s) % FRAME_TIME_S)

    def _picture(self, begins_s: float, asked: _Scene | None = None) -> Frame:
        """Take a picture; if its time has passed, of the scene at the time of the request."""
        if self._closed:
            raise CameraError(f"{self.name} is closed; make a new one to read from it")
        wait_s = begins_s - self._clock.now_s()
        self._clock.sleep(max(0.0, wait_s))
        if asked is None or wait_s >= 0.0:
            asked = self._state(), self._turn(), self._covered()
        state, turn, covered = asked
        facelets = state if isinstance(state, Facelets) else state.to_facelets()
        self._number += 1
        rng = np.random.default_rng((self._seed, self._number))
        renderer = self._renderer
        if self._shining():
            renderer = self._render_with(self._glare(), self._exposed)
        image = renderer.render(facelets, rng, turn, covered)
        self._clock.sleep(max(0.0, begins_s + FRAME_TIME_S - self._clock.now_s()))
        now_s = self._clock.now_s()
        return Frame(image, self.name, now_s or (self._number - 1) * FRAME_TIME_S)

    def _glare(self) -> Light:
        """Return light with strong reflections, also of a window beside the camera."""
        beside = vector(self._viewpoint.pinhole.position_mm + _ASIDE_MM)
        windows = (*self._light.windows_mm, beside)
        return replace(self._light, gloss=_GLARE, windows_mm=windows)

    def expose(self, share: float) -> bool:
        """See `Camera.expose`."""
        exposure = self._optics.exposure * share
        self._exposed = replace(self._optics, exposure=exposure)
        self._renderer = self._render_with(self._light, self._exposed)
        return True

    def close(self) -> None:
        """End the pictures; closing twice is allowed."""
        self._closed = True
