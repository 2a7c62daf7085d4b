"""Readers of a cube, and their looks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cube.moves import MoveSequence
from vision.frame import Frame
from vision.reading import CubeReading


class Reader(Protocol):
    """A way to read a cube: a rig's cameras, a folder of photos, a person with a webcam.

    Implementations inherit the shared methods.
    """

    @property
    def turned(self) -> MoveSequence:
        """The moves since the start of the last look; the reading shows the cube before them."""
        return MoveSequence()

    @property
    def moving(self) -> bool:
        """Whether the rig is moving for a look, or was interrupted while it moved."""
        return False

    def return_cube(self) -> None:
        """Undo the turns of the last look."""
        return

    def glance(self) -> tuple[Frame, ...]:
        """Take pictures of the cube as it is; return none if they would not show enough of it."""
        return ()

    def look(self) -> tuple[Frame, ...]:
        """Take the pictures."""

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube in the pictures."""

    def read_glance(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube from the pictures of a glance, without taking others."""
        return self.read(frames)

    @property
    def glimpses(self) -> bool:
        """Whether fixed cameras show enough of the cube at any time, without moving it."""
        return False

    def ask_glimpse(self) -> Callable[[], tuple[Frame, ...]]:
        """Request a picture of each fixed camera that is not recorded; see `Camera.ask`."""
        return tuple

    def samples(self, frames: tuple[Frame, ...]) -> list[NDArray[np.float64]]:
        """Return what each fixed camera sees.

        Returns:
            For each, (54, 3) CIELAB; NaN for facelets that it does not see.
        """
        del frames
        return []


@dataclass(frozen=True, slots=True)
class Look:
    """Pictures of the cube, and their reading."""

    frames: tuple[Frame, ...]
    reading: CubeReading
