"""The optimal search: equal to plain enumeration, the same for all images, its tables."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from cubes import cube_after

from cube.moves import Move, MoveSequence
from cube.state import SOLVED, CubeState
from solver.cubies import Cubies, of_state, symmetries
from solver.search.optimal import OptimalSearch, OptimalTables, prove
from solver.search.tables.cosets import COSET_TABLE_SET
from solver.search.tables.prefixes import after_turns, symmetry_count, without_images
from solver.search.tables.pruning import PruningTable, grow
from solver.stages.solution import Solution
from solver.tables import TableStore

SMALL = PruningTable(0, 6)
TINY = PruningTable(0, 3, prefix=2)
LONG = MoveSequence.parse("R U F2 L' D B2 R' U2 F L2 D' B R2")


@pytest.fixture(scope="module")
def tables(store: TableStore) -> OptimalTables:
    grown = store.load(SMALL.tables)
    assert grown is not None
    return OptimalTables(SMALL, store.obtain(COSET_TABLE_SET).arrays, grown["grades"])


def scrambled(rng: np.random.Generator, length: int) -> CubeState:
    return SOLVED.apply(
        MoveSequence.of(Move.from_index(int(t)) for t in rng.integers(18, size=length))
    )


def moves_that_suffice(
    state: CubeState, tables: OptimalTables, *, every: bool = False
) -> tuple[MoveSequence, ...]:
    """All shortest solutions found, of lengths that are tried one after another."""
    search = OptimalSearch(state, tables, every=every)
    while not (found := search.of_length(search.excluded + 1)):
        pass
    assert all(state.apply(moves) == SOLVED for moves in found)
    return found


def plain_distance(state: CubeState, near: list[set[bytes]]) -> int:
    """The distance of a state, at most twice the radius of the known ones, by enumeration."""
    cubies = of_state(state)
    for turns in range(2 * len(near)):
        first = turns // 2
        rows = after_turns(cubies, first).cubies
        if any(row.tobytes() in near[turns - first] for row in rows):
            return turns
    raise AssertionError("it is farther away")


def test_distances_are_those_of_plain_enumeration(tables: OptimalTables) -> None:
    near = [
        {row.tobytes() for row in after_turns(of_state(SOLVED), turns).cubies} for turns in range(5)
    ]
    assert [len(states) for states in near] == [1, 18, 243, 3240, 43239]  # known numbers
    rng = np.random.default_rng(1)
    for length in (0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8):
        state = scrambled(rng, length)
        (moves, *_) = moves_that_suffice(state, tables)
        assert len(moves) == plain_distance(state, near)


def test_every_shortest_solution_is_found_once(tables: OptimalTables) -> None:
    for text in ("R L' U", "R2 L2 U2 D2", "R U R2 F"):
        state = SOLVED.apply(MoveSequence.parse(text).inverse())
        found = moves_that_suffice(state, tables, every=True)
        reached = after_turns(of_state(state), len(found[0]))
        solved = (reached.cubies == of_state(SOLVED).row()).all(axis=1)
        assert sorted([[m.index for m in moves] for moves in found]) == sorted(
            reached.turns[solved].tolist()
        )


def test_a_state_its_inverse_and_its_images_are_equally_far(tables: OptimalTables) -> None:
    state = cube_after("R U F2 L' D B2 R' U2 F L2")
    plain = len(moves_that_suffice(state, tables)[0])
    assert len(moves_that_suffice(state.inverse(), tables)[0]) == plain
    for number in (1, 16, 21, 47):
        seen = symmetries()[number] * of_state(state) * symmetries()[number].inverse()
        assert len(moves_that_suffice(state_of(seen), tables)[0]) == plain


def state_of(cubies: Cubies) -> CubeState:
    parts = (cubies.corners, cubies.twists, cubies.edges, cubies.flips)
    return CubeState(*(tuple(part.tolist()) for part in parts))


def test_a_symmetric_state_is_reduced_and_still_solved(tables: OptimalTables) -> None:
    state = cube_after("R2 L2 U2 D2 F2 B2 R L U D")
    assert symmetry_count(of_state(state)) > 1
    every = moves_that_suffice(state, tables, every=True)
    assert moves_that_suffice(state, tables)[0] in every
    after = after_turns(of_state(SOLVED), 3)
    assert len(without_images(after, inverses=False).turns) == 75  # known number


def test_an_answer_is_proven_and_bounds_are_told(tables: OptimalTables) -> None:
    state = SOLVED.apply(LONG.inverse())
    told: list[tuple[int, int]] = []
    detour = Solution(state, MoveSequence((*LONG, Move.from_index(9), Move.from_index(11))))
    search = OptimalSearch(state, tables, threads=2)
    best, _ = prove(
        search, detour, on_bounds=lambda found, _: told.append((len(found.moves), found.excluded))
    )
    assert best.proven_optimal
    assert told[0][0] == len(detour.moves)
    assert told[-1] == (len(best.moves), len(best.moves) - 1)
    again, every = prove(OptimalSearch(state, tables, every=True), replace(best, excluded=-1))
    assert again.moves == best.moves  # the bound need not be found again
    assert best.moves in every


def test_a_cancelled_proof_keeps_what_is_excluded(tables: OptimalTables) -> None:
    cancel = threading.Event()
    state = cube_after("R U F2 L' D B2 R' U2 F L2 D' B R2 U' L F2 D R B U2")
    first = Solution(state, MoveSequence((Move.from_index(0),) * 30))

    def stop_at_14(found: Solution, _next_s: float) -> None:
        if found.excluded >= 13:
            cancel.set()

    best, _ = prove(OptimalSearch(state, tables), first, on_bounds=stop_at_14, cancel=cancel)
    assert (best.moves, best.excluded, best.proven_optimal) == (first.moves, 13, False)


def test_threads_build_the_same_table_as_one(tables: OptimalTables) -> None:
    one, two = (grow(TINY, tables.cosets, threads)["grades"] for threads in (1, 2))
    assert np.array_equal(one, two)
    assert 0 < np.count_nonzero(one != np.uint8(255)) < len(one)


def test_an_interrupted_build_ends(tables: OptimalTables) -> None:
    def interrupted(_share: float) -> None:
        raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        grow(TINY, tables.cosets, 2, interrupted)
    assert threading.active_count() == before
