"""`calibrate motors`: on machines of actions with a person who types, and on motors of faces."""

import json
from pathlib import Path

import pytest

from documents.typed_toml import load_document
from robot.ports.port import MonotonicClock
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import default_rig, default_rig_text, named_rig, rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import SINGLE_KEYS, Corners
from robot.virtual.virtual_rig import VirtualRig
from run_thistlebot import Refusal, not_refused, record, thistlebot
from thistlebot.exit_codes import ExitCode
from thistlebot.session import machine

FAST = named_rig("cubotino-fast")


@pytest.fixture
def rig(tmp_path: Path) -> Path:
    file = tmp_path / "rig.toml"
    file.write_text(rig_text("cubotino-fast"))
    return file


@pytest.fixture
def board(simulated_time: None, monkeypatch: pytest.MonkeyPatch) -> VirtualRig:
    """The machine behind its port, in simulated time."""
    virtual = VirtualRig(FAST, MonotonicClock())
    monkeypatch.setattr(machine, "open_port", lambda *_: virtual)
    return virtual


def test_a_person_finds_places_and_a_time(rig: Path, board: VirtualRig) -> None:
    opening = ["", "", ""]  # the cube is out, both servos may go to their start
    closed = ["", "", "", "", "", "++", ""]  # five steps down, 20 us up, there
    flipped = [""] * 12 + ["here"]  # at 1950 of 2000
    places = ["", *flipped, *closed]  # where it starts, upwards, downwards
    asked = ("calibrate", "motors", "--rig", rig, "--port", "board", "--part", "cover")
    done = thistlebot(*asked, "--no-times", "--json", typed="\n".join([*opening, *places, ""]))
    assert done.exit_code == 0, done.stderr
    record = json.loads(done.stdout.split("\n")[-2])  # before it the line ends of the answers
    assert record["pulse_us"] == [1020, 1300, 1950]
    made = load_document(rig, ActionMachine)
    assert made.variables["cover"].pulse_us == (1020, 1300, 1950)
    assert made.actions == FAST.actions  # type: ignore[attr-defined]
    assert rig.read_text() == rig_text("cubotino-fast").replace(
        "[1000, 1300, 2000]", "[1020, 1300, 1950]"
    )
    assert (rig.parent / "rig.toml.1.bak").read_text() == rig_text("cubotino-fast")
    assert board.parts.servos[1].at_us == 1300
    assert all(part in done.stderr for part in ("cover", "1950", "'flipped'", "2000"))


def test_nothing_is_written_when_the_person_gives_up(rig: Path, board: VirtualRig) -> None:
    asked = ("calibrate", "motors", "--rig", rig, "--port", "board", "--no-times")
    done = thistlebot(*asked, typed="\n\n\n\n")  # and the input ends
    assert done.exit_code == ExitCode.STOPPED
    assert rig.read_text() == rig_text("cubotino-fast")
    assert [arm.at_us for arm in board.parts.servos[:2]] == pytest.approx([1500, 1300], abs=60)


@pytest.mark.usefixtures("simulated_time")
def test_the_virtual_machine_is_measured_by_its_arms(rig: Path, tmp_path: Path) -> None:
    rig.write_text(rig_text("mindcub3r"))
    made = tmp_path / "made.toml"
    done = thistlebot("calibrate", "motors", "--rig", rig, "--virtual", "--output", made, "--json")
    assert done.exit_code == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["part"] for record in records[:2]] == ["table", "arm"]
    found = {record["action"]: record["time_ms"] for record in records[2:]}
    assert len(found) == 6  # those of the arm; the table's stepper needs what it needs
    assert 125 < found["flip the cube"][0] < 210  # 750 us of pulse at 6000 us/s, frames of 20 ms
    rules = load_document(made, ActionMachine).actions
    assert {rule.name: [*rule.time_ms] for rule in rules if rule.name in found} == found
    assert [rule.time_ms for rule in rules if rule.name not in found] == [(270, 540)] * 2


def test_what_a_machine_does_not_have_is_refused(rig: Path, tmp_path: Path) -> None:
    six = tmp_path / "six.toml"
    six.write_text(rig_text("six"))
    rows = (
        (rig, ("--faces", "U"), ("--faces",)),
        (rig, ("--no-corners",), ("--corners",)),
        (rig, ("--part", "lid"), ("lid", "holder, cover")),
        (six, ("--part", "U"), ("--part",)),
    )
    calibrate = ("calibrate", "motors", "--virtual", "--rig")
    assert not not_refused(Refusal((*calibrate, file, *opts), 2, data) for file, opts, data in rows)


WIDE = Corners(**dict.fromkeys(SINGLE_KEYS, 33.0))


@pytest.mark.usefixtures("simulated_time")
def test_angles_of_before_slow_no_motor_down_and_are_narrowed(tmp_path: Path) -> None:
    """They jam the cube when all faces turn together: no motor is too fast for that."""
    file, made = tmp_path / "rig.toml", tmp_path / "made.toml"
    angles = "".join(f"{key} = 33\n" for key in SINGLE_KEYS)
    file.write_text(default_rig_text().replace("[corners]\n", f"[corners]\n{angles}"))
    assert load_document(file, FaceMotors).corners == WIDE
    asked = ("calibrate", "motors", "--rig", file, "--virtual", "--faces", "U", "--no-corners")
    found = record(*asked, "--output", made)
    after = load_document(made, FaceMotors)
    assert found["rate_steps_s"] == after.motors["U"].rate_steps_s
    assert after.motors == default_rig().motors | {"U": after.motors["U"]}
    assert 20 < after.corners.cut < 33
