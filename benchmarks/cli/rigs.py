"""The verb `bench rigs`: the speed of other kinds of machines, compared with programs by others.

It also contains the ways in which other programs turn a solution into their machine's actions.

- CUBOTino's translator: for each face a fixed sequence of flips, spins and layer turns that leaves
  the holder in the middle; spins that cancel each other are dropped afterwards, and two flips at
  certain ends. Described in `Cubotino_T_moves.py` (AndreaFavero71/cubotino).
- Claws: a fixed sequence for each move, after which the cube has the same orientation
  (twinone/rubik-robot).
- Five motors: the move of the face without one is replaced by thirteen turns of the others
  (anshgandhi4/rubiks-cube-solver-robot).
"""

import re
import statistics
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated

import numpy as np
import typer

from benchmarks.report import Report, Row
from cube.moves import Move, MoveSequence
from cube.orientation import Orientation
from cube.random_states import random_state
from cube.state import CubeState
from robot.rigs.action_machine.mechanism import NAMES, shipped
from robot.rigs.action_machine.paths import Holding, TurnlessPaths
from robot.rigs.action_machine.planner import Planner
from robot.rigs.action_machine.transitions import MachineState, StateGraph, Stride
from robot.rigs.catalogue import default_rig
from solver.goal import Goal
from solver.search.anytime import candidates, solve
from solver.search.objectives import SearchTables
from thistlebot.cli import options
from thistlebot.errors import UsageError
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.ready_solver import ready_solver
from thistlebot.terminal.screen import Screen

FLIP, SPIN_ON, SPIN_BACK, LAYER_ON, LAYER_BACK = "F", "S+", "S-", "R+", "R-"
_ROWS = {
    "U1": "F F R- S+",
    "U2": "F F R- S+ R- S+",
    "U3": "F F S- R+",
    "D1": "R- S+",
    "D2": "R- S+ R- S+",
    "D3": "S- R+",
    "F1": "F R- S+",
    "F2": "F R- S+ R- S+",
    "F3": "F S- R+",
    "B1": "F F F R- S+",
    "B2": "F F F R- S+ R- S+",
    "B3": "F F F S- R+",
    "L1": "S+ F F F R-",
    "L2": "S+ F F F R- S+ R-",
    "L3": "S- F R+",
    "R1": "S+ F R-",
    "R2": "S+ F R- S+ R-",
    "R3": "S- F F F R+",
}
"""The actions for a move at a place of the machine; the holder starts and ends in the middle."""
_TURNED = {FLIP: "x'", SPIN_ON: "y", SPIN_BACK: "y'", LAYER_ON: "", LAYER_BACK: ""}
_THIRTEEN = "R L F2 B2 R' L' D R L F2 B2 R' L'"
"""U, turned by the five other faces."""
FACE_MS, CUBE_TURN_MS = 2000, 3000
"""Four claws: a quarter turn of a face, and of the whole cube, with all actions that it needs."""


def cradle_actions(moves: MoveSequence) -> list[str]:
    """Translate moves as CUBOTino does, for a cube in its usual orientation.

    Returns: `FLIP`, spins of the cube and turns of the lowest layer, each of these by a quarter on
        or back.
    """
    held = Orientation()
    actions: list[str] = []
    for move in moves:
        row = _ROWS[held.place_of(move.face) + str(move.turns)].split()
        for action in row:
            held = held.turned(_TURNED[action])
        actions += row
    return _shorter_end(_without_vain_spins(actions))


def _without_vain_spins(actions: list[str]) -> list[str]:
    """Drop a spin and the reverse spin that follows it; once, from the left."""
    kept, place = [], 0
    while place < len(actions):
        if sorted(actions[place : place + 2]) == [SPIN_ON, SPIN_BACK]:
            place += 2
            continue
        kept.append(actions[place])
        place += 1
    return kept


def _shorter_end(actions: list[str]) -> list[str]:
    """Turn two opposite faces at the end in the other order, if that saves two flips."""
    text = " ".join(actions)
    found = re.fullmatch(r"(.* )?F F F ([^F]+) F F \2", text)
    return f"{found[1] or ''}F {found[2]} F F {found[2]}".split() if found else actions


