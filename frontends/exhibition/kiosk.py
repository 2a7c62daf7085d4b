"""The machine in use: cube after cube, at the press of a button, all day."""

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

import typer

from cube.errors import ThistlebotError
from cube.facelets import SOLVED_FACELETS
from cube.state import SOLVED
from frontends.control.commands import Scramble, Solve
from frontends.control.hub import Hub
from frontends.control.job_context import JobContext
from frontends.control.jobs.solving import scramble, session_for
from frontends.control.view_model.notices import Laid, Noted, Told
from frontends.control.view_model.view import ViewModel
from frontends.control.worker import MachineWorker, Task, WorkerSetup
from robot.errors import LinkError, NotAlignedError, RigError
from robot.running.buzz import beep
from robot.running.driver import RigDriver
from thistlebot.config import Folders, load_rig
from thistlebot.errors import StoppedError
from thistlebot.exit_codes import error_record
from thistlebot.reading.rig_views import tell_unseen
from thistlebot.records import ErrorLine, solve_record, to_line
from thistlebot.session.choices import Choices
from thistlebot.session.composing import Recorder
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import Approach
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.light_watch import LightWatch
from thistlebot.terminal.progress_listener import ProgressListener, print_times
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.show import PLAIN, Show, require_possible
from vision.errors import CameraError

QUICK_TURNS_BUDGET_MS = 35.0
"""Search time; of 5 to 100 ms on the default rig, longer searches cost more time than they save."""
GLANCE_S = 1.0
"""Interval of looks at a solved cube, until it is replaced."""
SHOWN_S = 1.0
"""Time for which people see the cube that the machine scrambled."""
VISITOR_S = 2.0
"""Time that a virtual visitor needs to exchange the cube."""
SOLVED_ALREADY = "the cube is already solved: scramble it, or put in another one"


def serve_cubes(
    choices: Choices,
    folders: Folders,
    approach: Approach,
    screen: Screen,
    opening: Callable[..., AbstractContextManager[Machine]] = open_machine,
    *,
    show: Show = PLAIN,
) -> None:
    """Wait for the button or the space bar, solve the cube, and wait for the next one.

    A misread, a stall or a failed camera ends only the current cube: it is reported, and the
    machine waits again. If a board or camera vanishes, the program searches for it until it is
    back. Ends with Ctrl-C or ``q``.

    Args:
        choices: The user's choices about the machine.
        folders: The folders of its files.
        approach: The user's options for solving.
        screen: The screen.
        opening: Opens the machine.
        show: The presentation.

    Raises:
        ThistlebotError: The rig or a camera does not work at the start.
    """
    if not show.budget_chosen and not load_rig(choices.rig, folders).handles_cube:
        approach = replace(approach, budget_ms=QUICK_TURNS_BUDGET_MS)
    with Keyboard() as keyboard:
        kiosk = _Kiosk(screen, keyboard, show, opening)
        setup = WorkerSetup(
            choices,
            folders,
            approach,
            pressed=kiosk.pressed,
            opening=kiosk.opened,
            opened=kiosk.begin,
            idle=kiosk.idle,
            stop_wanted=kiosk.is_touched,
            patient=False,
        )
        kiosk.worker = MachineWorker(setup, Hub(ViewModel("kiosk"), kiosk.hear))
        kiosk.worker.work()


QUIT, SOLVE, ALIGNED = "q", " ", "a"


class Presses:
    """Reads the keys. Those pressed while the machine is busy are dropped, except ``q``."""

    def __init__(self, keyboard: Keyboard, driver: RigDriver) -> None:
        self._keyboard = keyboard
        self._driver = driver
        self._quit = False

    @property
    def names(self) -> str:
        """Return the keys that can be pressed."""
        if self._keyboard.available:
            return "press the button or the space bar (q to quit)"
        return "press the button"

    def key(self) -> str | None:
        """Return the next key pressed, or None."""
        return QUIT if self._quit else self._keyboard.key()

    def drop(self) -> None:
        """Drop everything pressed until now, except ``q``, including presses in transit.

        Raises:
            LinkError: The board is lost.
        """
        self._driver.forget_presses()
        self._quit |= QUIT in list(iter(self._keyboard.key, None))

    def touched(self) -> bool:
        """Return whether a key or the button was pressed, without waiting."""
        key = self._keyboard.key()
        self._quit |= key == QUIT
        return key is not None or self._driver.wait_for_button(0.0)


