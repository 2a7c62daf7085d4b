"""Paths by chains of links: for big cubes by reduction, for other puzzles orbit by orbit.

In a chain of links, each solves one frame's pieces and preserves those of the frames before.

It also shortens words through a window: a few consecutive turns may be replaced by fewer.

The shorter word is searched from both ends: two short words with the same effect together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Protocol

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.analysis import Analysis
from puzzles.groups.commutators import short_words
from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.pieces import Arrangement
from puzzles.kinds.puzzle import State
from puzzles.paths.beam import Beam, BeamNode
from puzzles.paths.frames import LinkFrame, orbits_of, placing_frames
from puzzles.paths.macros import Macros, Recipe, macro_tables, macros_of
from puzzles.paths.way import TurnPath
from solver.tables import TableStore

WORK = 12.8e10
"""Comparisons that determine the width of a beam, for an estimated number of levels: about two
seconds.
"""
_NARROWEST, _WIDEST = 5, 480


@dataclass(frozen=True)
class ChainLink:
    """A frame, and the means to solve its checks.

    Attributes:
        frame: Slots and checks.
        recipe: Recipe of its macros.
        alphabet: The turns.
        store: The storage of the macros.
        slack: Maximum number of turns more than the shortest word.
        distinct: Whether words with different arrangements of these pieces are wanted.
        work: Maximum number of comparisons.
        longest: Number of turns after which it gives up.
        patience: Number of turns without a better state after which it gives up.
    """

    frame: LinkFrame
    recipe: Recipe
    alphabet: Alphabet
    store: TableStore
    slack: int = 2
    distinct: bool = False
    work: float = WORK
    longest: int = 800
    patience: int = 800

    @cached_property
    def macros(self) -> Macros:
        """Return the macros; they are made within a minute or so if none are stored."""
        inverse = [self.alphabet.inverse((n,))[0] for n in range(len(self.alphabet.turns))]
        return macros_of(self.store.obtain(macro_tables(self.frame, inverse, self.recipe)).arrays)

    def run(self, start: Arrangement, words: Sequence[Word], wanted: int) -> list[Word]:
        """Extend words so that they also solve this frame.

        Args:
            start: The start of all words.
            words: Words that solve the frames before.
            wanted: Number of words.
        """
        return self.reach(start, words, wanted)[0]

    def reach(
        self, start: Arrangement, words: Sequence[Word], wanted: int
    ) -> tuple[list[Word], list[Word]]:
        """Return words that also solve this frame, and others that come near."""
        macros, nodes = self.macros, []
        for word in words:
            there = start[self.alphabet.effect(word)]
            nodes.append(BeamNode(word, self.frame.labels(there)))
        if not len(macros.costs):
            return [], list(words)
        levels = len(self.frame.checks.pairs) * len(self.frame.turns) ** 0.75
        work = (len(macros.gains) + len(macros.losses)) * levels
        widest = int(_WIDEST * max(1.0, self.work / WORK))
        width = min(widest, max(_NARROWEST, int(self.work / max(1, work))))
        beam = Beam(
            *(self.frame.checks, macros, width, wanted, self.slack, self.distinct),
            *(self.longest, self.patience),
        )
        found, near = beam.reach(nodes)
        return [node.word for node in found], [node.word for node in near]


class WordLink(Protocol):
    """A step of a chain."""

    def run(self, start: Arrangement, words: Sequence[Word], wanted: int) -> list[Word]:
        """Extend words so that they also end this step."""


@dataclass(frozen=True, slots=True)
class RelayLink:
    """Steps to the same end: where one finds nothing, the next one continues from near words.

    Attributes:
        links: The steps.
    """

    links: tuple[ChainLink, ...]

    def run(self, start: Arrangement, words: Sequence[Word], wanted: int) -> list[Word]:
        """Extend words so that they also end this step."""
        for link in self.links:
            found, words = link.reach(start, words, wanted)
            if found:
                return found
        return []


@dataclass(frozen=True, slots=True)
class WordChain:
    """Links, one after the other.

    Attributes:
        links: The links.
        between: Number of words passed on from link to link.
    """

    links: tuple[WordLink, ...]
    between: int = 40

    def words(self, start: Arrangement, wanted: int, begun: Sequence[Word] = ((),)) -> list[Word]:
        """Return words that solve all frames, the shortest first; empty if a link finds none.

        Args:
            start: Their start.
            wanted: Number of words.
            begun: What each of them may begin with.
        """
        words = list(begun)
        for number, link in enumerate(self.links):
            last = number == len(self.links) - 1
            most = wanted if last else self.between
            words = link.run(start, words, most)
            if not words and isinstance(link, ChainLink) and number == 0:
                turns = range(len(link.frame.turns))  # another turn may help the beam
                words = link.run(start, [(turn,) for turn in turns], most)
            if not words:
                break
        return words


_SHORT_WORDS = 4000
_WINDOW = 8


@dataclass(frozen=True)
class Peephole:
    """Shortens words.

    Attributes:
        alphabet: The turns.
        window: Number of consecutive turns.
    """

    alphabet: Alphabet
    window: int = field(default=_WINDOW)

    @cached_property
    def _short(self) -> tuple[list[Word], NDArray[np.int64], dict[int, int]]:
        """Return short words, the shortest first, their inverses, and an index by their effects."""
        still = np.arange(len(self.alphabet.letters[0]))
        made = [((), still), *short_words(self.alphabet, _SHORT_WORDS)]
        effects = np.array([effect for _, effect in made])
        numbers: dict[int, int] = {}
        for number, key in enumerate((effects @ self._salt).tolist()):
            numbers.setdefault(key, number)
        return [word for word, _ in made], np.argsort(effects, axis=1), numbers

    @cached_property
    def _salt(self) -> NDArray[np.int64]:
        size = len(self.alphabet.letters[0])
        return np.random.default_rng(5).integers(-(1 << 62), 1 << 62, size)

    def shortened(self, word: Word) -> Word:
        """Return the word with shorter ones in place of its windows, as long as possible."""
        at = 0
        while at < len(word):
            end = min(at + self.window, len(word))
            better = self._better(word[at:end]) if end - at > 1 else None
            if better is None:
                at += 1
            else:
                word = self.alphabet.simple((*word[:at], *better, *word[end:]))
                at = max(0, at - self.window)
        return word

    def path(self, word: Word, method: str) -> TurnPath:
        """Return the turns of a word, shortened."""
        word = self.shortened(self.alphabet.simple(word))
        return TurnPath(tuple(self.alphabet.turns[letter] for letter in word), method)

    def _better(self, part: Word) -> Word | None:
        """Return a shorter word with the same effect, made of two short ones."""
        words, undo, numbers = self._short
        wanted = self.alphabet.effect(part)
        for row, key in enumerate((undo[:, wanted] @ self._salt).tolist()):
            other = numbers.get(key)
            if other is None:
                continue
            made = (*words[row], *words[other])
            if len(made) < len(part) and (self.alphabet.effect(made) == wanted).all():
                return made
        return None


CHAIN_BYTES = 400_000_000
"""Memory for making and using macros."""
_PARTED = 4
"""Usual number of pieces that a commutator may move."""
_FINALS = 16


@dataclass(frozen=True, slots=True)
class PlacedWays(Generic[State]):
    """Paths of any puzzle: its pieces are brought home orbit by orbit.

    Attributes:
        analysis: The puzzle's analysis.
        alphabet: Its turns.
        chain: A link for each orbit.
        peephole: Shortens the results.
    """

    analysis: Analysis[State]
    alphabet: Alphabet
    chain: WordChain
    peephole: Peephole

    def between(self, one: State, other: State) -> TurnPath | None:
        """Return a path from one state to another, or None if none is found."""
        element = self.analysis.element(one, other)
        if element is None:
            return None
        words = self.chain.words(np.argsort(element), _FINALS)
        if not words:
            return None
        word = min((self.alphabet.simple(word) for word in words), key=len)
        return self.peephole.path(word, "orbit after orbit")


def placed_ways(analysis: Analysis[Any], store: TableStore) -> PlacedWays[Any]:
    """Return the path finder of any puzzle whose pieces can be distinguished."""
    pieces = analysis.pieces
    alphabet = Alphabet(analysis.puzzle.turns, pieces.turns)
    orbits = orbits_of(pieces)
    recipes = [
        Recipe(words=4000, inner=300, setups=2, parted=_PARTED * orbit.telling) for orbit in orbits
    ]
    links = tuple(
        ChainLink(frame, recipe, alphabet, store)
        for frame, recipe in zip(placing_frames(pieces, orbits), recipes, strict=True)
    )
    return PlacedWays(analysis, alphabet, WordChain(links), Peephole(alphabet))
