"""A complete table of words for a puzzle's group, filled from short words and commutators."""

import numpy as np

from puzzles.groups.commutators import Setups, short_words, three_cycles
from puzzles.groups.stabiliser_chain import StabiliserChain
from puzzles.groups.words import Alphabet, WordTable
from puzzles.kinds.pieces import Pieces
from solver.errors import SolverError

_SHORT_WORDS = 4000
_ROUNDS = 200
_FEW_SLOTS = 20


def word_table(
    pieces: Pieces, alphabet: Alphabet, chain: StabiliserChain, rng: np.random.Generator
) -> WordTable:
    """Words for all elements of the group that the turns generate.

    Args:
        pieces: The puzzle.
        alphabet: Its turns.
        chain: The complete chain of its group.
        rng: For the words that are tried.

    Raises:
        SolverError: Some element got no word; another seed may help.
    """
    table = WordTable(alphabet, chain.orbits)
    words = short_words(alphabet, _SHORT_WORDS)
    for word, effect in words:
        table.absorb(word, effect, 16)
    if table.missing:
        cycles = three_cycles(pieces, alphabet, rng)
        for kind in pieces.kinds:
            if kind.name in cycles and Setups.fits(kind):
                _absorb_cycles(table, pieces, Setups(kind, alphabet, cycles[kind.name]), chain)
    for _ in range(_ROUNDS):
        table.close()
        if not table.missing:
            return table
        for _ in range(50):
            one, two = (words[int(rng.integers(len(words)))] for _ in range(2))
            table.absorb(alphabet.joined(one[0], two[0]), one[1][two[1]], 10_000)
    raise SolverError(f"no words were found for {table.missing} of the places that turns reach")


def _absorb_cycles(
    table: WordTable, pieces: Pieces, setups: Setups, chain: StabiliserChain
) -> None:
    """For each base point of a kind the shortest three-cycles of places that are not fixed yet."""
    place_of = {slot: place.slots for place in pieces.places for slot in place.slots}
    mine = set(setups.slots.tolist())
    allowed = np.ones(len(pieces.colours), bool)
    for point, orbit in chain.orbits.items():
        allowed[list(place_of[point])] = False
        for end in orbit & mine if point in mine else ():
            if end in place_of[point]:
                continue
            third = allowed.copy()
            third[list(place_of[end])] = False
            few = third[setups.slots].sum() < _FEW_SLOTS
            for word, effect in setups.shortest(point, end, third, _FEW_SLOTS if few else 1):
                table.absorb(word, effect, 4 * len(word))
