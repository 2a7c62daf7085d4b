"""The machine's loop: opens it, warms it up, waits for the button, runs one job after the other.

The panel runs it in a separate thread, the terminal in the main one.
"""

import queue
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path

from cube.errors import ThistlebotError
from cube.random_states import random_state
from frontends.control.commands import Command, Proceed
from frontends.control.hub import Hub
from frontends.control.job_context import JobContext
from frontends.control.jobs.calibrate.telling import show_machine
from frontends.control.shared_pictures import Feeds, LookBook
from frontends.control.task import Task
from frontends.control.view_model import notices
from robot.errors import LinkError
from thistlebot.config import Folders
from thistlebot.errors import RefusedError, StoppedError
from thistlebot.exit_codes import error_record
from thistlebot.records import ErrorLine
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import Approach
from vision.errors import CameraError

SHARE_STEP = 0.01
"""Step size of the reported progress of building tables."""
RETRY_S = 2.0
IDLE_POLL_S = 0.02
CLOSING_S = 20.0
"""Time in which a job must stop at a detent when the server ends."""


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """The constant settings of a worker.

    Attributes:
        choices: The user's choices about the machine.
        folders: The folders of its files.
        approach: The user's options for solving.
        pressed: The command for a press of the board's button.
        opening: Opens the machine.
        opened: Called when it is open and warm.
        idle: Called repeatedly while no job runs; may return the next one.
        patient: Whether to wait for a board or camera that is missing at the start.
        feeds: Shares the machine's cameras with viewers.
        look_book: Stores the pictures of looks.
        assisted: Whether the panel may begin with the assistant: the user named no machine.
    """

    choices: Choices
    folders: Folders
    approach: Approach
    pressed: Task | None = None
    opening: Callable[..., AbstractContextManager[Machine]] = open_machine
    opened: Callable[[JobContext], None] = show_machine
    idle: Callable[[JobContext], Task | None] = lambda _: None
    patient: bool = True
    feeds: Feeds = field(default_factory=Feeds)
    look_book: LookBook = field(default_factory=LookBook)
    assisted: bool = False


def _named(choices: Choices) -> tuple[Path | None, bool]:
    """Return what distinguishes a machine from another one that this worker opens."""
    return choices.rig, choices.virtual


class WorkerError(ThistlebotError):
    """A job ended with a bug; the machine is opened again, which stops its movements."""


