"""pyserial over a real pseudo-terminal, with the virtual board behind it in real time."""

import errno
import itertools
import os
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import serial
from faulty_rig import Faults, Impostor

from robot.errors import NoAnswerError, PortBusyError, PortMissingError
from robot.ports import serial_port
from robot.ports.serial_port import SerialPort
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running import find_port
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig

NOWHERE = "/dev/ttyNOWHERE"
StartPty = Callable[..., tuple[str, VirtualRig]]


def test_a_silent_port_is_named_and_reading_ends_after_a_while(
    pty_rig: StartPty, rig: FaceMotors
) -> None:
    path, _ = pty_rig(Faults(impostor=Impostor.SILENT))
    with RigDriver(SerialPort(path), rig) as driver, pytest.raises(NoAnswerError, match=path):
        driver.connect(timeout_s=0.2)
    port = SerialPort(path)
    begun_s = time.monotonic()
    assert port.read(0.1) == b""
    assert time.monotonic() - begun_s >= 0.1
    port.close()


def test_a_port_is_opened_for_one_program_alone(pty_rig: StartPty) -> None:
    path, _ = pty_rig()
    first = SerialPort(path)
    with pytest.raises(PortBusyError, match=rf"{path}.*\b{os.getpid()}\b"):
        SerialPort(path)
    first.close()
    first.close()
    SerialPort(path).close()


def test_missing_ports_and_permissions_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(PortMissingError, match=rf"{NOWHERE}.*--port"):
        SerialPort(NOWHERE)
    monkeypatch.setattr(serial_port, "port_names", lambda: ["/dev/ttyACM0", "/dev/ttyUSB1"])
    with pytest.raises(PortMissingError, match="/dev/ttyACM0, /dev/ttyUSB1"):
        SerialPort(NOWHERE)
    file = tmp_path / "notes.txt"
    file.write_text("not a port")
    with pytest.raises(PortMissingError, match=r"notes\.txt"):
        SerialPort(str(file))
    error = serial_port._opening_error("/dev/ttyACM0", OSError(errno.EACCES, "denied"))
    assert isinstance(error, PortBusyError)
    assert "dialout" in str(error)


def test_a_port_in_use_on_windows_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pyserial puts the error of Windows into a text."""
    monkeypatch.setattr(serial_port, "port_names", lambda: ["COM3"])
    for kind, text in (
        (PortBusyError, "PermissionError(13, 'Access is denied.', None, 5)"),
        (PortMissingError, "OSError(22, 'A device attached is not functioning.', None, 31)"),
    ):
        failure = serial.SerialException(f"could not open port 'COM3': {text}")
        error = serial_port._opening_error("COM3", failure)
        assert isinstance(error, kind)
        assert "there is no serial port" not in str(error)


def test_a_port_that_vanishes_is_named() -> None:
    master, slave = os.openpty()
    path = os.ttyname(slave)
    port = SerialPort(path)
    os.close(slave)
    os.close(master)
    for use in (lambda: [port.read(0.2) for _ in range(100)], lambda: port.write(b"\x00")):
        with pytest.raises(PortMissingError, match=path):
            use()
    for use in (port.reopen, lambda: port.read(0.0)):
        with pytest.raises(PortMissingError, match=path):
            use()


@pytest.mark.parametrize("last", [1, 2])
def test_a_port_that_vanishes_while_it_is_opened_is_named(
    monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    master, slave = os.openpty()
    path, calls, real = os.ttyname(slave), itertools.count(1), termios.tcsetattr

    def unplug(*arguments: Any) -> None:
        if next(calls) == last:
            os.close(master)
        real(*arguments)

    monkeypatch.setattr(termios, "tcsetattr", unplug)
    with pytest.raises(PortMissingError, match=path):
        SerialPort(path)
    os.close(slave)


def test_the_port_is_found_by_asking_every_one(pty_rig: StartPty) -> None:
    silent, _ = pty_rig(Faults(impostor=Impostor.SILENT))
    right, _ = pty_rig()
    assert find_port.find_port(ports=(silent, right)) == right
    assert find_port.probe(right).motors == 6
    with pytest.raises(NoAnswerError, match=rf"(?s){NOWHERE}1.*{NOWHERE}2"):
        find_port.find_port(ports=(NOWHERE + "1", NOWHERE + "2"))
    with pytest.raises(PortMissingError):
        find_port.find_port(ports=())


def test_windows_never_makes_dtr_active(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would drop DTR at the close, and reset the board at the next open."""
    opened: list[bool] = []

    class WindowsSerial(serial.SerialBase):  # type: ignore[misc]
        """What pyserial shares between systems, without a system."""

        def _reconfigure_port(self) -> None:
            pass

        def open(self) -> None:
            opened.append(self.dtr)
            self.is_open = True

        def close(self) -> None:
            self.is_open = False

        def _update_dtr_state(self) -> None:
            opened.append(self.dtr)

    monkeypatch.setattr(serial_port.serial, "Serial", WindowsSerial)
    monkeypatch.setattr(serial_port.sys, "platform", "win32")
    port = SerialPort("COM3")
    port.reopen()
    port.close()
    assert opened == [False, False]
