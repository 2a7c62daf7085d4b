"""Which command loads the firmware into a board, with the tools that this computer has."""

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from thistlebot.errors import MissingFileError, UsageError

_DEFINITION = re.compile(r'^#define THISTLEBOT_(ARDUINO|LOADER)(_OLD)? "(.*)"$', re.MULTILINE)
_PLAIN = ("uno", "nano", "mega")
"""What the sketch takes by itself for a chip or an Arduino."""
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
class Board:
    """How the tools name a board.

    Attributes:
        name: As `flash --board` takes it; its header has underscores.
        arduino: The board of the Arduino tools that it is, or that it is put on.
        part: The chip, as avrdude calls it.
        programmer: The bootloader's language.
        baud: The bootloader's rate.
    """

    name: str
    arduino: str
    part: str
    programmer: str
    baud: str

    @property
    def binary(self) -> str:
        """The name of its binary: two kinds of Nano share one."""
        return self.name.removesuffix("-old")


def known_boards(firmware: Path) -> dict[str, Board]:
    """Read what the headers of the boards say, by name.

    Args:
        firmware: The folder of the firmware.
    """
    folder = firmware / "thistlebot" / "src" / "boards"
    boards = {}
    for header in sorted(folder.glob("*.h")):
        facts: dict[str, dict[str, str]] = {}
        for key, old, value in _DEFINITION.findall(header.read_text(encoding="utf-8")):
            name = header.stem.replace("_", "-") + old.lower().replace("_", "-")
            facts.setdefault(name, {})[key] = value
        for name, fact in facts.items():
            boards[name] = Board(name, fact["ARDUINO"], *fact["LOADER"].split())
    return boards


def find_board(name: str, firmware: Path) -> Board:
    """Return the board of a name.

    Raises:
        UsageError: There is none; the message lists them.
    """
    boards = known_boards(firmware)
    if name not in boards:
        raise UsageError(f"--board {name!r}: choose one of {', '.join(boards)}")
    return boards[name]


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
    board: Board,
    port: str,
    firmware: Path,
    hex_file: Path | None = None,
    which: Callable[[str], str | None] = shutil.which,
) -> Flashing:
    """Choose the tool and its arguments.

    Args:
        board: See `find_board`.
        port: The serial port.
        firmware: The folder of the sources.
        hex_file: A binary to load as it is, instead of building one.
        which: Finds a program.

    Raises:
        MissingFileError: No tool is installed (the message says which to install), or there is
            nothing to load.
    """
    sketch = firmware / "thistlebot"
    if hex_file is None and not (sketch / "thistlebot.ino").is_file():
        raise MissingFileError(
            f"there are no firmware sources at {firmware}: install the program again, or give "
            "--hex FILE"
        )
    arduino_cli, avrdude = which("arduino-cli"), which("avrdude")
    pins: tuple[str, ...] = ()
    if board.binary not in _PLAIN:
        flag = f"-DTHISTLEBOT_BOARD={board.binary.replace('-', '_')}"
        pins = ("--build-property", f"compiler.cpp.extra_flags={flag}")
    target = ("-b", board.arduino, "-p", port)
    if arduino_cli is not None and hex_file is None:
        return Flashing(
            "arduino-cli", ((arduino_cli, "compile", "--upload", *pins, *target, str(sketch)),)
        )
    if arduino_cli is not None and avrdude is None:
        binary = ("-i", str(hex_file))
        return Flashing("arduino-cli", ((arduino_cli, "upload", *target, *binary),))
    if avrdude is None:
        needed = "" if hex_file else f" {_COMPILER}"
        raise MissingFileError(_INSTALL.format(sketch=sketch / "thistlebot.ino", compiler=needed))
    commands: list[tuple[str, ...]] = []
    if hex_file is None:
        hex_file = firmware / "build" / board.binary / "thistlebot.hex"
        make, compiler = which("make"), which("avr-gcc")
        if make is not None and compiler is not None:
            commands.append((make, "-C", str(firmware), board.binary))
        elif not hex_file.is_file():
            raise MissingFileError(
                "avrdude is there, but nothing to build the firmware with: sudo apt install "
                f"{_COMPILER}; or install arduino-cli"
            )
    erase = ("-D",) if board.programmer == "wiring" else ()
    flash = ("-U", f"flash:w:{hex_file}:i")
    options = ("-p", board.part, "-c", board.programmer, "-P", port, "-b", board.baud, *erase)
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
