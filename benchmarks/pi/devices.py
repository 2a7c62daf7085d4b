"""I2C servos and a webcam on a real kernel: `benchmarks/pi/kernel` runs this in QEMU.

The servo driver of `four-claws-pi` is a chip of the kernel's `i2c-stub`, which stores what is
written to its registers. The webcam is the kernel's `vivid`.
"""

import math
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from smbus2 import SMBus

import thistlebot.__main__ as program
from benchmarks.report import Figure, Given, Report, Row, Rows, Tenths, parser_of, run
from cube.moves import MoveSequence
from robot.local.local_board import LocalBoard
from robot.local.pca9685 import ALL_LED_OFF_H, FULL_OFF, LED0_ON_L, MODE1, PRE_SCALE, Pca9685
from robot.rigs.actions import ServoMove
from robot.rigs.board_file import BoardFile
from robot.rigs.catalogue import named_rig, rig_text
from robot.running.driver import RigDriver
from thistlebot.exit_codes import ExitCode
from thistlebot.reading.reader import Reader, ReopeningReader
from vision.cameras.camera_kinds import list_cameras, open_camera
from vision.cameras.opencv_camera import READ_TIMEOUT_S
from vision.cameras.proven_camera import proven
from vision.errors import CameraError
from vision.frame import Frame

RIG, MOVES = "four-claws-pi", "R U F' L2 D B"
SAFE_S = 8.0
"""The servos have no pulses so soon after something was done to the program."""
COUNTS_PER_US = 25e6 / 122 * 1e-6
"""By the data sheet: an oscillator of 25 MHz, and the prescaler 121 for 50 Hz."""
_LONGEST_S = 300.0
_SAID = Path("said")
_WEBCAM, _DRIVER = "vivid.0", Path("/sys/bus/platform/drivers/vivid")
_BY_ID = Path("/dev/v4l/by-id/webcam")
_PICTURES = 30


class Registers:
    """The registers of a PCA9685, read and written beside the program that uses it.

    Args:
        board: Its bus, its address and the channels of the servos.
    """

    def __init__(self, board: BoardFile) -> None:
        self._bus = SMBus(board.bus)
        self._address = board.address
        self._channels = board.channels

    def write(self, register: int, *values: int) -> None:
        """Change registers that follow one another."""
        self._bus.write_i2c_block_data(self._address, register, values)

    def read(self, register: int) -> int:
        """Return one of them."""
        return int(self._bus.read_byte_data(self._address, register))

    def pulses(self) -> tuple[int, ...]:
        """Return the pulse of each servo in counts; 0 for none."""
        found = []
        for channel in self._channels:
            register = LED0_ON_L + 4 * channel
            low, high = self._bus.read_i2c_block_data(self._address, register, 4)[2:]
            found.append(0 if high & FULL_OFF else low | high << 8)
        return tuple(found)

    def power_up(self) -> None:
        """Make them as after power-up, by the data sheet."""
        self.write(MODE1, 0x11)
        self.write(PRE_SCALE, 30)
        for channel in self._channels:
            self.write(LED0_ON_L + 4 * channel, 0, 0, 0, FULL_OFF)
        self.write(ALL_LED_OFF_H, 0)

    @property
    def off(self) -> bool:
        """Whether all channels were switched off at once; `i2c-stub` does not forget it."""
        return bool(self.read(ALL_LED_OFF_H) & FULL_OFF)


class _ReadBack(Pca9685):
    """Reads each pulse back after it was given."""

    def __init__(self, board: BoardFile, registers: Registers) -> None:
        super().__init__(SMBus(board.bus), board)
        self.given: list[tuple[int, int, int]] = []
        self._registers = registers

    def give(self, servo: int, pulse_us: int) -> None:
        super().give(servo, pulse_us)
        self.given.append((servo, pulse_us, self._registers.pulses()[servo]))


def _goal(name: str, value: float, wanted: float) -> Figure:
    return Figure(name, value, "", f"{wanted:g}", value == wanted)


def _servos(board: BoardFile, registers: Registers) -> Rows:
    """Turn the moves over the whole link, and compare the registers with the plan."""
    rig = named_rig(RIG)
    plan = rig.plan(MoveSequence.parse(MOVES))
    registers.power_up()
    outputs = _ReadBack(board, registers)
    with RigDriver(LocalBoard(board, lambda *_, **__: outputs), rig) as driver:
        driver.connect()
        driver.prepare()
        yield _goal(
            "servos with a pulse before the first action", sum(map(bool, registers.pulses())), 8
        )
        outputs.given.clear()
        driver.run(plan)
        yield _goal("prescaler", registers.read(PRE_SCALE), 121)
        registers.write(ALL_LED_OFF_H, 0)
    told, same = iter([(servo, pulse_us) for servo, pulse_us, _ in outputs.given]), 0
    for step in plan.steps:  # whose actions begin at the same time
        moves = [move for move in step.actions if isinstance(move, ServoMove)]
        wanted = {(move.channel, move.pulse_us) for move in moves}
        same += len(wanted & set(islice(told, len(step.actions))))
    actions = sum(len(step.actions) for step in plan.steps)
    yield _goal(f"actions of {MOVES} in the registers", same, actions)
    most = max(abs(counts - pulse_us * COUNTS_PER_US) for _, pulse_us, counts in outputs.given)
    yield Figure.at_most("largest difference of a pulse from the plan", most, 1, "counts")
    yield _goal("all channels off at the end", registers.off, True)


class EndRow(Row):
    """How `thistlebot run` ended.

    Attributes:
        case: What was done to it.
        code: Its exit code; negative for a signal.
        off_s: Time until all channels were off.
        met: Whether it is the right code, and the servos were off in time.
        said: The end of its output.
    """

    case: str
    code: int
    off_s: Tenths
    met: bool
    said: str


