"""The frame of a puzzle: pieces that nobody can take out, in the positions that turns can produce.

The movements of kinds in the frame may depend on each other: in a 1×1×3 box the middle piece is
turned whenever the ends are. So the possible positions of the whole frame are counted together, by
the group of the turns on all its stickers. Two of its pieces that look alike may be interchanged
only if turns can exchange them without changing the rest of the frame.
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
    """All pieces of a puzzle that stay in the frame in a re-assembly.

    Args:
        pieces: The puzzle's pieces.
        exchanges: For each kind of the frame every invisible rearrangement.
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
        """Return the number of positions of the whole frame."""
        return self._chain.order if self._kinds else 1

    def holds(self, arrangement: Arrangement) -> bool:
        """Return whether turns can produce this position of the frame."""
        return not self._kinds or self._chain.contains(self._own(arrangement))

    @cached_property
    def unseen(self) -> tuple[Arrangement, ...]:
        """Return every invisible rearrangement of the frame that turns can make.

        Raises:
            SolverError: There are too many alike pieces to try all cases.
        """
        return tuple(made for made in self._made() if self.holds(made))

    def laid(self, arrangement: Arrangement) -> Arrangement:
        """Return an arrangement with the same looks and a frame that turns can produce.

        Raises:
            SolverError: Turns cannot produce a frame with these looks.
        """
        if self.holds(arrangement):
            return arrangement
        for made in self._made():
            if self.holds(there := made[arrangement]):
                return there
        raise SolverError(
            "the pieces that cannot be taken out are arranged as no turns could leave them"
        )

    def _made(self) -> Iterable[Arrangement]:
        if np.prod([len(each) for each in self._exchanges], initial=1.0) > _MOST_EXCHANGES:
            raise SolverError(
                "too many of the pieces that cannot be taken out look alike to try them all"
            )
        for parts in product(*self._exchanges):
            made = self._solved
            for part in parts:
                made = made[part]
            yield made

    def _own(self, arrangement: Arrangement) -> Arrangement:
        """Return the effect of an arrangement on the frame's stickers, numbered from 0."""
        return np.searchsorted(self._slots, arrangement[self._slots])
