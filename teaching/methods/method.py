"""The interface of a method: steps from a state to the solved cube, each with its purpose."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from cube.moves import MoveSequence
from cube.pieces import CORNERS, EDGES
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.stages.subgroup_chain import Chain
from solver.stages.thistlethwaite import require_solvable
from teaching.wording import Sayable, Wording, plural
from thistlebot.words.words import Words


@dataclass(frozen=True, slots=True)
class CosetPlace:
    """The place of a cube among all cosets that a stage of a chain distinguishes.

    Attributes:
        distance: The fewest turns of the stage to its goal.
        counts: The number of cosets at each distance, from 0.
    """

    distance: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MethodStep:
    """One stage of a method, in face turns only.

    Attributes:
        name: Name of the stage, in English.
        caption: Its purpose, one or more sentences.
        moves: Its turns; none if nothing is left to do.
        pieces: The pieces concerned, by the names of their home places.
        settles: The invariant or condition that holds from its end on; after ``nothing yet`` what
            is still to be done at its end.
        chain: The orientation in which it is a stage of a chain; None for other steps.
        place: The place of the cube among the cosets of the stage; None if there is no table.
    """

    name: str
    caption: Sayable
    moves: MoveSequence
    pieces: tuple[str, ...]
    settles: Sayable
    chain: Chain | None = None
    place: CosetPlace | None = None

    def title(self, words: Words) -> str:
        """Return its name in a language."""
        key = f"method.step_{re.sub('[^a-z]+', '_', self.name)}"
        return words(key) if words.has(key) else self.name


class SolvingMethod(Protocol):
    """A way to solve a cube, stage by stage.

    The steps depend only on the state, so an interrupted solve can continue from any state.
    """

    @property
    def name(self) -> str:
        """The name on the command line."""

    def steps(self, state: CubeState) -> Iterator[MethodStep]:
        """Return the steps from a solvable state to the solved cube.

        Raises:
            SolverError: The method does not reach that far.
        """


@dataclass(frozen=True, slots=True)
class Walk:
    """A solve by a method, replayed."""

    method: str
    state: CubeState
    steps: tuple[MethodStep, ...]
    cpu_ms: float

    @property
    def chain(self) -> Chain | None:
        """The orientation in which its steps are stages of a chain; None for other steps."""
        return self.steps[0].chain if self.steps else None

    @property
    def moves(self) -> MoveSequence:
        """Return all turns, merged between stages."""
        moves = (move for step in self.steps for move in step.moves)
        return MoveSequence.of(moves).simplified()


def walk(method: SolvingMethod, state: CubeState) -> Walk:
    """Solve a state and replay the steps.

    Raises:
        InvalidCubeError: Face turns cannot solve the state.
        SolverError: The method does not reach that far, or its steps are wrong (a check).
    """
    require_solvable(state)
    started = time.thread_time()
    steps = tuple(method.steps(state))
    cpu_ms = 1000 * (time.thread_time() - started)
    here = state
    for step in steps:
        here = here.apply(step.moves)
    if here != SOLVED:
        raise SolverError(f"the steps of the method {method.name} do not solve the cube")
    return Walk(method.name, state, steps, cpu_ms)


def moved_pieces(before: CubeState, after: CubeState) -> tuple[str, ...]:
    """Return names of the pieces with another place or orientation than before, corners first."""
    change = before.inverse() * after
    corners = [
        CORNERS[before.corner_permutation[i]]
        for i in range(8)
        if change.corner_permutation[i] != i or change.corner_orientation[i]
    ]
    edges = [
        EDGES[before.edge_permutation[i]]
        for i in range(12)
        if change.edge_permutation[i] != i or change.edge_orientation[i]
    ]
    return (*corners, *edges)


def turned(state: CubeState) -> tuple[str, ...]:
    """Return names of the pieces whose angle is not 0, corners first."""
    corners = zip(state.corner_permutation, state.corner_orientation, strict=True)
    edges = zip(state.edge_permutation, state.edge_orientation, strict=True)
    names = [CORNERS[piece] for piece, angle in corners if angle]
    return (*names, *(EDGES[piece] for piece, angle in edges if angle))


def count(pieces: tuple[str, ...], kind: str) -> Wording:
    """Return their number with the noun, such as ``4 edges``."""
    return plural(f"method.{kind}", len(pieces))


def settled(after: CubeState, text: Sayable) -> Sayable:
    """Return what a step settles, and whether the cube is then solved."""
    return Wording("method.solved", {"text": text}) if after == SOLVED else text


def misplaced(state: CubeState) -> tuple[str, ...]:
    """Return names of the pieces that are not solved, corners first."""
    return moved_pieces(SOLVED, state.inverse())
