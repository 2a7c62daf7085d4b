"""Every method solves, can be taken up again after any step, and turns single faces only."""

from collections.abc import Callable

import numpy as np
import pytest
from cubes import RANDOM_CUBES, TWISTED, cube
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.moves import MoveSequence
from cube.pieces import CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.stages.stage_tables import StageTables
from solver.stages.subgroup_chain import ALL_CHAINS, S2_CHAIN, Chain
from solver.tables import TableStore
from teaching.methods.blind_search import BlindSearch
from teaching.methods.catalogue import ENTRIES, NAMES, load_method
from teaching.methods.chain import thistlethwaite
from teaching.methods.chain.chain_stages import by_iddfs, by_table, five_stages, four_stages
from teaching.methods.chain.stage_invariants import invariants
from teaching.methods.chain.thistlethwaite import solve_stage
from teaching.methods.method import SolvingMethod, walk
from thistlebot.words.words import load_words

NEAR = MoveSequence.parse("R U' F2")


@pytest.fixture(scope="module", params=[entry.name for entry in ENTRIES])
def method(request: pytest.FixtureRequest, store: TableStore) -> SolvingMethod:
    return load_method(request.param, store)


def start(method: SolvingMethod, seed: int = 5) -> CubeState:
    """A state that the method reaches."""
    anywhere = {entry.name: entry.any_state for entry in ENTRIES}[method.name]
    return cube(seed) if anywhere else SOLVED.apply(NEAR)


def test_a_method_solves_and_can_be_taken_up_after_any_step(method: SolvingMethod) -> None:
    state = start(method)
    steps = walk(method, state).steps
    assert steps
    here = state
    again = set(range(len(steps))[:: max(1, len(steps) // 4)])
    for number, step in enumerate(steps):
        assert step.name
        for language in ("en", "fr", "ru"):
            words = load_words(language)
            assert step.title(words)
            assert step.caption.text(words).endswith(".")
            assert step.settles.text(words)
        assert set(step.pieces) <= {*CORNERS, *EDGES}
        here = here.apply(step.moves)
        if number in again:
            assert here.apply(walk(method, here).moves) == SOLVED
    assert here == SOLVED


def test_a_solved_cube_needs_no_step_and_one_that_no_turns_solve_is_refused(
    method: SolvingMethod,
) -> None:
    assert not walk(method, SOLVED).steps
    with pytest.raises(InvalidCubeError):
        walk(method, TWISTED)


def test_unknown_methods_and_deep_states_are_refused() -> None:
    # S5: deeper states are out of reach
    with pytest.raises(SolverError, match=r"\b3\b"):
        walk(BlindSearch("backtracking", 3), cube(7))
    with pytest.raises(SolverError, match=r"'roux'.*layers"):
        load_method("roux")
    assert len(set(NAMES)) == len(ENTRIES)


def test_search_and_table_agree_on_every_stage(stage_tables: StageTables) -> None:
    for stages in (four_stages(stage_tables), five_stages(stage_tables)):
        for state in map(cube, range(5)):
            here = state
            for stage in stages:
                ours = [
                    solve_stage(stage, here, Chain(), search) for search in (by_table, by_iddfs)
                ]
                assert len(ours[0]) == len(ours[1])
                here = here.apply(ours[0])
            assert here == SOLVED


def test_five_stages_in_one_orientation_take_what_s2_says(stage_tables: StageTables) -> None:
    method = thistlethwaite.Thistlethwaite("s2", five_stages(stage_tables), by_table, (S2_CHAIN,))
    lengths = [
        sum(len(step.moves) for step in method.steps(state)) for state in map(cube, range(60))
    ]
    assert np.mean(lengths) == pytest.approx(36.23, abs=1.0)  # S2: over 100 solves


def test_each_stage_keeps_to_the_turns_that_are_left(stage_tables: StageTables) -> None:
    for method in thistlethwaite.thistlethwaite_methods(stage_tables):
        dropped = (0, 1, 2, 2, 3) if method.five else (0, 1, 2, 3)
        steps = walk(method, cube(8)).steps
        assert len(steps) == len(dropped)
        fitting = [
            chain
            for chain in ALL_CHAINS
            if all(
                chain.allows(move, gone)
                for step, gone in zip(steps, dropped, strict=True)
                for move in step.moves
            )
        ]
        assert fitting


OPPOSITE = dict(zip("URFDLB", "DLBURF", strict=True))


def pieces_where(
    state: CubeState, kind: tuple[str, ...], wrong: Callable[[str, str], bool]
) -> set[str]:
    """Return the pieces for which a test of place and letters shown there, in its order, holds."""
    text, facelets = state.to_facelets().text, CORNER_FACELETS if kind is CORNERS else EDGE_FACELETS
    shown = ["".join(text[i] for i in places) for places in facelets]
    names = {frozenset(name): name for name in kind}
    both = zip(kind, shown, strict=True)
    return {names[frozenset(letters)] for place, letters in both if wrong(place, letters)}


def mark(name: str, axes: str) -> int:
    """Return which sticker of a piece is marked: on the first of some axes, else on the next."""
    pairs = ({axis, OPPOSITE[axis]} for axis in axes)
    return next(i for pair in pairs for i, face in enumerate(name) if face in pair)


def between(edge: str) -> str:
    """Return the axis on whose faces an edge has no sticker: the edge is in the slice between."""
    return next(axis for axis in "URF" if not {axis, OPPOSITE[axis]} & set(edge))


def tetrad(corner: str) -> int:
    return sum(face in "DLB" for face in corner) % 2


@settings(max_examples=30)
@given(RANDOM_CUBES, st.sampled_from(ALL_CHAINS))
def test_invariants_are_those_of_marked_stickers(state: CubeState, chain: Chain) -> None:  # S3
    found, (first, second, last) = invariants(state, chain), chain.axes

    def turned(kind: tuple[str, ...], axes: str) -> set[str]:
        return pieces_where(state, kind, lambda a, b: mark(a, axes) != mark(b, axes))

    slices = pieces_where(state, EDGES, lambda a, b: between(a) != between(b))
    assert set(found.flipped) == turned(EDGES, second + first)
    assert set(found.twisted) == turned(CORNERS, last)
    assert set(found.outside_slices) == slices
    assert set(found.outside_middle) == {edge for edge in slices if between(edge) == last}
    tetrads = pieces_where(state, CORNERS, lambda a, b: tetrad(a) != tetrad(b))
    assert set(found.outside_tetrads) == tetrads
    assert (not found.flipped) == (chain.level(state) >= 1)
