"""What a calibration writes into rig files, and what processes cost."""

import sys
import time
from pathlib import Path

import numpy as np
import pytest

from benchmarks.cli.start import process_cost
from documents.typed_toml import parse_document
from robot.errors import NotPossibleError
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import default_rig, default_rig_text, named_rig, rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from thistlebot.config import Folders, load_rig
from thistlebot.errors import ComputerError
from thistlebot.measuring.rig_files import flipped_text, rig_target, save_flipped
from thistlebot.session.choices import Choices
from thistlebot.session.machine import open_machine


def test_a_motor_on_a_face_is_flipped_and_nothing_else() -> None:
    before = default_rig()
    text = flipped_text(before, default_rig_text(), "F")
    made = parse_document(text, FaceMotors, "it")
    assert made.motors["F"].direction == -before.motors["F"].direction
    assert {**made.motors, "F": before.motors["F"]} == before.motors
    again = flipped_text(made, text, "F")
    assert parse_document(again, FaceMotors, "it").motors == before.motors


def test_a_motor_of_another_machine_is_flipped() -> None:
    rig = named_rig("mindcub3r")
    assert isinstance(rig, ActionMachine)
    made = parse_document(flipped_text(rig, rig_text("mindcub3r"), "table"), ActionMachine, "it")
    assert made.motors["table"].direction == -rig.motors["table"].direction


def test_what_is_no_motor_is_named() -> None:
    with pytest.raises(NotPossibleError, match=r"X.*U, R, F, D, L, B"):
        flipped_text(default_rig(), default_rig_text(), "X")


def test_the_users_own_rig_file_is_made_where_there_is_none(tmp_path: Path) -> None:
    folders = Folders.of_platform()
    with open_machine(Choices(), folders) as machine:
        written = save_flipped(machine, "U")
    assert written.file == folders.config / "rig.toml"
    assert load_rig(None, folders).motors["U"].direction == -default_rig().motors["U"].direction


def test_nothing_of_a_virtual_machine_is_written() -> None:
    with open_machine(Choices(virtual=True), Folders.of_platform()) as machine:
        assert save_flipped(machine, "U").file is None


def test_a_rig_that_comes_with_the_program_has_no_file() -> None:
    with (
        open_machine(Choices(rig=Path("claws")), Folders.of_platform()) as machine,
        pytest.raises(NotPossibleError, match="--rig claws"),
    ):
        rig_target(machine)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_processor_time_and_memory_are_those_of_the_process() -> None:
    ballast = np.ones(25_000_000)  # 200 MB of this process
    idle = process_cost(python("import time; time.sleep(0.1); print('nobody reads this')"))
    busy = process_cost(python("import time\nwhile time.process_time() < 0.5: pass"))
    large = process_cost(python("held = bytes(range(256)) * 400_000"))
    assert busy.cpu_s >= 0.5 > idle.cpu_s
    assert idle.peak_mb < 100 < 8e-6 * ballast.size
    assert idle.peak_mb + 90 < large.peak_mb < idle.peak_mb + 130


def test_a_command_that_fails_says_why() -> None:
    with pytest.raises(ComputerError, match="no such cube"):
        process_cost(python("raise SystemExit('no such cube')"))
    with pytest.raises(ComputerError, match="no-such-program"):
        process_cost(["/no-such-program"])


def test_a_command_is_waited_for_only_so_long() -> None:
    began_s = time.monotonic()
    with pytest.raises(ComputerError, match=r"0\.1 s"):
        process_cost(python("import time; time.sleep(600)"), timeout_s=0.1)
    assert time.monotonic() - began_s < 300
