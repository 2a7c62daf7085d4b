"""Which tool loads the firmware, and what is said without one."""

import os
import select
import shutil
from pathlib import Path
from typing import Any

import pytest
from sitting import PtyServer

from run_thistlebot import thistlebot
from thistlebot.cli.machine.board import Flashing, find_board, known_boards, plan_flashing
from thistlebot.errors import MissingFileError, UsageError

FIRMWARE = Path(__file__).resolve().parents[4] / "firmware"
BOARDS = ("uno", "nano", "nano-old", "mega", "cnc-shield", "ramps", "mks-gen-l")


def tools(*names: str):
    """A PATH with these programs on it."""
    return lambda name: f"/bin/{name}" if name in names else None


def plan(board: str, *rest: Any) -> Flashing:
    return plan_flashing(find_board(board, FIRMWARE), *rest)


def test_arduino_cli_is_taken_first_for_every_board() -> None:
    assert sorted(known_boards(FIRMWARE)) == sorted(BOARDS)
    for board in BOARDS:
        made = plan(board, "/dev/ttyACM0", FIRMWARE, None, tools("arduino-cli", "avrdude"))
        assert made.tool == "arduino-cli"
        (command,) = made.commands
        assert command[:3] == ("/bin/arduino-cli", "compile", "--upload")
        assert command[command.index("-b") + 1].startswith("arduino:avr:")
        assert command[-3:] == ("-p", "/dev/ttyACM0", str(FIRMWARE / "thistlebot"))


def test_a_shield_is_the_arduino_below_it_with_other_pins() -> None:
    made = plan("cnc-shield", "P", FIRMWARE, None, tools("arduino-cli"))
    (command,) = made.commands
    assert "compiler.cpp.extra_flags=-DTHISTLEBOT_BOARD=cnc_shield" in command
    assert command[command.index("-b") + 1] == "arduino:avr:uno"
    plain = plan("uno", "P", FIRMWARE, None, tools("arduino-cli"))
    assert "--build-property" not in plain.commands[0]
    made = plan("ramps", "P", FIRMWARE, None, tools("avrdude", "make", "avr-gcc"))
    assert made.commands[0] == ("/bin/make", "-C", str(FIRMWARE), "ramps")
    assert made.commands[1][1:5] == ("-p", "m2560", "-c", "wiring")


def test_avrdude_loads_what_make_builds() -> None:
    made = plan("mega", "COM3", FIRMWARE, None, tools("avrdude", "make", "avr-gcc"))
    assert made.tool == "avrdude"
    assert made.commands[0] == ("/bin/make", "-C", str(FIRMWARE), "mega")
    file = FIRMWARE / "build" / "mega" / "thistlebot.hex"
    target = ("-p", "m2560", "-c", "wiring", "-P", "COM3", "-b", "115200", "-D")
    assert made.commands[1] == ("/bin/avrdude", *target, "-U", f"flash:w:{file}:i")


def test_a_given_binary_is_loaded_as_it_is(tmp_path: Path) -> None:
    made = plan("nano-old", "P", tmp_path, Path("x.hex"), tools("avrdude"))
    assert "57600" in made.commands[0]
    assert made.commands[0][-1] == "flash:w:x.hex:i"
    made = plan("uno", "P", tmp_path, Path("x.hex"), tools("arduino-cli"))
    assert made.commands[0][1] == "upload"


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"sudo apt install avrdude make gcc-avr"):
        plan("uno", "P", FIRMWARE, None, tools())
    with pytest.raises(MissingFileError, match=r"sudo apt install avrdude\n"):
        plan("uno", "P", FIRMWARE, Path("x.hex"), tools("make"))
    with pytest.raises(MissingFileError, match=str(tmp_path)):
        plan("uno", "P", tmp_path, None, tools("avrdude"))
    (tmp_path / "thistlebot").mkdir()
    (tmp_path / "thistlebot" / "thistlebot.ino").touch()
    with pytest.raises(MissingFileError):
        plan("uno", "P", tmp_path, None, tools("avrdude"))
    with pytest.raises(UsageError, match=r"cnc-shield, mega, .* uno"):
        plan("due", "P", FIRMWARE, None, tools("avrdude"))


ARGUMENTS = {0x41: 1, 0x42: 20, 0x45: 5, 0x55: 2, 0x56: 4, 0x74: 3}
"""Bytes that follow a command of STK500 version 1."""


class Bootloader(PtyServer):
    """The Uno's bootloader behind a pseudo-terminal: STK500 version 1, as Optiboot speaks it."""

    def __init__(self) -> None:
        self.flash = bytearray(b"\xff" * 32768)
        self._address = 0
        super().__init__()

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count and not self.over.is_set():
            if select.select([self.master], [], [], 0.05)[0]:
                data += os.read(self.master, count - len(data))
        return data

    def serve(self) -> None:
        while not self.over.is_set():
            code = self._read(1)
            if not code:
                continue
            if code[0] == 0x64:
                high, low, _ = self._read(3)
                data = self._read(high << 8 | low)
                self.flash[self._address : self._address + len(data)] = data
                answer = b""
            else:
                answer = self._answer(code[0], self._read(ARGUMENTS.get(code[0], 0)))
            assert self._read(1) in (b" ", b"")
            os.write(self.master, b"\x14" + answer + b"\x10")

    def _answer(self, code: int, data: bytes) -> bytes:
        match code:
            case 0x41:
                return {0x81: b"\x04", 0x82: b"\x04"}.get(data[0], b"\x03")
            case 0x55:
                self._address = 2 * (data[0] | data[1] << 8)
            case 0x56:
                if data[0] == 0x30:
                    return bytes([(0x1E, 0x95, 0x0F)[data[2]]])
                return b"\x00"
            case 0x74:
                size = data[0] << 8 | data[1]
                return bytes(self.flash[self._address : self._address + size])
            case 0x75:
                return b"\x1e\x95\x0f"
        return b""


def hex_bytes(file: Path) -> bytes:
    """The contents of an Intel HEX file of less than 64 KB."""
    data = bytearray()
    for line in file.read_text().splitlines():
        row = bytes.fromhex(line[1:])
        if row[3] == 0:
            address = row[1] << 8 | row[2]
            data[address : address + row[0]] = row[4:-1]
    return bytes(data)


@pytest.mark.avr
@pytest.mark.skipif(shutil.which("avrdude") is None, reason="avrdude is not installed")
def test_the_real_avrdude_loads_the_firmware(firmware_build: Path) -> None:
    loader = Bootloader()
    try:
        file = firmware_build / "uno" / "thistlebot.hex"
        done = thistlebot("flash", "--port", loader.path, "--hex", file)
        assert done.exit_code == 0, done.stderr
        whole = hex_bytes(file)
        assert len(whole) > 10_000
        assert bytes(loader.flash[: len(whole)]) == whole
    finally:
        loader.close()
