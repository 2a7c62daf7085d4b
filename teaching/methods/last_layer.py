"""The last layer in two looks: 57 cases of orientation (OLL), 21 of permutation (PLL).

The sequences in `data/last_layer.txt` were found by our own search, never copied; loading the file
replays all of them, and counts what they cover. Cases are equivalent under rotations of the whole
cube about U (and, for PLL, under turns of U), so 57 and 21 sequences cover all 215 orientations and
287 permutations.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import product

from cube.moves import Move, MoveSequence
from cube.state import SOLVED, CubeState
from solver.cubies import conjugate_moves
from solver.errors import SolverError

OLL_CASES, PLL_CASES = 57, 21
_FILE = "data/last_layer.txt"
_TOP = 4
Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LastLayerCase:
    """One case of a look: its number within its kind, and the turns that solve it."""

    kind: str
    number: int
    moves: MoveSequence


def quarter_turned(moves: MoveSequence, quarters: int) -> MoveSequence:
    """Return the same turns after rotating the whole cube about U."""
    row = conjugate_moves()[2 * (quarters % 4)]
    return MoveSequence(tuple(Move.from_index(int(row[move.index])) for move in moves))


def first_two_layers_solved(state: CubeState) -> bool:
    """Return whether everything but the last layer is solved."""
    return (
        state.corner_permutation[_TOP:] == SOLVED.corner_permutation[_TOP:]
        and state.edge_permutation[_TOP:] == SOLVED.edge_permutation[_TOP:]
        and not any(state.corner_orientation[_TOP:] + state.edge_orientation[_TOP:])
    )


def orientation_key(state: CubeState) -> Key:
    """Return twists and flips of the last layer, by place."""
    return state.corner_orientation[:_TOP] + state.edge_orientation[:_TOP]


def permutation_key(state: CubeState) -> Key:
    """Return corners and edges of the last layer, by place."""
    return state.corner_permutation[:_TOP] + state.edge_permutation[:_TOP]


@dataclass(frozen=True, slots=True)
class LastLayer:
    """The two tables, for all rotations and turns of U of their cases.

    Attributes:
        orient: The sequences that orient a last layer, by its twists and flips.
        permute: The shortest sequence that solves an oriented one, by its corners and edges.
    """

    orient: dict[Key, tuple[tuple[LastLayerCase, MoveSequence], ...]]
    permute: dict[Key, tuple[LastLayerCase, MoveSequence]]

    def looks(self, state: CubeState) -> list[tuple[LastLayerCase, MoveSequence]]:
        """Return the remaining looks, two at most, with the least total length.

        Raises:
            SolverError: The first two layers are not solved.
        """
        if not first_two_layers_solved(state):
            raise SolverError(
                "the last layer can only be examined when the first two layers are solved"
            )
        ways = []
        for case, moves in self.orient[orientation_key(state)]:
            rest_case, rest = self.permute[permutation_key(state.apply(moves))]
            looks = [(case, moves)] if len(moves) else []
            looks += [(rest_case, rest)] if len(rest) else []
            ways.append((len((moves + rest).simplified()), looks))
        return min(ways, key=lambda way: way[0])[1]


_DONE = LastLayerCase("", 0, MoveSequence())


@cache
def load_last_layer() -> LastLayer:
    """Load the tables from the file, with every sequence replayed.

    Raises:
        SolverError: A sequence disturbs the first two layers, or a case is missing.
    """
    text = resources.files("teaching.methods").joinpath(_FILE).read_text(encoding="utf-8")
    rows = [line.split(maxsplit=2) for line in text.splitlines() if line and line[0] != "#"]
    return spread(
        tuple(
            LastLayerCase(kind, int(number), MoveSequence.parse(moves))
            for kind, number, moves in rows
        )
    )


def spread(cases: tuple[LastLayerCase, ...]) -> LastLayer:
    """Add every case as seen from all four sides, and replay it.

    Raises:
        SolverError: A sequence disturbs the first two layers, or a case is missing.
    """
    orient: dict[Key, list[tuple[LastLayerCase, MoveSequence]]] = {
        (0,) * 8: [(_DONE, MoveSequence())]
    }
    permute: dict[Key, tuple[LastLayerCase, MoveSequence]] = {}
    turns = [MoveSequence()] + [MoveSequence((Move("U", quarters),)) for quarters in (1, 2, 3)]
    for turn in turns:
        permute[permutation_key(SOLVED.apply(turn.inverse()))] = (_DONE, turn)
    for case, quarters in product(cases, range(4)):
        moves = quarter_turned(case.moves, quarters)
        start = SOLVED.apply(moves.inverse())
        if not first_two_layers_solved(start):
            raise SolverError(f"{case.kind} {case.number} disturbs the first two layers")
        if case.kind == "OLL":
            orient.setdefault(orientation_key(start), []).append((case, moves))
            continue
        if any(orientation_key(start)):
            raise SolverError(f"PLL {case.number} turns pieces of the last layer")
        for turn in turns:
            whole = (moves + turn).simplified()
            key = permutation_key(SOLVED.apply(whole.inverse()))
            if key not in permute or len(whole) < len(permute[key][1]):
                permute[key] = (case, whole)
    if len(orient) != 27 * 8 or len(permute) != 24 * 24 // 2:
        raise SolverError("a case is missing from the tables of the last layer")
    return LastLayer({key: tuple(ways) for key, ways in orient.items()}, permute)
