"""The interface between a machine and the rest of the program: what a rig file describes.

A kind of rig is a folder beside this module, with a subclass of `Mechanism` and a line in
`robot.rigs.catalogue`; or a class in a plugin. Methods without a default raise
`NotImplementedError`; those with one ignore arguments that only some kinds of rigs need.

The other classes describe what a mechanism plans: the looks of a scan with the programs between
them, and the times of steps in every order, which searches add up without planning each time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES, Move, MoveSequence
from robot.errors import NotPossibleError
from robot.protocol.messages import BAUD, NO_MOTOR, BoardKind, Set
from robot.protocol.settings import Setting
from robot.rigs.board_file import Board
from robot.rigs.motor import Motor, default_of, range_of, require
from robot.rigs.parts import Part
from robot.rigs.program import CubeTurn, Pose, RigProgram


@dataclass(frozen=True, slots=True)
class Sight:
    """The view of one camera when nothing is in its way.

    Attributes:
        facelets: The places in sight, 0 to 53, numbered like the facelets of a cube in its original
            orientation in the machine.
        needs: The places that the machine's variables must have for a clear view.
    """

    facelets: frozenset[int]
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScanStop:
    """A look, and the program before it.

    Attributes:
        program: The program before the look; it may be empty.
        cameras: The numbers of the cameras that look, in the order of the sights.
        facelets: For each of the 54 places the facelet of the cube that is there, by its name at
            the beginning of the scan.
    """

    program: RigProgram
    cameras: tuple[int, ...]
    facelets: tuple[int, ...]

    def __post_init__(self) -> None:
        if sorted(self.facelets) != list(range(54)):
            raise ValueError("every facelet must be at exactly one place")


@dataclass(frozen=True, slots=True)
class ScanProgram:
    """All looks of a scan, one after the other.

    Attributes:
        stops: The looks.
        start: The pose at the beginning; None for a machine with only one pose.
    """

    stops: tuple[ScanStop, ...]
    start: Pose | None = None

    @property
    def moves(self) -> MoveSequence:
        """All moves of the scan; the cube that was read is the one before them."""
        return MoveSequence(tuple(move for stop in self.stops for move in stop.program.moves))

    @property
    def time_s(self) -> float:
        """Modelled time of the programs between the looks."""
        return sum(stop.program.time_s for stop in self.stops)


@dataclass(frozen=True, slots=True)
class StepWay:
    """A variant of a turn, or of two turns of opposite faces: one step, or two one after the other.

    Attributes:
        first: Number of its first step.
        last: Number of its last step.
        time_ms: Time from the start of the first step to the end of the last.
    """

    first: int
    last: int
    time_ms: float


@dataclass(frozen=True, slots=True, eq=False)
class StepTimes:
    """The variants of all turns, and the pauses between them.

    A plan takes the variants with the shortest sum of their times and the pauses between them.

    Attributes:
        ways: The variants of one turn, or of two of opposite faces in the order of ``FACES``.
        pauses_ms: Pauses from the end of a step (row) to the start of another one, shape (steps,
            steps); negative where they overlap.
    """

    ways: Mapping[tuple[Move, ...], tuple[StepWay, ...]]
    pauses_ms: NDArray[np.float64]


class RigCamera(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A camera of the rig.

    Attributes:
        name: The name of the camera in messages.
        device: Index, device path, address or video file.
        view: File that maps stickers to pixels; if it is empty, `sees` determines them, or the
            geometry of the default rig.
        sees: The places of the machine that it looks at, of `URFDLB`: one from straight ahead, two
            beside each other, or three around a corner.
        needs: Where variables of the machine must stand so that nothing is in its way.
    """

    name: Annotated[str, msgspec.Meta(min_length=1)]
    device: int | str
    view: str = ""
    sees: tuple[Literal["U", "R", "F", "D", "L", "B"], ...] = ()
    needs: dict[str, tuple[str, ...]] = {}

    def __post_init__(self) -> None:
        together = len({FACES.index(face) % 3 for face in self.sees})
        wanted = "different faces of U R F D L B, without opposite ones"
        require(together == len(self.sees), "sees", list(self.sees), wanted)


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """The times of turns, for solvers; each tuple is in the order URFDLB.

    Attributes:
        quarter_ms: Time of a quarter turn of each face; for a face that cannot turn, the longest
            time.
        half_ms: Time of a half turn of each face.
        gap_ms: Pause between two turns of different axes, where they do not overlap.
    """

    quarter_ms: tuple[float, ...]
    half_ms: tuple[float, ...]
    gap_ms: float


