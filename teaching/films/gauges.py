"""S3's invariants of a cube as gauges: what Thistlethwaite's restrictions bring to zero in turn.

They are counted alike for every method, so that two methods can be seen side by side: one brings
them to zero one after the other, another all at the end.
"""

from cube.laws import Orbit, orbit_of
from cube.state import CubeState
from solver.stages.chain import ALL_CHAINS, FIVE_STAGE_NAMES, STAGE_NAMES, Chain
from teaching.films.film import FilmGauge, Kept, Level
from teaching.methods.invariants import axis_faces, invariants
from teaching.methods.method import Walk, misplaced

CUBE_GAUGES = (
    FilmGauge("Φ1", "β: edges turned over", 12),
    FilmGauge("Φ2", "α: corners twisted", 8),
    FilmGauge("Φ2", "edges off the middle slice", 4),
    FilmGauge("Φ3", "corners off their tetrads", 8),
    FilmGauge("Φ3", "δ: axes out of place", 3),
    FilmGauge("Φ3", "edges off their slices", 12),
    FilmGauge("home", "pieces not at home", 20),
)
_AXES = "URF"
_PHASES = {"G0>G2": 2, "G2>G4": 4}
_GIVEN_UP, _SLICE = "which only quarter turns of ", "the slice between "


def cube_levels(state: CubeState, chain: Chain) -> tuple[Level, ...]:
    """What `CUBE_GAUGES` show of a cube.

    Args:
        state: The cube.
        chain: In which orientation angles and slices are told.
    """
    found = invariants(state, chain)
    delta = len(_AXES) if not found.delta else sum(map(str.__ne__, found.delta, _AXES))
    return (
        *map(_counted, (found.flipped, found.twisted, found.outside_middle, found.outside_tetrads)),
        Level(delta, " ".join(found.delta) or "none yet"),
        *map(_counted, (found.outside_slices, misplaced(state))),
    )


def _counted(pieces: tuple[str, ...]) -> Level:
    return Level(len(pieces), str(len(pieces)))


def cube_laws(here: CubeState, there: CubeState) -> tuple[Kept, ...]:
    """A, B and ε of two states."""
    texts = ("A, sum of the corner angles", "B, sum of the edge angles", "ε, product of the signs")
    pairs = zip(texts, _said(orbit_of(here)), _said(orbit_of(there)), strict=True)
    return tuple(Kept(text, one, other) for text, one, other in pairs)


def _said(orbit: Orbit) -> tuple[str, str, str]:
    return f"{120 * orbit.corner_twist}°", f"{180 * orbit.edge_flip}°", f"{1 - 2 * orbit.parity:+d}"


def told_chain(walk: Walk) -> Chain | None:
    """The orientation in which a walk's stages are those of a chain; None when they are none."""
    for chain in ALL_CHAINS:
        here = walk.state
        for step in walk.steps:
            here = here.apply(step.moves)
            if not (_reached(step.name, here, chain) and _speaks_of(step.settles, chain)):
                break
        else:
            return chain if walk.steps and _names_stage(walk.steps[0].name) else None
    return None


def chain_text(chain: Chain) -> str:
    """How the gauges are to be read."""
    first, second, third = map(axis_faces, chain.axes)
    return f"Φ1: no quarter turns of {first}; Φ2: none of {second} either; Φ3: none of {third}."


def _names_stage(name: str) -> bool:
    return name in (*STAGE_NAMES, *FIVE_STAGE_NAMES, *_PHASES)


def _reached(name: str, state: CubeState, chain: Chain) -> bool:
    """Whether a state is where a stage of this name leads."""
    if name in FIVE_STAGE_NAMES:
        return chain.five_level(state) > FIVE_STAGE_NAMES.index(name)
    if name in STAGE_NAMES:
        return chain.level(state) > STAGE_NAMES.index(name)
    return chain.level(state) >= _PHASES.get(name, 0)


def _speaks_of(settles: str, chain: Chain) -> bool:
    """Whether the axes that a stage names are those of a chain."""
    first, _, last = map(axis_faces, chain.axes)
    given_up = _GIVEN_UP not in settles or f"{_GIVEN_UP}{first}" in settles
    return given_up and (_SLICE not in settles or f"{_SLICE}{last}" in settles)
