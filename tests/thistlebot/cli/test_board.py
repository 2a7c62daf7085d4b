"""The verbs `flash`, `buzz` and `stop`."""

import json
import os
import select
import shutil
import threading
import tty
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.errors import RigError
from robot.ports.clock import SimulatedClock
from robot.ports.serial_port import SerialPort
from robot.protocol.messages import State
from robot.protocol.settings import Setting
from robot.rigs.catalogue import default_rig, default_rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import RigProgram
from robot.running.buzz import BUZZ_DEG, buzz
from robot.running.driver import RigDriver
from robot.running.journal import JournalRecord
from robot.virtual.virtual_rig import VirtualRig
from stepped_cube import SteppedCube
from thistlebot.cli.program import build
from thistlebot.errors import MissingFileError, UsageError
from thistlebot.flashing import BOARDS, plan_flashing
from thistlebot.journal.program_journal import FileJournal

FIRMWARE = Path(__file__).resolve().parents[3] / "firmware"


def thistlebot(*args: object) -> Result:
    return CliRunner().invoke(build(), [str(arg) for arg in args])


# flash


def tools(*names: str):
    """A PATH with these programs on it."""
    return lambda name: f"/bin/{name}" if name in names else None


@pytest.mark.parametrize("board", BOARDS)
def test_arduino_cli_is_taken_first(board: str) -> None:
    made = plan_flashing(board, "/dev/ttyACM0", FIRMWARE, None, tools("arduino-cli", "avrdude"))
    assert made.tool == "arduino-cli"
    (command,) = made.commands
    assert command[:4] == ("/bin/arduino-cli", "compile", "--upload", "-b")
    assert command[4].startswith("arduino:avr:")
    assert command[-3:] == ("-p", "/dev/ttyACM0", str(FIRMWARE / "thistlebot"))


def test_avrdude_loads_what_make_builds() -> None:
    made = plan_flashing("mega", "COM3", FIRMWARE, None, tools("avrdude", "make", "avr-gcc"))
    assert made.tool == "avrdude"
    assert made.commands[0] == ("/bin/make", "-C", str(FIRMWARE), "mega")
    file = FIRMWARE / "build" / "mega" / "thistlebot.hex"
    target = ("-p", "m2560", "-c", "wiring", "-P", "COM3", "-b", "115200", "-D")
    assert made.commands[1] == ("/bin/avrdude", *target, "-U", f"flash:w:{file}:i")


def test_a_given_binary_is_loaded_as_it_is(tmp_path: Path) -> None:
    made = plan_flashing("nano-old", "P", tmp_path, Path("x.hex"), tools("avrdude"))
    assert "57600" in made.commands[0]
    assert made.commands[0][-1] == "flash:w:x.hex:i"
    made = plan_flashing("uno", "P", tmp_path, Path("x.hex"), tools("arduino-cli"))
    assert made.commands[0][1] == "upload"


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="sudo apt install avrdude"):
        plan_flashing("uno", "P", FIRMWARE, None, tools())
    with pytest.raises(MissingFileError, match="no firmware sources"):
        plan_flashing("uno", "P", tmp_path, None, tools("avrdude"))
    (tmp_path / "thistlebot").mkdir()
    (tmp_path / "thistlebot" / "thistlebot.ino").touch()
    with pytest.raises(MissingFileError, match="nothing to build the firmware with"):
        plan_flashing("uno", "P", tmp_path, None, tools("avrdude"))
    with pytest.raises(UsageError, match="one of uno, nano, nano-old, mega"):
        plan_flashing("due", "P", FIRMWARE, None, tools("avrdude"))


