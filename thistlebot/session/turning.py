"""Messages while the rig turns, and after a stop."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cube.errors import ThistlebotError
from robot.errors import BoardResetError, ForeignHostError, LinkError
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from robot.running.program_run import RunProgress, RunResult
from robot.running.turner import Turner
from thistlebot.errors import StoppedError
from thistlebot.events import (
    Continued,
    Ended,
    Entered,
    Event,
    Executed,
    Listener,
    Phase,
    Reconnected,
    Turned,
)
from thistlebot.exit_codes import error_record


def event_of(progress: RunProgress) -> Continued | Reconnected | Turned:
    """Return the progress of a program as an event."""
    if progress.lost_s:
        return Reconnected(progress.executed, progress.total, progress.lost_s)
    kind = Continued if progress.continued else Turned
    return kind(progress.executed, progress.total)


def stopped_error(
    driver: Turner, interruption: KeyboardInterrupt, total: int | None = None
) -> StoppedError:
    """Return the error of a stop by the user, with the progress and the position of the faces.

    Args:
        driver: The driver.
        interruption: The user's interruption, with notes of what went wrong while the motors were
            stopped.
        total: Number of the program's steps, if it should be named.
    """
    of_total = "" if total is None else f" of {total}"
    stopped = f"stopped after {driver.executed}{of_total} steps"
    if not driver.at_detents:
        why = "".join(f"; {note}" for note in getattr(interruption, "__notes__", ()))
        return StoppedError(
            f"{stopped}; it is unknown whether the faces are aligned: align them by hand and "
            f"scan again{why}"
        )
    return StoppedError(
        f"{stopped}; every face stands at a detent: scan again before the next solve"
    )


def turn_given(driver: RigDriver, program: RigProgram, listeners: Sequence[Listener]) -> RunResult:
    """Turn given moves, with the events of a session.

    Raises:
        StoppedError: The user stopped; the faces are at detents.
        LinkError: The board is lost.
        RigError: The rig stopped.
    """

    def tell(*events: Event) -> None:
        for event in events:
            for listener in listeners:
                listener(event)

    tell(Entered(Phase.EXECUTE))
    try:
        result = driver.run(program, lambda progress: tell(event_of(progress)))
    except KeyboardInterrupt as interruption:
        stopped = stopped_error(driver, interruption, len(program.steps))
        tell(Entered(Phase.STOPPED), Ended(error_record(stopped)))
        raise stopped from None
    except ThistlebotError as error:
        tell(Entered(Phase.FAILED), Ended(error_record(error)))
        raise
    tell(Executed(result.executed, result.elapsed_s), Entered(Phase.DONE))
    return result


@contextmanager
def next_step_hint() -> Iterator[None]:
    """Add to the error of a lost link how to continue.

    Raises:
        LinkError: The same error, with the next step.
    """
    try:
        yield
    except (BoardResetError, ForeignHostError):
        raise  # their messages say that the cube must be scanned
    except LinkError as error:
        raise type(error)(
            f"{error}. When the board is back, `thistlebot solve` looks at the cube and solves it"
        ) from error