class _Kiosk:
    """Adds visitors and a terminal to the machine's loop."""

    worker: MachineWorker
    _context: JobContext
    _presses: Presses
    _watch: LightWatch

    def __init__(
        self,
        screen: Screen,
        keyboard: Keyboard,
        show: Show,
        opening: Callable[..., AbstractContextManager[Machine]],
    ) -> None:
        self._screen = screen
        self._keyboard = keyboard
        self._show = show
        self._opening = opening
        self.pressed = Task("solve", Solve(), self._answer)
        self._attraction = Task("attract", Scramble(), lambda *_: self._serve(self._attract))
        self._solved_inside = False
        """The cube in the machine was seen solved, and has not been replaced since."""
        self._touched: bool | None = None
        """Whether somebody touched the machine during its show; None without a show."""
        self._active_s = 0.0
        """Time when the machine was last busy."""
        self._glanced_s = self._visited_s = -math.inf
        """Times of the last glance at the cube, and of the last visit of a virtual visitor."""
        self.solved = 0

    @contextmanager
    def opened(self, *given: Any, **named: Any) -> Iterator[Machine]:
        """Open the machine with its board and cameras, if it can be presented as the user chose."""
        with self._opening(*given, **named) as machine:
            require_possible(self._show, machine)
            tell_unseen(machine.unseen_stickers(), self._screen.note)
            machine.driver()
            machine.view_reader()  # a missing camera is reported now, not at a press
            yield machine

    def begin(self, context: JobContext) -> None:
        """Process a machine that was just opened, and ask for a cube."""
        machine, self._context = context.machine, context
        self._presses = Presses(self._keyboard, context.connect())
        self._watch = LightWatch(
            machine.profile,
            machine.profile_file,
            self._screen,
            context.looks,
            learn=self._show.learn,
        )
        if machine.choices.virtual and self._show.attract_min is not None:
            machine.world.rig.state = SOLVED  # no other cube can be shown
        self._sees_solved()
        self._await_visitor()

    def hear(self, told: Told) -> None:
        """Print the messages of the machine's loop besides its sessions."""
        match told:
            case Noted(text, retrying=True):
                self._screen.problem(text)
                self._screen.note("retrying; press Ctrl-C to quit")
            case Noted(text):
                self._screen.note(text)
            case Laid(steps):
                self._screen.line(f"scramble  {' '.join(steps)}")

    def idle(self, _context: JobContext) -> Task | None:
        """Return the task for a key or for the time; glance at the cube in between."""
        key, now_s = self._presses.key(), self._now_s()
        if key == QUIT:
            self.worker.end()
        if key == ALIGNED and self._context.machine.why_askew():
            self._context.machine.confirm_aligned()
            self._ask_for_cube()
        if key in {QUIT, SOLVE}:
            return self.pressed if key == SOLVE else None
        self._visit(pressing=False)
        attract_min, idle_s = self._show.attract_min, now_s - self._active_s
        if attract_min is not None and idle_s > 60.0 * attract_min:
            self._active_s = now_s
            if self._sees_solved():
                return self._attraction
        if self._solved_inside and now_s - self._glanced_s > GLANCE_S:
            self._glanced_s = now_s
            look = self._context.glance()
            if look is not None and look.reading.facelets not in (None, SOLVED_FACELETS):
                self._solved_inside = False
                self._ask_for_cube()
        return None

    def is_touched(self) -> bool:
        """Return whether somebody touched the machine during its show: then it stops."""
        if self._touched is False:
            self._touched = self._presses.touched()
        return bool(self._touched)

    def _answer(self, *_: object) -> None:
        """Solve the cube after a press, unless it is solved already."""
        self._visit(pressing=True)
        if self._solved_inside and self._sees_solved():
            self._screen.line(SOLVED_ALREADY)
            self._presses.drop()
            self._active_s = self._now_s()
        else:
            self._serve(self._solve_one)

    def _serve(self, work: Callable[[], None]) -> None:
        """Run some work, print errors, and ask for the next cube."""
        try:
            work()
        except (LinkError, CameraError):
            raise
        except (KeyboardInterrupt, StoppedError) as stopped:
            if not self._touched:
                raise
            self._screen.line(str(stopped) or "stopped")
        except ThistlebotError as error:
            self._tell_problem(error)
        finally:
            self._touched = None
        self._visited_s = self._now_s()
        self._await_visitor()

    def _await_visitor(self) -> None:
        self._presses.drop()
        self._ask_for_cube()
        self._active_s = self._now_s()

    def _ask_for_cube(self) -> None:
        if self._solved_inside:
            self._screen.line(
                f"scramble the cube, or put in another one, and {self._presses.names}"
            )
        else:
            self._screen.line(f"put in a cube and {self._presses.names}")

    def _now_s(self) -> float:
        return self._context.machine.clock.now_s()

    def _visit(self, *, pressing: bool) -> None:
        """Exchange a solved cube in a virtual machine, as a visitor would.

        During an automatic show, nobody exchanges the cube before pressing.
        """
        machine = self._context.machine
        ready = self._now_s() - self._visited_s > VISITOR_S
        comes = machine.choices.virtual and (pressing or self._show.attract_min is None)
        if comes and ready and machine.world.rig.state == SOLVED:
            machine.scramble_virtual_cube(None, self._context.rng)

    def _sees_solved(self) -> bool:
        """Glance at the cube; return whether it is seen solved."""
        look = self._context.glance()
        self._solved_inside = look is not None and look.reading.facelets == SOLVED_FACELETS
        return self._solved_inside

    def _attract(self) -> None:
        """Scramble the cube, which was just seen solved, and solve it; a touch stops that."""
        self._solved_inside, self._touched = False, False
        self._screen.line(
            "nobody has pressed: the machine runs a demonstration; press any key or the "
            "button to stop it"
        )
        scramble(self._context, Scramble())
        self._context.machine.clock.sleep(SHOWN_S)
        self._context.clock.press()
        self._solve_one()

    def _sound(self) -> None:
        buzzer = self._context.machine.rig.buzzer
        if buzzer is not None:
            try:
                beep(self._context.connect(), buzzer)
            except RigError as error:
                self._tell_problem(error)

    def _tell_problem(self, error: ThistlebotError) -> None:
        self._screen.problem(str(error))
        if isinstance(error, NotAlignedError) and self._keyboard.available:
            self._screen.note("press a when every face is aligned")
        if self._show.as_json:
            typer.echo(to_line(ErrorLine(error_record(error))))

    def _solve_one(self) -> None:
        recorder = Recorder()
        with ProgressListener(self._screen) as progress:
            listeners = (progress, self._watch, recorder)
            verb = "solve --wait"
            plan = session_for(self._context, None, verb=verb, listeners=listeners).run()
        self._touched = None
        self._solved_inside = self._context.machine.scan.moves_nothing
        if not plan.solution.moves:
            self._screen.line(SOLVED_ALREADY)
            return
        self._sound()
        self.solved += 1
        times = self._context.clock.times
        if self._show.as_json:
            record = solve_record(plan.state.to_facelets(), plan.solution, plan.program)
            wrong, clock = recorder.went_wrong, times.to_record()
            typer.echo(to_line(record, verified=True, went_wrong=wrong, clock=clock))
        self._screen.line(
            f"solved    cube number {self.solved} of this show, {times.total_s:.1f} s from "
            "button to verified"
        )
        print_times(self._screen, times)
