"""The number and size of a puzzle's orbits, and whether and how two states connect.

The invariants give an upper bound of the order of the turns' group (they divide all re-assemblies
into classes that turns cannot leave), and the elements in a chain of stabilisers a lower bound. If
the two bounds are equal, the invariants are complete and everything is exact. Otherwise, sympy's
deterministic Schreier–Sims algorithm decides, and the coset of the group is the missing invariant.

sympy is the optional extra `groups`. Results are also correct without it; numbers are then marked
as unproven.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod
from typing import Generic

import numpy as np

from puzzles.groups.exact_order import exact_order, has_prover, small_enough
from puzzles.groups.fixed_pieces import FixedPieces
from puzzles.groups.invariants import Invariant, invariants_of
from puzzles.groups.ledger import Ledger
from puzzles.groups.look_alikes import closed, unseen
from puzzles.groups.stabiliser_chain import StabiliserChain
from puzzles.kinds.pieces import Arrangement, Phrase, Pieces
from puzzles.kinds.puzzle import Puzzle, State
from solver.errors import SolverError

_MOST_SWAPS = 20_000
PATTERN = "pattern"
"""Name of the invariant that has no other name: the coset of the group of the turns."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An invariant in which two states differ."""

    invariant: Invariant
    one: object
    other: object


class UndecidedError(SolverError):
    """Whether turns connect two states would take too long to find out."""


