"""A machine's thread with a virtual machine in simulated time, and what a page shows of it."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from thistlebot.config import Folders
from thistlebot.control.commands import Command
from thistlebot.control.hub import Hub
from thistlebot.control.reception import task_of
from thistlebot.control.showing.calibrate_pane import CalibratePane, pane_of
from thistlebot.control.showing.view import View
from thistlebot.control.worker import MachineWorker, Shop
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import QUICK

PATIENCE_S = 60.0


@contextmanager
def hurried(*args, **options) -> Iterator[Machine]:
    with open_machine(*args, **options) as machine:
        machine.hurry()
        yield machine


class Workshop:
    """A worker and what is seen of it."""

    def __init__(self, choices: Choices, opening: Callable = hurried) -> None:
        self.hub = Hub(View(server="test"))
        self.folders = Folders.of_platform()
        shop = Shop(choices, self.folders, QUICK, opening=opening)
        self.worker = MachineWorker(shop, self.hub)
        self.worker.start()
        self.wait(self.worker._ready.is_set)

    @property
    def view(self) -> View:
        return self.hub.view

    @property
    def pane(self) -> CalibratePane:
        return pane_of(self.view.panes)

    def wait(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < end, self.pane
            time.sleep(0.005)

    def begin(self, command: Command) -> None:
        task = task_of(command)
        assert task is not None
        self.worker.begin(task)

    def do(self, command: Command) -> CalibratePane:
        self.begin(command)
        self.wait(lambda: self.worker._task is None and self.worker._ready.is_set())
        return self.pane


@pytest.fixture
def workshop() -> Iterator[Callable[..., Workshop]]:
    made: list[Workshop] = []

    def make(*, opening: Callable = hurried, **choices) -> Workshop:
        made.append(Workshop(Choices(**{"virtual": True, **choices}), opening))
        return made[-1]

    yield make
    for each in made:
        assert each.worker.close()
