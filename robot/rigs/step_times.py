"""What the steps of a rig take in every order: searches add it up, without planning each time."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cube.moves import Move


@dataclass(frozen=True, slots=True)
class StepWay:
    """A way to make a turn, or two of opposite faces: a step, or two one after the other.

    Attributes:
        first: Number of the step that it begins with.
        last: Number of the step that it ends with.
        time_ms: From the start of the one to the end of the other.
    """

    first: int
    last: int
    time_ms: float


@dataclass(frozen=True, slots=True, eq=False)
class StepTimes:
    """The ways to make all turns, and what lies between them.

    A plan takes the ways that are quickest together: their times, and the pause between each and
    the next.

    Attributes:
        ways: Of one turn, or of two of opposite faces in the order of ``FACES``.
        pauses_ms: From the end of a step (row) to the start of another one, shape (steps, steps);
            negative where they overlap.
    """

    ways: Mapping[tuple[Move, ...], tuple[StepWay, ...]]
    pauses_ms: NDArray[np.float64]
