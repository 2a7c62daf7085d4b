"""The rig file of a machine with a motor on each face: motors, speeds, and overlaps.

How early a face may begin while a crossing face ends: an angle for each kind of transition.

As SquidCuber found (efrantar/squidcuber, control.py), a cube cuts corners better if the next face
turns the other way (cut, as R U') than if it turns the same way (anti-cut, as R U). It is worse
when a face meets a pair of opposite faces.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec

from cube.moves import FACES, Move
from robot.errors import NotPossibleError
from robot.protocol.settings import Setting
from robot.rigs.board_file import GCodeFile
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
    def axis(self) -> int:
        """The axis that the face turns about, as in `Move.axis`."""
        return FACES.index(self.face) % 3


Turns = tuple[FaceTurn, ...]
"""One turn, or two of opposite faces that run together."""


def transition_key(ending: Turns, beginning: Turns) -> str:
    """Return the key of `Corners` for a transition.

    Args:
        ending: The turns that are ending: one, or two of opposite faces.
        beginning: The turns that begin, on another axis.
    """
    apart = all((one.quarters > 0) != (other.quarters > 0) for one in ending for other in beginning)
    pairs = "_pairs" if len(ending) + len(beginning) > 2 else ""
    return ("cut" if apart else "anti_cut") + pairs


_Angle = Annotated[float, msgspec.Meta(ge=0, le=MOST_CORNER_DEG)]


class Corners(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far a face may be from its detent when the next one begins, 0 to 45°; 0: not at all.

    `thistlebot calibrate motors` measures the angles.

    Attributes:
        cut: The next face turns the other way, as in R U'.
        anti_cut: The next face turns the same way, as in R U.
        cut_pairs: As `cut`, if two opposite faces turn together before or after; this needs a board
            with four step lanes.
        anti_cut_pairs: As `anti_cut`, for such pairs, also if only one of two faces turns the same
            way.
        opposite: How far a face may be from its detent when the opposite face begins. With 0,
            opposite faces begin together; otherwise they do so only where that is quicker.
    """

    cut: _Angle = 0.0
    anti_cut: _Angle = 0.0
    cut_pairs: _Angle = 0.0
    anti_cut_pairs: _Angle = 0.0
    opposite: _Angle = 0.0

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
SINGLE_KEYS = ("cut", "anti_cut")
"""Transitions that a board with two step lanes can overlap."""
PAIR_KEYS = ("cut_pairs", "anti_cut_pairs")
"""Transitions that need three or four step lanes."""
_PAIRS = [
    pair + half for pair in ("_to_pair", "_from_pair", "_pairs") for half in ("", "_after_half")
]
_OLDER = {
    "cut": ["cut", "cut_after_half"],
    "anti_cut": ["anti_cut", "anti_cut_after_half"],
    "cut_pairs": ["cut" + pair for pair in _PAIRS],
    "anti_cut_pairs": [way + pair for way in ("anti_cut", "part_cut") for pair in _PAIRS],
}
"""The keys that one key stands for: a rig file used to have an angle for each of them."""


class FaceMotorFile(Mechanism, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rig file of a machine with a motor on each face.

    Attributes:
        motors: A table `[motors.FACE]` for each face that has a motor.
        parallel: Whether opposite faces turn together.
        gap_us: Pause between two turns, at least 16. The board keeps pauses of 45 and more to a
            microsecond. Use a longer pause for a cube that jams.
        corners: A table `[corners]`: how far a face may still be from its detent when the next one
            begins.
        lanes: Number of motors that the board turns at once, for plans made without a board.
        stall_input: Whether the drivers' stall outputs are wired to the board: joined on one line,
            or `"each"` on a separate line (Mega only).
        board: The table `[board]`, for a controller that speaks G-code; `port` names its dialect.

    Raises:
        ValueError: A value out of range, or two faces on one channel; the message names the key.
    """

    motors: Annotated[dict[str, Motor], msgspec.Meta(min_length=1)]
    parallel: bool = True
    gap_us: Annotated[int, range_of(Setting.GAP_US)] = default_of(Setting.GAP_US)
    corners: Corners = NO_CORNERS
    lanes: Literal[2, 4] = 2
    stall_input: bool | Literal["each"] = False
    board: GCodeFile | None = None

    def __post_init__(self) -> None:
        if self.board is not None:
            self._check_board(self.board)
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

    def _check_board(self, board: GCodeFile) -> None:
        """Refuse what no controller of this kind can do."""
        corners, stalls = self.corners.widest_deg, self.stall_input
        require(not corners, "corners", f"up to {corners:g} degrees", "left out with [board]")
        require(not stalls, "stall_input", stalls, "left out with [board]")
        for face, motor in self.motors.items():
            key, wanted = f"motors.{face}.channel", f"below {len(board.axes)}, the axes of [board]"
            require(motor.channel < len(board.axes), key, motor.channel, wanted)

    @classmethod
    def renewed(cls, document: dict[str, Any]) -> tuple[dict[str, Any], str]:
        """Replace older keys for angles; where several become one, the narrowest angle counts."""
        document, hints = dict(document), []
        overlap = document.pop("overlap_degrees", 0)
        if overlap:
            hints.append("overlap_degrees is now cut and anti_cut in [corners]")
            document.setdefault("corners", dict.fromkeys(SINGLE_KEYS, overlap))
        known = document.get("corners")
        corners = dict(known) if isinstance(known, dict) else {}
        for key, older in _OLDER.items():
            old = [each for each in older if each in corners and each not in _OLDER]
            angles = [corners.get(each, 0) for each in older]  # a missing key meant 0
            if old and all(isinstance(angle, int | float) for angle in angles):
                corners = {each: corners[each] for each in corners if each not in older}
                document["corners"] = corners = corners | {key: min(angles)}
                hints.append(f"{', '.join(old)} in [corners] is now {key}")
        return document, "; ".join(hints)

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

    def turn_time_s(self, face: str, quarter_turns: int) -> float:
        """Return the time of some quarter turns of a face."""
        return self.motor(face).turn(quarter_turns).duration_s
