"""Scenarios of the session on the virtual rig, in simulated time."""

import msgspec
import numpy as np
import pytest

from cube.facelets import SOLVED_FACELETS
from cube.moves import Move
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.ports.clock import SimulatedClock
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.corners import NO_CORNERS, PAIR_KEYS, Corners
from robot.running.driver import RigDriver
from robot.virtual.faults import Faults
from solver.stages.stage_tables import load_stage_tables
from solver.stages.thistlethwaite import ThistlethwaiteSolver
from solver.tables import TableStore
from thistlebot.errors import MisreadError, NotVerifiedError, StoppedError
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_scan import RigScan
from thistlebot.runs.events import (
    Ended,
    Entered,
    Event,
    Phase,
    Turned,
    Verified,
    decode,
    encode,
)
from thistlebot.session.session import Session
from thistlebot.session.virtual_world import VirtualWorld
from thistlebot.solving.solver import Solve
from vision.cameras.camera import Camera
from vision.frame import Frame


@pytest.fixture(scope="module")
def solve(cache_folder) -> Solve:
    return ThistlethwaiteSolver(load_stage_tables(TableStore(cache_folder / "tables"))).solve


class Machine:
    """A virtual machine, and what its session published."""

    def __init__(
        self,
        solve: Solve,
        state: CubeState,
        faults: Faults | None = None,
        corners: Corners = NO_CORNERS,
        lanes: int = 2,
    ) -> None:
        self.rig = msgspec.structs.replace(default_rig(), corners=corners)
        clock = SimulatedClock()
        self.world = VirtualWorld(self.rig, state, seed=3, clock=clock, faults=faults, lanes=lanes)
        self.driver = RigDriver(self.world.rig, self.rig, clock)
        self.driver.connect()
        self.driver.prepare()
        self.events: list[Event] = []
        self.reader = RigReader(RigScan(default_rig(), self.world.views), self.world.cameras)
        self.session = Session(
            solve,
            self.rig,
            reader=self.reader,
            checker=self.reader,
            driver=self.driver,
            listeners=[self.events.append],
            settle=clock.sleep,
        )

    @property
    def phases(self) -> list[Phase]:
        return [event.phase for event in self.events if isinstance(event, Entered)]


def test_a_scrambled_cube_is_seen_solved(solve: Solve) -> None:
    machine = Machine(solve, random_state(np.random.default_rng(1)))
    plan = machine.session.run()
    assert machine.world.rig.state == SOLVED
    assert plan.state.apply(plan.solution.moves) == SOLVED
    assert machine.phases == [
        Phase.SCAN,
        Phase.DECODE,
        Phase.PLAN,
        Phase.EXECUTE,
        Phase.VERIFY,
        Phase.DONE,
    ]
    verified = [event for event in machine.events if isinstance(event, Verified)]
    assert [event.solved for event in verified] == [True]
    assert [decode(encode(event)) for event in machine.events] == machine.events


def test_the_next_cube_follows(solve: Solve) -> None:
    machine = Machine(solve, random_state(np.random.default_rng(2)))
    machine.session.run()
    machine.world.rig.state = random_state(np.random.default_rng(3))
    machine.session.run()
    assert machine.world.rig.state == SOLVED
    assert machine.session.phase is Phase.DONE


def test_a_solved_cube_needs_no_move(solve: Solve) -> None:
    machine = Machine(solve, SOLVED)
    assert len(machine.session.run().solution.moves) == 0
    assert machine.world.rig.moves == ()


