"""The thread that owns the machine: opens it, does one job after the other, stops in time.

What the machine's thread does between two jobs: get ready, wait, tell how the tables grow.
"""

import queue
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from cube.errors import ThistlebotError
from cube.random_states import random_state
from robot.errors import LinkError
from thistlebot.config import Folders
from thistlebot.control.commands import Command, GoOn
from thistlebot.control.gate import RefusedError
from thistlebot.control.hub import Feeds, Hub, LookBook, NoFeeds
from thistlebot.control.job_context import JobContext
from thistlebot.control.jobs.calibrate.telling import show_machine
from thistlebot.control.view_model import notices
from thistlebot.errors import StoppedError
from thistlebot.exit_codes import error_record
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import Approach
from vision.errors import CameraError

SHARE_STEP = 0.01
"""Building tables is told in steps of so much."""


class Upkeep:
    """Looks after one opened machine.

    Args:
        context: The machine.
    """

    def __init__(self, context: JobContext) -> None:
        self._context = context
        self._machine = context.machine
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
            self._context.connect()
        except LinkError as error:
            if needs_board:
                raise
            self._context.note(str(error))
        if self._machine.choices.virtual:
            self._machine.scramble_virtual_cube(None, self._context.rng)
        self._context.tell_machine()
        self._context.look_as_it_lies()
        solution = self._context.solving(random_state(self._context.rng))
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
        driver = self._context.known_driver
        if driver is None:
            given.wait(10 * timeout_s)
            return False
        return not given.is_set() and driver.wait_for_button(timeout_s)

    def stop_board(self) -> None:
        """Tell the board to stop, whatever it turns."""
        driver = self._context.known_driver
        if driver is not None:
            driver.stop()

    def _tell_share(self) -> None:
        share = self._context.solving.share if self._context.solving.building else None
        before = self._told_share
        if share == before:
            return
        if share is None or before is None or share - before >= SHARE_STEP:
            self._told_share = share
            self._context.hub.tell(notices.Shared(share))


RETRY_S = 2.0
IDLE_POLL_S = 0.05
CLOSING_S = 20.0
"""So long a job may take to stop at a detent when the server ends."""

Job = Callable[[JobContext, Any], None]


@dataclass(frozen=True, slots=True)
class Task:
    """A command that began a job.

    Attributes:
        name: The name of the job.
        command: The command.
        job: What does it.
        dry_run: Nothing is turned in it.
        quiet: It changes what was read, and is no run of its own.
        corrects: It reads a cube of its own, and takes what changes that reading itself.
    """

    name: str
    command: Command
    job: Job
    dry_run: bool = False
    quiet: bool = False
    corrects: bool = False


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """What a worker needs to know once.

    Attributes:
        choices: Which machine.
        folders: Where its files are.
        approach: How to solve.
        pressed: What the button on the board begins.
        opening: Opens the machine.
        feeds: Shares the machine's cameras with those who look on.
        look_book: Keeps the pictures of looks.
    """

    choices: Choices
    folders: Folders
    approach: Approach
    pressed: Task | None = None
    opening: Callable[..., AbstractContextManager[Machine]] = open_machine
    feeds: Feeds = field(default_factory=NoFeeds)
    look_book: LookBook = field(default_factory=LookBook)


class MachineWorker:
    """Does jobs for whoever gives commands; all methods are for any thread.

    Args:
        setup: The machine and how to use it.
        hub: Hears what happens.

    Attributes:
        ended: Set when the thread has ended.
        failure: Why it ended, unless it was asked to: a wrong file at the start, or a bug.
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
        self._had_board = False
        self._was_ready = False
        self._run = 0
        self.ended = threading.Event()
        self.failure: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name="machine", daemon=True)

    def start(self) -> None:
        """Open the machine, in the thread."""
        self._thread.start()

    def close(self) -> bool:
        """Stop what turns, at a detent, and close the machine.

        Returns:
            Whether the thread has ended.
        """
        self._closing.set()
        self.stop()
        self._given.set()
        self._thread.join(CLOSING_S)
        return not self._thread.is_alive()

    def begin(self, task: Task) -> None:
        """Have a job done.

        Raises:
            RefusedError: Another one is under way, or the machine is not open.
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
        self._given.set()

    @property
    def corrects(self) -> bool:
        """Whether the job under way takes corrections of its own reading."""
        with self._lock:
            return self._task is not None and self._task.corrects

    def tell(self, command: Command) -> None:
        """Hand a command to the job under way.

        Raises:
            RefusedError: None is.
        """
        with self._lock:
            if self._task is None:
                raise RefusedError(
                    "usage", "there is nothing under way that this could be meant for"
                )
            self._inputs.put(command)

    def stop(self) -> None:
        """Stop whatever is under way, at the next detent; without, tell the board to stop."""
        self._stop.set()
        self._given.set()

    def _work(self) -> None:
        try:
            while not self._closing.is_set():
                try:
                    self._open()
                except ThistlebotError as error:
                    if not (self._was_ready or isinstance(error, (LinkError, CameraError))):
                        raise
                    self._hub.tell(notices.Noted(str(error)))
                    self._closing.wait(RETRY_S)
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
                stop_wanted=self._stop.is_set,
                inputs=self._next_input,
            )
            try:
                upkeep = Upkeep(context)
                upkeep.warm_up(needs_board=self._had_board)
                show_machine(context)
                self._was_ready = True
                self._ready.set()
                while not self._closing.is_set() and context.reopening is None:
                    self._wait(context, upkeep)
                self._choices = context.reopening or self._choices
            finally:
                self._ready.clear()
                self._had_board = self._had_board or machine.board is not None
                context.close()

    def _wait(self, context: JobContext, upkeep: Upkeep) -> None:
        """Wait for a task, and do it."""
        if self._task is None and self._stop.is_set():
            self._stop.clear()
            upkeep.stop_board()
        if self._task is None and upkeep.pressed(IDLE_POLL_S, self._given):
            with self._lock:
                self._task = self._task or self._setup.pressed
        self._given.clear()
        if self._task is None:
            return
        try:
            (self._do_quietly if self._task.quiet else self._do)(context, self._task)
        finally:
            with self._lock:
                self._task = None
                self._stop.clear()

    def _do_quietly(self, context: JobContext, task: Task) -> None:
        try:
            task.job(context, task.command)
        except KeyboardInterrupt:
            pass  # it moves nothing, and what it would have changed is as it was
        except ThistlebotError as error:
            self._note(str(error))

    def _do(self, context: JobContext, task: Task) -> None:
        self._run += 1
        self._hub.tell(notices.Began(task.name, self._run, time.monotonic(), task.dry_run))
        if not isinstance(task.command, GoOn):
            context.corrections = None
        error: ThistlebotError | None = None
        try:
            task.job(context, task.command)
        except KeyboardInterrupt:
            error = StoppedError("stopped")
        except ThistlebotError as caught:
            error = caught
        record = None if error is None else error_record(error)
        times = context.take_times()
        self._hub.tell(notices.Finished(task.name, self._run, time.monotonic(), record, times))
        if isinstance(error, (LinkError, CameraError)):
            raise error

    def _next_input(self, timeout_s: float) -> Command | None:
        try:
            return self._inputs.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def _note(self, text: str) -> None:
        self._hub.tell(notices.Noted(text))
