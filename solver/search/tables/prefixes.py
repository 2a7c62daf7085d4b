"""The states some turns away from a state, each with the turns, without those alike by symmetry."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.cubies import (
    MOVES,
    Cubies,
    allowed_turns,
    conjugate_moves,
    move_cubies,
    symmetries,
    symmetry_inverses,
)


@dataclass(frozen=True, slots=True)
class Prefixes:
    """States after turns.

    Attributes:
        cubies: One row for each state, see `Cubies.row`, uint8 (n, 40).
        turns: The turns from the first state, int64 (n, length).
        followers: The turns that may follow, as bits, int64 (n,).
    """

    cubies: NDArray[np.uint8]
    turns: NDArray[np.int64]
    followers: NDArray[np.int64]

    def __getitem__(self, chosen: NDArray[np.int64]) -> "Prefixes":
        """Return some of them."""
        return Prefixes(self.cubies[chosen], self.turns[chosen], self.followers[chosen])


def after_turns(state: Cubies, length: int) -> Prefixes:
    """Return the states after each sequence of turns without two turns of a face in a row.

    Of two opposite faces, the one that `allowed_turns` wants first is turned first.
    """
    allowed = allowed_turns().astype(np.int64)
    found = Prefixes(
        state.row()[None], np.zeros((1, 0), dtype=np.int64), allowed[MOVES : MOVES + 1]
    )
    for _ in range(length):
        parts = []
        for turn, cubies in enumerate(move_cubies()):
            before = found[np.flatnonzero(found.followers >> turn & 1)]
            last = np.full((len(before.turns), 1), turn)
            followers = np.full(len(last), allowed[turn])
            turns = np.hstack([before.turns, last])
            parts.append(Prefixes((Cubies.of_rows(before.cubies) * cubies).row(), turns, followers))
        found = Prefixes(
            np.concatenate([part.cubies for part in parts]),
            np.concatenate([part.turns for part in parts]),
            np.concatenate([part.followers for part in parts]),
        )
    return found


def _seen(cubies: Cubies, symmetry: int) -> NDArray[np.uint8]:
    """Return the rows of states seen through a symmetry."""
    back = symmetries()[int(symmetry_inverses()[symmetry])]
    return (symmetries()[symmetry] * cubies * back).row()


def _keys(rows: NDArray[np.uint8]) -> NDArray[np.bytes_]:
    keys: NDArray[np.bytes_] = np.ascontiguousarray(rows).view(f"S{rows.shape[1]}").reshape(-1)
    return keys


def symmetry_count(state: Cubies) -> int:
    """Return how many of the symmetries, of the state and of its inverse, lead to the state."""
    return sum(
        np.array_equal(_seen(side, number), state.row())
        for side in (state, state.inverse())
        for number in range(len(symmetries()))
    )


def without_images(found: Prefixes, *, inverses: bool) -> Prefixes:
    """Return one of all states that are alike by symmetry, or also as inverses.

    The turns that may follow are those that may follow any of the states alike; after one that is
    alike as an inverse, every turn may.
    """
    cubies, least = Cubies.of_rows(found.cubies), _keys(found.cubies)
    through, inverted = np.zeros((2, len(least)), dtype=np.int64)
    for side in range(1 + inverses):
        cubies = cubies.inverse() if side else cubies
        for symmetry in range(len(symmetries())):
            keys = _keys(_seen(cubies, symmetry))
            less = keys < least
            least = np.where(less, keys, least)
            through[less], inverted[less] = symmetry, side
    _, first, kinds = np.unique(least, return_index=True, return_inverse=True)
    seen, turns = conjugate_moves()[through], np.arange(MOVES)
    follow = (found.followers[:, None] >> turns & 1 | inverted[:, None]).astype(bool)
    joined = np.zeros((len(first), MOVES), dtype=bool)
    members, turns_of = np.nonzero(follow)
    joined[kinds[members], seen[members, turns_of]] = True
    followers = (np.take_along_axis(joined, seen[first], axis=1) << turns).sum(axis=1)
    return Prefixes(found.cubies[first], found.turns[first], followers)
