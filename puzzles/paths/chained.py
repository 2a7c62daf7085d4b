"""Paths by chains of links: each solves one frame's pieces and keeps those of the frames before."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic

import numpy as np

from puzzles.groups.analysis import Analysis
from puzzles.groups.peephole import Peephole
from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.pieces import Arrangement
from puzzles.kinds.puzzle import State
from puzzles.paths.beam import Beam, BeamNode
from puzzles.paths.frames import MOST_LABELS, LinkFrame, orbits_of, placing_frames, together
from puzzles.paths.macros import Macros, Recipe, macro_tables, macros_of
from puzzles.paths.way import TurnPath
from solver.tables import TableStore

CHAIN_BYTES = 400_000_000
"""Memory for making and using macros."""
WORK = 30e10
"""Comparisons of all links, for an estimated number of levels: a few seconds."""
_NARROWEST, _WIDEST = 5, 480
_BETWEEN = 40
"""Number of words passed on from link to link."""
_FINALS = 16
_BEGINNINGS = 8
"""Number of times that a chain begins."""
_PARTED = 4
"""Usual number of pieces that a commutator may move."""
_TOGETHER = 24
"""Number of pieces of small orbits that come home in one link."""
_TRIES = 300_000
"""Number of commutators tried for all links."""
_MACROS = 60_000
"""Maximum number of macros of a link, the shortest first."""


@dataclass(frozen=True)
class ChainLink:
    """A frame, and the means to solve its checks.

    Attributes:
        frame: Slots and checks.
        recipe: Recipe of its macros.
        alphabet: The turns.
        store: The storage of the macros.
        work: Number of comparisons, which determines the width of its beam.
        slack: Maximum number of turns more than the shortest word.
        distinct: Whether words with different arrangements of these pieces are wanted.
    """

    frame: LinkFrame
    recipe: Recipe
    alphabet: Alphabet
    store: TableStore
    work: float
    slack: int = 2
    distinct: bool = False

    @cached_property
    def macros(self) -> Macros:
        """Return the macros; they are made within seconds if none are stored."""
        inverse = [self.alphabet.inverse((n,))[0] for n in range(len(self.alphabet.turns))]
        return macros_of(self.store.obtain(macro_tables(self.frame, inverse, self.recipe)).arrays)

    def run(self, start: Arrangement, words: Sequence[Word], wanted: int) -> list[Word]:
        """Extend words so that they also solve this frame, the shortest first.

        Args:
            start: The start of all words.
            words: Words that solve the frames before.
            wanted: Number of words.
        """
        macros, nodes = self.macros, []
        if not len(macros.costs):
            return []
        for word in words:
            there = start[self.alphabet.effect(word)]
            nodes.append(BeamNode(word, self.frame.labels(there)))
        levels = len(self.frame.checks.pairs) * len(self.frame.turns) ** 0.75
        compared = (len(macros.gains) + len(macros.losses)) * levels
        width = min(_WIDEST, max(_NARROWEST, int(self.work / max(1, compared))))
        beam = Beam(self.frame.checks, macros, width, wanted, self.slack, self.distinct)
        return [node.word for node in beam.run(nodes)]


@dataclass(frozen=True, slots=True)
class WordChain:
    """Links, one after the other.

    Attributes:
        links: The links.
    """

    links: tuple[ChainLink, ...]

    def words(self, start: Arrangement, wanted: int = _FINALS) -> list[Word]:
        """Return words that solve all frames, the shortest first; empty if a link finds none.

        Where a link finds none, the chain begins again after a turn or a few: pieces that look
        alike then have other places, from which that link may find one.

        Args:
            start: Their start.
            wanted: Number of words.
        """
        rng, turns = np.random.default_rng(1), len(self.links[0].frame.turns)
        for length in range(_BEGINNINGS):
            begun = tuple(rng.integers(turns, size=length).tolist())
            if found := self._extended(start, begun, wanted):
                return found
        return []

    def _extended(self, start: Arrangement, begun: Word, wanted: int) -> list[Word]:
        """Return words that solve all frames and begin with one."""
        words = [begun]
        for number, link in enumerate(self.links):
            words = link.run(start, words, wanted if number == len(self.links) - 1 else _BETWEEN)
            if not words:
                break
        return words


@dataclass(frozen=True, slots=True)
class PlacedWays(Generic[State]):
    """Paths of any puzzle: its pieces are brought home, some orbits at a time.

    Attributes:
        analysis: The puzzle's analysis.
        alphabet: Its turns.
        chain: Its links.
        peephole: Shortens the results.
    """

    analysis: Analysis[State]
    alphabet: Alphabet
    chain: WordChain
    peephole: Peephole

    def between(self, one: State, other: State) -> TurnPath | None:
        """Return a path from one state to another, or None if none is found."""
        if self.analysis.alike == 1:
            element = self.analysis.element(one, other)
            word = None if element is None else self._solving(np.argsort(element))
        else:  # both are solved: the macros tell alike pieces by the colours of the solved puzzle
            there, back = (self._solving(self.analysis.arranged(end)) for end in (one, other))
            if there is None or back is None:
                return None
            word = (*there, *self.alphabet.inverse(back))
        return None if word is None else TurnPath(self.peephole.turns(word), "orbit after orbit")

    def _solving(self, start: Arrangement) -> Word | None:
        """Return a word that solves an arrangement, or None if none is found."""
        words = (self.alphabet.simple(word) for word in self.chain.words(start))
        return min(words, key=len, default=None)


def placed_ways(analysis: Analysis[Any], store: TableStore) -> PlacedWays[Any] | None:
    """Return the path finder of any puzzle; None if an orbit has too many stickers for labels."""
    pieces = analysis.pieces
    alphabet = Alphabet(analysis.puzzle.turns, pieces.turns)
    orbits = orbits_of(pieces)
    if any(orbit.slots.size >= MOST_LABELS for orbit in orbits):
        return None
    even = [orbit for orbit in orbits if not orbit.alike]
    groups = together(orbits, _TOGETHER)
    work = WORK / len(groups)
    links = []
    for group, frame in zip(groups, placing_frames(pieces, groups, even), strict=True):
        parted = _PARTED * max(orbit.telling for orbit in group)
        recipe = Recipe(
            words=4000,
            inner=300,
            tries=_TRIES // len(groups),
            parted=parted,
            setups=2,
            most=_MACROS,
        )
        links.append(ChainLink(frame, recipe, alphabet, store, work))
    return PlacedWays(analysis, alphabet, WordChain(tuple(links)), Peephole(alphabet))
