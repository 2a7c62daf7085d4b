"""What S1 and S5 print, beside the cube, and crossings beside segments in the plane."""

from collections.abc import Sequence
from itertools import combinations, product

from cubes import cube_after
from hypothesis import given
from hypothesis import strategies as st

from cube.moves import FACES
from cube.pieces import CORNERS
from puzzles.algebra.positions import S1Position
from teaching.worksheets.subjects.misprints import (
    literal_bottom,
    literal_column,
    printed_law,
    right_law,
)
from teaching.worksheets.subjects.permutations import crossings

Point = tuple[int, int]


def shown_after(moves: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What moves do: the new place of each corner, and its index by S1.

    `test_s1s_indices_are_those_of_marked_stickers_in_space` compares these with stickers.
    """
    position = S1Position.of(cube_after(moves))
    return position.corners, tuple(position.corner_indices[to] for to in position.corners)


TURNS = {face: shown_after(face) for face in FACES}


def test_the_printed_law_fails_and_the_right_one_holds() -> None:
    pairs = list(product(FACES, repeat=2))
    right = sum(right_law(TURNS[a], TURNS[b]) == shown_after(f"{a} {b}") for a, b in pairs)
    printed = sum(printed_law(TURNS[a], TURNS[b]) == shown_after(f"{a} {b}") for a, b in pairs)
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
