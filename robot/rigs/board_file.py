"""The table ``[board]`` of a rig file: a board that is part of the computer, without an Arduino."""

from typing import Literal

import msgspec

from robot.protocol.messages import LONGEST_PULSE_US, SHORTEST_PULSE_US
from robot.rigs.motor import require

PCA9685_CHANNELS = 16
PWM_PINS = (12, 13, 18, 19)
"""The pins of a Raspberry Pi that its hardware can pulse."""
_FIRST_ADDRESS, _LAST_ADDRESS = 0x40, 0x7F


class BoardFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the servos are connected to.

    Attributes:
        kind: `"pca9685"`, a servo driver on I2C; or `"pwm"`, pins of a Raspberry Pi.
        channels: The driver's channel (0 to 15), or the GPIO number (12, 13, 18, 19), of servo 0,
            of servo 1 and so on.
        bus: Number of the I2C bus.
        address: Address of the driver on the bus.
        oscillator_mhz: Frequency of the driver's oscillator, which differs by some per cent from
            chip to chip.
        pulse_us: Shortest and longest pulse that any servo may get; a pulse of a variable outside
            is refused.
        at_end: What becomes of the pulses when the program ends, however it ends: `"off"` or
            `"hold"`.

    Raises:
        ValueError: A value out of range; the message begins with its key.
    """

    kind: Literal["pca9685", "pwm"]
    channels: tuple[int, ...]
    bus: int = 1
    address: int = 0x40
    oscillator_mhz: float = 25.0
    pulse_us: tuple[int, int] = (SHORTEST_PULSE_US, LONGEST_PULSE_US)
    at_end: Literal["off", "hold"] = "off"

    def __post_init__(self) -> None:
        channels = list(self.channels)
        known: tuple[int, ...] = tuple(range(PCA9685_CHANNELS))
        known = known if self.kind == "pca9685" else PWM_PINS
        wanted = f"some of {', '.join(map(str, known))}, each of them once"
        fits = bool(channels) and set(channels) <= set(known)
        require(fits and len(set(channels)) == len(channels), "channels", channels, wanted)
        require(self.bus >= 0, "bus", self.bus, "0 or above")
        wanted = f"{_FIRST_ADDRESS:#x} to {_LAST_ADDRESS:#x}"
        fits = _FIRST_ADDRESS <= self.address <= _LAST_ADDRESS
        require(fits, "address", f"{self.address:#x}", wanted)
        require(
            20.0 <= self.oscillator_mhz <= 30.0, "oscillator_mhz", self.oscillator_mhz, "20 to 30"
        )
        shortest, longest = self.pulse_us
        wanted = f"two numbers in order, within {SHORTEST_PULSE_US} to {LONGEST_PULSE_US}"
        fits = SHORTEST_PULSE_US <= shortest < longest <= LONGEST_PULSE_US
        require(fits, "pulse_us", list(self.pulse_us), wanted)

    @property
    def place(self) -> str:
        """Its description for people."""
        if self.kind == "pca9685":
            return f"PCA9685 {self.address:#x} on I2C bus {self.bus}"
        return f"PWM pins {', '.join(map(str, self.channels))}"
