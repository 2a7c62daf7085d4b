"""The closed loop: what the second look sees is told, mended, or left with advice that fits."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import msgspec
import numpy as np
import pytest
from mortal_host import Paper

from cube.moves import MoveSequence
from cube.orientation import Orientation
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.errors import PortMissingError
from robot.ports.clock import SimulatedClock
from robot.rigs.catalogue import default_rig, named_rig
from robot.rigs.mechanism import Mechanism
from robot.rigs.motion import Trapezoid
from robot.rigs.program import RigProgram
from robot.running.deviations import Aftermath, diagnose
from robot.running.driver import RigDriver
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig
from solver.stages.stage_tables import load_stage_tables
from solver.stages.thistlethwaite import ThistlethwaiteSolver
from solver.tables import TableStore
from thistlebot.errors import NotVerifiedError, StoppedError
from thistlebot.exit_codes import ExitCode, exit_code_of
from thistlebot.looking.reader import Reader
from thistlebot.looking.reopening_reader import ReopeningReader
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_scan import RigScan
from thistlebot.looking.rig_views import load_rig_views
from thistlebot.runs.events import (
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
from thistlebot.session.session import Session
from thistlebot.session.unsolved import diagnosis_text, held_since
from thistlebot.solving.solver import Solve
from vision.cameras.camera import Camera
from vision.errors import CameraError, EndOfVideoError
from vision.frame import Frame
from vision.virtual.viewpoints import (
    CORNER_CAMERAS,
    corner_viewpoint,
    default_views,
    straight_viewpoint,
)
from vision.virtual.virtual_camera import VirtualCamera

Kind = TypeVar("Kind")
SCRAMBLED = random_state(np.random.default_rng(41))


@pytest.fixture(scope="module")
def solve(cache_folder) -> Solve:
    return ThistlethwaiteSolver(load_stage_tables(TableStore(cache_folder / "tables"))).solve


def fixed(cameras: Sequence[Camera]) -> RigReader:
    """Two cameras at the default rig's corners."""
    return RigReader(RigScan(default_rig(), default_views()), cameras)


class LooseRig(VirtualRig):
    """A rig whose couplings hold no face on some channels."""

    loose: frozenset[int] = frozenset()

    def _turn(self, channel: int, steps: int, motion: Trapezoid, start_s: float) -> None:
        if channel not in self.loose:
            super()._turn(channel, steps, motion, start_s)


class World:
    """A virtual machine before two cameras, and what its session published."""

    def __init__(
        self,
        solve: Solve,
        faults: Faults | None = None,
        rig: Mechanism | None = None,
        *,
        loose: Sequence[int] = (),
        journal: Paper | None = None,
    ) -> None:
        self.mechanism = rig or default_rig()
        self.clock = SimulatedClock()
        self.rig = LooseRig(self.mechanism, self.clock, SCRAMBLED, faults, seed=3)
        self.rig.loose = frozenset(loose)
        self.driver = RigDriver(self.rig, self.mechanism, self.clock, seed=1, journal=journal)
        self.driver.connect()
        self.driver.prepare()
        self.events: list[Event] = []
        self.cameras = self.new_cameras()
        self.reader = fixed(self.cameras)
        self.solve = solve
        self.on_event: Callable[[Event], None] = lambda _: None

    def new_cameras(self) -> list[Camera]:
        return [
            VirtualCamera(lambda: self.rig.shown, corner_viewpoint(camera), seed=number)
            for number, camera in enumerate(CORNER_CAMERAS)
        ]

    def session(self, checker: Reader | None = None, **options: int) -> Session:
        def listen(event: Event) -> None:
            self.events.append(event)
            self.on_event(event)

        return Session(
            self.solve,
            self.mechanism,
            reader=self.reader,
            checker=checker or self.reader,
            driver=self.driver,
            listeners=[listen],
            settle=self.clock.sleep,
            **options,
        )

    def of(self, kind: type[Kind]) -> list[Kind]:
        return [event for event in self.events if isinstance(event, kind)]


