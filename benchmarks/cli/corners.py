"""The verb `bench corners`: the time that corner cutting saves, and what too wide angles do.

It measures what corner cutting saves on the virtual rig, and whether the virtual cube is realistic.
"""

import math
import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Annotated

import msgspec
import numpy as np
import typer

from benchmarks.report import Figure, Report
from calibration.corners import CornerCalibration
from cube.moves import ALL_MOVES, FACES, Move, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from robot.ports.port import SimulatedClock
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import NO_CORNERS, PAIR_KEYS, SINGLE_KEYS, Corners
from robot.rigs.face_motors.transitions import LANES
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig
from solver.goal import Goal
from thistlebot.cli import options
from thistlebot.solving.approach import Approach
from thistlebot.terminal.ready_solver import ready_solver
from thistlebot.terminal.screen import Screen


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """The outcome of a program on the virtual rig.

    Attributes:
        time_s: Its planned time.
        jams: How often a face was in another one's way.
        lost: How often a motor lost steps for another reason.
        right: Whether a camera would see what was planned.
    """

    time_s: float
    jams: int
    lost: int
    right: bool


class _SeeThrough:
    """Looks through the lid of a virtual rig, and aligns its faces."""

    def __init__(self, virtual: VirtualRig) -> None:
        self._virtual = virtual

    def state(self) -> CubeState:
        return self._virtual.state

    def align(self, _face: str) -> None:
        self._virtual.state = SOLVED

    def note(self, text: str) -> None:
        """Ignore a message."""


def calibrated(rig: FaceMotors, lanes: int) -> FaceMotors:
    """Measure the corners of a rig with a virtual cube, in simulated time.

    Raises:
        CalibrationError: No angle is safe.
    """
    virtual, driver = _connected(rig, lanes)
    bench = _SeeThrough(virtual)
    calibration = CornerCalibration(driver, rig, bench, bench, lanes)
    calibration.find_all()
    return calibration.verify()


def keys_for(lanes: int) -> tuple[str, ...]:
    """Return the transitions that overlap on a board with this number of step lanes."""
    return SINGLE_KEYS + (PAIR_KEYS if lanes > LANES else ())


def play(rig: FaceMotors, sequence: MoveSequence, lanes: int) -> ProgramResult:
    """Turn a sequence on a virtual rig with a solved cube in it."""
    virtual, driver = _connected(rig, lanes)
    program = rig.plan(sequence, lanes)
    driver.run(program)
    right = virtual.state == SOLVED.apply(sequence)
    return ProgramResult(program.time_s, virtual.jams, virtual.slips - virtual.jams, right)


def quarter_turns(rng: random.Random, count: int) -> MoveSequence:
    """Draw quarter turns, each on a different axis from the previous one; six use all faces."""
    faces = rng.sample(FACES, len(FACES))
    while not all(_cross(*pair) for pair in pairwise(faces)):
        faces = rng.sample(FACES, len(FACES))
    while len(faces) < count:
        faces.append(rng.choice([face for face in FACES if _cross(face, faces[-1])]))
    return MoveSequence.of(Move(face, rng.choice((1, 3))) for face in faces[:count])


def random_moves(rng: random.Random, count: int) -> MoveSequence:
    """Draw turns of any kind, with neighbours on one axis simplified."""
    drawn = MoveSequence.of(rng.choice(ALL_MOVES) for _ in range(2 * count)).simplified()
    return MoveSequence(drawn.moves[:count])


def _cross(one: str, other: str) -> bool:
    return (FACES.index(one) - FACES.index(other)) % 3 != 0


def _connected(rig: FaceMotors, lanes: int) -> tuple[VirtualRig, RigDriver]:
    clock = SimulatedClock()
    virtual = VirtualRig(rig, clock, lanes=lanes)
    driver = RigDriver(virtual, rig, clock, seed=1)
    driver.connect()
    driver.prepare()
    return virtual, driver


