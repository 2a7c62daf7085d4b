"""The rig file of a machine with a motor on each face: motors, speeds, and overlaps.

How early a face may begin while a crossing face ends: an angle for each kind of transition.

The kinds are those of SquidCuber (efrantar/squidcuber, control.py): a cube cuts corners better if
the next face turns the other way (cut, as R U') than if it turns the same way (anti-cut, as R U).
It is worse when a face meets a pair of opposite faces, and different after half turns.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

import msgspec

from cube.moves import FACES, Move
from robot.errors import NotPossibleError
from robot.protocol.settings import Setting
from robot.rigs.mechanism import Mechanism
from robot.rigs.motor import Motor, default_of, range_of, require

MOST_CORNER_DEG = 45
"""Beyond this angle, a face is nearer to the previous detent."""


@dataclass(frozen=True, slots=True)
class FaceTurn:
    """A turn of a face, in one of its two directions.

    Attributes:
        face: One of ``URFDLB``.
        quarters: -2, -1, 1 or 2, clockwise positive.
    """

    face: str
    quarters: int

    @property
    def move(self) -> Move:
        """The move of the cube."""
        return Move(self.face, self.quarters % 4)

    @property
    def is_half(self) -> bool:
        """Whether it is a half turn."""
        return self.quarters in (-2, 2)

    @property
    def axis(self) -> int:
        """The axis that the face turns about, as in `Move.axis`."""
        return FACES.index(self.face) % 3


Turns = tuple[FaceTurn, ...]
"""One turn, or two of opposite faces that run together."""


class TransitionKind(StrEnum):
    """The directions of the turns in a transition."""

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
    """Return the key of `Corners` for a transition.

    Args:
        ending: The turns that are ending: one, or two of opposite faces.
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
    """How far a face may be from its detent when the next one begins, 0 to 45°; 0: not at all.

    The other keys have up to three parts. The first part gives the directions: `cut` if the faces
    turn opposite ways, `anti_cut` if they turn the same way, `part_cut` if a pair does both. The
    second part says which turns are pairs: `to_pair`, `from_pair` or `pairs`; it is left out for
    single turns. Finally, `after_half` if the first turn is a half turn, as in
    `cut_from_pair_after_half`. Pairs need a board with four step lanes. The default of each key is
    0; `thistlebot calibrate motors` measures the angles.

    Attributes:
        opposite: How far a face may be from its detent when the opposite face begins. With 0,
            opposite faces begin together; otherwise they do so only where that is quicker.

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
        """The largest of all angles; 0 if nothing overlaps."""
        angles_deg: tuple[float, ...] = msgspec.structs.astuple(self)
        return max(angles_deg)

    def widened(self, by_deg: float) -> "Corners":
        """Return angles increased by `by_deg`, except those that are 0, within the range."""
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
"""Transitions that need three or four step lanes."""


MOST_OVERLAP_DEG = 15
"""Largest overlap that every cube with corner cutting allows."""
MOST_OVERLAP_STEPS = 0xFFFF
"""The largest overlap that a message can contain."""


class FaceMotorFile(Mechanism, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rig file of a machine with a motor on each face.

    Attributes:
        motors: A table `[motors.FACE]` for each face that has a motor.
        parallel: Whether opposite faces turn together.
        gap_us: Pause between two turns, at least 16. The board keeps pauses of 45 and more to a
            microsecond. Use a longer pause for a cube that jams.
        corners: A table `[corners]`: how far a face may still be from its detent when the next one
            begins.
        overlap_degrees: The older form of `corners`: one angle for all transitions between single
            turns.
        lanes: Number of motors that the board turns at once, for plans made without a board.
        stall_input: Whether the drivers' stall outputs are wired to the board: joined on one line,
            or `"each"` on a separate line (Mega only).

    Raises:
        ValueError: A value out of range, or two faces on one channel; the message names the key.
    """

    motors: Annotated[dict[str, Motor], msgspec.Meta(min_length=1)]
    parallel: bool = True
    gap_us: Annotated[int, range_of(Setting.GAP_US)] = default_of(Setting.GAP_US)
    corners: Corners = NO_CORNERS
    overlap_degrees: float = 0.0
    lanes: Literal[2, 4] = 2
    stall_input: bool | Literal["each"] = False

    def __post_init__(self) -> None:
        for number, camera in enumerate(self.cameras):
            key, wanted = f"cameras[{number}].needs", "left out: this rig moves only faces"
            require(not camera.needs, key, dict(camera.needs), wanted)
        for face in self.motors:
            is_face = face in FACES and len(face) == 1
            require(is_face, f"motors.{face}", "not a face", "one of U R F D L B")
        faces_by_channel: dict[int, str] = {}
        for face, motor in self.motors.items():
            other = faces_by_channel.setdefault(motor.channel, face)
            if other != face:
                raise ValueError(
                    f"motors.{face}.channel is {motor.channel}, like motors.{other}.channel: "
                    "give each face its own channel"
                )
        require(
            0 <= self.overlap_degrees <= MOST_OVERLAP_DEG,
            "overlap_degrees",
            self.overlap_degrees,
            f"0 to {MOST_OVERLAP_DEG}; set wider angles individually in a table [corners]",
        )
        if self.overlap_degrees and self.corners.widest_deg:
            raise ValueError(
                f"overlap_degrees is {self.overlap_degrees:g}, but [corners] sets angles, "
                f"too: leave overlap_degrees out; the keys {', '.join(SINGLE_KEYS)} of "
                "[corners] have the same effect"
            )

    def motor(self, face: str) -> Motor:
        """Return the motor of a face.

        Raises:
            NotPossibleError: The face has no motor, or does not exist.
        """
        if face in self.motors:
            return self.motors[face]
        if len(face) != 1 or face not in FACES:
            raise NotPossibleError(
                f"{face!r} is not a face of a cube: the faces are {' '.join(FACES)}"
            )
        raise NotPossibleError(
            f"rig {self.name!r} has no motor on face {face}: add a table [motors.{face}] to "
            f"the rig file, or use only moves of {' '.join(self.motors)}"
        )

    @property
    def angles(self) -> Corners:
        """The angles of `corners`, or those that `overlap_degrees` stands for."""
        if not self.overlap_degrees:
            return self.corners
        return Corners(**dict.fromkeys(SINGLE_KEYS, self.overlap_degrees))

    def turn_time_s(self, face: str, quarter_turns: int) -> float:
        """Return the time of some quarter turns of a face."""
        return self.motor(face).turn(quarter_turns).duration_s
