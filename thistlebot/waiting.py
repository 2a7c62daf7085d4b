"""The machine in use: cube after cube, at the press of a button, all day."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from cube.errors import ThistlebotError
from robot.driver import RigDriver
from robot.errors import LinkError
from thistlebot.config import Folders
from thistlebot.errors import StoppedError
from thistlebot.keyboard import Keyboard
from thistlebot.listener import Listener
from thistlebot.machine import Choices, Workshop, open_workshop
from thistlebot.session import Session
from thistlebot.show import Screen
from thistlebot.solving import Approach, Solving
from vision.errors import CameraError

POLL_S = 0.05
RETRY_S = 2.0


def serve_cubes(
    choices: Choices,
    folders: Folders,
    approach: Approach,
    screen: Screen,
    opening: Callable[[Choices, Folders], AbstractContextManager[Workshop]] = open_workshop,
) -> None:
    """Wait for the button or the space bar, solve the cube, and wait for the next one.

    A misread, a stall or a camera that fails ends one cube, not the day: it is said, and the
    machine waits again. A board or camera that vanishes is looked for until it is back. Ends with
    Ctrl-C or ``q``.

    Raises:
        ThistlebotError: The rig or a camera does not work at the very start.
    """
    solved = 0
    started = False
    with Keyboard() as keyboard:
        while True:
            try:
                with opening(choices, folders) as workshop:
                    server = _Server(workshop, approach, screen, keyboard, solved)
                    started = True
                    server.serve()
                    return
            except (LinkError, CameraError) as error:
                if not started:
                    raise
                solved = server.solved
                screen.problem(str(error))
                screen.note("trying again; Ctrl-C ends")
                time.sleep(RETRY_S)


class _Server:
    def __init__(
        self,
        workshop: Workshop,
        approach: Approach,
        screen: Screen,
        keyboard: Keyboard,
        solved: int,
    ) -> None:
        self._workshop = workshop
        self._solving = Solving(
            workshop.folders.cache, approach, workshop.rig, screen.note, build=True
        )
        self._screen = screen
        self._keyboard = keyboard
        self._driver: RigDriver = workshop.driver()
        self._reader = workshop.view_reader()
        self._rng = np.random.default_rng(workshop.choices.seed)
        self.solved = solved

    def serve(self) -> None:
        """Serve cubes until the user quits; a lost device is the caller's to mend."""
        while True:
            if self._workshop.choices.virtual:
                self._workshop.scramble_virtual_cube(None, self._rng)
            self._screen.line(
                "place a cube and press the button or the space bar (q ends)"
                if self._keyboard.available
                else "place a cube and press the button"
            )
            if not self._wait():
                return
            self._solve_one()

    def _wait(self) -> bool:
        while True:
            key = self._keyboard.key(POLL_S)
            if key == "q":
                return False
            if key == " " or self._driver.wait_for_button(POLL_S):
                return True

    def _solve_one(self) -> None:
        begin = time.monotonic()
        try:
            self._driver.prepare()
            with Listener(self._screen) as listener:
                Session(
                    self._solving,
                    self._workshop.rig,
                    reader=self._reader,
                    checker=self._reader,
                    driver=self._driver,
                    publish=listener,
                ).run()
        except (LinkError, CameraError, StoppedError):
            raise
        except ThistlebotError as error:
            self._screen.problem(str(error))
            return
        self.solved += 1
        self._screen.line(
            f"solved    cube number {self.solved} of this show, "
            f"{time.monotonic() - begin:.1f} s from button to verified"
        )
