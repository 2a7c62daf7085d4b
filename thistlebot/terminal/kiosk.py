"""The machine in use: cube after cube, at the press of a button, all day."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np
import typer

from cube.errors import ThistlebotError
from robot.errors import LinkError
from robot.running.driver import RigDriver
from thistlebot.config import Folders
from thistlebot.errors import StoppedError
from thistlebot.exit_codes import error_record
from thistlebot.looking.reader import Look
from thistlebot.records import solve_record, to_line
from thistlebot.session.choices import Choices
from thistlebot.session.composing import solve_session
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.recorder import Recorder
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.light_watch import LightWatch
from thistlebot.terminal.progress_listener import ProgressListener
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.unseen import tell_unseen
from vision.errors import CameraError

POLL_S = 0.05
RETRY_S = 2.0


def serve_cubes(
    choices: Choices,
    folders: Folders,
    approach: Approach,
    screen: Screen,
    opening: Callable[[Choices, Folders], AbstractContextManager[Machine]] = open_machine,
    *,
    learn: bool = False,
    as_json: bool = False,
) -> None:
    """Wait for the button or the space bar, solve the cube, and wait for the next one.

    A misread, a stall or a camera that fails ends one cube, not the day: it is said, and the
    machine waits again. A board or camera that vanishes is looked for until it is back. Ends with
    Ctrl-C or ``q``.

    Args:
        choices: Which machine.
        folders: Where its files are.
        approach: How to solve.
        screen: Where to speak.
        opening: Opens the machine.
        learn: Let the profile follow the light of verified solves.
        as_json: Print a record for each cube, solved or not.

    Raises:
        ThistlebotError: The rig or a camera does not work at the very start.
    """
    solved = 0
    started = False
    with Keyboard() as keyboard:
        while True:
            try:
                with opening(choices, folders) as machine:
                    machine.note = screen.note
                    server = _Server(
                        machine,
                        approach,
                        screen,
                        keyboard,
                        learn=learn,
                        solved=solved,
                        as_json=as_json,
                    )
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
        machine: Machine,
        approach: Approach,
        screen: Screen,
        keyboard: Keyboard,
        *,
        learn: bool,
        solved: int,
        as_json: bool,
    ) -> None:
        self._machine = machine
        self._solving = Solving(
            machine.folders.cache,
            approach,
            machine.rig,
            screen.note,
            build=True,
            lanes=machine.known_lanes,
            pose=machine.known_pose,
        )
        self._screen = screen
        self._keyboard = keyboard
        self._looks: list[Look] = []
        self._watch = LightWatch(
            machine.profile, machine.profile_file, screen, self._looks, learn=learn
        )
        self._as_json = as_json
        tell_unseen(machine.unseen_stickers(), screen)
        self._driver: RigDriver = machine.driver()
        machine.view_reader()  # a missing camera is said now, not at the first press
        self._rng = np.random.default_rng(machine.choices.seed)
        self.solved = solved

    def serve(self) -> None:
        """Serve cubes until the user quits; a lost device is the caller's to mend."""
        while self._drop_presses():
            if self._machine.choices.virtual:
                self._machine.scramble_virtual_cube(None, self._rng)
            self._screen.line(
                "place a cube and press the button or the space bar (q ends)"
                if self._keyboard.available
                else "place a cube and press the button"
            )
            if not self._wait():
                return
            self._solve_one()

    def _drop_presses(self) -> bool:
        """Forget what was pressed while the machine was busy; false when that was ``q``."""
        self._driver.wait_for_button(POLL_S)
        pressed = iter(self._keyboard.key, None)
        return "q" not in list(pressed)

    def _wait(self) -> bool:
        while True:
            key = self._keyboard.key(POLL_S)
            if key == "q":
                return False
            if key == " " or self._driver.wait_for_button(POLL_S):
                return True

    def _solve_one(self) -> None:
        begin = time.monotonic()
        recorder = Recorder(None)
        try:
            with ProgressListener(self._screen) as listener:
                plan = solve_session(
                    self._machine,
                    self._solving,
                    (listener, self._watch, recorder),
                    looks=self._looks,
                    verb="solve --wait",
                ).run()
        except (LinkError, CameraError, StoppedError):
            raise
        except ThistlebotError as error:
            self._screen.problem(str(error))
            if self._as_json:
                typer.echo(to_line(error_record(error)))
            return
        self.solved += 1
        if self._as_json:
            record = solve_record(plan.state.to_facelets(), plan.solution, plan.program)
            record |= {"verified": True, "went_wrong": recorder.went_wrong}
            typer.echo(to_line(record))
        self._screen.line(
            f"solved    cube number {self.solved} of this show, "
            f"{time.monotonic() - begin:.1f} s from button to verified"
        )
