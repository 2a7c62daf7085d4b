"""Draws the README's animation: `python -m benchmarks.film docs/pictures/solve.webp`.

Both cameras of the virtual rig look at a scrambled cube; the program reads and solves it, the faces
turn, and the last look shows whether it is solved.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from thistlebot import Cube, solve
from vision.annotate import Image, annotate_reading
from vision.geometry.light import WEBCAM
from vision.geometry.scene import TurningFace
from vision.read_photos import read_views
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint, default_views
from vision.virtual.virtual_camera import VirtualCamera

SEED = 7
SIZE = (640, 240)
FRAME_MS, LOOK_MS, END_MS = 50, 2000, 3000
QUIET = replace(WEBCAM, noise_levels=0.0)
"""Noise would make the film a third larger."""
FRAMES = 5
"""Pictures of a quarter turn."""
QUALITY = 55


class FilmedCube:
    """A cube before the cameras of the default rig."""

    def __init__(self, state: CubeState) -> None:
        self.state = state
        self.turn: TurningFace | None = None
        self._cameras = [
            VirtualCamera(
                lambda: self.state, corner_viewpoint(name), optics=QUIET, turn=lambda: self.turn
            )
            for name in CORNER_CAMERAS
        ]

    def picture(self) -> Image:
        """Return the pictures of the cameras, side by side."""
        return _beside([camera.read().image for camera in self._cameras])

    def look(self) -> tuple[CubeState | None, Image]:
        """Read the cube; return its state, if the reading is accepted, and the reading."""
        frames = [camera.read() for camera in self._cameras]
        reading = read_views(frames, default_views())
        drawn = _beside(annotate_reading(frames, reading))
        seen = reading.facelets
        return None if seen is None else CubeState.from_facelets(seen), drawn

    def turned(self, moves: MoveSequence) -> Iterator[Image]:
        """Turn the faces, and yield the pictures."""
        for move in moves:
            quarters = move.quarter_turns
            angles = np.linspace(0.0, 90.0 * quarters, FRAMES * abs(quarters) + 1)
            for angle, _ in pairwise(angles):
                self.turn = TurningFace(move.face, float(angle))
                yield self.picture()
            self.turn = None
            self.state = self.state.apply(MoveSequence.of([move]))


def _beside(images: Sequence[Image]) -> Image:
    width, height = SIZE[0] // len(images), SIZE[1]
    small = [cv2.resize(each, (width, height), interpolation=cv2.INTER_AREA) for each in images]
    return np.asarray(np.hstack(small), dtype=np.uint8)


def draw(file: Path) -> None:
    """Write the film."""
    scene = FilmedCube(random_state(np.random.default_rng(SEED)))
    state, seen = scene.look()
    if state is None:
        raise SystemExit("the reading was not accepted: choose another seed")
    frames = [seen, *scene.turned(solve(Cube(state)).moves)]
    state, seen = scene.look()
    if state != SOLVED:
        raise SystemExit("the cube is not solved")
    film = cv2.Animation()
    film.frames = [*frames, seen]
    film.durations = [LOOK_MS, *[FRAME_MS] * (len(frames) - 1), END_MS]
    cv2.imwriteanimation(str(file), film, (cv2.IMWRITE_WEBP_QUALITY, QUALITY))


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
