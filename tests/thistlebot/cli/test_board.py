"""The verbs `flash`, `buzz` and `stop`."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from journals import begin_program, unfinished_program

from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.errors import RigError
from robot.ports.clock import SimulatedClock
from robot.ports.serial_port import SerialPort
from robot.protocol.messages import State
from robot.protocol.settings import Setting
from robot.rigs.catalogue import default_rig, default_rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import RigProgram
from robot.running.buzz import BUZZ_DEG, buzz
from robot.running.driver import RigDriver
from robot.running.journal import JournalRecord
from robot.virtual.virtual_rig import VirtualRig
from run_thistlebot import thistlebot
from stepped_cube import SteppedCube

# flash


def test_flash_runs_the_tool_and_says_when_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    tool = tmp_path / "arduino-cli"
    tool.write_text(f'#!/bin/sh\necho "$@" > {log}\ntest "$4" = arduino:avr:uno\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert thistlebot("flash", "--port", "P", "--dry-run").exit_code == 0
    assert not log.exists()
    assert thistlebot("flash", "--port", "P").exit_code == 0
    assert log.read_text().split()[:4] == ["compile", "--upload", "-b", "arduino:avr:uno"]
    failed = thistlebot("flash", "--port", "P", "--board", "nano")
    assert failed.exit_code == 5
    assert "--board nano-old" in " ".join(failed.stderr.split())


@pytest.mark.parametrize(
    ("found", "said"), [((), "There is none:"), (("A", "B"), "There is A, B:")]
)
def test_the_board_is_behind_the_only_port(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, found: tuple[str, ...], said: str
) -> None:
    def ports(names: tuple[str, ...]) -> None:
        there = [SimpleNamespace(device=name) for name in names]
        monkeypatch.setattr("thistlebot.cli.board.list_ports", lambda: there)

    (tmp_path / "x.hex").touch()
    (tmp_path / "avrdude").write_text("#!/bin/sh\n")
    (tmp_path / "avrdude").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    ports(("ONLY",))
    done = thistlebot("flash", "--dry-run", "--hex", tmp_path / "x.hex")
    assert done.exit_code == 0
    assert "-P ONLY" in done.stdout
    ports(found)
    unclear = thistlebot("flash", "--dry-run", "--hex", tmp_path / "x.hex")
    assert unclear.exit_code == 2
    assert said in " ".join(unclear.stderr.split())


# buzz


def test_buzz_leaves_no_trace() -> None:
    clock = SimulatedClock()
    rig = default_rig()
    virtual = VirtualRig(rig, clock)
    driver = RigDriver(virtual, rig, clock, seed=1)
    driver.connect()
    small = rig.buzz("F", BUZZ_DEG)
    assert small.steps == 53
    buzz(driver, small)
    assert virtual.state == SOLVED
    assert driver.setting(Setting.STEPS_PER_QUARTER, 2) == 400
    assert driver.setting(Setting.RATE_STEPS_S, 2) == rig.motors["F"].rate_steps_s
    driver.run(plan_of("F", rig))
    assert len(virtual.moves) == 1
    with pytest.raises(RigError, match="not possible"):
        rig.buzz("F", 95.0)


def plan_of(moves: str, rig: FaceMotors) -> RigProgram:
    return rig.plan(MoveSequence.parse(moves))


@pytest.mark.avr
def test_buzz_on_the_real_firmware(simulated_board) -> None:
    done = thistlebot("buzz", "d", "--port", simulated_board.port, "--json")
    assert done.exit_code == 0, done.stderr
    assert done.stdout == '{"face":"D","channel":3,"steps":53}\n'
    edges = simulated_board.step_edges()
    assert {edge.channel for edge in edges} == {3}
    assert [edge.forward for edge in edges] == ([True] * 53 + [False] * 53) * 3
    cube = SteppedCube(default_rig())
    cube.follow(edges)
    assert cube.misaligned == {}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("X",), "'X' is no face of a cube"),
        (("",), "'' is no face of a cube"),
        (("UR",), "'UR' is no face of a cube"),
        *((("U", "--angle", angle), "not possible") for angle in ("0", "-5", "720", "nan", "inf")),
    ],
)
def test_what_buzz_cannot_do_is_a_usage_error(args: tuple[str, ...], said: str) -> None:
    done = thistlebot("buzz", *args, "--virtual")
    assert done.exit_code == 2
    assert said in done.stderr
    assert "rig file" not in done.stderr


def test_a_face_without_a_motor_is_a_usage_error(tmp_path: Path) -> None:
    rig = tmp_path / "rig.toml"
    whole = default_rig_text()
    begin = whole.index("[motors.U]")
    rig.write_text(whole[:begin] + whole[whole.index("[motors.", begin + 1) :])
    for args in (("buzz", "U", "--virtual"), ("run", "R U", "--dry-run")):
        done = thistlebot(*args, "--rig", rig)
        assert done.exit_code == 2
        assert "add a table [motors.U]" in done.stderr


def test_an_action_is_done_and_taken_back() -> None:
    done = thistlebot("buzz", "turn the low", "--rig", "cubotino-fast", "--virtual")
    assert done.exit_code == 0, done.stderr
    assert [line.split("s  ")[1] for line in done.stdout.splitlines()[1:-1]] == [
        "close the cover",
        "turn the lowest layer  D'",
        "open the cover",
        "turn the cube",
    ]
    record = json.loads(
        thistlebot("buzz", "COVER", "--rig", "cubotino-fast", "--virtual", "--json").stdout
    )
    assert [each["does"] for each in record["actions"]] == ["flip the cube", "lower the lifter"]
    small = thistlebot("buzz", "Table", "--rig", "mindcub3r", "--virtual", "--json")
    assert small.stdout == '{"face":"table","channel":0,"steps":160}\n'


@pytest.mark.avr
def test_an_action_on_the_real_firmware(simulated_board) -> None:
    asked = ("buzz", "close the cover", "--rig", "cubotino-fast", "--port", simulated_board.port)
    done = thistlebot(*asked, "--json")
    assert done.exit_code == 0, done.stderr
    does = [each["does"] for each in json.loads(done.stdout)["actions"]]
    assert does == ["close the cover", "open the cover"]


def test_without_a_name_everything_that_can_be_tried_is_listed() -> None:
    said = thistlebot("buzz", "--rig", "claws").stdout.splitlines()
    assert said[0].split("  ")[0] == "R-angle"
    assert len(said) == 4 + 18
    records = [json.loads(line) for line in thistlebot("buzz", "--json").stdout.splitlines()]
    assert [record["name"] for record in records] == list("URFDLB")
    unclear = thistlebot("buzz", "turn", "--rig", "cubotino", "--virtual")
    assert unclear.exit_code == 2
    assert "several actions: 'turn the cube'" in " ".join(unclear.stderr.split())


# stop


@pytest.mark.avr
def test_stop_ends_what_a_vanished_host_began(simulated_board) -> None:
    rig = default_rig()
    driver = RigDriver(SerialPort(str(simulated_board.port)), rig)
    driver.connect()
    driver.prepare()
    program = plan_of("R U F " * 20, rig)
    for step in program.steps:
        driver._connection.link.send(step.message())
    while driver._connection.link.position.executed < 3:
        driver._connection.pump(driver._clock.now_s() + 0.05)
    driver.close()
    done = thistlebot("stop", "--release", "--port", simulated_board.port, "--json")
    assert done.exit_code == 0, done.stderr
    assert f'"state":"{State.ABORTED.name}"' in done.stdout
    cube = SteppedCube(rig)
    cube.follow(simulated_board.step_edges())
    assert cube.misaligned == {}
    assert 3 <= len(cube.moves) < 60


@pytest.mark.parametrize("options", [(), ("--json",), ("--release",)])
def test_stop_says_how_the_board_stands(options: tuple[str, ...]) -> None:
    """A board that rests has its motors off, and nothing was turned."""
    done = thistlebot("stop", "--virtual", *options)
    assert done.exit_code == 0
    if options == ("--json",):
        assert '"state":"DISABLED"' in done.stdout
    else:
        assert "nothing turns; the motors are off" in done.stdout


UNFINISHED = JournalRecord(
    steps=("R", "U2"), rig="", target=SOLVED_FACELETS, boot_id=7, done=0, accepted=0, next_seq=3
)


def test_a_virtual_stop_leaves_the_record_of_a_real_board(tmp_path: Path) -> None:
    begin_program(tmp_path / "data", UNFINISHED)
    assert thistlebot("stop", "--virtual").exit_code == 0
    assert unfinished_program(tmp_path / "data") == UNFINISHED


def test_a_real_stop_gives_up_what_was_unfinished(tmp_path: Path, pty_rig) -> None:
    begin_program(tmp_path / "data", UNFINISHED)
    port, _ = pty_rig()
    assert thistlebot("stop", "--port", port).exit_code == 0
    again = thistlebot("solve", "--resume", "--port", port)
    assert again.exit_code == 2
    assert "`thistlebot stop` gave up its rest: scan again" in " ".join(again.stderr.split())


# bench firmware


@pytest.mark.avr
@pytest.mark.exhaustive
@pytest.mark.timeout(900)
def test_bench_firmware_meets_every_goal(firmware_build: Path) -> None:
    done = thistlebot("bench", "firmware", "--json")
    assert done.exit_code == 0, done.stderr
    figures = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(figures) >= 25
    assert [figure["name"] for figure in figures if not figure["met"]] == []
