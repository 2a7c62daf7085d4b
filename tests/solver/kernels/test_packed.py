"""What is packed comes out again."""

from hypothesis import given
from hypothesis import strategies as st

from cube.moves import FACES, Move
from solver.kernels import packed
from solver.search.tables.axial_turns import AXIAL_TURNS

TWISTS, SYMMETRIES, CLASSES = st.integers(0, 2186), st.integers(0, 15), st.integers(0, 1 << 20)


@given(TWISTS, SYMMETRIES, st.integers(0, 3), CLASSES)
def test_nodes(twist: int, symmetry: int, grade: int, cls: int) -> None:
    node = packed.pack_node(twist, symmetry, grade, cls)
    assert node != 0
    assert packed.unpack_node(node) == (twist, symmetry, grade, cls)


@given(TWISTS, SYMMETRIES, st.integers(0, 44), CLASSES)
def test_children(twist: int, symmetry: int, turn: int, cls: int) -> None:
    child = packed.pack_child(twist, symmetry, turn, cls)
    assert packed.unpack_child(child) == (twist, symmetry, turn, cls)


@given(CLASSES, SYMMETRIES)
def test_entries(cls: int, symmetry: int) -> None:
    assert packed.unpack_entry(packed.pack_entry(cls, symmetry)) == (cls, symmetry)


@given(
    st.integers(0, 6),
    st.integers(0, (1 << 18) - 1),
    st.integers(0, (1 << 18) - 1),
    st.integers(0, (1 << 23) - 1),
)
def test_states_near_g2(distance: int, nearer: int, level: int, endings: int) -> None:
    near = packed.unpack_near(packed.pack_near(distance, nearer, level, endings))
    assert (near[0], near[2]) == (distance, endings)
    assert near[1] & (1 << 18) - 1 == nearer | level
    axial = packed.unpack_axial_near(packed.pack_axial_near(distance, endings))
    assert axial == (distance, endings)


@given(st.lists(st.integers(0, 17), max_size=6), st.lists(st.integers(0, 44), max_size=6))
def test_endings(turns: list[int], axial_turns: list[int]) -> None:
    ending = sum(packed.pack_ending(turn, place) for place, turn in enumerate(turns))
    for turn in turns:
        found, ending = packed.unpack_ending(ending)
        assert found == turn
    ending = sum(packed.pack_axial_ending(turn, place) for place, turn in enumerate(axial_turns))
    for turn in axial_turns:
        found, ending = packed.unpack_axial_ending(ending)
        assert found == turn


@given(st.lists(st.integers(0, 17), max_size=4), st.integers(0, 3))
def test_premoves(turns: list[int], side: int) -> None:
    word = packed.pack_premove(len(turns), side)
    for place, turn in enumerate(turns):
        word |= packed.pack_premove_turn(turn, place)
    assert packed.unpack_premove(word) == (len(turns), side)
    assert [packed.premove_turn(word, place) for place in range(len(turns))] == turns


@given(st.lists(st.integers(0, 44), max_size=3), st.integers(0, 12))
def test_axial_premoves(turns: list[int], cost: int) -> None:
    word = packed.pack_axial_premove(cost, len(turns))
    for place, turn in enumerate(turns):
        word |= packed.pack_axial_premove_turn(turn, place)
    assert packed.unpack_axial_premove(word) == (cost, len(turns))
    assert [packed.axial_premove_turn(word, place) for place in range(len(turns))] == turns


def test_turns_are_numbered_as_moves_are() -> None:
    for number in range(18):
        move = Move.from_index(number)
        assert packed.unpack_turn(number) == (FACES.index(move.face), move.turns)
        assert packed.pack_turn(*packed.unpack_turn(number)) == number


def test_axial_turns_are_numbered_as_their_table_lists_them() -> None:
    for number, turn in enumerate(AXIAL_TURNS):
        assert packed.unpack_axial_turn(number) == turn
        assert packed.pack_axial_turn(*turn) == number


@given(st.permutations(range(8)), st.permutations(range(8)), st.integers(0, 99_999))
def test_corners(first: list[int], second: list[int], origin: int) -> None:
    one, two = packed.pack_corners(first), packed.pack_corners(second)
    assert packed.product(one, two) == packed.pack_corners([first[piece] for piece in second])
    assert packed.unpack_origin(packed.pack_origin(one, origin)) == (one, origin)


@given(*3 * (st.integers(0, 255),), st.integers(0, 4095), st.permutations(range(8)))
def test_premoved_pieces(
    once: int, twice: int, slices: int, flipped: int, corners: list[int]
) -> None:
    pieces = (once, twice, flipped, slices, packed.pack_corners(corners))
    assert packed.unpack_premove_pieces(packed.pack_premove_pieces(*pieces)) == pieces
