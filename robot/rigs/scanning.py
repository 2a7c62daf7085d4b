"""What a machine does so that its cameras see enough of the cube: looks, and programs between."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cube.moves import MoveSequence
from robot.rigs.pose import Pose
from robot.rigs.program import RigProgram


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
