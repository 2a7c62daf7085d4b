"""What a calibration writes into rig files, and what processes cost."""

import sys
import time
from pathlib import Path

import numpy as np
import pytest

from benchmarks.cli.start import process_cost
from calibration.rig_file import with_flipped
from robot.errors import NotPossibleError
from robot.rigs.catalogue import default_rig
from thistlebot.config import Folders, load_rig, load_view
from thistlebot.errors import ComputerError
from thistlebot.session.choices import Choices
from thistlebot.session.machine import open_machine
from thistlebot.session.measured_file import rig_target, save_rig, save_view
from vision.virtual.viewpoints import default_views


def test_the_users_own_files_are_made_where_there_are_none() -> None:
    """And none for a virtual machine, or beside a rig that comes with the program."""
    folders, view = Folders.of_platform(), default_views()[0]
    with open_machine(Choices(virtual=True), folders) as machine:
        assert save_rig(machine, with_flipped(machine.rig, "U")).file is None
    with (
        open_machine(Choices(rig=Path("claws")), folders) as machine,
        pytest.raises(NotPossibleError, match="--rig claws"),
    ):
        rig_target(machine)
    with open_machine(Choices(), folders) as machine:
        written = save_rig(machine, with_flipped(machine.rig, "U"))
        seen = save_view(machine, 0, view)
    assert written.file == folders.config / "rig.toml"
    assert load_rig(None, folders).motors["U"].direction == -default_rig().motors["U"].direction
    assert seen.file is not None
    assert seen.file.is_relative_to(folders.config)
    assert load_view(seen.file).names() == view.names()


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
