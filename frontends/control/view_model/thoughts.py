"""The machine's thoughts: what each stage of its plan reduces to zero, and its present value."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cube.errors import ThistlebotError
from cube.facelets import Facelets
from cube.laws import Orbit, orbit_of
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from frontends.control.view_model.view import ShownPlan, ViewModel
from solver.coordinates import rank_permutations, square_corners
from solver.cubies import Cubies
from solver.stages.subgroup_chain import TABLE_CHAIN, Chain

STAGES = (
    ("flipped_edges",),
    ("twisted_corners", "slice_edges"),
    ("corner_orbit", "edge_slices"),
    ("pieces",),
)
"""The values that the stages reduce to zero, as `Gauge.name`."""
LAWS = ("twist", "flip", "parity")
"""The three invariants, in the order of `Orbit`."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """A value that a stage reduces to zero.

    Attributes:
        name: What is counted, as named in ``show.toml``.
        left: Present value.
        most: Maximum value.
    """

    name: str
    left: int
    most: int


@dataclass(frozen=True, slots=True)
class Thoughts:
    """A cube in terms of the subgroup chain.

    Attributes:
        level: Number of the smallest subgroup that contains it, 0 to 4; 4 is the target itself.
        stages: What each of the four stages reduces to zero.
        orbit: The three invariants, which turns cannot change; all 0 for a solvable cube.
    """

    level: int
    stages: tuple[tuple[Gauge, ...], ...]
    orbit: Orbit


def thoughts_of(view: ViewModel) -> Thoughts | None:
    """Analyse the cube of a view; None if it is unknown or invalid.

    The chain is that of the plan, and the cube is relabelled by the plan's target, so the values
    also reach zero for a pattern.
    """
    if view.cube.facelets is None:
        return None
    try:
        return _thoughts(view.cube.facelets, view.plan)
    except ThistlebotError:
        return None  # misread stickers may not form a cube


def makes_pattern(view: ViewModel) -> bool:
    """Return whether the plan leads to another state than the solved cube."""
    target = _aim(view.plan)[1] if view.plan.stages else None
    return target is not None and target != SOLVED


@lru_cache(maxsize=64)
def _thoughts(facelets: str, plan: ShownPlan) -> Thoughts:
    state = CubeState.from_facelets(Facelets(facelets))
    chain, target = _aim(plan)
    here = state if target is None else target.inverse() * state
    cubies = chain.seen(here)
    return Thoughts(chain.level(here), _stages(cubies), orbit_of(state))


def _stages(cubies: Cubies) -> tuple[tuple[Gauge, ...], ...]:
    """Count what is left, in the orientation of the tables (`solver.stages.solution`)."""
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
    """Count edges of the two other slices that are not in their own one."""
    places, edges = np.arange(8), cubies.edges[:8]
    return int(np.count_nonzero((edges >= 8) | ((edges ^ places) & 1 == 1)))


@lru_cache(maxsize=8)
def _aim(plan: ShownPlan) -> tuple[Chain, CubeState | None]:
    """Find the orientation of the chain in a plan, and the plan's target."""
    if plan.before is None or not plan.moves:
        return TABLE_CHAIN, None
    state = CubeState.from_facelets(Facelets(plan.before))
    moves = MoveSequence.parse(" ".join(move for _, those in plan.stages for move in those))
    target = state.apply(MoveSequence.parse(" ".join(plan.moves)))
    if not plan.stages or state.apply(moves) != target:
        return TABLE_CHAIN, None  # given moves have no target
    return Chain(plan.chain), target
