"""What is packed comes out again."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import FACES, Move
from solver.kernels import packed
from solver.search.tables.axial_turns import AXIAL_TURNS

FEW = settings(max_examples=25)
TWISTS, SYMMETRIES, CLASSES = st.integers(0, 2186), st.integers(0, 15), st.integers(0, 1 << 20)
TURNS, AXIAL = st.integers(0, 17), st.integers(0, 44)
SETS, CORNERS, BYTES = st.integers(0, (1 << 18) - 1), st.permutations(range(8)), st.integers(0, 255)

EDGES = st.tuples(BYTES, BYTES, BYTES, st.integers(0, 4095))


@FEW
@given(TWISTS, SYMMETRIES, st.integers(0, 3), AXIAL, CLASSES)
def test_nodes_children_and_entries(
    twist: int, symmetry: int, grade: int, turn: int, cls: int
) -> None:
    node = packed.pack_node(twist, symmetry, grade, cls)
    assert node != 0
    assert packed.unpack_node(node) == (twist, symmetry, grade, cls)
    child = packed.pack_child(twist, symmetry, turn, cls)
    assert packed.unpack_child(child) == (twist, symmetry, turn, cls)
    assert packed.unpack_entry(packed.pack_entry(cls, symmetry)) == (cls, symmetry)


@FEW
@given(st.integers(0, 6), SETS, SETS, st.integers(0, (1 << 23) - 1))
def test_states_near_g2(distance: int, nearer: int, level: int, endings: int) -> None:
    near = packed.unpack_near(packed.pack_near(distance, nearer, level, endings))
    assert (near[0], near[2]) == (distance, endings)
    assert near[1] & (1 << 18) - 1 == nearer | level
    axial = packed.unpack_axial_near(packed.pack_axial_near(distance, endings))
    assert axial == (distance, endings)


@FEW
@given(st.lists(TURNS, max_size=6), st.lists(AXIAL, max_size=6))
def test_endings(turns: list[int], axial_turns: list[int]) -> None:
    ending = sum(packed.pack_ending(turn, place) for place, turn in enumerate(turns))
    for turn in turns:
        found, ending = packed.unpack_ending(ending)
        assert found == turn
    ending = sum(packed.pack_axial_ending(turn, place) for place, turn in enumerate(axial_turns))
    for turn in axial_turns:
        found, ending = packed.unpack_axial_ending(ending)
        assert found == turn


@FEW
@given(
    st.lists(TURNS, max_size=4), st.integers(0, 3), st.lists(AXIAL, max_size=3), st.integers(0, 12)
)
def test_premoves(turns: list[int], side: int, axial_turns: list[int], cost: int) -> None:
    word = packed.pack_premove(len(turns), side)
    for place, turn in enumerate(turns):
        word |= packed.pack_premove_turn(turn, place)
    assert packed.unpack_premove(word) == (len(turns), side)
    assert [packed.premove_turn(word, place) for place in range(len(turns))] == turns
    word = packed.pack_axial_premove(cost, len(axial_turns))
    for place, turn in enumerate(axial_turns):
        word |= packed.pack_axial_premove_turn(turn, place)
    assert packed.unpack_axial_premove(word) == (cost, len(axial_turns))
    found = [packed.axial_premove_turn(word, place) for place in range(len(axial_turns))]
    assert found == axial_turns


def test_turns_are_numbered_as_moves_are_and_as_their_table_lists_them() -> None:
    for number in range(18):
        move = Move.from_index(number)
        assert packed.unpack_turn(number) == (FACES.index(move.face), move.turns)
        assert packed.pack_turn(*packed.unpack_turn(number)) == number
    for number, turn in enumerate(AXIAL_TURNS):
        assert packed.unpack_axial_turn(number) == turn
        assert packed.pack_axial_turn(*turn) == number


@FEW
@given(
    CORNERS, CORNERS, st.integers(0, 99_999), st.tuples(BYTES, BYTES, BYTES, st.integers(0, 4095))
)
def test_corners_and_premoved_pieces(
    first: list[int], second: list[int], origin: int, edges: tuple[int, int, int, int]
) -> None:
    one, two = packed.pack_corners(first), packed.pack_corners(second)
    assert packed.product(one, two) == packed.pack_corners([first[piece] for piece in second])
    assert packed.unpack_origin(packed.pack_origin(one, origin)) == (one, origin)
    pieces = (*edges, one)
    assert packed.unpack_premove_pieces(packed.pack_premove_pieces(*pieces)) == pieces
