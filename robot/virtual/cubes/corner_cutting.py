"""Whether two faces that cross let each other turn while both stand between detents.

A cube cuts corners: a face begins although one beside it has not arrived, because the corners of
both are round and the pieces have play. How far depends on the way that they go. When both turn
the same way, as R U, the corner that comes in meets the edge of the one that leaves (anti-cut);
when they turn opposite ways, as R U', it slides along behind it (cut). All pairs of faces that
cross lie alike, up to a turn of the whole cube, so this holds for each of them. SquidCuber
(efrantar/squidcuber, control.py) tells the same classes apart.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from robot.rigs.motor import DEGREES_PER_QUARTER

Angles = npt.NDArray[np.float64]
"""Degrees of a face from its nearest detent, clockwise positive, moment by moment."""


@dataclass(frozen=True, slots=True)
class CornerGeometry:
    """What a cube allows.

    The values are assumed, for a speed cube that is well set up. On the default rig's ramps an
    anti-cut turn then jams when it begins 31 degrees before the end of the one before.

    Attributes:
        cut_deg: Two faces may stand off their detents by so much together, when that is a cut.
        anti_cut_deg: The same for an anti-cut.
        play_deg: Nearer to its detent a face is in nobody's way.
        paired: Share of these angles when a face crosses two that both stand off.

    Raises:
        ValueError: An angle is no more than twice the play, or the share is not 0 to 1.
    """

    cut_deg: float = 24.0
    anti_cut_deg: float = 17.5
    play_deg: float = 2.5
    paired: float = 0.85

    def __post_init__(self) -> None:
        least_deg = min(self.cut_deg, self.anti_cut_deg) * self.paired
        if not 0 < self.paired <= 1 or not 0 <= 2 * self.play_deg < least_deg:
            raise ValueError(f"the angles are more than twice the play, the share 0 to 1: {self}")

    def off(self, angles_deg: Angles) -> npt.NDArray[np.bool_]:
        """Say when a face stands off its detent by more than the play."""
        return np.abs(angles_deg) > self.play_deg

    def jams(self, one: Angles, other: Angles, crossed: npt.NDArray[np.int64]) -> bool:
        """Say whether two faces that cross ever stop each other.

        Args:
            one: Angles of a face.
            other: Angles of another one at the same moments.
            crossed: How many faces off their detents the more crowded of the two crosses.
        """
        # A face that ends a clockwise turn stands anticlockwise of its detent, so signs that
        # agree mean turns that do not.
        limit = np.where(one * other > 0, self.cut_deg, self.anti_cut_deg)
        limit = np.where(crossed > 1, limit * self.paired, limit)
        both = self.off(one) & self.off(other)
        return bool(np.any(both & (np.abs(one) + np.abs(other) > limit)))


DEFAULT_GEOMETRY = CornerGeometry()


def from_detent(angles_deg: Angles) -> Angles:
    """Return angles from the nearest detent, of faces that have turned by any angle."""
    return angles_deg - np.round(angles_deg / DEGREES_PER_QUARTER) * DEGREES_PER_QUARTER
