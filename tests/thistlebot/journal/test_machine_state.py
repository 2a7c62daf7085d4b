"""The record of a machine is there for the next program; the clock from press to verified."""

import os
import resource
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journals import READING, SOLUTION, forked
from msgspec.structs import replace
from world import World, cube

from cube.state import SOLVED
from robot.ports.port import SimulatedClock
from robot.ports.serial_port import NUMBERED
from robot.running.machine_record import MachineRecord
from thistlebot.errors import UsageError
from thistlebot.events import Check, Checking, Entered, Event, Executed, Phase, Planned, Verified
from thistlebot.journal import database_file
from thistlebot.journal.machine_state import FILE, MachineState
from thistlebot.journal.run_row import RunClock, RunTimes
from thistlebot.reading.rig_reader import RigReader
from thistlebot.reading.rig_views import RigScan
from thistlebot.solving.solver import Solve
from vision.geometry.scene import TurningFace
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
from vision.virtual.virtual_camera import FRAME_TIME_S, VirtualCamera

RECORD = MachineRecord(rig="a rig", boot_id=7, accepted=0, steps=3)
AT_REST = RECORD.completed()


def test_a_record_is_found_by_the_next_program(tmp_path: Path) -> None:
    MachineState(tmp_path).keep(RECORD)
    assert MachineState(tmp_path).last() == RECORD
    MachineState(tmp_path).forget()
    assert MachineState(tmp_path).last() is None
    assert [each.stat().st_mode & 0o077 for each in tmp_path.iterdir()] == [0, 0]


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


@pytest.mark.parametrize("before", ["", "/dev/gone"])
def test_a_record_of_an_unknown_board_or_of_a_port_that_is_gone_may_be_of_any_board(
    tmp_path: Path, before: str
) -> None:
    MachineState(tmp_path, before).keep(RECORD)
    here = MachineState(tmp_path, "/dev/null")
    assert here.last() == RECORD
    here.forget()
    assert here.last() is None


def test_a_record_in_the_journal_of_an_earlier_version_is_taken_over(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / database_file.FILE, isolation_level=None)) as db:
        db.execute("CREATE TABLE kept (key TEXT PRIMARY KEY, value TEXT, at_ns INTEGER)")
        value = msgspec.json.encode(RECORD).decode()
        db.execute("INSERT INTO kept VALUES ('unfinished', ?, 1)", (value,))
    assert MachineState(tmp_path).last() == RECORD
    MachineState(tmp_path).keep(AT_REST)
    assert MachineState(tmp_path).last() == AT_REST


def change(file: Path, how: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute(how)


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


LONGEST_LOOK_S = 2 * FRAME_TIME_S
"""The rest of one picture and the whole of the next; the cameras take theirs side by side."""


class Timed(World):
    """A virtual machine that solved a cube and was timed, in a time that only it spends."""

    def __init__(self, solve: Solve, name: str = "six", shakes_s: float = 0.0) -> None:
        super().__init__(solve, name, cube(1))
        self.ready()
        self.shakes_s, self.turned_at_s = shakes_s, float("inf")
        self.on_event = self.note_turned
        cameras = [self.shaken(number) for number in range(2)] if shakes_s else self.cameras
        reader = RigReader(RigScan(self.mechanism, self.virtual.views), cameras, self.ready)
        self.began_s = self.clock.now_s()
        run_clock = RunClock(self.clock.now_s)
        self.run(reader=reader, checker=reader, listeners=[run_clock, self._hear])
        self.times = run_clock.times

    def shaken(self, number: int) -> VirtualCamera:
        """A camera that sees a face beside its detent for a while after the turns."""

        def turn() -> TurningFace | None:
            since_s = self.clock.now_s() - self.turned_at_s
            return TurningFace("R", 25.0) if 0.0 <= since_s < self.shakes_s else None

        viewpoint = corner_viewpoint(tuple(CORNER_CAMERAS)[number])
        return VirtualCamera(
            lambda: self.rig.shown, viewpoint, seed=3 + number, turn=turn, clock=self.clock
        )

    def note_turned(self, event: Event) -> None:
        if isinstance(event, Executed):
            self.turned_at_s = self.clock.now_s()

    @property
    def checks(self) -> list[Check]:
        return [event.check for event in self.of(Checking)]


def test_a_run_is_looking_and_turning_and_nothing_else_takes_machine_time(solve: Solve) -> None:
    """A cube that is seen solved at once needs no rest."""
    machine = Timed(solve)
    times = machine.times
    assert times.total_s == pytest.approx(machine.clock.now_s() - machine.began_s)
    assert FRAME_TIME_S <= times.look_s <= LONGEST_LOOK_S
    assert FRAME_TIME_S <= times.look_again_s <= LONGEST_LOOK_S
    (executed,) = machine.of(Executed)
    assert times.turn_s == pytest.approx(executed.time_s)
    assert times.idle_s == pytest.approx(0.0, abs=1e-9)
    assert machine.checks == [Check.LOOK, Check.READ]
    assert times.rest_s == 0.0


def test_faces_that_still_swing_are_given_their_rest(solve: Solve) -> None:
    """What is seen too early is no verdict: neither solved nor unsolved."""
    machine = Timed(solve, shakes_s=0.2)
    assert machine.rig.state == SOLVED
    assert machine.checks == [Check.LOOK, Check.READ, Check.REST, Check.LOOK, Check.READ]
    assert [event.solved for event in machine.of(Verified)] == [True]
    assert machine.times.rest_s == pytest.approx(machine.mechanism.settle_ms / 1000)


EVENTS = [Entered(phase) for phase in Phase if phase is not Phase.DONE]
EVENTS += [Checking(check) for check in Check]
EVENTS += [Planned(SOLUTION), Executed(3, 0.5)]


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0.0, 9.0), st.sampled_from(EVENTS))))
def test_no_time_is_lost_or_counted_twice(heard: list[tuple[float, Event]]) -> None:
    clock = SimulatedClock(5.0)
    run_clock = RunClock(clock.now_s)
    ended_s = None
    for time_s, event in heard:
        clock.sleep(time_s)
        run_clock(event)
        if ended_s is None and event in (Entered(Phase.STOPPED), Entered(Phase.FAILED)):
            ended_s = clock.now_s() - 5.0
    total_s = clock.now_s() - 5.0 if ended_s is None else ended_s
    assert run_clock.times.total_s == pytest.approx(total_s)
    record = run_clock.times.to_record()
    assert sum(record.values()) == pytest.approx(2 * total_s + record["idle_s"], abs=1e-4)


def test_a_press_begins_again() -> None:
    clock = SimulatedClock()
    run_clock = RunClock(clock.now_s)
    run_clock(Entered(Phase.SCAN))
    clock.sleep(3.0)
    run_clock(Verified(0, READING, solved=True, reached=True))
    clock.sleep(1.0)
    run_clock(Entered(Phase.DONE))
    assert run_clock.times == RunTimes(look_s=3.0)
    run_clock.press()
    clock.sleep(1.0)
    run_clock(Entered(Phase.EXECUTE))
    assert run_clock.times == RunTimes(between_s=1.0)
