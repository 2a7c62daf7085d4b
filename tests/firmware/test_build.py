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


def run(*command: object) -> str:
    """Run a program that must not fail; return what it prints."""
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def section_sizes(elf: Path) -> dict[str, int]:
    """Read the sizes of an ELF file's sections."""
    rows = (line.split() for line in run("avr-size", "-A", elf).splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) == 3 and row[0].startswith(".")}


def test_every_board_is_built_with_a_hex_file_and_small_enough(build: Path) -> None:
    for board in BOARDS:
        assert (build / board / "thistlebot.hex").read_text().startswith(":")
        sizes = section_sizes(build / board / "thistlebot.elf")
        assert sizes[".text"] > 8000
        if board in ("uno", "nano", "cnc-shield"):
            limit = WITH_UART_DRIVERS if board == "cnc-shield" else FLASH_LIMIT
            assert sizes[".text"] + sizes[".data"] <= limit
            assert sizes[".data"] + sizes[".bss"] + sizes.get(".noinit", 0) <= RAM_LIMIT


@pytest.mark.parametrize(
    "boards", [["uno"], pytest.param(BOARDS, marks=pytest.mark.exhaustive)], ids=["uno", "all"]
)
def test_the_same_sources_make_the_same_hex_files_anywhere(
    build: Path, tmp_path: Path, boards: list[str]
) -> None:
    """`make wheel` relies on it: a release can be built again, byte for byte."""
    copy = tmp_path / "another folder"
    shutil.copytree(FIRMWARE, copy, ignore=shutil.ignore_patterns("build"))
    run("make", "-C", copy, "BUILD=made", *boards)
    for board in boards:
        again = copy / "made" / board / "thistlebot.hex"
        assert again.read_bytes() == (build / board / "thistlebot.hex").read_bytes()


def test_firmware_is_small_with_the_flags_of_the_arduino_ide(build: Path) -> None:
    """The IDE optimises for size and links with LTO, without the other flags of our Makefile."""
    folder = build.name + "/ide"
    run("make", "-C", FIRMWARE, "uno", "SMALLER=", f"BUILD={folder}")
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
        run("avr-gcc", *options.split(), *checks.split(), "-c", source, "-o", tmp_path / "object")


def test_core_knows_neither_arduino_nor_avr() -> None:
    for source in (FIRMWARE / "thistlebot" / "src" / "core").iterdir():
        text = source.read_text()
        assert "Arduino.h" not in text
        assert "avr/io.h" not in text
        assert "malloc" not in text
        assert " = new " not in text


def test_ramp_table_is_up_to_date() -> None:
    tool = FIRMWARE / "tools" / "make_ramp_table.py"
    run(sys.executable, tool, "--check")


@pytest.mark.parametrize("program", ["host-test", "host-test-4"])
def test_core_passes_its_tests_on_the_host(build: Path, program: str) -> None:
    assert "tests passed" in run(build / program)
