"""The machine's thread on the virtual machine, in simulated time, and what a page shows of it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cube.state import CubeState
from frontends.control.attraction import Attraction
from frontends.control.commands import Command, Solve
from frontends.control.hub import Hub
from frontends.control.jobs.assistant import show_opened
from frontends.control.routing import task_of
from frontends.control.view_model.calibrate import CalibratePane
from frontends.control.view_model.notices import Noted, Told
from frontends.control.view_model.view import ViewModel
from frontends.control.worker import MachineWorker, WorkerSetup
from thistlebot.config import Folders
from thistlebot.errors import RefusedError
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import Approach, Method

PATIENCE_S = 120.0


class Workshop:
    """A worker, what is seen of it, and the machine, which is changed when it is opened."""

    def __init__(
        self, choices: Choices, change: Callable[[Machine], None], attract_min: float | None = None
    ) -> None:
        self.machine: Machine | None = None
        self.opened = 0

        @contextmanager
        def opening(*given: Any, **named: Any) -> Iterator[Machine]:
            with open_machine(*given, **named) as machine:
                machine.hurry()
                change(machine)
                self.machine = machine
                self.opened += 1
                yield machine

        self.told: list[Told] = []
        self.hub = Hub(ViewModel(server="test"), self.told.append)
        self.folders = Folders.of_platform()
        approach = Approach(method=Method.THISTLETHWAITE)  # needs no tables that take time
        pressed = task_of(Solve())
        setup = WorkerSetup(
            choices, self.folders, approach, pressed=pressed, opening=opening, opened=show_opened
        )
        if attract_min is not None:
            setup = Attraction(attract_min).added_to(setup)
        self.worker = MachineWorker(setup, self.hub)
        self.worker.start()
        self.wait(self.worker._ready.is_set)

    @property
    def view(self) -> ViewModel:
        return self.hub.view

    @property
    def pane(self) -> CalibratePane:
        return self.view.panes.calibrate or CalibratePane()

    @property
    def state(self) -> CubeState:
        return self.machine.world.rig.state

    def wait(self, true: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < deadline_s, self.view
            assert not self.worker.ended.is_set(), "the machine's thread has ended"
            time.sleep(0.002)

    def begin(self, command: Command) -> None:
        """Have a job begun, as soon as the one before is over."""
        task = task_of(command)

        def taken() -> bool:
            try:
                self.worker.begin(task)
            except RefusedError:
                return False
            return True

        self.wait(taken)

    def rest(self) -> None:
        self.wait(lambda: self.worker._task is None and self.worker._ready.is_set())

    def do(self, command: Command) -> ViewModel:
        self.begin(command)
        self.rest()
        return self.view

    def refused(self, command: Command) -> str:
        """Have a job done that is refused; return what is told of it."""
        before = len(self.told)
        view = self.do(command)
        notes = [told.text for told in self.told[before:] if isinstance(told, Noted) and told.job]
        return notes[-1] if notes else view.attention.text

    def when(self, true: Callable[[ViewModel], bool], act: Callable[[], None]) -> None:
        """Do something once, in the machine's thread, as soon as the view is so."""
        done = False

        def heard(tell: Callable[..., None]) -> Callable[..., None]:
            def told(*what: Any, **panes: Any) -> None:
                nonlocal done
                tell(*what, **panes)
                if not done and true(self.view):
                    done = True
                    act()

            return told

        self.hub.tell = heard(self.hub.tell)
        self.hub.update = heard(self.hub.update)


@pytest.fixture
def workshop() -> Iterator[Callable[..., Workshop]]:
    made: list[Workshop] = []

    def make(
        change: Callable[[Machine], None] = lambda _: None,
        attract_min: float | None = None,
        **choices: Any,
    ) -> Workshop:
        made.append(Workshop(Choices(**{"virtual": True, **choices}), change, attract_min))
        return made[-1]

    yield make
    assert all(each.worker.close() for each in made)
