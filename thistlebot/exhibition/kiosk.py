"""The machine in use: cube after cube, at the press of a button, all day."""

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from dataclasses import replace

import numpy as np
import typer

from cube.errors import ThistlebotError
from cube.facelets import SOLVED_FACELETS
from cube.random_states import random_state
from cube.state import SOLVED
from robot.errors import LinkError, RigError
from robot.running.driver import beep
from thistlebot.config import Folders
from thistlebot.errors import StoppedError
from thistlebot.events import Listener
from thistlebot.exhibition.presses import Press, Presses
from thistlebot.exhibition.show import PLAIN, Chime, Show, Sound, require_possible
from thistlebot.exit_codes import error_record
from thistlebot.journal.run_row import RunClock
from thistlebot.reading.reader import Look
from thistlebot.records import solve_record, to_line
from thistlebot.session.choices import Choices
from thistlebot.session.composing import solve_session
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.recorder import Recorder
from thistlebot.session.turning import stopped_error
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.clock_bar import print_times
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.light_watch import LightWatch
from thistlebot.terminal.progress_listener import ProgressListener
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.unseen import tell_unseen
from vision.errors import CameraError
from vision.reading import CubeReading

RETRY_S = 2.0
QUICK_TURNS_BUDGET_MS = 35.0
"""On the default rig 5 to 100 ms were tried: a longer search costs more time than it saves."""
GLANCE_S = 1.0
"""A solved cube is looked at so often, until it is another one."""
SHOWN_S = 1.0
"""So long people see the cube that the machine scrambled by itself."""
VISITOR_S = 2.0
"""So long the hands of a virtual visitor take to exchange the cube."""
SOLVED_ALREADY = "the cube is solved already: scramble it, or put in another"


