"""A solver whose tables are complete, and the progress of their build on the terminal."""

from collections.abc import Callable

from robot.rigs.mechanism import Mechanism
from thistlebot.config import Folders
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.progress_listener import TableProgress
from thistlebot.terminal.screen import Screen

_LOOK_S = 0.1


def wait_for_tables(solving: Solving, screen: Screen) -> None:
    """Show how the search is compiled and its tables are built, until they are ready.

    Args:
        solving: The solver with the tables.
        screen: Where to show it.

    Raises:
        TableError: The tables cannot be built.
    """
    if not solving.building:
        return
    with TableProgress(screen, "compiling the search; this happens once") as progress:
        while not solving.wait(_LOOK_S) and not solving.share:
            if solving.share is not None:
                progress(solving.share)
    with TableProgress(screen, "building tables; this happens once") as progress:
        while not solving.wait(_LOOK_S):
            progress(solving.share or 0.0)


def ready_solver(
    approach: Approach, rig: Mechanism, screen: Screen, lanes: Callable[[], int] | None = None
) -> Solving:
    """Return a solver that has its full tables; missing ones are built.

    Args:
        approach: How to solve.
        rig: The rig whose times count when time is minimised.
        screen: Where to show the progress.
        lanes: See `Solving`.

    Raises:
        TableError: The tables cannot be built.
    """
    cache = Folders.of_platform().cache
    solving = Solving(cache, approach, rig, screen.note, lanes=lanes)
    wait_for_tables(solving, screen)
    return solving
