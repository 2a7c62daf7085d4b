"""Statements of the sources, checked on stickers in space and by sympy, then against the program.

The model is `sticker_cube`: points and directions that turn. It shares no code
with the program's cubes; groups are counted by sympy, or state by state.
"""

import math
from collections.abc import Iterable
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sticker_cube import FACES, SOLVED, Cube, after, pieces, read, straight, turn
from sympy.combinatorics import Permutation, PermutationGroup

from cube.held_moves import read_moves
from cube.laws import ORBITS, Orbit, examine
from cube.random_states import random_state
from cube.state import SOLVED as SOLVED_STATE
from cube.state import CubeState
from puzzles.algebra.positions import S1Position
from puzzles.groups.analysis import PATTERN, Analysis
from puzzles.groups.searches import solutions
from puzzles.groups.stabiliser_chain import StabiliserChain
from puzzles.kinds.box import Box
from puzzles.kinds.catalogue import puzzle_named
from teaching.methods.worked_example import SCRAMBLE, STAGES

F = math.factorial
ALL = F(8) * 3**8 * F(12) * 2**12
CORNERS = ["URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB"]
EDGES = ["UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR"]
QUARTERS = [face + suffix for face in FACES for suffix in ("", "'")]
WORDS = st.lists(st.sampled_from([face + s for face in FACES for s in ("", "2", "'")]), max_size=15)


def stickers_of(state: CubeState) -> Cube:
    return read(state.to_facelets().text)


def made(moves: str) -> CubeState:
    return SOLVED_STATE.apply(read_moves(moves))


@cache
def group(*words: str) -> PermutationGroup:
    return PermutationGroup([Permutation(list(after(SOLVED, word))) for word in words])


def contains(members: PermutationGroup, cube: Cube) -> bool:
    return bool(members.contains(Permutation(list(cube))))


def where(cube: Cube, names: Iterable[str]) -> list[int]:
    """Return for each place of a kind the number of the piece in it."""
    homes = [frozenset(pieces()[frozenset(name)]) for name in names]
    return [homes.index(frozenset(cube[place] for place in home)) for home in homes]


def changed(cube: Cube) -> set[str]:
    return {
        name
        for name in (*CORNERS, *EDGES)
        if any(cube[place] != place for place in pieces()[frozenset(name)])
    }


@settings(max_examples=60, deadline=None)
@given(WORDS, WORDS)
def test_states_are_stickers_in_space_and_multiply_as_these_do(
    one: list[str], two: list[str]
) -> None:
    """So the law is associative, has inverses, and carries orientations along."""
    a, b = " ".join(one), " ".join(two)
    assert stickers_of(made(a)) == after(SOLVED, a)
    assert stickers_of(made(a) * made(b)) == after(after(SOLVED, a), b)
    assert after(stickers_of(made(a).inverse()), a) == SOLVED
    assert stickers_of(made(a.replace("U", "T"))) == after(SOLVED, a)
    for text in ("M E' S2 R", "x y' M2", "S"):
        assert stickers_of(made(text)) == straight(after(SOLVED, text))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(ORBITS), st.sampled_from(ORBITS))
def test_re_assemblies_multiply_as_permutations_of_stickers(
    seed: int, one: Orbit, other: Orbit
) -> None:
    rng = np.random.default_rng(seed)
    a, b = random_state(rng, one), random_state(rng, other)
    first, second = stickers_of(a), stickers_of(b)
    assert stickers_of(a * b) == tuple(first[place] for place in second)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(ORBITS))
def test_sums_of_re_assemblies_do_not_depend_on_the_marks(seed: int, orbit: Orbit) -> None:
    """By marks on F and B, on R and L, on U and D, each with a second pair for the other edges."""
    cube = stickers_of(random_state(np.random.default_rng(seed), orbit))
    for names, size, total in ((CORNERS, 3, orbit.corner_twist), (EDGES, 2, orbit.edge_flip)):
        for marks in ("FBRL", "FBUD", "RLUD", "RLFB", "UDFB", "UDRL"):
            turns = 0
            for place, piece in enumerate(where(cube, names)):
                at = cube.index(slots_of(names[piece])[marked(names[piece], marks)])
                ways = [slots_of(names[place])[face] for face in names[place]]  # clockwise
                turns += ways.index(at) - names[place].index(marked(names[place], marks))
            assert turns % size == total, (names, marks)


