"""A solution and its division into the stages of the subgroup chain."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from cube.moves import Move, MoveSequence
from cube.orientation import orientations
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.stages.subgroup_chain import AXES, TABLE_CHAIN, Chain

STAGE_NAMES = ("G0>G1", "G1>G2", "G2>G3", "G3>G4")
FIVE_STAGE_NAMES = (
    "edges oriented",
    "corners oriented, middle slice filled",
    "corners in their orbits",
    "edges in their slices",
    "half turns only",
)


OF_INVERSE = "of the inverse, undone"
"""Suffix of the names of the inverse cube's stages."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The moves of one stage; all stages together are the solution."""

    name: str
    moves: MoveSequence


@dataclass(frozen=True, slots=True)
class Solution:
    """Moves that bring a state to a target, and how they were found.

    Attributes:
        state: The start.
        moves: The moves, simplified.
        target: The end.
        chain: The orientation of the chain in which the stages are reported.
        objective: Name of the minimised value.
        value: Cost of the moves by that objective.
        proven_optimal: Whether nothing cheaper exists.
        cpu_ms: Processor time of the search, all threads together.
        nodes: Positions searched.
        of_inverse: Whether the moves are a path of the inverse cube along the chain, reversed.
        excluded: The optimal search has shown that no solution has this number of turns or fewer.
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
    excluded: int = -1

    def __str__(self) -> str:
        return f"{self.moves} ({len(self.moves)} turns)".lstrip()

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The four stages G0>G1 to G3>G4; see `annotate`.

        For the inverse cube's path, they are that cube's stages in reverse order, each inverted,
        like the moves.
        """
        return self._divided(annotate)

    @property
    def five_stages(self) -> tuple[Stage, ...]:
        """The same moves in the five stages of S2; see `annotate_five`."""
        return self._divided(annotate_five)

    def for_held(self, state: CubeState, target: CubeState) -> "Solution | None":
        """Return this solution for a state that may be the same cube in another orientation.

        Args:
            state: The state.
            target: The wanted end.

        Returns:
            The solution; None if the state is another cube.
        """
        for held in orientations():
            moves = MoveSequence(
                tuple(Move(held.face_at(move.face), move.turns) for move in self.moves)
            )
            if state.apply(moves) == target:
                axes = (AXES[Move(held.face_at(axis), 1).axis] for axis in self.chain.axes)
                chain = Chain("".join(axes))
                return replace(self, state=state, moves=moves, target=target, chain=chain)
        return None

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
    """Divide any solution into stages: each ends when the cube is in its subgroup for good.

    A turn that belongs to two stages (the last one of a stage merged with the first one of the
    next) counts for the earlier stage, which it completes. Stages may be empty; together they are
    always the whole solution.

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

    Like `annotate`, but the third stage (corners into their orbits) ends when the corners first get
    there inside G2: they may leave again while the fourth stage brings the edges into their slices.

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
    """Return the level before the first and after each move, relabelled by the target."""
    here = target.inverse() * state
    levels = [level(here)]
    for move in moves:
        here = here.apply(move)
        levels.append(level(here))
    if here != SOLVED:
        raise SolverError(f"the moves {moves} do not lead to the target, so they have no stages")
    return levels


def _for_good(levels: list[int], level: int) -> int:
    """Return the first index from which the level never falls below the given one."""
    below = [place for place, here in enumerate(levels) if here < level]
    return below[-1] + 1 if below else 0


def _cut(moves: MoveSequence, ends: list[int], names: tuple[str, ...]) -> tuple[Stage, ...]:
    starts = [0, *ends[:-1]]
    cuts = zip(names, starts, ends, strict=True)
    return tuple(Stage(name, moves[start:end]) for name, start, end in cuts)
