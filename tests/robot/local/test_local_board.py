"""Servos on the computer's own outputs: the whole link drives them, and they end safely."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from cube.moves import MoveSequence
from prepared import ROOT
from robot.errors import LinkError, PortMissingError, RigError
from robot.link import connection
from robot.local import local_board
from robot.local.hardware_pwm import PERIOD_NS, SYSFS, HardwarePwm
from robot.local.local_board import LocalBoard
from robot.local.pca9685 import ALL_LED_OFF_H, FULL_OFF, LED0_ON_L, MODE1, PRE_SCALE, SLEEP, Pca9685
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.board_file import BoardFile, PwmFile
from robot.rigs.catalogue import named_rig
from robot.running.driver import RigDriver

BOARD = BoardFile(channels=(3, 8), pulse_us=(600, 2400))
GUARD = """
import sys
from functools import partialmethod
from pathlib import Path
from robot.local import guard
class Pulses:
    def off(self):
        Path(sys.argv[1]).write_text("off")
print("ready", flush=True)
sys.exit(guard.watch(Pulses(), 1.0))
"""


class Chip:
    """A PCA9685 by its data sheet: asleep after a reset, and its frequency is set asleep only."""

    def __init__(self) -> None:
        self.broken = False
        self.given: list[tuple[int, int]] = []
        self.reset()

    def reset(self) -> None:
        self.registers = {MODE1: 0x11, PRE_SCALE: 30} | {LED0_ON_L + n: 0 for n in range(64)}

    def read_byte_data(self, i2c_addr: int, register: int) -> int:
        self._answer(i2c_addr)
        return self.registers[register]

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        self._answer(i2c_addr)
        if register == PRE_SCALE and not self.registers[MODE1] & SLEEP:
            return
        self.registers[register] = value
        if register == ALL_LED_OFF_H:
            self.registers |= {LED0_ON_L + 4 * n + 3: value for n in range(16)}

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int]) -> None:
        for number, value in enumerate(data):
            self.write_byte_data(i2c_addr, register + number, value)
        channel, _ = divmod(register - LED0_ON_L, 4)
        self.given.append((channel, self.pulse(channel)))

    def pulse(self, channel: int) -> int:
        """The counts of a pulse; 0 for none."""
        _, _, low, high = (self.registers[LED0_ON_L + 4 * channel + n] for n in range(4))
        return 0 if high & FULL_OFF or self.registers[MODE1] & SLEEP else low | high << 8

    def _answer(self, address: int) -> None:
        if self.broken or address != BOARD.address:
            raise OSError(121, "Remote I/O error")

    def close(self) -> None:
        """A bus is closed; the chip stays."""


@pytest.fixture
def chip() -> Chip:
    return Chip()


CUBOTINO = msgspec.to_builtins(named_rig("cubotino"))
for rule in CUBOTINO["actions"]:
    rule["time_ms"] = [100, 200][: len(rule["time_ms"])]
RIG = msgspec.convert(CUBOTINO | {"board": msgspec.to_builtins(BOARD)}, ActionMachine)


def on(chip: Chip) -> Callable[..., Pca9685]:
    """Return what opens the outputs of a board on a chip."""
    return lambda board, alone: Pca9685(chip, board) if alone else pytest.fail("shared")


def driver_of(chip: Chip) -> RigDriver:
    local = LocalBoard(BOARD, on(chip), None)
    driver = RigDriver(local, RIG)
    driver.connect()
    driver.prepare()
    return driver


def test_every_pulse_is_within_a_count_of_the_plan_and_none_is_left(chip: Chip) -> None:
    driver = driver_of(chip)
    program = RIG.plan(MoveSequence.parse("D"))
    driver.run(program)
    wanted = [
        (BOARD.channels[action.channel], action.value)
        for step in program.steps
        for action in step.actions
    ]
    counts_per_us = 25e6 / 122 * 1e-6  # by the data sheet, of 25 MHz and the prescaler 121
    assert chip.registers[PRE_SCALE] == 121
    given = chip.given[-len(wanted) :]
    assert [channel for channel, _ in given] == [channel for channel, _ in wanted]
    for (_, counts), (_, pulse_us) in zip(given, wanted, strict=True):
        assert abs(counts - pulse_us * counts_per_us) <= 1
    driver.close()
    assert [chip.pulse(channel) for channel in BOARD.channels] == [0, 0]


def test_pulses_beyond_the_limits_move_nothing(chip: Chip) -> None:
    rig = msgspec.structs.replace(named_rig("cubotino"), board=None)
    narrow = msgspec.structs.replace(BOARD, pulse_us=(700, 2400))
    with pytest.raises(ValueError, match="pulse_us"):
        msgspec.convert(
            msgspec.to_builtins(rig) | {"board": msgspec.to_builtins(narrow)}, type(rig)
        )
    local = LocalBoard(narrow, on(chip), None)
    driver = RigDriver(local, RIG)
    driver.connect()
    driver.prepare()
    before = len(chip.given)
    with pytest.raises((RigError, LinkError)):
        driver.run(RIG.plan(MoveSequence.parse("D2")))
    assert all(counts * 4.88 > 690 for _, counts in chip.given[before:])
    driver.close()


@pytest.mark.parametrize("fault", ["broken", "reset"])
def test_a_chip_that_fails_in_a_turn_is_named_and_started_again_without_pulses(
    chip: Chip, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "RECONNECT_TIMEOUT_S", 0.5)
    driver = driver_of(chip)

    def fail(*_: object) -> None:
        if fault == "reset":
            chip.reset()
        else:
            chip.broken = True

    with pytest.raises(LinkError):
        driver.run(RIG.plan(MoveSequence.parse("D R")), on_progress=fail)
    chip.broken = False
    driver.close()
    driver = driver_of(chip)
    driver.run(RIG.plan(MoveSequence.parse("D")))
    driver.close()
    assert [chip.pulse(channel) for channel in BOARD.channels] == [0, 0]


def test_a_button_starts_and_stops_and_a_lamp_shows_what_happens(
    chip: Chip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_board, "HELD_S", 0.3)
    pins = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", pins)
    board = msgspec.structs.replace(BOARD, button=17, lamp=27)
    held = threading.Event()
    local = LocalBoard(board, on(chip), None, held.set)
    driver = RigDriver(local, RIG)
    driver.connect()
    assert not pins.pin(27).state
    driver.prepare()
    assert pins.pin(27).state
    pins.pin(17).drive_low()
    pins.pin(17).drive_high()
    assert driver.wait_for_button(5.0)
    pins.pin(17).drive_low()
    assert held.wait(5.0)
    pins.pin(17).drive_high()
    assert not driver.wait_for_button(0.1)  # it meant STOP
    driver.close()
    pins.close()


def test_wrong_boards_are_refused() -> None:
    wrong = [{"channels": (0, 0)}, {"channels": (16,)}, {"address": 0x3F}, {"pulse_us": (900, 800)}]
    wrong += [{"button": 28}, {"button": 4, "lamp": 4}, {"lamp": 2}, {"shut_down_s": 1.0}]
    wrong += [{"kind": "pwm", "channels": (17,)}, {"oscillator_mhz": 40.0}, {"kind": "gpio"}]
    accepted = []
    for each in wrong:
        keys = {"kind": "pca9685", "channels": (0,)} | each
        try:
            msgspec.convert(keys, BoardFile)
        except msgspec.ValidationError:
            continue
        accepted.append(each)
    assert accepted == []
    with pytest.raises(PortMissingError):
        LocalBoard(msgspec.structs.replace(BOARD, bus=251))


@pytest.mark.parametrize(
    ("ends", "code", "switched"),
    [
        (lambda guarded: guarded.communicate(b".e"), 0, False),
        (lambda guarded: guarded.communicate(b"."), 1, True),
        (lambda guarded: os.kill(guarded.pid, signal.SIGKILL), -9, False),
        (lambda _: None, 1, True),  # its pipe stays open: it hangs
    ],
)
def test_the_guard_switches_off_unless_the_program_ended_in_order(
    tmp_path: Path, ends: Callable[[subprocess.Popen[bytes]], object], code: int, *, switched: bool
) -> None:
    told = tmp_path / "pulses"
    with subprocess.Popen(
        [sys.executable, "-c", GUARD, str(told)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as guarded:
        assert guarded.stdout is not None
        assert guarded.stdout.readline()
        ends(guarded)
        assert guarded.wait(20) == code
    assert told.exists() == switched


@pytest.mark.parametrize(
    ("kind", "device", "pins"),
    [
        ("brcm,bcm2835-pwm", "fe20c000.pwm", {12: 0, 19: 1}),
        ("raspberrypi,rp1-pwm", "1f00098000.pwm", {12: 0, 19: 3}),
    ],
)
def test_pins_are_pulsed_by_the_chip_of_their_kind_whatever_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, device: str, pins: dict[int, int]
) -> None:
    monkeypatch.setenv(SYSFS, str(tmp_path / "class"))
    fan = tmp_path / "devices" / "1f0009c000.pwm" / "of_node"
    for number, folder in ((0, fan), (7, tmp_path / "devices" / device / "of_node")):
        folder.mkdir(parents=True)
        (folder / "compatible").write_text(f"{kind if number else 'raspberrypi,rp1-pwm'}\0")
        chip = tmp_path / "class" / f"pwmchip{number}"
        chip.mkdir(parents=True)
        (chip / "npwm").write_text("4\n")
        (chip / "device").symlink_to(folder.parent)
        for channel in range(4):
            (chip / f"pwm{channel}").mkdir()
            (chip / f"pwm{channel}" / "enable").write_text("0\n")
    board = PwmFile(channels=tuple(pins))
    pulses = HardwarePwm(board, alone=True)
    pulses.begin()
    pulses.give(1, 1500)
    pulses.check()
    folder = tmp_path / "class" / "pwmchip7" / f"pwm{pins[19]}"
    files = {name: int((folder / name).read_text()) for name in ("period", "duty_cycle", "enable")}
    assert files == {"period": PERIOD_NS, "duty_cycle": 1_500_000, "enable": 1}
    with pytest.raises(LinkError):
        HardwarePwm(board, alone=True)  # another program has them
    pulses.off()
    assert (folder / "enable").read_text() == "0\n"
    pulses.close()
    monkeypatch.setenv(SYSFS, str(tmp_path / "nothing"))
    with pytest.raises(PortMissingError):
        HardwarePwm(board, alone=False)
