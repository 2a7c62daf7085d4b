"""PORTING.md names exactly what the code asks of a port."""

import re
from pathlib import Path

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
SOURCES = FIRMWARE / "thistlebot" / "src"
PAGE = (FIRMWARE / "PORTING.md").read_text(encoding="utf-8")
ROWS = "\n".join(line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `"))


def defined(header: Path) -> set[str]:
    """The macros of a header and of those that it includes."""
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
    assert MACROS - {"THISTLEBOT_ARDUINO_OLD", "THISTLEBOT_LOADER_OLD"} == named


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
