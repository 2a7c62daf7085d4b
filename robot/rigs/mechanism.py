"""The seam between a machine and everything that uses it: what a rig file describes.

A kind of rig is a folder beside this module, with a class that keeps to `Mechanism` and reads as a
TOML file, and a line in `robot.rigs.catalogue`; or a class in a plugin.

What a machine does so that its cameras see enough of the cube: looks, and programs between.

What the steps of a rig take in every order: searches add it up, without planning each time.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES, Move, MoveSequence
from robot.protocol.messages import BoardKind, Set
from robot.protocol.settings import Setting
from robot.rigs.board_file import BoardFile
from robot.rigs.motor import Motor, require
from robot.rigs.parts import Part
from robot.rigs.program import CubeTurn, Pose, RigProgram


@dataclass(frozen=True, slots=True)
class Sight:
    """What one camera sees while nothing is in its way.

    Attributes:
        facelets: The places in sight, 0 to 53, numbered as the facelets of a cube that lies in the
            machine as it was put in.
        needs: Where variables of the machine have to stand, or something is in the way.
    """

    facelets: frozenset[int]
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScanStop:
    """A look, once what goes before it is done.

    Attributes:
        program: What is done first; it may be empty.
        cameras: The numbers of those that look, in the order of the sights.
        facelets: For each of the 54 places the facelet of the cube that is there, as it was named
            when the scan began.
    """

    program: RigProgram
    cameras: tuple[int, ...]
    facelets: tuple[int, ...]

    def __post_init__(self) -> None:
        if sorted(self.facelets) != list(range(54)):
            raise ValueError("each facelet is at one place")


@dataclass(frozen=True, slots=True)
class ScanProgram:
    """All looks of a scan, one after the other.

    Attributes:
        stops: The looks.
        start: How machine and cube stand before; None for a machine that has one pose only.
    """

    stops: tuple[ScanStop, ...]
    start: Pose | None = None

    @property
    def moves(self) -> MoveSequence:
        """What the whole scan turns; the cube that was read is the one before them."""
        return MoveSequence(tuple(move for stop in self.stops for move in stop.program.moves))

    @property
    def time_s(self) -> float:
        """Modelled time of what is done between the looks."""
        return sum(stop.program.time_s for stop in self.stops)


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


class RigCamera(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A camera of the rig.

    Attributes:
        name: What messages call it.
        device: Index, device path, address or video file.
        view: File that maps stickers to pixels; if it is empty, `sees` determines them, or the
            geometry of the default rig.
        sees: The places of the machine that it looks at, of `URFDLB`: one from straight ahead, two
            beside each other, or three around a corner.
        needs: Where variables of the machine must stand so that nothing is in its way.
    """

    name: str
    device: int | str
    view: str = ""
    sees: tuple[str, ...] = ()
    needs: dict[str, tuple[str, ...]] = {}

    def __post_init__(self) -> None:
        require(bool(self.name), "name", self.name, "a name that is not empty")
        seen = list(self.sees)
        known = all(face in tuple(FACES) for face in seen) and len(set(seen)) == len(seen)
        together = len({FACES.index(face) % 3 for face in seen if face in tuple(FACES)})
        wanted = "different faces of U R F D L B, without opposite ones"
        require(known and together == len(seen), "sees", seen, wanted)


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """How long turns take, for solvers to choose by; each tuple in the order URFDLB.

    Attributes:
        quarter_ms: Time of a quarter turn of each face; of one that cannot turn, the longest.
        half_ms: Time of a half turn of each face.
        gap_ms: Pause between two turns of different axes, where they do not overlap.
    """

    quarter_ms: tuple[float, ...]
    half_ms: tuple[float, ...]
    gap_ms: float


@dataclass(frozen=True, slots=True)
class Buzz:
    """A small turn of one motor, there and back again.

    Attributes:
        channel: The motor.
        settings: What its board is told meanwhile, so that a quarter turn is a small one.
        program: A quarter turn clockwise and one back.
    """

    channel: int
    settings: Mapping[Setting, int]
    program: RigProgram

    @property
    def steps(self) -> int:
        """Step pulses of each little turn."""
        return self.settings[Setting.STEPS_PER_QUARTER]


class Hold(Protocol):
    """How a cube is held, as its motors turn: what virtual rigs turn their cubes by."""

    def turn(self, channel: int, quarter_turns: int) -> Iterable[Move]:
        """Turn a motor from detent to detent, and return what that makes of the cube."""

    def blocks(self, channel: int, other: int) -> bool:
        """Say whether a motor, between two detents, is in the way of another one."""