def cradle_strides(machine: StateGraph, actions: Iterable[str]) -> list[Stride]:
    """Have a machine with a holder and a cover run these actions, opening and closing in between.

    Raises:
        ValueError: It cannot: the holder would leave its range.
    """
    holder, cover = machine.names.index("holder"), machine.names.index("cover")
    places = machine.rig.variables["cover"].places
    strides: list[Stride] = []
    state = machine.start

    def go(number: int, place: int) -> MachineState:
        for stride in machine.strides[state]:
            wanted = [(number, state[number], place)]
            if [change for deed in stride.deeds for change in deed.change] == wanted:
                strides.append(stride)
                return stride.after
        raise ValueError(f"the machine cannot do this action: {machine.text(state)}")

    for action in actions:
        if action == FLIP:
            if places[state[cover]] == "flipped":
                state = go(cover, places.index("open"))
            state = go(cover, places.index("flipped"))
            continue
        needed = places.index("open" if action in (SPIN_ON, SPIN_BACK) else "closed")
        if state[cover] != needed:
            state = go(cover, needed)
        state = go(holder, state[holder] + (1 if action in (SPIN_ON, LAYER_ON) else -1))
    return strides


def claws_ms(moves: Iterable[Move]) -> int:
    """Return the time of four claws for moves, each by its fixed sequence."""
    turns = 0
    for move in moves:
        turns += FACE_MS * abs(move.quarter_turns)
        turns += 2 * CUBE_TURN_MS if move.face in "UD" else 0
    return turns


def without_upper_motor(moves: MoveSequence) -> MoveSequence:
    """Replace every move of U by thirteen turns with the same effect."""
    replaced: list[Move] = []
    for move in moves:
        if move.face != "U":
            replaced.append(move)
            continue
        replaced += [
            Move("D", move.turns) if other.face == "D" else other
            for other in MoveSequence.parse(_THIRTEEN)
        ]
    return MoveSequence.of(replaced)


KOCIEMBA_TURNS = 21
"""Programs of Kociemba's method stop at the first solution of at most this number of turns."""


class RigRatio(Row):
    """A machine's times, compared with a fixed translation.

    Attributes:
        rig: The machine.
        states: Number of states solved.
        mean_s: Modelled time of our programs.
        others_s: The same for the fixed translation; None if there is none.
        mean_ratio: Mean of ours by theirs.
        worst_ratio: The largest one.
        goal: The goal for the mean; None if there is none.
        met: Whether the goal is met, and no state is slower.
    """

    rig: Annotated[str, "<14"]
    states: int
    mean_s: float
    others_s: float | None = None
    mean_ratio: Annotated[float | None, ".3f"] = None
    worst_ratio: Annotated[float | None, ".3f"] = None
    goal: float | None = None
    met: bool = True


def rigs(
    states: Annotated[int, typer.Option(metavar="N", min=1, help="Number of random states.")] = 200,
    only: Annotated[
        str, typer.Option("--rig", metavar="NAME", help="Measure this machine only. Default: all.")
    ] = "",
    budget_ms: Annotated[
        float, typer.Option("--budget-ms", metavar="MS", help="Processor time per solution.")
    ] = 100.0,
    seed: options.Seed = 1,
    json: options.Json = False,
) -> None:
    """Plan solutions for all kinds of machines, and compare them with fixed programs of others.

    CUBOTino's translator and the fixed sequences of four claws start from a solution of at most 21
    turns by Kociemba's method. Times are modelled.
    """
    known = (*NAMES, "five")
    if only not in ("", *known):
        raise UsageError(f"--rig {only!r}: choose one of {', '.join(known)}")
    report = Report(json=json, guides=False)
    drawn = np.random.default_rng(seed)
    cubes = [random_state(drawn) for _ in range(states)]
    report.show(_measured(cubes, budget_ms, only, report))


