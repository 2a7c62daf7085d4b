"""What the machine has in mind: what each stage of its plan brings to zero, and how far that is."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cube.errors import ThistlebotError
from cube.facelets import Facelets
from cube.laws import Orbit, orbit_of
from cube.moves import MoveSequence
from cube.state import CubeState
from solver.coordinates import rank_permutations, square_corners
from solver.cubies import Cubies
from solver.stages.chain import ALL_CHAINS, TABLE_CHAIN, Chain
from solver.stages.solution import annotate
from thistlebot.control.showing.view import ShownPlan, ViewModel

STAGES = (
    ("flipped_edges",),
    ("twisted_corners", "slice_edges"),
    ("corner_orbit", "edge_slices"),
    ("pieces",),
)
"""What each stage brings to zero, as `Gauge.name`."""
LAWS = ("twist", "flip", "parity")
"""The three invariants, in the order of `Orbit`."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """Something that a stage brings to zero.

    Attributes:
        name: What is counted, as ``show.toml`` names it.
        left: How many there are now.
        most: How many there can be.
    """

    name: str
    left: int
    most: int


@dataclass(frozen=True, slots=True)
class Thoughts:
    """A cube as the subgroup chain sees it.

    Attributes:
        level: Number of the smallest subgroup that holds it, 0 to 4; 4 is the target itself.
        stages: What each of the four stages brings to zero.
        orbit: The three invariants, which no turn changes; all 0 for a cube that can be solved.
    """

    level: int
    stages: tuple[tuple[Gauge, ...], ...]
    orbit: Orbit


def thoughts_of(view: ViewModel) -> Thoughts | None:
    """Look at the cube of a view; None when it is not known, or is no cube.

    The chain is that of the plan, and the cube is seen from the plan's target: a pattern that is
    being made goes to zero, too.
    """
    if view.cube.facelets is None:
        return None
    try:
        return _thoughts(view.cube.facelets, view.plan)
    except ThistlebotError:
        return None  # stickers that were misread may be no cube


@lru_cache(maxsize=64)
def _thoughts(facelets: str, plan: ShownPlan) -> Thoughts:
    state = CubeState.from_facelets(Facelets(facelets))
    chain, target = _aim(plan)
    here = state if target is None else target.inverse() * state
    cubies = chain.seen(here)
    return Thoughts(chain.level(here), _stages(cubies), orbit_of(state))


def _stages(cubies: Cubies) -> tuple[tuple[Gauge, ...], ...]:
    """Count what is left, in the orientation of the tables (`solver.stages.chain`)."""
    arranged = square_corners()[rank_permutations(cubies.corners[None])[0]] >= 0
    corners = np.count_nonzero(cubies.corners != np.arange(8))
    edges = np.count_nonzero(cubies.edges != np.arange(12))
    return (
        (Gauge("flipped_edges", int(np.count_nonzero(cubies.flips)), 12),),
        (
            Gauge("twisted_corners", int(np.count_nonzero(cubies.twists)), 8),
            Gauge("slice_edges", int(np.count_nonzero(cubies.edges[8:] < 8)), 4),
        ),
        (
            Gauge("corner_orbit", int(not arranged), 1),
            Gauge("edge_slices", _in_wrong_slice(cubies), 8),
        ),
        (Gauge("pieces", int(corners + edges), 20),),
    )


def _in_wrong_slice(cubies: Cubies) -> int:
    """Edges of the two other slices that are not in their own one."""
    places, edges = np.arange(8), cubies.edges[:8]
    return int(np.count_nonzero((edges >= 8) | ((edges ^ places) & 1 == 1)))


@lru_cache(maxsize=8)
def _aim(plan: ShownPlan) -> tuple[Chain, CubeState | None]:
    """Find the orientation of the chain that a plan was divided by, and where the plan leads."""
    if plan.before is None or not plan.moves:
        return TABLE_CHAIN, None
    state = CubeState.from_facelets(Facelets(plan.before))
    told = [(name, " ".join(moves)) for name, moves in plan.stages]
    moves = MoveSequence.parse(" ".join(move for _, those in told for move in those.split()))
    target = state.apply(MoveSequence.parse(" ".join(plan.moves)))
    if not told or state.apply(moves) != target:
        return TABLE_CHAIN, None  # moves that were given aim at nothing
    for chain in (TABLE_CHAIN, *ALL_CHAINS):
        stages = annotate(state, moves, chain, target)
        if [(stage.name, str(stage.moves)) for stage in stages] == told:
            return chain, target
    return TABLE_CHAIN, target
