"""A chain of links: each brings one frame's pieces about and keeps those of the frames before."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.pieces import Arrangement
from puzzles.paths.beam import Beam, BeamNode
from puzzles.paths.frames import LinkFrame
from puzzles.paths.macros import Macros, Recipe, macro_tables, macros_of
from solver.tables import TableStore

WORK = 12.8e10
"""Comparisons for the width of a beam, with a guess of its levels: two seconds or so."""
_NARROWEST, _WIDEST = 5, 480


@dataclass(frozen=True)
class ChainLink:
    """A frame, and how its checks are brought about.

    Attributes:
        frame: Slots and checks.
        recipe: Of its macros.
        alphabet: The turns.
        store: Where the macros are kept.
        slack: So many turns more than the shortest word's the others may have.
        distinct: Whether words are wanted that arrange these pieces differently.
        work: Comparisons that are allowed.
    """

    frame: LinkFrame
    recipe: Recipe
    alphabet: Alphabet
    store: TableStore
    slack: int = 2
    distinct: bool = False
    work: float = WORK

    @cached_property
    def macros(self) -> Macros:
        """The macros, made within a minute or so when none are stored."""
        inverse = [self.alphabet.inverse((n,))[0] for n in range(len(self.alphabet.turns))]
        return macros_of(self.store.obtain(macro_tables(self.frame, inverse, self.recipe)).arrays)

    def run(self, start: Arrangement, words: Sequence[Word], wanted: int) -> list[Word]:
        """Longer words that bring the frame about, too.

        Args:
            start: Where all words begin.
            words: Those that brought about the frames before.
            wanted: How many are wanted.
        """
        macros, nodes = self.macros, []
        for word in words:
            there = start[self.alphabet.effect(word)]
            nodes.append(BeamNode(word, self.frame.labels(there)))
        if not len(macros.costs):
            return []
        levels = len(self.frame.checks.pairs) * len(self.frame.turns) ** 0.75
        work = (len(macros.gains) + len(macros.losses)) * levels
        width = min(_WIDEST, max(_NARROWEST, int(self.work / max(1, work))))
        beam = Beam(self.frame.checks, macros, width, wanted, self.slack, self.distinct)
        return [node.word for node in beam.run(nodes)]


@dataclass(frozen=True, slots=True)
class WordChain:
    """Links, one after the other.

    Attributes:
        links: They.
        between: So many words are handed on from link to link.
    """

    links: tuple[ChainLink, ...]
    between: int = 40

    def words(self, start: Arrangement, wanted: int) -> list[Word]:
        """Words that bring all frames about, the shortest first; none when a link finds none.

        Args:
            start: Where they begin.
            wanted: How many are wanted.
        """
        words: list[Word] = [()]
        for number, link in enumerate(self.links):
            last = number == len(self.links) - 1
            most = wanted if last else self.between
            words = link.run(start, words, most)
            if not words and number == 0:  # one turn on the beam may find what it did not find here
                words = link.run(start, [(turn,) for turn in range(len(link.frame.turns))], most)
            if not words:
                break
        return words
