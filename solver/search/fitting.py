"""The search for the fewest turns to any state that fits a partial one.

It searches the solutions of each length completely (IDA*). Its lower bounds are the distances of a
few pieces at a time from the places where the partial state allows them; pieces that may be
anywhere do not count.
"""

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES, Move, MoveSequence
from cube.partial import FittingStates, Options, PartialFacelets
from cube.state import CubeState
from solver.clock import thread_clock_ns
from solver.cubies import MOVES, allowed_turns, move_cubies, of_state
from solver.errors import SolverError

_CORNERS, _EDGES = 0, 1
_TURNS = (3, 2)
_TOGETHER = 5
"""Pieces in one table, which has 24 to that power entries: at most 8 MB."""
_MOST_MIXED = 12
_VISITS = 1_000_000
_LONGEST = 20


class FittingSearch:
    """Searches moves to any state that fits a partial one, by their number.

    Args:
        partial: The partial state.
        faces: The faces that may turn.

    Attributes:
        excluded: No solution of the present state has this number of turns or fewer.
        nodes: Positions visited for it.
        cpu_ms: Processor time for it.
    """

    def __init__(self, partial: PartialFacelets, faces: str = FACES) -> None:
        from solver.kernels.fitting import FAR, SLOTS, fill_distances

        self._partial = partial
        self._followers = allowed_turns(faces).astype(np.int64)
        self._turned = np.stack([_turned(_CORNERS), _turned(_EDGES)])
        fitting = FittingStates(partial).random(np.random.default_rng(0))
        self._tracked, allowed = [], []
        for options, pieces in (
            (partial.corner_options, fitting.corner_permutation),
            (partial.edge_options, fitting.edge_permutation),
        ):
            confined, tracked = _confined(options, np.argsort(pieces))
            self._tracked.append(tracked)
            allowed.append(confined.reshape(-1, SLOTS)[tracked])
        self._kinds = np.repeat((_CORNERS, _EDGES), list(map(len, allowed))).astype(np.int64)
        self._allowed = np.concatenate(allowed).astype(np.uint8)
        groups, tables = _groups(self._kinds), []
        for group in groups:
            goal = np.zeros(1, dtype=np.uint8)
            for piece in group:
                here = np.where(self._allowed[piece], 0, FAR).astype(np.uint8)
                goal = np.maximum.outer(goal, here).ravel()
            _forbid_same_place(goal, self._kinds[group], FAR)
            fill_distances(self._turned, self._kinds[group], goal)
            tables.append(goal)
        self._groups = np.full((len(groups), _TOGETHER), -1, dtype=np.int64)
        for row, group in zip(self._groups, groups, strict=True):
            row[: len(group)] = group
        self._offsets = np.cumsum([0, *map(len, tables)])[:-1].astype(np.int64)
        self._distances = np.concatenate([*tables, np.zeros(1, dtype=np.uint8)])
        self.excluded, self.nodes, self.cpu_ms = -1, 0, 0.0
        self._state: CubeState | None = None

    def below(
        self,
        state: CubeState,
        limit: int = _LONGEST + 1,
        *,
        budget_ms: float | None = None,
        progress: Callable[[int, int], None] = lambda _length, _nodes: None,
    ) -> MoveSequence | None:
        """Find the fewest moves to a state that fits, fewer than a limit.

        A later call with the same state goes on after what has been excluded.

        Args:
            state: The start.
            limit: Number of turns below which to search.
            budget_ms: Processor time for this call; None for no limit.
            progress: Called several times a second with the present length and the positions
                visited.

        Returns:
            The moves; None if there are none, or if the budget ended. `excluded` tells which.

        Raises:
            SolverError: The moves do not fit, which is a fault of this program.
        """
        if state != self._state:
            self._state, self.nodes, self.cpu_ms = state, 0, 0.0
            self.excluded = self._bound(state) - 1
        begun = thread_clock_ns()

        def spent_ms() -> float:
            return (thread_clock_ns() - begun) / 1e6

        before = self.cpu_ms
        try:
            while self.excluded < limit - 1:
                length = self.excluded + 1
                for found in self._of_length(state, length):
                    if found is not None:
                        return found
                    progress(length, self.nodes)
                    if budget_ms is not None and spent_ms() >= budget_ms:
                        return None
                self.excluded = length
        finally:
            self.cpu_ms = before + spent_ms()
        return None

    def _slots(self, state: CubeState) -> NDArray[np.uint8]:
        """Return the slot of each tracked piece."""
        cubies = of_state(state).inverse()
        places = (cubies.corners, cubies.edges)
        turns = (np.array(state.corner_orientation), np.array(state.edge_orientation))
        slots = [
            place[tracked] * count + turn[place[tracked]]
            for place, turn, tracked, count in zip(
                places, turns, self._tracked, _TURNS, strict=True
            )
        ]
        return np.concatenate(slots).astype(np.uint8)

    def _bound(self, state: CubeState) -> int:
        """Return a lower bound for the number of turns."""
        from solver.kernels.fitting import SLOTS

        slots, bound = self._slots(state), 0
        for group, offset in zip(self._groups, self._offsets, strict=True):
            place = 0
            for piece in group[group >= 0]:
                place = place * SLOTS + int(slots[piece])
            bound = max(bound, int(self._distances[offset + place]))
        return bound

    def _of_length(self, state: CubeState, length: int) -> Iterator[MoveSequence | None]:
        """Search one length; yield None now and then, and at the end the moves if there are any."""
        from solver.kernels.fitting import DEPTH, FOUND, MORE, VISITS, search_fitting

        if length == 0:
            yield MoveSequence() if self._partial.fits(state.to_facelets()) else None
            return
        slots = np.zeros((length + 1, len(self._kinds)), dtype=np.uint8)
        slots[0] = self._slots(state)
        left, turns = np.zeros(length, dtype=np.int64), np.zeros(length, dtype=np.uint8)
        left[0], here = self._followers[MOVES], np.zeros(2, dtype=np.int64)
        goal = (self._turned, self._kinds, self._allowed)
        tables = (self._groups, self._offsets, self._distances, self._followers)
        result, before = MORE, self.nodes
        while result == MORE:
            result = search_fitting(*goal, *tables, length, _VISITS, slots, left, turns, here)
            self.nodes = before + int(here[VISITS])
            if result == MORE:
                yield None
        if result == FOUND:
            assert here[DEPTH] == length - 1
            moves = MoveSequence(tuple(map(Move.from_index, turns.tolist())))
            if not self._partial.fits(state.apply(moves).to_facelets()):
                raise SolverError(f"the moves {moves} do not lead to a state that fits the target")
            yield moves


