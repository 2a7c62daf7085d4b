"""What is packed comes out again."""

from hypothesis import given
from hypothesis import strategies as st

from cube.moves import FACES, Move
from solver.kernels import packed
from solver.search.axial_turns import AXIAL_TURNS

TWISTS, SYMMETRIES, CLASSES = st.integers(0, 2186), st.integers(0, 15), st.integers(0, 1 << 20)


@given(TWISTS, SYMMETRIES, st.integers(0, 3), CLASSES)
def test_nodes(twist: int, symmetry: int, grade: int, cls: int) -> None:
    node = packed.pack_node(twist, symmetry, grade, cls)
    assert node != 0
    assert packed.node_twist(node) == twist
    assert packed.node_symmetry(node) == symmetry
    assert packed.node_grade(node) == grade
    assert packed.node_class(node) == cls


@given(TWISTS, SYMMETRIES, st.integers(0, 44), CLASSES)
def test_children(twist: int, symmetry: int, turn: int, cls: int) -> None:
    child = packed.pack_child(twist, symmetry, turn, cls)
    assert packed.child_twist(child) == twist
    assert packed.child_symmetry(child) == symmetry
    assert packed.child_turn(child) == turn
    assert packed.child_class(child) == cls


@given(CLASSES, SYMMETRIES)
def test_entries(cls: int, symmetry: int) -> None:
    entry = packed.pack_entry(cls, symmetry)
    assert (packed.entry_class(entry), packed.entry_symmetry(entry)) == (cls, symmetry)


@given(
    st.integers(0, 6),
    st.integers(0, (1 << 18) - 1),
    st.integers(0, (1 << 18) - 1),
    st.integers(0, (1 << 23) - 1),
)
def test_states_near_g2(distance: int, nearer: int, level: int, endings: int) -> None:
    near = packed.pack_near(distance, nearer, level, endings)
    assert packed.near_distance(near) == distance
    assert packed.near_not_farther(near) & (1 << 18) - 1 == nearer | level
    assert packed.near_endings(near) == endings
    axial = packed.pack_axial_near(distance, endings)
    assert packed.axial_near_distance(axial) == distance
    assert packed.axial_near_endings(axial) == endings


@given(st.lists(st.integers(0, 17), max_size=4), st.integers(0, 3))
def test_premoves(turns: list[int], side: int) -> None:
    word = packed.pack_premove(len(turns), side)
    for place, turn in enumerate(turns):
        word |= packed.pack_premove_turn(turn, place)
    assert packed.premove_length(word) == len(turns)
    assert packed.premove_side(word) == side
    assert [packed.premove_turn(word, place) for place in range(len(turns))] == turns


@given(st.lists(st.integers(0, 44), max_size=3), st.integers(0, 12))
def test_axial_premoves(turns: list[int], cost: int) -> None:
    word = packed.pack_axial_premove(cost, len(turns))
    for place, turn in enumerate(turns):
        word |= packed.pack_axial_premove_turn(turn, place)
    assert packed.axial_premove_cost(word) == cost
    assert packed.axial_premove_length(word) == len(turns)
    assert [packed.axial_premove_turn(word, place) for place in range(len(turns))] == turns


def test_turns_are_numbered_as_moves_are() -> None:
    for number in range(18):
        move = Move.from_index(number)
        assert packed.face_of(number) == FACES.index(move.face)
        assert packed.quarters_of(number) == move.turns
        assert packed.turn_of(packed.face_of(number), packed.quarters_of(number)) == number


def test_axial_turns_are_numbered_as_their_table_lists_them() -> None:
    for number, (axis, first, second) in enumerate(AXIAL_TURNS):
        assert packed.axis_of(number) == axis
        assert (packed.first_quarters(number), packed.second_quarters(number)) == (first, second)
        assert packed.axial_turn_of(axis, first, second) == number
