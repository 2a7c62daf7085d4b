"""What is built: for each board, without warnings, small enough, and tested on the host."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.avr

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
FLASH_LIMIT = 24 * 1024
WITH_UART_DRIVERS = 26 * 1024  # of 31.5 KB beside the boot loader
RAM_LIMIT = 1433  # 1.4 KB of the Uno's 2 KB: the rest is stack
SMALL = {"uno": FLASH_LIMIT, "nano": FLASH_LIMIT, "cnc-shield": WITH_UART_DRIVERS}
BOARDS = (*SMALL, "mega", "ramps", "mks-gen-l")


def succeed(*command: object) -> str:
    """Run a command that has to succeed, and return what it prints."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def flash_and_ram(elf: Path) -> tuple[int, int]:
    rows = (line.split() for line in succeed("avr-size", "-A", elf).splitlines())
    sizes = {row[0]: int(row[1]) for row in rows if len(row) == 3 and row[0].startswith(".")}
    ram = sizes[".data"] + sizes[".bss"] + sizes.get(".noinit", 0)
    return sizes[".text"] + sizes[".data"], ram


def test_every_board_is_built_and_fits_its_chip(firmware_build: Path) -> None:
    for board in BOARDS:
        assert (firmware_build / board / "thistlebot.hex").read_text().startswith(":")
        flash, ram = flash_and_ram(firmware_build / board / "thistlebot.elf")
        assert 8000 < flash <= SMALL.get(board, 64 * 1024), board
        assert ram <= RAM_LIMIT or board not in SMALL, board


def test_the_same_sources_make_the_same_hex_file_anywhere(
    firmware_build: Path, tmp_path: Path
) -> None:
    """`make wheel` relies on it: a release can be built again, byte for byte."""
    copy, file = tmp_path / "another folder", Path("uno", "thistlebot.hex")
    shutil.copytree(FIRMWARE, copy, ignore=shutil.ignore_patterns("build"))
    succeed("make", "-C", copy, "BUILD=made", "uno")
    assert (copy / "made" / file).read_bytes() == (firmware_build / file).read_bytes()


def test_firmware_is_small_with_the_flags_of_the_arduino_ide(firmware_build: Path) -> None:
    """The IDE optimises for size and links with LTO, without the other flags of our Makefile."""
    folder = firmware_build.name + "/ide"
    succeed("make", "-C", FIRMWARE, "uno", "SMALLER=", f"BUILD={folder}")
    assert flash_and_ram(FIRMWARE / folder / "uno" / "thistlebot.elf")[0] <= FLASH_LIMIT


def test_ramp_table_is_up_to_date() -> None:
    succeed(sys.executable, FIRMWARE / "tools" / "make_ramp_table.py", "--check")


@pytest.mark.parametrize("program", ["host-test", "host-test-4"])
def test_core_passes_its_tests_on_the_host(firmware_build: Path, program: str) -> None:
    assert "tests passed" in succeed(firmware_build / program)
