"""Loads the firmware's binary onto a board, with a tool of this computer."""

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from thistlebot.errors import MissingFileError, UsageError
from thistlebot.shipped import shipped_hex, shipped_root

_DEFINITION = re.compile(r'^#define THISTLEBOT_(ARDUINO|LOADER)(_OLD)? "(.*)"$', re.MULTILINE)
_INSTALL = """no tool to load the firmware is installed. Install one of them:
  avrdude       Debian, Ubuntu, Raspberry Pi OS: sudo apt install avrdude
                macOS: brew install avrdude
  arduino-cli   https://arduino.github.io/arduino-cli, then: arduino-cli core install arduino:avr
or open {sketch} in the Arduino IDE and press Upload"""


@dataclass(frozen=True, slots=True)
class Board:
    """A board, as the tools name it.

    Attributes:
        name: Its name for `flash --board`; the header's name has underscores.
        arduino: The board's name for the Arduino tools, or the name of the board that carries it.
        part: avrdude's name of the chip.
        programmer: The bootloader's protocol.
        baud: The bootloader's baud rate.
    """

    name: str
    arduino: str
    part: str
    programmer: str
    baud: str


def known_boards(firmware: Path) -> dict[str, Board]:
    """Read the boards' headers, by name."""
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
    """Return the board with a given name.

    Raises:
        UsageError: There is no such board; the message lists all.
    """
    boards = known_boards(firmware)
    if name not in boards:
        raise UsageError(f"--board {name!r}: choose one of {', '.join(boards)}")
    return boards[name]


@dataclass(frozen=True, slots=True)
class Flashing:
    """How a board is flashed.

    Attributes:
        command: The tool and its arguments.
        binary: The file that it loads.
        port: The serial port of the board.
    """

    command: tuple[str, ...]
    binary: Path
    port: str


def plan_flashing(
    name: str,
    port: str,
    hex_file: Path | None = None,
    which: Callable[[str], str | None] = shutil.which,
) -> Flashing:
    """Choose the tool and its arguments.

    Args:
        name: The board; see `find_board`.
        port: The serial port.
        hex_file: The binary; by default the one that belongs to this program.
        which: Finds a program.

    Raises:
        UsageError: There is no such board.
        MissingFileError: No tool is installed; the message says which to install.
    """
    firmware = shipped_root() / "firmware"
    board, binary = find_board(name, firmware), hex_file or shipped_hex(name, shipped_root())
    if avrdude := which("avrdude"):
        erase = ("-D",) if board.programmer == "wiring" else ()
        options = ("-p", board.part, "-c", board.programmer, "-P", port, "-b", board.baud, *erase)
        return Flashing((avrdude, *options, "-U", f"flash:w:{binary}:i"), binary, port)
    if arduino_cli := which("arduino-cli"):
        options = ("-b", board.arduino, "-p", port, "-i", str(binary))
        return Flashing((arduino_cli, "upload", *options), binary, port)
    raise MissingFileError(_INSTALL.format(sketch=_sketch()))


def _sketch() -> Path:
    """Return the sketch, which the Arduino IDE compiles and loads."""
    return shipped_root() / "firmware" / "thistlebot" / "thistlebot.ino"


def run_flashing(flashing: Flashing, *, quiet: bool = False) -> None:
    """Run the tool; its output goes to the terminal, or if quiet into the error.

    Raises:
        MissingFileError: There is no binary, or the tool failed.
    """
    if not flashing.binary.is_file():
        raise MissingFileError(
            f"there is no binary {flashing.binary}: open {_sketch()} in the Arduino IDE and press "
            "Upload, or run `make hex install` in a checkout, which builds all of them"
        )
    code, output = _run(flashing.command, quiet=quiet)
    if code != 0:
        last = "".join(f"; it said: {line}" for line in output.strip().splitlines()[-1:])
        raise MissingFileError(
            f"`{' '.join(flashing.command)}` failed: check the cable, that {flashing.port} is the "
            "board's port, and that no other program uses it; a Nano from before 2018 needs the "
            f"board nano-old{last}"
        )


def _run(command: Sequence[str], *, quiet: bool) -> tuple[int, str]:
    kept = subprocess.PIPE if quiet else None
    try:
        done = subprocess.run(command, check=False, stdout=kept, stderr=kept, text=True)
    except OSError as error:
        raise MissingFileError(f"cannot run {command[0]}: {error.strerror}") from error
    return done.returncode, f"{done.stdout or ''}{done.stderr or ''}"
