"""The machine among visitors who press too often, and when nobody presses."""

import os
import queue
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cube.random_states import random_state
from cube.state import SOLVED
from robot.ports.clock import SimulatedClock
from robot.ports.serial_port import SerialPort
from robot.rigs.catalogue import default_rig, default_rig_text
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig
from run_thistlebot import finished, start
from stepped_cube import SteppedCube
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.exhibition.kiosk import SOLVED_ALREADY, serve_cubes
from thistlebot.exhibition.show import PLAIN, Show, Sound
from thistlebot.looking.rig_reader import RigReader
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import QUICK
from thistlebot.terminal.screen import Screen
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

PRESSES = 20
APART_S = 0.1
LONGEST_S = 60.0


class Visitors(Screen):
    """Reads what the machine says, and does something when it says so.

    Args:
        reactions: What to do at the first line that begins so, in their order.
    """

    def __init__(self, *reactions: tuple[str, Callable[[], object]]) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._reactions = list(reactions)

    def line(self, text: str = "") -> None:
        super().line(text)
        self.lines.append(text)
        if self._reactions and text.startswith(self._reactions[0][0]):
            self._reactions.pop(0)[1]()

    def said(self, text: str) -> int:
        return sum(line.startswith(text) for line in self.lines)


def leave() -> None:
    signal.raise_signal(signal.SIGINT)


def later(time_s: float, action: Callable[[], object]) -> None:
    threading.Timer(time_s, action).start()


def keep_pressing(press: Callable[[], object]) -> None:
    """Press twenty times in two seconds, beside the machine."""

    def presses() -> None:
        begun_s = time.monotonic()
        for number in range(PRESSES):
            time.sleep(max(0.0, begun_s + number * APART_S - time.monotonic()))
            press()

    threading.Thread(target=presses, daemon=True).start()


class Booth:
    """A virtual machine, and the button on its board.

    Attributes:
        opened: The machine, once it serves.
    """

    opened: Machine

    def __init__(self) -> None:
        self._presses: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._touch_after: int | None = None
        self._executed = 0

    def press(self) -> None:
        """Press the button; from any thread."""
        self._presses.put(None)

    def touch(self) -> None:
        """Press the button again and again once two more steps are turned."""
        self._touch_after = self._executed + 2

    def serve(self, screen: Screen, show: Show = PLAIN, rig: str | None = None) -> None:
        """Serve cubes until somebody leaves; nobody stays for ever."""
        choices = Choices(rig and Path(rig), virtual=True)
        tired = threading.Timer(LONGEST_S, leave)
        tired.start()
        try:
            with pytest.raises(KeyboardInterrupt):
                serve_cubes(choices, Folders.of_platform(), QUICK, screen, self._opening, show=show)
        finally:
            tired.cancel()

    @contextmanager
    def _opening(self, choices: Choices, folders: Folders) -> Iterator[Machine]:
        with (
            open_machine(choices, folders, self._hear) as self.opened,
            pytest.MonkeyPatch.context() as patch,
        ):
            rig = self.opened.world.rig
            read = rig.read

            def read_after_presses(timeout_s: float) -> bytes:
                """Let what other threads press reach the board in the thread that reads it."""
                while not self._presses.empty():
                    self._presses.get()
                    rig.press_button()
                return read(timeout_s)

            patch.setattr(rig, "read", read_after_presses)
            yield self.opened

    def _hear(self, packet: str) -> None:
        if told := re.search(r"executed=(\d+)", packet):
            self._executed = int(told[1])
        if self._touch_after is not None and self._executed >= self._touch_after:
            self._touch_after = None
            for _ in range(4):
                self.press()


def test_twenty_presses_of_the_button_in_two_seconds_solve_one_cube() -> None:
    booth = Booth()
    screen = Visitors(
        ("place a cube", lambda: keep_pressing(booth.press)),
        ("place a cube", lambda: later(1.0, leave)),
    )
    booth.serve(screen)
    assert screen.said("solved    cube number") == 1


