"""The record of a machine is there for the next program."""

import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from journals import change, forked
from msgspec.structs import replace

from robot.ports.serial_port import NUMBERED
from robot.running.machine_record import MachineRecord
from thistlebot.errors import UsageError
from thistlebot.journal.machine_state import FILE, MachineState

RECORD = MachineRecord(rig="a rig", boot_id=7, accepted=0, steps=3)
AT_REST = RECORD.completed()


@pytest.mark.parametrize("name", ["/dev/ttyACM0", f"{NUMBERED}2341:0043 7"])
def test_records_belong_to_boards(tmp_path: Path, name: str) -> None:
    """Of one board the port is there, or a number that it tells names it."""
    (tmp_path / "other").touch()
    first, second = (MachineState(tmp_path, port) for port in (str(tmp_path / "other"), name))
    first.keep(RECORD)
    second.forget()
    assert second.last() is None
    second.keep(AT_REST)
    assert first.last() == RECORD
    assert MachineState(tmp_path).last() == RECORD  # it leaves a doubt
    first.forget()
    assert MachineState(tmp_path).last() == AT_REST
    assert not any(each.stat().st_mode & 0o077 for each in tmp_path.glob(f"{FILE}*"))


@pytest.mark.parametrize("before", ["", "/dev/gone"])
def test_a_record_of_an_unknown_board_or_of_a_port_that_is_gone_may_be_of_any_board(
    tmp_path: Path, before: str
) -> None:
    MachineState(tmp_path, before).keep(RECORD)
    here = MachineState(tmp_path, "/dev/null")
    assert here.last() == RECORD
    here.forget()
    assert here.last() is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: change(file, "UPDATE records SET value = '{'"),
        lambda file: change(file, "PRAGMA application_id = 7"),
        lambda file: file.write_bytes(b"not SQL" * 999),
    ],
)
def test_what_cannot_be_read_counts_as_interrupted_until_somebody_has_looked(
    tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    MachineState(tmp_path).keep(RECORD)
    spoil(tmp_path / FILE)
    for _ in range(2):
        with pytest.raises(UsageError):
            MachineState(tmp_path).last()
    MachineState(tmp_path).forget()
    assert MachineState(tmp_path).last() is None


def test_records_are_kept_on_a_full_disk(tmp_path: Path) -> None:
    """A file that may not grow stands for a disk that is full."""

    def work_on_a_full_disk(pipe: int) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        state = MachineState(tmp_path, "/dev/null", lambda text: os.write(pipe, text.encode()))
        state.keep(RECORD)
        largest = max(each.stat().st_size for each in tmp_path.iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
        with pytest.raises(OSError):
            (tmp_path / "other").write_bytes(bytes(2 * largest))
        for steps in range(20):
            state.keep(replace(RECORD, steps=steps, poses=((1, 2, 3),) * steps))
        MachineState(tmp_path, "/dev/zero").keep(RECORD)
        os.kill(os.getpid(), signal.SIGKILL)

    child, reading = forked(work_on_a_full_disk)
    assert os.read(reading, 1000) == b""
    os.close(reading)
    os.waitpid(child, 0)
    found = MachineState(tmp_path, "/dev/null").last()
    assert found is not None
    assert (found.steps, len(found.poses)) == (19, 19)


def test_a_record_that_cannot_be_kept_stops_nothing_and_is_said_once(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    told: list[str] = []
    state = MachineState(tmp_path, note=told.append)
    for _ in range(3):
        state.keep(RECORD)
    assert len(told) == 1
    assert FILE in told[0]
