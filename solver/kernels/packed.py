# ruff: noqa: D103 - the names say it, and the layouts stand below
"""Packed words: several small numbers in one integer.

Each layout is written here, lowest bits first, and nowhere else. The functions are Python for
numbers and arrays; `solver.kernels.compiled` lets compiled code call them.

========== ====================================================================================
entry      symmetry 4 | class: a class and the symmetry that leads to its representative
node       twist 12 | symmetry 4 | grade 2 | class 22 | 1: where a root stands; 0 is not known
child      twist 12 | symmetry 4 | turn 6 | class: a child, and the turn that led to it
near       distance 4 | nearer turns 18 | level turns 18 | endings 24: a state near G2
ending     a turn in each 5 bits, first lowest; bit 31 marks the last ending of a state
pair       second 32 | first
premove    length 3 | side 2 | 0 3 | a turn in each 5 bits; side is that of the first turn
========== ====================================================================================

And in the metrics of axial turns:

============== ================================================================================
axial near     distance 8 | endings 24
axial ending   a turn in each 6 bits, first lowest; bit 63 marks the last ending of a state
axial premove  cost 5 | length 3 | a turn in each 6 bits
============== ================================================================================

A turn is ``3 * face + quarters - 1``, an axial one ``15 * axis + 4 * first + second - 1``.
"""

from typing import Any

HASH_FACTOR = 0x9E3779B1
_WORD = 0xFFFFFFFF


def hash_slot(key: Any, bits: Any) -> Any:
    """The place of a key in a hash of 2**bits places."""
    return ((key * HASH_FACTOR) & _WORD) >> (32 - bits)


def filter_bits(key: Any, size: Any) -> Any:
    """The two bits of a key in a filter of 2**size bits; both lie in one cache line."""
    product = (key * HASH_FACTOR) & _WORD
    first = product >> (32 - size)
    return first, first & ~511 | product & 511


def pack_pair(first: Any, second: Any) -> Any:
    return first << 32 | second


def pair_first(pair: Any) -> Any:
    return pair >> 32


def pair_second(pair: Any) -> Any:
    return pair & _WORD


def pack_entry(cls: Any, symmetry: Any) -> Any:
    return cls << 4 | symmetry


def entry_class(entry: Any) -> Any:
    return entry >> 4


def entry_symmetry(entry: Any) -> Any:
    return entry & 15


def pack_node(twist: Any, symmetry: Any, grade: Any, cls: Any) -> Any:
    return twist | symmetry << 12 | grade << 16 | cls << 18 | 1 << 40


def node_twist(node: Any) -> Any:
    return node & 0xFFF


def node_symmetry(node: Any) -> Any:
    return node >> 12 & 15


def node_grade(node: Any) -> Any:
    return node >> 16 & 3


def node_class(node: Any) -> Any:
    return node >> 18 & 0x1FFFFF


def pack_child(twist: Any, symmetry: Any, turn: Any, cls: Any) -> Any:
    return twist | symmetry << 12 | turn << 16 | cls << 22


def child_twist(child: Any) -> Any:
    return child & 0xFFF


def child_symmetry(child: Any) -> Any:
    return child >> 12 & 15


def child_turn(child: Any) -> Any:
    return child >> 16 & 63


def child_class(child: Any) -> Any:
    return child >> 22


def pack_near(distance: Any, nearer: Any, level: Any, endings: Any) -> Any:
    return distance | nearer << 4 | level << 22 | endings << 40


def near_distance(near: Any) -> Any:
    return near & 15


def near_not_farther(near: Any) -> Any:
    """The turns that lead nearer or keep the distance (and bits above them)."""
    return near >> 4 | near >> 22


def near_endings(near: Any) -> Any:
    return near >> 40 & 0xFFFFFF


def pack_axial_near(distance: Any, endings: Any) -> Any:
    return distance | endings << 8


def axial_near_distance(near: Any) -> Any:
    return near & 255


def axial_near_endings(near: Any) -> Any:
    return near >> 8


def pack_ending(turn: Any, place: Any) -> Any:
    return turn << 5 * place


def ending_turn(ending: Any) -> Any:
    """The first turn; shift by 5 for the next one."""
    return ending & 31


def pack_axial_ending(turn: Any, place: Any) -> Any:
    return turn << 6 * place


def axial_ending_turn(ending: Any) -> Any:
    """The first turn; shift by 6 for the next one."""
    return ending & 63


def pack_premove(length: Any, side: Any) -> Any:
    """A premove word without turns; add ``pack_premove_turn`` of each."""
    return length | side << 3


def pack_premove_turn(turn: Any, place: Any) -> Any:
    return turn << 8 + 5 * place


def premove_length(premove: Any) -> Any:
    return premove & 7


def premove_side(premove: Any) -> Any:
    return premove >> 3 & 3


def premove_turn(premove: Any, place: Any) -> Any:
    return premove >> 8 + 5 * place & 31


def pack_axial_premove(cost: Any, length: Any) -> Any:
    """A premove word without turns; add ``pack_axial_premove_turn`` of each."""
    return cost | length << 5


def pack_axial_premove_turn(turn: Any, place: Any) -> Any:
    return turn << 8 + 6 * place


def axial_premove_cost(premove: Any) -> Any:
    return premove & 31


def axial_premove_length(premove: Any) -> Any:
    return premove >> 5 & 7


def axial_premove_turn(premove: Any, place: Any) -> Any:
    return premove >> 8 + 6 * place & 63


def grade_in(grades: Any, twist: Any) -> Any:
    """The two bits of a twist in the byte that four twists share."""
    return grades >> ((twist & 3) << 1) & 3


def pack_grade(grade: Any, twist: Any) -> Any:
    return grade << ((twist & 3) << 1)


def nibble_in(nibbles: Any, state: Any) -> Any:
    """The four bits of a state in the byte that two states share, the even one low."""
    return nibbles >> ((state & 1) << 2) & 15


def face_of(turn: Any) -> Any:
    return turn // 3


def quarters_of(turn: Any) -> Any:
    return turn % 3 + 1


def turn_of(face: Any, quarters: Any) -> Any:
    return 3 * face + quarters - 1


def axial_turn_of(axis: Any, first: Any, second: Any) -> Any:
    return 15 * axis + 4 * first + second - 1


def axis_of(turn: Any) -> Any:
    """The axis of an axial turn."""
    return turn // 15


def first_quarters(turn: Any) -> Any:
    """How far an axial turn turns U, R or F."""
    return (turn % 15 + 1) >> 2


def second_quarters(turn: Any) -> Any:
    """How far an axial turn turns the opposite face, D, L or B."""
    return (turn % 15 + 1) & 3


def enters_g2(turn: Any) -> Any:
    """Whether an axial turn leads into G2 and stands for all that differ from it by half turns."""
    return axis_of(turn) > 0 and first_quarters(turn) < 2 and second_quarters(turn) < 2