def test_flash_runs_the_tool_and_says_when_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    tool = tmp_path / "arduino-cli"
    tool.write_text(f'#!/bin/sh\necho "$@" > {log}\ntest "$4" = arduino:avr:uno\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert thistlebot("flash", "--port", "P", "--dry-run").exit_code == 0
    assert not log.exists()
    assert thistlebot("flash", "--port", "P").exit_code == 0
    assert log.read_text().split()[:4] == ["compile", "--upload", "-b", "arduino:avr:uno"]
    failed = thistlebot("flash", "--port", "P", "--board", "nano")
    assert failed.exit_code == 5
    assert "--board nano-old" in " ".join(failed.stderr.split())


ARGUMENTS = {0x41: 1, 0x42: 20, 0x45: 5, 0x55: 2, 0x56: 4, 0x74: 3}
"""Bytes that follow a command of STK500 version 1."""


class Bootloader:
    """The Uno's bootloader behind a pseudo-terminal: STK500 version 1, as Optiboot speaks it."""

    def __init__(self) -> None:
        self.flash = bytearray(b"\xff" * 32768)
        self._address = 0
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count and not self._done.is_set():
            if select.select([self._master], [], [], 0.05)[0]:
                data += os.read(self._master, count - len(data))
        return data

    def _serve(self) -> None:
        while not self._done.is_set():
            code = self._read(1)
            if not code:
                continue
            if code[0] == 0x64:
                high, low, _ = self._read(3)
                data = self._read(high << 8 | low)
                self.flash[self._address : self._address + len(data)] = data
                answer = b""
            else:
                answer = self._answer(code[0], self._read(ARGUMENTS.get(code[0], 0)))
            assert self._read(1) in (b" ", b"")
            os.write(self._master, b"\x14" + answer + b"\x10")

    def _answer(self, code: int, data: bytes) -> bytes:
        match code:
            case 0x41:
                return {0x81: b"\x04", 0x82: b"\x04"}.get(data[0], b"\x03")
            case 0x55:
                self._address = 2 * (data[0] | data[1] << 8)
            case 0x56:
                if data[0] == 0x30:
                    return bytes([(0x1E, 0x95, 0x0F)[data[2]]])
                return b"\x00"
            case 0x74:
                size = data[0] << 8 | data[1]
                return bytes(self.flash[self._address : self._address + size])
            case 0x75:
                return b"\x1e\x95\x0f"
        return b""

    def close(self) -> None:
        self._done.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)


def hex_bytes(file: Path) -> bytes:
    """The contents of an Intel HEX file of less than 64 KB."""
    data = bytearray()
    for line in file.read_text().splitlines():
        row = bytes.fromhex(line[1:])
        if row[3] == 0:
            address = row[1] << 8 | row[2]
            data[address : address + row[0]] = row[4:-1]
    return bytes(data)


@pytest.mark.avr
@pytest.mark.skipif(shutil.which("avrdude") is None, reason="avrdude is not installed")
def test_the_real_avrdude_loads_the_firmware(firmware_build: Path) -> None:
    loader = Bootloader()
    try:
        file = firmware_build / "uno" / "thistlebot.hex"
        done = thistlebot("flash", "--port", loader.path, "--hex", file)
        assert done.exit_code == 0, done.stderr
        whole = hex_bytes(file)
        assert len(whole) > 10_000
        assert bytes(loader.flash[: len(whole)]) == whole
    finally:
        loader.close()


# buzz


def test_buzz_leaves_no_trace() -> None:
    clock = SimulatedClock()
    rig = default_rig()
    virtual = VirtualRig(rig, clock)
    driver = RigDriver(virtual, rig, clock, seed=1)
    driver.connect()
    small = rig.buzz("F", BUZZ_DEG)
    assert small.steps == 53
    buzz(driver, small)
    assert virtual.state == SOLVED
    assert driver.setting(Setting.STEPS_PER_QUARTER, 2) == 400
    assert driver.setting(Setting.RATE_STEPS_S, 2) == rig.motors["F"].rate_steps_s
    driver.run(plan_of("F", rig))
    assert len(virtual.moves) == 1
    with pytest.raises(RigError, match="not possible"):
        rig.buzz("F", 95.0)


def plan_of(moves: str, rig: FaceMotors) -> RigProgram:
    return rig.plan(MoveSequence.parse(moves))


