"""A solver whose tables are complete, and the progress of their build on the terminal."""

from collections.abc import Callable

from robot.rigs.mechanism import Mechanism
from thistlebot.config import Folders
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.table_progress import TableProgress

_LOOK_S = 0.1


def wait_for_tables(solving: Solving, screen: Screen) -> None:
    """Show how the search is compiled and its tables are built, until they are ready.

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

    Raises:
        TableError: The tables cannot be built.
    """
    cache = Folders.of_platform().cache
    solving = Solving(cache, approach, rig, screen.note, lanes=lanes)
    wait_for_tables(solving, screen)
    return solving
