"""Which command loads the firmware into a board, with the tools that this computer has."""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from thistlebot.errors import MissingFileError, UsageError

BOARDS = ("uno", "nano", "nano-old", "mega")
"""nano-old: a Nano with the bootloader of before 2018, which speaks more slowly."""
_FQBN = {
    "uno": "arduino:avr:uno",
    "nano": "arduino:avr:nano",
    "nano-old": "arduino:avr:nano:cpu=atmega328old",
    "mega": "arduino:avr:mega",
}
# Part, programmer and baud rate as in boards.txt of the Arduino AVR core 1.8.6.
_AVRDUDE = {
    "uno": ("m328p", "arduino", "115200"),
    "nano": ("m328p", "arduino", "115200"),
    "nano-old": ("m328p", "arduino", "57600"),
    "mega": ("m2560", "wiring", "115200"),
}
_COMPILER = "make gcc-avr avr-libc binutils-avr arduino-core-avr"
_INSTALL = (
    "no tool to load firmware is installed. Install one of them:\n"
    "  avrdude       Debian, Ubuntu, Raspberry Pi OS: sudo apt install avrdude{compiler}\n"
    "                macOS: brew install avrdude\n"
    "  arduino-cli   https://arduino.github.io/arduino-cli, then: "
    "arduino-cli core install arduino:avr\n"
    "or open {sketch} in the Arduino IDE and press Upload"
)


@dataclass(frozen=True, slots=True)
class Flashing:
    """How a board is flashed.

    Attributes:
        tool: "arduino-cli" or "avrdude".
        commands: What is run, one after the other.
    """

    tool: str
    commands: tuple[tuple[str, ...], ...]


def plan_flashing(
    board: str,
    port: str,
    firmware: Path,
    hex_file: Path | None = None,
    which: Callable[[str], str | None] = shutil.which,
) -> Flashing:
    """Choose the tool and its arguments.

    Args:
        board: One of BOARDS.
        port: The serial port.
        firmware: The folder of the sources.
        hex_file: A binary to load as it is, instead of building one.
        which: Finds a program.

    Raises:
        UsageError: There is no such board.
        MissingFileError: No tool is installed (the message says which to install), or there is
            nothing to load.
    """
    if board not in BOARDS:
        raise UsageError(f"--board {board!r}: choose one of {', '.join(BOARDS)}")
    sketch = firmware / "thistlebot"
    if hex_file is None and not (sketch / "thistlebot.ino").is_file():
        raise MissingFileError(
            f"there are no firmware sources at {firmware}: install the program again, or give "
            "--hex FILE"
        )
    arduino_cli, avrdude = which("arduino-cli"), which("avrdude")
    target = ("-b", _FQBN[board], "-p", port)
    if arduino_cli is not None and hex_file is None:
        return Flashing(
            "arduino-cli", ((arduino_cli, "compile", "--upload", *target, str(sketch)),)
        )
    if arduino_cli is not None and avrdude is None:
        binary = ("-i", str(hex_file))
        return Flashing("arduino-cli", ((arduino_cli, "upload", *target, *binary),))
    if avrdude is None:
        needed = "" if hex_file else f" {_COMPILER}"
        raise MissingFileError(_INSTALL.format(sketch=sketch / "thistlebot.ino", compiler=needed))
    commands: list[tuple[str, ...]] = []
    if hex_file is None:
        kind = board.partition("-")[0]
        hex_file = firmware / "build" / kind / "thistlebot.hex"
        make, compiler = which("make"), which("avr-gcc")
        if make is not None and compiler is not None:
            commands.append((make, "-C", str(firmware), kind))
        elif not hex_file.is_file():
            raise MissingFileError(
                "avrdude is there, but nothing to build the firmware with: sudo apt install "
                f"{_COMPILER}; or install arduino-cli"
            )
    part, programmer, baud = _AVRDUDE[board]
    erase = ("-D",) if programmer == "wiring" else ()
    flash = ("-U", f"flash:w:{hex_file}:i")
    options = ("-p", part, "-c", programmer, "-P", port, "-b", baud, *erase)
    return Flashing("avrdude", (*commands, (avrdude, *options, *flash)))


def run_flashing(flashing: Flashing, port: str) -> None:
    """Run the commands; their output goes to the terminal.

    Raises:
        MissingFileError: One of them failed.
    """
    for command in flashing.commands:
        if _run(command) != 0:
            raise MissingFileError(
                f"`{' '.join(command)}` failed: check the cable, that {port} is the board's port "
                "and that no other program holds it; a Nano of before 2018 needs --board nano-old"
            )


def _run(command: Sequence[str]) -> int:
    try:
        return subprocess.run(command, check=False).returncode
    except OSError as error:
        raise MissingFileError(f"{command[0]} cannot be run: {error.strerror}") from error