@pytest.mark.parametrize("rig", ["six", "three"])
def test_a_press_on_the_cube_that_was_solved_is_answered_with_a_word(rig: str) -> None:
    """Three motors move the cube to see it: there the press looks, and turns to solve nothing."""
    booth = Booth()
    screen = Visitors(
        ("place a cube", booth.press),
        ("solved    cube number", lambda: later(0.5, booth.press)),
        (SOLVED_ALREADY, leave),
    )
    booth.serve(screen, rig=rig)
    assert screen.said("solved    cube number") == 1
    assert screen.said(SOLVED_ALREADY) == 1


def test_twenty_presses_of_the_space_bar_in_two_seconds_solve_one_cube() -> None:
    pty = pytest.importorskip("pty", reason="pseudo-terminals exist on POSIX only")
    master, slave = pty.openpty()
    process = start("solve", "--wait", "--virtual", stdin=slave)
    assert process.stdout is not None
    seen: list[str] = []
    for line in process.stdout:
        seen.append(line)
        if line.startswith("place a cube"):
            if sum(old.startswith("place a cube") for old in seen) == 1:
                keep_pressing(lambda: os.write(master, b" "))
            else:
                later(1.0, lambda: os.write(master, b"q"))
    assert process.wait(10) == 0, seen
    assert sum(line.startswith("solved    cube number") for line in seen) == 1, seen
    os.close(master)
    os.close(slave)


def test_presses_that_are_still_on_their_way_are_forgotten() -> None:
    """Three wait in the port, and one is heard only after the board has answered."""
    clock, late = SimulatedClock(), []
    virtual = VirtualRig(default_rig(), clock)

    def hear(packet: str) -> None:
        if "STATUS state" in packet and late:
            late.pop()()

    driver = RigDriver(virtual, default_rig(), clock, on_packet=hear)
    driver.connect()
    for _ in range(3):
        virtual.press_button()
    late.append(virtual.press_button)
    driver.forget_presses()
    assert not late
    assert not driver.wait_for_button(1.0)
    virtual.press_button()
    assert driver.wait_for_button(1.0)


@pytest.mark.avr
def test_late_presses_of_the_real_button_are_forgotten(simulated_board: Any) -> None:
    with RigDriver(SerialPort(str(simulated_board.port)), default_rig()) as driver:
        driver.connect()
        for _ in range(3):
            simulated_board.command("button press")
            time.sleep(0.05)
            simulated_board.command("button release")
            time.sleep(0.05)
        time.sleep(0.5)  # all of them wait in the port, however slowly the simulator runs
        driver.forget_presses()
        assert not driver.wait_for_button(0.3)
        simulated_board.command("button press")
        assert driver.wait_for_button(2.0)


class FirmwareMachine(Machine):
    """A machine whose board is the real firmware, before cameras that see what its pulses turned.

    Attributes:
        simulated: The board.
        cube: What its motors turn.
    """

    simulated: Any
    cube: SteppedCube

    def _opened_reader(self, *, moving: bool) -> RigReader:
        cameras = [
            VirtualCamera(
                lambda: self.cube.follow(self.simulated.step_edges()),
                corner_viewpoint(camera),
                seed=number,
            )
            for number, camera in enumerate(CORNER_CAMERAS)
        ]
        return RigReader(self.scan, cameras, self.driver if moving else lambda: None)


@pytest.mark.avr
@pytest.mark.parametrize("simulated_board", [1.0], indirect=True)
def test_twenty_presses_of_the_real_button_solve_one_cube(simulated_board: Any) -> None:
    machines: list[FirmwareMachine] = []

    @contextmanager
    def opening(choices: Choices, folders: Folders) -> Iterator[Machine]:
        with ExitStack() as stack:
            machine = FirmwareMachine(choices, folders, stack)
            machine.simulated = simulated_board
            machine.cube = SteppedCube(default_rig(), random_state(np.random.default_rng(4)))
            machines.append(machine)
            yield machine

    def press() -> None:
        simulated_board.command("button press")
        time.sleep(0.04)
        simulated_board.command("button release")

    screen = Visitors(
        ("place a cube", lambda: keep_pressing(press)),
        ("scramble the cube", lambda: later(2 * PRESSES * APART_S, leave)),
    )
    choices = Choices(port=str(simulated_board.port))
    with pytest.raises(KeyboardInterrupt):
        serve_cubes(choices, Folders.of_platform(), QUICK, screen, opening)
    assert screen.said("solved    cube number") == 1
    assert machines[0].cube.state == SOLVED


