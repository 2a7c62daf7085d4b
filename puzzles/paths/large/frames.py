"""The frame for the edges of an n × n × n cube, and the 3 × 3 × 3 that it is then."""

from collections.abc import Sequence

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

BUDGET_MS = 5000.0
"""Default processor time for a path of a big cube."""
_SMALLEST = 4


def is_big_cube(puzzle: Box) -> bool:
    """Return whether a box is a cube with more than three layers."""
    return len(set(puzzle.sides)) == 1 and puzzle.sides[0] >= _SMALLEST


def edge_frames(pieces: Pieces, side: int) -> list[LinkFrame]:
    """Return frames for the edges, whose pieces come together; the centres stay at home.

    There is one for each orbit of wings, those in the middle of the edges first. Each wing comes
    next to its neighbour nearer to the middle, and stays there in later frames. The pieces next to
    the middle must have an even permutation before: an odd one leaves a flipped edge.
    """
    centres = [orbit for orbit in orbits_of(pieces) if orbit.slots.shape[1] == 1]
    middle = np.concatenate([orbit.slots[:, 0] for orbit in centres])
    colours = [FACES.index(colour) for colour in pieces.colours]
    return [
        _edge_frame(pieces, middle, colours, edge_slots(side, wings))
        for wings in range(1, side // 2)
    ]


def _edge_frame(
    pieces: Pieces, middle: Slots, colours: Sequence[int], parts: tuple[Slots, Slots, Slots]
) -> LinkFrame:
    """Return the frame of an orbit of wings.

    Args:
        pieces: The pieces of the cube.
        middle: The slots of all centres.
        colours: The number of each sticker's colour.
        parts: The slots of edges, as `edge_slots` returns them.
    """
    edges, beside, wings = parts
    slots = np.concatenate([edges, middle])
    turns = framed_turns(list(pieces.turns.values()), slots, (), len(FACES))
    size = turns.shape[1]
    home = [(len(edges) + i, size - len(FACES) + colours[slot]) for i, slot in enumerate(middle)]
    values = np.zeros(len(colours), np.uint8)
    values[edges] = np.arange(len(edges))
    joined = _edge_checks(pieces, edges, beside, size)
    outer = wings[joined.pairs[:, 0]] == wings.max()
    own, before = joined.chosen(outer), joined.chosen(~outer)
    kept = checks_of(home, size).joined(before)
    fixed = np.zeros(len(FACES), np.uint8)
    return LinkFrame(slots, values, (), fixed, turns, own, kept)


SHOWN = ((0, 1, 0, 0, 1, 0), (0, 1, 2, 0, 1, 2), (0, 1, 2, 3, 4, 5))
"""The class of each face's centres after one, two and three phases."""


def centre_frame(
    pieces: Pieces,
    kept: Sequence[tuple[Slots, int]],
    wanted: Sequence[Slots],
    number: int,
    wings: tuple[Sequence[PieceOrbit], Sequence[PieceOrbit]],
) -> LinkFrame:
    """Return a frame for a phase of the centres.

    Args:
        pieces: The pieces of the cube.
        kept: Orbits of centres for which phases are over, and how many.
        wanted: The orbits of this phase.
        number: The phase, 0 to 2.
        wings: The wings whose permutations must become, and must stay even.
    """
    face = np.array([FACES.index(colour) for colour in pieces.colours])
    values, names = np.zeros(len(face), np.uint8), np.array(SHOWN)
    groups = [(slots, phases) for slots, phases in kept] + [(slots, number + 1) for slots in wanted]
    for slots, phases in groups:
        values[slots] = names[phases - 1][face[slots]]
    slots = np.concatenate([slots for slots, _ in groups])
    parities = (*wings[0], *wings[1])
    turns = framed_turns(list(pieces.turns.values()), slots, parities, len(FACES))
    size = turns.shape[1]
    zero, first = size - len(FACES), sum(len(slots) for slots, _ in kept)
    even = even_checks(len(slots), len(parities), zero)
    home = [(i, zero + int(values[slot])) for i, slot in enumerate(slots)]
    before = np.concatenate(
        [np.full(len(slots), phases) for slots, phases in kept]
        + [np.full(len(slots) - first, number)]
    )
    checked = [i for i in range(len(slots)) if before[i]]
    still = Checks(
        np.array([home[i] for i in checked] + even[len(wings[0]) :], np.int64).reshape(-1, 2),
        np.arange(256, dtype=np.uint8),
        np.full((size, size), -1, np.int16),
    )
    for at, i in enumerate(checked):
        own = names[before[i] - 1][face[slots]]
        still.numbers[np.flatnonzero((own == own[i]) & (before == before[i])), home[i][1]] = at
    for at, (one, other) in enumerate(even[len(wings[0]) :]):
        still.numbers[one, other] = len(checked) + at
    goal = checks_of(home[first:] + even[: len(wings[0])], size)
    fixed = np.arange(len(FACES), dtype=np.uint8)
    return LinkFrame(slots, values, parities, fixed, turns, goal, still)


def edge_slots(side: int, wings: int) -> tuple[Slots, Slots, Slots]:
    """Return stickers of the edges: those in the middle, and some orbits of wings beside it.

    Args:
        side: The cube's number of layers.
        wings: Number of orbits, those nearest to the middle.

    Returns:
        Slots of the cube, shape (stickers,); for each the index of its neighbour nearer to the
        middle among these, or -1 for one in the very middle; and the number of its orbit, from 1 on
        for wings.
    """
    ends = (0, side - 1)
    slots, nearer, numbers = [], [], []
    for slot in range(6 * side * side):
        row, column = slot // side % side, slot % side
        if (row in ends) == (column in ends):
            continue
        along, step = (column, 1) if row in ends else (row, side)
        number = (abs(2 * along - side + 1) + 1) // 2
        if number <= wings:
            slots.append(slot)
            nearer.append(slot + (step if 2 * along < side - 1 else -step) if number else -1)
            numbers.append(number)
    where = {slot: number for number, slot in enumerate(slots)}
    return np.array(slots), np.array([where.get(slot, -1) for slot in nearer]), np.array(numbers)


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
