"""What the machine's thread does between two jobs: get ready, wait, tell how the tables grow."""

import threading

from cube.random_states import random_state
from robot.errors import LinkError
from thistlebot.control.bench import Bench
from thistlebot.control.showing import notices

SHARE_STEP = 0.01
"""Building tables is told in steps of so much."""


class Upkeep:
    """Looks after one opened machine.

    Args:
        bench: The machine.
    """

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._machine = bench.machine
        self._told_share: float | None = None

    def warm_up(self, *, needs_board: bool) -> None:
        """Find what of the machine is there, and load what the first press would wait for.

        Args:
            needs_board: A missing board is an error, because there was one before.

        Raises:
            LinkError: The board is not there.
            CameraError: A camera that was there is not.
        """
        try:
            self._bench.connect()
        except LinkError as error:
            if needs_board:
                raise
            self._bench.note(str(error))
        if self._machine.choices.virtual:
            self._machine.scramble_virtual_cube(None, self._bench.rng)
        self._bench.tell_machine()
        self._bench.look_as_it_lies()
        solution = self._bench.solving(random_state(self._bench.rng))
        self._machine.rig.plan(solution.moves, self._machine.known_lanes())

    def pressed(self, timeout_s: float, given: threading.Event) -> bool:
        """Wait for the button on the board, or for something else to do.

        Args:
            timeout_s: How long.
            given: Set when there is something else to do.

        Raises:
            LinkError: The board is lost.
        """
        self._tell_share()
        driver = self._bench.known_driver
        if driver is None:
            given.wait(10 * timeout_s)
            return False
        return not given.is_set() and driver.wait_for_button(timeout_s)

    def stop_board(self) -> None:
        """Tell the board to stop, whatever it turns."""
        driver = self._bench.known_driver
        if driver is not None:
            driver.stop()

    def _tell_share(self) -> None:
        share = self._bench.solving.share if self._bench.solving.building else None
        before = self._told_share
        if share == before:
            return
        if share is None or before is None or share - before >= SHARE_STEP:
            self._told_share = share
            self._bench.hub.tell(notices.Shared(share))
