"""Loads the firmware onto a board, with the tools of this computer."""

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from thistlebot.config import Folders
from thistlebot.errors import MissingFileError, UsageError
from thistlebot.shipped import firmware_workshop, shipped_hex, shipped_root

_DEFINITION = re.compile(r'^#define THISTLEBOT_(ARDUINO|LOADER)(_OLD)? "(.*)"$', re.MULTILINE)
_PLAIN = ("uno", "nano", "mega")
"""The boards that the sketch detects from the chip or the Arduino's name."""
_COMPILER = "make gcc-avr avr-libc binutils-avr arduino-core-avr"
_INSTALL = (
    "no tool to load the firmware is installed. Install one of them:\n"
    "  avrdude       Debian, Ubuntu, Raspberry Pi OS: sudo apt install avrdude{compiler}\n"
    "                macOS: brew install avrdude\n"
    "  arduino-cli   https://arduino.github.io/arduino-cli, then: arduino-cli core install "
    "arduino:avr\n"
    "or open {sketch} in the Arduino IDE and press Upload"
)


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

    @property
    def binary(self) -> str:
        """The name of its binary; two kinds of Nano share one."""
        return self.name.removesuffix("-old")


def known_boards(firmware: Path) -> dict[str, Board]:
    """Read the boards' headers, by name.

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
        tool: "arduino-cli" or "avrdude".
        commands: The commands to run, in order.
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
            f"no firmware sources at {firmware}: reinstall the program, or give --hex FILE"
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
                "avrdude is installed, but no compiler to build the firmware: sudo apt "
                f"install {_COMPILER}; or install arduino-cli"
            )
    erase = ("-D",) if board.programmer == "wiring" else ()
    flash = ("-U", f"flash:w:{hex_file}:i")
    options = ("-p", board.part, "-c", board.programmer, "-P", port, "-b", board.baud, *erase)
    return Flashing("avrdude", (*commands, (avrdude, *options, *flash)))


def prepared_flashing(
    name: str,
    port: str,
    folders: Folders,
    hex_file: Path | None = None,
    which: Callable[[str], str | None] = shutil.which,
) -> Flashing:
    """Return how the program's own firmware is loaded onto a board, or a given binary.

    Raises:
        UsageError: There is no such board.
        MissingFileError: See `plan_flashing`.
    """
    root = shipped_root()
    board, binary = find_board(name, root / "firmware"), hex_file or shipped_hex(name, root)
    sources = root / "firmware" if binary else firmware_workshop(folders.cache, root)
    return plan_flashing(board, port, sources, binary, which)


def run_flashing(flashing: Flashing, port: str, *, quiet: bool = False) -> None:
    """Run the commands; their output goes to the terminal, or if quiet into the error.

    Raises:
        MissingFileError: One of them failed.
    """
    for command in flashing.commands:
        code, output = _run(command, quiet=quiet)
        if code != 0:
            last = "".join(f"; it said: {line}" for line in output.strip().splitlines()[-1:])
            raise MissingFileError(
                f"`{' '.join(command)}` failed: check the cable, that {port} is the board's "
                "port, and that no other program uses it; a Nano from before 2018 needs "
                f"the board nano-old{last}"
            )


def _run(command: Sequence[str], *, quiet: bool) -> tuple[int, str]:
    kept = subprocess.PIPE if quiet else None
    try:
        done = subprocess.run(command, check=False, stdout=kept, stderr=kept, text=True)
    except OSError as error:
        raise MissingFileError(f"cannot run {command[0]}: {error.strerror}") from error
    return done.returncode, f"{done.stdout or ''}{done.stderr or ''}"
