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
BOARDS = ("uno", "nano", "mega", "cnc-shield", "ramps", "mks-gen-l")


def section_sizes(elf: Path) -> dict[str, int]:
    """Read the sizes of an ELF file's sections."""
    text = subprocess.run(["avr-size", "-A", elf], capture_output=True, text=True, check=True)
    rows = (line.split() for line in text.stdout.splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) == 3 and row[0].startswith(".")}


@pytest.mark.parametrize("board", BOARDS)
def test_every_board_is_built_with_a_hex_file(build: Path, board: str) -> None:
    assert (build / board / "thistlebot.hex").read_text().startswith(":")
    assert section_sizes(build / board / "thistlebot.elf")[".text"] > 8000


def test_the_same_sources_make_the_same_hex_files_anywhere(build: Path, tmp_path: Path) -> None:
    """`make wheel` relies on it: a release can be built again, byte for byte."""
    copy = tmp_path / "another folder"
    shutil.copytree(FIRMWARE, copy, ignore=shutil.ignore_patterns("build"))
    command = ["make", "-C", copy, "BUILD=made", "boards"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for board in BOARDS:
        again = copy / "made" / board / "thistlebot.hex"
        assert again.read_bytes() == (build / board / "thistlebot.hex").read_bytes()


@pytest.mark.parametrize("board", ["uno", "nano", "cnc-shield"])
def test_firmware_is_small(build: Path, board: str) -> None:
    sizes = section_sizes(build / board / "thistlebot.elf")
    limit = WITH_UART_DRIVERS if board == "cnc-shield" else FLASH_LIMIT
    assert sizes[".text"] + sizes[".data"] <= limit
    assert sizes[".data"] + sizes[".bss"] + sizes.get(".noinit", 0) <= RAM_LIMIT


def test_firmware_is_small_with_the_flags_of_the_arduino_ide(build: Path) -> None:
    """The IDE optimises for size and links with LTO, without the other flags of our Makefile."""
    folder = build.name + "/ide"
    done = subprocess.run(
        ["make", "-C", FIRMWARE, "uno", "SMALLER=", f"BUILD={folder}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sizes = section_sizes(FIRMWARE / folder / "uno" / "thistlebot.elf")
    assert sizes[".text"] + sizes[".data"] <= FLASH_LIMIT


def test_warnings_are_errors_and_none_is_silenced() -> None:
    makefile = (FIRMWARE / "Makefile").read_text()
    assert "-Wall -Wextra -Werror" in makefile
    assert " -w " not in makefile
    for source in (FIRMWARE / "thistlebot").rglob("*"):
        if source.is_file():
            assert "diagnostic ignored" not in source.read_text()


def test_sources_compile_in_the_language_of_the_arduino_ide(build: Path, tmp_path: Path) -> None:
    sources = sorted((FIRMWARE / "thistlebot" / "src").glob("*/*.cpp"))
    assert sources
    for source in sources:
        options = "-mmcu=atmega328p -DF_CPU=16000000UL -DARDUINO_AVR_UNO -Os -std=gnu++11"
        checks = "-fno-exceptions -fno-threadsafe-statics -Wall -Wextra -Werror"
        done = subprocess.run(
            ["avr-gcc", *options.split(), *checks.split(), "-c", source, "-o", tmp_path / "object"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_core_knows_neither_arduino_nor_avr() -> None:
    for source in (FIRMWARE / "thistlebot" / "src" / "core").iterdir():
        text = source.read_text()
        assert "Arduino.h" not in text
        assert "avr/io.h" not in text
        assert "malloc" not in text
        assert " = new " not in text


def test_ramp_table_is_up_to_date() -> None:
    tool = FIRMWARE / "tools" / "make_ramp_table.py"
    assert subprocess.run([sys.executable, tool, "--check"], check=False).returncode == 0


@pytest.mark.parametrize("program", ["host-test", "host-test-4"])
def test_core_passes_its_tests_on_the_host(build: Path, program: str) -> None:
    done = subprocess.run(
        [build / program], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tests passed" in done.stdout