def slots_of(name: str) -> dict[str, int]:
    """Return the place of the sticker on each face of a piece."""
    return {FACES[place // 9]: place for place in pieces()[frozenset(name)]}


def marked(name: str, marks: str) -> str:
    """Return the face of a piece's marked sticker: of the first pair, else of the second."""
    return next(face for pair in (marks[:2], marks[2:]) for face in name if face in pair)


def test_what_does_not_commute_in_space() -> None:
    assert after(SOLVED, "R U") != after(SOLVED, "U R")
    assert made("R U") != made("U R")


def test_turns_reach_a_twelfth_and_the_verdict_is_membership() -> None:
    """S1's theorem and S3's completeness: swaps, twists, flips and random re-assemblies."""
    members = group(*FACES)
    assert members.order() == ALL // 12 == 43_252_003_274_489_856_000
    still = list(SOLVED)
    for name in (*CORNERS, *EDGES):
        turned, own = list(still), pieces()[frozenset(name)]
        for place, there in zip(own, (*own[1:], own[0]), strict=True):
            turned[place] = there
        assert not contains(members, tuple(turned)), name
    rng = np.random.default_rng(4)
    for orbit in ORBITS:
        state = random_state(rng, orbit)
        solvable = contains(members, stickers_of(state))
        assert solvable == examine(state.to_facelets()).solvable == (orbit == ORBITS[0])
    for kind in ("corner_permutation", "edge_permutation"):
        for i, j in ((0, 1), (2, 7), (3, 6)):
            own = {"corner_permutation": list(range(8)), "edge_permutation": list(range(12))}
            own[kind][i], own[kind][j] = j, i
            corners, edges = map(tuple, own.values())
            state = CubeState(corners, (0,) * 8, edges, (0,) * 12)
            assert not contains(members, stickers_of(state))
            assert not examine(state.to_facelets()).solvable


def test_a_quarter_turn_is_odd_on_corners_and_on_edges_in_space() -> None:
    for move in QUARTERS:
        for names in (CORNERS, EDGES):
            assert Permutation(where(after(SOLVED, move), names)).parity() == 1
            assert Permutation(where(after(SOLVED, f"{move} {move}"), names)).parity() == 0


@settings(max_examples=40, deadline=None)
@given(WORDS)
def test_s1s_indices_are_those_of_marked_stickers_in_space(word: list[str]) -> None:
    """Marks on F and B, on R and L between them; the sum and the product that S1 means are kept."""
    cube, position = after(SOLVED, " ".join(word)), S1Position.of(made(" ".join(word)))
    for names, indices, signs in (
        (CORNERS, position.corner_indices, (0, 1, -1)),
        (EDGES, position.edge_indices, (1, -1)),
    ):
        slots = [slots_of(name) for name in names]
        marks = [marked(name, "FBRL") for name in names]
        found = []
        for place, piece in enumerate(where(cube, names)):
            at = cube.index(slots[piece][marks[piece]])
            ways = [slots[place][face] for face in names[place]]  # clockwise
            home = ways.index(slots[place][marks[place]])
            found.append(signs[(ways.index(at) - home) % len(signs)])
        assert list(indices) == found
        assert math.prod(found) == 1 if names is EDGES else sum(found) % 3 == 0


def test_commutators_in_space() -> None:
    """Maes' formula, S1's first face, words that move different pieces, one turned centre."""
    for x, kind, count in (
        ("R' D' R", CORNERS, 3),
        ("R' D2 B R' B' R2", CORNERS, 2),
        ("R F2 R2 F2 R' F2 D R F'", EDGES, 2),
    ):
        undone = " ".join(undoing(move) for move in reversed(x.split()))
        cube = after(SOLVED, f"{x} U {undone} U'")
        assert len(changed(cube)) == count
        assert changed(cube) <= set(kind)
        assert cube == stickers_of(made(f"{x} U {undone} U'"))
    flipping = after(SOLVED, "F2 D M D' M'")
    assert [flipping[place] for place in pieces()[frozenset("UF")]] == [
        *reversed(pieces()[frozenset("UF")])
    ]
    assert changed(flipping) & set(EDGES) == {"UF", "DR", "DF", "DL", "DB", "FR", "FL"}
    words = ("R", "L", "U", "D2", "R' D' R U R' D R U'", "L D L' U2 L D' L' U2", "F B'")
    apart = [
        (a, b)
        for a, b in combinations(words, 2)
        if not changed(after(SOLVED, a)) & changed(after(SOLVED, b))
    ]
    assert len(apart) >= 3
    assert all(after(SOLVED, f"{a} {b}") == after(SOLVED, f"{b} {a}") for a, b in apart)
    twice = ["R", "L", "U2", "R'", "L'", "U", "R", "L", "U2", "R'", "L'", "U"]
    assert after(SOLVED, " ".join(twice)) == SOLVED
    steps = {"": 1, "2": 2, "'": -1}
    centres = [sum(steps[m[1:]] for m in twice if m[0] == face) % 4 for face in FACES]
    assert centres == [2, 0, 0, 0, 0, 0]


def undoing(move: str) -> str:
    return move[0] + {"": "'", "'": "", "2": "2"}[move[1:]]


GROUPS = {
    "RU": "R U",
    "UD": "U D",
    "RUF": "R U F",
    "RUL": "R U L",
    "URFL": "U R F L",
    "UDRL": "U D R L",
    "URFDL": "U R F D L",
    "phi1": "U D F B R2 L2",
    "phi2": "U D F2 B2 R2 L2",
    "phi3": "U2 D2 F2 B2 R2 L2",
    "R2U2": "R2 U2",
}
COUPLED = {"slice": ("R L'", "U D'", "F B'"), "antislice": ("R L", "U D", "F B")}


@pytest.mark.parametrize("name", [*GROUPS, *COUPLED])
def test_orders_of_groups_of_turns_in_space(name: str) -> None:
    """And the invariants are complete: their values together are as many as the orbits."""
    analysis = Analysis(puzzle_named(name))
    order = group(*COUPLED.get(name, GROUPS.get(name, "").split())).order()
    assert (analysis.states_per_orbit, analysis.orbits) == (order, ALL // order)
    assert math.prod(invariant.values for invariant in analysis.invariants) == analysis.orbits
    named = PATTERN not in {invariant.name for invariant in analysis.invariants}
    assert named == (name != "R2U2")
    assert analysis.proven


def test_the_order_of_the_supercube_with_four_points_for_each_centre() -> None:
    turns = []
    for number, face in enumerate(FACES):
        points = [54 + 4 * centre + k for centre in range(6) for k in range(4)]
        for k in range(4):
            points[4 * number + k] = 54 + 4 * number + (k + 1) % 4
        turns.append(Permutation([*turn(face), *points]))
    order, analysis = PermutationGroup(turns).order(), Analysis(puzzle_named("supercube"))
    assert order == 2048 * ALL // 12
    assert (analysis.states_per_orbit, analysis.orbits) == (order, ALL * 4**6 // order)


def test_stages_and_half_turns_in_space() -> None:
    orders = [group(*GROUPS.get(name, " ".join(FACES)).split()).order() for name in CHAIN]
    cosets = [whole // part for whole, part in zip(orders, (*orders[1:], 1), strict=True)]
    assert cosets == [2048, 1_082_565, 29_400, 663_552]
    half = [Permutation(where(after(SOLVED, move), CORNERS)) for move in GROUPS["phi3"].split()]
    assert (PermutationGroup(half).order(), F(8) // PermutationGroup(half).order()) == (96, 420)
    for word, undone in (
        ("R U", False),
        ("R' F2 U R2 F'", False),
        ("U D'", False),
        ("U R2 U2 R2 U2 R2 U", True),
    ):
        assert contains(group(*GROUPS["phi3"].split()), after(SOLVED, word)) == undone


CHAIN = ("all", "phi1", "phi2", "phi3")


def test_each_stage_of_s2s_example_reaches_its_subgroup() -> None:
    """S2: then no quarter turns of U and D, then none of F and B, then none at all."""
    subgroups = (
        group("U2", "D2", "R", "L", "F", "B"),
        group("U2", "D2", "R", "L", "F2", "B2"),
        None,  # corners alone
        group("U2", "D2", "R2", "L2", "F2", "B2"),
    )
    cube = after(SOLVED, SCRAMBLE)
    corners = PermutationGroup(
        [Permutation(where(after(SOLVED, f"{face}2"), CORNERS)) for face in FACES]
    )
    for number, (moves, members) in enumerate(zip(STAGES, (*subgroups, None), strict=True)):
        before, cube = cube, after(cube, moves)
        if members is not None:
            assert contains(members, cube), number
            assert not contains(members, before), number
        elif number == 2:
            assert corners.contains(Permutation(where(cube, CORNERS)))
            assert not corners.contains(Permutation(where(before, CORNERS)))
    assert cube == SOLVED
    assert sum(len(moves.split()) for moves in STAGES) == 37


@pytest.mark.parametrize(("name", "corners"), [("R2U2", False), ("UD", False), ("phi3", True)])
def test_states_of_small_groups_in_space(name: str, corners: bool) -> None:
    moves = [
        f"{word[0]}{suffix}"
        for word in GROUPS[name].split()
        for suffix in (("2",) if "2" in word else ("", "2", "'"))
    ]

    def seen(cube: Cube) -> object:
        return tuple(where(cube, CORNERS)) if corners else cube

    known, layer, rings = {seen(SOLVED)}, [SOLVED], [1]
    while layer:
        fresh = []
        for cube in layer:
            for move in moves:
                there = after(cube, move)
                if seen(there) not in known:
                    known.add(seen(there))
                    fresh.append(there)
        layer = fresh
        rings += [len(fresh)] * bool(fresh)
    analysis = Analysis(puzzle_named(name))
    if corners:
        slots = np.sort(np.concatenate([kind.slots.ravel() for kind in analysis.pieces.kinds[1:]]))
        turns = [np.searchsorted(slots, t[slots]) for t in analysis.pieces.turns.values()]
        assert StabiliserChain(turns).order == sum(rings) == 96
    else:
        assert analysis.group_order == sum(rings)


S4 = {
    "RFLFUBULBRRUURFBRFFUUUFRFFRDDDDDDDDDFLLLLBLLLBUURBBRBB": (
        "F' R' F L' F' U F L2 F L' F2 L' U2 L U2 R F"
    ),
    "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB": (
        "R L U2 F U' D F2 R2 B2 L U2 F' B' U R2 D F2 U R2 U"
    ),
    "RBFLURBFLBUUFRBBDDRUURFLRDDBFLLDRRBFFUUBLFFDDLUULBRLDD": (
        "U B' R2 D2 L' D' R' F' U' L2 B2 D2 R' U2 R' U2 F2 L' B2 L' F'"
    ),
}
"""S4's states, each with moves that solve it: 17, 20 and 21, where its solver took 20, 21, 23."""


def test_s4s_states_are_solved_in_fewer_moves_in_space() -> None:
    for facelets, moves in S4.items():
        assert after(read(facelets), moves) == SOLVED
    assert [len(moves.split()) for moves in S4.values()] == [17, 20, 21]


NET = "ULFRBD"
COLOURS = dict(zip(NET, "ybrgow", strict=True))
SLOTS = [9 * FACES.index(face) + corner for face in NET for corner in (0, 2, 6, 8)]
POCKET_TURNS = {
    move: [SLOTS.index(after(SOLVED, move)[slot]) for slot in SLOTS]
    for move in (face + suffix for face in "RUF" for suffix in ("", "2", "'"))
}
POCKET = "".join(COLOURS[FACES[slot // 9]] for slot in SLOTS)


def ball(start: str, radius: int) -> list[set[str]]:
    """Return the 2×2×2 states at each distance from one, by S4's 24 letters and R U F."""
    layers, known = [{start}], {start}
    for _ in range(radius):
        fresh = {
            "".join([state[i] for i in sources])
            for state in layers[-1]
            for sources in POCKET_TURNS.values()
        } - known
        known |= fresh
        layers.append(fresh)
    return layers


@pytest.mark.parametrize(
    ("state", "distance"), [("yrgyryborgyrobgwwbgobwwo", 10), ("ywwwbrbyboryggoyrogobgwr", 11)]
)
def test_s4s_pocket_cubes_by_its_own_search(state: str, distance: int) -> None:
    """Breadth first, 6 from the solved cube and 5 from the state, as in S4."""
    assert POCKET == "yyyybbbbrrrrggggoooowwww"
    near, far = ball(POCKET, 6), ball(state, 5)
    assert [len(layer) for layer in near] == [1, 9, 54, 321, 1847, 9992, 50136]
    found = min(a + b for a in range(7) for b in range(6) if near[a] & far[b])
    assert found == distance


def test_backtracking_finds_as_few_moves_as_a_search_of_all() -> None:
    near = ball(POCKET, 5)
    pocket = puzzle_named("2x2x2")
    assert isinstance(pocket, Box)
    for distance in range(1, 6):
        letters = min(near[distance])
        found = next(solutions(pocket, pocket.parse(letters), 5))
        assert len(found) == distance
