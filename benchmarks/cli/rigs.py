"""The verb `bench rigs`: how quick machines of other kinds are, beside what others have them do."""

import statistics
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Annotated

import numpy as np
import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from benchmarks.rigs import fixed_programs
from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import CubeState
from robot.rigs.action_machine.deeds import StateGraph
from robot.rigs.action_machine.planner import Planner
from robot.rigs.action_machine.shipped import NAMES, shipped
from robot.rigs.action_machine.ways import Holding, TurnlessPaths
from robot.rigs.catalogue import default_rig
from solver.goal import Goal
from solver.search.anytime import candidates, solve
from solver.search.objectives import SearchTables
from thistlebot.cli.options import declared as options
from thistlebot.cli.tables import wait_for_tables
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.records import to_line
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.screen import Screen

KOCIEMBA_TURNS = 21
"""Programs of Kociemba's method stop at the first solution of so many turns or fewer."""


@dataclass(frozen=True, slots=True)
class RigRatio:
    """How a machine does beside a fixed way of using it.

    Attributes:
        rig: The machine.
        states: How many states were solved.
        mean_s: Modelled time of our programs.
        others_s: The same of the fixed way; None where there is none.
        mean_ratio: Mean of ours by theirs.
        worst_ratio: The largest one.
        goal: The goal for the mean; None if there is none.
        met: Whether it is met, and no state is slower.
    """

    rig: str
    states: int
    mean_s: float
    others_s: float | None = None
    mean_ratio: float | None = None
    worst_ratio: float | None = None
    goal: float | None = None
    met: bool = True


def rigs(
    states: Annotated[int, typer.Option(metavar="N", min=1, help="Random states.")] = 200,
    only: Annotated[
        str, typer.Option("--rig", metavar="NAME", help="One machine; all unless given.")
    ] = "",
    budget_ms: Annotated[
        float, typer.Option("--budget-ms", metavar="MS", help="Processor time for a solution.")
    ] = 100.0,
    seed: options.Seed = 1,
    json: options.Json = False,
) -> None:
    """Plan for machines of all kinds, beside the fixed programs that others turn.

    CUBOTino's translator and four claws' rows begin with a solution of 21 turns at most, as
    Kociemba's method finds it. Times are modelled.
    """
    known = (*NAMES, "five")
    if only not in ("", *known):
        raise UsageError(f"--rig {only!r}: the machines are {', '.join(known)}")
    screen, missed = Screen(quiet=json), []
    drawn = np.random.default_rng(seed)
    cubes = [random_state(drawn) for _ in range(states)]
    for found in _measured(cubes, budget_ms, only, screen):
        screen.line(_line(found))
        if json:
            typer.echo(to_line(asdict(found)))
        if not found.met:
            missed.append(found.rig)
    screen.line(f"goals missed: {', '.join(missed) if missed else 'none'}")


def _measured(
    cubes: list[CubeState], budget_ms: float, only: str, screen: Screen
) -> Iterator[RigRatio]:
    tables = _solving(budget_ms, screen).tables()
    for name in NAMES:
        if only in ("", name):
            yield _machine(name, cubes, tables, budget_ms, screen)
    if only in ("", "five"):
        yield _five(cubes, tables, _solving(budget_ms, screen, "U"), budget_ms)


def _solving(budget_ms: float, screen: Screen, forbidden: str = "") -> Solving:
    approach = Approach(goal=Goal.HTM, budget_ms=budget_ms, forbidden=forbidden)
    cache = Folders.of_platform().cache
    solving = Solving(cache, approach, default_rig(), screen.note, build=True)
    wait_for_tables(solving, screen)
    return solving


def _machine(
    name: str, cubes: list[CubeState], tables: SearchTables, budget_ms: float, screen: Screen
) -> RigRatio:
    machine = StateGraph(shipped(name))
    planner = Planner(TurnlessPaths(Holding(machine), (machine.start,)))
    others = _others(name, machine)
    ours_ms, theirs_ms = [], []

    def search(state: CubeState, budget_ms: float) -> MoveSequence:
        return solve(state, tables=tables, budget_ms=budget_ms).moves

    columns = TextColumn(name), BarColumn(), MofNCompleteColumn()
    with screen.progress(*columns) as progress:
        for state in progress.track(cubes):
            found = candidates(state, search, budget_ms=budget_ms, most=_MOST.get(name, 0))
            ours_ms.append(min(map(planner.time_ms, found)))
            if others is not None:
                theirs_ms.append(others(_kociemba(state, tables, budget_ms)))
    return _ratio(name, ours_ms, theirs_ms, _GOALS.get(name))


_GOALS = {"cubotino": 0.78, "cubotino-fast": 0.78, "four-claws": 0.75}
_MOST = {"cubotino": 11, "cubotino-fast": 11, "mindcub3r": 11, "three": 11, "claws": 3}
"""Further solutions that are planned for; where planning takes long, fewer."""


def _others(name: str, machine: StateGraph) -> Callable[[MoveSequence], float] | None:
    if name.startswith("cubotino"):
        return lambda moves: sum(
            stride.time_ms
            for stride in fixed_programs.cradle_strides(
                machine, fixed_programs.cradle_actions(moves)
            )
        )
    return fixed_programs.claws_ms if name == "four-claws" else None


def _kociemba(state: CubeState, tables: SearchTables, budget_ms: float) -> MoveSequence:
    """Return the first solution of few enough turns."""
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
    cubes: list[CubeState], tables: SearchTables, solving: Solving, budget_ms: float
) -> RigRatio:
    """Compare solutions that never turn U with those in which other turns replace it."""
    rig = default_rig()
    ours_ms, theirs_ms = [], []
    for state in cubes:
        without = solving(state).moves
        replaced = fixed_programs.without_upper_motor(_kociemba(state, tables, budget_ms))
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
    others_s = statistics.mean(theirs_ms) / 1000
    return RigRatio(
        name,
        len(ours_ms),
        round(mean_s, 3),
        round(others_s, 3),
        round(mean, 3),
        round(worst, 3),
        goal,
        met,
    )


def _line(found: RigRatio) -> str:
    text = f"{found.rig:<14} {found.mean_s:>8.2f} s"
    if found.others_s is None:
        return text
    goal = "" if found.goal is None else f"  goal {found.goal:g} {'✓' if found.met else 'MISSED'}"
    return (
        f"{text}  fixed {found.others_s:>8.2f} s"
        f"  ratio {found.mean_ratio:.3f}, worst {found.worst_ratio:.3f}{goal}"
    )
