"""A person before a rendered webcam who shows the faces that the page By hand asks for."""

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.vision.hand_held import hand_held_viewpoint
from cube.state import CubeState
from frontends.control.view_model.by_hand import HandPhase
from frontends.control.view_model.view import ViewModel
from vision.cameras.camera import Camera
from vision.errors import EndOfVideoError
from vision.frame import Frame
from vision.virtual.virtual_camera import VirtualCamera

_AWAY = 2
"""So many pictures without a face lie between two faces: fewer are taken for a slip of the hand."""


class Person(Camera):
    """Shows the face that is wanted.

    Args:
        state: The cube.
        view: Tells what is on the page.
        faces: Tells how many faces may be taken until now; the next one is not shown before.
        most: After so many pictures the recording ends.
    """

    name = "person"

    def __init__(
        self,
        state: CubeState,
        view: Callable[[], ViewModel],
        *,
        faces: Callable[[], int] = lambda: 6,
        most: int = 4000,
    ) -> None:
        self._state = state
        self._view = view
        self._faces = faces
        self._pictures = self._live()
        self._left = most

    def read(self) -> Frame:
        self._left -= 1
        if self._left < 0:
            raise EndOfVideoError("the person has gone")
        return next(self._pictures)

    def _live(self) -> Iterator[Frame]:
        shown = ""
        desk = Frame(np.full((480, 640, 3), 140, np.uint8), self.name)
        webcam = self._webcam("F")
        while True:
            page = self._view().panes.hand
            if page is not None and page.phase is HandPhase.SCAN:
                further = len(page.captured) < self._faces()
                if further and page.wanted not in ("", shown):
                    shown = page.wanted
                    webcam = self._webcam(shown)
                    for _ in range(_AWAY):
                        yield desk
            yield webcam.read()

    def _webcam(self, face: str) -> VirtualCamera:
        return VirtualCamera(lambda: self._state, hand_held_viewpoint(face, roll_deg=4.0), seed=3)
