"""A person solves by hand: the job that guides and corrects, with a rendered webcam.

How the job borrows a camera is told by the page's test, and by tests/thistlebot/session.
"""

import queue
from collections.abc import Callable, Iterator

import pytest
from cubes import cube, cube_after
from hand_person import Person

from cube.facelets import SOLVED_FACELETS, facelet_name
from frontends.control import commands
from frontends.control.commands import Command
from frontends.control.hub import Hub
from frontends.control.job_context import JobContext
from frontends.control.jobs.by_hand import ByHand, by_hand
from frontends.control.shared_pictures import Feeds, LookBook
from frontends.control.view_model.by_hand import HandPhase, HandView
from frontends.control.view_model.view import ViewModel
from thistlebot.config import Folders
from thistlebot.errors import MisreadError, UsageError
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import QUICK

SHORT = cube_after("R U2")


class HandDesk:
    """A bench, and what a person at it says and sees."""

    def __init__(self, machine: Machine) -> None:
        self.hub = Hub(ViewModel("test"))
        self.given: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self.pages: list[HandView] = []
        self.react: Callable[[HandView], Command | None] = lambda _page: None
        self.stopped = False
        self.machine = machine
        self.context = JobContext(
            machine,
            self.hub,
            QUICK,
            feeds=Feeds(),
            look_book=LookBook(),
            stop_wanted=lambda: self.stopped,
            inputs=self.next,
        )

    def next(self, _timeout_s: float) -> Command | None:
        """Return what a person says to the page as it is now."""
        page = self.hub.view.panes.hand
        if not self.pages or page != self.pages[-1]:
            self.pages.append(page)
        if not self.given.empty():
            return self.given.get()
        if page.phase is HandPhase.DONE:
            return commands.HandEnd()
        return self.react(page)

    @property
    def phases(self) -> list[HandPhase]:
        found = [page.phase for page in self.pages]
        return [each for i, each in enumerate(found) if i == 0 or found[i - 1] is not each]


@pytest.fixture
def gate() -> Iterator[HandDesk]:
    with open_machine(Choices(virtual=True), Folders.of_platform()) as machine:
        yield HandDesk(machine)


def tap(page: HandView) -> Command | None:
    return commands.HandNext() if page.phase is HandPhase.TURN else None


def test_six_faces_a_correction_and_then_a_tap_for_every_turn(gate: HandDesk) -> None:
    """A sure reading, which a person says to be wrong, is no cube; taken back, it is one."""
    state = cube(3)
    said: list[Command] = []

    def react(page: HandView) -> Command | None:
        if page.phase is HandPhase.TURN and not said:
            other = next(i for i in range(9) if i != 4 and page.net.facelets[i] != "U")
            said.append(commands.TellSticker(facelet_name(other), "U"))
            return said[-1]
        if said and not page.net.accepted and len(said) == 1:
            said.append(commands.UndoCorrection())
            return said[-1]
        return tap(page) if len(said) == 2 else None

    gate.react = react
    ByHand(gate.context, Person(state, lambda: gate.hub.view)).run()
    scan, turn = HandPhase.SCAN, HandPhase.TURN
    assert gate.phases == [scan, turn, scan, turn, HandPhase.DONE]
    assert {len(page.captured) for page in gate.pages} >= {0, 1, 2, 3, 4, 5}
    told = next(page for page in gate.pages if page.corrected.count == 1)
    assert told.attention is not None
    assert (told.phase, told.way) == (scan, None)
    turning = [page for page in gate.pages if page.phase is turn]
    first, last = turning[0], gate.pages[-1]
    assert first.net.accepted
    assert first.net.facelets == first.way.facelets == state.to_facelets().text
    assert (first.way.up, first.way.front, first.way.known) == ("white", "green", True)
    assert last.way.facelets == SOLVED_FACELETS.text
    assert last.way.done == len(last.way.moves)
    assert [page.way.done for page in turning] == sorted(page.way.done for page in turning)


def test_back_and_begin_again(gate: HandDesk) -> None:
    steps = iter(
        [
            commands.HandNext(),
            commands.HandBack(),
            commands.HandBack(),
            commands.TellSticker("U1", "X"),
            commands.HandRedo(),
        ]
    )

    def react(page: HandView) -> Command | None:
        again = gate.phases[-2:] == [HandPhase.TURN, HandPhase.SCAN]
        return next(steps, commands.HandEnd()) if page.phase is HandPhase.TURN or again else None

    gate.react = react
    ByHand(gate.context, Person(SHORT, lambda: gate.hub.view)).run()
    turning = [page for page in gate.pages if page.way is not None]
    assert {page.way.done for page in turning} == {0, 1}
    assert any("URFDLB" in page.corrected.refused.replace(" ", "") for page in turning)
    assert gate.phases == [HandPhase.SCAN, HandPhase.TURN, HandPhase.SCAN]
    assert gate.pages[-1].captured == ()


def test_a_camera_that_is_gone_before_the_cube_is_read_ends_the_job(gate: HandDesk) -> None:
    with pytest.raises(MisreadError):
        ByHand(gate.context, Person(SHORT, lambda: gate.hub.view, most=20)).run()
    for strange in ("nowhere.avi", "http://169.254.169.254/latest", "/etc/passwd"):
        with pytest.raises(UsageError, match=strange.removesuffix("/latest")):
            by_hand(gate.context, commands.HandBegin(strange))


def test_stop_ends_it(gate: HandDesk) -> None:
    def react(page: HandView) -> Command | None:
        gate.stopped = bool(page.captured)
        return None

    gate.react = react
    with pytest.raises(KeyboardInterrupt):
        ByHand(gate.context, Person(SHORT, lambda: gate.hub.view)).run()
