"""The servo driver PCA9685 on an I2C bus.

Registers: NXP, PCA9685 Product data sheet, rev. 4 (2015), section 7.3.
"""

import fcntl
import time
from typing import Protocol

from robot.errors import LinkError, PortBusyError, PortMissingError
from robot.rigs.board_file import BoardFile

MODE1, LED0_ON_L, ALL_LED_OFF_H, PRE_SCALE = 0x00, 0x06, 0xFD, 0xFE
SLEEP, AUTO_INCREMENT, FULL_OFF = 0x10, 0x20, 0x10
COUNTS = 4096
PERIOD_US = 20_000
_WAKING_S = 0.001  # the data sheet asks for half of it


class I2cBus(Protocol):
    """The part of `smbus2.SMBus` that is used."""

    def read_byte_data(self, i2c_addr: int, register: int) -> int:
        """Read a register."""

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write a register."""

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int]) -> None:
        """Write registers that follow one another."""

    def close(self) -> None:
        """Close the bus."""


def open_bus(number: int, *, alone: bool) -> I2cBus:
    """Open an I2C bus of this computer.

    Args:
        number: Number of the bus.
        alone: Refuse if another program of ours has it.

    Raises:
        LinkError: There is no such bus, access is denied, or it is in use.
    """
    try:
        from smbus2 import SMBus
    except ImportError:
        raise LinkError(
            "a PCA9685 needs smbus2, which is not installed: install thistlebot with the extra `pi`"
        ) from None
    try:
        bus = SMBus(number)
    except FileNotFoundError:
        raise PortMissingError(
            f"there is no I2C bus {number}: enable I2C (`sudo raspi-config nonint do_i2c 0`), then "
            "restart the computer"
        ) from None
    except PermissionError:
        raise PortBusyError(
            f"this user may not open I2C bus {number}: `sudo usermod -aG i2c $USER`, then log in "
            "again"
        ) from None
    if alone:
        try:
            fcntl.flock(bus.fd or 0, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            bus.close()
            raise PortBusyError(f"another program uses the servos on I2C bus {number}") from None
    return bus


class Pca9685:
    """Implements `robot.local.pulse_outputs.PulseOutputs`.

    Args:
        bus: The bus; closed with this.
        board: Address, channels and oscillator.
    """

    def __init__(self, bus: I2cBus, board: BoardFile) -> None:
        self._bus = bus
        self._board = board
        wanted_hz = 1e6 / PERIOD_US
        oscillator_hz = board.oscillator_mhz * 1e6
        self._prescale = round(oscillator_hz / (COUNTS * wanted_hz)) - 1
        self._counts_per_us = oscillator_hz / (self._prescale + 1) * 1e-6

    def begin(self) -> None:
        """Switch all channels off, then set the frequency, which the chip takes only asleep."""
        self.off()
        self._write(MODE1, SLEEP | AUTO_INCREMENT)
        self._write(PRE_SCALE, self._prescale)
        self._write(MODE1, AUTO_INCREMENT)
        time.sleep(_WAKING_S)
        self.check()

    def give(self, servo: int, pulse_us: int) -> None:
        """Give a servo another pulse; the chip uses it after the current one."""
        register = LED0_ON_L + 4 * self._board.channels[servo]
        end = round(pulse_us * self._counts_per_us)
        ends = [end & 0xFF, end >> 8] if pulse_us else [0, FULL_OFF]
        self._bus.write_i2c_block_data(self._board.address, register, [0, 0, *ends])

    def check(self) -> None:
        """Make sure that the chip was not reset, for example by servos that overload its supply."""
        mode = self._bus.read_byte_data(self._board.address, MODE1)
        scale = self._bus.read_byte_data(self._board.address, PRE_SCALE)
        if mode & SLEEP or scale != self._prescale:
            raise OSError("it was reset: its supply may be too weak for the servos")

    def off(self) -> None:
        """Switch all channels of the chip off."""
        self._write(ALL_LED_OFF_H, FULL_OFF)

    def close(self) -> None:
        """Close the bus."""
        self._bus.close()

    def _write(self, register: int, value: int) -> None:
        self._bus.write_byte_data(self._board.address, register, value)
