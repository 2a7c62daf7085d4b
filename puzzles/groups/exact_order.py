"""The exact order of a small group, by sympy's deterministic Schreier–Sims algorithm.

sympy is the optional extra `groups`.
"""

from collections.abc import Collection
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.pieces import Arrangement

_MOST_FOR_PROOF = 60
"""Maximum number of moved slots; for more, sympy would take minutes."""


def has_prover() -> bool:
    """Return whether sympy is installed."""
    return find_spec("sympy") is not None


def small_enough(turns: Collection[Arrangement]) -> bool:
    """Return whether sympy can count this group in reasonable time."""
    return len(_moved(turns)) <= _MOST_FOR_PROOF


def exact_order(turns: Collection[Arrangement]) -> int | None:
    """Return the order of the group of the turns; None if it cannot be counted here."""
    if not (has_prover() and small_enough(turns)):
        return None
    from sympy.combinatorics import Permutation, PermutationGroup

    moved = _moved(turns)
    group = PermutationGroup([Permutation(np.searchsorted(moved, turn[moved])) for turn in turns])
    return int(group.order())


def _moved(turns: Collection[Arrangement]) -> NDArray[np.intp]:
    """Return the slots that turns move."""
    return np.flatnonzero(np.any([turn != np.arange(len(turn)) for turn in turns], axis=0))