CUT_DEG, ANTI_CUT_DEG = 45.0, 15.0
"""A cube that cuts corners well, except where a face follows one that turns the same way."""
LEAST_SAVED = 6.0
TURNS = 20
SOLUTIONS = 20
TOO_WIDE_DEG = 5.0
BOARDS = {2: "two lanes", 4: "four lanes"}


def corners(
    programs: Annotated[
        int, typer.Option(metavar="N", min=20, help="Number of programs to test for jams.")
    ] = 1000,
    objective: options.Objective = Goal.HTM,
    budget_ms: Annotated[
        float, typer.Option("--budget-ms", metavar="MS", help="Processor time per solution.")
    ] = 100.0,
    states: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Number of cubes to solve with and without the transitions."
        ),
    ] = 40,
    seed: options.Seed = 1,
    json: options.Json = False,
) -> None:
    """Calibrate corner cutting on the virtual default rig; turn programs with and without it.

    The rotors and the cube are models; the time is simulated. If corners are cut 5 degrees too
    wide, the cube has to jam, and the camera has to see that it differs from the plan. The
    benchmark compares a search that uses all transitions with the same search when it ignores them;
    both solutions are then planned with the transitions. The standard error shows how much the
    result depends on the random cubes.
    """
    report = Report(json=json, guides=False)
    screen = report.screen
    solving = ready_solver(Approach(goal=objective, budget_ms=budget_ms), default_rig(), screen)
    rng = np.random.default_rng(seed)
    solutions = [solving(random_state(rng)).moves for _ in range(SOLUTIONS)]
    cubes = [random_state(rng) for _ in range(states)]
    figures = measure(solutions, programs, random.Random(seed))
    report.show(chain(figures, compare(cubes, budget_ms, screen)))


