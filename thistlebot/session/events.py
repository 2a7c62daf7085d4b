"""What a session tells its listeners: the command line, the history, the web panel."""

from dataclasses import dataclass
from enum import StrEnum

from cube.errors import ThistlebotError
from cube.state import CubeState
from robot.rigs.program import RigProgram
from solver.stages.solution import Solution
from vision.frame import Frame
from vision.reading import CubeReading


class Phase(StrEnum):
    """Where a session is."""

    IDLE = "idle"
    SCAN = "scan"
    DECODE = "decode"
    PLAN = "plan"
    EXECUTE = "execute"
    VERIFY = "verify"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class PhaseEntered:
    """The session went on to another phase."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class CubeRead:
    """The pictures were read; `reading.accepted` says whether they are trusted."""

    frames: tuple[Frame, ...]
    reading: CubeReading


@dataclass(frozen=True, slots=True)
class Planned:
    """A solution was found and laid out in time."""

    state: CubeState
    solution: Solution
    program: RigProgram


@dataclass(frozen=True, slots=True)
class Turned:
    """The rig finished another step of the program."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Executed:
    """The rig finished the program, in the given time."""

    steps: int
    time_s: float


@dataclass(frozen=True, slots=True)
class Verified:
    """The camera looked again; `solved` is what it saw."""

    frames: tuple[Frame, ...]
    reading: CubeReading
    solved: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """The session ended by an error or by the user."""

    error: ThistlebotError


Event = PhaseEntered | CubeRead | Planned | Turned | Executed | Verified | Ended
