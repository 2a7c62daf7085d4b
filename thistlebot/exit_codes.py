"""Exit codes, which tell a script the result."""

from enum import IntEnum
from typing import TYPE_CHECKING

from calibration.errors import CalibrationError
from cube.errors import InvalidCubeError, NotationError, ThistlebotError
from documents.errors import ConfigError, PluginError, UnwritableError
from robot.errors import (
    AbortedError,
    BoardResetError,
    LinkError,
    NotPossibleError,
    RigError,
)
from solver.errors import SolverError, TableError
from thistlebot.errors import (
    ComputerError,
    MisreadError,
    MissingFileError,
    NotVerifiedError,
    OutputError,
    ReaderGoneError,
    StoppedError,
    UnsolvableCubeError,
    UsageError,
)
from vision.errors import NoFaceError, VisionError

if TYPE_CHECKING:
    from thistlebot.records import ErrorRecord


class ExitCode(IntEnum):
    """The exit codes; they are part of the machine formats.

    Attributes:
        DONE: Done.
        BUG: A bug in Thistlebot; please report the traceback.
        USAGE: Wrong usage or configuration, such as a missing rig file, or moves that the rig has
            no motors for.
        MISREAD: Misread: the message names the faces to show again.
        UNSOLVABLE: The cube itself is not solvable: the message names the broken law and the piece.
        NO_DEVICE: No device, camera, file, tool or library was found, or the disk is full.
        STOPPED: Stopped by the user.
        NOT_VERIFIED: Executed but not verified; for `school lesson`, a wrong answer; for
            `history replay`, a different reading.
        READER_GONE: The program that read the output has ended. If a machine is at work, the
            command continues and returns its usual code instead.
    """

    DONE = 0
    BUG = 1
    USAGE = 2
    MISREAD = 3
    UNSOLVABLE = 4
    NO_DEVICE = 5
    STOPPED = 6
    NOT_VERIFIED = 7
    READER_GONE = 141  # as a shell reports a program that a closed pipe ended


BY_ERROR: tuple[tuple[type[ThistlebotError], ExitCode], ...] = (
    (MisreadError, ExitCode.MISREAD),
    (UnsolvableCubeError, ExitCode.UNSOLVABLE),
    (NotVerifiedError, ExitCode.NOT_VERIFIED),
    (StoppedError, ExitCode.STOPPED),
    (MissingFileError, ExitCode.NO_DEVICE),
    (ReaderGoneError, ExitCode.READER_GONE),
    (OutputError, ExitCode.NO_DEVICE),
    (ComputerError, ExitCode.NO_DEVICE),
    (UsageError, ExitCode.USAGE),
    (UnwritableError, ExitCode.NO_DEVICE),
    (PluginError, ExitCode.NO_DEVICE),
    (ConfigError, ExitCode.USAGE),
    (NotationError, ExitCode.USAGE),
    (InvalidCubeError, ExitCode.USAGE),
    (CalibrationError, ExitCode.MISREAD),
    (NoFaceError, ExitCode.MISREAD),
    (VisionError, ExitCode.NO_DEVICE),
    (BoardResetError, ExitCode.NOT_VERIFIED),
    (LinkError, ExitCode.NO_DEVICE),
    (NotPossibleError, ExitCode.USAGE),
    (RigError, ExitCode.NOT_VERIFIED),
    (TableError, ExitCode.NO_DEVICE),
    (SolverError, ExitCode.USAGE),
)
"""Exit codes by class of error. The first match counts, so subclasses come before their parents."""


def exit_code_of(error: ThistlebotError) -> ExitCode:
    """Return the exit code that an error ends the program with."""
    return next((code for kind, code in BY_ERROR if isinstance(error, kind)), ExitCode.USAGE)


def error_record(error: ThistlebotError) -> "ErrorRecord":
    """Return the record of an error, with the fields of its kind."""
    from thistlebot.records import ErrorRecord

    return ErrorRecord(
        name=type(error).__name__,
        text=str(error),
        exit_code=int(exit_code_of(error)),
        reread=error.reread if isinstance(error, MisreadError) else None,
        problems=error.problems if isinstance(error, UnsolvableCubeError) else None,
        executed=error.executed if isinstance(error, AbortedError) else None,
        fault=error.fault if isinstance(error, AbortedError) else None,
        parts=error.parts if isinstance(error, AbortedError) else None,
    )
