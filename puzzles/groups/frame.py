"""The frame of a puzzle: pieces that nobody can take out, and that lie as turns left them.

What one kind of the frame does may depend on another: in a 1×1×3 box the middle piece is turned
whenever the ends are. So the ways in which a frame can lie are counted together, by the group that
the turns make on all its stickers at once. Two pieces of it that look alike may stand for each
other only where turns could exchange them and leave the rest of the frame alone.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import product

import numpy as np

from puzzles.groups.stabiliser_chain import StabiliserChain
from puzzles.kinds.pieces import Arrangement, PieceKind, Pieces
from solver.errors import SolverError

_MOST_EXCHANGES = 200_000


class FixedPieces:
    """All pieces of a puzzle that a re-assembly leaves as turns left them.

    Args:
        pieces: The puzzle's.
        exchanges: For each kind of the frame every rearrangement that leaves its looks alone.
    """

    def __init__(self, pieces: Pieces, exchanges: Iterable[list[Arrangement]]) -> None:
        self._kinds = [kind for kind in pieces.kinds if kind.frame]
        self._exchanges = list(exchanges)
        self._solved = pieces.solved
        self._turns = tuple(pieces.turns.values())
        found = [kind.slots.ravel() for kind in self._kinds]
        self._slots = np.sort(np.concatenate(found)) if found else np.zeros(0, np.int64)

    @cached_property
    def _chain(self) -> StabiliserChain:
        return StabiliserChain([self._own(turn) for turn in self._turns])

    @property
    def kinds(self) -> list[PieceKind]:
        """Its kinds."""
        return self._kinds

    @cached_property
    def order(self) -> int:
        """In how many ways turns can lay the whole frame."""
        return self._chain.order if self._kinds else 1

    def holds(self, arrangement: Arrangement) -> bool:
        """Whether turns can lay the frame as it lies here."""
        return not self._kinds or self._chain.contains(self._own(arrangement))

    @cached_property
    def unseen(self) -> tuple[Arrangement, ...]:
        """Every rearrangement that turns can make of the frame and that nobody can see.

        Raises:
            SolverError: Too many pieces look alike to try them all.
        """
        return tuple(made for made in self._made() if self.holds(made))

    def laid(self, arrangement: Arrangement) -> Arrangement:
        """The same looks, look-alikes of the frame named so that turns can lay it.

        Raises:
            SolverError: No turns lay a frame that looks so.
        """
        if self.holds(arrangement):
            return arrangement
        for made in self._made():
            if self.holds(there := made[arrangement]):
                return there
        raise SolverError("the pieces that cannot be taken out lie as no turns could leave them")

    def _made(self) -> Iterable[Arrangement]:
        if np.prod([len(each) for each in self._exchanges], initial=1.0) > _MOST_EXCHANGES:
            raise SolverError("too many pieces that cannot be taken out look alike to try them all")
        for parts in product(*self._exchanges):
            made = self._solved
            for part in parts:
                made = made[part]
            yield made

    def _own(self, arrangement: Arrangement) -> Arrangement:
        """What an arrangement does to the frame's stickers, numbered from 0."""
        return np.searchsorted(self._slots, arrangement[self._slots])