class Analysis(Generic[State]):
    """Properties of a puzzle's states without a search."""

    def __init__(self, puzzle: Puzzle[State]) -> None:
        self.puzzle = puzzle
        self.pieces: Pieces = puzzle.pieces
        self._ledger = Ledger(self.pieces)

    @cached_property
    def _frame(self) -> FixedPieces:
        """Return the pieces that a re-assembly does not take out."""
        kinds = [kind for kind in self.pieces.kinds if kind.frame]
        generators = (unseen(self.pieces, kind)[1] for kind in kinds)
        return FixedPieces(self.pieces, [closed(self.pieces, each) for each in generators])

    @cached_property
    def _alike(self) -> tuple[int, tuple[Arrangement, ...]]:
        """Return the number of invisible rearrangements, and some generators."""
        total = len(self._frame.unseen)
        generators = list(self._frame.unseen[1:])
        for kind in self.pieces.kinds:
            if not kind.frame:
                number, made = unseen(self.pieces, kind)
                total *= number
                generators += made
        return total, tuple(generators)

    @cached_property
    def _told_apart(self) -> tuple[Invariant, ...]:
        """Return the invariants if pieces that look alike are distinguished."""
        return invariants_of(self._ledger, self._ledger.sums())

    @cached_property
    def _all_arrangements(self) -> int:
        """Return all re-assemblies if pieces that look alike are distinguished."""
        total = self._frame.order
        for kind in self.pieces.kinds:
            if not kind.frame:
                total *= factorial(len(kind.places)) * len(kind.rotations) ** len(kind.places)
        return total

    @cached_property
    def chain(self) -> StabiliserChain:
        """Return the group of the turns."""
        bound = self._all_arrangements
        for invariant in self._told_apart:
            bound //= invariant.values
        base = [int(slot) for kind in self.pieces.kinds for row in kind.slots for slot in row]
        return StabiliserChain(self.pieces.turns.values(), base, bound=bound)

    @cached_property
    def _cosets(self) -> int:
        """Return how many orbits the other invariants do not separate: 1 if they are complete."""
        cosets = self._all_arrangements // self.chain.order
        for invariant in self._told_apart:
            cosets //= invariant.values
        return cosets

    @cached_property
    def proven(self) -> bool:
        """Whether the numbers are proven; otherwise they are wrong with a probability below 2**-60.

        If the bounds differ, only sympy can prove them: see `lacks_proof`.
        """
        return self._cosets == 1 or self.chain.order == exact_order(self.pieces.turns.values())

    @cached_property
    def lacks_proof(self) -> bool:
        """Whether sympy, which is not installed, would prove the numbers."""
        return self._cosets > 1 and not has_prover() and small_enough(self.pieces.turns.values())

    @property
    def group_order(self) -> int:
        """The order of the turns' group if all pieces are distinguished."""
        return self.chain.order

    @property
    def alike(self) -> int:
        """The number of invisible rearrangements of pieces that look alike."""
        return self._alike[0]

    @property
    def counts_alike(self) -> bool:
        """Whether states that look the same are counted as one.

        This is the case unless the group is so small that signs and twists do not describe it.
        """
        return self._cosets == 1

    @cached_property
    def invariants(self) -> tuple[Invariant, ...]:
        """A complete set of invariants: two states connect exactly if all are equal."""
        if self.alike > 1 and self.counts_alike:
            return invariants_of(self._ledger, self._ledger.sums(self._alike[1]))
        if self._cosets == 1:
            return self._told_apart
        if (named := self._named_laws()) is not None:
            return named
        last = Invariant(
            Phrase("pattern_name", PATTERN),
            Phrase(
                "pattern",
                "which of {count} patterns, unchanged by turns, the pieces form (cosets of the "
                "group of the turns){narrow}",
                count=self._cosets,
                narrow=self._narrow(),
            ),
            self._cosets,
            lambda arrangement: self.chain.canonical(arrangement).tobytes(),
            self._pattern_said,
        )
        return (*self._told_apart, last)

    def _named_laws(self) -> tuple[Invariant, ...] | None:
        """Return the invariants if named laws complete the sums; None if they do not."""
        laws = self.pieces.laws
        sums = invariants_of(self._ledger, self._ledger.sums(f for law in laws for f in law.frees))
        named = (
            Invariant(law.name, law.text, law.values, law.of, law.said, law.given) for law in laws
        )
        found = (*sums, *named)
        orbits = prod(invariant.values for invariant in found)
        return found if orbits * self.chain.order == self._all_arrangements else None

    def _pattern_said(self, value: bytes) -> str:
        """Describe a class by one of its states."""
        first = np.frombuffer(value, dtype=self.pieces.solved.dtype)
        code = self.puzzle.code(self.puzzle.state(first))
        return Phrase("that_of", "that of {code}", code=code)

    def _narrow(self) -> str:
        """Return the pieces that are permuted in fewer ways than signs allow."""
        said = list[Phrase]()
        for part in self._ledger.parts:
            slots = part.kind.slots[list(part.rows)]
            numbers = {slot: i for i, row in enumerate(slots.tolist()) for slot in row}
            turns = [
                np.array([numbers[int(turn[row[0]])] for row in slots])
                for turn in self.pieces.turns.values()
            ]
            ways, all_ways = StabiliserChain(turns).order, factorial(len(slots))
            if 2 * ways < all_ways:
                names = " ".join(self.pieces.places[part.kind.places[r]].name for r in part.rows)
                told = {"names": names, "ways": ways, "all": all_ways}
                said.append(
                    Phrase(
                        "narrow",
                        "; turns permute the places {names} in {ways} of {all} ways",
                        **told,
                    )
                    if not said
                    else Phrase(
                        "narrow_more",
                        "{before}, the places {names} in {ways} of {all} ways",
                        before=said[-1],
                        **told,
                    )
                )
        return said[-1] if said else ""

    @property
    def reassemblies(self) -> int:
        """The number of ways to assemble the puzzle, with its frame as turns leave it."""
        return self._all_arrangements // (self.alike if self.counts_alike else 1)

    @cached_property
    def orbits(self) -> int:
        """The number of classes of re-assemblies that turns cannot leave."""
        orbits = 1
        for invariant in self.invariants:
            orbits *= invariant.values
        return orbits

    @property
    def states_per_orbit(self) -> int:
        """States of one orbit; those that differ by a rotation of the whole puzzle are one."""
        return self.reassemblies // self.orbits // self.pieces.holds

    def values(self, state: State) -> tuple[object, ...]:
        """Return the values of a state's invariants, in their order."""
        arranged = self.arranged(state)
        return tuple(invariant.of(arranged) for invariant in self.invariants)

    def differences(self, one: State, other: State) -> tuple[Difference, ...]:
        """Return the invariants in which two states differ; empty if turns connect them.

        An invariant of some places is left out if these have different pieces, and the coset if
        another invariant differs: they would say nothing more.
        """
        if self.alike > 1 and not self.counts_alike and self._may_connect(one, other):
            return ()
        arranged = [self.arranged(state) for state in (one, other)]
        found = list[Difference]()
        for invariant in self.invariants:
            if invariant.given(arranged[0]) != invariant.given(arranged[1]):
                continue  # what it is about differs already
            a, b = (invariant.of(arrangement) for arrangement in arranged)
            if a != b and not (found and invariant.name == PATTERN):
                found.append(Difference(invariant, a, b))
        return tuple(found)

    def _may_connect(self, one: State, other: State) -> bool:
        """Return whether turns connect two states, or that cannot be decided."""
        try:
            return self.element(one, other) is not None
        except UndecidedError:
            return True

    def element(self, one: State, other: State) -> Arrangement | None:
        """Return the element of the group that leads from one state to the other, or None.

        Pieces that look alike may take any of their places; they are chosen so that turns can do
        it.

        Raises:
            SolverError: A state is not a re-assembly.
            UndecidedError: There are too many alike pieces to try.
        """
        start, end = (self.arranged(state) for state in (one, other))
        if self._cosets == 1:
            start = self._relabelled(start, end)
            element: Arrangement = np.argsort(start)[end]
            return element if self.chain.contains(element) else None
        for begin in self._relabellings(start):
            element = np.argsort(begin)[end]
            if self.chain.contains(element):
                return element
        return None

    def arranged(self, state: State) -> Arrangement:
        """Return a state as an arrangement whose frame turns can produce."""
        return self._frame.laid(self.puzzle.arrangement(state))

    def _relabelled(self, start: Arrangement, end: Arrangement) -> Arrangement:
        """Return the start with alike pieces exchanged to match the end's sums, if possible."""
        sums = self._ledger.sums()

        def values(arrangement: Arrangement) -> tuple[int, ...]:
            vector = self._ledger.vector(arrangement)
            return tuple(character.of(vector) for character in sums)

        origin, wanted = values(start), values(end)
        effects = {values(swap[start]): swap for swap in self._alike[1]}
        changes = {
            tuple((a - b) % c.modulus for a, b, c in zip(after, origin, sums, strict=True)): swap
            for after, swap in effects.items()
        }
        ways: dict[tuple[int, ...], Arrangement] = {origin: start}
        for here in (queue := [origin]):
            if wanted in ways:
                return ways[wanted]
            for change, swap in changes.items():
                there = tuple(
                    (a + b) % c.modulus for a, b, c in zip(here, change, sums, strict=True)
                )
                if there not in ways:
                    ways[there] = swap[ways[here]]
                    queue.append(there)
        return start

    def _relabellings(self, start: Arrangement) -> Iterator[Arrangement]:
        """Yield the start with alike pieces exchanged in every way."""
        found = [start]
        known = {start.tobytes()}
        for arrangement in found:
            yield arrangement
            for swap in self._alike[1]:
                there = swap[arrangement]
                if there.tobytes() not in known:
                    known.add(there.tobytes())
                    found.append(there)
            if len(found) > _MOST_SWAPS:
                raise UndecidedError(
                    f"{self.puzzle.name}: too many pieces look alike to decide whether turns "
                    "connect these states; try a smaller box"
                )
