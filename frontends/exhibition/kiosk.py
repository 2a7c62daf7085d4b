"""The machine in use: cube after cube, at the press of a button, all day."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

import typer

from cube.state import SOLVED
from frontends.control.commands import Command, Solve
from frontends.control.hub import Hub
from frontends.control.job_context import JobContext
from frontends.control.jobs.solving import session_for
from frontends.control.task import Task
from frontends.control.view_model.notices import Finished, Noted, Told
from frontends.control.view_model.view import ViewModel
from frontends.control.worker import MachineWorker, WorkerSetup
from robot.errors import LinkError, NotAlignedError, RigError
from robot.running.buzz import beep
from thistlebot.config import Folders, load_rig
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
from vision.errors import CameraError

QUICK_TURNS_BUDGET_MS = 35.0
"""Search time; of 5 to 100 ms on the default rig, longer searches cost more time than they save."""
SOLVED_ALREADY = "the cube is already solved: scramble it, or put in another one"
QUIT, SOLVE, ALIGNED = "q", " ", "a"


def serve_cubes(
    choices: Choices,
    folders: Folders,
    approach: Approach,
    screen: Screen,
    opening: Callable[..., AbstractContextManager[Machine]] = open_machine,
    *,
    learn: bool = False,
    as_json: bool = False,
    budget_chosen: bool = False,
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
        learn: Let the profile follow the light.
        as_json: Print a record for each cube.
        budget_chosen: The user chose the solver's time; otherwise a rig with motors on faces gets
            `QUICK_TURNS_BUDGET_MS`.

    Raises:
        ThistlebotError: The rig or a camera does not work at the start.
    """
    if not budget_chosen and not load_rig(choices.rig, folders).handles_cube:
        approach = replace(approach, budget_ms=QUICK_TURNS_BUDGET_MS)
    with Keyboard() as keyboard:
        kiosk = _Kiosk(screen, keyboard, opening, learn=learn, as_json=as_json)
        setup = WorkerSetup(
            choices,
            folders,
            approach,
            pressed=kiosk.pressed,
            opening=kiosk.opened,
            opened=kiosk.begin,
            idle=kiosk.idle,
            patient=False,
        )
        kiosk.worker = MachineWorker(setup, Hub(ViewModel("kiosk"), kiosk.hear))
        kiosk.worker.work()


class _Kiosk:
    """Adds visitors and a terminal to the machine's loop.

    Attributes:
        worker: The machine's loop.
        pressed: The task of a press.
        solved: Number of cubes solved so far.
    """

    worker: MachineWorker
    _context: JobContext
    _watch: LightWatch

    def __init__(
        self,
        screen: Screen,
        keyboard: Keyboard,
        opening: Callable[..., AbstractContextManager[Machine]],
        *,
        learn: bool,
        as_json: bool,
    ) -> None:
        self._screen = screen
        self._keyboard = keyboard
        self._opening = opening
        self._learn = learn
        self._as_json = as_json
        self.pressed = Task("solve", Solve(), self._solve)
        self.solved = 0

    @contextmanager
    def opened(self, *given: Any, **named: Any) -> Iterator[Machine]:
        """Open the machine with its board and cameras."""
        with self._opening(*given, **named) as machine:
            tell_unseen(machine.unseen_stickers(), self._screen.note)
            machine.driver()
            machine.view_reader()  # a missing camera is reported now, not at a press
            yield machine

    def begin(self, context: JobContext) -> None:
        """Process a machine that was just opened, and ask for a cube."""
        machine, self._context = context.machine, context
        file, looks = machine.profile_file, context.looks
        self._watch = LightWatch(machine.profile, file, self._screen, looks, learn=self._learn)
        self._await_visitor()

    def hear(self, told: Told) -> None:
        """Print the messages of the machine's loop besides its sessions."""
        match told:
            case Noted(text, retrying=True):
                self._screen.problem(text)
                self._screen.note("retrying; press Ctrl-C to quit")
            case Noted(text):
                self._screen.note(text)
            case Finished(error=None):
                self._await_visitor()
            case Finished(error=ErrorLine() as error):
                kind = error.error.kind
                if not issubclass(kind, LinkError | CameraError):  # these are looked for
                    self._tell_problem(error)
                    self._await_visitor()

    def idle(self, _context: JobContext) -> Task | None:
        """Return the task for a key."""
        key = self._keyboard.key()
        if key == QUIT:
            self.worker.end()
        if key == ALIGNED and self._context.machine.why_askew():
            self._context.machine.confirm_aligned()
            self._ask_for_cube()
        return self.pressed if key == SOLVE else None

    def _await_visitor(self) -> None:
        """Drop presses until now, even those in transit, except of ``q``, and ask for a cube."""
        self._context.connect().forget_presses()
        if QUIT in list(iter(self._keyboard.key, None)):
            self.worker.end()
        self._ask_for_cube()

    def _ask_for_cube(self) -> None:
        keys = " or the space bar (q to quit)" if self._keyboard.available else ""
        self._screen.line(f"put in a scrambled cube and press the button{keys}")

    def _tell_problem(self, line: ErrorLine) -> None:
        self._screen.problem(line.error.text)
        if issubclass(line.error.kind, NotAlignedError) and self._keyboard.available:
            self._screen.note("press a when every face is aligned")
        if self._as_json:
            typer.echo(to_line(line))

    def _solve(self, context: JobContext, _command: Command) -> None:
        machine, recorder = context.machine, Recorder()
        if machine.choices.virtual and machine.world.rig.state == SOLVED:
            machine.scramble_virtual_cube(None, context.rng)  # as a visitor would
        with ProgressListener(self._screen) as progress:
            listeners = (progress, self._watch, recorder)
            plan = session_for(context, None, verb="solve --wait", listeners=listeners).run()
        if not plan.solution.moves:
            self._screen.line(SOLVED_ALREADY)
            return
        self._sound(context)
        self.solved += 1
        times = context.clock.times
        if self._as_json:
            record = solve_record(plan.state.to_facelets(), plan.solution, plan.program)
            wrong, clock = recorder.went_wrong, times.to_record()
            typer.echo(to_line(record, verified=True, went_wrong=wrong, clock=clock))
        self._screen.line(
            f"solved    cube number {self.solved} of this show, {times.total_s:.1f} s from "
            "button to verified"
        )
        print_times(self._screen, times)

    def _sound(self, context: JobContext) -> None:
        buzzer = context.machine.rig.buzzer
        if buzzer is not None:
            try:
                beep(context.connect(), buzzer)
            except RigError as error:
                self._tell_problem(ErrorLine(error_record(error)))