def measure(solutions: list[MoveSequence], programs: int, rng: random.Random) -> Iterator[Figure]:
    """Measure everything, figure by figure."""
    plain = default_rig()
    for lanes, name in BOARDS.items():
        rig = calibrated(plain, lanes)
        for key in ("cut", "anti_cut"):
            yield Figure(f"{name}: calibrated {key}", getattr(rig.corners, key), "°")
        if lanes == 2:
            yield from _quarter_turns(rig, rng)
        yield from _solutions(rig, solutions, lanes)
        yield from _many(rig, programs // len(BOARDS), lanes, rng)
        yield from _too_wide(rig, solutions, lanes)


def compare(cubes: list[CubeState], budget_ms: float, screen: Screen) -> Iterator[Figure]:
    """Compare searches for the least time with and without knowledge of the transitions."""
    if not cubes:
        return
    plain = default_rig()
    for name, lanes, rig in cutting_rigs():
        times_ms = [
            np.array([1000 * rig.plan(moves, lanes).time_s for moves in found])
            for found in _moves((plain, rig), cubes, budget_ms, screen, lanes)
        ]
        means_ms = [float(times.mean()) for times in times_ms]
        share, told = 100 * (1 - means_ms[1] / means_ms[0]), f"{name}: least time"
        yield Figure(f"{told}, transitions ignored", round(means_ms[0], 1), "ms")
        yield Figure(f"{told}, searched with them", round(means_ms[1], 1), "ms")
        yield Figure.at_least(f"{told}, quicker by", share, LEAST_SAVED, "%", 1)
        if len(cubes) > 1:
            error_ms = (times_ms[0] - times_ms[1]).std(ddof=1) / math.sqrt(len(cubes))
            error = round(100 * float(error_ms) / means_ms[0], 2)
            yield Figure(f"{told}, standard error of that", error, "%")


def cutting_rigs() -> Iterator[tuple[str, int, FaceMotors]]:
    """The default rig on each board, with its name and lanes: calibrated, and with other angles."""
    plain = default_rig()
    for lanes, board in BOARDS.items():
        yield f"{board}, calibrated", lanes, calibrated(plain, lanes)
        steep = Corners(**{key: _steep_deg(key) for key in keys_for(lanes)})
        told = f"{board}, {CUT_DEG:g}° and {ANTI_CUT_DEG:g}°"
        yield told, lanes, msgspec.structs.replace(plain, corners=steep)


def _moves(
    rigs: Sequence[FaceMotors],
    cubes: list[CubeState],
    budget_ms: float,
    screen: Screen,
    lanes: int,
) -> list[list[MoveSequence]]:
    """Solve cubes for the least time on rigs.

    Each cube is solved on one rig after the other, so that all find the computer equally busy. Each
    search first solves one cube that does not count, because it waits for its tables to be loaded.
    """
    approach = Approach(goal=Goal.TIME, budget_ms=budget_ms)
    found: list[list[MoveSequence]] = [[] for _ in rigs]
    solvings = [ready_solver(approach, rig, screen, lambda: lanes) for rig in rigs]
    for solving in solvings:
        solving(cubes[0])
    for cube in cubes:
        for solving, moves in zip(solvings, found, strict=True):
            moves.append(solving(cube).moves)
    return found


def _steep_deg(key: str) -> float:
    return CUT_DEG if key.startswith("cut") else ANTI_CUT_DEG


def _quarter_turns(rig: FaceMotors, rng: random.Random) -> Iterator[Figure]:
    drawn = [quarter_turns(rng, TURNS) for _ in range(SOLUTIONS)]
    plain = msgspec.structs.replace(rig, corners=NO_CORNERS)
    before_ms = 1000 * plain.plan(drawn[0]).time_s
    yield Figure(f"{TURNS} single quarter turns, without overlap", round(before_ms, 1), "ms")
    turned = [play(rig, moves, 2) for moves in drawn]
    times_ms = [1000 * each.time_s for each in turned]
    whole = all(each.right and not each.jams for each in turned)
    for which, time_ms in (("mean", statistics.mean(times_ms)), ("slowest", max(times_ms))):
        met = time_ms <= 500 and whole
        name = f"{TURNS} single quarter turns, corners cut, {which} of {len(drawn)}"
        yield Figure(name, round(time_ms, 1), "ms", "≤ 500", met)


def _solutions(rig: FaceMotors, solutions: list[MoveSequence], lanes: int) -> Iterator[Figure]:
    name = BOARDS[lanes]
    plain = msgspec.structs.replace(rig, corners=NO_CORNERS)
    turns = statistics.mean(map(len, solutions))
    before_s = statistics.mean(plain.plan(moves, lanes).time_s for moves in solutions)
    turned = [play(rig, moves, lanes) for moves in solutions]
    after_s = statistics.mean(each.time_s for each in turned)
    whole = all(each.right and not each.jams for each in turned)
    share = 100 * (1 - after_s / before_s)
    told = f"{name}: {len(solutions)} solutions of {turns:.1f} turns"
    yield Figure(f"{told}, without overlap", round(1000 * before_s, 1), "ms")
    yield Figure(f"{told}, corners cut", round(1000 * after_s, 1), "ms")
    yield Figure(f"{told}, quicker by", round(share, 1), "%", "≥ 25", whole and share >= 25)


def _many(rig: FaceMotors, programs: int, lanes: int, rng: random.Random) -> Iterator[Figure]:
    wrong = 0
    for _ in range(programs):
        turned = play(rig, random_moves(rng, 18), lanes)
        wrong += bool(turned.jams or turned.lost or not turned.right)
    name = f"{BOARDS[lanes]}: programs of {programs} with a jam or a lost step"
    yield Figure(name, wrong, "", "0", wrong == 0)


def _too_wide(rig: FaceMotors, solutions: list[MoveSequence], lanes: int) -> Iterator[Figure]:
    wide = msgspec.structs.replace(rig, corners=rig.corners.widened(TOO_WIDE_DEG))
    turned = [play(wide, moves, lanes) for moves in solutions]
    jammed = [each for each in turned if each.jams]
    told = f"{BOARDS[lanes]}, {TOO_WIDE_DEG:g}° too wide: solutions of {len(turned)}"
    yield Figure(f"{told} that jam", len(jammed), "", "some", bool(jammed))
    unseen = sum(each.right for each in jammed)
    yield Figure(f"{told} that jam unseen", unseen, "", "0", unseen == 0)
