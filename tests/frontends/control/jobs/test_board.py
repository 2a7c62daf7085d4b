"""The board and the rig file in the browser: findings, firmware, changes with checks."""

import stat
import tomllib

import pytest

from documents.typed_toml import with_values
from frontends.control.assistant_commands import Examine, FlashBoard, SaveRigFile
from frontends.control.jobs import board
from robot.rigs.catalogue import rig_text
from thistlebot.session import flashing

TEXT = rig_text("six")


def with_value(*path: str | int, to: object) -> str:
    return with_values(TEXT, {path: to})


def test_every_part_is_examined_while_the_machine_stays_open(workshop) -> None:
    setup = workshop()
    view = setup.do(Examine())
    findings = {subject: health for subject, health, _ in view.panes.board.findings}
    assert findings == dict.fromkeys(
        ("program", "rig", "profile", "solver", "board", "views", "cameras"), "good"
    )
    assert setup.opened == 1


def test_a_rig_file_is_checked_before_it_is_saved_and_a_copy_is_kept(workshop) -> None:
    setup = workshop()
    file = setup.folders.config / "rig.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(TEXT)
    for text, why in (
        ("motors = 1,5", "rig.toml"),
        (TEXT.replace("channel = 0", "kanal = 0", 1), "channel"),
        (with_value("cameras", 0, "device", to="/etc/passwd"), "not a camera"),
        (with_value("cameras", 0, "view", to="../../secret.toml"), "beside the rig file"),
        (with_value("port", to="/dev/sda"), "not a serial port"),
    ):
        assert why in setup.refused(SaveRigFile(text)), why
        assert file.read_text() == TEXT
    setup.do(SaveRigFile(with_value("settle_ms", to=321)))
    assert tomllib.loads(file.read_text())["settle_ms"] == 321
    saved = setup.view.panes.board
    assert (saved.saved, saved.backup) == (str(file), f"{file}.1.bak")


def test_the_firmware_is_loaded_by_the_tool_and_its_failure_is_told(
    workshop, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = workshop(virtual=False, port="/dev/no-such-port")
    assert "not a serial port" in setup.refused(FlashBoard("uno", "/dev/ttyTHISTLE"))
    monkeypatch.setattr(board, "port_names", lambda: ["/dev/ttyTHISTLE"])
    tool, told, binary = (tmp_path / name for name in ("avrdude", "told", "uno.hex"))
    binary.touch()
    monkeypatch.setattr(flashing, "shipped_hex", lambda *_: binary)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    for code in (1, 0):
        tool.write_text(f'#!/bin/sh\necho "$@" >{told}\necho "no sync" >&2\nexit {code}\n')
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
        opened = setup.opened
        if code:
            view = setup.do(FlashBoard("uno", "/dev/ttyTHISTLE"))
            assert "no sync" in view.attention.text
        else:
            setup.do(FlashBoard("uno", "/dev/ttyTHISTLE"))
            assert setup.view.panes.board.flashed == "/dev/ttyTHISTLE"
        assert "-P /dev/ttyTHISTLE" in told.read_text()
        setup.wait(lambda opened=opened: setup.opened > opened)
