"""The verbs `flash`, `try` and `stop`."""

import os
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from benches import Bench

from robot.ports.serial_port import board_identity
from robot.protocol.messages import Fault, State
from robot.rigs.catalogue import default_rig
from robot.running.buzz import BUZZ_DEG, buzz
from robot.running.machine_record import MachineRecord
from robot.virtual.virtual_rig import VirtualRig
from run_thistlebot import command, record, records, thistlebot, told
from thistlebot.errors import MissingFileError, UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.journal.machine_state import MachineState
from thistlebot.session import board_port
from thistlebot.session.board_port import StopDoor
from thistlebot.session.flashing import known_boards, plan_flashing, run_flashing


def test_flash_runs_the_tool_and_says_when_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, binary, tool = tmp_path / "log", tmp_path / "x.hex", tmp_path / "avrdude"
    binary.touch()
    tool.write_text(f'#!/bin/sh\necho "$@" > "{log}"\ntest "$2" = m328p -a "$8" = 115200\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    flash = ("flash", "--port", "P", "--hex", binary)
    assert thistlebot(*flash, "--dry-run").exit_code == 0
    assert not log.exists()
    assert thistlebot(*flash).exit_code == 0
    assert f"flash:w:{binary}:i" in log.read_text()
    failed = thistlebot(*flash, "--board", "nano-old")
    assert failed.exit_code == ExitCode.NO_DEVICE
    assert "nano-old" in " ".join(failed.stderr.split())


def test_the_board_is_behind_the_only_port(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def flash(*names: str):
        monkeypatch.setattr("frontends.cli.machine.board.port_names", lambda: list(names))
        return thistlebot("flash", "--dry-run", "--hex", tmp_path / "x.hex")

    (tmp_path / "x.hex").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "-P ONLY" in flash("ONLY").stdout
    none, several = flash(), flash("/dev/A", "/dev/B")
    assert "-P PORT" in none.stdout
    assert several.exit_code == ExitCode.USAGE
    assert "/dev/A, /dev/B" in several.stderr


@pytest.mark.usefixtures("simulated_time")
def test_an_action_is_done_and_taken_back() -> None:
    done = thistlebot("try", "turn the low", "--rig", "cubotino-fast", "--virtual")
    assert done.exit_code == 0, done.stderr
    lines = [line.split("s  ")[1] for line in done.stdout.splitlines()[1:-1]]
    turn = ["turn the lowest layer  D'", "open the cover", "turn the cube"]
    assert lines == ["close the cover", *turn]
    actions = record("try", "COVER", "--rig", "cubotino-fast", "--virtual")["actions"]
    assert [each["does"] for each in actions] == ["flip the cube", "lower the lifter"]
    small = record("try", "Table", "--rig", "mindcub3r", "--virtual")
    assert small == {"face": "table", "channel": 0, "steps": 160}


def test_without_a_name_everything_that_can_be_tried_is_listed() -> None:
    said = thistlebot("try", "--rig", "claws").stdout.splitlines()
    assert said[0].split("  ")[0] == "R-angle"
    assert len(said) == 4 + 18
    assert [each["name"] for each in records("try")] == list("URFDLB")


def soon(true: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + 30.0
    while not true():
        assert time.monotonic() < deadline_s
        time.sleep(0.01)


def test_what_a_script_started_in_the_background_stops_too(pty_rig, tmp_path: Path) -> None:
    """A shell's ``&`` makes a program ignore Ctrl-C, but not Stop; another machine goes on."""

    def in_background(port: str) -> subprocess.Popen[str]:
        run = command("run", "R U2 F' " * 60, "--port", port)
        return subprocess.Popen(
            ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh", *run],
            env=os.environ | {"THISTLEBOT_DATA_DIR": str(tmp_path / Path(port).name)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    boards: list[tuple[str, VirtualRig]] = [pty_rig(), pty_rig()]
    programs = [in_background(port) for port, _ in boards]
    for _, rig in boards:
        soon(lambda rig=rig: len(rig.moves) >= 2)
    (one, stopped), (_, other) = boards
    assert record("stop", "--port", one)["asked"] == [f"thistlebot run (process {programs[0].pid})"]
    turned, went_on = len(stopped.moves), len(other.moves)
    assert programs[0].wait(10) == ExitCode.STOPPED
    assert "Traceback" not in programs[0].communicate()[1]
    soon(lambda: len(other.moves) > went_on)
    assert len(record("stop")["asked"]) == 1  # whatever the board
    assert programs[1].wait(10) == ExitCode.STOPPED
    programs[1].communicate()
    assert len(stopped.moves) == turned < 180
    assert not stopped.board.turning
    assert not other.board.turning


def test_a_stop_that_nobody_saw_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_port, "STOPPING_S", 0.1)
    asked: list[str] = []
    door = StopDoor(tmp_path / "state", "board", lambda: asked.append("stop"), lambda: False)
    with closing(door):
        result = thistlebot("stop", "--port", "board", "--json")
    assert told(result).exit_code == ExitCode.NOT_VERIFIED
    assert asked == ["stop"]


def test_a_small_turn_is_undone_after_stop_too() -> None:
    rig = default_rig()
    for steps in range(1, 5):
        driver = Bench(rig).driver
        driver.connect()
        link = driver._connection.link
        driver.stop_wanted = lambda link=link, steps=steps: link.position.executed >= steps
        with pytest.raises(KeyboardInterrupt):
            buzz(driver, rig.buzz("F", BUZZ_DEG))
        assert driver.at_rest
        driver.stop_wanted = lambda: False
        assert driver.status().executed % 2 == 0


UNFINISHED = MachineRecord(rig="", boot_id=7, accepted=0, steps=2)


def test_a_virtual_stop_leaves_the_record_of_a_real_board_and_a_real_one_settles_it(
    tmp_path: Path, pty_rig
) -> None:
    """A board that rests has its motors off, and nothing was turned."""
    MachineState(tmp_path / "data").keep(UNFINISHED)
    for options in ((), ("--release",)):
        assert thistlebot("stop", "--virtual", *options).exit_code == 0
    assert record("stop", "--virtual")["state"] == State.DISABLED.name
    assert MachineState(tmp_path / "data").last() == UNFINISHED
    port, rig = pty_rig()
    assert thistlebot("stop", "--port", port).exit_code == 0
    settled = MachineState(tmp_path / "data", board_identity(port)).last()
    assert settled is not None
    assert (settled.steps, settled.boot_id) == (0, rig.board.boot_id)
    assert settled.askew  # it may be the same board, restarted


@pytest.mark.parametrize("fault", [Fault.HOST_SILENT, Fault.STALL, Fault.NOT_FOUND])
def test_a_stop_says_that_faces_stand_at_detents_only_if_they_do(pty_rig, fault: Fault) -> None:
    port, rig = pty_rig()
    assert rig.moves == ()  # which brings the board up to date
    rig.board._leave(State.ABORTED, fault)
    said = " ".join(thistlebot("stop", "--port", port).output.split())
    assert ("detent" in said) == (fault is Fault.HOST_SILENT), said


FIRMWARE = Path(__file__).resolve().parents[4] / "firmware"
BOARDS = ("uno", "nano", "nano-old", "mega", "cnc-shield", "ramps", "mks-gen-l")


def tools(*names: str):
    """A PATH with these programs on it."""
    return lambda name: f"/bin/{name}" if name in names else None


def test_a_binary_is_loaded_by_avrdude_or_else_by_arduino_cli() -> None:
    """The usual binary is that of the program; two kinds of Nano share one."""
    assert sorted(known_boards(FIRMWARE)) == sorted(BOARDS)
    mega = ("-p", "m2560", "-c", "wiring", "-P", "COM3", "-b", "115200", "-D")
    for board in ("mega", "ramps"):
        made = plan_flashing(board, "COM3", None, tools("avrdude", "arduino-cli"))
        binary = FIRMWARE.parent / "build" / "hex" / f"{board}.hex"
        assert made.command == ("/bin/avrdude", *mega, "-U", f"flash:w:{binary}:i")
    assert plan_flashing("nano-old", "P", None, tools("avrdude")).binary.name == "nano.hex"
    given = plan_flashing("nano-old", "P", Path("x.hex"), tools("avrdude")).command
    assert "57600" in given
    assert given[-1] == "flash:w:x.hex:i"
    for board in BOARDS:
        made = plan_flashing(board, "P", Path("x.hex"), tools("arduino-cli"))
        assert made.command[:3] == ("/bin/arduino-cli", "upload", "-b")
        assert (made.command[3] == "arduino:avr:uno") == (board in {"uno", "cnc-shield"})


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"sudo apt install avrdude\n"):
        plan_flashing("uno", "P", None, tools())
    with pytest.raises(MissingFileError, match="make hex"):
        run_flashing(plan_flashing("uno", "P", tmp_path / "x.hex", tools("avrdude")))
    with pytest.raises(UsageError, match=r"cnc-shield, mega, .* uno"):
        plan_flashing("due", "P", None, tools("avrdude"))