def serve_cubes(
    choices: Choices,
    folders: Folders,
    approach: Approach,
    screen: Screen,
    opening: Callable[[Choices, Folders], AbstractContextManager[Machine]] = open_machine,
    *,
    show: Show = PLAIN,
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
        show: How it is shown.

    Raises:
        ThistlebotError: The rig or a camera does not work at the very start.
    """
    solved = 0
    started = False
    with Keyboard() as keyboard, closing(Chime(show.sound, screen)) as chime:
        while True:
            try:
                with opening(choices, folders) as machine:
                    machine.note = screen.note
                    server = _Server(
                        machine, approach, screen, keyboard, chime=chime, show=show, solved=solved
                    )
                    started = True
                    try:
                        server.serve()
                    finally:
                        server.close()
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
        chime: Chime,
        show: Show,
        solved: int,
    ) -> None:
        self._machine = machine
        require_possible(show, machine)
        self._buzzer = machine.rig.buzzer if show.sound is Sound.BUZZER else None
        if not show.budget_chosen and not machine.rig.handles_cube:
            approach = replace(approach, budget_ms=QUICK_TURNS_BUDGET_MS)
        self._solving = Solving(
            machine.folders.cache,
            replace(approach, rig_turns=True),
            machine.rig,
            screen.note,
            build=True,
            lanes=machine.known_lanes,
            pose=machine.known_pose,
        )
        self._screen = screen
        self._chime = chime
        self._show = show
        self._looks: list[Look] = []
        self._watch = LightWatch(
            machine.profile, machine.profile_file, screen, self._looks, learn=show.learn
        )
        tell_unseen(machine.unseen_stickers(), screen)
        self._presses = Presses(keyboard, machine.driver())
        machine.view_reader()  # a missing camera is said now, not at a press
        self._rng = np.random.default_rng(machine.choices.seed)
        self._clock = RunClock(machine.clock.now_s)
        self._solved_inside = False
        """The cube in the machine was seen solved, and no other since."""
        self._active_s = self._now_s()
        self._visited_s = -math.inf
        """When the machine was last busy, and a virtual visitor with it."""
        self.solved = solved

    def serve(self) -> None:
        """Serve cubes until the user quits; a lost device is the caller's to mend."""
        self._warm_up()
        self._presses.drop()
        self._ask_for_cube()
        while (press := self._wait()) is not Press.QUIT:
            if press and self._solved_inside and self._sees_solved():
                self._screen.line(SOLVED_ALREADY)
                self._presses.drop()
            else:
                if press:
                    self._solve_one()
                else:
                    self._attract()
                self._visited_s = self._now_s()
                self._presses.drop()
                self._ask_for_cube()
            self._active_s = self._now_s()

    def close(self) -> None:
        """Build no tables any more: at the program's end no thread may be busy."""
        self._solving.close()

    def _warm_up(self) -> None:
        """Have code and tables loaded before the first press, not after it."""
        self._sees_solved()
        solution = self._solving(random_state(self._rng))
        self._machine.rig.plan(solution.moves, self._machine.known_lanes())

    def _ask_for_cube(self) -> None:
        if self._solved_inside:
            self._screen.line(f"scramble the cube, or put in another, and {self._presses.names}")
        else:
            self._screen.line(f"place a cube and {self._presses.names}")

    def _wait(self) -> Press | None:
        """Return the next press; None when it is time to attract somebody."""
        glanced_s = -math.inf
        while True:
            if (press := self._presses.next()) is not None:
                self._clock.press()
                self._visit(pressing=press is Press.SOLVE)
                return press
            now_s = self._now_s()
            self._visit(pressing=False)
            if self._show.attract_s is not None and now_s - self._active_s > self._show.attract_s:
                if self._sees_solved():
                    return None
                self._active_s = now_s
            if self._solved_inside and now_s - glanced_s > GLANCE_S:
                self._look_for_exchange()
                glanced_s = self._now_s()

    def _now_s(self) -> float:
        return self._machine.clock.now_s()

    def _visit(self, *, pressing: bool) -> None:
        """Exchange a solved cube in a virtual machine, as a visitor would.

        Where the machine is to attract somebody nobody exchanges it before pressing.
        """
        machine = self._machine
        ready = self._now_s() - self._visited_s > VISITOR_S
        comes = machine.choices.virtual and (pressing or self._show.attract_s is None)
        if comes and ready and machine.world.rig.state == SOLVED:
            machine.scramble_virtual_cube(None, self._rng)

    def _sees_solved(self) -> bool:
        """Look at the cube as it lies: whether it is seen to be solved."""
        reading = self._glance()
        self._solved_inside = reading is not None and reading.facelets == SOLVED_FACELETS
        return self._solved_inside

    def _glance(self) -> CubeReading | None:
        """Read the cube as it lies; None where the rig would have to move it."""
        reader = self._machine.view_reader()
        frames = reader.glance()
        return reader.read_glance(frames) if frames else None

    def _look_for_exchange(self) -> None:
        reading = self._glance()
        if reading is not None and reading.facelets not in (None, SOLVED_FACELETS):
            self._solved_inside = False
            self._ask_for_cube()

    def _attract(self) -> None:
        """Scramble the cube, which was just seen solved, and solve it; a touch stops that."""
        self._solved_inside = False
        self._screen.line("nobody presses: the machine shows itself; any key or the button stops")
        try:
            self._scramble()
            self._clock.press()
            self._solve_one(self._presses.stop_at_touch)
        except StoppedError as stopped:
            if not self._presses.touched:
                raise
            self._screen.line(str(stopped))
        except (LinkError, CameraError):
            raise
        except ThistlebotError as error:
            self._tell_problem(error)

    def _scramble(self) -> None:
        driver = self._machine.driver()
        moves = self._solving(random_state(self._rng)).moves.inverse()
        program = self._machine.rig.plan(moves, driver.lanes, driver.pose)
        self._screen.line(f"scramble  {moves}")
        try:
            driver.run(program, self._presses.stop_at_touch)
        except KeyboardInterrupt as interruption:
            raise stopped_error(driver, interruption, len(program.steps)) from None
        self._machine.clock.sleep(SHOWN_S + self._machine.rig.settle_ms / 1000)

    def _beep(self) -> None:
        if self._buzzer is not None:
            try:
                beep(self._machine.connected_driver(), self._buzzer)
            except RigError as error:
                self._tell_problem(error)

    def _tell_problem(self, error: ThistlebotError) -> None:
        self._screen.problem(str(error))
        if self._show.as_json:
            typer.echo(to_line(error_record(error)))

    def _solve_one(self, *further: Listener) -> None:
        recorder = Recorder(None)
        try:
            with ProgressListener(self._screen) as listener:
                plan = solve_session(
                    self._machine,
                    self._solving,
                    (self._clock, listener, self._watch, recorder, *further),
                    looks=self._looks,
                    verb="solve --wait",
                ).run()
        except (LinkError, CameraError, StoppedError):
            raise
        except ThistlebotError as error:
            self._tell_problem(error)
            return
        self._solved_inside = self._machine.scan.moves_nothing
        if not plan.solution.moves:
            self._screen.line(SOLVED_ALREADY)
            return
        self._chime.play()
        self._beep()
        self.solved += 1
        times = self._clock.times
        if self._show.as_json:
            record = solve_record(plan.state.to_facelets(), plan.solution, plan.program)
            record |= {"verified": True, "went_wrong": recorder.went_wrong}
            typer.echo(to_line(record | {"clock": times.to_record()}))
        self._screen.line(
            f"solved    cube number {self.solved} of this show, "
            f"{times.total_s:.1f} s from button to verified"
        )
        print_times(self._screen, times)
