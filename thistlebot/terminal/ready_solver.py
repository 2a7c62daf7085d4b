"""A solver whose tables are complete, and the progress of their build on the terminal."""

import math
import time
from collections.abc import Callable

from robot.rigs.mechanism import Mechanism
from thistlebot.config import Folders
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.progress_listener import TableProgress
from thistlebot.terminal.screen import Screen

_LOOK_S = 0.1


def wait_for_tables(solving: Solving, screen: Screen, most_s: float = math.inf) -> bool:
    """Show the progress of the build until it is complete; tables are built only once.

    Args:
        solving: The solver with the tables.
        screen: Where to show it.
        most_s: Maximum time to wait.

    Returns:
        Whether they are complete.

    Raises:
        TableError: The tables cannot be built.
    """
    end_s = time.monotonic() + most_s
    with TableProgress(
        screen, "building tables for shorter solutions; this happens once"
    ) as progress:
        while not solving.wait(_LOOK_S):
            if solving.share > 0:
                progress(solving.share)
            if time.monotonic() > end_s:
                return False
    return True


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
    solving = Solving(cache, approach, rig, screen.note, build=True, lanes=lanes)
    wait_for_tables(solving, screen)
    return solving