@dataclass(frozen=True, slots=True)
class Buzz:
    """A small turn of one motor there and back.

    Attributes:
        channel: The motor.
        settings: The board's settings during it, which make a quarter turn a small one.
        program: A quarter turn clockwise and one back.
    """

    channel: int
    settings: Mapping[Setting, int]
    program: RigProgram

    @property
    def steps(self) -> int:
        """Step pulses of each small turn."""
        return self.settings[Setting.STEPS_PER_QUARTER]


class Mechanism(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A machine that turns the cube, as described by a rig file; here are the keys of every file.

    Attributes:
        name: The name of the rig.
        port: Serial port of the board; every port is probed if it is empty.
        baud: Speed of the serial line, baud.
        settle_ms: Rest before the cameras look.
        host_timeout_ms: The board stops when it has heard nothing for this long; 0: never.
        idle_timeout_ms: The motor current is switched off after a rest of this length; 0: never.
        enable_active: Level of the drivers' enable pin that switches the current on.
        enable_settle_ms: Wait between switching the current on and the first step.
        buzzer: The board's output with a buzzer, which sounds after each solve with `solve --wait`.
        cameras: A table `[[cameras]]` for each camera.
    """

    name: Annotated[str, msgspec.Meta(min_length=1)]
    port: str = ""
    baud: Annotated[int, msgspec.Meta(ge=1)] = BAUD
    settle_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 150
    host_timeout_ms: Annotated[int, range_of(Setting.HOST_TIMEOUT_MS)] = default_of(
        Setting.HOST_TIMEOUT_MS
    )
    idle_timeout_ms: Annotated[int, range_of(Setting.IDLE_TIMEOUT_MS)] = default_of(
        Setting.IDLE_TIMEOUT_MS
    )
    enable_active: Literal["low", "high"] = "low"
    enable_settle_ms: Annotated[int, range_of(Setting.ENABLE_SETTLE_MS)] = 20
    buzzer: Annotated[int, msgspec.Meta(ge=0)] | None = None
    cameras: tuple[RigCamera, ...] = ()

    @classmethod
    def renewed(cls, document: dict[str, Any]) -> tuple[dict[str, Any], str]:
        """Return a rig file with today's keys for older ones, and which replaces which.

        Args:
            document: The file, as it was read.
        """
        return document, ""

    @property
    def board(self) -> Board | None:
        """The computer's own outputs, or the axes of a controller; None for a board of ours."""
        return None

    @property
    def motors(self) -> Mapping[str, Motor]:
        """Its motors, by their names in the rig file."""
        raise NotImplementedError

    @property
    def parts(self) -> tuple[Part, ...]:
        """The moving parts and their actuators, in the order of the rig file."""
        raise NotImplementedError

    @property
    def wired(self) -> tuple[Part, ...]:
        """Everything for which its board needs an output or an input."""
        if self.buzzer is None:
            return self.parts
        return (*self.parts, Part("buzzer", "buzzer", "output", self.buzzer, "other", ""))

    @property
    def faces(self) -> str:
        """The faces that it can turn."""
        raise NotImplementedError

    @property
    def handles_cube(self) -> bool:
        """Whether it holds the cube in different poses."""
        return False

    @property
    def lanes(self) -> int:
        """Number of motors that its board turns at once, as far as the rig file tells."""
        return 2

    @property
    def turn_times(self) -> TurnTimes:
        """The times of turns."""
        raise NotImplementedError

    @property
    def transitions_differ(self) -> bool:
        """Whether the duration of a plan depends on more than `turn_times`."""
        return True

    def step_times(self, lanes: int | None = None) -> StepTimes:  # noqa: ARG002 - some kinds need it
        """Return the values that a plan adds up, turn by turn.

        Args:
            lanes: Number of motors that the board turns at once; by default the rig's `lanes`.

        Raises:
            NotPossibleError: The times depend on all previous turns, as for a machine that handles
                the cube.
        """
        raise NotPossibleError(f"rig {self.name!r} handles the cube: its times depend on the plan")

    @property
    def fingerprint(self) -> str:
        """A text that differs for two rigs whose boards would turn differently."""
        raise NotImplementedError

    def plan(
        self, sequence: MoveSequence, lanes: int | None = None, start: Pose | None = None
    ) -> RigProgram:
        """Schedule moves without simplifying them.

        Args:
            sequence: The moves; none give an empty program.
            lanes: Number of motors that the board turns at once; by default the rig's `lanes`.
            start: The pose of machine and cube; by default the one after `ready`.

        Raises:
            NotPossibleError: It cannot make a move; the message says what to do.
        """
        raise NotImplementedError

    def plan_scan(
        self,
        sights: Sequence[Sight],
        wanted: frozenset[int],
        start: Pose | None = None,
        lanes: int | None = None,
        spare_faces: int = 0,
    ) -> ScanProgram:
        """Find a quick way to show the cameras enough of the cube.

        Args:
            sights: The view of each camera.
            wanted: The facelets of the cube that must be seen, 0 to 53, named for the orientation
                in `start`.
            start: The pose of machine and cube; by default the one after `ready`.
            lanes: Number of motors that the board turns at once; by default the rig's `lanes`.
            spare_faces: Number of faces that may stay unseen if the others determine them.

        Raises:
            NotPossibleError: The cameras can never see enough; the message names what they never
                see.
        """
        raise NotImplementedError

    def cube_turns(self, program: RigProgram) -> tuple[CubeTurn, ...]:
        """Return the effects of a program of this machine on the cube, in order."""
        raise NotImplementedError

    def ready(self, pose: Pose | None = None, *, counted: bool = False) -> RigProgram:  # noqa: ARG002 - some kinds need it
        """Return the program that brings the machine to a pose after a stop or a rest.

        Empty for a machine that is always prepared when its motors rest.

        Args:
            pose: The pose; by default the start.
            counted: Whether the board has counted the steps of its motors all the time.

        Raises:
            NotPossibleError: A part must be brought to its start by hand.
        """
        return RigProgram(())

    def rest(self, pose: Pose) -> RigProgram:  # noqa: ARG002 - some kinds need it
        """Return the program to the pose in which a cube is put in and taken out.

        Empty if everything is there already; no layer of the cube turns on the way.

        Args:
            pose: The pose of machine and cube.
        """
        return RigProgram(())

    def settings(self, kind: BoardKind = BoardKind.VIRTUAL) -> list[Set]:  # noqa: ARG002 - some kinds need it
        """Return the settings that its board needs before it turns anything.

        Args:
            kind: The kind of board.

        Raises:
            NotPossibleError: The rig uses an input that the board does not have.
        """
        board = {
            Setting.HOST_TIMEOUT_MS: self.host_timeout_ms,
            Setting.IDLE_TIMEOUT_MS: self.idle_timeout_ms,
            Setting.ENABLE_POLARITY: int(self.enable_active == "high"),
            Setting.ENABLE_SETTLE_MS: self.enable_settle_ms,
        }
        found = [item for motor in self.motors.values() for item in motor.settings]
        return found + [Set(key, NO_MOTOR, value) for key, value in board.items()]

    def buzz(self, motor: str, angle_deg: float) -> Buzz:
        """Return a small turn of one motor there and back.

        Raises:
            NotPossibleError: There is no such motor, or it cannot turn by that angle.
        """
        raise NotImplementedError

    @property
    def action_names(self) -> tuple[str, ...]:
        """Its actions besides turning motors; empty for motors on faces."""
        return ()

    def there_and_back(self, action: str) -> RigProgram:
        """Plan one action, with the path to it and back to the machine's start.

        Args:
            action: Its name or a unique beginning of it, or the name of a part that it moves.

        Raises:
            NotPossibleError: There is no such action, or it is impossible.
        """
        raise NotPossibleError(f"rig {self.name!r} has motors on faces and no action {action!r}")