class Mechanism(Protocol):
    """What turns the cube, as a rig file describes it."""

    @property
    def name(self) -> str:
        """What the rig is called."""

    @property
    def port(self) -> str:
        """Serial port; empty to ask every port."""

    @property
    def baud(self) -> int:
        """Speed of the serial line."""

    @property
    def board(self) -> BoardFile | None:
        """The computer's own outputs that move it; None for a board at a serial port."""

    @property
    def settle_ms(self) -> int:
        """Rest before the cameras look."""

    @property
    def buzzer(self) -> int | None:
        """The board's output that a buzzer is on, if there is one."""

    @property
    def cameras(self) -> tuple[RigCamera, ...]:
        """The cameras of the rig."""

    @property
    def motors(self) -> Mapping[str, Motor]:
        """Its motors, by the names that the rig file gives them."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """What moves, and by which actuator, in the order of the rig file."""

    @property
    def faces(self) -> str:
        """The faces that it can turn."""

    @property
    def handles_cube(self) -> bool:
        """Whether it holds the cube now in one way and now in another."""

    @property
    def lanes(self) -> int:
        """How many motors its board turns at once, as far as the rig file knows."""

    @property
    def turn_times(self) -> TurnTimes:
        """How long turns take."""

    @property
    def transitions_differ(self) -> bool:
        """Whether more than `turn_times` decides how long a plan is."""

    def step_times(self, lanes: int | None = None) -> StepTimes:
        """Tell what a plan adds up, turn by turn.

        Args:
            lanes: How many motors the board turns at once; the rig's `lanes` unless given.

        Raises:
            NotPossibleError: It depends on all turns before, as where a machine handles the cube.
        """

    @property
    def fingerprint(self) -> str:
        """A text that differs for rigs whose boards would turn something else."""

    def plan(
        self, sequence: MoveSequence, lanes: int | None = None, start: Pose | None = None
    ) -> RigProgram:
        """Lay moves out in time, as they are: simplify them first to save turns.

        Args:
            sequence: The moves; none give an empty program.
            lanes: How many motors the board turns at once; the rig's `lanes` unless given.
            start: How machine and cube stand; as after `ready` unless given.

        Raises:
            NotPossibleError: It cannot make a move; the message says what can be done.
        """

    def plan_steps(self, groups: Iterable[MoveSequence], lanes: int | None = None) -> RigProgram:
        """Lay out again what was planned before.

        Args:
            groups: The moves of each step, as those of a journal.
            lanes: How many motors the board turns at once; the rig's `lanes` unless given.

        Raises:
            NotPossibleError: It cannot make a move.
        """

    def plan_scan(
        self,
        sights: Sequence[Sight],
        wanted: frozenset[int],
        start: Pose | None = None,
        lanes: int | None = None,
        spare_faces: int = 0,
    ) -> ScanProgram:
        """Find the quickest way to show the cameras enough of the cube.

        Args:
            sights: What each camera sees.
            wanted: The facelets of the cube that are to be seen, 0 to 53, named as the cube is held
                in `start`.
            start: How machine and cube stand; as after `ready` unless given.
            lanes: How many motors the board turns at once; the rig's `lanes` unless given.
            spare_faces: So many faces may stay unseen where the others tell them.

        Raises:
            NotPossibleError: The cameras cannot see so much; the message says what they never see.
        """

    def cube_turns(self, program: RigProgram) -> tuple[CubeTurn, ...]:
        """Tell what a program of this machine does to the cube, in order."""

    def ready(self) -> RigProgram:
        """Return what brings everything to where it stands before a cube is put in.

        Empty for a machine that stands there whenever its motors rest.
        """

    def rest(self, pose: Pose) -> RigProgram:
        """Return what brings everything to where a cube is put in and taken out.

        Empty where everything stands there already; no layer of the cube turns on the way.

        Args:
            pose: How machine and cube stand.
        """

    def settings(self, kind: BoardKind = BoardKind.VIRTUAL) -> list[Set]:
        """Return what its board has to be told before it turns anything.

        Args:
            kind: Which board it is.

        Raises:
            NotPossibleError: The rig uses an input that the board does not have.
        """

    def buzz(self, motor: str, angle_deg: float) -> Buzz:
        """Describe a small turn of one motor there and back.

        Raises:
            NotPossibleError: There is no such motor, or it cannot turn by that angle.
        """

    @property
    def action_names(self) -> tuple[str, ...]:
        """What it can do besides turning motors; nothing for motors on faces."""

    def there_and_back(self, action: str) -> RigProgram:
        """Do one action and what leads to it, and come back to where the machine starts.

        Args:
            action: Its name or the only beginning of one, or the name of a part that it moves.

        Raises:
            NotPossibleError: There is no such action, or it cannot be done.
        """

    def hold(self) -> Hold | None:
        """Put a cube in, every motor at a detent.

        Returns:
            How the motors hold it; None where they alone do not tell what becomes of the cube.
        """