def test_when_nobody_presses_the_machine_shows_itself() -> None:
    booth = Booth()
    screen = Visitors(("solved    cube number", lambda: later(0.1, leave)))
    booth.serve(screen, Show(attract_s=0.5))
    assert screen.said("nobody presses") == 1
    assert screen.said("scramble  ") == 1
    assert booth.opened.world.rig.state == SOLVED


@pytest.mark.parametrize("told", ["scramble  ", "moves  "])
def test_a_touch_stops_the_machine_that_shows_itself(told: str) -> None:
    """It stops at a detent, and waits: the touch was no press, however often it came."""
    booth = Booth()
    screen = Visitors(
        (told, booth.touch),
        ("stopped", lambda: None),
        ("place a cube", lambda: later(1.5, leave)),
    )
    booth.serve(screen, Show(attract_s=0.5))
    assert screen.said("solved    cube number") == 0
    rig = booth.opened.world.rig
    assert rig.state != SOLVED
    assert (rig.slips, rig.jams) == (0, 0)
    (stopped,) = [line for line in screen.lines if line.startswith("stopped")]
    assert "every face stands at a detent" in stopped


def test_a_cube_that_is_not_seen_solved_is_left_alone() -> None:
    booth = Booth()
    state = random_state(np.random.default_rng(1))

    def put_in() -> None:
        booth.opened.world.rig.state = state
        later(2.0, leave)

    screen = Visitors(("scramble the cube", put_in))
    booth.serve(screen, Show(attract_s=0.5))
    assert screen.said("nobody presses") == 0
    assert booth.opened.world.rig.state == state


def test_a_rig_that_moves_the_cube_to_see_it_does_not_show_itself() -> None:
    with pytest.raises(UsageError, match="nobody has read"):
        serve_cubes(
            Choices(rig="cubotino", virtual=True),
            Folders.of_platform(),
            QUICK,
            Screen(),
            show=Show(attract_s=60.0),
        )


@pytest.mark.parametrize("option", [("--sound", "bell"), ("--attract", "3")])
def test_what_goes_with_waiting_only_is_refused_without(option: tuple[str, str]) -> None:
    done = finished("solve", "--virtual", *option)
    assert done.returncode == 2
    assert f"{option[0]} goes with --wait" in done.stderr


def test_a_buzzer_that_the_rig_does_not_name_is_asked_for() -> None:
    with pytest.raises(UsageError, match="buzzer = N"):
        serve_cubes(
            Choices(virtual=True),
            Folders.of_platform(),
            QUICK,
            Screen(),
            show=Show(sound=Sound.BUZZER),
        )


def test_the_buzzer_sounds_when_the_cube_is_solved(tmp_path: Path) -> None:
    """The board switches it on, and off again before the next press."""
    rig = tmp_path / "rig.toml"
    rig.write_text("buzzer = 2\n" + default_rig_text(), encoding="utf-8")
    packets: list[str] = []

    @contextmanager
    def opening(choices: Choices, folders: Folders) -> Iterator[Machine]:
        with open_machine(choices, folders, packets.append) as machine:
            yield machine

    screen = Visitors(
        ("solved    cube number", lambda: later(0.1, leave)),
    )
    with pytest.raises(KeyboardInterrupt):
        serve_cubes(
            Choices(rig=rig, virtual=True),
            Folders.of_platform(),
            QUICK,
            screen,
            opening,
            show=Show(sound=Sound.BUZZER, attract_s=0.2),
        )
    switched = [packet for packet in packets if "→" in packet and "OUTPUT" in packet]
    assert len(switched) == 2, packets[-9:]
