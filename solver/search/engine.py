"""One metric's search: its tables at their addresses, and how to read what it found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.kernels import slots
from solver.kernels.context import set_slots
from solver.search.tables.axial_turns import Prices
from solver.tables import Obtained

DIRECTIONS = 6
Schedule = tuple[tuple[int, int, float], ...]
"""(level, longest premoves, least budget in ms): what pays from which level on."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """Where a search starts, and when it uses premoves.

    Attributes:
        first_bound: Only solutions that cost less are looked for.
        first_cap: Cost of phase two at most, so that the first solution comes soon.
        schedule: When premoves pay.
    """

    first_bound: int
    first_cap: int
    schedule: Schedule


@dataclass(frozen=True, slots=True)
class Kernel:
    """What is compiled of a search; each takes the address of the context.

    Attributes:
        prepare: From the first of the six rows makes the others.
        find_symmetries: Finds the directions worth searching.
        search: Searches; 1 when nothing is better than the best.
    """

    prepare: Callable[[int], int]
    find_symmetries: Callable[[int], int]
    search: Callable[[int], int]

    @classmethod
    def load(cls, room: str) -> "Kernel":
        """Make the search in a room of `solver.kernels` ready: in seconds at first, soon later."""
        from solver.kernels.machine_code import machine_function

        return cls(
            machine_function("roots", "prepare"),
            machine_function("roots", "find_symmetries"),
            machine_function(f"{room}.search", "search"),
        )


@dataclass(frozen=True, slots=True)
class Engine:
    """A search that is ready to run.

    Attributes:
        arrays: The tables; they live as long as the engine.
        context: Their addresses in the slots of the compiled search.
        kernel: The compiled search.
        tuning: Where it starts.
        sources: Where the tables came from.
        prices: What turns cost.
        symmetry: Number of the rotation through which the cube is looked at.
        directions: Those to search, of three axes of the cube and three of its inverse.
        lopsided: Whether turns that are alike by a symmetry of the cube may cost differently.
        units: What a unit of cost is worth in the measure of the best solution: a guess, and the
            least; or the least alone.
    """

    arrays: Mapping[str, NDArray[Any]]
    context: NDArray[np.int64]
    kernel: Kernel
    tuning: Tuning
    sources: tuple[Obtained, ...]
    prices: Prices
    symmetry: int = 0
    directions: tuple[int, ...] = tuple(range(DIRECTIONS))
    lopsided: bool = False
    units: tuple[int, ...] = (1,)

    def premoves_by_level(self, budget_ms: float) -> NDArray[np.int64]:
        """How many premove sequences are in use at each level, shape (MOST_LEVELS,)."""
        counts = self.arrays["premove_counts"]
        numbers = np.empty(slots.MOST_LEVELS, dtype=np.int64)
        for level, longest, least_ms in self.tuning.schedule:
            if budget_ms >= least_ms:
                numbers[level:] = counts[longest]
        return numbers


def context_of(arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.int64]:
    """The context of the compiled search, with the addresses of those tables that are there."""
    context = np.zeros(slots.CONTEXT_SIZE, dtype=np.int64)
    named = {slots.TABLES[name]: arrays[name] for name in slots.TABLES.keys() & arrays.keys()}
    set_slots(context, named)
    if "pair_radius" in arrays:
        context[slots.PAIR_RADIUS] = arrays["pair_radius"][0]
        context[slots.PAIR_BITS] = len(arrays["pair_keys"]).bit_length() - 1
    return context
