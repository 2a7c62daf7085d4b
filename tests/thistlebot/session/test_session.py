"""Scenarios of the session on the virtual rig, in simulated time, and as the verbs compose it."""

from collections.abc import Callable
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from cubes import cube
from faulty_rig import Faults
from hand_video import record
from world import Dim, World, opened

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from robot.errors import NotPossibleError
from robot.rigs.catalogue import named_rig
from robot.rigs.face_motors.rig_file import PAIR_KEYS, Corners
from run_thistlebot import thistlebot
from solver.stages.solution import Solution
from thistlebot.config import Folders
from thistlebot.errors import MisreadError, StoppedError
from thistlebot.events import (
    Diagnosed,
    Ended,
    Entered,
    Event,
    Phase,
    Planned,
    Read,
    Turned,
    Verified,
    decode,
    encode,
)
from thistlebot.reading.reader import Look
from thistlebot.session.choices import Choices, StagedMistake
from thistlebot.session.composing import Recorder, solve_session
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solve, Solving
from thistlebot.terminal.progress_listener import ProgressListener
from thistlebot.terminal.screen import Screen
from vision.errors import CameraError


def test_a_scrambled_cube_is_seen_solved_and_the_next_one_follows(solve: Solve) -> None:
    world = World(solve, state=cube(1))
    session = world.session()
    plan = session.run()
    assert world.rig.state == SOLVED
    assert plan.state.apply(plan.solution.moves) == SOLVED
    seen = [Phase.SCAN, Phase.DECODE, Phase.PLAN, Phase.EXECUTE, Phase.VERIFY, Phase.DONE]
    assert world.phases == seen
    assert world.verdicts == [True]
    assert [decode(encode(event)) for event in world.events] == world.events
    world.rig.state = cube(3)
    session.run()
    assert world.rig.state == SOLVED
    assert session.phase is Phase.DONE


@pytest.mark.parametrize(("turned", "idle_ms"), [("R", 2000), ("", 6000)])
def test_a_cube_is_seen_again_if_the_motors_went_off_while_it_was_solved(
    solve: Solve, turned: str, idle_ms: int
) -> None:
    """A proof takes minutes; in the meantime, anybody may turn a face."""
    world = World(rig=msgspec.structs.replace(named_rig("six"), idle_timeout_ms=idle_ms))

    def solve_slowly(state: CubeState) -> Solution:
        if len(world.of(Planned)) == 0:
            world.clock.sleep(5.0)
            world.rig.state = world.rig.state.apply(MoveSequence.parse(turned))
        return solve(state)

    world.solve = solve_slowly
    plan = world.run()
    assert world.rig.state == SOLVED
    assert world.phases.count(Phase.SCAN) == len(world.of(Planned)) == (2 if turned else 1)
    assert str(plan.solution.moves) == " ".join(world.of(Planned)[-1].solution.moves.split())
    assert world.verdicts == [True]


def test_a_stepper_that_lost_count_of_its_steps_is_left_to_a_hand(solve: Solve) -> None:
    world = World(rig=msgspec.structs.replace(named_rig("claws"), idle_timeout_ms=2000))

    def solve_slowly(state: CubeState) -> Solution:
        world.clock.sleep(5.0)
        return solve(state)

    world.solve = solve_slowly
    with pytest.raises(NotPossibleError, match="fingers"):
        world.run()
    assert (world.rig.violations, world.driver.pose) == ((), None)


def test_no_motor_moves_on_a_doubtful_reading(solve: Solve) -> None:
    world = World(solve)
    with pytest.raises(MisreadError) as caught:
        world.run(reader=world.seen_by(reader=Dim))
    assert caught.value.reread
    assert world.rig.moves == ()
    assert world.phases[-1] is Phase.FAILED
    assert isinstance(world.events[-1], Ended)


def test_a_program_is_planned_for_the_lanes_of_its_board(solve: Solve) -> None:
    corners = Corners(cut=33.0, anti_cut=20.0, **dict.fromkeys(PAIR_KEYS, 15.0))
    rig = msgspec.structs.replace(named_rig("six"), corners=corners)
    for lanes in (2, 4):
        plan = World(solve, rig, cube(13), lanes=lanes).run()
        assert plan.program == rig.plan(plan.solution.moves, lanes)
        pairs = [step for step in plan.program.steps[1:] if len(step.turns) == 2]
        assert any(step.overlap_steps for step in pairs) == (lanes == 4)


def stopped(world: World, when: Callable[[Event], bool]) -> str:
    """Press Ctrl-C at an event, and return what is said then."""

    def interrupt(event: Event) -> None:
        if when(event):
            raise KeyboardInterrupt

    world.on_event = interrupt
    with pytest.raises(StoppedError) as stop:
        world.run()
    world.on_event = lambda _: None
    assert world.phases[-1] is Phase.STOPPED
    return str(stop.value)


def test_ctrl_c_while_turning_stops_at_a_detent(solve: Solve) -> None:
    world = World(solve, state=cube(7))
    stopped(world, lambda event: isinstance(event, Turned) and len(world.of(Turned)) == 3)
    assert world.rig._cube.misaligned_deg == {}
    assert 3 <= len(world.rig.moves) < len(solve(cube(7)).moves)
    world.run()
    assert world.rig.state == SOLVED


