"""A solution and its division into the stages of the subgroup chain."""

from collections.abc import Callable
from dataclasses import dataclass

from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.stages.chain import FIVE_STAGE_NAMES, STAGE_NAMES, TABLE_CHAIN, Chain

OF_INVERSE = "of the inverse, undone"
"""What the names of stages end with that the inverse cube walks."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The moves of one stage; together the stages' moves are the solution."""

    name: str
    moves: MoveSequence


@dataclass(frozen=True, slots=True)
class Solution:
    """Moves that bring a state to a target, and how they were found.

    Attributes:
        state: The state they start from.
        moves: The moves, simplified.
        target: The state they end in.
        chain: The orientation of the chain in which the stages are reported.
        objective: Name of what was minimised.
        value: What the moves cost by that objective.
        proven_optimal: Whether nothing cheaper exists.
        cpu_ms: Processor time of the search, all threads together.
        nodes: Positions that the search looked at.
        of_inverse: The moves are a walk of the inverse cube along the chain, read backwards.
    """

    state: CubeState
    moves: MoveSequence
    target: CubeState = SOLVED
    chain: Chain = TABLE_CHAIN
    objective: str = "htm"
    value: float = 0.0
    proven_optimal: bool = False
    cpu_ms: float = 0.0
    nodes: int = 0
    of_inverse: bool = False

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The four stages G0>G1 to G3>G4; see `annotate`.

        Of a walk of the inverse cube they are that cube's stages, and come in the other order,
        each undone, as the moves do.
        """
        return self._divided(annotate)

    @property
    def five_stages(self) -> tuple[Stage, ...]:
        """The same moves in the five stages of S2; see `annotate_five`."""
        return self._divided(annotate_five)

    def _divided(
        self, divide: Callable[[CubeState, MoveSequence, Chain, CubeState], tuple[Stage, ...]]
    ) -> tuple[Stage, ...]:
        if not self.of_inverse:
            return divide(self.state, self.moves, self.chain, self.target)
        relative = self.target.inverse() * self.state
        walked = divide(relative.inverse(), self.moves.inverse(), self.chain, SOLVED)
        return tuple(
            Stage(f"{stage.name} {OF_INVERSE}", stage.moves.inverse()) for stage in reversed(walked)
        )


def annotate(
    state: CubeState, moves: MoveSequence, chain: Chain = TABLE_CHAIN, target: CubeState = SOLVED
) -> tuple[Stage, ...]:
    """Divide any solution into stages: each ends where the cube lies in its subgroup for good.

    A turn that belongs to two stages at a seam (the last one of a stage merged with the first one
    of the next) falls to the earlier stage, which that turn brings to its end. Stages may be
    empty; together they are always the whole solution.

    Raises:
        SolverError: The moves do not lead from the state to the target.
    """
    levels = _levels(state, moves, target, chain.level)
    ends = [_for_good(levels, level) for level in range(1, 5)]
    return _cut(moves, ends, STAGE_NAMES)


def annotate_five(
    state: CubeState, moves: MoveSequence, chain: Chain = TABLE_CHAIN, target: CubeState = SOLVED
) -> tuple[Stage, ...]:
    """Divide any solution into the five stages of S2.

    As `annotate`, but the third stage (corners into their orbits) ends where the corners first
    get there inside G2: they may leave again while the fourth stage brings the edges into their
    slices.

    Raises:
        SolverError: The moves do not lead from the state to the target.
    """
    levels = _levels(state, moves, target, chain.five_level)
    second, fourth = _for_good(levels, 2), _for_good(levels, 4)
    third = next(i for i in range(second, len(levels)) if levels[i] >= 3)
    return _cut(moves, [_for_good(levels, 1), second, third, fourth, len(moves)], FIVE_STAGE_NAMES)


def _levels(
    state: CubeState, moves: MoveSequence, target: CubeState, level: Callable[[CubeState], int]
) -> list[int]:
    """The level before the first and after each move, in the cube relabelled by the target."""
    here = target.inverse() * state
    levels = [level(here)]
    for move in moves:
        here = here.apply(move)
        levels.append(level(here))
    if here != SOLVED:
        raise SolverError(f"the moves {moves} do not lead to the target, so they have no stages")
    return levels


def _for_good(levels: list[int], level: int) -> int:
    """The first place from which on the level is never below the one asked for."""
    below = [place for place, here in enumerate(levels) if here < level]
    return below[-1] + 1 if below else 0


def _cut(moves: MoveSequence, ends: list[int], names: tuple[str, ...]) -> tuple[Stage, ...]:
    starts = [0, *ends[:-1]]
    cuts = zip(names, starts, ends, strict=True)
    return tuple(Stage(name, moves[start:end]) for name, start, end in cuts)
