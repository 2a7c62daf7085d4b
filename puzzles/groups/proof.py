"""The exact order of a small group, by sympy's deterministic Schreier–Sims algorithm.

sympy is the optional extra `groups`. Nothing is wrong without it; numbers are called unproven.
"""

from collections.abc import Collection
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.pieces import Arrangement

_MOST_FOR_PROOF = 60
"""Above so many moved slots sympy would take minutes."""


def has_prover() -> bool:
    """Return whether sympy is installed."""
    return find_spec("sympy") is not None


def small_enough(turns: Collection[Arrangement]) -> bool:
    """Return whether sympy would count this group in reasonable time."""
    return len(_moved(turns)) <= _MOST_FOR_PROOF


def exact_order(turns: Collection[Arrangement]) -> int | None:
    """Return the order of the group that the turns make; None when it cannot be counted here."""
    if not (has_prover() and small_enough(turns)):
        return None
    from sympy.combinatorics import Permutation, PermutationGroup

    moved = _moved(turns)
    group = PermutationGroup([Permutation(np.searchsorted(moved, turn[moved])) for turn in turns])
    return int(group.order())


def _moved(turns: Collection[Arrangement]) -> NDArray[np.intp]:
    """The slots that turns move."""
    return np.flatnonzero(np.any([turn != np.arange(len(turn)) for turn in turns], axis=0))
