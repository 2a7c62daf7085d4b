"""What a person is told while the rig turns, and when it was stopped."""

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
    Ended,
    Entered,
    Event,
    Executed,
    GoneOn,
    Listener,
    Phase,
    Turned,
)
from thistlebot.exit_codes import error_record


def event_of(progress: RunProgress) -> GoneOn | Turned:
    """Say as an event how far a program is."""
    kind = GoneOn if progress.gone_on else Turned
    return kind(progress.executed, progress.total)


def stopped_error(
    driver: Turner, interruption: KeyboardInterrupt, total: int | None = None
) -> StoppedError:
    """Say how far a program came that the user stopped, and how the faces stand.

    Args:
        driver: What turned it.
        interruption: The user's, with notes of what went wrong while the motors were stopped.
        total: Steps of the program, if they are to be told.
    """
    of_total = "" if total is None else f" of {total}"
    stopped = f"stopped after {driver.executed}{of_total} steps"
    if driver.turned is None:
        why = "".join(f"; {note}" for note in getattr(interruption, "__notes__", ()))
        return StoppedError(
            f"{stopped}; it is unknown whether the faces are aligned: align them by hand and "
            f"scan again{why}"
        )
    return StoppedError(
        f"{stopped}; every face stands at a detent: scan again before the next solve"
    )


def turn_given(driver: RigDriver, program: RigProgram, listeners: Sequence[Listener]) -> RunResult:
    """Turn moves that somebody gave, and tell it as a session does.

    Raises:
        StoppedError: The user stopped; the faces stand at detents.
        LinkError: The board is lost.
        RigError: The rig stopped by itself.
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
def next_step_hint(driver: Turner | None) -> Iterator[None]:
    """Say of a link that is lost for good how the moves are finished, if they can be.

    Args:
        driver: What turns.

    Raises:
        LinkError: As it came, with the way on.
    """
    try:
        yield
    except (BoardResetError, ForeignHostError):
        raise  # the record is given up: their messages say that the cube has to be scanned
    except LinkError as error:
        if driver is None or not driver.resumable:
            raise
        raise type(error)(
            f"{error}. The board finishes the moves that it has: when it is back, `thistlebot "
            "solve --resume` turns the remaining moves and checks the cube"
        ) from error