def _measured(
    cubes: list[CubeState], budget_ms: float, only: str, report: Report
) -> Iterator[RigRatio]:
    tables = _solving(budget_ms, report.screen).tables()
    for name in NAMES:
        if only in ("", name):
            yield _machine(name, cubes, tables, budget_ms, report)
    if only in ("", "five"):
        yield _five(cubes, tables, _solving(budget_ms, report.screen, "U"), budget_ms, report)


def _solving(budget_ms: float, screen: Screen, forbidden: str = "") -> Solving:
    approach = Approach(goal=Goal.HTM, budget_ms=budget_ms, forbidden=forbidden)
    return ready_solver(approach, default_rig(), screen)


def _machine(
    name: str, cubes: list[CubeState], tables: SearchTables, budget_ms: float, report: Report
) -> RigRatio:
    machine = StateGraph(shipped(name))
    planner = Planner(TurnlessPaths(Holding(machine), (machine.start,)))
    others = _others(name, machine)
    ours_ms, theirs_ms = [], []

    def search(state: CubeState, budget_ms: float) -> MoveSequence:
        return solve(state, tables=tables, budget_ms=budget_ms).moves

    for state in report.track(cubes, name):
        found = candidates(state, search, budget_ms=budget_ms, most=_MOST.get(name, 0))
        ours_ms.append(min(map(planner.time_ms, found)))
        if others is not None:
            theirs_ms.append(others(_kociemba(state, tables, budget_ms)))
    return _ratio(name, ours_ms, theirs_ms, _GOALS.get(name))


_GOALS = {"cubotino": 0.78, "cubotino-fast": 0.78, "four-claws": 0.75}
_MOST = {"cubotino": 11, "cubotino-fast": 11, "mindcub3r": 11, "three": 11, "claws": 3}
"""Maximum number of further solutions to plan; fewer where planning takes long."""


def _others(name: str, machine: StateGraph) -> Callable[[MoveSequence], float] | None:
    if name.startswith("cubotino"):
        return lambda moves: sum(
            stride.time_ms for stride in cradle_strides(machine, cradle_actions(moves))
        )
    return claws_ms if name == "four-claws" else None


def _kociemba(state: CubeState, tables: SearchTables, budget_ms: float) -> MoveSequence:
    """Return the first solution that is short enough."""
    found: list[MoveSequence] = []
    best = solve(
        state,
        tables=tables,
        budget_ms=budget_ms,
        on_better=lambda solution: found.append(solution.moves),
    )
    short = (moves for moves in found if len(moves) <= KOCIEMBA_TURNS)
    return next(short, best.moves)


def _five(
    cubes: list[CubeState],
    tables: SearchTables,
    solving: Solving,
    budget_ms: float,
    report: Report,
) -> RigRatio:
    """Compare solutions that never turn U with those in which other turns replace it."""
    rig = default_rig()
    ours_ms, theirs_ms = [], []
    for state in report.track(cubes, "five"):
        without = solving(state).moves
        replaced = without_upper_motor(_kociemba(state, tables, budget_ms))
        ours_ms.append(1000 * rig.plan(without).time_s)
        theirs_ms.append(1000 * rig.plan(replaced.simplified()).time_s)
    return _ratio("five", ours_ms, theirs_ms, 1.0)


def _ratio(name: str, ours_ms: list[float], theirs_ms: list[float], goal: float | None) -> RigRatio:
    mean_s = statistics.mean(ours_ms) / 1000
    if not theirs_ms:
        return RigRatio(name, len(ours_ms), round(mean_s, 3))
    ratios = [ours / theirs for ours, theirs in zip(ours_ms, theirs_ms, strict=True)]
    mean, worst = statistics.mean(ratios), max(ratios)
    met = goal is None or (mean <= goal and worst <= 1.0)
    told = (mean_s, statistics.mean(theirs_ms) / 1000, mean, worst)
    mean_s, others_s, mean, worst = (round(value, 3) for value in told)
    return RigRatio(name, len(ours_ms), mean_s, others_s, mean, worst, goal, met)