def _turned(kind: int) -> NDArray[np.uint8]:
    """Return the slot of each slot after each turn, shape (18, 24)."""
    turns, rows = _TURNS[kind], []
    for cubies in move_cubies():
        places, by = (
            (cubies.corners, cubies.twists) if kind == _CORNERS else (cubies.edges, cubies.flips)
        )
        row = np.empty((len(places), turns), dtype=np.uint8)
        for place, (came_from, turn) in enumerate(zip(places, by, strict=True)):
            for before in range(turns):
                row[came_from, before] = place * turns + (before + turn) % turns
        rows.append(row.ravel())
    return np.stack(rows)


def _confined(options: Options, place_of: NDArray[np.int64]) -> tuple[Options, NDArray[np.int64]]:
    """Confine the pieces of one kind to the places that are left for them.

    Pieces fall into sets that fill as many places: a piece that may be in another's place belongs
    to its set if that one may be, directly or through others, in its own. Only within its set's
    places can a piece be in a state that fits. If the pieces of a set may be anywhere in these
    places, they need not be tracked, because the others are.

    Args:
        options: Which piece may be where, shape (places, pieces, orientations).
        place_of: The place of each piece in a state that fits.

    Returns:
        Where each piece may be, shape (pieces, places, orientations), and the pieces to track.
    """
    by_piece = options.swapaxes(0, 1)
    pieces = np.arange(len(by_piece))
    may_be = np.asarray(by_piece.any(axis=2))
    reaches = may_be[:, place_of].astype(np.int64)  # [piece, piece whose place it may have]
    for _ in range(len(pieces).bit_length()):
        reaches = np.minimum(reaches @ reaches, 1)  # each reaches itself
    together = (reaches & reaches.T).astype(np.bool_)
    confined = np.zeros_like(by_piece)
    confined[:, place_of] = by_piece[:, place_of] & together[:, :, None]
    anywhere = confined.sum(axis=(1, 2)) == together.sum(axis=1) * options.shape[2]
    free = [together[piece].sum() if anywhere[together[piece]].all() else 0 for piece in pieces]
    largest = int(np.argmax(free))
    untracked = together[largest] & (free[largest] > 0)
    return confined, pieces[~untracked]


def _groups(kinds: NDArray[np.int64]) -> list[list[int]]:
    """Divide pieces into groups for tables, those of one kind and mixed ones."""
    everyone = list(range(len(kinds)))
    if len(everyone) <= _TOGETHER:
        return [everyone] if everyone else []
    corners, edges = (np.flatnonzero(kinds == kind).tolist() for kind in (_CORNERS, _EDGES))
    longer, shorter = sorted((corners, edges), key=len, reverse=True)
    groups = _windows(longer) + (_windows(shorter) if shorter else [])
    # More pieces are rarely near enough for the exact search, and each table takes time to fill.
    if shorter and len(everyone) <= _MOST_MIXED:
        step = len(longer) / len(shorter)
        at = {piece: float(i) for i, piece in enumerate(longer)}
        at |= {piece: i * step for i, piece in enumerate(shorter)}
        groups += _windows(sorted(everyone, key=lambda piece: at[piece]))
    return groups


def _windows(order: list[int]) -> list[list[int]]:
    """Divide a list into the fewest windows of at most the size of a table, which may overlap."""
    size = min(len(order), _TOGETHER)
    starts = np.linspace(0, len(order) - size, -(-len(order) // _TOGETHER))
    return [order[start : start + size] for start in starts.round().astype(int).tolist()]


def _forbid_same_place(table: NDArray[np.uint8], kinds: NDArray[np.int64], value: int) -> None:
    """Set the arrangements that have two pieces in the same place."""
    pieces = len(kinds)
    count = round(len(table) ** (1 / pieces))
    cells = table.reshape((count,) * pieces)
    for one, other in combinations(range(pieces), 2):
        turns = _TURNS[kinds[one]]
        for start in range(0, count, turns) if kinds[one] == kinds[other] else ():
            place: list[slice] = [slice(None)] * pieces
            place[one] = place[other] = slice(start, start + turns)
            cells[tuple(place)] = value
