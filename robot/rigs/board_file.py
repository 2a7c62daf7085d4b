"""The table ``[board]`` of a rig file, if the board does not run our firmware.

`BoardFile` describes servos on the computer itself, `GCodeFile` a controller that speaks G-code.
"""

from typing import Annotated, Literal

import msgspec

from robot.protocol.messages import LONGEST_PULSE_US, SHORTEST_PULSE_US
from robot.rigs.motor import require

PCA9685_CHANNELS = 16
PWM_PINS = (12, 13, 18, 19)
"""The pins of a Raspberry Pi that its hardware can pulse."""
_LAST_GPIO, _SDA, _SCL = 27, 2, 3
_SHORTEST_SHUT_DOWN_S = 3.0


class BoardFile(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="pca9685",
):
    """What the servos are connected to: by `kind = "pca9685"`, a servo driver on I2C.

    Attributes:
        channels: The driver's channel (0 to 15), or the GPIO number (12, 13, 18, 19), of servo 0,
            of servo 1 and so on.
        bus: Number of the I2C bus.
        address: Address of the driver on the bus.
        oscillator_mhz: Frequency of the driver's oscillator, which differs by some per cent from
            chip to chip.
        pulse_us: Shortest and longest pulse that any servo may get; a pulse of a variable outside
            is refused.
        button: GPIO number of a button to ground: a press starts a solve; holding it for a second
            stops the machine.
        lamp: GPIO number of a lamp: on when ready, blinking while it works or after a failure.
        shut_down_s: Duration of a press that shuts the computer down; 0: never.
        at_end: What happens to the pulses when the program ends for any reason: `"off"` or
            `"hold"`.

    Raises:
        ValueError: A value out of range; the message begins with its key.
    """

    channels: Annotated[tuple[int, ...], msgspec.Meta(min_length=1)]
    bus: Annotated[int, msgspec.Meta(ge=0)] = 1
    address: Annotated[int, msgspec.Meta(ge=0x40, le=0x7F)] = 0x40
    oscillator_mhz: Annotated[float, msgspec.Meta(ge=20.0, le=30.0)] = 25.0
    pulse_us: tuple[int, int] = (SHORTEST_PULSE_US, LONGEST_PULSE_US)
    at_end: Literal["off", "hold"] = "off"
    button: int | None = None
    lamp: int | None = None
    shut_down_s: float = 0.0

    @property
    def kind(self) -> str:
        """The kind of board, as the rig file names it."""
        return str(self.__struct_config__.tag)

    def __post_init__(self) -> None:
        channels = list(self.channels)
        known: tuple[int, ...] = tuple(range(PCA9685_CHANNELS))
        known = known if self.kind == "pca9685" else PWM_PINS
        wanted = f"some of {', '.join(map(str, known))}, each of them once"
        fits = set(channels) <= set(known) and len(set(channels)) == len(channels)
        require(fits, "channels", channels, wanted)
        self._check_front()
        shortest, longest = self.pulse_us
        wanted = f"two numbers in order, within {SHORTEST_PULSE_US} to {LONGEST_PULSE_US}"
        fits = SHORTEST_PULSE_US <= shortest < longest <= LONGEST_PULSE_US
        require(fits, "pulse_us", list(self.pulse_us), wanted)

    def _check_front(self) -> None:
        used = set(self.channels) if self.kind == "pwm" else {_SDA, _SCL}
        for key, pin in (("button", self.button), ("lamp", self.lamp)):
            wanted = f"0 to {_LAST_GPIO}, a pin that nothing else uses"
            free = pin is None or (0 <= pin <= _LAST_GPIO and pin not in used)
            require(free, key, pin, wanted)
            used |= set() if pin is None else {pin}
        wanted = f"0, or {_SHORTEST_SHUT_DOWN_S:g} or more"
        fits = self.shut_down_s == 0.0 or self.shut_down_s >= _SHORTEST_SHUT_DOWN_S
        require(fits, "shut_down_s", self.shut_down_s, wanted)

    @property
    def place(self) -> str:
        """Its description for people."""
        if self.kind == "pca9685":
            return f"PCA9685 {self.address:#x} on I2C bus {self.bus}"
        return f"PWM pins {', '.join(map(str, self.channels))}"


class PwmFile(BoardFile, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="pwm"):
    """The same with `kind = "pwm"`: pins of a Raspberry Pi."""


AXES = "XYZABCIJKUVW"
DIALECTS = ("grbl", "marlin")
"""The beginnings of a port's name, before a colon, that stand for a dialect of G-code."""


class GCodeFile(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="gcode",
):
    """A controller with GRBL or Marlin, by `kind = "gcode"`; `port` begins with its dialect.

    Attributes:
        axes: The axis letter of motor 0, of motor 1 and so on, as the controller names them.
        servos: Number of servos that it drives.
        servo_line: The line that moves a servo, with its number and its pulse in microseconds.
        write_settings: Whether the program writes the controller's settings where they differ from
            the rig file; else it names the lines to send, and does not start.

    Raises:
        ValueError: An axis out of range, or twice; the message begins with its key.
    """

    axes: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)] = tuple(AXES[:6])
    servos: Annotated[int, msgspec.Meta(ge=0, le=8)] = 0
    servo_line: str = "M280 P{servo} S{pulse_us}"
    write_settings: bool = False

    def __post_init__(self) -> None:
        known = set(self.axes) <= set(AXES) and len(set(self.axes)) == len(self.axes)
        wanted = f"some of {', '.join(AXES)}, each of them once"
        require(known, "axes", list(self.axes), wanted)


Board = BoardFile | PwmFile | GCodeFile
"""What a rig file's `[board]` may be."""


def dialect_of(port: str) -> str:
    """Return the dialect of G-code that a port's name begins with; empty for our protocol."""
    kind, colon, _ = port.partition(":")
    return kind if colon and kind in DIALECTS else ""
