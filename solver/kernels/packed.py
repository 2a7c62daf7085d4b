"""Packed words: several small numbers in one integer.

Each layout is defined only here, lowest bits first. The functions are Python for numbers and
arrays; `solver.kernels.compiled` makes them available to compiled code.
"""

from typing import Any

HASH_FACTOR = 0x9E3779B1
_WORD = 0xFFFFFFFF


def hash_slot(key: Any, bits: Any) -> Any:
    """Return the place of a key in a hash of 2**bits places."""
    return ((key * HASH_FACTOR) & _WORD) >> (32 - bits)


def filter_bits(key: Any, size: Any) -> Any:
    """Return the two bits of a key in a filter of 2**size bits; both are in one cache line."""
    product = (key * HASH_FACTOR) & _WORD
    first = product >> (32 - size)
    return first, first & ~511 | product & 511


def pack_entry(cls: Any, symmetry: Any) -> Any:
    """Pack a class and the symmetry that leads to its representative: symmetry 4 | class."""
    return cls << 4 | symmetry


def unpack_entry(entry: Any) -> Any:
    """Unpack class and symmetry."""
    return entry >> 4, entry & 15


def pack_node(twist: Any, symmetry: Any, grade: Any, cls: Any) -> Any:
    """Pack a root's node: twist 12 | symmetry 4 | grade 2 | class 22 | 1; 0 is not known yet."""
    return twist | symmetry << 12 | grade << 16 | cls << 18 | 1 << 40


def unpack_node(node: Any) -> Any:
    """Unpack twist, symmetry, grade and class."""
    return node & 0xFFF, node >> 12 & 15, node >> 16 & 3, node >> 18 & 0x3FFFFF


def pack_child(twist: Any, symmetry: Any, turn: Any, cls: Any) -> Any:
    """Pack a child and the turn that leads to it: twist 12 | symmetry 4 | turn 6 | class."""
    return twist | symmetry << 12 | turn << 16 | cls << 22


def unpack_child(child: Any) -> Any:
    """Unpack twist, symmetry, turn and class."""
    return child & 0xFFF, child >> 12 & 15, child >> 16 & 63, child >> 22


def pack_item(twist: Any, symmetry: Any, turn: Any, side: Any, cls: Any) -> Any:
    """Pack an item: twist 12 | symmetry 4 | turn 6 | axis of the first premove 2 | class."""
    return twist | symmetry << 12 | turn << 16 | side << 22 | cls << 24


def unpack_item(item: Any) -> Any:
    """Unpack twist, symmetry, turn, side and class."""
    return item & 0xFFF, item >> 12 & 15, item >> 16 & 63, item >> 22 & 3, item >> 24


def pack_axis(turns: Any, axis: Any, number: Any) -> Any:
    """Pack turns of an axis from an item: turns 15 | axis 2 | number of the item."""
    return turns | axis << 15 | number << 17


def unpack_axis(word: Any) -> Any:
    """Unpack these three."""
    return word & 0x7FFF, word >> 15 & 3, word >> 17


def pack_corners(pieces: Any) -> Any:
    """Pack a permutation of the eight corners, 3 bits per place, the first place lowest."""
    return sum(piece << 3 * place for place, piece in enumerate(pieces))


def product(first: Any, second: Any) -> Any:
    """Return the product of two packed permutations: first the one, then the other."""
    result = 0
    for place in range(8):
        piece = second >> 3 * place & 7
        result |= (first >> 3 * piece & 7) << 3 * place
    return result


def pack_origin(corners: Any, origin: Any) -> Any:
    """Pack an item's corners 24, and the number of its parent item or root."""
    return corners | origin << 24


def unpack_origin(word: Any) -> Any:
    """Unpack corners and origin."""
    return word & 0xFFFFFF, word >> 24


def pack_candidate(corners: Any, slices: Any, variant: Any, extra: Any, root: Any) -> Any:
    """Pack a path's end: corners 16 | slice order 5 | variant 4 | its cost 4 | root."""
    return corners | slices << 16 | variant << 21 | extra << 25 | root << 29


