"""Paths of the 3×3×3×3 in three stages: one axis, its layers, and the cubes in these.

First, the stickers of one axis come to its two cells; each axis is tried. Then the pieces come to
their layers, and the layers are solved like 3×3×3 cubes.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from puzzles.groups.analysis import Analysis
from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.hypercube import Hypercube
from puzzles.kinds.pieces import Arrangement
from puzzles.kinds.puzzle import Stickers
from puzzles.paths.chained import WORK, ChainLink, Peephole, WordChain
from puzzles.paths.frames import orbits_of
from puzzles.paths.hypercube.axis import axis_frames
from puzzles.paths.hypercube.layers import AXIS, ENDS, CellLayers
from puzzles.paths.hypercube.splitting import LayerStage, layer_stage
from puzzles.paths.hypercube.stacking import LayerSolver
from puzzles.paths.large.frames import BUDGET_MS
from puzzles.paths.macros import Recipe
from puzzles.paths.stage_beam import StageBeam
from puzzles.paths.staged import PuzzleView, views_of
from puzzles.paths.way import TurnPath
from solver.search.objectives import load_tables
from solver.tables import TableStore

_ORDER = 0, 2, 1
"""The orbits of the first stage: faces, corners, edges. Edges last have the shortest macros."""
_BETWEEN = 400
_WIDTH, _LEAST_WIDTH = 20_000, 2000
"""States that continue in the beam of the second stage, for the usual time."""
_PATIENCE, _TRIES = 4, 6000
_WANTED = 100
_SOLVED = 8
"""Number of split arrangements whose layers are solved, for the usual time."""


@dataclass(frozen=True, slots=True)
class _Split:
    """An arrangement in one view, and a word that brings its pieces to their layers."""

    view: PuzzleView
    start: Arrangement
    word: Word


@dataclass(frozen=True)
class HypercubeWays:
    """Paths of the 3×3×3×3.

    Attributes:
        analysis: The puzzle's analysis.
        layers: Its layers.
        store: The storage of tables.
        share: The processor time, as a share of the usual one.
    """

    analysis: Analysis[Any]
    layers: CellLayers
    store: TableStore
    share: float

    @property
    def alphabet(self) -> Alphabet:
        """The puzzle's turns."""
        return self.layers.alphabet

    @cached_property
    def _views(self) -> tuple[PuzzleView, ...]:
        """Return a view for each axis that may be the first one."""
        return views_of(map(self.layers.rotation, range(AXIS + 1)), self.alphabet)

    @cached_property
    def _axis(self) -> WordChain:
        pieces = self.analysis.pieces
        orbits = [orbits_of(pieces)[number] for number in _ORDER]
        recipe = Recipe(words=40_000, inner=3000, setups=1, parted=8)
        links = [
            ChainLink(frame, recipe, self.alphabet, self.store, slack=3, work=WORK * self.share)
            for frame in axis_frames(pieces, orbits, frozenset(ENDS))
        ]
        return WordChain(tuple(links), _BETWEEN)

    @cached_property
    def _stage(self) -> LayerStage:
        return layer_stage(self.layers, self.store)

    @cached_property
    def _solver(self) -> LayerSolver:
        return LayerSolver(self.layers, load_tables(self.store))

    @cached_property
    def _peephole(self) -> Peephole:
        return Peephole(self.alphabet)

    def between(self, one: Stickers, other: Stickers) -> TurnPath | None:
        """Return a path from one state to another, or None if none is found."""
        element = self.analysis.element(one, other)
        word = None if element is None else self.word(np.argsort(element))
        if word is None:
            return None
        word = self._peephole.shortened(self.alphabet.simple(word))
        return TurnPath(tuple(self.alphabet.turns[letter] for letter in word), "layer by layer")

    def word(self, start: Arrangement) -> Word | None:
        """Return a word that solves an arrangement, or None if none is found."""
        found = []
        count = max(1, round(_SOLVED * self.share))
        for split in sorted(self._split(start), key=lambda one: len(one.word))[:count]:
            there = split.start[self.alphabet.effect(split.word)]
            if (rest := self._solver.word(there)) is not None:
                found.append(split.view.told((*split.word, *rest)))
        return min(found, key=len, default=None)

    def _split(self, start: Arrangement) -> list[_Split]:
        """Return words that bring all pieces to their layers, in the first view that has some."""
        tries = []
        for view in self._views:
            seen = view.seen(start)
            if words := self._axis.words(seen, _BETWEEN):
                tries.append((view, seen, words))
        for view, seen, words in sorted(tries, key=lambda made: len(made[2][0])):
            if found := self._layered(seen, words):
                return [_Split(view, seen, word) for word in found]
        return []

    def _layered(self, start: Arrangement, words: list[Word]) -> list[Word]:
        """Extend words so that the layers become cubes that can be solved."""

        def solvable(word: Word) -> bool:
            return self.layers.solvable(start[self.alphabet.effect(word)])

        if ready := [word for word in words if solvable(word)]:
            return ready
        starts = [(word, self._stage.start(start[self.alphabet.effect(word)])) for word in words]
        starts = [(word, codes) for word, codes in starts if self._stage.can_end(codes)]
        if not starts:
            return []
        words = [word for word, _ in starts]
        width = max(_LEAST_WIDTH, int(_WIDTH * self.share))
        beam = StageBeam(self._stage, width, patience=_PATIENCE, tries=_TRIES)
        return beam.run(np.stack([codes for _, codes in starts]), words, _WANTED, solvable)


def hypercube_ways(
    analysis: Analysis[Any], store: TableStore, budget_ms: float = BUDGET_MS
) -> HypercubeWays | None:
    """Return the path finder of a 3×3×3×3; None for other puzzles."""
    puzzle = analysis.puzzle
    if not isinstance(puzzle, Hypercube):
        return None
    layers = CellLayers(puzzle, Alphabet(puzzle.turns, analysis.pieces.turns))
    return HypercubeWays(analysis, layers, store, budget_ms / BUDGET_MS)
