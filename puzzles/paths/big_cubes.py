"""Frames that reduce an n × n × n cube to a 3 × 3 × 3: first centres, then the edges' pieces."""

import numpy as np

from cube.facelets import Facelets
from cube.moves import FACES
from cube.state import CubeState
from puzzles.kinds.box import Box
from puzzles.kinds.pieces import Pieces
from puzzles.kinds.puzzle import Stickers
from puzzles.paths.frames import (
    Checks,
    LinkFrame,
    PieceOrbit,
    Slots,
    checks_of,
    even_checks,
    framed_turns,
    orbits_of,
)

_SMALLEST = 4
_PARITY_WEIGHT = 4
"""Weight of an even permutation in the checks.

With weight one, states that fulfil all other checks displace it.
"""


def is_big_cube(puzzle: Box) -> bool:
    """Return whether a box is a cube with more than three layers."""
    return len(set(puzzle.sides)) == 1 and puzzle.sides[0] >= _SMALLEST


def reducing_frames(pieces: Pieces, side: int) -> list[LinkFrame]:
    """Return a frame for the centres, and one for the edges, whose pieces come together.

    The pieces next to the middle of the edges must have an even permutation: an odd one leaves a
    flipped edge. Quarter turns of inner layers change that, and the centres need some, so the first
    frame ensures it.
    """
    orbits = orbits_of(pieces)
    centres = [orbit for orbit in orbits if orbit.slots.shape[1] == 1]
    wings = tuple(orbit for orbit in orbits if orbit.slots.shape == (24, 2))
    return [
        _centre_frame(pieces, centres, wings * _PARITY_WEIGHT),
        _edge_frame(pieces, centres, side),
    ]


def _centre_frame(
    pieces: Pieces, centres: list[PieceOrbit], wings: tuple[PieceOrbit, ...]
) -> LinkFrame:
    slots = np.concatenate([orbit.slots[:, 0] for orbit in centres])
    values = np.array([FACES.index(colour) for colour in pieces.colours], np.uint8)
    turns = framed_turns(list(pieces.turns.values()), slots, wings, len(FACES))
    size = turns.shape[1]
    home = [(i, size - len(FACES) + int(values[slot])) for i, slot in enumerate(slots)]
    wanted = home + even_checks(len(slots), len(wings), size - len(FACES))
    fixed = np.arange(len(FACES), dtype=np.uint8)
    return LinkFrame(
        slots, values, wings, fixed, turns, checks_of(wanted, size), checks_of((), size)
    )


def _edge_frame(pieces: Pieces, centres: list[PieceOrbit], side: int) -> LinkFrame:
    edges, beside = edge_slots(side)
    middle = np.concatenate([orbit.slots[:, 0] for orbit in centres])
    slots = np.concatenate([edges, middle])
    colours = [FACES.index(colour) for colour in pieces.colours]
    turns = framed_turns(list(pieces.turns.values()), slots, (), len(FACES))
    size = turns.shape[1]
    home = [(len(edges) + i, size - len(FACES) + colours[slot]) for i, slot in enumerate(middle)]
    values = np.zeros(len(colours), np.uint8)
    values[edges] = np.arange(len(edges))
    return LinkFrame(
        slots,
        values,
        (),
        np.zeros(len(FACES), np.uint8),
        turns,
        _edge_checks(pieces, edges, beside, size),
        checks_of(home, size),
    )


def edge_slots(side: int) -> tuple[Slots, Slots]:
    """Return the stickers of the edges, and for each the neighbour nearer to the edge's middle.

    Returns:
        Slots of a cube of this side, shape (stickers,), and the neighbours' indices among these; -1
        for one in the very middle.
    """
    ends, middle = (0, side - 1), (side - 1) / 2
    slots, nearer = [], []
    for slot in range(6 * side * side):
        row, column = slot // side % side, slot % side
        if (row in ends) == (column in ends):
            continue
        along, step = (column, 1) if row in ends else (row, side)
        slots.append(slot)
        nearer.append(-1 if along == middle else slot + (step if along < middle else -step))
    where = {slot: number for number, slot in enumerate(slots)}
    return np.array(slots), np.array([where.get(slot, -1) for slot in nearer])


def _edge_checks(pieces: Pieces, slots: Slots, beside: Slots, size: int) -> Checks:
    """Return checks that neighbouring stickers belong together; one of a piece's two is enough."""
    where = {slot: number for number, slot in enumerate(slots.tolist())}
    mates = np.full(256, 255, np.uint8)
    mates[: len(beside)] = beside % 256
    numbers = np.full((size, size), -1, np.int16)
    pairs: list[tuple[int, int]] = []
    for place in pieces.places:
        own = [where[slot] for slot in place.slots if slot in where]
        if not own or beside[own[0]] < 0:
            continue
        if numbers[own[0], beside[own[0]]] < 0:
            pairs.append((own[0], int(beside[own[0]])))
        number = numbers[own[0], beside[own[0]]]
        for one in own:
            near = int(beside[one])
            number = len(pairs) - 1 if number < 0 else number
            numbers[one, near] = number
            if beside[near] == one:
                numbers[near, one] = number
    return Checks(np.array(pairs), mates, numbers)


def reduced(state: Stickers, side: int) -> CubeState:
    """Return the 3 × 3 × 3 cube of a reduced state.

    Raises:
        InvalidCubeError: Its pieces do not form a cube.
    """
    near = (0, (side - 1) // 2, side - 1)
    text = "".join(
        state[face * side * side + row * side + column]
        for face in range(6)
        for row in near
        for column in near
    )
    return CubeState.from_facelets(Facelets(text))


def exchange_names(side: int) -> list[str]:
    """Return the turns that exchange two opposite edges of a reduced cube with an even side.

    Inner layers by half turns, together with U: known to solvers of 4 × 4 × 4 cubes as the "PLL
    parity" word.
    """
    if side % 2:
        return []
    inner = [f"{depth}{{}}2" for depth in range(2, side // 2 + 1)]
    right, up = ([name.format(face) for name in inner] for face in "RU")
    return [*right, "U2", *right, "U2", *up, *right, *up]