def unpack_candidate(candidate: Any) -> Any:
    """Unpack these five."""
    variant, extra = candidate >> 21 & 15, candidate >> 25 & 15
    return candidate & 0xFFFF, candidate >> 16 & 31, variant, extra, candidate >> 29


def pack_near(distance: Any, endings: Any) -> Any:
    """Pack a state near G2: distance 8 | place of its endings 24."""
    return distance | endings << 8


def unpack_near(near: Any) -> Any:
    """Unpack distance and endings."""
    return near & 255, near >> 8


def pack_ending(turn: Any, place: Any) -> Any:
    """Pack a turn of an ending, in 6 bits; bit 63 marks the last ending of a state."""
    return turn << 6 * place


def unpack_ending(ending: Any) -> Any:
    """Unpack the first turn, and the other ones as an ending."""
    return ending & 63, ending >> 6


def pack_ending_head(corners: Any, first: Any, last: Any) -> Any:
    """Pack an ending's effect on the corners 24 | axis of its first turn 2 | of its last 2.

    Bit 31 marks the last ending of a state.
    """
    return corners | first << 24 | last << 26


def unpack_ending_head(head: Any) -> Any:
    """Unpack these three."""
    return head & 0xFFFFFF, head >> 24 & 3, head >> 26 & 3


def pack_premove_pieces(twisted: Any, back: Any, flipped: Any, slices: Any, corners: Any) -> Any:
    """Pack the effect of premoves on the pieces, by their places before.

    Corners twisted once 8 and twice 8 | edges flipped 12 | slice edges 12 | corners 24.
    """
    return twisted | back << 8 | flipped << 16 | slices << 28 | corners << 40


def unpack_premove_pieces(word: Any) -> Any:
    """Unpack these five."""
    flipped, slices = word >> 16 & 0xFFF, word >> 28 & 0xFFF
    return word & 0xFF, word >> 8 & 0xFF, flipped, slices, word >> 40 & 0xFFFFFF


def pack_premove(cost: Any, length: Any) -> Any:
    """Pack premoves: cost 5 | length 3 | turns, see `pack_premove_turn`."""
    return cost | length << 5


def unpack_premove(premove: Any) -> Any:
    """Unpack cost and length."""
    return premove & 31, premove >> 5 & 7


def pack_premove_turn(turn: Any, place: Any) -> Any:
    """Pack a turn of premoves, in 6 bits."""
    return turn << 8 + 6 * place


def premove_turn(premove: Any, place: Any) -> Any:
    """Return one of the turns."""
    return premove >> 8 + 6 * place & 63


def premove_side(premove: Any) -> Any:
    """Return the axis of the first turn, which is not the first axis; 0 without turns."""
    return (premove >> 8 & 63) // 15


def pack_grade(grade: Any, twist: Any) -> Any:
    """Pack two bits in the byte that four twists share."""
    return grade << ((twist & 3) << 1)


def unpack_grade(grades: Any, twist: Any) -> Any:
    """Return the grade of a twist."""
    return grades >> ((twist & 3) << 1) & 3


def pack_turn(face: Any, quarters: Any) -> Any:
    """Return the number of a turn of a face by 1 to 3 quarters."""
    return 3 * face + quarters - 1


def unpack_turn(turn: Any) -> Any:
    """Unpack face and quarters."""
    return turn // 3, turn % 3 + 1


def pack_axial_turn(axis: Any, first: Any, second: Any) -> Any:
    """Return the number of an axial turn: quarters of U, R or F, and of the opposite face."""
    return 15 * axis + 4 * first + second - 1


def unpack_axial_turn(turn: Any) -> Any:
    """Unpack axis, quarters of its first face, quarters of its second one."""
    return turn // 15, (turn % 15 + 1) >> 2, (turn % 15 + 1) & 3


def enters_g2(turn: Any) -> Any:
    """Return whether an axial turn enters G2 and represents all others with more half turns."""
    axis, first, second = unpack_axial_turn(turn)
    return axis > 0 and first < 2 and second < 2
