"""How early a face may begin while one that it crosses ends: an angle for each kind of transition.

The kinds are those that SquidCuber measures (efrantar/squidcuber, control.py): a cube cuts corners
better when the next face turns the other way (cut, as R U') than when it turns the same way
(anti-cut, as R U), worse when a face meets a pair of opposite ones, and otherwise after half turns.
"""

from dataclasses import dataclass
from enum import StrEnum

import msgspec

from cube.moves import FACES, Move
from robot.rigs.checks import require

MOST_CORNER_DEG = 45
"""Beyond it a face is nearer to the detent that it left."""


@dataclass(frozen=True, slots=True)
class FaceTurn:
    """A turn of a face, in the way that the motor makes it.

    Attributes:
        face: One of ``URFDLB``.
        quarters: -2, -1, 1 or 2, clockwise positive.
    """

    face: str
    quarters: int

    @property
    def move(self) -> Move:
        """What it makes of the cube."""
        return Move(self.face, self.quarters % 4)

    @property
    def is_half(self) -> bool:
        """Whether it is a half turn."""
        return self.quarters in (-2, 2)

    @property
    def axis(self) -> int:
        """The axis that the face turns about, as of `Move.axis`."""
        return FACES.index(self.face) % 3


Turns = tuple[FaceTurn, ...]
"""One turn, or two of opposite faces that are made together."""


class TransitionKind(StrEnum):
    """How the turns of a transition lie to each other."""

    CUT = "cut"
    PART_CUT = "part_cut"
    ANTI_CUT = "anti_cut"


_SHAPES = {
    (1, 1): "",
    (1, 2): "_to_pair",
    (2, 1): "_from_pair",
    (2, 2): "_pairs",
}


def transition_key(ending: Turns, beginning: Turns) -> str:
    """Return the key of `Corners` that holds for a transition.

    Args:
        ending: The turns that still end: one, or two of opposite faces.
        beginning: The turns that begin, on another axis.
    """
    apart = {(one.quarters > 0) != (other.quarters > 0) for one in ending for other in beginning}
    way = (
        TransitionKind.PART_CUT
        if len(apart) > 1
        else TransitionKind.CUT
        if apart == {True}
        else TransitionKind.ANTI_CUT
    )
    half = "_after_half" if any(turn.is_half for turn in ending) else ""
    return way + _SHAPES[len(ending), len(beginning)] + half


class Corners(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Degrees from its detent at which a face lets the next one begin, 0 to 45; 0: it waits.

    A key is made of three parts. First the directions: `cut` if the faces turn opposite ways,
    `anti_cut` if the same way, `part_cut` if a pair does both. Then what follows what: nothing for
    single turns, `to_pair`, `from_pair`, `pairs`. At last `after_half` if a half turn ends. Pairs
    need a board with four step lanes.

    Attributes:
        opposite: When the opposite face begins, on its own; nothing is in its way. With 0 opposite
            faces begin together; otherwise they do so only where that is quicker.

    Raises:
        ValueError: An angle is out of range; the message begins with its key.
    """

    cut: float = 0.0
    anti_cut: float = 0.0
    cut_to_pair: float = 0.0
    part_cut_to_pair: float = 0.0
    anti_cut_to_pair: float = 0.0
    cut_from_pair: float = 0.0
    part_cut_from_pair: float = 0.0
    anti_cut_from_pair: float = 0.0
    cut_pairs: float = 0.0
    part_cut_pairs: float = 0.0
    anti_cut_pairs: float = 0.0
    cut_after_half: float = 0.0
    anti_cut_after_half: float = 0.0
    cut_to_pair_after_half: float = 0.0
    part_cut_to_pair_after_half: float = 0.0
    anti_cut_to_pair_after_half: float = 0.0
    cut_from_pair_after_half: float = 0.0
    part_cut_from_pair_after_half: float = 0.0
    anti_cut_from_pair_after_half: float = 0.0
    cut_pairs_after_half: float = 0.0
    part_cut_pairs_after_half: float = 0.0
    anti_cut_pairs_after_half: float = 0.0
    opposite: float = 0.0

    def __post_init__(self) -> None:
        for key in self.__struct_fields__:
            angle_deg = getattr(self, key)
            wanted = f"0 to {MOST_CORNER_DEG}"
            require(0 <= angle_deg <= MOST_CORNER_DEG, key, angle_deg, wanted)

    def angle_deg(self, ending: Turns, beginning: Turns) -> float:
        """Return the angle of a transition, on one axis or between two."""
        if ending[0].axis == beginning[0].axis:
            apart = {turn.face for turn in ending}.isdisjoint(turn.face for turn in beginning)
            return self.opposite if apart else 0.0
        angle_deg: float = getattr(self, transition_key(ending, beginning))
        return angle_deg

    @property
    def widest_deg(self) -> float:
        """The widest of all angles; 0 if nothing overlaps."""
        angles_deg: tuple[float, ...] = msgspec.structs.astuple(self)
        return max(angles_deg)

    def widened(self, by_deg: float) -> "Corners":
        """Return angles that are so much wider, those that are 0 excepted, within the range."""
        return msgspec.structs.replace(
            self,
            **{
                key: min(MOST_CORNER_DEG, max(0.0, angle_deg + by_deg))
                for key in self.__struct_fields__
                if (angle_deg := getattr(self, key))
            },
        )


NO_CORNERS = Corners()
"""Nothing overlaps."""
SINGLE_KEYS = ("cut", "anti_cut", "cut_after_half", "anti_cut_after_half")
"""Transitions that a board with two step lanes can overlap."""
PAIR_KEYS = tuple(
    key for key in Corners.__struct_fields__ if key not in SINGLE_KEYS and key != "opposite"
)
"""Transitions that take four step lanes, or three."""
