"""pyserial over a real pseudo-terminal, with the virtual board behind it in real time."""

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import serial

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.errors import (
    NoAnswerError,
    NoiseError,
    PortBusyError,
    PortMissingError,
    ProtocolVersionError,
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

SEQUENCE = MoveSequence.parse("R L' U2 D F R U R' U' F2")
StartPty = Callable[..., tuple[str, VirtualRig]]


def test_a_program_runs_over_a_pseudo_terminal(pty_rig: StartPty, rig: FaceMotors) -> None:
    path, virtual = pty_rig()
    program = rig.plan(SEQUENCE)
    with RigDriver(SerialPort(path), rig) as driver:
        board = driver.connect()
        driver.prepare()
        result = driver.run(program)
    assert board.motors == 6
    assert result.executed == len(program.steps)
    assert virtual.state == SOLVED.apply(SEQUENCE)
    assert result.elapsed_s >= program.time_s


def test_stop_from_another_thread(pty_rig: StartPty, rig: FaceMotors) -> None:
    path, virtual = pty_rig()
    program = rig.plan(MoveSequence(SEQUENCE.moves * 20))
    with RigDriver(SerialPort(path), rig) as driver:
        driver.connect()
        driver.prepare()
        begun, wanted = threading.Event(), threading.Event()
        driver.stop_wanted = wanted.is_set
        other = threading.Thread(target=lambda: begun.wait() and wanted.set())
        other.start()
        with pytest.raises(KeyboardInterrupt):
            driver.run(program, lambda _: begun.set())
        other.join()
    assert 0 < driver.executed < len(program.steps)
    assert virtual.moves[: len(program.moves_of(driver.executed))] == (
        program.moves_of(driver.executed).moves
    )
    assert virtual.board.state is State.ABORTED


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


def wait_for_step(host: "subprocess.Popen[str]", number: int) -> None:
    """Read what a host prints until it has turned so many steps."""
    assert host.stdout is not None
    assert f"{number}\n" in iter(host.stdout.readline, "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_ctrl_c_in_a_real_process_stops_the_board(pty_rig: StartPty) -> None:
    path, virtual = pty_rig()
    host = subprocess.Popen(
        [sys.executable, "-c", _HOST, path], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )
    wait_for_step(host, 4)
    host.send_signal(2)
    rest, _ = host.communicate(timeout=10)
    word, executed = rest.splitlines()[-1].split()
    assert (host.returncode, word) == (6, "interrupted")
    assert virtual.board.state is State.ABORTED
    assert virtual.board.executed == int(executed)


def test_a_killed_host_is_followed_by_one_that_starts_clean(
    pty_rig: StartPty, rig: FaceMotors
) -> None:
    path, virtual = pty_rig()
    host = subprocess.Popen(
        [sys.executable, "-c", _HOST, path], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )
    wait_for_step(host, 4)
    host.kill()
    host.communicate(timeout=10)
    with RigDriver(SerialPort(path), rig) as driver:
        driver.connect()
        driver.prepare()
        virtual.state = SOLVED
        driver.run(rig.plan(SEQUENCE))
    assert virtual.state == SOLVED.apply(SEQUENCE)


@pytest.mark.parametrize(
    ("impostor", "error"),
    [
        (Impostor.SILENT, NoAnswerError),
        (Impostor.NOISE, NoiseError),
        (Impostor.OTHER_VERSION, ProtocolVersionError),
    ],
)
def test_impostors_are_told_apart(
    pty_rig: StartPty, rig: FaceMotors, impostor: Impostor, error: type[Exception]
) -> None:
    path, _ = pty_rig(Faults(impostor=impostor))
    with RigDriver(SerialPort(path), rig) as driver, pytest.raises(error, match=path):
        driver.connect(timeout_s=0.6)


def test_a_port_is_opened_for_one_program_alone(pty_rig: StartPty) -> None:
    path, _ = pty_rig()
    first = SerialPort(path)
    with pytest.raises(PortBusyError, match=rf"{path} is in use by .+ \(process {os.getpid()}\)"):
        SerialPort(path)
    first.close()
    first.close()
    SerialPort(path).close()


def test_a_missing_port_lists_those_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PortMissingError, match=r"no serial port /dev/ttyNOWHERE; .*--port"):
        SerialPort("/dev/ttyNOWHERE")
    monkeypatch.setattr(serial_port, "port_names", lambda: ["/dev/ttyACM0", "/dev/ttyUSB1"])
    with pytest.raises(PortMissingError, match="this computer are /dev/ttyACM0, /dev/ttyUSB1"):
        SerialPort("/dev/ttyNOWHERE")


def test_what_is_no_serial_port_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a port")
    with pytest.raises(PortMissingError, match="is no serial port"):
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
    with pytest.raises(PortMissingError, match=f"{path} vanished"):
        read_until_it_fails(port)
    with pytest.raises(PortMissingError, match="vanished"):
        port.write(b"\x00")
    with pytest.raises(PortMissingError, match="no serial port"):
        port.reopen()
    with pytest.raises(PortMissingError, match="is closed"):
        port.read(0.0)


def test_reading_waits_no_longer_than_told(pty_rig: StartPty) -> None:
    path, _ = pty_rig(Faults(impostor=Impostor.SILENT))
    port = SerialPort(path)
    begun_s = time.monotonic()
    assert port.read(0.1) == b""
    assert 0.1 <= time.monotonic() - begun_s < 1.0
    port.close()


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
    with pytest.raises(PortMissingError, match="no serial port: plug the board in"):
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


def test_a_bootloader_is_given_its_two_seconds_before_a_port_is_given_up() -> None:
    assert find_port.PROBE_TIMEOUT_S > 2.0