@pytest.mark.avr
def test_buzz_on_the_real_firmware(simulated_board) -> None:
    done = thistlebot("buzz", "d", "--port", simulated_board.port, "--json")
    assert done.exit_code == 0, done.stderr
    assert done.stdout == '{"face":"D","channel":3,"steps":53}\n'
    edges = simulated_board.step_edges()
    assert {edge.channel for edge in edges} == {3}
    assert [edge.forward for edge in edges] == ([True] * 53 + [False] * 53) * 3
    cube = SteppedCube(default_rig())
    cube.follow(edges)
    assert cube.misaligned == {}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("X",), "'X' is no face of a cube"),
        (("",), "'' is no face of a cube"),
        (("UR",), "'UR' is no face of a cube"),
        *((("U", "--angle", angle), "not possible") for angle in ("0", "-5", "720", "nan", "inf")),
    ],
)
def test_what_buzz_cannot_do_is_a_usage_error(args: tuple[str, ...], said: str) -> None:
    done = thistlebot("buzz", *args, "--virtual")
    assert done.exit_code == 2
    assert said in done.stderr
    assert "rig file" not in done.stderr


def test_a_face_without_a_motor_is_a_usage_error(tmp_path: Path) -> None:
    rig = tmp_path / "rig.toml"
    whole = default_rig_text()
    begin = whole.index("[motors.U]")
    rig.write_text(whole[:begin] + whole[whole.index("[motors.", begin + 1) :])
    for args in (("buzz", "U", "--virtual"), ("run", "R U", "--dry-run")):
        done = thistlebot(*args, "--rig", rig)
        assert done.exit_code == 2
        assert "add a table [motors.U]" in done.stderr


# stop


@pytest.mark.avr
def test_stop_ends_what_a_vanished_host_began(simulated_board) -> None:
    rig = default_rig()
    driver = RigDriver(SerialPort(str(simulated_board.port)), rig)
    driver.connect()
    driver.prepare()
    program = plan_of("R U F " * 20, rig)
    for step in program.steps:
        driver._connection.link.send(step.message())
    while driver._connection.link.position.executed < 3:
        driver._connection.pump(driver._clock.now_s() + 0.05)
    driver.close()
    done = thistlebot("stop", "--release", "--port", simulated_board.port, "--json")
    assert done.exit_code == 0, done.stderr
    assert f'"state":"{State.ABORTED.name}"' in done.stdout
    cube = SteppedCube(rig)
    cube.follow(simulated_board.step_edges())
    assert cube.misaligned == {}
    assert 3 <= len(cube.moves) < 60


@pytest.mark.parametrize("options", [(), ("--json",), ("--release",)])
def test_stop_says_how_the_board_stands(options: tuple[str, ...]) -> None:
    """A board that rests has its motors off, and nothing was turned."""
    done = thistlebot("stop", "--virtual", *options)
    assert done.exit_code == 0
    if options == ("--json",):
        assert '"state":"DISABLED"' in done.stdout
    else:
        assert "nothing turns; the motors are off" in done.stdout


UNFINISHED = JournalRecord(
    steps=("R", "U2"), rig="", solves=True, boot_id=7, done=0, accepted=0, next_seq=3
)


def test_a_virtual_stop_leaves_the_record_of_a_real_board(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "state")
    journal.begin(UNFINISHED)
    assert thistlebot("stop", "--virtual").exit_code == 0
    assert journal.unfinished() == UNFINISHED


def test_a_real_stop_gives_up_what_was_unfinished(tmp_path: Path, pty_rig) -> None:
    journal = FileJournal(tmp_path / "state")
    journal.begin(UNFINISHED)
    port, _ = pty_rig()
    assert thistlebot("stop", "--port", port).exit_code == 0
    again = thistlebot("solve", "--resume", "--port", port)
    assert again.exit_code == 2
    assert "`thistlebot stop` gave up its rest: scan again" in " ".join(again.stderr.split())


# bench firmware


@pytest.mark.avr
@pytest.mark.exhaustive
@pytest.mark.timeout(900)
def test_bench_firmware_meets_every_goal(firmware_build: Path) -> None:
    done = thistlebot("bench", "firmware", "--json")
    assert done.exit_code == 0, done.stderr
    figures = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(figures) >= 25
    assert [figure["name"] for figure in figures if not figure["met"]] == []
