"""What S1 and S5 print, beside models of our own: rings of neighbours, segments in the plane."""

from collections.abc import Sequence
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from cube.moves import FACES, MoveSequence
from cube.state import SOLVED
from teaching.worksheets.misprints import (
    literal_bottom,
    literal_column,
    printed_law,
    right_law,
)
from teaching.worksheets.permutations import crossings

Point = tuple[int, int]
RING = {"U": "BRFL", "R": "UBDF", "F": "URDL", "D": "FRBL", "L": "UFDB", "B": "ULDR"}
"""The neighbours of each face, clockwise."""
CORNERS = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB")
"""The corners, their stickers clockwise."""


def index_of(stickers: str, place: int) -> int:
    """S1's index of the corner that shows stickers in a place: how far F or B is from F or B."""
    marks = [
        next(i for i, face in enumerate(text) if face in "FB")
        for text in (stickers, CORNERS[place])
    ]
    return (0, 1, -1)[(marks[0] - marks[1]) % 3]


def turn_of(face: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A quarter turn by piece: places and indices, from the ring of neighbours alone."""
    places, indices = [], []
    for number, name in enumerate(CORNERS):
        if face not in name:
            places.append(number)
            indices.append(0)
            continue
        ring = RING[face]
        moved = [f if f == face else ring[(ring.index(f) + 1) % 4] for f in name]
        there = next(i for i, other in enumerate(CORNERS) if set(other) == set(moved))
        shown = "".join(name[moved.index(spot)] for spot in CORNERS[there])
        places.append(there)
        indices.append(index_of(shown, there))
    return tuple(places), tuple(indices)


TURNS = {face: turn_of(face) for face in RING}


def shown_after(one: str, two: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What the cube shows after two quarter turns, by piece, read off its net."""
    state = SOLVED.apply(MoveSequence.parse(f"{one} {two}"))
    places = tuple(state.corner_permutation.index(piece) for piece in range(8))
    text = state.to_facelets()
    stickers = [
        "".join(text.text[i] for i in slots)
        for slots in (
            (8, 9, 20),
            (6, 18, 38),
            (0, 36, 47),
            (2, 45, 11),
            (29, 26, 15),
            (27, 44, 24),
            (33, 53, 42),
            (35, 17, 51),
        )
    ]
    return places, tuple(index_of(stickers[place], place) for place in places)


def test_the_printed_law_fails_and_the_right_one_holds() -> None:
    pairs = list(product(FACES, repeat=2))
    right = sum(right_law(TURNS[a], TURNS[b]) == shown_after(a, b) for a, b in pairs)
    printed = sum(printed_law(TURNS[a], TURNS[b]) == shown_after(a, b) for a, b in pairs)
    assert (right, printed) == (36, 20)
    for law, failing in ((right_law, 0), (printed_law, 96)):
        triples = product(TURNS.values(), repeat=3)
        assert sum(law(law(a, b), c) != law(a, law(b, c)) for a, b, c in triples) == failing


def test_twists_alternate_round_every_face() -> None:
    for face, (places, indices) in TURNS.items():
        corner = next(i for i, name in enumerate(CORNERS) if face in name)
        ring = [corner]
        while places[ring[-1]] != corner:
            ring.append(places[ring[-1]])
        twists = [indices[piece] for piece in ring]
        assert twists in ([0] * 4, [1, -1] * 2, [-1, 1] * 2)


def test_s5s_code_tears_pieces_and_loses_stickers() -> None:
    still = tuple(range(54))
    assert [54 - len(set(literal_column(still, column))) for column in range(3)] == [3, 0, 3]
    made = literal_bottom(still)
    assert sorted(made) == list(still)  # nothing is lost, but pieces are torn
    assert made[27:36] == still[27:36]  # D itself does not turn
    assert {made[i] // 9 for i in (24, 25, 26)} == {4}  # the ring: L's row lies on F


@given(st.permutations(range(6)), st.permutations(range(6)))
def test_crossings_are_those_of_segments_in_the_plane(one: list[int], two: list[int]) -> None:
    """Segments from (i, 1) to (image, 0) cross if each separates the ends of the other."""

    def side(a: Point, b: Point, c: Point) -> bool:
        return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])

    def crossed(order: Sequence[int]) -> int:
        segments = [((i, 1), (image, 0)) for i, image in enumerate(order)]
        return sum(
            side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)
            for (a, b), (c, d) in combinations(segments, 2)
        )

    both = tuple(two[image] for image in one)
    counted = [crossed(order) for order in (one, two, both)]
    assert counted == [crossings(tuple(order)) for order in (one, two, both)]
    assert (counted[0] + counted[1] - counted[2]) % 2 == 0