class _Dark(Camera):
    """Sees hardly anything, however often it looks."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    @property
    def name(self) -> str:
        return self._camera.name

    def read(self) -> Frame:
        frame = self._camera.read()
        return Frame((frame.image * 0.012).astype(np.uint8), frame.source)


def test_no_motor_moves_on_a_doubtful_reading(solve: Solve) -> None:
    state = random_state(np.random.default_rng(4))
    machine = Machine(solve, state)
    machine.session = Session(
        solve,
        machine.rig,
        reader=RigReader(
            RigScan(default_rig(), machine.world.views),
            [_Dark(camera) for camera in machine.world.cameras],
        ),
        driver=machine.driver,
        listeners=[machine.events.append],
    )
    with pytest.raises(MisreadError) as caught:
        machine.session.run()
    assert caught.value.reread
    assert machine.world.rig.moves == ()
    assert machine.world.rig.state == state
    assert machine.phases[-1] is Phase.FAILED
    assert isinstance(machine.events[-1], Ended)


def test_a_slipped_face_is_noticed(solve: Solve) -> None:
    """The camera, not the count of moves, decides whether the cube is solved."""
    machine = Machine(solve, random_state(np.random.default_rng(5)))

    class Slipping(RigReader):
        def glance(self) -> tuple[Frame, ...]:
            machine.world.rig.state = CubeState.from_facelets(SOLVED_FACELETS).apply(
                machine.world.rig.moves[-1]
            )
            return super().glance()

    slipping = Slipping(RigScan(default_rig(), machine.world.views), machine.world.cameras)
    machine.session = Session(
        solve,
        machine.rig,
        reader=slipping,
        checker=slipping,
        driver=machine.driver,
        settle=lambda _: None,
    )
    with pytest.raises(NotVerifiedError, match="not solved"):
        machine.session.run()


CORNERS = Corners(
    cut=33.0, anti_cut=29.0, cut_after_half=33.0, anti_cut_after_half=29.0, opposite=33.0
)
"""As `calibrate motors` finds them on the virtual rig."""


@pytest.mark.parametrize("seed", [11, 12])
def test_corners_that_are_cut_too_wide_jam_the_cube_and_are_noticed(
    solve: Solve, seed: int
) -> None:
    state = random_state(np.random.default_rng(seed))
    machine = Machine(solve, state, corners=CORNERS)
    machine.session.run()
    assert machine.world.rig.state == SOLVED
    assert machine.world.rig.jams == 0
    machine = Machine(solve, state, corners=CORNERS.widened(5))
    with pytest.raises(NotVerifiedError, match="not solved"):
        machine.session.run()
    assert machine.world.rig.jams > 0
    assert machine.phases[-2:] == [Phase.VERIFY, Phase.FAILED]


def test_a_program_is_planned_for_the_lanes_of_its_board(solve: Solve) -> None:
    corners = Corners(cut=33.0, anti_cut=20.0, **dict.fromkeys(PAIR_KEYS, 15.0))
    state = random_state(np.random.default_rng(13))
    for lanes in (2, 4):
        machine = Machine(solve, state, corners=corners, lanes=lanes)
        plan = machine.session.run()
        assert plan.program == machine.rig.plan(plan.solution.moves, lanes)
        pairs = [step for step in plan.program.steps[1:] if len(step.turns) == 2]
        assert any(step.overlap_steps for step in pairs) == (lanes == 4)


def test_a_dry_run_turns_nothing(solve: Solve) -> None:
    state = random_state(np.random.default_rng(6))
    machine = Machine(solve, state)
    session = Session(solve, machine.rig, reader=machine.reader, checker=machine.reader)
    plan = session.run()
    assert plan.state == state
    assert machine.world.rig.state == state
    assert session.phase is Phase.DONE


def test_ctrl_c_while_turning_stops_at_a_detent(solve: Solve) -> None:
    machine = Machine(solve, random_state(np.random.default_rng(7)))

    def interrupt(event: Event) -> None:
        """Press Ctrl-C once, after the third step."""
        seen = [event for event in machine.events if isinstance(event, Turned)]
        machine.events.append(event)
        if isinstance(event, Turned) and len(seen) == 2:
            raise KeyboardInterrupt

    machine.session = Session(
        solve,
        machine.rig,
        reader=machine.reader,
        checker=machine.reader,
        driver=machine.driver,
        listeners=[interrupt],
    )
    with pytest.raises(StoppedError, match="detent"):
        machine.session.run()
    assert machine.session.phase is Phase.STOPPED
    turned = machine.world.rig.moves
    plan = solve(random_state(np.random.default_rng(7)))
    assert 3 <= len(turned) < len(plan.moves)
    machine.driver.prepare()
    machine.session.run()
    assert machine.world.rig.state == SOLVED


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        (Phase.SCAN, "stopped; nothing was turned"),
        (Phase.PLAN, "stopped; nothing was turned"),
        (Phase.VERIFY, "stopped"),
    ],
)
def test_ctrl_c_before_and_after_turning_says_what_was_turned(
    solve: Solve, phase: Phase, said: str
) -> None:
    state = SOLVED.apply(Move("R", 1))
    machine = Machine(solve, state)

    def interrupt(event: Event) -> None:
        if event == Entered(phase):
            raise KeyboardInterrupt

    machine.session = Session(
        solve,
        machine.rig,
        reader=machine.reader,
        checker=machine.reader,
        driver=machine.driver,
        listeners=[interrupt],
    )
    with pytest.raises(StoppedError) as stopped:
        machine.session.run()
    assert str(stopped.value) == said
    assert machine.world.rig.state == (SOLVED if phase is Phase.VERIFY else state)


def test_a_lossy_line_changes_nothing(solve: Solve) -> None:
    faults = Faults(drop=0.01, flip=0.01)
    machine = Machine(solve, random_state(np.random.default_rng(8)), faults)
    plan = machine.session.run()
    assert machine.world.rig.state == SOLVED
    assert machine.world.rig.moves == plan.program.moves.moves