@pytest.mark.parametrize("move", [1, 6, 13])
def test_a_turn_that_was_dropped_is_named_and_the_cube_is_solved_in_the_same_run(
    solve: Solve, move: int
) -> None:
    world = World(solve, Faults(loose_at_move=move))
    plan = world.session().run()
    assert world.rig.state == SOLVED
    (told,) = world.of(Diagnosed)
    turns = world.mechanism.cube_turns(plan.program)
    dropped = [turn for turn in turns if turn.step == move - 1]
    assert told.blamed == [turn.actuators[0].name for turn in dropped]
    assert [each["does"] for each in told.deviations] == [turn.does for turn in dropped]
    assert {each["kind"] for each in told.deviations} == {"dropped"}
    assert f"of {len(turns)}, {dropped[0].does} by {told.blamed[0]}, was not made" in told.text
    phases = [event.phase for event in world.of(Entered)]
    loop = [Phase.PLAN, Phase.EXECUTE, Phase.VERIFY]
    assert phases == [Phase.SCAN, Phase.DECODE, *loop, *loop, Phase.DONE]
    assert [event.solved for event in world.of(Verified)] == [False, True]
    assert [decode(encode(event)) for event in world.events] == world.events


class Cradle(World):
    """A cradle before its own camera."""

    def __init__(self, solve: Solve, faults: Faults | None = None) -> None:
        rig = named_rig("cubotino")
        super().__init__(solve, faults, rig)
        above = VirtualCamera(lambda: self.rig.shown, straight_viewpoint(("U",), "above"), seed=1)
        scan = RigScan(rig, load_rig_views(rig, None, None, None))
        self.reader = RigReader(scan, [above], lambda: self.driver)


def test_a_cradle_that_did_not_flip_the_cube_goes_on_from_what_is_seen(solve: Solve) -> None:
    sound = Cradle(solve)
    ready = sound.rig.board.executed
    begun: list[int] = []
    sound.on_event = lambda event: (
        begun.append(sound.rig.board.executed) if isinstance(event, Planned) else None
    )
    program = sound.session().run().program
    turns = sound.mechanism.cube_turns(program)
    flip = [turn for turn in turns if turn.does.startswith("flip")][7]
    world = Cradle(solve, Faults(loose_at_move=begun[0] - ready + flip.step + 1))
    world.session().run()
    assert world.rig.state == SOLVED
    (told,) = world.of(Diagnosed)
    assert told.blamed[0] == "the cover"
    said = f"step {flip.step + 1} of {len(program.steps)}, {flip.does} by the cover, was not made"
    assert told.text.startswith(said)


def test_a_motor_that_never_holds_its_face_is_named_after_three_more_plans(solve: Solve) -> None:
    world = World(solve, loose=[1])
    with pytest.raises(NotVerifiedError) as failed:
        world.session().run()
    assert len(world.of(Planned)) == len(world.of(Diagnosed)) == 4
    text = str(failed.value)
    assert text.startswith("the moves were made 4 times, but the cube is not solved: ")
    assert "Look after motor R (4 of 4 times): lower motors.R.acceleration_steps_s2" in text
    assert "set screw" in text
    assert world.events[-2] == Entered(Phase.FAILED)
    assert exit_code_of(failed.value) is ExitCode.NOT_VERIFIED


def test_a_face_left_between_its_detents_is_left_to_a_hand(solve: Solve) -> None:
    """What crosses it cannot turn; no plan gets past that."""
    world = World(solve, Faults(slip_at_move=4))
    with pytest.raises(NotVerifiedError) as failed:
        world.session().run()
    (told,) = world.of(Diagnosed)
    (face,) = world.rig._cube.misaligned_deg
    assert told.aftermath == Aftermath.JAMMED
    assert told.blamed == [f"motor {face}"]
    assert f"Align the face of motor {face} by hand" in str(failed.value)


def test_a_face_that_slipped_at_the_end_is_found_by_what_does_not_turn_next(solve: Solve) -> None:
    world = World(solve, Faults(slip_at_move=22))
    with pytest.raises(NotVerifiedError) as failed:
        world.session().run()
    (face,) = world.rig._cube.misaligned_deg
    first, second = world.of(Diagnosed)
    assert (first.blamed, first.aftermath) == ([f"motor {face}"], Aftermath.NONE)
    assert f"from the beginning the face of motor {face} stood in the way" in second.text
    assert f"Align the face of motor {face} by hand" in str(failed.value)


def test_what_does_not_turn_clears_its_own_motor(solve: Solve) -> None:
    """The last plans turn only what crosses the face in the way."""
    world = World(solve, Faults(slip_at_move=24))
    with pytest.raises(NotVerifiedError) as failed:
        world.session().run()
    (face,) = world.rig._cube.misaligned_deg
    assert world.of(Diagnosed)[-1].text == "nothing turned at all"
    assert f"Align every face by hand, that of motor {face} first" in str(failed.value)


