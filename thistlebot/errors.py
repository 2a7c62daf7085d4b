"""The errors of the application itself."""

import errno
from typing import TYPE_CHECKING

from cube.errors import ThistlebotError

if TYPE_CHECKING:
    from cube.pieces import Problem


class UsageError(ThistlebotError):
    """The options contradict each other, or one is missing."""


class RefusedError(UsageError):
    """A front end's request was refused.

    Attributes:
        kind: ``expired``, ``run``, ``busy``, ``idle``, ``scope``, ``usage``,
            ``missing`` or ``journal``.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class MisreadError(ThistlebotError):
    """The camera's reading is not reliable; no motor moved.

    Attributes:
        reread: The faces to show again.
    """

    def __init__(self, message: str, reread: tuple[str, ...]) -> None:
        super().__init__(message)
        self.reread = reread


class UnsolvableCubeError(ThistlebotError):
    """Face turns cannot solve this cube: it must be taken apart, or it was typed wrongly.

    Attributes:
        problems: Every broken law.
    """

    def __init__(self, message: str, problems: "tuple[Problem, ...]") -> None:
        super().__init__(message)
        self.problems = problems


class NotVerifiedError(ThistlebotError):
    """The moves were made, but the camera did not see the cube solved."""


class StoppedError(ThistlebotError):
    """The user stopped the machine; the faces are at detents."""


class MissingFileError(ThistlebotError):
    """A file that the user named is missing or unreadable."""


class OutputError(ThistlebotError):
    """The program's output cannot be written."""


class ReaderGoneError(OutputError):
    """The program that read the output has ended; no message is needed."""


class ComputerError(ThistlebotError):
    """The computer refuses something, such as memory, a file or a library."""

    @classmethod
    def of(cls, error: OSError | MemoryError | ImportError | RuntimeError) -> "ComputerError":
        """Return what was refused, and what to do, in one sentence.

        Raises:
            RuntimeError: Unchanged, if it is a bug of ours.
        """
        if isinstance(error, RuntimeError) and "start new thread" not in str(error):
            raise error
        if isinstance(error, OSError) and not _short_of_memory(error):
            file = f"{error.filename}: " if error.filename else ""
            return cls(
                f"{file}{error.strerror or error}; check the permissions and the free space there"
            )
        if isinstance(error, ImportError) and "failed to map" not in str(error):
            return cls(f"cannot load a library ({error}): reinstall thistlebot")
        return cls("out of memory: close other programs, or raise the limit")


def _short_of_memory(error: OSError) -> bool:
    """Return whether a library could not be mapped; llvmlite only says that it did not load."""
    return error.errno == errno.ENOMEM or (error.errno is None and "shared object" in str(error))


def stopped_by(interruption: BaseException) -> StoppedError:
    """Return the error for a stop by the user, with any error that was about to be reported.

    Args:
        interruption: A KeyboardInterrupt or the like; Python chains it to the exception in
            progress.
    """
    cause = interruption.__context__
    while cause is not None and not isinstance(cause, ThistlebotError):
        cause = cause.__context__
    return StoppedError("stopped" if cause is None else f"stopped; {cause}")


def error_to_report(error: Exception) -> ThistlebotError:
    """Return the error to report to the user for one that is not ours.

    Raises:
        Exception: Unchanged, if it is a bug of ours.
    """
    interruption = interruption_behind(error)
    if interruption is not None:
        return stopped_by(interruption)
    if isinstance(error, OSError | MemoryError | ImportError | RuntimeError):
        return ComputerError.of(error)
    raise error


def interruption_behind(error: BaseException) -> KeyboardInterrupt | None:
    """Return the Ctrl-C that Python or a library turned into another error, if there is one.

    Python 3.11 turns one in `__set_name__` into a RuntimeError, and libraries turn one during their
    loading into an ImportError.
    """
    behind: BaseException | None = error
    while behind is not None and not isinstance(behind, KeyboardInterrupt):
        behind = behind.__cause__ or behind.__context__
    return behind
