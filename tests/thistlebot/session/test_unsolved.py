"""The closed loop: what the second look sees is told, mended, or left with advice that fits."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import pytest
from cubes import cube
from faulty_rig import Faults
from world import SCRAMBLED, Dim, World

from cube.moves import MoveSequence
from cube.net import WESTERN_SCHEME
from cube.orientation import Orientation
from cube.state import SOLVED
from robot.errors import ConnectionLostError
from robot.rigs.catalogue import named_rig
from robot.running.deviations import Aftermath, diagnose
from thistlebot.errors import NotVerifiedError
from thistlebot.events import (
    Diagnosed,
    Ended,
    Entered,
    Event,
    Phase,
    Planned,
    Turned,
    Verified,
    decode,
    encode,
)
from thistlebot.session.unsolved import diagnosis_text, held_since
from thistlebot.solving.solver import Solve
from vision.cameras.camera import Camera
from vision.errors import CameraError, EndOfVideoError
from vision.frame import Frame
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
from vision.virtual.virtual_camera import VirtualCamera


def test_a_turn_that_was_dropped_is_named_and_the_cube_is_solved_in_the_same_run(
    solve: Solve,
) -> None:
    """Whichever turn it was, `diagnose` finds it: see tests/robot/running."""
    world = World(solve, faults=Faults(loose_at_move=6))
    plan = world.run()
    assert world.rig.state == SOLVED
    (told,) = world.of(Diagnosed)
    turns = world.mechanism.cube_turns(plan.program)
    (dropped,) = [turn for turn in turns if turn.step == 5]
    assert told.blamed == (dropped.actuators[0].name,)
    (deviation,) = told.deviations
    assert (deviation.does, deviation.kind) == (dropped.does, "dropped")
    assert all(part in told.text for part in (dropped.does, *told.blamed, str(len(turns))))
    loop = [Phase.PLAN, Phase.EXECUTE, Phase.VERIFY]
    assert world.phases == [Phase.SCAN, Phase.DECODE, *loop, *loop, Phase.DONE]
    assert world.verdicts == [False, True]
    assert [decode(encode(event)) for event in world.events] == world.events


def failed(world: World, **options: object) -> str:
    """Let a run fail, and return what is said then."""
    with pytest.raises(NotVerifiedError) as failure:
        world.run(**options)
    assert world.events[-2] == Entered(Phase.FAILED)
    return str(failure.value)


def test_motors_that_never_hold_are_named_after_more_plans_and_without_power_after_one(
    solve: Solve,
) -> None:
    world = World(solve, loose=[1])
    text = failed(world)
    assert len(world.of(Planned)) == len(world.of(Diagnosed)) == 4
    assert all(part in text for part in ("motor R", "4 of 4", "motors.R.acceleration_steps_s2"))
    assert "`thistlebot solve`" in text
    world = World(solve, faults=Faults(loose_at_move=5))
    text = failed(world, plans_again=0)
    assert [told.text in text for told in world.of(Diagnosed)] == [True]
    assert len(world.of(Planned)) == 1
    world = World(solve, loose=range(6))
    text = failed(world)
    assert [(each.deviations, each.blamed) for each in world.of(Diagnosed)] == [((), ())] * 2
    assert "motor " not in text


def slipped(solve: Solve, move: int) -> tuple[str, list[Diagnosed], str]:
    """Let a turn slip; return the motor of its face, what was diagnosed, and what is said."""
    world = World(solve, faults=Faults(slip_at_move=move))
    text = failed(world)
    (face,) = world.rig._cube.misaligned_deg
    return f"motor {face}", world.of(Diagnosed), text


def test_a_face_left_between_its_detents_is_left_to_a_hand(solve: Solve) -> None:
    """What crosses it cannot turn, which clears its own motor; no plan gets past that."""
    motor, (told,), text = slipped(solve, 4)
    assert (told.aftermath, told.blamed) == (Aftermath.JAMMED, (motor,))
    assert motor in text
    motor, diagnosed, text = slipped(solve, 24)  # the last plans turn only what crosses it
    assert motor in diagnosed[0].blamed
    assert diagnosed[-1].aftermath == Aftermath.NONE
    assert [f"motor {face}" for face in "URFDLB" if f"motor {face}" in text] == [motor]


@pytest.mark.exhaustive
def test_a_motor_that_is_driven_too_hard_is_suspected_if_nothing_explains_the_cube(
    solve: Solve,
) -> None:
    """What turned before has power."""
    rig = named_rig("six")
    fast = msgspec.structs.replace(
        rig.motors["R"], rate_steps_s=30_000, acceleration_steps_s2=1_500_000
    )
    rig = msgspec.structs.replace(rig, motors={**rig.motors, "R": fast})
    said = [failed(World(solve, rig, cube(number))) for number in (1, 2)]
    unexplained = [text for text in said if "calibrate motors" in text]
    assert unexplained
    assert all("motors.R.rate_steps_s" in text for text in unexplained)


class Failing(VirtualCamera):
    """A camera that sends nothing from its second picture on."""

    kind: type[CameraError] = CameraError

    def _picture(self, begins_s: float, asked: object = None) -> Frame:  # noqa: ARG002
        if self._number:
            raise self.kind(f"{self.name} stopped sending pictures; check its cable")
        return super()._picture(begins_s)


def failing_camera(world: World, kind: type[CameraError] = CameraError) -> Failing:
    camera = Failing(lambda: world.rig.shown, corner_viewpoint(next(iter(CORNER_CAMERAS))), seed=9)
    camera.kind = kind
    return camera


def test_a_camera_that_fails_between_the_looks_is_opened_again(solve: Solve) -> None:
    world = World(solve)
    opened: list[int] = []

    def reopen() -> Sequence[Camera]:
        opened.append(1)
        return world.cameras

    failing = world.seen_by([failing_camera(world), world.cameras[1]], reopen=reopen)
    world.run(reader=failing, checker=failing)
    assert len(opened) == 1
    assert world.verdicts == [True]


@pytest.mark.parametrize(("kind", "times"), [(CameraError, 1), (EndOfVideoError, 0)])
def test_a_camera_that_stays_away_ends_in_a_cube_that_was_not_seen(
    solve: Solve, kind: type[CameraError], times: int
) -> None:
    world = World(solve)
    opened: list[Failing] = []

    def reopen() -> Sequence[Camera]:
        opened.append(failing_camera(world, kind))
        opened[-1].read()
        return [opened[-1], world.cameras[1]]

    cameras = [failing_camera(world, kind), world.cameras[1]]
    reader = world.seen_by(cameras, reopen=reopen)
    text = failed(world, reader=reader, checker=reader)
    assert cameras[0].name in text
    assert "thistlebot scan" in text
    assert len(opened) == times
    assert world.of(Verified) == []


def test_a_doubt_is_looked_at_once_more_and_one_that_stays_names_its_faces(solve: Solve) -> None:
    world = World(solve)
    dim = world.seen_by(reader=Dim)
    dim.dark_looks = 1
    world.run(checker=dim)
    assert world.verdicts == [False, True]
    assert world.of(Diagnosed) == []

    world = World(solve)
    dim = world.seen_by(reader=Dim)
    text = failed(world, checker=dim)
    assert len(world.of(Verified)) == 2
    assert ", ".join(world.of(Verified)[-1].reading.reread) in text
    assert "`thistlebot scan`" in text
    assert "`thistlebot solve`" in text


def unplug_at(world: World, step: int) -> None:
    def pull(event: Event) -> None:
        if isinstance(event, Turned) and event.done == step:
            world.rig.unplug(60.0)

    world.on_event = pull


def test_a_link_that_is_lost_for_good_names_the_next_step_which_ends_solved(solve: Solve) -> None:
    world = World(solve)
    unplug_at(world, 5)
    with pytest.raises(ConnectionLostError, match="`thistlebot solve`"):
        world.run()
    assert isinstance(world.events[-1], Ended)
    world.on_event = lambda _: None
    world.clock.sleep(60.0)
    world.rig.reopen()
    world.driver = world.host(2)
    world.run()
    assert world.verdicts == [True]


def test_what_went_wrong_is_told_with_turns_and_motors() -> None:
    """And two parts that may both be to blame are both named."""
    rig = named_rig("six")
    program = rig.plan(MoveSequence.parse("R U2 F' L2"))

    def diagnosed(made: str):
        return diagnose(rig, program, SCRAMBLED, SCRAMBLED.apply(MoveSequence.parse(made)))

    told = {
        made: diagnosis_text(diagnosed(made))
        for made in ("R U2 F'", "R U2 F' L", "R2 U2 F' L2", "R U2 F L2", "U2 F L2", "", "B D B D B")
    }
    assert len(set(told.values())) == len(told)
    named = {
        "R U2 F'": [("4 of 4", "L2", "motor L")],
        "R U2 F' L": [("4 of 4", "L2", "motor L")],
        "R2 U2 F' L2": [("1 of 4", "R", "motor R")],
        "R U2 F L2": [("3 of 4", "F'", "motor F")],
        "U2 F L2": [("1 of 4", "R", "motor R"), ("3 of 4", "F'", "motor F")],
    }
    for made, text in told.items():
        turns = named.get(made, [])
        assert all(part in text for turn in turns for part in turn)
        assert text.count("motor ") == len(turns)
    one, other = diagnosed("U2 F' L2"), diagnosed("R F' L2")
    both = replace(one, explanations=one.explanations + other.explanations)
    assert all(diagnosis_text(each) in diagnosis_text(both) for each in (one, other))
    assert [each.name for each in both.blamed] == ["motor R", "motor U"]


def test_the_centres_tell_how_a_cube_is_held() -> None:
    before = tuple(WESTERN_SCHEME.items())
    held = Orientation().turned("x")
    after = tuple(
        (place, WESTERN_SCHEME[face]) for place, face in zip("URFDLB", held.faces, strict=True)
    )
    assert held_since(before, after) == held
    assert held_since(before, ()) is None
    assert held_since(before, before[:1] * 6) is None


def test_a_driver_of_a_uart_names_its_current() -> None:
    rig = named_rig("six")
    motors = rig.motors | {"R": msgspec.structs.replace(rig.motors["R"], driver_address=1)}
    rig = msgspec.structs.replace(rig, motors=motors)
    (turn,) = rig.cube_turns(rig.plan(MoveSequence.parse("R")))
    assert "motors.R.current_ma" in turn.actuators[0].remedy
    assert "800" in turn.actuators[0].remedy
