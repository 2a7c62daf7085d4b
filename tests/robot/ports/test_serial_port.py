"""pyserial over a real pseudo-terminal, with the virtual board behind it in real time."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import serial

from robot.errors import (
    NoAnswerError,
    NoiseError,
    PortBusyError,
    PortMissingError,
)
from robot.ports import serial_port
from robot.ports.serial_port import SerialPort
from robot.protocol.messages import State
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running import find_port
from robot.running.driver import RigDriver
from robot.running.find_port import PortInfo
from robot.virtual.faults import Faults, Impostor
from robot.virtual.virtual_rig import VirtualRig

StartPty = Callable[..., tuple[str, VirtualRig]]


_HOST = """
import sys
from cube.moves import MoveSequence
from robot.running.driver import RigDriver
from robot.rigs.catalogue import default_rig
from robot.ports.serial_port import SerialPort

rig = default_rig()
with RigDriver(SerialPort(sys.argv[1]), rig) as driver:
    driver.connect()
    driver.prepare()
    program = rig.plan(MoveSequence.parse("R L' U2 D F R U R' U' F2 " * 20))
    try:
        driver.run(program, lambda progress: print(progress.executed, flush=True))
    except KeyboardInterrupt:
        print("interrupted", driver.executed, flush=True)
        sys.exit(6)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_ctrl_c_in_a_real_process_stops_the_board(pty_rig: StartPty) -> None:
    path, virtual = pty_rig()
    command = [sys.executable, "-c", _HOST, path]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path.cwd())
    assert host.stdout is not None
    assert "4\n" in iter(host.stdout.readline, "")
    host.send_signal(2)
    rest, _ = host.communicate(timeout=60)
    word, executed = rest.splitlines()[-1].split()
    assert (host.returncode, word) == (6, "interrupted")
    assert virtual.board.state is State.ABORTED
    assert virtual.board.executed == int(executed)


def test_impostors_are_told_apart(pty_rig: StartPty, rig: FaceMotors) -> None:
    path, _ = pty_rig(Faults(impostor=Impostor.NOISE))
    with RigDriver(SerialPort(path), rig) as driver, pytest.raises(NoiseError, match=path):
        driver.connect(timeout_s=0.6)


def test_a_port_is_opened_for_one_program_alone(pty_rig: StartPty) -> None:
    path, _ = pty_rig()
    first = SerialPort(path)
    with pytest.raises(PortBusyError, match=rf"{path} .*{os.getpid()}"):
        SerialPort(path)
    first.close()
    first.close()
    SerialPort(path).close()


def test_a_missing_port_lists_those_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PortMissingError, match=r"/dev/ttyNOWHERE.*--port"):
        SerialPort("/dev/ttyNOWHERE")
    monkeypatch.setattr(serial_port, "port_names", lambda: ["/dev/ttyACM0", "/dev/ttyUSB1"])
    with pytest.raises(PortMissingError, match="/dev/ttyACM0, /dev/ttyUSB1"):
        SerialPort("/dev/ttyNOWHERE")


def test_what_is_no_serial_port_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a port")
    with pytest.raises(PortMissingError, match=r"notes\.txt"):
        SerialPort(str(file))


def test_missing_permission_names_the_group() -> None:
    error = serial_port._opening_error("/dev/ttyACM0", OSError(errno.EACCES, "denied"))
    assert isinstance(error, PortBusyError)
    assert "dialout" in str(error)


def read_until_it_fails(port: SerialPort) -> None:
    while True:
        port.read(0.2)


def test_a_port_that_vanishes_is_named(rig: FaceMotors) -> None:
    master, slave = os.openpty()
    path = os.ttyname(slave)
    port = SerialPort(path)
    os.close(slave)
    os.close(master)
    with pytest.raises(PortMissingError, match=path):
        read_until_it_fails(port)
    with pytest.raises(PortMissingError):
        port.write(b"\x00")
    with pytest.raises(PortMissingError):
        port.reopen()
    with pytest.raises(PortMissingError):
        port.read(0.0)


def test_the_port_is_found_by_asking_every_one(pty_rig: StartPty) -> None:
    silent, _ = pty_rig(Faults(impostor=Impostor.SILENT))
    right, _ = pty_rig()
    ports = (PortInfo(silent, ""), PortInfo(right, ""))
    assert find_port.find_port(ports=ports) == right
    assert find_port.probe(ports[1]).motors == 6


def test_no_port_found_says_what_each_one_did(pty_rig: StartPty) -> None:
    silent, _ = pty_rig(Faults(impostor=Impostor.SILENT))
    ports = (PortInfo(silent, ""), PortInfo("/dev/ttyNOWHERE", ""))
    with pytest.raises(NoAnswerError) as caught:
        find_port.find_port(ports=ports)
    assert silent in str(caught.value)
    assert "/dev/ttyNOWHERE" in str(caught.value)
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
