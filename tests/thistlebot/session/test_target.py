"""Targets other than the solved cube: what they are, and sessions that bring cubes there."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mortal_host import Paper

from cube.errors import InvalidCubeError
from cube.moves import FACES, MoveSequence
from cube.orientation import Orientation, facelet_places, orientations
from cube.patterns import PATTERNS, find_pattern
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.errors import PortMissingError
from robot.ports.clock import SimulatedClock
from robot.rigs.catalogue import named_rig
from robot.rigs.mechanism import Mechanism
from robot.running.driver import RigDriver
from robot.virtual.faults import Faults
from solver.stages.stage_tables import load_stage_tables
from solver.stages.thistlethwaite import ThistlethwaiteSolver
from solver.tables import TableStore
from thistlebot.errors import NotVerifiedError, UnsolvableCubeError, UsageError
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_scan import RigScan
from thistlebot.looking.rig_views import load_rig_views
from thistlebot.runs.events import Diagnosed, Event, Planned, Turned, Verified
from thistlebot.session.session import Session
from thistlebot.session.target import Target
from thistlebot.session.virtual_world import VirtualWorld
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solve, Solving

Kind = TypeVar("Kind")
COLOURS = ("white", "red", "green", "yellow", "orange", "blue")
SCHEME = tuple(zip(FACES, COLOURS, strict=True))
SCRAMBLED = random_state(np.random.default_rng(41))
CUBE_IN_CUBE = Target.of("cube in cube")
states = st.builds(lambda seed: random_state(np.random.default_rng(seed)), st.integers(0, 2**32))


@pytest.fixture(scope="module")
def solve(cache_folder: Path) -> Solve:
    return ThistlethwaiteSolver(load_stage_tables(TableStore(cache_folder / "tables"))).solve


@given(states, states)
def test_a_solution_leads_from_the_state_to_the_target(
    solve: Solve, state: CubeState, wanted: CubeState
) -> None:
    solution = Target(wanted).solution(solve, state)
    assert solution.state == state
    assert solution.target == wanted
    assert state.apply(solution.moves) == wanted
    stages = [move for stage in solution.stages for move in stage.moves]
    assert MoveSequence.of(stages) == solution.moves


def test_whoever_searches_finds_the_way_to_a_target(cache_folder: Path) -> None:
    """The quickest of many on a machine that handles the cube, and five faces in place of six."""
    for rig in ("cubotino", "five"):
        solving = Solving(cache_folder, Approach(), named_rig(rig), build=rig == "five")
        solution = CUBE_IN_CUBE.solution(solving, SCRAMBLED)
        assert SCRAMBLED.apply(solution.moves) == CUBE_IN_CUBE.state
        assert {move.face for move in solution.moves} <= set(named_rig(rig).faces)


@given(states, st.sampled_from(orientations()))
def test_a_cube_that_is_held_otherwise_is_to_show_the_same_colours(
    wanted: CubeState, held: Orientation
) -> None:
    before, colour_of = Target(wanted, SCHEME), dict(SCHEME)
    scheme = tuple((place, colour_of[held.face_at(place)]) for place in FACES)
    after = before.named_as(scheme)
    shown = [dict(scheme)[letter] for letter in after.facelets.text]
    expected = [colour_of[before.facelets.text[each]] for each in facelet_places(held)]
    assert shown == expected
    assert after.named_as(SCHEME) == before


def test_a_cube_in_other_colours_keeps_the_places() -> None:
    other = tuple(zip(FACES, ("black", *COLOURS[1:]), strict=True))
    wanted = Target(SCRAMBLED, SCHEME)
    assert wanted.named_as(other) == Target(SCRAMBLED, other)
    assert wanted.named_as(()) == wanted
    mirrored = tuple(zip(FACES, ("white", "orange", "green", "yellow", "red", "blue"), strict=True))
    assert wanted.named_as(mirrored).state == SCRAMBLED


def test_a_target_is_a_pattern_or_54_letters() -> None:
    checkerboard = find_pattern("checkerboard")
    assert checkerboard is not None
    assert Target.of("Checker-Board").state == checkerboard.state
    letters = SCRAMBLED.to_facelets().text
    assert Target.of(f" {letters[:9]} {letters[9:]}").state == SCRAMBLED
    with pytest.raises(UsageError, match=r"no pattern 'chequers'; there are superflip"):
        Target.of("chequers")
    with pytest.raises(InvalidCubeError, match="53"):
        Target.of(letters[:-1])
    flipped = CubeState(tuple(range(8)), (0,) * 8, tuple(range(12)), (1, *(0,) * 11))
    with pytest.raises(UnsolvableCubeError, match="no turns"):
        Target.of(flipped.to_facelets().text)


def restless(rig: Mechanism) -> Mechanism:
    """The same machine, whose motors stay on however long its host is away."""
    return msgspec.structs.replace(rig, idle_timeout_ms=0)


class World:
    """A virtual machine before its cameras, and what its session published."""

    def __init__(
        self,
        solve: Solve,
        name: str,
        faults: Faults | None = None,
        target: Target = CUBE_IN_CUBE,
        journal: Paper | None = None,
    ) -> None:
        self.mechanism = restless(named_rig(name)) if journal else named_rig(name)
        self.clock = SimulatedClock()
        views = load_rig_views(self.mechanism, None, None, None)
        self.world = VirtualWorld(
            self.mechanism, SCRAMBLED, 3, self.clock, faults, views=views if views else ()
        )
        self.rig, self.journal, self.target = self.world.rig, journal, target
        self.driver = RigDriver(self.rig, self.mechanism, self.clock, seed=1, journal=journal)
        self.driver.connect()
        self.driver.prepare()
        self.solve = solve
        self.events: list[Event] = []
        self.on_event: Callable[[Event], None] = lambda _: None

    def session(self) -> Session:
        def listen(event: Event) -> None:
            self.events.append(event)
            self.on_event(event)

        scan = RigScan(self.mechanism, self.world.views)
        reader = RigReader(scan, self.world.cameras, lambda: self.driver)
        return Session(
            self.solve,
            self.mechanism,
            reader=reader,
            checker=reader,
            driver=self.driver,
            listeners=[listen],
            target=self.target,
            settle=self.clock.sleep,
        )

    def of(self, kind: type[Kind]) -> list[Kind]:
        return [event for event in self.events if isinstance(event, kind)]


@pytest.fixture(scope="module")
def five_faces(cache_folder: Path) -> Solve:
    return Solving(cache_folder, Approach(budget_ms=20.0), named_rig("five"), build=True)


@pytest.mark.parametrize("rig", ["six", "five", "cubotino-fast", "claws"])
@pytest.mark.parametrize("name", ["superflip", "cube in cube"])
def test_a_pattern_is_made_and_seen(solve: Solve, five_faces: Solve, rig: str, name: str) -> None:
    world = World(five_faces if rig == "five" else solve, rig, target=Target.of(name))
    plan = world.session().run()
    assert world.rig.state == Target.of(name).state
    assert plan.solution.target == plan.state.apply(plan.solution.moves)
    assert [(event.solved, event.reached) for event in world.of(Verified)] == [(False, True)]


def test_the_next_cube_is_brought_to_the_same_target(solve: Solve) -> None:
    world = World(solve, "six")
    session = world.session()
    for seed in range(2):
        world.rig.state = random_state(np.random.default_rng(seed))
        session.run()
        assert world.rig.state == CUBE_IN_CUBE.state
    session.run()
    assert world.of(Planned)[-1].solution["moves"] == ""


@pytest.mark.parametrize("move", [1, 6, 13])
def test_after_a_turn_that_was_dropped_the_plan_aims_at_the_target_again(
    solve: Solve, move: int
) -> None:
    world = World(solve, "six", Faults(loose_at_move=move))
    world.session().run()
    assert world.rig.state == CUBE_IN_CUBE.state
    assert len(world.of(Diagnosed)) == 1
    assert [event.reached for event in world.of(Verified)] == [False, True]
    assert {each.solution["target"] for each in world.of(Planned)} == {CUBE_IN_CUBE.facelets.text}


def test_a_cube_that_was_not_flipped_is_known_by_its_centres(solve: Solve) -> None:
    """It lies otherwise from there on, so the target has other names of faces."""
    sound = World(solve, "cubotino")
    begun = [-sound.rig.board.executed]
    sound.on_event = lambda event: (
        begun.append(sound.rig.board.executed) if isinstance(event, Planned) else None
    )
    program = sound.session().run().program
    for number in (3, -1):
        turns = sound.mechanism.cube_turns(program)
        flip = [turn for turn in turns if turn.does.startswith("flip")][number]
        world = World(solve, "cubotino", Faults(loose_at_move=sum(begun) + flip.step + 1))
        world.session().run()
        assert world.rig.state == CUBE_IN_CUBE.state
        assert len(world.of(Diagnosed)) == 1
        targets = [each.solution["target"] for each in world.of(Planned)]
        assert targets[0] != targets[1]


def test_a_target_that_is_not_reached_is_told_as_such(solve: Solve) -> None:
    world = World(solve, "six", Faults(slip_at_move=4))
    with pytest.raises(NotVerifiedError) as failed:
        world.session().run()
    assert "the cube is not as it was to be: " in str(failed.value)
    assert f"`thistlebot solve --to {CUBE_IN_CUBE.facelets}`" in str(failed.value)


def test_what_was_cut_off_is_finished_and_mended_to_the_target(solve: Solve) -> None:
    """The second host knows the target only by what the first one wrote down."""
    paper = Paper()
    world = World(solve, "six", Faults(loose_at_move=3), journal=paper)

    def pull(event: Event) -> None:
        if isinstance(event, Turned) and event.done == 5:
            world.rig.unplug(60.0)

    world.on_event = pull
    with pytest.raises(PortMissingError):
        world.session().run()
    assert paper.record is not None
    assert paper.record.target == CUBE_IN_CUBE.facelets
    world.on_event = lambda _: None
    world.clock.sleep(60.0)
    world.rig.reopen()
    world.driver = RigDriver(world.rig, world.mechanism, world.clock, seed=2, journal=paper)
    world.driver.connect()
    world.events.clear()
    world.target = Target()
    world.session().resume(paper.record)
    assert world.rig.state == CUBE_IN_CUBE.state
    assert [event.reached for event in world.of(Verified)] == [False, True]


def test_every_pattern_is_a_target() -> None:
    for pattern in PATTERNS:
        assert Target.of(pattern.slug).facelets == pattern.state.to_facelets()
    assert Target().state == SOLVED
