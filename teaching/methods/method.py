"""What a method is: steps from a state to the solved cube, each with its purpose."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from cube.moves import MoveSequence
from cube.pieces import CORNERS, EDGES
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.stages.solution import Chain
from solver.stages.thistlethwaite import require_solvable


@dataclass(frozen=True, slots=True)
class MethodStep:
    """One stage of a method, in face turns only.

    Attributes:
        name: What the stage is called.
        caption: What it is for, one sentence.
        moves: Its turns; none when the stage finds its work done.
        pieces: The pieces it is about, by the names of their home places.
        settles: Which invariant or condition holds at its end and at the end of every later step;
            after ``nothing yet`` what is still to be done when it ends.
        chain: The orientation in which it is a stage of a chain; None when it is none.
    """

    name: str
    caption: str
    moves: MoveSequence
    pieces: tuple[str, ...]
    settles: str
    chain: Chain | None = None


class SolvingMethod(Protocol):
    """A way to solve a cube, stage by stage.

    The steps depend on nothing but the state, so a solve that was interrupted goes on from
    whatever state the cube is in.
    """

    @property
    def name(self) -> str:
        """The name on the command line."""

    def steps(self, state: CubeState) -> Iterator[MethodStep]:
        """The steps from a solvable state to the solved cube.

        Raises:
            SolverError: The method does not reach that far.
        """


@dataclass(frozen=True, slots=True)
class Walk:
    """A solve by a method, replayed.

    Attributes:
        method: Its name.
        state: Where it starts.
        steps: The stages in order.
        cpu_ms: Processor time to find them.
    """

    method: str
    state: CubeState
    steps: tuple[MethodStep, ...]
    cpu_ms: float

    @property
    def chain(self) -> Chain | None:
        """The orientation in which its steps are stages of a chain; None when they are none."""
        return self.steps[0].chain if self.steps else None

    @property
    def moves(self) -> MoveSequence:
        """All turns, merged where two stages meet."""
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
    """Names of the pieces that lie elsewhere or otherwise than before, corners first."""
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
    """Names of the pieces whose angle is not 0, corners first."""
    corners = zip(state.corner_permutation, state.corner_orientation, strict=True)
    edges = zip(state.edge_permutation, state.edge_orientation, strict=True)
    names = [CORNERS[piece] for piece, angle in corners if angle]
    return (*names, *(EDGES[piece] for piece, angle in edges if angle))


def count(pieces: tuple[str, ...], kind: str) -> str:
    """How many there are, such as ``4 edges``."""
    return f"{len(pieces)} {kind}{'' if len(pieces) == 1 else 's'}"


def settled(after: CubeState, text: str) -> str:
    """What a step settles, and whether the cube is solved by that."""
    return f"{text}: the cube is solved" if after == SOLVED else text


def misplaced(state: CubeState) -> tuple[str, ...]:
    """Names of the pieces that are not at home as they should be, corners first."""
    return moved_pieces(SOLVED, state.inverse())
