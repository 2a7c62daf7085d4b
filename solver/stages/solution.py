"""A solution and its division into the stages of the subgroup chain.

The chain of subgroups that Thistlethwaite's method walks, in every orientation of the cube.

G0 is the whole group; G1 has no quarter turns about a first axis, G2 none about a second, G3 half
turns only, G4 is the solved cube. Which axis comes first is a choice of orientation: the tables
are made for "FRU" (Kociemba's edge convention), S2 drops U and D first, then F and B ("UFR").
Membership (S3): G1 needs every edge oriented; G2 also every corner and the edges of one slice in
their slice; G3 also the corners in an arrangement that half turns reach and each edge in its slice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations

import numpy as np

from cube.moves import FACES, Move, MoveSequence
from cube.state import SOLVED, CubeState
from solver.coordinates import rank_permutations, square_corners
from solver.cubies import Cubies, conjugate_moves, of_state, symmetries
from solver.errors import SolverError

AXES = "URF"
STAGE_NAMES = ("G0>G1", "G1>G2", "G2>G3", "G3>G4")
FIVE_STAGE_NAMES = (
    "edges oriented",
    "corners oriented, middle slice filled",
    "corners in their orbits",
    "edges in their slices",
    "half turns only",
)


@dataclass(frozen=True, slots=True)
class Chain:
    """An orientation of the chain, named by the axes in the order in which they lose quarter turns.

    Attributes:
        axes: A permutation of ``URF``, each letter standing for its face and the opposite one.

    Raises:
        SolverError: No such permutation.
    """

    axes: str = "FRU"

    def __post_init__(self) -> None:
        if sorted(self.axes) != sorted(AXES):
            raise SolverError(f"a chain names the axes U, R and F once each, not {self.axes!r}")

    def allows(self, move: Move, subgroup: int) -> bool:
        """Whether a turn is one of the generators of G0, G1, G2 or G3 (subgroup 0 to 3)."""
        return move.turns == 2 or AXES[move.axis] not in self.axes[:subgroup]

    def seen(self, state: CubeState) -> Cubies:
        """The state in the orientation for which the tables are made."""
        symmetry = symmetries()[self.symmetry]
        return symmetry * of_state(state) * symmetry.inverse()

    @property
    def symmetry(self) -> int:
        """Number of the rotation that brings this chain into the tables' orientation."""
        return _rotation(self.axes)

    def level(self, state: CubeState) -> int:
        """The number of the smallest subgroup, 0 to 4, that holds the state."""
        return (0, 1, 2, 2, 3, 4)[self.five_level(state)]

    def five_level(self, state: CubeState) -> int:
        """How many of S2's five stages the state has behind it, 0 to 5."""
        cubies = self.seen(state)
        if cubies.flips.any():
            return 0
        if cubies.twists.any() or (cubies.edges[8:] < 8).any():
            return 1
        if square_corners()[rank_permutations(cubies.corners[None])[0]] < 0:
            return 2
        if ((cubies.edges[:8] ^ np.arange(8)) & 1).any():
            return 3
        return 5 if cubies.same_as(symmetries()[0]) else 4


TABLE_CHAIN = Chain("FRU")
S2_CHAIN = Chain("UFR")
ALL_CHAINS = tuple(Chain("".join(axes)) for axes in permutations("FRU"))


@cache
def _rotation(axes: str) -> int:
    """A rotation (even symmetry number: no mirror) that takes the axes to F, R and U."""
    wanted = [AXES.index(axis) for axis in "FRU"]
    turns = [3 * FACES.index(axis) for axis in axes]
    moved = conjugate_moves()[:, turns] // 3 % 3
    fits = np.flatnonzero((moved == wanted).all(axis=1))
    return int(fits[fits % 2 == 0][0])


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


def chain_of(solution: Solution, told: Sequence[tuple[str, str]]) -> Chain | None:
    """Find the orientation in which a solution was told by stages.

    Args:
        solution: The solution; its own orientation does not count.
        told: Name and moves of each stage.

    Returns:
        The first orientation with these stages; None when there is none.
    """
    for chain in ALL_CHAINS:
        stages = replace(solution, chain=chain).stages
        if [(stage.name, str(stage.moves)) for stage in stages] == list(told):
            return chain
    return None


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
