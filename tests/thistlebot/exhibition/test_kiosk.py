"""The machine in use: the button on the board and the space bar, cube after cube."""

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from robot.ports.serial_port import SerialPort
from robot.rigs.catalogue import default_rig
from robot.running.driver import RigDriver
from run_thistlebot import start
from thistlebot.config import Folders
from thistlebot.exhibition.kiosk import serve_cubes
from thistlebot.exhibition.show import Show
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import QUICK
from thistlebot.terminal.screen import Screen


class OpenMachines:
    """Opens virtual machines, and keeps them within reach of the test."""

    def __init__(self) -> None:
        self.opened: list[Machine] = []

    @contextmanager
    def opening(self, choices: Choices, folders: Folders) -> Iterator[Machine]:
        with open_machine(choices, folders) as machine:
            self.opened.append(machine)
            yield machine


def test_the_button_starts_each_cube(capsys: pytest.CaptureFixture[str]) -> None:
    machines = OpenMachines()
    printed: list[str] = []

    class Counting(Screen):
        """Presses the button whenever the machine waits, and leaves after the second cube."""

        def line(self, text: str = "") -> None:
            super().line(text)
            if text.startswith("place a cube"):
                printed.append(capsys.readouterr().out)
                if "number 2" in printed[-1]:
                    raise KeyboardInterrupt
                threading.Timer(0.1, machines.opened[0].world.rig.press_button).start()

    screen = Counting()
    with pytest.raises(KeyboardInterrupt):
        serve_cubes(
            Choices(virtual=True),
            Folders.of_platform(),
            QUICK,
            screen,
            machines.opening,
            show=Show(as_json=True),
        )
    assert len(machines.opened) == 1
    lines = "".join(printed).splitlines()
    records = [json.loads(line) for line in lines if line.startswith("{")]
    assert [record["verified"] for record in records] == [True, True]
    assert records[0]["facelets"] != records[1]["facelets"]


def test_presses_while_the_machine_is_busy_are_dropped() -> None:
    """Three quick presses solve one cube: a visitor may reach in when it is done."""
    machines = OpenMachines()
    prompts: list[str] = []

    class Impatient(Screen):
        """Presses three times at the first cube, never again, and leaves soon after it."""

        def line(self, text: str = "") -> None:
            super().line(text)
            if not text.startswith("place a cube"):
                return
            prompts.append(text)
            waits = (0.1, 0.3, 0.6) if len(prompts) == 1 else ()
            for wait_s in waits:
                threading.Timer(wait_s, machines.opened[0].world.rig.press_button).start()
            if len(prompts) == 2:
                threading.Timer(1.0, signal.raise_signal, (signal.SIGINT,)).start()

    with pytest.raises(KeyboardInterrupt):
        serve_cubes(
            Choices(virtual=True), Folders.of_platform(), QUICK, Impatient(), machines.opening
        )
    assert len(prompts) == 2


def test_the_space_bar_and_q() -> None:
    pty = pytest.importorskip("pty", reason="pseudo-terminals exist on POSIX only")
    master, slave = pty.openpty()
    process = start("solve", "--wait", "--virtual", stdin=slave, stderr=subprocess.STDOUT)
    assert process.stdout is not None
    seen = []
    for line in process.stdout:
        seen.append(line)
        if line.startswith("place a cube"):
            os.write(master, b"q" if any("number 1" in old for old in seen) else b" ")
    assert process.wait(10) == 0, "".join(seen[-12:])
    assert any("verified" in line for line in seen)
    os.close(master)
    os.close(slave)


@pytest.mark.avr
def test_the_button_wired_to_the_board(simulated_board) -> None:
    with RigDriver(SerialPort(str(simulated_board.port)), default_rig()) as driver:
        driver.connect()
        assert not driver.wait_for_button(0.1)
        simulated_board.command("button press")
        assert driver.wait_for_button(2.0)
        simulated_board.command("button release")
        assert not driver.wait_for_button(0.2)
