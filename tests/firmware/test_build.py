"""What is built: without warnings, small enough, tested on the host, as PORTING.md says."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from avr_simulator import Script

from prepared import build_board
from robot.protocol.settings import Setting

pytestmark = pytest.mark.avr

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
FLASH_LIMIT = 24 * 1024
WITH_UART_DRIVERS = 26 * 1024  # of 31.5 KB beside the boot loader
RAM_LIMIT = 1433  # 1.4 KB of the Uno's 2 KB: the rest is stack
SMALL = {"uno": FLASH_LIMIT, "nano": FLASH_LIMIT, "cnc-shield": WITH_UART_DRIVERS}
BOARDS = (*SMALL, "mega", "ramps", "mks-gen-l")


def succeed(*command: object) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def flash_and_ram(elf: Path) -> tuple[int, int]:
    rows = (line.split() for line in succeed("avr-size", "-A", elf).splitlines())
    sizes = {row[0]: int(row[1]) for row in rows if len(row) == 3 and row[0].startswith(".")}
    ram = sizes[".data"] + sizes[".bss"] + sizes.get(".noinit", 0)
    return sizes[".text"] + sizes[".data"], ram


@pytest.mark.parametrize(
    "boards", [("uno", "mega"), pytest.param(BOARDS, marks=pytest.mark.exhaustive)]
)
def test_every_board_is_built_and_fits_its_chip(
    firmware_build: Path, boards: tuple[str, ...]
) -> None:
    for board in boards:
        build_board(board)
        assert (firmware_build / board / "thistlebot.hex").read_text().startswith(":")
        flash, ram = flash_and_ram(firmware_build / board / "thistlebot.elf")
        assert 8000 < flash <= SMALL.get(board, 64 * 1024), board
        assert ram <= RAM_LIMIT or board not in SMALL, board


@pytest.mark.exhaustive
def test_the_same_sources_make_the_same_hex_file_anywhere(
    firmware_build: Path, tmp_path: Path
) -> None:
    """`make wheel` relies on it: a release can be built again, byte for byte."""
    copy, file = tmp_path / "another folder", Path("uno", "thistlebot.hex")
    shutil.copytree(FIRMWARE, copy, ignore=shutil.ignore_patterns("build"))
    succeed("make", "-C", copy, "BUILD=made", "uno")
    assert (copy / "made" / file).read_bytes() == (firmware_build / file).read_bytes()


@pytest.mark.exhaustive
def test_firmware_is_small_with_the_flags_of_the_arduino_ide(firmware_build: Path) -> None:
    """The IDE optimises for size and links with LTO, without the other flags of our Makefile."""
    folder = firmware_build.name + "/ide"
    succeed("make", "-C", FIRMWARE, "uno", "SMALLER=", f"BUILD={folder}")
    assert flash_and_ram(FIRMWARE / folder / "uno" / "thistlebot.elf")[0] <= FLASH_LIMIT


def test_an_arduino_of_another_kind_is_not_taken_for_a_computer() -> None:
    header = FIRMWARE / "thistlebot" / "src" / "boards" / "board.h"
    command = ["g++", "-std=c++17", "-fsyntax-only", "-x", "c++", str(header)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    done = subprocess.run(
        [*command, "-DARDUINO=10819"], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "PORTING.md" in done.stderr


def test_the_simulator_saves_the_eeprom_for_its_next_run(
    firmware_build: Path, tmp_path: Path
) -> None:
    script, eeprom = Script(), tmp_path / "eeprom"
    script.set(Setting.GAP_US, 4321)
    script.at(script.now_ms + 3000, "estop 0")
    (tmp_path / "script").write_text(script.text())
    elf = firmware_build / "uno" / "thistlebot.elf"
    again = ("--elf", elf, "--eeprom", eeprom, "--until", 4000, "--script", tmp_path / "script")
    succeed(firmware_build / "simulator", *again)
    saved = eeprom.read_bytes()
    assert len(saved) == 1024
    assert (4321).to_bytes(4, "little") in saved
    (tmp_path / "script").write_text("3000 estop 0\n")
    succeed(firmware_build / "simulator", *again)
    assert eeprom.read_bytes() != saved  # it counts its starts
    assert (4321).to_bytes(4, "little") in eeprom.read_bytes()


def test_ramp_table_is_up_to_date() -> None:
    succeed(sys.executable, FIRMWARE / "tools" / "make_ramp_table.py", "--check")


@pytest.mark.parametrize(
    "program", ["host-test", pytest.param("host-test-4", marks=pytest.mark.exhaustive)]
)
def test_core_passes_its_tests_on_the_host(firmware_build: Path, program: str) -> None:
    assert "tests passed" in succeed(firmware_build / program)


SOURCES = FIRMWARE / "thistlebot" / "src"
PAGE = (FIRMWARE / "PORTING.md").read_text(encoding="utf-8")
ROWS = "\n".join(line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `"))


def defined(header: Path) -> set[str]:
    text = header.read_text(encoding="utf-8")
    found = set(re.findall(r"^#define (THISTLEBOT_[A-Z0-9_]+)", text, re.MULTILINE))
    for name in re.findall(r'^#include "(.+)"', text, re.MULTILINE):
        found |= defined(header.parent / name)
    return found


HEADERS = [
    header
    for header in (SOURCES / "boards").glob("*.h")
    if "THISTLEBOT_LOADER" in header.read_text()
]
MACROS = set[str]().union(*map(defined, HEADERS))


def test_every_macro_of_a_board_is_in_the_tables_and_no_other() -> None:
    named = set(re.findall(r"`(THISTLEBOT_[A-Z0-9_]+)`", ROWS))
    chip = {"THISTLEBOT_DRIVER_CHIP"}  # drivers/chip.h says what it is unless a board does
    assert MACROS - {"THISTLEBOT_ARDUINO_OLD", "THISTLEBOT_LOADER_OLD"} | chip == named


def test_what_the_first_table_asks_for_is_in_every_header() -> None:
    required = PAGE[PAGE.index("What the header says") : PAGE.index("And if the board has it")]
    required += PAGE[PAGE.index("## Another AVR") : PAGE.index("## Another kind of chip")]
    names = set(re.findall(r"^\| `(THISTLEBOT_[A-Z0-9_]+)`", required, re.MULTILINE))
    assert len(names) > 15
    for header in HEADERS:
        assert names <= defined(header), header.name


def test_every_function_of_the_hardware_is_in_the_table_and_no_other() -> None:
    text = (SOURCES / "core" / "hardware.h").read_text(encoding="utf-8")
    declared = set(re.findall(r"^(?:void|bool|uint\d+_t) (\w+)\(", text, re.MULTILINE))
    assert len(declared) > 25
    named = set(re.findall(r"`([a-z_]+)`", ROWS))
    assert named == declared


def test_every_macro_that_the_avr_layer_uses_comes_from_a_header() -> None:
    macros = MACROS | {"THISTLEBOT_BOARD", "THISTLEBOT_FLASH"}
    for source in (SOURCES / "avr").iterdir():
        text = source.read_text(encoding="utf-8")
        pins = (SOURCES / "avr/pins.h").read_text(encoding="utf-8")
        own = set(re.findall(r"#define (THISTLEBOT_\w+)", text + pins))
        assert set(re.findall(r"\b(THISTLEBOT_[A-Z0-9_]+[A-Z0-9])\b", text)) - own <= macros, source
