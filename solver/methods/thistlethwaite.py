"""Thistlethwaite's method told by S3's invariants: four stages or S2's five, by table or search."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cube.moves import MoveSequence
from cube.state import CubeState
from solver.cubies import Cubies
from solver.methods.chain_stages import (
    ChainStage,
    by_iddfs,
    by_table,
    five_stages,
    four_stages,
    solve_stage,
)
from solver.methods.invariants import Invariants, axis_faces, invariants
from solver.methods.method import Step, misplaced
from solver.stages.chain import ALL_CHAINS, FIVE_STAGE_NAMES, STAGE_NAMES, Chain
from solver.stages.stage_tables import StageTables

Search = Callable[[ChainStage, Cubies], list[int]]
# what S2's five stages settle, by the number of the stage
_ANGLES, _MIDDLE, _ORBITS, _SLICES, _HOME = range(5)
_FOUR = ((_ANGLES,), (_MIDDLE,), (_ORBITS, _SLICES), (_HOME,))
_FIVE = ((_ANGLES,), (_MIDDLE,), (_ORBITS,), (_SLICES,), (_HOME,))


@dataclass(frozen=True, slots=True)
class Thistlethwaite:
    """One of the four forms of the method.

    Of the six orientations of the chain the one is taken in which the cube has come farthest, and
    of several such the one with the shortest solution.

    Attributes:
        name: The name on the command line.
        stages: The stages as coordinates.
        search: How a stage is solved.
        chains: Orientations to choose from.
    """

    name: str
    stages: tuple[ChainStage, ...]
    search: Search
    chains: tuple[Chain, ...] = ALL_CHAINS

    @property
    def five(self) -> bool:
        """Whether the stages are S2's five."""
        return len(self.stages) == len(_FIVE)

    def level(self, chain: Chain, state: CubeState) -> int:
        """How many stages the state has behind it."""
        return chain.five_level(state) if self.five else chain.level(state)

    def steps(self, state: CubeState) -> Iterator[Step]:
        """The stages that are left, shortest in turns of all orientations that have come as far."""
        levels = {chain: self.level(chain, state) for chain in self.chains}
        best = max(levels.values())
        if best == len(self.stages):
            return
        ways = [
            (chain, self._way(state, chain, best))
            for chain, level in levels.items()
            if level == best
        ]
        chain, moves = min(ways, key=lambda way: sum(map(len, way[1])))
        for number, turns in enumerate(moves, start=best):
            names, parts = (FIVE_STAGE_NAMES, _FIVE) if self.five else (STAGE_NAMES, _FOUR)
            yield told(names[number], parts[number], state, turns, chain)
            state = state.apply(turns)

    def _way(self, state: CubeState, chain: Chain, first: int) -> list[MoveSequence]:
        moves = []
        for stage in self.stages[first:]:
            moves.append(solve_stage(stage, state, chain, self.search))
            state = state.apply(moves[-1])
        return moves


def told(
    name: str, parts: tuple[int, ...], state: CubeState, moves: MoveSequence, chain: Chain
) -> Step:
    """A stage with its caption, the pieces concerned and the invariants that it settles.

    Args:
        name: Of the stage.
        parts: Those of S2's five stages that it does.
        state: Where it starts.
        moves: What it turns.
        chain: The orientation in which it is told.
    """
    explained = [explain(part, state, chain) for part in parts]
    pieces = dict.fromkeys(piece for _, found, _ in explained for piece in found)
    return Step(
        name,
        " ".join(caption for caption, _, _ in explained),
        moves,
        tuple(pieces),
        "; ".join(settles for _, _, settles in explained),
    )


def explain(part: int, state: CubeState, chain: Chain) -> tuple[str, tuple[str, ...], str]:
    """What one of S2's five stages (0 to 4) has to do in a state.

    Returns:
        A caption, the pieces concerned, and what is settled by it, in the terms of S3.
    """
    found = invariants(state, chain)
    first, second, third = (axis_faces(axis) for axis in chain.axes)
    return (_angles, _middle, _orbits, _slices, _home)[part](found, state, (first, second, third))


Told = tuple[str, tuple[str, ...], str]
Axes = tuple[str, str, str]


def _count(pieces: tuple[str, ...], kind: str) -> str:
    return f"{len(pieces)} {kind}{'' if len(pieces) == 1 else 's'}"


def _angles(found: Invariants, _state: CubeState, axes: Axes) -> Told:
    return (
        f"Turn over the {_count(found.flipped, 'edge')} whose angle is 180 degrees; after that "
        f"{axes[0]} make half turns only.",
        found.flipped,
        "every edge angle β is 0, which no turn changes that is still allowed (S3, Φ1)",
    )


def _middle(found: Invariants, _state: CubeState, axes: Axes) -> Told:
    return (
        f"Untwist {_count(found.twisted, 'corner')} and bring "
        f"{_count(found.outside_middle, 'edge')} into the slice between {axes[2]}; after that "
        f"{axes[1]} make half turns only, too.",
        found.twisted + found.outside_middle,
        f"every corner angle α is 0 and the slice between {axes[2]} holds its own edges (S3, Φ2)",
    )


def _orbits(found: Invariants, _state: CubeState, _axes: Axes) -> Told:
    twist = (
        f"δ = p∘q⁻¹ takes U R F to {' '.join(found.delta)}" if found.delta else "δ has no value yet"
    )
    return (
        f"Bring {_count(found.outside_tetrads, 'corner')} into their tetrads and make δ the "
        f"identity ({twist}), so that the corners are one of the 96 arrangements of half turns.",
        found.outside_tetrads,
        "both tetrads hold their own corners and δ = p∘q⁻¹ is the identity (S3, Φ3)",
    )


def _slices(found: Invariants, _state: CubeState, axes: Axes) -> Told:
    return (
        f"Bring {_count(found.outside_slices, 'edge')} into their slices; after that {axes[2]} "
        "make half turns only, too.",
        found.outside_slices,
        "every slice holds its own four edges (S3, Φ3)",
    )


def _home(_found: Invariants, state: CubeState, _axes: Axes) -> Told:
    pieces = misplaced(state)
    return (
        f"Bring the last {_count(pieces, 'piece')} home by half turns alone.",
        pieces,
        "every piece is at home: the cube is solved",
    )


def thistlethwaite_methods(tables: StageTables) -> tuple[Thistlethwaite, ...]:
    """Four stages and S2's five, each by table and by IDDFS."""
    four, five = four_stages(tables), five_stages(tables)
    return (
        Thistlethwaite("thistlethwaite", four, by_table),
        Thistlethwaite("thistlethwaite-iddfs", four, by_iddfs),
        Thistlethwaite("thistlethwaite-five", five, by_table),
        Thistlethwaite("thistlethwaite-five-iddfs", five, by_iddfs),
    )