class MachineWorker:
    """Runs jobs for commands; all methods but `work` may be called from any thread.

    Attributes:
        ended: Set when the thread has ended.
        failure: Why it ended, unless requested: a wrong file at the start, or a bug.
    """

    def __init__(self, setup: WorkerSetup, hub: Hub) -> None:
        self._setup = setup
        self._choices = setup.choices
        self._hub = hub
        self._lock = threading.Lock()
        self._task: Task | None = None
        self._given = threading.Event()
        self._inputs: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._closing = threading.Event()
        self._ready = threading.Event()
        self._board_of: tuple[Path | None, bool] | None = None  # the machine that had one
        self._was_ready = False
        self._run = 0
        self._told_share: float | None = None
        self.ended = threading.Event()
        self.failure: BaseException | None = None
        self._thread = threading.Thread(target=self._work_apart, name="machine", daemon=True)

    def start(self) -> None:
        """Open the machine, in the thread."""
        self._thread.start()

    def close(self) -> bool:
        """Stop what turns, at a detent, and close the machine.

        Returns:
            Whether the thread has ended.
        """
        self.end()
        self.stop()
        if self._thread.ident is not None:  # it was started
            self._thread.join(CLOSING_S)
        return not self._thread.is_alive()

    def end(self) -> None:
        """Begin no other job, and close the machine after the current one."""
        self._closing.set()
        self._given.set()

    def begin(self, task: Task) -> int | None:
        """Start a job.

        Returns:
            The number of its run; None if it is none.

        Raises:
            RefusedError: Another one is running, or the machine is not open.
        """
        with self._lock:
            if not self._ready.is_set():
                raise RefusedError("busy", "the machine is not ready yet: try again in a moment")
            if self._task is not None:
                raise RefusedError(
                    "busy", f"the machine is busy ({self._task.name}): stop it first"
                )
            self._task = task
            self._stop.clear()
            self._inputs = queue.SimpleQueue()
            run = None if task.quiet else self._run + 1
        self._given.set()
        return run

    @property
    def corrects(self) -> bool:
        """Whether the current job processes corrections of its own reading."""
        with self._lock:
            return self._task is not None and self._task.corrects

    def tell(self, command: Command) -> None:
        """Pass a command to the current job.

        Raises:
            RefusedError: There is none.
        """
        with self._lock:
            if self._task is None:
                raise RefusedError("idle", "there is no running job that this command could be for")
            self._inputs.put(command)

    def stop(self) -> None:
        """Stop the current job at the next detent; without a job, tell the board to stop."""
        self._stop.set()
        self._given.set()

    def work(self) -> None:
        """Open the machine and run jobs in this thread, until `end` or `close`, or Ctrl-C.

        Raises:
            StoppedError: Ctrl-C, while something turned; it is at a detent.
            KeyboardInterrupt: Ctrl-C.
            ThistlebotError: The machine cannot be opened at the start.
        """
        while not self._closing.is_set():
            try:
                self._open()
            except StoppedError:
                raise
            except ThistlebotError as error:
                missing = self._setup.patient and isinstance(error, (LinkError, CameraError))
                if not (self._was_ready or missing):
                    raise
                self._hub.tell(notices.Noted(str(error), retrying=True))
                self._closing.wait(RETRY_S)

    def _work_apart(self) -> None:
        try:
            self.work()
        except BaseException as error:  # noqa: BLE001 - raised again where the server waits
            self.failure = error
        finally:
            self.ended.set()

    def _open(self) -> None:
        setup = self._setup
        with setup.opening(self._choices, setup.folders, note=self._note) as machine:
            context = JobContext(
                machine,
                self._hub,
                setup.approach,
                feeds=setup.feeds,
                look_book=setup.look_book,
                stop_wanted=self._stop_wanted,
                inputs=self._next_input,
            )
            self._choices = replace(self._choices, aligned=False)  # confirmed only for that time
            machine.stopping = self._stop
            try:
                self._warm_up(context)
                self._was_ready = True
                setup.opened(context)
                self._ready.set()
                while not self._closing.is_set() and context.reopening is None:
                    self._wait(context)
                self._choices = context.reopening or self._choices
            finally:
                self._ready.clear()
                if machine.board is not None:
                    self._board_of = _named(machine.choices)
                context.close()

    def _stop_wanted(self) -> bool:
        """Return whether to stop the current job; between jobs, there is nothing to stop."""
        return self._task is not None and self._stop.is_set()

    def _warm_up(self, context: JobContext) -> None:
        """Find the available parts of the machine, and load what the first press needs.

        Raises:
            LinkError: The board is missing, and was there before.
        """
        try:
            context.connect()
        except LinkError as error:
            if self._board_of == _named(context.machine.choices):
                raise
            context.note(str(error))
        if context.machine.choices.virtual:
            context.machine.scramble_virtual_cube(None, context.rng)
        context.tell_machine()
        context.look_as_it_lies()
        solution = context.solving(random_state(context.rng))
        context.machine.rig.plan(solution.moves, context.machine.known_lanes())

    def _wait(self, context: JobContext) -> None:
        """Wait for a task, and run it."""
        self._tell_share(context)
        driver = context.known_driver
        with self._lock:
            stops_nothing = self._task is None and self._stop.is_set()
            if stops_nothing:
                self._stop.clear()  # before the board answers: a later request is for a new job
        if stops_nothing and driver is not None:
            driver.stop()
        found = None if self._task is not None else self._setup.idle(context)
        if self._task is None and found is None:
            if driver is None:
                self._given.wait(10 * IDLE_POLL_S)
            elif not self._given.is_set() and driver.wait_for_button(IDLE_POLL_S):
                found = self._setup.pressed
        with self._lock:
            self._task = self._task or found
        self._given.clear()
        if self._task is None:
            return
        try:
            (self._do_quietly if self._task.quiet else self._do)(context, self._task)
        finally:
            with self._lock:
                self._task = None
                self._stop.clear()

    def _tell_share(self, context: JobContext) -> None:
        share = context.solving.share if context.solving.building else None
        before = self._told_share
        if share == before:
            return
        if share is None or before is None or share - before >= SHARE_STEP:
            self._told_share = share
            self._hub.update(tables=share)

    def _do_quietly(self, context: JobContext, task: Task) -> None:
        try:
            task.job(context, task.command)
        except KeyboardInterrupt:
            pass  # it moves nothing, and nothing was changed
        except ThistlebotError as error:
            self._hub.tell(notices.Noted(str(error), job=task.name))

    def _do(self, context: JobContext, task: Task) -> None:
        self._run += 1
        self._hub.tell(notices.Began(task.name, self._run, time.monotonic(), task.dry_run))
        context.clock.press()
        if not isinstance(task.command, Proceed):
            context.corrections = None
        error: ThistlebotError | None = None
        try:
            task.job(context, task.command)
        except (KeyboardInterrupt, StoppedError) as stopped:
            if not self._stop.is_set():
                raise  # Ctrl-C ends everything
            error = stopped if isinstance(stopped, StoppedError) else StoppedError("stopped")
        except ThistlebotError as caught:
            error = caught
        except Exception as bug:  # noqa: BLE001 - the server lives, and the machine is opened again
            traceback.print_exc()
            error = WorkerError(
                f"an internal error ended the job ({type(bug).__name__}: {bug}): please report "
                "it with the traceback in the terminal"
            )
        line = None if error is None else ErrorLine(error_record(error))
        times = context.take_times()
        self._hub.tell(notices.Finished(task.name, self._run, time.monotonic(), line, times))
        of_machine = not task.corrects  # by hand, the camera is somebody's own
        if isinstance(error, LinkError | WorkerError) or (
            of_machine and isinstance(error, CameraError)
        ):
            raise error

    def _next_input(self, timeout_s: float) -> Command | None:
        try:
            return self._inputs.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def _note(self, text: str) -> None:
        self._hub.tell(notices.Noted(text))
