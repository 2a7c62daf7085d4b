"""The machine's thread, on the virtual machine: real cameras' code, real protocol, real solver."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.ports.clock import FastClock
from robot.virtual.faults import Faults
from thistlebot.config import Folders
from thistlebot.control import commands
from thistlebot.control.desk import RefusedError
from thistlebot.control.hub import Hub
from thistlebot.control.reception import task_of
from thistlebot.control.showing.view import View
from thistlebot.control.worker import MachineWorker, Shop
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.virtual_world import VirtualWorld
from thistlebot.solving.approach import Approach, Method


class Desk:
    """A worker, and what a person at a page could see."""

    def __init__(self, choices: Choices, change: Callable[[Machine], None]) -> None:
        self.machine: Machine | None = None

        @contextmanager
        def opening(*given: object, **named: object) -> Iterator[Machine]:
            with open_machine(*given, **named) as machine:  # type: ignore[arg-type]
                self.machine = machine
                change(machine)
                yield machine

        self.hub = Hub(View("test"))
        shop = Shop(
            choices,
            Folders.of_platform(),
            Approach(method=Method.THISTLETHWAITE),  # needs no tables that take time to build
            pressed=task_of(commands.Solve()),
            opening=opening,
        )
        self.worker = MachineWorker(shop, self.hub)
        self.worker.start()

    @property
    def view(self) -> View:
        return self.hub.view

    def until(self, true: Callable[[View], bool], timeout_s: float = 60.0) -> View:
        deadline_s = time.monotonic() + timeout_s
        while not true(self.view):
            assert time.monotonic() < deadline_s, self.view
            assert not self.worker.ended.is_set(), "the machine's thread died"
            time.sleep(0.002)
        return self.view

    def do(self, command: commands.Command) -> View:
        """Have a job done, to its end."""
        self.begin(command)
        return self.until(lambda view: not view.job)

    def begin(self, command: commands.Command) -> None:
        run = self.view.run
        task = task_of(command)
        assert task is not None
        deadline_s = time.monotonic() + 60.0
        while True:
            try:
                self.worker.begin(task)
                break
            except RefusedError:
                assert time.monotonic() < deadline_s, self.view
                time.sleep(0.005)
        if not task.quiet:
            self.until(lambda view: view.run > run)

    @property
    def state(self) -> CubeState:
        assert self.machine is not None
        return self.machine.world.rig.state


def hurry(machine: Machine) -> None:
    machine._clock = FastClock(6)


@pytest.fixture
def desks() -> Iterator[Callable[..., Desk]]:
    opened: list[Desk] = []

    def open_desk(
        choices: Choices | None = None,
        change: Callable[[Machine], None] = hurry,
    ) -> Desk:
        opened.append(Desk(choices or Choices(virtual=True), change))
        return opened[-1]

    yield open_desk
    assert all(desk.worker.close() for desk in opened)


def test_solve_ends_verified_and_the_cube_is_shown_as_it_is(desks: Callable[..., Desk]) -> None:
    desk = desks()
    view = desk.do(commands.Solve())
    assert view.verified
    assert desk.state == SOLVED
    assert view.cube.facelets == SOLVED_FACELETS.text
    assert view.attention is None
    assert view.solved == 1
    assert set(view.times) >= {"total_s", "turn_s", "look_s"}


def test_scramble_copy_and_pattern(desks: Callable[..., Desk]) -> None:
    desk = desks()
    view = desk.do(commands.Remember())
    remembered = desk.state
    assert view.remembered == remembered.to_facelets().text
    view = desk.do(commands.Scramble())
    assert view.attention is None
    assert view.cube.facelets == desk.state.to_facelets().text
    assert desk.state != remembered
    view = desk.do(commands.Copy())
    assert view.verified
    assert desk.state == remembered
    view = desk.do(commands.Solve(target="superflip"))
    assert view.verified
    assert str(view.cube.facelets) == desk.state.to_facelets().text


def test_dry_run_turns_nothing(desks: Callable[..., Desk]) -> None:
    desk = desks()
    desk.until(lambda view: view.cube.facelets is not None)
    before = desk.state
    view = desk.do(commands.Solve(dry_run=True))
    assert view.plan.moves
    assert view.dry_run
    assert desk.state == before
    moves = MoveSequence.parse(" ".join(view.plan.moves))
    assert before.apply(moves) == SOLVED


def test_stop_in_the_middle_stops_at_a_detent_and_the_next_solve_works(
    desks: Callable[..., Desk],
) -> None:
    desk = desks(change=lambda _machine: None)  # in real time: somebody presses
    desk.begin(commands.Solve())
    desk.until(lambda view: view.executed >= 3)
    desk.worker.stop()
    view = desk.until(lambda view: not view.job)
    assert view.attention is not None
    assert view.attention.kind == "stopped"
    assert 3 <= view.executed < len(view.plan.steps)
    assert desk.state != SOLVED
    assert desk.do(commands.Solve()).verified
    assert desk.state == SOLVED


def test_stop_while_nothing_is_under_way_stops_nothing_later(desks: Callable[..., Desk]) -> None:
    desk = desks()
    desk.until(lambda view: view.cube.facelets is not None)
    desk.worker.stop()
    time.sleep(0.3)
    assert desk.do(commands.Solve()).verified


@pytest.mark.parametrize("after_s", [0.0, 0.05, 0.2, 0.5])
def test_stop_at_any_moment_ends_the_job(desks: Callable[..., Desk], after_s: float) -> None:
    desk = desks(change=lambda _machine: None)
    desk.begin(commands.Scramble())
    time.sleep(after_s)
    desk.worker.stop()
    view = desk.until(lambda view: not view.job, 10.0)
    assert view.attention is None or view.attention.kind == "stopped"
    time.sleep(0.1)
    before = desk.state
    time.sleep(0.5)
    assert desk.state == before


def test_one_job_at_a_time(desks: Callable[..., Desk]) -> None:
    desk = desks(change=lambda _machine: None)
    desk.begin(commands.Solve())
    task = task_of(commands.Scramble())
    assert task is not None
    with pytest.raises(RefusedError, match="busy"):
        desk.worker.begin(task)
    desk.worker.stop()


def test_the_button_on_the_board_solves(desks: Callable[..., Desk]) -> None:
    desk = desks()
    desk.until(lambda view: view.cube.facelets is not None)
    assert desk.machine is not None
    desk.machine.world.rig.press_button()
    view = desk.until(lambda view: view.run == 1 and not view.job)
    assert view.verified
    assert view.last_job == "solve"


def test_a_board_that_is_lost_is_found_again(desks: Callable[..., Desk]) -> None:
    desk = desks(change=lambda _machine: None)
    desk.until(lambda view: bool(view.machine.board))
    first = desk.machine
    assert first is not None
    first.world.rig.unplug(60.0)
    desk.until(lambda view: bool(view.notes), 60.0)
    desk.until(lambda _: desk.machine is not first)
    assert desk.do(commands.Solve()).verified


def test_moves_that_are_none_are_said(desks: Callable[..., Desk]) -> None:
    desk = desks()
    view = desk.do(commands.Turn("R Q"))
    assert view.attention is not None
    assert "Q" in view.attention.text


def test_a_turn_that_slips_is_diagnosed_and_solved_all_the_same(
    desks: Callable[..., Desk],
) -> None:
    def slip(machine: Machine) -> None:
        hurry(machine)
        machine._world = VirtualWorld(
            machine.rig, clock=machine._clock, faults=Faults(loose_at_move=5)
        )

    desk = desks(change=slip)
    view = desk.do(commands.Solve())
    assert view.verified
    assert view.attention is None
    assert desk.state == SOLVED


def test_a_machine_that_is_closed_in_mid_turn_stops_at_a_detent() -> None:
    desk = Desk(Choices(virtual=True), lambda _machine: None)
    desk.begin(commands.Solve())
    desk.until(lambda view: view.executed >= 2)
    closing = threading.Thread(target=desk.worker.close)
    closing.start()
    closing.join(10.0)
    assert not closing.is_alive()
    assert desk.worker.ended.is_set()