def _started(rig: str) -> Any:
    """Start the program, forked because it would take a minute to load here."""

    def main() -> None:
        for stream in (1, 2):
            os.dup2(os.open(_SAID, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
        sys.argv = ["thistlebot", "run", MOVES, "--rig", rig, "--aligned"]
        program.main()

    process = multiprocessing.get_context("fork").Process(target=main)
    process.start()
    return process


def _ended(case: str, process: Any, code: int, off_s: float, *, safe: bool) -> EndRow:
    process.join(_LONGEST_S)
    met = safe and process.exitcode == code
    return EndRow(case, process.exitcode, off_s, met, " ".join(_SAID.read_text().split())[-240:])


def _wait(true: Callable[[], object], most_s: float = _LONGEST_S) -> float:
    """Wait until something is so, and return the seconds; infinite if it never is."""
    began_s = time.monotonic()
    while not true():
        if time.monotonic() - began_s > most_s:
            return math.inf
        time.sleep(0.01)  # another process changes the registers; nobody can tell this one
    return time.monotonic() - began_s


def _struck(case: str, registers: Registers, strike: Callable[[int], None], code: int) -> EndRow:
    """Do something to the program while it turns."""
    registers.power_up()
    process = _started(RIG)
    _wait(lambda: all(registers.pulses()) or not process.is_alive())
    start = registers.pulses()
    _wait(lambda: registers.pulses() != start or not process.is_alive())
    registers.write(ALL_LED_OFF_H, 0)
    if struck := process.is_alive():
        strike(process.pid)
    off_s = _wait(lambda: registers.off, SAFE_S)
    if process.is_alive():
        os.kill(process.pid, signal.SIGCONT)
    row = _ended(case, process, code, off_s, safe=struck and off_s <= SAFE_S)
    row.met &= registers.off
    return row


def _refused(case: str, registers: Registers, old: str, new: str) -> EndRow:
    """Start the program with another address or bus than that of the chip."""
    Path("rig.toml").write_text(rig_text(RIG).replace(old, new, 1))
    registers.power_up()
    process = _started("rig.toml")
    row = _ended(case, process, ExitCode.NO_DEVICE, 0.0, safe=True)
    row.met &= not any(registers.pulses())
    return row


def _programs(registers: Registers) -> Rows:
    """End the program in many ways."""
    yield _refused("no chip at this address", registers, "address = 0x40", "address = 0x41")
    yield _refused("no such bus", registers, "bus = 1", "bus = 9")
    signals = {
        signal.SIGTERM: ExitCode.STOPPED,
        signal.SIGKILL: -signal.SIGKILL,
        signal.SIGSTOP: ExitCode.NOT_VERIFIED,
    }
    for number, code in signals.items():

        def strike(process: int, number: signal.Signals = number) -> None:
            os.kill(process, number)

        yield _struck(number.name, registers, strike, code)
    power_up = registers.power_up
    yield _struck("the chip resets", registers, lambda _: power_up(), ExitCode.NOT_VERIFIED)


class _Looks(Reader):
    """Takes pictures with one camera, and reads nothing in them."""

    def __init__(self) -> None:
        self.camera = proven(open_camera(str(_BY_ID)), str(_BY_ID))

    def look(self) -> tuple[Frame, ...]:
        return (self.camera.read(),)

    def read(self, frames: tuple[Frame, ...]) -> NoReturn:
        raise NotImplementedError

    def again(self) -> "_Looks":
        """Open the camera again."""
        self.camera.close()
        return _Looks()


def _plug_in() -> None:
    """Plug the webcam in, and give it a name as udev does, whatever its number is."""
    (_DRIVER / "bind").write_text(_WEBCAM)
    _BY_ID.parent.mkdir(parents=True, exist_ok=True)
    _BY_ID.unlink(missing_ok=True)
    _BY_ID.symlink_to(str(list_cameras()[0].source))


def _unplug() -> None:
    (_DRIVER / "unbind").write_text(_WEBCAM)


def _webcam() -> Rows:
    """Read pictures, unplug the webcam meanwhile, and plug it in again."""
    _unplug()
    _plug_in()
    first = _Looks()
    reader = ReopeningReader(first, first.again)
    began_s = time.monotonic()
    shapes = {reader.look()[0].image.shape for _ in range(_PICTURES)}
    rate = _PICTURES / (time.monotonic() - began_s)
    yield Figure(f"pictures per second, {shapes}", rate, "/s", "≥ 2", rate >= 2.0)
    threading.Timer(1.0, _unplug).start()
    began_s = time.monotonic()
    try:
        while time.monotonic() - began_s < _LONGEST_S:
            reader.look()
    except CameraError as error:
        seconds = time.monotonic() - began_s - 1.0
        yield Figure.at_most(f"unplugged: {error}", seconds, 2 * READ_TIMEOUT_S, "s")
    yield _goal("cameras listed while it is unplugged", len(list_cameras()), 0)
    _plug_in()
    began_s = time.monotonic()
    reader.look()
    seconds = time.monotonic() - began_s
    name = _BY_ID.readlink().name
    yield Figure.at_most(f"pictures again, from {name}", seconds, READ_TIMEOUT_S, "s")
    yield _goal("cameras listed then", len(list_cameras()), 1)


def measure(_: Given, __: Report) -> Rows:
    """Measure servos, camera and the ends of the program."""
    board = named_rig(RIG).board
    assert board is not None
    registers = Registers(board)
    yield from _webcam()
    yield from _servos(board, registers)
    yield from _programs(registers)


if __name__ == "__main__":
    run(parser_of(__doc__), measure)