def test_motors_without_power_are_tried_once_more_only(solve: Solve) -> None:
    world = World(solve, loose=range(6))
    with pytest.raises(NotVerifiedError, match="motors have no power"):
        world.session().run()
    assert [event.text for event in world.of(Diagnosed)] == ["nothing turned at all"] * 2


def test_without_further_plans_the_mistake_is_told_all_the_same(solve: Solve) -> None:
    world = World(solve, Faults(loose_at_move=5))
    with pytest.raises(NotVerifiedError, match=r"turn \d+ of \d+, .* by motor ., was not made"):
        world.session(plans_again=0).run()
    assert len(world.of(Planned)) == 1


def test_who_stops_while_it_plans_again_is_not_told_that_nothing_turned(solve: Solve) -> None:
    world = World(solve, Faults(loose_at_move=5))

    def interrupt(event: Event) -> None:
        if event == Entered(Phase.PLAN) and world.of(Diagnosed):
            raise KeyboardInterrupt

    world.on_event = interrupt
    with pytest.raises(StoppedError) as stopped:
        world.session().run()
    assert str(stopped.value) == "stopped"
    assert world.of(Entered)[-1].phase is Phase.STOPPED


class Failing(VirtualCamera):
    """A camera that sends nothing from its second picture on."""

    kind: type[CameraError] = CameraError

    def _picture(self, begins_s: float) -> Frame:
        if self._number:
            raise self.kind(f"{self.name} stopped sending pictures; check its cable")
        return super()._picture(begins_s)


def failing_camera(world: World, kind: type[CameraError] = CameraError) -> Camera:
    camera = Failing(lambda: world.rig.shown, corner_viewpoint(next(iter(CORNER_CAMERAS))), seed=9)
    camera.kind = kind
    return camera


def test_a_camera_that_fails_between_the_looks_is_opened_again(solve: Solve) -> None:
    world = World(solve)
    opened = []

    def reopen() -> Reader:
        opened.append(world.new_cameras())
        return fixed(opened[-1])

    world.reader = fixed([failing_camera(world), world.cameras[1]])
    world.session(ReopeningReader(world.reader, reopen)).run()
    assert len(opened) == 1
    assert [event.solved for event in world.of(Verified)] == [True]


@pytest.mark.parametrize(("kind", "times"), [(CameraError, 1), (EndOfVideoError, 0)])
def test_a_camera_that_stays_away_ends_in_a_cube_that_was_not_seen(
    solve: Solve, kind: type[CameraError], times: int
) -> None:
    world = World(solve)
    opened = []

    def reopen() -> Reader:
        opened.append(failing_camera(world, kind))
        opened[-1].read()
        return fixed([opened[-1], world.cameras[1]])

    cameras = [failing_camera(world, kind), world.cameras[1]]
    world.reader = fixed(cameras)
    with pytest.raises(NotVerifiedError) as failed:
        world.session(ReopeningReader(world.reader, reopen)).run()
    assert "the moves were made, but the cube was not seen afterwards" in str(failed.value)
    assert cameras[0].name in str(failed.value)
    assert "thistlebot scan" in str(failed.value)
    assert len(opened) == times
    assert world.of(Verified) == []
    assert exit_code_of(failed.value) is ExitCode.NOT_VERIFIED


class Dim(RigReader):
    """Sees hardly anything until it has looked so often."""

    dark_looks = 0

    def look(self) -> tuple[Frame, ...]:
        self.dark_looks -= 1
        return super().look()

    def _pictures(self, cameras: Sequence[int], share: float) -> tuple[Frame, ...]:
        frames = super()._pictures(cameras, share)
        if self.dark_looks < 0:
            return frames
        return tuple(
            replace(frame, image=(frame.image * 0.012).astype(np.uint8)) for frame in frames
        )


def test_a_doubt_that_passes_is_looked_at_once_more(solve: Solve) -> None:
    world = World(solve)
    dim = Dim(RigScan(default_rig(), default_views()), world.cameras)
    dim.dark_looks = 1
    world.session(dim).run()
    assert [event.solved for event in world.of(Verified)] == [False, True]
    assert world.of(Diagnosed) == []


def test_a_doubt_that_stays_names_its_faces_and_the_way_on(solve: Solve) -> None:
    world = World(solve)
    dim = Dim(RigScan(default_rig(), default_views()), world.cameras)
    dim.dark_looks = 100
    with pytest.raises(NotVerifiedError) as failed:
        world.session(dim).run()
    doubtful = world.of(Verified)[-1].reading["reread"]
    assert len(world.of(Verified)) == 2
    assert f"{', '.join(doubtful)} of the cube stays in doubt" in str(failed.value)
    assert "`thistlebot scan`" in str(failed.value)
    assert "`thistlebot solve`" in str(failed.value)