def test_ctrl_c_says_whether_something_was_turned_also_while_it_plans_again(solve: Solve) -> None:
    def said(when: Phase, loose: int | None = None) -> str:
        world = World(solve, faults=Faults(loose_at_move=loose))
        told = stopped(
            world, lambda event: event == Entered(when) and (world.of(Diagnosed) or not loose)
        )
        assert (world.rig.moves == ()) == (when is not Phase.VERIFY and not loose)
        return told

    assert said(Phase.SCAN) == said(Phase.PLAN) != said(Phase.VERIFY)
    assert said(Phase.PLAN, loose=5) == said(Phase.VERIFY)


def test_a_mistake_is_told_and_recorded(
    solve: Solve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = {"loose_at_move": 4}
    with opened(Folders.of_platform(), state=cube(43), faults=faults) as machine:
        looks: list[Look] = []
        recorder = Recorder(tmp_path, looks)
        with ProgressListener(Screen()) as listener:
            solve_session(machine, solve, (listener, recorder), looks=looks).run()
        assert machine.world.rig.state == SOLVED
    assert recorder.verified
    (text,) = recorder.went_wrong
    assert f"corrected {text}" in " ".join(capsys.readouterr().out.split("\n"))
    names = [file.name for file in recorder.files]
    assert names == [f"{name}-{n}.png" for name in ("scan", "verify", "verify2") for n in (1, 2)]
    first, second = (cv2.imread(str(tmp_path / f"{name}-1.png")) for name in ("verify", "verify2"))
    assert not np.array_equal(first, second)


def test_reopened_cameras_are_new_and_the_old_ones_closed(tmp_path: Path) -> None:
    """A video stands for a webcam: both are opened by OpenCV."""
    video = tmp_path / "cube.avi"
    record(video, SOLVED, "F")
    with open_machine(Choices(cameras=(str(video),) * 2), Folders.of_platform()) as machine:
        before, after = machine._reopened_cameras(), machine._reopened_cameras()
        assert len([camera.read() for camera in after]) == 2
        with pytest.raises(CameraError):
            before[0].read()


def events_of(machine: Machine, solve: Solve, mistake: str) -> list[Event]:
    """The events of one session in which a mistake is made; the cube is solved at its end."""
    events: list[Event] = []
    machine.world.rig.state = cube(2)
    machine.mistake = StagedMistake.parse(mistake)
    solve_session(machine, solve, (events.append,)).run()
    assert machine.world.rig.state == SOLVED
    assert [each.reached for each in events if isinstance(each, Verified)][-1]
    assert machine.mistake is None  # it is made once
    return events


def diagnosed(events: list[Event]) -> list[tuple[int, str]]:
    """The number and the move of each turn that went wrong."""
    found = [each for event in events if isinstance(event, Diagnosed) for each in event.deviations]
    return [(each.turn, each.does) for each in found]


def test_a_turn_that_goes_wrong_is_found_and_mended(solve: Solve) -> None:
    """All kinds of turns on all rigs are told apart in tests/robot/running."""
    with open_machine(Choices(virtual=True), Folders.of_platform()) as machine:
        machine.hurry()
        plan = next(
            each for each in events_of(machine, solve, "unplug") if isinstance(each, Planned)
        )
        turns = enumerate(MoveSequence.parse(plan.solution.moves).moves, start=1)
        number, move = next(each for each in turns if each[1].turns != 2)
        for kind in ("short", "slip", "double"):
            events = events_of(machine, solve, f"{move.face} {number} {kind}")
            assert diagnosed(events) == [(number, str(move))], kind


def test_a_holder_that_slips_is_found_and_mended(solve: Solve) -> None:
    with open_machine(Choices(Path("three"), virtual=True), Folders.of_platform()) as machine:
        machine.hurry()
        assert len(diagnosed(events_of(machine, solve, "3 short"))) == 1


@pytest.mark.parametrize("mistake", ["glare", "cover"])
def test_a_spoilt_picture_is_doubted_and_mended(mistake: str, solve: Solve) -> None:
    with open_machine(Choices(virtual=True), Folders.of_platform()) as machine:
        machine.hurry()
        events = events_of(machine, solve, mistake)
    first = next(each.reading for each in events if isinstance(each, Read))
    assert first.state == "repaired"
    assert first.facelets == cube(2).to_facelets().text


def test_a_mistake_that_no_turn_fits_is_told(solve: Solve) -> None:
    told: list[str] = []
    with open_machine(Choices(virtual=True), Folders.of_platform(), note=told.append) as machine:
        machine.hurry()
        assert diagnosed(events_of(machine, solve, "R 99 short")) == []
    assert len(told) == 1


@pytest.mark.parametrize("count", [2, pytest.param(200, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(
    ("name", "dialect"), [("six", "grbl"), ("six", "marlin"), ("three", "grbl")]
)
def test_cubes_are_solved_through_a_controller(
    name: str, dialect: str, count: int, tmp_path: Path
) -> None:
    file, folders = tmp_path / "rig.toml", Folders.of_platform()
    thistlebot("rig", "new", name, "--board", dialect, "--output", file)
    with open_machine(Choices(file, virtual=True), folders) as machine:
        machine.hurry()
        solving = Solving(folders.cache, Approach(budget_ms=60.0), machine.rig)
        for seed in range(count):
            machine.world.rig.state = cube(seed)
            solve_session(machine, solving, ()).run()  # raises unless it saw the cube solved
            assert machine.world.rig.state == SOLVED, seed