def unplug_at(world: World, step: int) -> None:
    def pull(event: Event) -> None:
        if isinstance(event, Turned) and event.done == step:
            world.rig.unplug(60.0)

    world.on_event = pull


def test_a_link_that_is_lost_for_good_names_the_way_on_and_that_way_ends_solved(
    solve: Solve,
) -> None:
    """The second host sees what went wrong in the first one's part, too."""
    paper = Paper()
    rig = msgspec.structs.replace(default_rig(), idle_timeout_ms=0)
    world = World(solve, Faults(loose_at_move=3), rig, journal=paper)
    unplug_at(world, 5)
    with pytest.raises(PortMissingError, match="`thistlebot solve --resume`"):
        world.session().run()
    world.on_event = lambda _: None
    world.clock.sleep(60.0)
    assert paper.record is not None
    world.rig.reopen()
    world.driver = RigDriver(world.rig, world.mechanism, world.clock, seed=2, journal=paper)
    world.driver.connect()
    world.events.clear()
    world.session().resume(paper.record)
    assert world.rig.state == SOLVED
    (told,) = world.of(Diagnosed)
    assert {each["step"] for each in told.deviations} == {3}


def test_where_nothing_was_written_down_nobody_is_sent_to_resume(solve: Solve) -> None:
    world = World(solve)
    unplug_at(world, 5)
    with pytest.raises(PortMissingError) as lost:
        world.session().run()
    assert "--resume" not in str(lost.value)
    assert isinstance(world.events[-1], Ended)


# The words.


def text_of(name: str, moves: str, before: CubeState, seen: CubeState) -> str:
    rig = named_rig(name)
    program: RigProgram = rig.plan(MoveSequence.parse(moves))
    return diagnosis_text(diagnose(rig, program, before, seen))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("R U2 F'", "turn 4 of 4, L2 by motor L, was not made"),
        ("R U2 F' L", "turn 4 of 4, L2 by motor L, was made by a quarter too little"),
        ("R2 U2 F' L2", "turn 1 of 4, R by motor R, was made twice"),
        ("R U2 F L2", "turn 3 of 4, F' by motor F, was made the wrong way round"),
        (
            "U2 F L2",
            "turn 1 of 4, R by motor R, was not made, and turn 3 of 4, F' by motor F, was made the "
            "wrong way round",
        ),
        ("", "nothing turned at all"),
        ("B D B D B", "more went wrong than one or two turns explain"),
    ],
)
def test_what_went_wrong_is_told_in_words(made: str, said: str) -> None:
    seen = SCRAMBLED.apply(MoveSequence.parse(made))
    assert text_of("six", "R U2 F' L2", SCRAMBLED, seen) == said


def test_two_parts_that_may_both_be_to_blame_are_both_named() -> None:
    rig = named_rig("six")
    program = rig.plan(MoveSequence.parse("R U2 F' L2"))
    one, other = (
        diagnose(rig, program, SCRAMBLED, SCRAMBLED.apply(MoveSequence.parse(made)))
        for made in ("U2 F' L2", "R F' L2")
    )
    both = replace(one, explanations=one.explanations + other.explanations)
    assert diagnosis_text(both) == (
        "turn 1 of 4, R by motor R, was not made; or turn 2 of 4, U2 by motor U, was not made"
    )
    assert [each.name for each in both.blamed] == ["motor R", "motor U"]


def test_the_centres_tell_how_a_cube_is_held() -> None:
    colours = ("white", "red", "green", "yellow", "orange", "blue")
    before = tuple(zip("URFDLB", colours, strict=True))
    held = Orientation().turned("x")
    at = dict(before)
    after = tuple((place, at[face]) for place, face in zip("URFDLB", held.faces, strict=True))
    assert held_since(before, after) == held
    assert held_since(before, ()) is None
    assert held_since(before, before[:1] * 6) is None


def test_a_driver_of_a_uart_names_its_current() -> None:
    rig = default_rig()
    motors = dict(rig.motors)
    motors["R"] = msgspec.structs.replace(motors["R"], driver_address=1)
    rig = msgspec.structs.replace(rig, motors=motors)
    (turn,) = rig.cube_turns(rig.plan(MoveSequence.parse("R")))
    assert "motors.R.current_ma, now 800" in turn.actuators[0].remedy
